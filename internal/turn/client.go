package turn

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// clientError answers a renderer's report about a surface. The first time that
// client starts again, the second time the surface does, and at the cap it closes
// and its content is said. A report about a surface that is gone is recorded.
func clientError(env Env, s *ui.State, e *ui.Event) Plan {
	p := Plan{Outcome: ui.Outcome{Kind: ui.OutcomeDone, Code: CodeClient}}
	p.Warnings = append(p.Warnings, &ui.Error{Code: CodeClient, Path: e.Error.Path,
		Message: strings.Join([]string{e.Error.Code, e.Error.Surface, e.Error.Message}, " ")})
	var name ui.Name
	var epoch uint32
	if e.Error.Surface != "" {
		var err error
		if name, epoch, err = ui.ParseWireID(e.Error.Surface); err != nil {
			return p
		}
	}
	print := recovery.Fingerprint(e.Error.Code, e.Error.Path, e.Error.Message)
	do := recovery.Client(s, name, epoch, print, e.At)
	if do == "" {
		return p
	}
	p.Outcome.Surface = name
	p.Ops = ui.Ops{&ui.Mark{Surface: name, Epoch: epoch, Print: print}}
	switch do {
	case recovery.Reset:
		p.Ops = append(p.Ops, resetOps(env, name, epoch)...)
	case recovery.SurfaceFail:
		p.Ops = closeFailed(env, s, s, p.Ops, name, env.title(codeUnshown))
	default:
		reported(env, s.Surface(name), e.Error, &p)
		p.Rebuild = &ui.Rebuild{Client: e.Error.Client, Principal: e.Principal}
	}
	return p
}

// regenerate opens a surface again that the user names.
func regenerate(env Env, s *ui.State, e *ui.Event) Plan {
	step, ok := execute.Regenerate(env.execute(e), s, e.Surface)
	if !ok {
		return refused(env, &ui.Error{Code: recovery.CodeNotFound, Path: "name",
			Message: "this conversation has no surface " + string(e.Surface), Hint: "GET …/state lists those it has"})
	}
	return Plan{Ops: step.Ops, Outcome: step.Outcome}
}

func resetOps(env Env, n ui.Name, epoch uint32) ui.Ops {
	return ui.Ops{&ui.Mark{Surface: n, Epoch: epoch, Print: ui.FaultReset},
		&ui.Reset{Surface: n, Nonce: env.Nonce()}}
}

// closeFailed adds the ops that close a surface that cannot be shown. They say so, list
// the user's entries as in now, say how to get it back, and make the router forget its
// worksheet.
func closeFailed(env Env, s, now *ui.State, ops ui.Ops, n ui.Name, title string) ui.Ops {
	words, held := env.words(), ""
	if sf := now.Surface(n); sf != nil {
		held = worksheet.Plain(words, sf)
	}
	again := "\n\n" + words.Say("surface.again", "label", words.Say("button.regenerate"))
	if held != "" {
		room := env.textSize() - len(title) - len(again) - 64
		held = "\n\n" + words.Say("surface.held", "list", excerpt.Head(held, max(0, room)))
	}
	ops = slices.Concat(ops, ui.Ops{&ui.Close{Surface: n, Failed: true}, assistantSays(env.Fit(title + held + again))})
	if router := lastRouter(s, ops); router.Open(n) != nil {
		ops = append(ops, &ui.Set{Router: route.Gone(router, n)})
	}
	return ops
}
