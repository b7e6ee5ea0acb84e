package worksheet

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// Phase is the phase of a worksheet, with the findings of the checks.
type Phase struct {
	Name   string // PhaseCapture, PhaseCheck or PhaseConfirm; "" = PhaseCapture
	Notes  []Note // the lines of the part notes; without any the part is absent
	Accept bool   // the rounds of correction are used up: the user may take it as it is
	Fewer  int    // in PhaseConfirm: how many rows are filled in where more were expected; 0 = enough
}

// Note is one thing the checks say.
type Note struct {
	Tone ui.Tone
	Text string
}

// PhaseOf returns the phase of an open tool.
func PhaseOf(sf *ui.Surface) string {
	if v, _ := sf.Get(PhasePath); v.Text() != "" {
		return v.Text()
	}
	return PhaseCapture
}

// SetPhase returns the tree of a worksheet with the parts that show a phase:
// phases, notes and buttons. The confirm button is not there before the checks
// have found the worksheet complete, so nothing else can submit it.
func SetPhase(root ui.Nodes, p Phase, w ui.Words) ui.Nodes {
	parts := []ui.Node{phases(p.Name, w), buttons(p, w)}
	if len(p.Notes) == 0 {
		return withParts(root, parts, []string{"notes"})
	}
	notes := &ui.Column{Key: "notes"}
	for i, n := range p.Notes {
		notes.Children = append(notes.Children, &ui.Notice{Key: "n" + strconv.Itoa(i+1), Tone: n.Tone, Text: n.Text})
	}
	return withParts(root, append(parts, notes), nil)
}

// phases lists the three phases; words, not colour, mark the current one.
func phases(now string, w ui.Words) ui.Node {
	if now == "" {
		now = PhaseCapture
	}
	row := &ui.Row{Key: "phases"}
	for i, name := range []string{PhaseCapture, PhaseCheck, PhaseConfirm} {
		text := w.Say("phase.step", "n", strconv.Itoa(i+1), "label", w.Say("phase."+name))
		if name == now {
			text = w.Say("phase.now", "label", text)
		}
		row.Children = append(row.Children, &ui.Text{Key: name, Text: text, Small: true})
	}
	return row
}

// buttons keeps the check where it was in every phase: the second click of a
// double click lands there again, and not on what submits.
func buttons(p Phase, w ui.Words) ui.Node {
	button := func(key, word, action string, primary bool) ui.Node {
		return &ui.Button{Key: key, Label: w.Say(word), Primary: primary, Action: ui.Action{Name: action}}
	}
	row := &ui.Row{Key: "buttons"}
	switch {
	case p.Name == PhaseConfirm && p.Fewer > 0: // a question: its answers are the buttons
		submit := button("confirm", "button.submit", builtin.ActionConfirm, true).(*ui.Button)
		submit.Label = w.Say("button.fewer", "n", strconv.Itoa(p.Fewer))
		row.Children = ui.Nodes{button("submit", "button.check", builtin.ActionSubmit, false), submit,
			button("edit", "button.edit", builtin.ActionEdit, false)}
	case p.Name == PhaseConfirm:
		row.Children = ui.Nodes{button("submit", "button.check", builtin.ActionSubmit, false),
			button("confirm", "button.submit", builtin.ActionConfirm, true)}
	case p.Accept:
		row.Children = ui.Nodes{button("submit", "button.check", builtin.ActionSubmit, true),
			button("accept", "button.accept", builtin.ActionAccept, false)}
	default:
		row.Children = ui.Nodes{button("submit", "button.check", builtin.ActionSubmit, true)}
	}
	row.Children = append(row.Children, button("cancel", "button.cancel", builtin.ActionCancel, false))
	return row
}

// sending gives the buttons that send the worksheet a context of everything that is
// bound in main: parts with inputs come and go.
func sending(main *ui.Column) {
	at := slices.IndexFunc(main.Children, func(n ui.Node) bool { return ui.NodeKey(n) == "buttons" })
	if at < 0 {
		return
	}
	row, ok := main.Children[at].(*ui.Row)
	if !ok {
		return
	}
	context := ui.SubmitContext(main)
	next := &ui.Row{Key: row.Key}
	for _, n := range row.Children {
		if b, ok := n.(*ui.Button); ok && Sends(b.Action.Name) {
			with := *b
			with.Action.Context = context
			n = &with
		}
		next.Children = append(next.Children, n)
	}
	main.Children[at] = next
}

// Sends reports whether an action sends the filled-in values: to be checked, to be
// committed, or to be kept for an undo.
func Sends(action string) bool {
	switch action {
	case builtin.ActionSubmit, builtin.ActionConfirm, builtin.ActionAccept, builtin.ActionCancel, builtin.ActionEdit:
		return true
	}
	return false
}
