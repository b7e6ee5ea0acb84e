package page_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/foreign/page"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestPageIsBounded: a surface whose templates repeat more than a page shows is its words there.
func TestPageIsBounded(t *testing.T) {
	t.Parallel()
	list := func(n int, item string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	for name, c := range map[string]struct {
		rows  int
		item  string
		whole bool
	}{
		"few":          {10, `"component":"ChoicePicker","label":"x","value":{"path":"v"},"options":` + list(100, `{"label":"l","value":"v"}`), true},
		"options":      {500, `"component":"ChoicePicker","label":"x","value":{"path":"v"},"options":` + list(500, `{"label":"l","value":"v"}`), false},
		"long texts":   {500, `"component":"Text","text":{"path":"/big"}`, false},
		"buttons":      {500, `"component":"Button","child":"big","action":{"event":{"name":"go"}}`, false},
		"details":      {500, `"component":"TextField","label":"x","placeholder":{"path":"/big"},"value":{"path":"v"}`, false},
		"labels":       {500, `"component":"ChoicePicker","label":"x","value":{"path":"v"},"options":[{"label":{"path":"/big"},"value":"v"}]`, false},
		"titles":       {500, `"component":"Tabs","tabs":[{"title":{"path":"/big"},"child":"x"}]`, false},
		"triggers":     {500, `"component":"Modal","trigger":"big","content":"x"`, false},
		"values":       {500, `"component":"TextField","label":"x","value":{"path":"/big"}`, false},
		"spoken":       {500, `"component":"Icon","name":"home","accessibility":{"label":{"path":"/big"}}`, false},
		"many of them": {5000, `"component":"Text","text":"x"`, false},
	} {
		s := (*foreign.Surface)(nil)
		for _, raw := range []string{
			`"createSurface":{"surfaceId":"main","catalogId":"` + a2ui.CatalogID(a2ui.V09) + `"}`,
			`"updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"List","children":{"componentId":"i","path":"/rows"}},{"id":"i",` + c.item + `},` +
				`{"id":"big","component":"Text","text":{"path":"/big"}},{"id":"x","component":"Text","text":"x"}]}`,
		} {
			m, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(`{"version":"v0.9",`+raw+`}`))
			if err != nil {
				t.Fatal(err)
			}
			switch m := m.(type) {
			case *a2ui.CreateSurface:
				s = foreign.Open(a2ui.V09, m)
			case *a2ui.UpdateComponents:
				s.Put(m.Components)
			}
		}
		var err error
		if s.Data, err = a2ui.ParseData([]byte(fmt.Sprintf(`{"big":%q,"rows":%s}`, strings.Repeat("x", 10_000), list(c.rows, `{"v":[]}`)))); err != nil {
			t.Fatal(err)
		}
		node, err := s.Node("words")
		if err != nil {
			t.Fatal(err)
		}
		sf := &ui.Surface{Name: "a:main", Epoch: 1, Status: ui.StatusOpen, Root: ui.Nodes{node}}
		if whole := page.Of(sf) != sf; whole != c.whole {
			t.Errorf("%s: shown whole: %v", name, whole)
		}
	}
}

// surface is the node of a surface of the basic catalog of v0.9.
func surface(t *testing.T, components, data string) *ui.Foreign {
	t.Helper()
	s := foreign.Open(a2ui.V09, &a2ui.CreateSurface{SurfaceID: "main", CatalogID: a2ui.CatalogID(a2ui.V09)})
	m, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":`+components+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	s.Put(m.(*a2ui.UpdateComponents).Components)
	if s.Data, err = a2ui.ParseData([]byte(data)); err != nil {
		t.Fatal(err)
	}
	node, err := s.Node("words")
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// TestPressInTwoPlaces: a button and an input that have two parents are pressed and filled once.
func TestPressInTwoPlaces(t *testing.T) {
	t.Parallel()
	n := surface(t, `[{"id":"root","component":"Column","children":["go","when","again","go"]},
		{"id":"again","component":"Card","child":"when"},
		{"id":"when","component":"DateTimeInput","label":"When","enableDate":true,"value":{"path":"/when"}},
		{"id":"go","component":"Button","child":"l","action":{"event":{"name":"go","context":{"when":{"path":"/when"}}}}},
		{"id":"l","component":"Text","text":"Go"}]`, `{"when":""}`)
	for posted, want := range map[string]string{"2026-05-01": "", "tomorrow": "When"} {
		out, err := page.Press(n, "go", jsonx.OfObject(jsonx.Member{Key: "/draft/when", Value: jsonx.Of(posted)}), false)
		if err != nil || out.Fix != want || want == "" && out.Action.Context.At("when").Text() != posted {
			t.Errorf("%s: %v, fix %q, %+v", posted, err, out.Fix, out.Action)
		}
	}
}

// TestPressTakesLinearTime: a page posts a value for each input; twice as many cost twice as much. It is not parallel, so
// that it counts its own allocations.
func TestPressTakesLinearTime(t *testing.T) {
	v09 := func(rows int) *ui.Foreign {
		return surface(t, `[{"id":"root","component":"Column","children":["list","go"]},
			{"id":"list","component":"List","children":{"componentId":"in","path":"/rows"}},
			{"id":"in","component":"DateTimeInput","label":"When","enableDate":true,"value":{"path":"v"}},
			{"id":"go","component":"Button","child":"l","action":{"event":{"name":"go","context":{"last":{"path":"/rows/`+strconv.Itoa(rows-1)+`/v"}}}}},
			{"id":"l","component":"Text","text":"Go"}]`, `{"rows":[`+strings.TrimSuffix(strings.Repeat(`{"v":""},`, rows), ",")+`]}`)
	}
	v08 := func(rows int) *ui.Foreign {
		data := `{"rows":{`
		for i := range rows {
			data += fmt.Sprintf(`"%d":{"v":""},`, i)
		}
		return flatSurface(t, `[{"id":"root","component":{"Column":{"children":{"explicitList":["list","go"]}}}},
			{"id":"list","component":{"List":{"children":{"template":{"componentId":"in","dataBinding":"/rows"}}}}},
			{"id":"in","component":{"DateTimeInput":{"enableDate":true,"value":{"path":"v"}}}},
			{"id":"go","component":{"Button":{"child":"l","action":{"name":"go","context":[{"key":"last","value":{"path":"/rows/`+strconv.Itoa(rows-1)+`/v"}}]}}}},
			{"id":"l","component":{"Text":{"text":{"literalString":"Go"}}}}]`, strings.TrimSuffix(data, ",")+`}}`)
	}
	for version, surface := range map[string]func(int) *ui.Foreign{"v0.8": v08, "v0.9": v09} {
		count := func(rows int) float64 {
			n, posted := surface(rows), jsonx.OfObject()
			for i := range rows {
				posted.Members = append(posted.Members, jsonx.Member{Key: fmt.Sprintf("/draft/rows/%d/v", i), Value: jsonx.Of("2026-05-01")})
			}
			return testing.AllocsPerRun(1, func() {
				out, err := page.Press(n, "go", posted, false)
				if got := out.Action.Context.At("last").Text(); err != nil || out.Fix != "" || got != "2026-05-01" {
					t.Errorf("%s: %v, fix %q, the last is %q", version, err, out.Fix, got)
				}
			})
		}
		if few, many := count(100), count(200); many > 3*few {
			t.Errorf("%s: %.0f allocations for 100 inputs, %.0f for 200", version, few, many)
		}
	}
}

// flatSurface is the node of a surface of v0.8.
func flatSurface(t *testing.T, components, data string) *ui.Foreign {
	t.Helper()
	m, err := a2ui.DecodeMessageAs(a2ui.V08, []byte(`{"surfaceUpdate":{"surfaceId":"main","components":`+components+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	s := foreign.Open(a2ui.V08, &a2ui.CreateSurface{SurfaceID: "main", Root: "root"})
	s.Put(m.(*a2ui.UpdateComponents).Components)
	if s.Data, err = a2ui.ParseData([]byte(data)); err != nil {
		t.Fatal(err)
	}
	n, err := s.Node("words")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPressKeepsFlatData: a choice that is posted to a surface of v0.8, whose messages have no lists, is shown on the next
// page, and so is the rest.
func TestPressKeepsFlatData(t *testing.T) {
	t.Parallel()
	n := flatSurface(t, `[
		{"id":"root","component":{"Column":{"children":{"explicitList":["n","k","go"]}}}},
		{"id":"n","component":{"TextField":{"label":{"literalString":"N"},"text":{"path":"/n"}}}},
		{"id":"k","component":{"MultipleChoice":{"options":[{"label":{"literalString":"A"},"value":"a"},
			{"label":{"literalString":"B"},"value":"b"}],"selections":{"path":"/k"},"maxAllowedSelections":1}}},
		{"id":"go","component":{"Button":{"child":"l","action":{"name":"go","context":[{"key":"k","value":{"path":"/k"}}]}}}},
		{"id":"l","component":{"Text":{"text":{"literalString":"Go"}}}}]`, "{}")
	out, err := page.Press(n, "go", jsonx.OfObject(jsonx.Member{Key: "/draft/n", Value: jsonx.Of("Ada")},
		jsonx.Member{Key: "/draft/k", Value: jsonx.Of("b")}), false)
	if err != nil || string(jsonx.Append(nil, out.Action.Context)) != `{"k":["b"]}` {
		t.Errorf("%v, %+v", err, out.Action)
	}
	next := page.Of(&ui.Surface{Name: "a:main", Epoch: 1, Status: ui.StatusOpen, Root: ui.Nodes{out.Node}})
	for path, want := range map[ui.Path]string{"/draft/n": "Ada", "/draft/k": "b"} {
		if v, _ := next.Get(path); v.Text() != want {
			t.Errorf("%s is %q, want %q", path, v.Text(), want)
		}
	}
}

// TestPageEvents: a component of the agent's catalog is pressed on a page if a property of it is an event for clients, which
// get what a press needs there, and on no other account.
func TestPageEvents(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		`{"event":{"name":"go"}}`:                                     true,
		`{"event":{"name":"go","context":{}}}`:                        true,
		`{"event":{"name":"go","context":{"n":{"path":"/n"},"m":1}}}`: true,
		`{"event":{"name":"go","context":"n"}}`:                       false,
		`{"event":{"name":"go","userMessage":"Go"}}`:                  false,
		`{"event":{"name":"go","more":1}}`:                            false,
		`{"event":{"name":""}}`:                                       false,
		`{"event":{"name":{"path":"/n"}}}`:                            false,
		`{"event":{"event":"go"}}`:                                    false,
		`{"event":{"context":{}}}`:                                    false,
		`{"event":"go"}`:                                              false,
		`{"event":{"name":"go"},"more":1}`:                            false,
	} {
		n := surface(t, `[{"id":"root","component":"Dial","label":"Turn","onTurn":`+value+`}]`, `{"n":1}`)
		s, err := foreign.Read(n)
		if err != nil {
			t.Fatal(err)
		}
		_, _, counts := s.Event("root", "go")
		if _, _, unnamed := s.Event("root", ""); unnamed {
			t.Errorf("%s: an event without a name", value)
		}
		shown := page.Of(&ui.Surface{Name: "a:main", Epoch: 1, Status: ui.StatusOpen, Root: ui.Nodes{n}})
		pressed := strings.Contains(string(limntest.Must(json.Marshal(shown.Root))), `"name":"go"`)
		if counts != want || pressed != want {
			t.Errorf("%s: an event for clients: %v, a button on the page: %v", value, counts, pressed)
		}
	}
}
