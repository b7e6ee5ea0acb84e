package execute

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// KeyAccepted is committed, true, beside the rows of a worksheet that the user
// accepted though it is not complete.
const KeyAccepted = "accepted_as_is"

// submit answers the buttons that send a surface. A form that is right is
// committed. A worksheet is checked first, and committed when the user confirms what
// the checks found complete, or accepts what stays incomplete (facts ).
func (step Step) submit(env Env, s *ui.State, sf *ui.Surface, c Click) Step {
	if !isTool(sf) {
		values, errs := ui.CheckSurface(sf, env.words())
		values = env.withDecisions(sf, values)
		errs = append(append(errs, unattached(env, sf)...), undecided(env, sf, values)...)
		if len(errs) > 0 {
			return step.refuse(env, s, sf, errs, texts(errs), nil)
		}
		return step.send(env, s, sf, values)
	}
	values, errs := checkCaptured(sf, env.words())
	switch {
	case len(errs) > 0 && c.Action.Name == builtin.ActionAccept:
		return step.send(env, s, sf, asIs(sf))
	case len(errs) > 0:
		return step.refuse(env, s, sf, errs, worksheet.Findings(env.words(), sf, errs), c.Warnings)
	case c.Action.Name == builtin.ActionSubmit, unseen(env, sf, c.Warnings):
		return step.ready(env, sf, values, c.Warnings)
	}
	return step.send(env, s, sf, values)
}

// undecided refuses a form with a decision that is not the user's.
func undecided(env Env, sf *ui.Surface, values ui.Value) []ui.FieldError {
	spec, ok := env.App.RecordLists().Spec(sf.Origin.Template)
	if !ok || len(spec.Decide) == 0 || sf.Origin.Kind != "form" {
		return nil
	}
	field := env.App.RecordLists().Decides(spec.Name, saved(sf.Origin), values)
	if field == "" || env.Decides != nil && env.Decides(spec, sf.Origin.Record.Owner) {
		return nil
	}
	return []ui.FieldError{{Path: ui.PathOf(ui.DraftRoot, field), Code: app.CodeRecordDenied,
		Text: env.words().Say("records.decide")}}
}

// unseen reports a warning that the surface does not show yet: entries that came
// with the confirming click need a separate confirmation.
func unseen(env Env, sf *ui.Surface, warnings []capture.Warning) bool {
	shown := map[string]bool{"": true}
	for n := range ui.All(sf.Tree()) {
		if note, ok := n.(*ui.Notice); ok {
			shown[note.Text] = true
		}
	}
	return slices.ContainsFunc(capture.Shown(warnings),
		func(w capture.Warning) bool { return !shown[worksheet.WarningText(env.words(), sf, w)] })
}

// Submission returns the rows of a worksheet with the values of a click that sends
// it, for the validators. ok is false for any other click.
func Submission(env Env, s *ui.State, c Click) (sub capture.Submission, ok bool) {
	if !isTool(c.Surface) || c.Surface.Status != ui.StatusOpen ||
		c.Action.Name != builtin.ActionSubmit && c.Action.Name != builtin.ActionConfirm {
		return sub, false
	}
	now, err := env.look(s, ui.Ops{&ui.Draft{Surface: c.Surface.Name, Values: c.Values}})
	if err != nil {
		return sub, false
	}
	sf := now.Surface(c.Surface.Name)
	rs := worksheet.Rows(sf)
	sub = capture.Submission{Columns: rs.Columns, Rows: worksheet.FilledRows(sf, rs)}
	if at := worksheet.EdgesAt(sf); at != "" {
		sub.Edges, _ = sf.Get(at)
	}
	if cp := s.Router.Open(sf.Name); cp != nil {
		sub.Stated, sub.Approx = cp.Criteria.Stated, cp.Criteria.Approx
	}
	return sub, true
}

// isTool reports a surface of the tool menu.
func isTool(sf *ui.Surface) bool {
	return (sf.Origin.Kind == "table" || sf.Origin.Kind == "map") && worksheet.Rows(sf) != nil
}

// checkCaptured is ui.CheckSurface for the rows of a worksheet: text that waits to be
// pasted neither stops a submit nor goes with it.
func checkCaptured(sf *ui.Surface, w ui.Words) (ui.Value, []ui.FieldError) {
	all, errs := ui.CheckSurface(sf, w)
	paths, values := []ui.Path{worksheet.Rows(sf).Path}, ui.Map()
	if at := worksheet.EdgesAt(sf); at != "" {
		paths = append(paths, at)
	}
	for _, p := range paths {
		if v, ok := all.Get(p.Segments()[1:]...); ok {
			values, _ = values.With(v, p.Segments()[1:]...)
		}
	}
	return values, openEnds(sf, w, slices.DeleteFunc(errs, func(e ui.FieldError) bool {
		return !slices.ContainsFunc(paths, func(p ui.Path) bool {
			return e.Path == p ||
				strings.HasPrefix(string(e.Path), string(p)+"/")
		})
	}))
}

// openEnds adds what only a process map can have wrong: connections whose step
// is gone or was never filled in.
func openEnds(sf *ui.Surface, w ui.Words, errs []ui.FieldError) []ui.FieldError {
	rs, edges := worksheet.Rows(sf), worksheet.EdgeRows(sf)
	if edges == nil {
		return errs
	}
	steps, _ := sf.Get(rs.Path)
	rows, _ := sf.Get(edges.Path)
	for _, cell := range worksheet.OpenEnds(steps, rows, rs.Blank) {
		at := edges.CellPath(cell.Row, cell.Column)
		if slices.ContainsFunc(errs, func(e ui.FieldError) bool { return e.Path == at }) {
			continue
		}
		if _, n, col := worksheet.CellAt(sf, at); col.Name != "" {
			errs = append(errs, ui.FieldError{Path: at, Code: ui.CodeFieldOption,
				Text: w.Say("edges.open", "label", worksheet.CellLabel(w, col, n+1))})
		}
	}
	return errs
}

// questions are the errors that a paste left at cells and the user has not answered.
// They stay until the rows are committed.
func questions(sf *ui.Surface, errs []ui.FieldError) []ui.FieldError {
	for _, e := range sf.Errors {
		asks := e.Code == worksheet.CodeGuess || e.Code == worksheet.CodeExtra
		if asks && !slices.ContainsFunc(errs, func(o ui.FieldError) bool { return o.Path == e.Path }) {
			errs = append(errs[:len(errs):len(errs)], e)
		}
	}
	return errs
}

// asIs returns the rows of a worksheet, marked as accepted. A cell that does not fit
// its column is its raw text.
func asIs(sf *ui.Surface) ui.Value {
	values := ui.Map(ui.Pair{Key: KeyAccepted, Value: ui.Bool(true)})
	keep := func(p ui.Path, v ui.Value) { values, _ = values.With(v, p.Segments()[1:]...) }
	raw := func(rs *ui.Rowset) {
		rows := worksheet.FilledRows(sf, rs).Records()
		for i, r := range rows {
			cells := ui.Map()
			for _, c := range rs.Columns {
				draft, _ := r.Cells.Get(c.Name)
				v, bad := c.Check(draft, "", nil)
				if bad != nil {
					v = draft
				}
				if !v.Empty() {
					cells, _ = cells.With(v, c.Name)
				}
			}
			rows[i].Cells = cells
		}
		keep(rs.Path, ui.Rows(rows...))
	}
	raw(worksheet.Rows(sf))
	if rs := worksheet.EdgeRows(sf); rs != nil {
		raw(rs)
	} else if at := worksheet.EdgesAt(sf); at != "" {
		v, _ := sf.Get(at)
		keep(at, v)
	}
	return values
}

// refuse shows every error at its place and names the first ones. A worksheet asks
// one question and counts the round; after its last one the user may accept. What is
// said is cut to the size of a line of the transcript, and the values are kept.
func (step Step) refuse(env Env, s *ui.State, sf *ui.Surface, errs []ui.FieldError, named []string,
	warnings []capture.Warning) Step {
	w, most := env.words(), env.limits().WithDefaults().TextSize
	step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: errs[0].Code, Surface: sf.Name,
		Path: lookAt(sf, errs[0].Path)}
	if !isTool(sf) {
		text := w.Say(checkEntered)
		if len(named) > 0 {
			text = w.Say("submit.fix", "list", strings.Join(firstFew(named, "…"), " "))
		}
		step.Outcome.Message = excerpt.Head(text, most)
		step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: errs}, say(step.Outcome.Message))
		return step
	}
	last := true
	router, open := route.Front(s.Router, sf.Name)
	if open {
		next := *router.Checkpoint
		next.Iteration++
		router.Checkpoint, last = &next, next.Iteration >= next.MaxIterations
	}
	step.Outcome.Message = excerpt.Head(worksheet.Question(w, named, last), most)
	phase := worksheet.Phase{Name: worksheet.PhaseCheck,
		Notes: []worksheet.Note{{Tone: ui.ToneWarning, Text: step.Outcome.Message}}, Accept: last}
	// Whether fewer rows will do is asked when the rest is right.
	step = step.phase(env, sf, phase, slices.DeleteFunc(slices.Clone(warnings), isCoverage))
	step.Ops = append(step.Ops, showPage(sf, step.Outcome.Path)...)
	step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: questions(sf, errs)}, say(step.Outcome.Message),
		&ui.Set{Router: router})
	return step
}

// ready shows a summary of the rows and asks the user to confirm it.
func (step Step) ready(env Env, sf *ui.Surface, values ui.Value, warnings []capture.Warning) Step {
	list := counted(env, sf, values)
	text := env.words().Say("tool.ready", "list", list)
	note, fewer := worksheet.Note{Tone: ui.ToneSuccess, Text: text}, 0
	if i := slices.IndexFunc(capture.Shown(warnings), isCoverage); i >= 0 { // "Complete" would not be true
		text = worksheet.WarningText(env.words(), sf, capture.Shown(warnings)[i])
		note, fewer = worksheet.Note{Tone: ui.ToneInfo, Text: list}, capture.Shown(warnings)[i].Have
	}
	step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Surface: sf.Name, Message: text}
	step = step.phase(env, sf, worksheet.Phase{Name: worksheet.PhaseConfirm, Notes: []worksheet.Note{note},
		Fewer: fewer}, warnings)
	step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: questions(sf, nil)}, say(text))
	return step
}

func isCoverage(w capture.Warning) bool { return w.Check == capture.Coverage }

// phase takes a worksheet to a phase, with the warnings that are certain enough.
func (step Step) phase(env Env, sf *ui.Surface, p worksheet.Phase, warnings []capture.Warning) Step {
	step.Shown = capture.Shown(warnings)
	for _, w := range step.Shown {
		if text := worksheet.WarningText(env.words(), sf, w); text != "" {
			p.Notes = append(p.Notes, worksheet.Note{Tone: ui.ToneWarning, Text: text})
		}
	}
	step.Ops = append(step.Ops,
		&ui.Patch{Surface: sf.Name, Changes: []ui.PatchOne{
			{Do: ui.PatchSet, Path: worksheet.PhasePath, Value: ui.String(p.Name)}}},
		&ui.Update{Surface: sf.Name, Root: worksheet.SetPhase(sf.Root, p, env.words())})
	return step
}

// captureAgain takes a worksheet that waits for the user's confirmation back to its
// first phase, after its rows have changed since the checks.
func (step Step) captureAgain(env Env, sf *ui.Surface) Step {
	if !isTool(sf) || worksheet.PhaseOf(sf) != worksheet.PhaseConfirm {
		return step
	}
	return step.phase(env, sf, worksheet.Phase{Name: worksheet.PhaseCapture}, nil)
}

// showPage turns to the page of the first error, where a drawing has pages.
func showPage(sf *ui.Surface, at ui.Path) ui.Ops {
	rs, row, _ := worksheet.CellAt(sf, at)
	if rs == nil || len(sf.Rows(rs)) <= ui.PageRows {
		return nil
	}
	page := row / ui.PageRows * ui.PageRows
	return ui.Ops{&ui.Patch{Surface: sf.Name,
		Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: rs.PagePath(), Value: ui.Int(int64(page))}}}}
}

// lookAt is where the user corrects an error: the path itself, or if a rowset needs
// more rows, the first cell of its first empty row.
func lookAt(sf *ui.Surface, p ui.Path) ui.Path {
	at := p
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		rs := ui.RowsetOf(n)
		if rs == nil || rs.Path != p || len(rs.Columns) == 0 {
			return true
		}
		for _, r := range sf.Rows(rs) {
			if rs.Blank(r.Cells) {
				at = rs.CellPath(r.ID, rs.Columns[0].Name)
				return false
			}
		}
		return true
	})
	return at
}

// send hands checked values to the app's handler, or commits them.
func (step Step) send(env Env, s *ui.State, sf *ui.Surface, values ui.Value) Step {
	if a, ok := env.App.Action(onSubmit(env.App, sf.Origin)); ok && !Fixed(a) && a.Run == "" {
		step.Effect = &Effect{Action: a, Values: values, Record: recordOf(env, sf), submit: true}
		return step
	}
	return step.commit(env, s, sf, values)
}

func onSubmit(a *app.App, o ui.Origin) string {
	switch o.Kind {
	case "form":
		f, _ := a.Form(o.Template)
		return f.OnSubmit
	case "table":
		t, _ := a.Table(o.Template)
		return t.OnSubmit
	case "map":
		m, _ := a.Map(o.Template)
		return m.OnSubmit
	}
	return ""
}

// commit records the values and locks the surface. The app's own words win;
// else a worksheet is summed up, by a model or by counting.
func (step Step) commit(env Env, s *ui.State, sf *ui.Surface, values ui.Value) Step {
	text := env.words().Say("submit.done")
	if f, ok := env.App.Form(sf.Origin.Template); ok && sf.Origin.Kind == "form" && f.Done != "" {
		text = f.Done
	}
	a, _ := env.App.Action(onSubmit(env.App, sf.Origin))
	step.show = a.Show
	switch {
	case a.Reply != "":
		text = a.Reply
	case a.Run != "" && env.Model:
		step.Run = a.Run
		step.Ask = "The user submitted " + string(sf.Name) + "." // the title may come from a user
	case isTool(sf) && env.Model:
		step.Ask, step.Sum = summaryPrompt(s, sf), true
	case isTool(sf):
		text = captured(env, sf, values)
	}
	ref := recordOf(env, sf)
	step.Ops = append(step.Ops, &ui.Commit{Form: sf.Origin.Template, Values: values, Record: ref})
	step.Ops = append(step.Ops, inList(env, s, sf.Origin.Template, ref, values)...)
	step.Ops = append(step.Ops, cleared(sf)...)
	if isTool(sf) {
		step.Ops = append(step.Ops, &ui.Update{Surface: sf.Name,
			Root: worksheet.DropParts(sf.Root, "phases", "notes", "paste")})
	}
	step.Ops = append(step.Ops, &ui.Lock{Surface: sf.Name, Record: ref}, say(text))
	step.Ops = append(step.Ops, toolDone(s, sf, route.Completed)...)
	step.Outcome.Message = text
	return step
}

// recordOf is the version of a record that a submit makes: the next one of the record
// that the surface edits, or the first of a new one.
func recordOf(env Env, sf *ui.Surface) ui.RecordRef {
	if _, ok := env.App.RecordLists().Spec(sf.Origin.Template); !ok || env.Event == "" {
		return ui.RecordRef{}
	}
	ref := sf.Origin.Record
	if ref.ID == "" {
		ref.ID = string(env.Event)
	}
	ref.Version++
	return ref
}

// inList shows a version that a submit saves in the open list of its records.
func inList(env Env, s *ui.State, name string, ref ui.RecordRef, values ui.Value) ui.Ops {
	if ref.ID == "" {
		return nil
	}
	update := env.App.RecordLists().Saved(s, app.Record{Name: name, ID: ref.ID, Version: ref.Version, At: env.Now,
		Writable: true, Values: values})
	if update == nil {
		return nil
	}
	ops := ui.Ops{update}
	if _, err := env.look(s, ops); err != nil { // a list that is full must not refuse the submit
		return nil
	}
	return ops
}

// cleared empties the fields that are not to stay on the screen.
func cleared(sf *ui.Surface) ui.Ops {
	var changes []ui.PatchOne
	for n := range ui.All(sf.Tree()) {
		if in := ui.InputOf(n); in != nil && in.Clear {
			changes = append(changes, ui.PatchOne{Do: ui.PatchSet, Path: in.Path, Value: in.Blank()})
		}
	}
	if changes == nil {
		return nil
	}
	return ui.Ops{&ui.Patch{Surface: sf.Name, Changes: changes}}
}

// toolDone moves the router on when the surface was the open tool.
func toolDone(s *ui.State, sf *ui.Surface, ended func(ui.Router) ui.Router) ui.Ops {
	router, open := route.Front(s.Router, sf.Name)
	if !open {
		return nil
	}
	return ui.Ops{&ui.Set{Router: ended(router)}}
}

func (step Step) cancel(env Env, s *ui.State, sf *ui.Surface) Step {
	if sf.Origin.Kind == "records" { // nothing in it is the user's
		step.Ops = ui.Ops{&ui.Close{Surface: sf.Name}}
		return step
	}
	ops := Dismiss(s, sf.Name)
	text := env.words().Say("surface.canceled")
	if _, kept := ops[len(ops)-1].(*ui.Expire); kept {
		text += " " + env.words().Say("surface.again", "label", env.words().Say("button.undo"))
		step.Ops = append(step.Ops, ops...)
	} else {
		step.Ops = ops // the draft goes with the surface: a Draft op before Close would be noise
	}
	step.Ops = append(append(step.Ops, say(text)), toolDone(s, sf, route.Canceled)...)
	step.Outcome.Message = text
	return step
}

// maxCanceled is how many canceled surfaces a conversation keeps.
const maxCanceled = 3

// Dismiss takes an open surface away. One with something in it stays as a stub
// that can be opened again; the oldest stubs go when there are too many. What
// happens to the surface itself is the last op.
func Dismiss(s *ui.State, n ui.Name) (ops ui.Ops) {
	sf := s.Surface(n)
	if sf == nil || sf.Status != ui.StatusOpen || !isTool(sf) && !filled(sf) {
		return ui.Ops{&ui.Close{Surface: n}}
	}
	var stubs []ui.Name
	for _, other := range s.Surfaces {
		if other.Status == ui.StatusCanceled {
			stubs = append(stubs, other.Name)
		}
	}
	for _, old := range stubs[:max(0, len(stubs)+1-maxCanceled)] {
		ops = append(ops, &ui.Close{Surface: old})
	}
	return append(ops, &ui.Expire{Surface: n, Canceled: true})
}

// filled reports a surface with data that an untouched one does not have.
func filled(sf *ui.Surface) bool {
	return !sf.Draft.Equal(ui.BlankDraft(sf.Tree(), ui.Value{}))
}

// Canceled returns the last canceled surface of a kind and title ("": any), or nil.
// An undo in words is about that one.
func Canceled(s *ui.State, kind, title string) (found *ui.Surface) {
	for _, sf := range s.Surfaces {
		if sf.Status == ui.StatusCanceled && (kind == "" || kind == sf.Origin.Kind) &&
			(title == "" || title == sf.Title) {
			found = sf
		}
	}
	return found
}

// texts are the errors in words.
func texts(errs []ui.FieldError) (out []string) {
	for _, e := range errs {
		out = append(out, e.Text)
	}
	return out
}

// maxNamed is how many errors of a form the sentence in the transcript names.
const maxNamed = 3

func firstFew(list []string, more string) []string {
	if len(list) <= maxNamed {
		return list
	}
	return append(slices.Clone(list[:maxNamed]), more)
}

// Summary counts the rows that a worksheet committed, for a reply without a model.
// "" if its surface is gone.
func Summary(env Env, s *ui.State, n ui.Name) string {
	sf := s.Surface(n)
	if sf == nil || !isTool(sf) {
		return ""
	}
	values, _ := s.Committed.Get(sf.Origin.Template)
	return captured(env, sf, values)
}

// summaryPrompt is the prompt of a model after a submit (tool menu §6.1).
func summaryPrompt(s *ui.State, sf *ui.Surface) string {
	prompt := "Summarise the table in two sentences."
	if sf.Origin.Kind == "map" {
		prompt = "Summarise the process in two sentences."
	}
	if cp := s.Router.Open(sf.Name); cp != nil {
		if p, err := route.ParamsOf(cp.Tool, cp.Payload); err == nil && p.Table != nil {
			prompt = cmp.Or(p.Table.SummaryPrompt, prompt)
		}
	}
	return prompt
}

// captured is the sentence after a commit.
func captured(env Env, sf *ui.Surface, values ui.Value) string {
	word := "tool.captured"
	if v, _ := values.Get(KeyAccepted); v.True() {
		word = "tool.accepted"
	}
	return env.words().Say(word, "list", counted(env, sf, values))
}

// counted sums up the rows of a worksheet, in the app's words for them.
func counted(env Env, sf *ui.Surface, values ui.Value) string {
	t, _ := env.App.Table(sf.Origin.Template)
	return worksheet.Counted(env.words(), sf, values, t.Nouns)
}
