package a2ui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

func ExampleLocate() {
	line := []byte(`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":{"Text":{"text":{"literalString":"Hi"},"usageHint":"h9"}}}]}}`)
	_, m, err := a2ui.DecodeMessage(line)
	fmt.Println(err)
	for _, p := range a2ui.Validate(a2ui.Rules{Dialect: a2ui.V08, Partial: true}, []a2ui.Message{m}) {
		fmt.Println(p.Path, string(line[a2ui.Locate(line, p)-1:][:4]))
	}
	// Output:
	// <nil>
	// /components/0/component/Text/usageHint "h9"
}

func ExampleDialect_WireName() {
	fmt.Println(a2ui.V08.WireName("ChoicePicker", ""), a2ui.V08.WireName("ChoicePicker", "displayStyle"),
		a2ui.V08.WireEnum("Image", "fit", "scaleDown"))
	fmt.Println(a2ui.V10.WireName("Text", "accessibility"), a2ui.V09.WireName("Text", "accessibility"))
	// Output:
	// MultipleChoice variant scale-down
	// @accessibility accessibility
}

func ExampleDecoder() {
	var r a2ui.Decoder
	for _, line := range strings.Fields(
		`{"version":"v0.9","deleteSurface":{"surfaceId":"a"}} {"deleteSurface":{"surfaceId":"b"}}`) {
		d, m, err := r.Message([]byte(line))
		fmt.Println(d, m.Surface(), err)
	}
	// Output:
	// v0.9 a <nil>
	// v0.8 b <nil>
}

// TestLocate: the text at the column is what the problem is about; «» marks it.
func TestLocate(t *testing.T) {
	t.Parallel()
	v08 := func(body string) string {
		return `{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"root","component":{` + body + `}}]}}`
	}
	v09 := func(body string) string {
		return `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":` + body +
			`}]}}`
	}
	v10 := func(body string) string { return strings.Replace(v09(body), "v0.9", "1.0", 1) }
	for _, marked := range []string{
		`{"deleteSurface":{"surfaceId":"s"},"version":«"v3"}`,
		`{"version":"v0.9","deleteSurface":«{}}`,
		`{"version":"v0.9","deleteSurface":«[]}`,
		`{"version":"v0.9","deleteSurface":{"surfaceId":«7}}`,
		`{"version":"v0.9","deleteSurface":{"surfaceId":"s","a/b":«7}}`,
		`{"version":"v0.9",«bad}`,
		v09(`"Text","text":"x","variant":«"h9"`),
		v09(`"Text","text":{"call":"formatString","args":{"value":«7}}`),
		v09(`"Tabs","tabs":[{"title":"a","child":"root2"},{"title":«7,"child":"x"}]`),
		strings.Replace(v09(`"Text"`), `{"id"`, `«{"id"`, 1), // lacks text
		v08(`"Text":{"text":{"literalString":"x"},"usageHint":«"h9"}`),
		v08(`"Image":{"url":{"literalString":"http://a.b"},"fit":«"scaleDown?"}`),
		v08(`"Column":{"children":{"explicitList":[]},"distribution":«"up"}`),
		v08(`"Button":{"child":"x","action":{"name":«""}}`),
		v08(`"Text":{"text":{"literalString":"x"},"accessibility":«{}}`),
		v10(`"Text","text":"x","@accessibility":{"live":«"loud"}`),
		v10(`"Text","text":"x","@checks":«[]`),
		v10(`"Text","text":{"@call":"f","args":{"a":[{"b":1,"@c/d":«2}]}}`),
		v10(`"Text","text":{"@call":"f","args":{"a":{"@call":"g","catalogId":«2}}}`),
		v10(`"Text","@text":«2`),
		`{"version":"1.0","callRendererFunction":{"functionCallId":"1","callFunction":{"@call":"f","catalogId":"c","args":{"a":{"@x":«1}}}}}`,
		v10(`"Text","text":"x","@catalogId":«"nowhere"`),
		`{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"a","valueString":"x"},{"key":"b","valueMap":[«{"key":"c","valueMap":[]}]}]}}`,
	} {
		at := strings.Index(marked, "«")
		line := []byte(strings.Replace(marked, "«", "", 1))
		var found []a2ui.Problem
		d, m, err := a2ui.DecodeMessage(line)
		if p, ok := err.(*a2ui.Problem); ok {
			found = []a2ui.Problem{*p}
		} else {
			found = a2ui.Validate(a2ui.Rules{Dialect: d, Partial: true}, []a2ui.Message{m})
		}
		ok := false
		for _, p := range found {
			ok = ok || a2ui.Locate(line, p) == at+1
		}
		if !ok {
			t.Errorf("%s: want column %d", line, at+1)
			for i := range found {
				t.Logf("  %v: column %d", &found[i], a2ui.Locate(line, found[i]))
			}
		}
	}
	line := []byte(v09(`"Text","text":"x"`))
	if got, want := a2ui.Locate(line, a2ui.Problem{Component: "root"}), strings.Index(string(line), `"root"`)+1; got != want {
		t.Errorf("a component is at %d, want %d", got, want)
	}
	if got := a2ui.Locate(line, a2ui.Problem{Component: "other"}); got != 0 {
		t.Errorf("what is not there is at %d", got)
	}
}

// TestWirePath: pointers in neutral names lead to the same thing on the wire.
func TestWirePath(t *testing.T) {
	t.Parallel()
	m := &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
		{ID: "a", Type: "Column", Props: []a2ui.Prop{prop("children", a2ui.Refs{"b", "c"})}},
		{ID: "b", Type: "List", Props: []a2ui.Prop{prop("children", a2ui.Template{Component: "c", Path: "/x"})}},
		{ID: "c", Type: "Button", Props: []a2ui.Prop{prop("action", a2ui.Event{Name: "n", Context: []a2ui.Prop{prop("k/1", a2ui.Path("/p")), prop("l", a2ui.Path("/q"))}})}},
		{ID: "d", Type: "Tabs", CatalogID: "x"},
	}}
	for path, want := range map[string][2]string{
		"/surfaceId":                           {"/surfaceId", "/surfaceId"},
		"/components/0":                        {"/components/0", "/components/0"},
		"/components/0/id":                     {"/components/0/id", "/components/0/id"},
		"/components/0/children/1":             {"/components/0/component/Column/children/explicitList/1", "/components/0/children/1"},
		"/components/1/children/path":          {"/components/1/component/List/children/template/dataBinding", "/components/1/children/path"},
		"/components/2/action/event/name":      {"/components/2/component/Button/action/name", "/components/2/action/event/name"},
		"/components/2/action/event/context/l": {"/components/2/component/Button/action/context/1/value", "/components/2/action/event/context/l"},
		"/components/2/variant":                {"/components/2/component/Button/primary", "/components/2/variant"},
		"/components/3/tabs/0/title":           {"/components/3/component/Tabs/tabItems/0/title", "/components/3/tabs/0/title"},
		"/components/3/checks/0/condition":     {"/components/3/component/Tabs/checks/0/condition", "/components/3/@checks/0/condition"},
		"/components/3/@checks":                {"/components/3/component/Tabs/@checks", "/components/3/checks"},
		"/components/3/catalogId":              {"/components/3/component/Tabs/catalogId", "/components/3/@catalogId"},
		"/components/2/x/args/@y":              {"/components/2/component/Button/x/args/@y", "/components/2/x/args/@@y"},
		"/components/99/x":                     {"/components/99/x", "/components/99/x"},
		"":                                     {"", ""},
	} {
		if got := [2]string{a2ui.V08.WirePath(m, path), a2ui.V10.WirePath(m, path)}; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if got := a2ui.V09.WirePath(m, path); got != path {
			t.Errorf("%s on v0.9: %q", path, got)
		}
	}
	data := &a2ui.UpdateData{SurfaceID: "s", Value: parse(t, `{"a":1,"b":{"c":2,"d":3}}`)}
	if got := a2ui.V08.WirePath(data, "/value/b/d"); got != "/contents/1/valueMap/1" {
		t.Error(got)
	}
	if got := a2ui.V08.WirePath(&a2ui.CreateSurface{}, "/theme/font"); got != "/styles/font" {
		t.Error(got)
	}
}
