package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// Codes of package eval.
const (
	CodeLine     ui.Code = "EVAL_LINE_INVALID"   // a line is no case
	CodeLineLong ui.Code = "EVAL_LINE_LONG"      // a line is longer than MaxLine
	CodeState    ui.Code = "EVAL_STATE_INVALID"  // no state of a conversation
	CodeColumn   ui.Code = "EVAL_COLUMN_INVALID" // no declaration of a column
)

// MaxLine is how long one line may be, in bytes.
const MaxLine = 4 << 20

// BadLine is a line that is no case. Err has CodeLine, CodeLineLong or
// CodeColumn; its Path is the member that is wrong.
type BadLine struct {
	Number int // from 1
	Err    *ui.Error
}

// Error implements error.
func (b *BadLine) Error() string { return "line " + strconv.Itoa(b.Number) + ": " + b.Err.Error() }

// Unwrap returns the coded error.
func (b *BadLine) Unwrap() error { return b.Err }

// Case is what Read reads.
type Case interface {
	RouteCase | CaptureCase
	check() *ui.Error
}

// Read yields the cases of r, one a line; blank lines are passed over. A line
// that is no case is yielded as a *BadLine and reading goes on; any other error
// is one of r, and the last. It holds one line at a time.
func Read[C Case](r io.Reader) iter.Seq2[C, error] {
	return func(yield func(C, error) bool) {
		for line, err := range a2ui.ReadLines(r, a2ui.Limits{MessageBytes: MaxLine}) {
			var c C
			var long *a2ui.Problem
			switch {
			case errors.As(err, &long):
				err = &BadLine{line.Number, &ui.Error{Code: CodeLineLong,
					Message: fmt.Sprintf("the line has more than %d MiB", MaxLine>>20), Hint: "one case is one line"}}
			case err == nil:
				bad := unreadable(json.Unmarshal(line.Bytes, &c))
				if bad == nil {
					bad = c.check()
				}
				if bad != nil {
					err = &BadLine{line.Number, bad}
				}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// unreadable turns an error of encoding/json into one with a code; the text of
// the line is not in it.
func unreadable(err error) *ui.Error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var coded *ui.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &coded):
		return coded
	case errors.As(err, &syntax):
		return &ui.Error{Code: CodeLine, Message: fmt.Sprintf("no JSON: %v at byte %d", err, syntax.Offset),
			Hint: `write one JSON object a line: {"id":…}`}
	case errors.As(err, &kind):
		return &ui.Error{Code: CodeLine, Path: kind.Field,
			Message: "a " + kind.Value + " stands where a " + kind.Type.String() + " belongs"}
	}
	return &ui.Error{Code: CodeLine, Message: err.Error()}
}

// ReadAll reads every case; bad lines are counted and handed to report, which
// may be nil. The error is one of r.
func ReadAll[C Case](r io.Reader, report func(*BadLine)) (cases []C, bad int, err error) {
	for c, err := range Read[C](r) {
		var line *BadLine
		switch {
		case errors.As(err, &line):
			if bad++; report != nil {
				report(line)
			}
		case err != nil:
			return cases, bad, err
		default:
			cases = append(cases, c)
		}
	}
	return cases, bad, nil
}
