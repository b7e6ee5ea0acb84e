package svg

import (
	"net/url"
	"strings"
	"testing"

	"github.com/limn-ui/limn/ui"
)

// TestAddress: every part of an address is signed, and no other nonce signs it.
func TestAddress(t *testing.T) {
	t.Parallel()
	a := Address{Conversation: "c1", Surface: "map:process", Epoch: 2, Node: "main/picture", Content: "00ff",
		Until: 1795392000}
	const nonce = "0123456789abcdef"
	address := a.URL("https://limn.test/", nonce)
	u, err := url.Parse(address)
	if err != nil || u.Path != "/p/c1/map:process/2/main.picture.svg" || NodeOf("main.picture.svg") != a.Node {
		t.Fatalf("%s, %v", address, err)
	}
	sig := u.Query().Get("sig")
	if !a.Signed(nonce, sig) || a.URL("https://limn.test", nonce) != address {
		t.Error("the signature does not hold")
	}
	for name, b := range map[string]Address{
		"conversation": {"c2", a.Surface, 2, a.Node, a.Content, a.Until}, "surface": {"c1", "map:proces", 2, a.Node, a.Content, a.Until},
		"epoch": {"c1", a.Surface, 3, a.Node, a.Content, a.Until}, "node": {"c1", a.Surface, 2, "main", a.Content, a.Until},
		"content": {"c1", a.Surface, 2, a.Node, "00fe", a.Until}, "until": {"c1", a.Surface, 2, a.Node, a.Content, a.Until + 1},
	} {
		if b.Signed(nonce, sig) {
			t.Errorf("%s is not signed", name)
		}
	}
	for _, bad := range []string{"", "x", sig[2:], strings.Repeat("0", 64)} {
		if a.Signed(nonce, bad) {
			t.Errorf("signed by %q", bad)
		}
	}
	if a.Signed("", a.URL("", "")[strings.Index(a.URL("", ""), "sig=")+4:]) || a.Signed("other", sig) {
		t.Error("signed by another nonce, or by none")
	}
}

// TestContent changes with what is drawn, and with nothing else.
func TestContent(t *testing.T) {
	t.Parallel()
	rows := func(id, name, value string) ui.Value {
		return ui.Rows(ui.Record{ID: id, Order: "b", Cells: ui.Map(ui.Pair{Key: name, Value: ui.String(value)})})
	}
	data := map[ui.Path]ui.Value{"/draft/steps": rows("s1", "name", "Ask"), "/draft/edges": rows("e1", "note", "x")}
	n := &ui.Diagram{Key: "d", Label: "P", Steps: "/draft/steps", Edges: "/draft/edges"}
	value := func(p ui.Path) ui.Value { return data[p] }
	first := Content(n, value)
	data["/draft/edges"] = rows("e1", "note", "y") // draws nothing
	if got := Content(n, value); got != first || len(first) != 16 {
		t.Errorf("%q, before %q", got, first)
	}
	data["/draft/steps"] = rows("s1", "name", "Tell")
	if got := Content(n, value); got == first {
		t.Error("another step, the same content")
	}
	for name, none := range map[string]ui.Node{"no steps": &ui.Diagram{Key: "d", Steps: "/draft/none"},
		"no values": &ui.Chart{Key: "c", Kind: ui.ChartLine}, "a divider": &ui.Divider{Key: "l"}} {
		b, err := Render(none, value, ui.Words{}, Alone)
		if Content(none, value) != "" || b != nil || err != nil {
			t.Errorf("%s: content %q, picture %q, %v", name, Content(none, value), b, err)
		}
	}
	chart := &ui.Chart{Key: "c", Kind: ui.ChartBar, Labels: []string{"a"}, Series: []ui.Series{{Values: []float64{1}}}}
	before := Content(chart, value)
	chart.Series[0].Values[0] = 2
	if Content(chart, value) == before {
		t.Error("another value, the same content")
	}
}
