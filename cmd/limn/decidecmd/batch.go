package decidecmd

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/ui"
)

// maxReports is how many bad lines are named; the rest are counted.
const maxReports = 100

// reports names bad lines on standard error.
type reports struct {
	w     io.Writer
	style term.Style
	name  string
	n     int
}

func (r *reports) add(bad *eval.BadLine) {
	if r.n++; r.n <= maxReports {
		printError(r.w, r.style, fmt.Sprintf("%s:%d", r.name, bad.Number), bad.Err)
	}
}

// close sums up; lines that were bad are an error.
func (r *reports) close(read int) error {
	if r.n == 0 {
		return nil
	}
	if r.n > maxReports {
		fmt.Fprintf(r.w, "%s: %s not printed\n", r.name, term.Count(r.n-maxReports, "more bad line"))
	}
	fmt.Fprintf(r.w, "%s: %s in %s\n", r.name, term.Count(r.n, "bad line"), term.Count(r.n+read, "line"))
	return term.Problems{N: r.n}
}

// printError prints an error with its code, where it is, and the hint.
func printError(w io.Writer, s term.Style, at string, e *ui.Error) {
	if e.Path != "" {
		at += ": " + e.Path
	}
	fmt.Fprintf(w, "%s %s %s\n", s.Paint(term.Bold, term.Clean(at)+":"), s.Paint(term.Red, string(e.Code)),
		term.Clean(e.Message))
	if e.Hint != "" {
		fmt.Fprintf(w, "    %s %s\n", s.Paint(term.Blue, "hint:"), term.Clean(e.Hint))
	}
}

// refuse prints an error of the input and returns it as reported.
func refuse(t term.Terminal, name string, e *ui.Error) error {
	printError(t.Err, term.StyleOf(t.Err, t.Env), name, e)
	return term.Problems{N: 1}
}

// each calls do for every case of a file and names bad lines; out is flushed
// whenever the file makes us wait. The error of bad lines comes last, after all
// others were done. At most most bytes are read; 0 = all.
func each[C eval.Case](t term.Terminal, file string, most int64, out *bufio.Writer, do func(C) error) (name string,
	err error) {
	in, name, err := term.Open(file, t)
	if err != nil {
		return name, err
	}
	defer in.Close()
	size := int64(0)
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	progress := term.NewProgress(t, size)
	defer progress.Clear()
	r := progress.Reader(term.Flushing{In: in, Out: out.Flush})
	bounded := &io.LimitedReader{R: r, N: most + 1}
	if most > 0 {
		r = bounded
	}
	report := &reports{w: t.Err, style: term.StyleOf(t.Err, t.Env), name: name}
	read := 0
	for c, err := range eval.Read[C](r) {
		progress.Line()
		var bad *eval.BadLine
		switch {
		case errors.As(err, &bad):
			progress.Clear()
			report.add(bad)
		case err != nil:
			return name, errors.Join(out.Flush(), fmt.Errorf("read %s: %w", name, err))
		default:
			read++
			if err := do(c); err != nil {
				return name, err
			}
		}
	}
	progress.Clear()
	if most > 0 && bounded.N <= 0 {
		return name, refuse(t, name, tooLong())
	}
	if err := out.Flush(); err != nil {
		return name, err
	}
	return name, report.close(read)
}

// batch writes one prediction a line for each case.
func batch[C eval.Case, P any](t term.Terminal, file string, predict func(C) P) error {
	out := bufio.NewWriterSize(t.Out, 32<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	_, err := each(t, file, 0, out, func(c C) error { return enc.Encode(predict(c)) })
	return err
}
