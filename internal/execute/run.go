package execute

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// Run carries out directives in order. Each one sees the ops of those before it. A
// directive that cannot be carried out is dropped with a warning.
func Run(env Env, s *ui.State, list []directive.Directive) (ui.Ops, []*ui.Error) {
	r := &runner{env: env, state: s}
	r.run(list)
	return r.ops, r.warnings
}

// RunReply is Run for the answer of a model, which may also ask for one action of the
// app, by a directive type of the app, or for the submit of a surface that the user asks to
// submit. The call is nil if the answer asks for no action, press is "" if it submits
// nothing.
func RunReply(env Env, s *ui.State, list []directive.Directive) (ops ui.Ops, call *Effect, press ui.Name,
	warnings []*ui.Error) {
	r := &runner{env: env, state: s, calls: true}
	r.run(list)
	for _, d := range list {
		if d.Type == directive.TypeSubmit && r.press != "" && changes(r.ops, r.press) {
			r.warn(d, fmt.Errorf("%w: %w", ErrNotDone, &ui.Error{Code: CodeUnseen, Path: "/surface",
				Message: "the same answer changes that surface"}))
			r.press = ""
		}
	}
	return r.ops, r.effect, r.press, r.warnings
}

func (r *runner) run(list []directive.Directive) {
	for _, d := range list {
		r.coerced = nil
		ops, err := r.one(d)
		if err == nil {
			err = r.take(ops)
		}
		for _, w := range r.coerced {
			r.warn(d, w)
		}
		if err != nil {
			r.warn(d, fmt.Errorf("%w: %w", ErrNotDone, err))
		}
	}
}

// ErrNotDone is in the warnings about directives that were not carried out.
var ErrNotDone = errors.New("not carried out")

type runner struct {
	env      Env
	state    *ui.State
	ops      ui.Ops
	warnings []*ui.Error
	coerced  []*ui.Error // how the current directive was coerced
	calls    bool        // an action may be called
	effect   *Effect     // the action to call
	press    ui.Name     // the surface to submit
}

// take applies ops to the working state; ops that do not apply are not kept.
func (r *runner) take(ops ui.Ops) error {
	next, err := r.env.look(r.state, ops)
	if err != nil {
		return err
	}
	r.state, r.ops = next, append(r.ops, ops...)
	return nil
}

func (r *runner) warn(d directive.Directive, err error) {
	out := *ui.AsError(err, CodePayload, "could not be carried out")
	if errors.Is(err, ErrNotDone) {
		out.Err = err
	}
	out.Path = DirectivePath(d) + out.Path
	r.warnings = append(r.warnings, &out)
}

// DirectivePath is where the warnings about a directive begin.
func DirectivePath(d directive.Directive) string { return fmt.Sprintf("/directives/%d", d.Index) }

func (r *runner) one(d directive.Directive) (ui.Ops, error) {
	p := d.Payload
	switch d.Type {
	case directive.TypeShowForm:
		return r.showForm(p)
	case directive.TypeShowTable:
		return r.showTable(p)
	case directive.TypeShowMap:
		return r.showMap(p)
	case directive.TypeShowView:
		v, ok := r.env.App.View(p.At("name").Text())
		if !ok {
			return nil, unknown("/name", "view", p.At("name").Text())
		}
		o := r.env.App.OpenView(v, r.state)
		// by itself: open surfaces have no part in it; above a limit it stays UI_LIMIT
		if _, err := r.env.look(&ui.State{}, ui.Ops{o.Op("")}); err != nil && ui.CodeOf(err) != ui.CodeLimit {
			return nil, &ui.Error{Code: CodeView, Path: "/name", Message: "the view cannot be shown", Err: err}
		}
		if sf := r.state.Surface(o.Surface); sf != nil && sf.Status == ui.StatusOpen {
			// an update would make the values typed there stale
			if root, _ := masked(r.env.App, r.state, o.Root); sameTree(sf.Root, root) {
				return nil, nil
			}
			return ui.Ops{&ui.Update{Surface: o.Surface, Root: o.Root}}, nil
		}
		return ui.Ops{o.Op(r.env.Nonce())}, nil
	case directive.TypeShowRecords:
		return r.showRecords(p)
	case directive.TypeToast:
		return ui.Ops{&ui.Toast{Text: p.At("text").Text()}}, nil
	case directive.TypePatch:
		return r.patch(p)
	case directive.TypeRequestUpload:
		return r.requestUpload(p)
	case directive.TypeSubmit:
		return nil, r.submit(ui.Name(p.At("surface").Text()))
	case directive.TypeClose:
		return r.close(ui.Name(p.At("surface").Text()))
	}
	if t, ok := r.env.App.DirectiveType(d.Type); ok {
		return r.own(t, p)
	}
	return nil, unknown("", "directive", d.Type)
}

// known keeps the values that the fields of a form can hold; the others are warnings.
func (r *runner) known(f app.Form, values ui.Value) ui.Value {
	kept := ui.Map()
	for _, p := range values.Pairs() {
		i := slices.IndexFunc(f.Fields, func(field ui.Field) bool { return field.Name == p.Key })
		if i < 0 {
			e := ui.Errorf(CodePayload, "/values", "the form has no such field")
			e.Hint = fmt.Sprintf("%.64q", p.Key)
			r.coerced = append(r.coerced, e)
			continue
		}
		v, ok := offered(f.Fields[i], p.Value)
		if !ok {
			r.coerced = append(r.coerced, ui.Errorf(CodePayload, "/values/"+p.Key,
				"a value that is none of the field's options is left out"))
		}
		kept, _ = kept.With(v, p.Key)
	}
	return kept
}

// fill gives values to the fields of an open form in which nothing is typed, but not to those that were emptied
// meanwhile. If a value contradicts a field, none counts: all of them may be about another person.
func (r *runner) fill(sf *ui.Surface, values ui.Value) ui.Ops {
	var changes []ui.PatchOne
	var others []*ui.Error
	for n := range ui.All(sf.Tree()) {
		in := ui.InputOf(n)
		if in == nil {
			continue
		}
		v, given := values.Get(in.Name)
		now, _ := sf.Get(in.Path)
		switch v = in.Draft(v); {
		case !given || now.Equal(v):
		case now.IsNull() || now.Empty() || now.Equal(in.Blank()):
			changes = append(changes, ui.PatchOne{Do: ui.PatchSet, Path: in.Path, Value: v})
		default:
			others = append(others, &ui.Error{Code: CodePayload, Path: "/values/" + in.Name,
				Message: "the form is open with another value: it stays as it is", Hint: "ui.patch changes one field"})
		}
	}
	if len(others) > 0 {
		r.coerced = append(r.coerced, others...)
		return nil
	}
	changes, outdated := r.upToDate(sf, changes)
	if r.coerced = append(r.coerced, outdated...); len(changes) == 0 {
		return nil
	}
	return ui.Ops{&ui.Patch{Surface: sf.Name, Changes: changes}}
}

// offered drops the parts of a value that are not among a field's options.
func offered(f ui.Field, v ui.Value) (_ ui.Value, all bool) {
	declared := func(s string) bool {
		return slices.ContainsFunc(f.Options, func(o ui.Option) bool { return o.Value == s })
	}
	switch {
	case f.Type == ui.TypeChoice && !v.Empty() && !declared(v.Text()):
		return ui.Value{}, false
	case f.Type == ui.TypeChoices:
		list := slices.DeleteFunc(v.List(), func(s string) bool { return !declared(s) })
		if len(list) < len(v.List()) {
			return ui.Strings(list...), false
		}
	}
	return v, true
}

func unknown(path, kind, name string) *ui.Error {
	e := ui.Errorf(CodeUnknown, path, "the app has no such %s", kind)
	e.Hint = fmt.Sprintf("%.64q", name)
	return e
}

// open shows a surface. If it is open already it is shown as it is, even if the
// app declares it differently by now: a model never replaces an open form.
func (r *runner) open(o app.Opening) ui.Ops {
	if sf := r.state.Surface(o.Surface); sf != nil && sf.Status == ui.StatusOpen {
		return nil
	}
	return ui.Ops{r.env.readOnly(o).Op(r.env.Nonce())}
}

// openTool is open for the two worksheets of the tool menu: gated.
func (r *runner) openTool(tool string, o app.Opening) (ui.Ops, error) {
	if g := gate(r.env, r.state, tool, o.Surface); g != "" {
		return nil, gateError(tool, g)
	}
	return r.open(o), nil
}

// directed is openTool for a directive, which leaves a checkpoint as routing does.
func (r *runner) directed(tool string, o app.Opening) (ui.Ops, error) {
	if r.env.Lifted && isOpen(r.state, o.Surface) {
		o = besides(r.state, o)
	}
	ops, err := r.openTool(tool, o)
	if err != nil || len(ops) == 0 {
		return nil, err
	}
	params, err := paramsOf(tool, o)
	if err != nil {
		return nil, err
	}
	router := route.Next(route.Decision{Action: route.ActionTool, Tool: tool, Params: params}, r.state.Router,
		r.env.Prefs, r.env.Now)
	router.Checkpoint.Surface, router.Checkpoint.Criteria = o.Surface, criteria(o)
	return append(ui.Ops{&ui.Set{Router: router}}, ops...), nil // the checkpoint first (facts R-60)
}

func (r *runner) showForm(p jsonx.Value) (ui.Ops, error) {
	f, ok := r.env.App.Form(p.At("name").Text())
	if !ok {
		return nil, unknown("/name", "form", p.At("name").Text())
	}
	prefill, err := ui.ValueOf(p.At("values"))
	if err != nil {
		return nil, &ui.Error{Code: CodePayload, Path: "/values",
			Message: "values are strings, numbers, booleans or lists of strings", Err: err}
	}
	if title := p.At("title").Text(); title != "" && title != f.Title {
		r.coerced = append(r.coerced, ui.Errorf(CodePayload, "/title",
			"a form keeps the title it is declared with"))
	}
	values := r.known(f, prefill)
	o := r.env.App.OpenForm(f, values)
	if isOpen(r.state, o.Surface) {
		if err := r.reopened(o.Surface); err != nil && len(values.Pairs()) > 0 {
			return nil, err
		}
		return r.fill(r.state.Surface(o.Surface), values), nil
	}
	if sf := r.state.Surface(o.Surface); sf != nil && sf.Stub() && sf.Origin.Record.ID == "" && values.Empty() &&
		!changes(r.ops, sf.Name) { // an answer that closes it itself starts over
		step, _ := Regenerate(r.env, r.state, sf.Name) // who asks for it again has the draft back
		return step.Ops, nil
	}
	return r.open(o), nil
}

func (r *runner) showTable(p jsonx.Value) (ui.Ops, error) {
	spec := app.TableSpec{Table: route.Table{Title: p.At("title").Text(), SummaryPrompt: route.SummaryTable}}
	if n, ok := p.At("min_rows").Int(); ok && n > 0 {
		spec.MinRows = int(min(n, int64(r.env.limits().WithDefaults().Rows)))
		spec.Stated = spec.MinRows
	}
	t, declared := r.env.App.Table(p.At("name").Text())
	if !declared {
		if name := p.At("name").Text(); name != "" && len(p.At("columns").Items) == 0 {
			return nil, unknown("/name", "table", name)
		}
		columns, err := columnsOf(p.At("columns"))
		if err != nil {
			return nil, err
		}
		t = app.Table{Name: "list", Title: spec.Title, Columns: columns}
		if t.Title == "" {
			t.Title = route.AnyTitle
		}
	}
	if rows := p.At("rows"); rows.Kind == jsonx.Array {
		v, err := rowsOf(rows, t.Columns)
		if err != nil {
			return nil, err
		}
		spec.Rows = v
	}
	return r.directed(ui.ToolTable, r.env.App.OpenTable(t, spec))
}

func (r *runner) showMap(p jsonx.Value) (ui.Ops, error) {
	spec := app.MapSpec{Map: route.Map{Title: p.At("title").Text()}}
	m, ok := r.env.App.Map(p.At("name").Text())
	switch {
	case !ok && p.At("name").Text() != "":
		return nil, unknown("/name", "map", p.At("name").Text())
	case !ok && len(r.env.App.Config().Maps) > 0:
		m = r.env.App.Config().Maps[0]
	case !ok:
		m = app.Map{Name: "process", Title: "Process"}
	}
	if steps := p.At("steps"); steps.Kind == jsonx.Array {
		v, err := rowsOf(steps, capture.StepColumns())
		if err != nil {
			return nil, err
		}
		spec.Steps, spec.MinSteps = v, len(v.Records())
	}
	if edges := p.At("edges"); edges.Kind == jsonx.Array {
		v, err := rowsOf(edges, edgeColumns)
		if err != nil {
			return nil, err
		}
		spec.Edges = v
	}
	if n, ok := p.At("min_steps").Int(); ok && n > 0 {
		spec.MinSteps = int(min(n, capture.MaxSteps))
		spec.Stated = spec.MinSteps
	}
	return r.directed(ui.ToolMap, r.env.App.OpenMap(m, spec))
}

var edgeColumns = []ui.Field{{Name: "from", Type: ui.TypeText}, {Name: "to", Type: ui.TypeText},
	{Name: "kind", Type: ui.TypeText}, {Name: "conditional", Type: ui.TypeBoolean}}

// requestUpload opens the declared form whose upload field has that name, or
// a form of one upload field.
func (r *runner) requestUpload(p jsonx.Value) (ui.Ops, error) {
	name := p.At("name").Text()
	for _, f := range r.env.App.Config().Forms {
		for _, field := range f.Fields {
			if field.Type == ui.TypeUpload && (f.Name == name || field.Name == name) {
				return r.open(r.env.App.OpenForm(f, ui.Map())), nil
			}
		}
	}
	if !ui.ValidKey(name) {
		name = "file"
	}
	field := ui.Field{Name: name, Label: p.At("label").Text(), Type: ui.TypeUpload, Required: true}
	for _, a := range p.At("accept").Items {
		field.Accept = append(field.Accept, a.Text())
	}
	return r.open(r.env.App.OpenForm(app.Form{Name: "upload", Title: field.Title(), Fields: []ui.Field{field}},
		ui.Map())), nil
}

func (r *runner) patch(p jsonx.Value) (ui.Ops, error) {
	name := ui.Name(p.At("surface").Text())
	if name == "" && len(r.state.Surfaces) == 1 {
		name = r.state.Surfaces[0].Name
	}
	sf := r.state.Surface(name)
	if sf == nil || sf.Status != ui.StatusOpen {
		return nil, unknown("/surface", "open surface", string(name))
	}
	if err := r.reopened(name); err != nil {
		return nil, err
	}
	changes, warnings, err := directive.ParseOps(p.At("ops"), r.env.Strict)
	if err != nil {
		return nil, err
	}
	changes, outdated := r.upToDate(sf, changes)
	if r.coerced = warnings; len(changes) == 0 && len(outdated) > 0 {
		return nil, outdated[0]
	}
	r.coerced = append(warnings, outdated...)
	changes = append(newRows(sf, fitPatch(sf, changes)), retired(sf, changes)...)
	ops := ui.Ops{&ui.Patch{Surface: name, Changes: changes}}
	more, err := ends(r.env, r.state, name, ops)
	return append(ops, more...), err
}

// reopened is the error for a surface that was opened since the model was asked, and not by
// its answer: the model means an earlier one of that name.
func (r *runner) reopened(name ui.Name) error {
	if r.env.Saw == nil || r.env.Saw.Epochs[name] == r.state.Surface(name).Epoch || slices.ContainsFunc(r.ops,
		func(op ui.Op) bool { o, ok := op.(*ui.Open); return ok && o.Surface == name }) {
		return nil
	}
	return ui.Errorf(CodeOutdated, "/surface", "it was opened meanwhile")
}

// upToDate leaves out of a model's patch what would overwrite words of people that it has
// not seen.
func (r *runner) upToDate(sf *ui.Surface, changes []ui.PatchOne) (kept []ui.PatchOne, outdated []*ui.Error) {
	if r.env.Saw == nil || len(sf.Stamps) == 0 {
		return changes, nil
	}
	for _, c := range changes {
		if p, ok := r.writtenSince(sf, c.Path); ok {
			outdated = append(outdated, &ui.Error{Code: CodeOutdated, Path: string(p),
				Message: strconv.Quote(p.Segments()[len(p.Segments())-1]) + " was written meanwhile", Err: ErrNotDone})
			continue
		}
		kept = append(kept, c)
	}
	return kept, outdated
}

// writtenSince finds the first draft leaf at a path, or below it, that a person wrote later.
func (r *runner) writtenSince(sf *ui.Surface, at ui.Path) (first ui.Path, ok bool) {
	for p, w := range sf.Stamps {
		below := p == at || strings.HasPrefix(string(p), string(at)+"/")
		if below && w.Seq > r.env.Saw.Seq && sf.Actors[w.Actor()].By != "" && (!ok || p < first) {
			first, ok = p, true
		}
	}
	return first, ok
}

// fitPatch gives a patched draft leaf the kind its input drafts: a model that
// sets a number field to 42 means the text "42".
func fitPatch(sf *ui.Surface, changes []ui.PatchOne) []ui.PatchOne {
	for n := range ui.All(sf.Tree()) {
		in := ui.InputOf(n)
		for i := range changes {
			if in != nil && changes[i].Path == in.Path && changes[i].Do == ui.PatchSet {
				changes[i].Value = in.Draft(changes[i].Value)
			}
		}
	}
	return changes
}

// newRows gives the rows that a patch adds without an id one that no row has or had, and has the row at an index in
// place of the index.
func newRows(sf *ui.Surface, changes []ui.PatchOne) []ui.PatchOne {
	for n := range ui.All(sf.Tree()) {
		rs := ui.RowsetOf(n)
		if rs == nil {
			continue
		}
		var own []string
		for _, c := range changes {
			if c.Path == rs.Path {
				own = append(append(own, c.Row), idsOf(c.Value.Records())...)
			}
		}
		next, ids := freeRows(sf, rs, own...), idsOf(sf.Rows(rs)) // as the changes so far leave them
		for i := range changes {
			c := &changes[i]
			if id, below := strings.CutPrefix(string(c.Path), string(rs.Path)+"/"); below && c.Do == ui.PatchDelete {
				ids = slices.DeleteFunc(ids, func(one string) bool { return one == id })
			}
			if c.Path != rs.Path {
				continue
			}
			if at, err := strconv.Atoi(c.Before); err == nil { // an index
				if c.Before = ""; at < len(ids) {
					c.Before = ids[at]
				} else {
					c.Do = ui.PatchAppend
				}
			}
			added := idsOf(c.Value.Records())
			switch {
			case c.Do == ui.PatchSet:
				ids = added
			case c.Do != ui.PatchAppend && c.Do != ui.PatchInsert:
			case added != nil:
				ids = append(ids, added...)
			default:
				if c.Row == "" {
					c.Row = next()
				}
				at := slices.Index(ids, c.Before)
				if at < 0 {
					at = len(ids)
				}
				ids = slices.Insert(ids, at, c.Row)
			}
		}
	}
	return changes
}

func idsOf(rows []ui.Record) (ids []string) {
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// retired keeps the ids of the rows that changes remove.
func retired(sf *ui.Surface, changes []ui.PatchOne) (out []ui.PatchOne) {
	for n := range ui.All(sf.Tree()) {
		rs := ui.RowsetOf(n)
		if rs == nil {
			continue
		}
		var ids []string
		var stays map[string]bool // rows of the last list that replaces all; nil: none does
		for _, c := range changes {
			if id, below := strings.CutPrefix(string(c.Path), string(rs.Path)+"/"); below && c.Do == ui.PatchDelete {
				ids = append(ids, id)
			}
			if c.Path == rs.Path && c.Do == ui.PatchSet {
				stays = map[string]bool{}
				for _, r := range c.Value.Records() {
					stays[r.ID] = true
				}
			}
		}
		for _, r := range sf.Rows(rs) {
			if stays != nil && !stays[r.ID] {
				ids = append(ids, r.ID)
			}
		}
		out = append(out, worksheet.Retired(sf, rs, ids...)...)
	}
	return out
}

func (r *runner) close(name ui.Name) (ui.Ops, error) {
	if r.state.Surface(name) == nil {
		return nil, unknown("/surface", "surface", string(name))
	}
	if err := r.reopened(name); err != nil {
		return nil, err
	}
	ops := Dismiss(r.state, name)
	if r.state.Router.Open(name) != nil {
		ops = append(ops, &ui.Set{Router: route.Gone(r.state.Router, name)})
	}
	return ops, nil
}
