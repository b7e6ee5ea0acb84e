package execute

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// Click is an admitted action as execute sees it.
type Click struct {
	Surface *ui.Surface
	Action  ui.Action
	Values  []ui.Leaf
	Context ui.Value
	Files   []ui.FormFile // that came with the form

	// Warnings are the findings of package capture's validators about Submission.
	Warnings []capture.Warning
}

// Step is how far an action got without leaving the process.
type Step struct {
	Ops     ui.Ops
	Outcome ui.Outcome
	Effect  *Effect  // a handler or webhook to call; then Finish
	Ask     string   // the prompt of a model; then Run
	Data    ui.Value // the values that Ask is about
	Run     string   // how it is asked: app.RunDirectives, …
	Sum     bool     // Ask asks for a summary of the rows committed as the surface's template

	Shown []capture.Warning // the warnings the user sees

	show     string // the directive of a fixed action, after Ops
	Warnings []*ui.Error
}

// Effect is a call that leaves the process.
type Effect struct {
	Action app.Action
	Values ui.Value
	Record ui.RecordRef // that Values are saved as, if the call succeeds
	submit bool         // of a submit: Values are committed after it
}

// Action answers a click. The draft is recorded whatever comes of it.
func Action(env Env, s *ui.State, c Click) (Step, error) {
	step, err := act(env, s, c)
	if err != nil {
		return Step{}, err
	}
	more, err := ends(env, s, c.Surface.Name, step.Ops)
	step.Ops = append(step.Ops, more...)
	if err != nil {
		return step, err
	}
	more, step.Warnings = show(env, s, step.Ops, step.show)
	step.Ops = append(step.Ops, more...)
	return step, nil
}

func act(env Env, s *ui.State, c Click) (Step, error) {
	step, now, done, err := draft(env, s, c)
	if err != nil || done {
		return step, err
	}
	sf := now.Surface(c.Surface.Name)
	switch c.Action.Name {
	case builtin.ActionAddRow, builtin.ActionRemoveRow, builtin.ActionRestoreRow, builtin.ActionMoveRow,
		builtin.ActionPage:
		return step.rows(env, sf, c)
	case builtin.ActionPaste:
		return step.paste(env, sf, worksheet.Box(sf), "paste.look"), nil
	case builtin.ActionPasteApply:
		return step.apply(env, sf), nil
	case builtin.ActionPasteDrop:
		return step.drop(env, sf), nil
	case builtin.ActionAttach:
		return step.attach(env, sf, c), nil
	case builtin.ActionDetach:
		return step.detach(env, sf, c), nil
	case builtin.ActionSubmit, builtin.ActionConfirm, builtin.ActionAccept:
		if asked, waits := step.pasteWaits(env, sf); waits {
			return asked, nil
		}
		return step.submit(env, now, sf, c), nil
	case builtin.ActionEdit:
		return step.captureAgain(env, sf), nil
	case builtin.ActionCancel:
		return step.cancel(env, now, sf), nil
	case builtin.ActionRegenerate:
		return step.regenerate(env, now, sf), nil
	}
	return step.declared(env, now, sf, c)
}

// draft begins the step of a click: the values that were sent become the draft, and the
// files are kept. It returns the state after that. done reports that the files had a
// problem, which is the answer.
func draft(env Env, s *ui.State, c Click) (step Step, now *ui.State, done bool, err error) {
	if c.Surface.Status == ui.StatusOpen {
		step.Ops = ui.Ops{&ui.Draft{Surface: c.Surface.Name, Values: c.Values}}
	}
	step.Outcome = ui.Outcome{Kind: ui.OutcomeDone, Surface: c.Surface.Name}
	if now, err = env.look(s, step.Ops); err != nil {
		return Step{}, nil, false, err
	}
	if changesRows(c.Action.Name) {
		step = step.captureAgain(env, now.Surface(c.Surface.Name))
		if now, err = env.look(s, step.Ops); err != nil {
			return Step{}, nil, false, err
		}
	}
	sf := now.Surface(c.Surface.Name)
	if c.Action.Name == builtin.ActionCancel {
		step.Ops = append(step.Ops, KeepFiles(sf, c.Files)...) // the form may come back
	} else if len(c.Files) > 0 {
		if step, done = step.files(env, sf, c); done {
			return step, nil, true, nil
		}
		if now, err = env.look(s, step.Ops); err != nil {
			return Step{}, nil, false, err
		}
	}
	return step, now, false, nil
}

// declared runs an action that the app declares: a fixed reply, a call or a model run.
func (step Step) declared(env Env, now *ui.State, sf *ui.Surface, c Click) (Step, error) {
	a, ok := env.App.Action(c.Action.Name)
	if !ok {
		return Step{}, ui.Errorf(CodeUnknown, "/name", "the app has no action of that name")
	}
	if Fixed(a) {
		if step.show = a.Show; a.Reply != "" {
			step.Ops = append(step.Ops, say(a.Reply))
		}
		return step, nil
	}
	if a.Call != nil {
		op, err := env.calling(now, nil, *a.Call)
		if err != nil {
			return Step{}, err
		}
		step.Ops = append(step.Ops, op)
		return step, nil
	}
	values, bad := Typed(a, c.Context, env.words())
	if bad != nil {
		step.Ops = append(step.Ops, say(bad.Text))
		step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: bad.Code, Surface: sf.Name, Path: bad.Path,
			Message: bad.Text}
		return step, nil
	}
	if a.Run == "" {
		step.Effect = &Effect{Action: a, Values: values}
		return step, nil
	}
	if !env.Model {
		step.Ops = append(step.Ops, say(env.words().Say("chat.default")))
		return step, nil
	}
	// the surface's title may be anybody's words
	step.Ask, step.Run = "The user pressed "+strconv.Quote(a.Name)+" on "+string(sf.Name)+".", a.Run
	if !values.Empty() {
		step.Data = values
	}
	return step, nil
}

// changesRows reports an action after which the findings of the checks are old.
func changesRows(action string) bool {
	switch action {
	case builtin.ActionAddRow, builtin.ActionRemoveRow, builtin.ActionRestoreRow, builtin.ActionMoveRow,
		builtin.ActionPasteApply:
		return true
	}
	return false
}

func say(text string) *ui.Say { return &ui.Say{Role: ui.RoleAssistant, Text: text} }

// Finish takes the answer of an Effect. s is the state the step began on, as
// it is now.
func Finish(env Env, s *ui.State, c Click, e *Effect, step Step, res app.Result) (Step, []*ui.Error) {
	now, err := env.look(s, step.Ops)
	if err != nil {
		step.Ops, step.Outcome = nil, ui.Outcome{Kind: ui.OutcomeFailed, Code: CodeFailed, Surface: c.Surface.Name}
		return step, []*ui.Error{{Code: CodeFailed, Message: "the state moved on", Err: err}}
	}
	// a text that is too long for the transcript must not undo the handler's work
	most := env.limits().WithDefaults().TextSize
	res.Text = excerpt.Head(res.Text, most)
	sf := now.Surface(c.Surface.Name)
	if len(res.Errors) > 0 && sf != nil && sf.Status == ui.StatusOpen {
		return step.rejected(env, now, sf, res.Errors, c.Warnings)
	}
	env.Model = false        // one answer is enough
	if len(res.Errors) > 0 { // no surface can show them
		res.Text = excerpt.Head(textOf(env.words(), res), most)
		step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: cmp.Or(res.Errors[0].Code, CodeFailed),
			Surface: c.Surface.Name, Message: res.Text}
		step.Ops = append(step.Ops, say(res.Text))
	} else if e.submit && sf != nil {
		step = step.commit(env, now, sf, e.Values)
		if res.Text != "" {
			step.Ops = replaceSpeech(step.Ops, res.Text)
			step.Outcome.Message = res.Text
		}
	} else if res.Text != "" {
		step.Ops = append(step.Ops, say(res.Text))
	}
	if res.Toast != "" {
		step.Ops = append(step.Ops, &ui.Toast{Text: res.Toast})
	}
	if now, err = env.look(s, step.Ops); err != nil {
		return step, []*ui.Error{{Code: CodeFailed, Message: "the answer does not apply", Err: err}}
	}
	r := &runner{env: env, state: now}
	r.run(res.Directives)
	ops, err := r.admitted(res.Ops)
	if err == nil {
		err = r.take(ops)
	}
	if err != nil {
		r.warnings = append(r.warnings, ui.AsError(err, CodePayload, "an op of the answer does not apply"))
	}
	step.Ops = append(step.Ops, r.ops...)
	if res.Call != nil {
		op, err := env.calling(now, step.Ops, *res.Call)
		if err != nil {
			return step, append(r.warnings, err)
		}
		step.Ops = append(step.Ops, op)
	}
	return step, r.warnings
}

// textOf is the text of a result together with those of its errors.
func textOf(w ui.Words, res app.Result) string {
	lines := []string{res.Text}
	for _, e := range res.Errors {
		lines = append(lines, e.Text)
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	return cmp.Or(strings.Join(lines, "\n"), w.Say(checkEntered))
}

// rejected refuses a click for the errors of a handler or webhook. The warnings are about errors that no input shows:
// they are only said.
func (step Step) rejected(env Env, s *ui.State, sf *ui.Surface, answered []ui.FieldError, more []capture.Warning) (
	Step, []*ui.Error) {
	var named []string
	var warnings []*ui.Error
	errs := slices.Clone(answered)
	for i := range errs {
		e := &errs[i]
		title, at, placed := inputAt(sf, e.Path)
		if !placed {
			warnings = append(warnings, &ui.Error{Code: CodePayload, Path: "/errors/" + strconv.Itoa(i) + "/path",
				Message: "no input of the surface is at " + strconv.Quote(excerpt.Of(string(e.Path), 80)),
				Hint:    "its text is said in the conversation; an input is at " + strconv.Quote(string(at))})
		}
		if name := cmp.Or(e.Text, title); name != "" {
			named = append(named, excerpt.Head(name, env.limits().WithDefaults().TextSize))
		}
		e.Code = cmp.Or(e.Code, CodeFailed)
		e.Text = excerpt.Head(cmp.Or(e.Text, env.words().Say(checkEntered)), env.limits().WithDefaults().TextSize)
	}
	if len(named) == 0 && isTool(sf) {
		named = []string{env.words().Say(checkEntered)}
	}
	return step.refuse(env, s, sf, errs, named, more), warnings
}

// checkEntered asks in Words to check the input, without saying where.
const checkEntered = "problem.FIELD_*"

// inputAt returns the title of the input, rows or cell at a path of a surface. Without one there
// some is the path of another input, "" if the surface has none.
func inputAt(sf *ui.Surface, p ui.Path) (title string, some ui.Path, found bool) {
	for n := range ui.All(sf.Tree()) {
		rs, in := ui.RowsetOf(n), ui.InputOf(n)
		switch {
		case in != nil && in.Path == p:
			return in.Field.Title(), p, true
		case rs != nil && rs.Path == p:
			return "", p, true
		case rs != nil:
			rest, _ := strings.CutPrefix(string(p), string(rs.Path)+"/")
			row, _, _ := strings.Cut(rest, "/")
			rows, _ := sf.Get(rs.Path)
			_, there := rows.Record(row)
			for _, c := range rs.Columns {
				if there && rs.CellPath(row, c.Name) == p {
					return c.Title(), p, true
				}
				some = cmp.Or(some, rs.CellPath("r1", c.Name))
			}
		case in != nil:
			some = cmp.Or(some, in.Path)
		}
	}
	return "", some, false
}

// replaceSpeech replaces the last words of a step: before it may be the words of a model.
func replaceSpeech(ops ui.Ops, text string) ui.Ops {
	for i, op := range slices.Backward(ops) {
		if s, ok := op.(*ui.Say); ok && s.Role == ui.RoleAssistant {
			ops[i] = say(text)
			break
		}
	}
	return ops
}
