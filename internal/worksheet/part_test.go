package worksheet

import (
	"testing"

	"github.com/limn-ui/limn/internal/words"
	"github.com/limn-ui/limn/ui"
)

// TestParts: parts of a tool come and go in their places, and the tree that is
// shared with stored states stays as it is.
func TestParts(t *testing.T) {
	t.Parallel()
	root := ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: ui.Rowset{Key: "rows"}},
		&ui.Row{Key: "buttons"}}}}
	keys := func(root ui.Nodes) (out string) {
		for _, n := range ui.Children(root[0]) {
			out += ui.NodeKey(n) + " "
		}
		return out
	}
	with := SetParts(root, &ui.Text{Key: "notes", Text: "b"}, &ui.Row{Key: "buttons"}, &ui.Text{Key: "phases"})
	if got := keys(with); got != "phases notes rows buttons " {
		t.Errorf("with parts: %s", got)
	}
	again := SetParts(with, &ui.Text{Key: "notes", Text: "c"})
	if got := ui.Children(again[0])[1].(*ui.Text).Text; got != "c" || keys(again) != keys(with) {
		t.Errorf("replaced: %s, text %s", keys(again), got)
	}
	if got := keys(DropParts(again, "notes", "phases")); got != "rows buttons " {
		t.Errorf("without: %s", got)
	}
	if got := keys(root); got != "rows buttons " {
		t.Errorf("the given tree changed: %s", got)
	}
}

// TestNoun: what the rows of a summary are called.
func TestNoun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, title string
		nouns       []string
		n           int
		want        string
	}{
		{"de", "Lager", []string{"Artikel"}, 4, "Artikel"}, {"de", "Lager", nil, 4, "Lager"},
		{"de", "Unser Lager", []string{"artikel"}, 4, "artikel"}, {"de", "Unser Lager", nil, 4, ""},
		{"en", "Stakeholders", nil, 20, "Stakeholders"}, {"en", "Stakeholders", nil, 1, "Stakeholder"},
		{"en", "People", nil, 1, "person"}, {"en", "Register", []string{"risks"}, 2, "risks"},
		{"en", "Register", []string{"risk"}, 2, "risks"}, {"en", "The risks", []string{"risks"}, 1, "risk"},
		{"fr", "Risques", nil, 1, "Risque"},
	} {
		if got := noun(ui.Words(words.In(c.lang)), c.title, c.nouns, c.n); got != c.want {
			t.Errorf("%s %q %v: %d %q, want %q", c.lang, c.title, c.nouns, c.n, got, c.want)
		}
	}
}
