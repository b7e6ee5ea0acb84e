package prove

import (
	"cmp"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/ui"
)

// Rendering holds the messages of a step to clients, and their size for the trace.
type Rendering struct {
	Drawings []turntrace.Drawing
	Messages []conversation.Rendered
}

// nameOf is the name of a target in traces: its version, and "+limn" with Limn's own
// components.
func nameOf(t compile.Target) string {
	if t.Rules != nil {
		if c := t.Rules.Catalogs["*"]; c != nil && strings.HasPrefix(c.ID, builtin.Catalogs) {
			return t.Dialect.String() + "+limn"
		}
	}
	return t.Dialect.String()
}

// add notes the messages to a target, as the bytes that deliver will write, and keeps
// them for streams that are open. A message that cannot be written is the failure of
// its surface.
func (r *Rendering) add(target compile.Target, print string, step Step, batches compile.Batches) (bad ui.Name,
	err error) {
	d := turntrace.Drawing{Target: nameOf(target), Print: print}
	n := 0
	for _, b := range batches {
		n += len(b.Messages)
	}
	all, ends := make([]byte, 0, min(256*n, 2048)), make([]int, 0, n) // most turns send a few small ones
	for _, b := range batches {
		from := len(all)
		part := turntrace.Surface{ID: string(b.Surface), Messages: len(b.Messages)}
		if sf := cmp.Or(step.After.Surface(b.Surface), step.Before.Surface(b.Surface)); sf != nil {
			part.ID, part.Epoch, part.Rev = sf.WireID(), sf.Epoch, sf.Rev
		}
		for _, m := range b.Messages {
			if all, err = a2ui.AppendMessage(all, target.Dialect, m); err != nil {
				return b.Surface, err
			}
			ends, all = append(ends, len(all)), append(all, '\n')
			switch m := m.(type) {
			case *a2ui.CreateSurface:
				part.Components += len(m.Components)
				part.Data += leaves(m.Data)
			case *a2ui.UpdateComponents:
				part.Components += len(m.Components)
			case *a2ui.UpdateData:
				part.Data += leaves(m.Value)
			}
		}
		part.Bytes = len(all) - from
		d.Parts = append(d.Parts, part)
	}
	d.Bytes, d.Hash = len(all), turntrace.Hash(all)
	r.Drawings = append(r.Drawings, d)
	r.Messages = append(r.Messages, conversation.Rendered{Fingerprint: print, Messages: linesOf(all, ends),
		Warnings: warningsOf(batches)})
	return "", nil
}

// addPage notes a drawing that is not A2UI, and keeps it for streams.
func (r *Rendering) addPage(p Page, messages [][]byte, warnings []string) {
	sum := turntrace.HashLines(messages)
	size := len(messages)
	for _, m := range messages {
		size += len(m)
	}
	r.Drawings = append(r.Drawings,
		turntrace.Drawing{Target: p.Name, Print: p.Print, Hash: sum, Bytes: size})
	r.Messages = append(r.Messages, conversation.Rendered{Fingerprint: p.Print, Messages: messages, Warnings: warnings})
}

// linesOf cuts text where its messages end, each before a line feed.
func linesOf(text []byte, ends []int) [][]byte {
	out, from := make([][]byte, len(ends)), 0
	for i, end := range ends {
		out[i], from = text[from:end:end], end+1
	}
	return out
}

func warningsOf(b compile.Batches) (out []string) {
	for _, w := range b.Warnings() {
		out = append(out, w.String())
	}
	return out
}

// leaves counts the entries of a data model.
func leaves(v jsonx.Value) (n int) {
	switch v.Kind {
	case jsonx.Object:
		for i := range v.Members {
			n += leaves(v.Members[i].Value)
		}
	case jsonx.Array:
		for i := range v.Items {
			n += leaves(v.Items[i])
		}
	case jsonx.Null:
	default:
		n = 1
	}
	return n
}
