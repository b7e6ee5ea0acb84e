package turn

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// codeOf is the code of a surface that does not render.
func codeOf(f compile.Failure) ui.Code {
	var p *a2ui.Problem
	if code := ui.CodeOf(f.Err); code != "" || !errors.As(f.Err, &p) {
		return cmp.Or(code, agent.CodeTurnFailed)
	}
	return ui.Code(p.Code)
}

// StandIn changes a step so that surfaces above a limit of a version of A2UI are shown
// there as a text and a link. ok is false if there was another failure, if the text and
// link failed themselves, or if none of the given number of drawings would show a surface
// whole.
func StandIn(env Env, s *ui.State, step Step, failures []compile.Failure, drawings int) (_ Step, ok bool) {
	frame := *step.Frame
	frame.Ops = slices.Clone(frame.Ops)
	for _, f := range failures {
		sf := step.After.Surface(f.Surface)
		if sf == nil || !strings.HasPrefix(string(codeOf(f)), "A2UI_S2C_LIMIT_") && gateway.Owner(sf) == "" ||
			len(sf.StandIns)+len(f.Targets) >= drawings ||
			slices.ContainsFunc(f.Targets, func(t string) bool { return slices.Contains(sf.StandIns, t) }) {
			return step, false
		}
		frame.Ops = append(frame.Ops, &ui.StandIn{Surface: f.Surface, Targets: f.Targets})
		frame.Warnings = append(frame.Warnings, warning(f.Err))
	}
	step, err := applyFrame(env, s, &frame)
	return step, err == nil
}

// Replace changes a step so that surfaces that do not render are not shown: each
// closes, or starts again, and a text says so. The event fails with it, unless it
// was about something else or has taken effect already. The error says that nothing
// of the frame can be shown.
func Replace(env Env, s *ui.State, step Step, failures []compile.Failure, p Plan) (Step, error) {
	frame := *step.Frame
	about := make([]ui.Ops, len(failures))
	counts := make([]bool, len(failures))
	for i, f := range failures {
		if f.Surface == "" || env.Recovery.For(codeOf(f)).Do == recovery.Soft {
			return Step{}, &ui.Error{Code: codeOf(f), Message: "nothing of this frame is shown", Err: f.Err}
		}
		env.Warn("surface does not render", "surface", f.Surface, "code", codeOf(f), "err", f.Err)
		frame.Warnings = append(frame.Warnings, warning(f.Err))
		rest, _ := split(p.Ops, f.Surface, true)
		counts[i] = p.Called || Commits(frame.Ops) || len(rest) == len(p.Ops)
		frame.Ops, about[i] = split(frame.Ops, f.Surface, counts[i])
	}
	for i, f := range failures {
		entry := env.Recovery.For(codeOf(f))
		mark := &ui.Mark{Surface: f.Surface, Epoch: step.After.Epochs[f.Surface],
			Print: recovery.FingerprintOf(codeOf(f))}
		frame.Ops = append(frame.Ops, mark)
		frame.Ops = instead(env, s, &frame, f, about[i], entry)
		if !counts[i] {
			frame.Outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: codeOf(f), Surface: f.Surface,
				Message: entry.Title}
		}
	}
	return applyFrame(env, s, &frame)
}

// instead adds the ops that replace those about a surface that does not render.
func instead(env Env, state *ui.State, frame *ui.Frame, f compile.Failure, about ui.Ops, entry recovery.Entry) ui.Ops {
	n := f.Surface
	if state.Surface(n) == nil { // opened just now: it fails at once, so that it can be regenerated
		if !slices.ContainsFunc(about, is[*ui.Open]) {
			return frame.Ops
		}
		about = slices.DeleteFunc(about, is[*ui.Close])
		return closeFailed(env, state, state, slices.Concat(frame.Ops, about), n, entry.Title)
	}
	kept := slices.DeleteFunc(slices.Clone(about), // what came with the click, and that it was a submit
		func(op ui.Op) bool { return !is[*ui.Draft](op) && !is[*ui.Lock](op) })
	now, _, err := ui.Apply(state, &ui.Frame{Seq: state.Seq + 1, At: frame.At, Ops: kept},
		env.App.Config().Limits)
	if err != nil {
		now, kept = state, nil
	}
	do := recovery.Drawing(state, n, codeOf(f), entry.Do, frame.At)
	if do == recovery.Reset && !slices.ContainsFunc(about, is[*ui.Reset]) && rendersAlone(env, now, n) {
		return slices.Concat(frame.Ops, kept, resetOps(env, n, state.Surface(n).Epoch),
			ui.Ops{assistantSays(entry.Title)})
	}
	return closeFailed(env, state, now, slices.Concat(frame.Ops, kept), n, entry.Title)
}

// Commits reports ops that commit values.
func Commits(ops ui.Ops) bool { return slices.ContainsFunc(ops, is[*ui.Commit]) }

// is reports whether an op is of one kind.
func is[T ui.Op](op ui.Op) bool {
	_, ok := op.(T)
	return ok
}

// rendersAlone reports whether a surface of a state renders.
func rendersAlone(env Env, s *ui.State, n ui.Name) bool {
	alone := *s
	alone.Surfaces = []*ui.Surface{s.Surface(n)}
	return env.Renders(&alone)
}

// split parts the ops about a surface from the others. Unless the event counts all the
// same, it drops the assistant's sentences.
func split(ops ui.Ops, n ui.Name, counts bool) (rest, about ui.Ops) {
	for _, op := range ops {
		say, said := op.(*ui.Say)
		switch {
		case execute.SurfaceOf(op) == n:
			about = append(about, op)
		case !said || say.Role != ui.RoleAssistant || counts:
			rest = append(rest, op)
		}
	}
	return rest, about
}
