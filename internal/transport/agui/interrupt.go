package agui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// interrupt is a form that a run waits for, or a table or map that asks to be confirmed. Limn
// forgets neither by the clock, so that none has an expiresAt.
type interrupt struct {
	ID      string         `json:"id"`
	Reason  string         `json:"reason"`
	Message string         `json:"message"`
	Schema  map[string]any `json:"responseSchema"`

	surface *ui.Surface
	resolve string // the action that resolves it
}

// The reasons of interrupts.
const (
	reasonForm    = "input_required"
	reasonConfirm = "confirmation"
)

// interrupts are the open forms, and surfaces that wait for a confirmation. Tables, maps and
// views that are filled in do not hold up a run.
func interrupts(a *app.App, s *ui.State) (out []interrupt) {
	for _, sf := range s.Surfaces {
		switch {
		case sf.Status != ui.StatusOpen:
		case sf.Origin.Kind == "form":
			if f, ok := a.In(s.Router.Language).Form(sf.Origin.Template); ok {
				out = append(out,
					interrupt{id(sf), reasonForm, sf.Title, door.Schema(f.Fields), sf, builtin.ActionSubmit})
			}
		case worksheet.PhaseOf(sf) == worksheet.PhaseConfirm: // each time it asks is another one
			again := fmt.Sprintf("%s@%d", id(sf), sf.Guard)
			out = append(out, interrupt{again, reasonConfirm, asks(sf), door.Schema(nil), sf, builtin.ActionConfirm})
		}
	}
	return out
}

// id names the interrupt of a surface: by its nonce, so that no other thread has it.
func id(sf *ui.Surface) string { return sf.WireID() + "!" + sf.Nonce }

// asks is the text of a surface that waits for a confirmation.
func asks(sf *ui.Surface) string {
	text := []string{sf.Title}
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if n, ok := n.(*ui.Notice); ok {
			text = append(text, n.Text)
		}
		return true
	})
	return strings.Join(text, "\n")
}

// unasked refuses members of an answer that its open interrupt does not ask for.
func unasked(open []interrupt, r resume) error {
	i := slices.IndexFunc(open, func(o interrupt) bool { return o.ID == r.id })
	if i < 0 || r.cancelled {
		return nil
	}
	return door.At(door.Unknown(r.payload, door.Names(open[i].Schema)...), "/payload")
}

// answer is the event of the answer to an interrupt: the button that resolves it, or cancels
// the surface. The state decides whether that still counts: of an interrupt that is not open
// any more only the surface is known.
func answer(s *ui.State, open []interrupt, r resume, run string) *ui.Event {
	surface, action, context := r.id, builtin.ActionSubmit, r.payload
	if i := slices.IndexFunc(open, func(o interrupt) bool { return o.ID == r.id }); i >= 0 {
		surface, action = open[i].surface.WireID(), open[i].resolve
	} else if i := slices.IndexFunc(s.Surfaces, func(sf *ui.Surface) bool { return id(sf) == r.id }); i >= 0 {
		surface = s.Surfaces[i].WireID()
	}
	if r.cancelled {
		action, context = builtin.ActionCancel, jsonx.OfObject()
	}
	e := door.Press(s, surface, action, context)
	e.Key = door.Key("agui-", "resume", run, r.id)
	return e
}
