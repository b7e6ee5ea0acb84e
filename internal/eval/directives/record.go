package directives

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/limn-ui/limn/ui"
)

// Codes of a file of results.
const (
	CodeRecord ui.Code = "EVAL_STATE_INVALID" // not a file of results, or damaged
	CodeOther  ui.Code = "EVAL_STATE_OTHER"   // of another plan
)

// maxRecord bounds a file of results, in bytes.
const maxRecord = 1 << 30

// Record is a file of results: a line about the plan, then one line for each
// result. A result that is written is kept whatever happens to the program.
type Record struct {
	Results []Result // that were there when it was opened
	file    *os.File
}

// head is the first line of a Record.
type head struct {
	V    int    `json:"v"`
	Plan string `json:"plan"` // Plan.Hash
}

// Open opens the results of a plan, or begins a file for them. A last line that
// was cut off is dropped. Errors have CodeRecord or CodeOther, or are the
// system's.
func Open(name, hash string) (*Record, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	r := &Record{file: f}
	if err := r.read(name, hash); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

func (r *Record) read(name, hash string) error {
	data, err := io.ReadAll(io.LimitReader(r.file, maxRecord+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > maxRecord {
		return &ui.Error{Code: CodeRecord, Path: name, Message: fmt.Sprintf("the file is above %d bytes", maxRecord),
			Hint: "name another file"}
	}
	kept := bytes.LastIndexByte(data, '\n') + 1
	if !bytes.HasPrefix(data, []byte(`{"v":`)[:min(len(data), 5)]) {
		return notResults(name + ":1")
	}
	if kept == 0 { // new, or cut off in its first line
		if err := r.file.Truncate(0); err != nil {
			return err
		}
		return r.write(head{1, hash})
	}
	results, err := decodeRecord(name, data[:kept], hash)
	if err != nil {
		return err
	}
	r.Results = results
	return r.file.Truncate(int64(kept))
}

func notResults(at string) error {
	return &ui.Error{Code: CodeRecord, Path: at, Message: "the file holds something else than results",
		Hint: "name a file that is new, or one that this command began"}
}

// decodeRecord reads whole lines.
func decodeRecord(name string, data []byte, hash string) (out []Result, err error) {
	seen := map[id]bool{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		at := fmt.Sprintf("%s:%d", name, n)
		if n == 1 {
			var h head
			switch err := json.Unmarshal(line, &h); {
			case err != nil || h.V == 0:
				return nil, notResults(at)
			case h.V != 1:
				return nil, &ui.Error{Code: CodeRecord, Path: at,
					Message: fmt.Sprintf("the results are of version %d", h.V),
					Hint:    "use the program that wrote them, or another file"}
			case h.Plan != hash:
				return nil, &ui.Error{Code: CodeOther, Path: name,
					Message: "the results are of another application, other scenarios, models or modes, " +
						"or were asked for in another way",
					Hint: "repeat the command that began the file, or name another file"}
			}
			continue
		}
		var res Result
		if err := json.Unmarshal(line, &res); err != nil {
			return nil, &ui.Error{Code: CodeRecord, Path: at, Message: "the line is no result",
				Hint: "delete the line; its trial is made again", Err: err}
		}
		if !seen[res.id()] {
			seen[res.id()] = true
			out = append(out, res)
		}
	}
	return out, nil
}

// Add writes a result.
func (r *Record) Add(res Result) error { return r.write(res) }

// write appends one line by one call, so that lines are whole or the last one.
func (r *Record) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := r.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write %s: %w", r.file.Name(), err)
	}
	return nil
}

// Close makes sure that all results are on the disk.
func (r *Record) Close() error { return errors.Join(r.file.Sync(), r.file.Close()) }
