package compile

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// Reported: an address such as javascript:, data: or one that hides its host
// reaches a link or an image through the data model.
func TestFaultJavascriptURLThroughDataBinding(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		for _, hostile := range []string{"javascript:alert(1)", " JaVaScRiPt:alert(1)", "java\tscript:alert(1)",
			"data:text/html;base64,PHNjcmlwdD4=", "https://good.example@evil.example/x",
			"[click](javascript:alert(1))", "![x](data:image/svg+xml,<svg onload=alert(1)>)",
			"<a href='javascript:alert(1)'>x</a>", "<javascript:alert(1)>", "[x]: javascript:alert(1)\n[x]"} {
			site := ui.Field{Name: "site", Type: ui.TypeURL}
			root := &ui.Column{Key: "main", Children: ui.Nodes{
				input(site), input(ui.Field{Name: "note", Type: ui.TypeText}),
				&ui.Image{Key: "literal", URL: hostile, Alt: hostile},
				&ui.Text{Key: "text", Text: hostile}, &ui.Text{Key: "bound", Path: "/draft/note"}, &ui.Text{Key: "address", Path: "/draft/site"},
				&ui.Stat{Key: "stat", Label: "s", Path: "/draft/site"}, &ui.Heading{Key: "head", Level: 2, Text: hostile}, &ui.Notice{Key: "notice", Tone: ui.ToneInfo, Text: hostile},
				&ui.Table{Rowset: ui.Rowset{Key: "rows", Path: "/draft/rows", Columns: []ui.Field{{Name: "link", Type: ui.TypeURL}}}},
			}}
			w := newWorld(t, target(d))
			draft := ui.Map(ui.Pair{Key: "site", Value: ui.String(hostile)},
				ui.Pair{Key: "note", Value: ui.String(hostile)},
				ui.Pair{Key: "rows", Value: ui.Rows(
					ui.Record{ID: "r1", Order: "b", Cells: ui.Map(ui.Pair{Key: "link", Value: ui.String(hostile)})})})
			msgs := w.apply(&ui.Open{Surface: "form:a", Nonce: "n", Root: ui.Nodes{root}, Draft: draft})
			msgs = append(msgs, w.apply(&ui.Lock{Surface: "form:a"})...) // as text, where it was an input
			for _, m := range msgs {
				update, ok := m.(*a2ui.UpdateComponents)
				if !ok {
					continue
				}
				for _, c := range update.Components {
					address := c.Type == "Image" || c.Type == "Video" || c.Type == "AudioPlayer"
					for _, p := range c.Props {
						local, call := p.Value.(a2ui.Local)
						if address && p.Name == "url" || call && local.Call.Func == "openUrl" {
							t.Errorf("%q: %s %s of %s is an address", hostile, c.Type, p.Name, c.ID)
						}
					}
				}
			}
			// The text is there, and read as Markdown it is no link: it comes back as it is.
			view, _ := w.client.Surface("form:a#e=1")
			seen := 0
			for s := range view.Root.All() {
				for _, detail := range s.Details {
					if detail.Name == "url" {
						t.Errorf("%q is read as a link: %+v", hostile, detail)
					}
				}
				if strings.Contains(folded(s.Text), folded(hostile)) {
					seen++
				}
			}
			if seen < 4 {
				t.Errorf("%q is shown %d times as text", hostile, seen)
			}
			w.same(hostile)
		}
	})
}

// folded is a text with its white space as a line of Markdown shows it.
func folded(s string) string { return strings.Join(strings.Fields(s), " ") }
