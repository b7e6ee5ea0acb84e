package execute

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// Click is an admitted action as execute sees it.
type Click struct {
	Surface *ui.Surface
	Action  ui.Action
	Values  []ui.Leaf
	Context ui.Value
}

// Step is how far an action got without leaving the process.
type Step struct {
	Ops     ui.Ops
	Outcome ui.Outcome
	Effect  *Effect // a handler or webhook to call; then Finish
	Ask     string  // a message for a directives run; then Run
}

// Effect is a call that leaves the process.
type Effect struct {
	Action app.Action
	Values ui.Value
	submit bool
}

// Action answers a click. The draft is recorded whatever comes of it.
func Action(env Env, s *ui.State, c Click) (Step, error) {
	var step Step
	if c.Surface.Status == ui.StatusOpen {
		step.Ops = ui.Ops{&ui.Draft{Surface: c.Surface.Name, Values: c.Values}}
	}
	step.Outcome = ui.Outcome{Kind: ui.OutcomeDone, Surface: c.Surface.Name}
	now, err := env.look(s, step.Ops)
	if err != nil {
		return Step{}, err
	}
	sf := now.Surface(c.Surface.Name)
	switch c.Action.Name {
	case ui.ActionAddRow, ui.ActionRemoveRow, ui.ActionPage:
		return step.rows(env, sf, c)
	case ui.ActionAttach:
		return step.attach(env, sf, c), nil
	case ui.ActionSubmit:
		return step.submit(env, now, sf)
	case ui.ActionCancel:
		return step.cancel(env, now, sf), nil
	case ui.ActionRegenerate:
		return step.regenerate(env, now, sf), nil
	}
	a, ok := env.App.Action(c.Action.Name)
	if !ok {
		return Step{}, ui.Errorf(CodeUnknown, "/name", "the app has no action of that name")
	}
	switch {
	case a.Reply != "":
		step.Ops = append(step.Ops, say(a.Reply))
	case a.Run != "":
		step.Ask = "The user pressed " + strconv.Quote(a.Name) + " on " + sf.Title + "."
	default:
		values, bad := typed(a, c.Context, env.words())
		if bad != nil {
			step.Ops = append(step.Ops, say(bad.Text))
			step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: bad.Code, Surface: sf.Name, Path: bad.Path, Message: bad.Text}
			return step, nil
		}
		step.Effect = &Effect{Action: a, Values: values}
	}
	return step, nil
}

func say(text string) *ui.Say { return &ui.Say{Role: ui.RoleAssistant, Text: text} }

// submit checks everything; only a surface without errors is committed.
func (step Step) submit(env Env, s *ui.State, sf *ui.Surface) (Step, error) {
	values, errs := ui.CheckSurface(sf, env.words())
	if len(errs) > 0 {
		return step.refuse(env, s, sf, errs), nil
	}
	if name := onSubmit(env.App, sf.Origin); name != "" {
		if a, ok := env.App.Action(name); ok && a.Reply == "" && a.Run == "" {
			step.Effect = &Effect{Action: a, Values: values, submit: true}
			return step, nil
		}
	}
	return step.commit(env, s, sf, values), nil
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

// maxNamed is how many errors the sentence in the transcript names.
const maxNamed = 3

// refuse shows every error at its field and names the first ones.
func (step Step) refuse(env Env, s *ui.State, sf *ui.Surface, errs []ui.FieldError) Step {
	var named []string
	for i, e := range errs {
		if i == maxNamed {
			named = append(named, "…")
			break
		}
		named = append(named, e.Text)
	}
	text := env.words().Say("submit.fix", "list", strings.Join(named, " "))
	step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: errs}, say(text))
	if cp := s.Router.Checkpoint; cp != nil && cp.Surface == sf.Name {
		router, next := s.Router, *cp
		next.Iteration++
		router.Checkpoint = &next
		step.Ops = append(step.Ops, &ui.Set{Router: router})
	}
	step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: errs[0].Code, Surface: sf.Name, Path: lookAt(sf, errs[0].Path), Message: text}
	return step
}

// lookAt is where the user mends an error: the path itself, or where it is a
// whole rowset that needs more rows, the first cell of its first empty row.
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

// commit records the values and locks the surface.
func (step Step) commit(env Env, s *ui.State, sf *ui.Surface, values ui.Value) Step {
	text := env.words().Say("submit.done")
	if f, ok := env.App.Form(sf.Origin.Template); ok && sf.Origin.Kind == "form" && f.Done != "" {
		text = f.Done
	}
	if a, ok := env.App.Action(onSubmit(env.App, sf.Origin)); ok {
		switch {
		case a.Reply != "":
			text = a.Reply
		case a.Run != "":
			step.Ask = "The user submitted " + sf.Title + "."
		}
	}
	step.Ops = append(step.Ops, &ui.Commit{Form: sf.Origin.Template, Values: values})
	step.Ops = append(step.Ops, cleared(sf)...)
	step.Ops = append(step.Ops, &ui.Lock{Surface: sf.Name}, say(text))
	step.Ops = append(step.Ops, toolDone(s, sf, ui.StatusCompleted)...)
	step.Outcome.Message = text
	return step
}

// cleared empties the fields that are not to stay on the screen.
func cleared(sf *ui.Surface) ui.Ops {
	var changes []ui.PatchOne
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if in := ui.InputOf(n); in != nil && in.Clear {
			changes = append(changes, ui.PatchOne{Do: ui.PatchSet, Path: in.Path, Value: in.Blank()})
		}
		return true
	})
	if changes == nil {
		return nil
	}
	return ui.Ops{&ui.Patch{Surface: sf.Name, Changes: changes}}
}

// toolDone moves the router on when the surface was the open tool.
func toolDone(s *ui.State, sf *ui.Surface, status string) ui.Ops {
	cp := s.Router.Checkpoint
	if cp == nil || cp.Surface != sf.Name {
		return nil
	}
	router := s.Router
	router.LastStatus, router.Checkpoint = status, nil
	router.Cancels++
	if status == ui.StatusCompleted {
		router.Cancels = 0
	}
	return ui.Ops{&ui.Set{Router: router}}
}

func (step Step) cancel(env Env, s *ui.State, sf *ui.Surface) Step {
	text := env.words().Say("surface.canceled")
	// the draft goes with the surface: a Draft op before Close would be noise
	step.Ops = append(ui.Ops{&ui.Close{Surface: sf.Name}, say(text)}, toolDone(s, sf, ui.StatusCanceled)...)
	step.Outcome.Message = text
	return step
}

// Finish takes the answer of an Effect. s is the state the step began on, as
// it is now.
func Finish(env Env, s *ui.State, c Click, e *Effect, step Step, res app.Result) (Step, []*ui.Error) {
	now, err := env.look(s, step.Ops)
	if err != nil {
		step.Ops, step.Outcome = nil, ui.Outcome{Kind: ui.OutcomeFailed, Code: CodeFailed, Surface: c.Surface.Name}
		return step, []*ui.Error{{Code: CodeFailed, Message: "the state moved on", Err: err}}
	}
	res.Text = clip(res.Text, env.limits().WithDefaults().TextSize)
	sf := now.Surface(c.Surface.Name)
	if len(res.Errors) > 0 && sf != nil && sf.Status == ui.StatusOpen {
		errs := slices.Clone(res.Errors)
		for i := range errs {
			errs[i].Code = cmp.Or(errs[i].Code, CodeFailed)
		}
		return step.refuse(env, now, sf, errs), nil
	}
	if e.submit && sf != nil {
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
	more, warnings := Run(env, now, res.Directives)
	step.Ops = append(step.Ops, more...)
	return step, warnings
}

// clip shortens a handler's text to what a transcript takes: it must not undo
// what the handler did.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

func replaceSpeech(ops ui.Ops, text string) ui.Ops {
	for i, op := range ops {
		if s, ok := op.(*ui.Say); ok && s.Role == ui.RoleAssistant {
			ops[i] = say(text)
		}
	}
	return ops
}
