package validate

import "github.com/limn-ui/limn/a2ui/internal/wire"

// interpolated checks the ${…} of a formatString text (v0.9 and later). Its paths are
// bindings like any other, @index counts as a call. An expression that cannot be read, and
// a function the catalog lacks, are problems in Safe: clients show nothing there, but the
// message is well formed.
func (r *run) interpolated(text string) {
	if err := wire.ReadFormat(text, wire.FormatRules{}, expressions{r}); err != nil && r.Safe {
		r.add(wire.ComponentCallArgs, "", "an expression in %q cannot be read: %v", clip(text), err)
	}
}

// expressions checks the paths and calls in a text.
type expressions struct{ *run }

// ReadPath implements wire.FormatReader.
func (r expressions) ReadPath(path string) { r.bind(path, 0) }

// ReadCall looks the function up where the call around it does.
func (r expressions) ReadCall(name string) {
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
