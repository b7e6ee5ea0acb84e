package validate

import (
	"fmt"
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
)

// report lists the problems of a run and knows where the run is.
type report struct {
	names    *wire.Names // for paths; nil = neutral names
	problems []wire.Problem

	line      int // message of the batch, from 1; or the line given to CheckMessage
	surface   string
	component string
	index     int          // of the component in its message, -1 = none
	within    []step       // path below that
	msg       wire.Message // the current one; nil at the end of the turn

	trying int  // > 0: a problem only sets failed
	failed bool // a problem was found, listed or not
}

// step is one member name, or one index with name "".
type step struct {
	name  string
	index int
}

// add notes a problem at the current place.
func (r *report) add(code wire.Code, hint, format string, args ...any) {
	if r.failed = true; r.trying > 0 || len(r.problems) >= maxProblems {
		return
	}
	path := r.path()
	if r.names != nil && r.msg != nil {
		path = r.names.Path(r.msg, path)
	}
	r.problems = append(r.problems, wire.Problem{
		Code: code, Surface: r.surface, Component: r.component, Path: path,
		Message: fmt.Sprintf(format, args...), Hint: hint, Line: r.line,
	})
}

// at notes a problem of the member name.
func (r *report) at(name string, code wire.Code, hint, format string, args ...any) {
	r.push(name)
	r.add(code, hint, format, args...)
	r.pop()
}

// wrong notes a value of another kind than wanted.
func (r *report) wrong(want string, v wire.Value) {
	if r.failed = true; r.trying > 0 {
		return
	}
	r.add(wire.ComponentProperty, "", "want %s, not %s", want, describe(v))
}

func (r *report) path() string {
	var b []byte
	if r.index >= 0 {
		b = strconv.AppendInt(append(b, "/components/"...), int64(r.index), 10)
	}
	for _, s := range r.within {
		if s.index >= 0 {
			b = strconv.AppendInt(append(b, '/'), int64(s.index), 10)
		} else {
			b = jsonptr.AppendSegment(b, s.name)
		}
	}
	return string(b)
}

func (r *report) push(name string) { r.within = append(r.within, step{name, -1}) }
func (r *report) item(i int)       { r.within = append(r.within, step{"", i}) }
func (r *report) pop()             { r.within = r.within[:len(r.within)-1] }

// leave leaves the component and the property.
func (r *report) leave() { r.component, r.index, r.within = "", -1, r.within[:0] }
