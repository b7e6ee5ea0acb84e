package compile

import (
	"strconv"

	"github.com/limn-ui/limn/ui"
)

// toastName is the surface that shows toasts; no other has it. It has no actions.
const toastName ui.Name = "limn:toast"

// toast appends the surface of what toasts say in a state. shown says that a client may
// show one of before.
func (b Batches) toast(t Target, s *ui.State, shown bool) Batches {
	out := Batch{Surface: toastName}
	if shown {
		out.Messages = deletes(toastName, 1)
	}
	if len(s.Toasts) > 0 {
		notices := &ui.Column{Key: "toasts"}
		for i, text := range s.Toasts {
			notices.Children = append(notices.Children,
				&ui.Notice{Key: "n" + strconv.Itoa(i), Tone: ui.ToneInfo, Text: text})
		}
		d, err := draw(t, s, &ui.Surface{Name: toastName, Epoch: 1, Rev: s.Seq, Status: ui.StatusOpen,
			Root: ui.Nodes{notices}}, 0)
		if err != nil {
			out.Warnings = []Warning{{CodeNotShown, "", "the toast cannot be drawn (" + string(ui.CodeOf(err)) + ")"}}
		} else {
			out.Messages = append(out.Messages, d.emission().create()...)
		}
	}
	if len(out.Messages)+len(out.Warnings) == 0 {
		return b
	}
	return append(b, out)
}
