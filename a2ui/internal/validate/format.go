package validate

import (
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/expr"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// interpolated checks the ${…} of a formatString text (v0.9 and later). Its paths are
// bindings like any other, @index counts as a call. An expression that cannot be read,
// and a function the catalog lacks, are problems in Safe: clients show nothing there,
// but the message is well formed.
func (r *run) interpolated(text string) {
	if !strings.Contains(text, "${") {
		return
	}
	parts, err := expr.Parse(text, expr.Options{})
	if err != nil && r.Safe {
		r.add(wire.ComponentCallArgs, "", "the text %q cannot be read: %v", clip(text), err)
	}
	for _, part := range parts {
		r.expression(part)
	}
}

func (r *run) expression(v wire.Value) {
	switch v := v.(type) {
	case wire.Path:
		r.bind(string(v), 0)
	case wire.Call:
		r.known(v.Func)
		for _, arg := range v.Args {
			r.expression(arg.Value)
		}
	}
}

// known looks the function up where the call around it does.
func (r *run) known(name string) {
	if r.Features.Index && wire.System[name] != nil {
		r.flags |= usesIndex
		return
	}
	if c := r.st.functions(); r.Safe && (c == nil || c.Functions[name] == nil) {
		r.add(wire.ComponentCallArgs, "", "the catalog has no function %q", clip(name))
	}
}

// functions is the catalog of calls that name none.
func (st *staged) functions() *wire.Catalog {
	if st == nil {
		return nil
	}
	return st.catalog
}
