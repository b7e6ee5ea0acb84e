package a2ui_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

func component(props string) string {
	return `{"version":"1.0","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"X",` + props +
		`}]}}`
}

// TestReservedKeys: what the keys of v1.0 mean, both ways.
func TestReservedKeys(t *testing.T) {
	t.Parallel()
	for props, want := range map[string]a2ui.Component{
		`"@catalogId":"c"`:               {CatalogID: "c"},
		`"catalogId":"c"`:                {Props: []a2ui.Prop{prop("catalogId", a2ui.String("c"))}},
		`"@accessibility":{"label":"L"}`: {Props: []a2ui.Prop{prop("accessibility", a2ui.Literal{Data: parse(t, `{"label":"L"}`)})}},
		`"accessibility":"x"`:            {Props: []a2ui.Prop{prop("@accessibility", a2ui.String("x"))}},
		`"@checks":[{"condition":{"@path":"/ok"}}]`: {Props: []a2ui.Prop{prop("checks",
			a2ui.Checks{{Condition: a2ui.Path("/ok")}})}},
		`"checks":3`: {Props: []a2ui.Prop{prop("@checks", number("3"))}},
		`"@metadata":{"extensions":{"a":{"@path":"/x","@@":1}}}`: {Props: []a2ui.Prop{prop("metadata",
			a2ui.Literal{Data: parse(t, `{"extensions":{"a":{"@path":"/x","@@":1}}}`)})}},
		`"metadata":{"@path":"/x"}`:                   {Props: []a2ui.Prop{prop("@metadata", a2ui.Path("/x"))}},
		`"p":{"path":"/x"}`:                           {Props: []a2ui.Prop{prop("p", a2ui.Literal{Data: parse(t, `{"path":"/x"}`)})}},
		`"p":{"call":"f","args":{}}`:                  {Props: []a2ui.Prop{prop("p", a2ui.Literal{Data: parse(t, `{"call":"f","args":{}}`)})}},
		`"p":{"@@path":"/x"}`:                         {Props: []a2ui.Prop{prop("p", a2ui.Literal{Data: parse(t, `{"@path":"/x"}`)})}},
		`"p":[{"@@":1},{"@@@x":[]}]`:                  {Props: []a2ui.Prop{prop("p", a2ui.Literal{Data: parse(t, `[{"@":1},{"@@x":[]}]`)})}},
		`"p":{"@@a":{"@path":"/x"}}`:                  {Props: []a2ui.Prop{prop("p", a2ui.Object{prop("@a", a2ui.Path("/x"))})}},
		`"p":{"@call":"f","catalogId":"c","args":{}}`: {Props: []a2ui.Prop{prop("p", a2ui.Call{Func: "f", CatalogID: "c"})}},
		`"children":{"componentId":"t","path":"/x"}`:  {Props: []a2ui.Prop{prop("children", a2ui.Template{Component: "t", Path: "/x"})}},
		`"action":{"event":{"name":"go","userMessage":{"@path":"/m"},"context":{"@@k":{"a":1}}}}`: {Props: []a2ui.Prop{prop("action", a2ui.Event{Name: "go",
			UserMessage: a2ui.Path("/m"), Context: []a2ui.Prop{prop("@k", a2ui.Literal{Data: parse(t, `{"a":1}`)})}})}},
	} {
		want.ID, want.Type = "root", "X"
		in := component(props)
		d, m, err := a2ui.DecodeMessage([]byte(in))
		if err != nil || d != a2ui.V10 {
			t.Errorf("%s: %s, %v", props, d, err)
			continue
		}
		if diff := cmp.Diff(want, m.(*a2ui.UpdateComponents).Components[0], sameMessage); diff != "" {
			t.Errorf("%s (-want +got)\n%s", props, diff)
		}
		if out, err := a2ui.AppendMessage(nil, d, m); err != nil || string(out) != in {
			t.Errorf("%s is written %s, %v", in, out, err)
		}
	}
}

func TestReservedKeysRefuse(t *testing.T) {
	t.Parallel()
	for _, props := range []string{
		`"@path":"/x"`, `"@x":1`, `"@":1`, `"@@checks":[]`, `"@catalogId":1`, `"p":{"@call":"f","catalogId":1}`,
		`"p":{"@":1}`, `"p":{"@x":1}`, `"p":{"@path":"/x","more":1}`, `"p":{"@call":1}`, `"p":{"@call":"f","returnType":"x"}`,
		`"p":[{"q":[{"@x":1}]}]`, `"action":{"event":{"name":"go","context":{"@x":1}}}`, `"p":{"@call":"f","args":{"a":{"@y":1}}}`,
	} {
		_, m, err := a2ui.DecodeMessage([]byte(component(props)))
		var p *a2ui.Problem
		if !errors.As(err, &p) || p.Code != wire.ComponentProperty || p.Component != "root" || p.Path == "" {
			t.Errorf("%s: %+v, %v", props, m, err)
		}
	}
}

// TestDetectV10: "v1.0" is the candidate's unless components or a call have
// reserved keys, which tell the other two apart.
func TestDetectV10(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]a2ui.Dialect{
		`{"version":"v1.0","deleteSurface":{"surfaceId":"s"}}`:                                                                                a2ui.V10RC,
		`{"version":"1.0","deleteSurface":{"surfaceId":"s"}}`:                                                                                 a2ui.V10,
		`{"version":"v1.0","updateDataModel":{"surfaceId":"s","value":{"@path":"/x"}}}`:                                                       a2ui.V10RC,
		`{"version":"v1.0","createSurface":{"surfaceId":"s","components":[{"id":"root","component":"T","x":[{"@path":"/x"}]}]}}`:              a2ui.V10Oct,
		`{"version":"v1.0","createSurface":{"surfaceId":"s","components":[{"id":"root","component":"T","@metadata":{},"x":{"@path":"/x"}}]}}`: a2ui.V10,
		`{"version":"v1.0","createSurface":{"surfaceId":"s","components":[{"id":"root","component":"T","x":[{"path":"/x"}]}]}}`:               a2ui.V10RC,
		`{"version":"v1.0","callRendererFunction":{"functionCallId":"1","callFunction":{"@call":"f","catalogId":"c"}}}`:                       a2ui.V10Oct,
		`{"version":"v1.0","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"T","@checks":[]}]}}`:                   a2ui.V10,
		`{"version":"1.0","agentFunctionResponse":{"functionCallId":"1","value":null}}`:                                                       a2ui.V10,
		`{"version":"v1.0","agentFunctionResponse":{"functionCallId":"1","error":{"code":"UNKNOWN_FUNCTION","message":"no such thing"}}}`:     a2ui.V10RC,
	} {
		if d, _, err := a2ui.DecodeMessage([]byte(in)); err != nil || d != want {
			t.Errorf("%s: %s, %v, want %s", in, d, err, want)
		}
	}
}

func TestV10Refuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]a2ui.Code{
		`"updateDataModel":{"surfaceId":"s"}`:                                                         a2ui.EnvelopeInvalid,
		`"createSurface":{"surfaceId":"s","theme":{}}`:                                                a2ui.EnvelopeInvalid,
		`"createSurface":{"surfaceId":"s","dataModel":[]}`:                                            a2ui.EnvelopeInvalid,
		`"createSurface":{"surfaceId":"s","metadata":{"x":{}}}`:                                       a2ui.EnvelopeInvalid,
		`"createSurface":{"surfaceId":"s","metadata":{"extensions":{"1x":{}}}}`:                       a2ui.EnvelopeInvalid,
		`"callRendererFunction":{"functionCallId":"1","callFunction":{"call":"f"}}`:                   a2ui.EnvelopeInvalid,
		`"callRendererFunction":{"functionCallId":"1","callFunction":{"catalogId":"c"}}`:              a2ui.EnvelopeInvalid,
		`"agentFunctionResponse":{"functionCallId":"1"}`:                                              a2ui.EnvelopeInvalid,
		`"agentFunctionResponse":{"functionCallId":"1","value":1,"error":{"code":"c","message":"m"}}`: a2ui.EnvelopeInvalid,
		`"agentFunctionResponse":{"functionCallId":"1","error":{"code":"c"}}`:                         a2ui.EnvelopeInvalid,
		`"rendererFunctionResponse":{"functionCallId":"1","value":1}`:                                 a2ui.EnvelopeClientMessage,
		`"callAgentFunction":{}`: a2ui.EnvelopeClientMessage,
	} {
		_, m, err := a2ui.DecodeMessage([]byte(`{"version":"v1.0",` + in + `}`))
		var p *a2ui.Problem
		if !errors.As(err, &p) || p.Code != want {
			t.Errorf("%s: %v, %v, want %s", in, m, err, want)
		}
	}
	for _, in := range []string{
		`"error":{"code":"X","message":"m"}`,
		`"error":{"code":"X","message":"m","surfaceId":"s","functionCallId":"1"}`,
		`"error":{"code":"UNALLOWED_PARENT","message":"m","surfaceId":"s"}`,
		`"error":{"code":"UNALLOWED_CHILD","message":"m","surfaceId":"s","path":"/p","more":1}`,
		`"error":{"code":"VALIDATION_FAILED","message":"m","functionCallId":"1","path":"/p"}`,
		`"callAgentFunction":{"surfaceId":"s","functionCallId":"1"}`,
		`"action":{"name":"n","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":{},"metadata":{"a":1}}`,
		`"agentFunctionResponse":{"functionCallId":"1","value":1}`,
	} {
		if _, m, err := a2ui.DecodeClient([]byte(`{"version":"1.0",`+in+`}`), a2ui.Limits{}); err == nil {
			t.Errorf("%s: %+v", in, m)
		}
	}
}

// TestNoRoomForV10: an older version never drops what it cannot say.
func TestNoRoomForV10(t *testing.T) {
	t.Parallel()
	with := func(c a2ui.Component) a2ui.Message {
		c.ID, c.Type = "root", "Button"
		return &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{c}}
	}
	create := func(f func(*a2ui.CreateSurface)) a2ui.Message {
		m := &a2ui.CreateSurface{SurfaceID: "s", CatalogID: "c", Root: "root"}
		f(m)
		return m
	}
	old := []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091}
	for name, m := range map[string]a2ui.Message{
		"components":             create(func(m *a2ui.CreateSurface) { m.Components = []a2ui.Component{} }),
		"data":                   create(func(m *a2ui.CreateSurface) { m.Data = jsonx.OfObject() }),
		"metadata":               create(func(m *a2ui.CreateSurface) { m.Metadata = jsonx.OfObject() }),
		"catalog":                with(a2ui.Component{CatalogID: "c"}),
		"user message":           with(a2ui.Component{Props: []a2ui.Prop{prop("action", a2ui.Event{Name: "n", UserMessage: a2ui.String("m")})}}),
		"call catalog":           with(a2ui.Component{Props: []a2ui.Prop{prop("action", a2ui.Local{Call: a2ui.Call{Func: "f", CatalogID: "c"}})}}),
		"call":                   &a2ui.CallRenderer{CallID: "1", Call: a2ui.Call{Func: "f", CatalogID: "c"}},
		"reply":                  &a2ui.Reply{CallID: "1"},
		"a call that is none":    with(a2ui.Component{Props: []a2ui.Prop{prop("x", a2ui.Literal{Data: parse(t, `[{"call":"f"}]`)})}}),
		"a binding that is none": with(a2ui.Component{Props: []a2ui.Prop{prop("x", a2ui.Object{prop("y", a2ui.Path("/z")), prop("p", a2ui.Literal{Data: parse(t, `{"path":"f"}`)})})}}),
	} {
		for _, d := range old {
			var p *a2ui.Problem
			if d == a2ui.V08 && strings.HasPrefix(name, "a call that is none") {
				continue // it means nothing there
			}
			if out, err := a2ui.AppendMessage([]byte("»"), d, m); !errors.As(err, &p) || string(out) != "»" {
				t.Errorf("%s on %s: %s, %v", name, d, out, err)
			}
		}
	}
	for name, m := range map[string]a2ui.ClientMessage{
		"user message": &a2ui.Action{Timestamp: "2026-11-20T10:00:00Z", Context: jsonx.OfObject(), UserMessage: "m"},
		"metadata":     &a2ui.Action{Timestamp: "2026-11-20T10:00:00Z", Context: jsonx.OfObject(), Metadata: jsonx.OfObject()},
		"failed call":  &a2ui.ClientError{Code: "c", Message: "m", CallID: "1"},
		"call":         &a2ui.CallAgent{SurfaceID: "s", CallID: "1", Call: a2ui.Call{Func: "f"}},
		"reply":        &a2ui.Reply{CallID: "1"},
	} {
		for _, d := range old {
			if out, err := a2ui.AppendClient(nil, d, m); err == nil {
				t.Errorf("%s on %s: %s", name, d, out)
			}
		}
	}
	for name, m := range map[string]a2ui.Message{
		"theme":       create(func(m *a2ui.CreateSurface) { m.Theme = jsonx.OfObject() }),
		"null":        &a2ui.UpdateData{SurfaceID: "s", Path: "/x"},
		"return type": with(a2ui.Component{Props: []a2ui.Prop{prop("x", a2ui.Call{Func: "f", ReturnType: "string"})}}),
	} {
		for _, d := range []a2ui.Dialect{a2ui.V10RC, a2ui.V10} {
			if out, err := a2ui.AppendMessage(nil, d, m); err == nil {
				t.Errorf("%s on %s: %s", name, d, out)
			}
		}
	}
}

// TestCandidateExamplesOnV10: the examples of the release candidate say the same
// with reserved keys, and the schemas rewritten for them agree.
func TestCandidateExamplesOnV10(t *testing.T) {
	t.Parallel()
	published := schema(t, a2ui.V10, false)
	for _, file := range official.Files("v1_0/catalogs/basic/examples/*.json") {
		for i, item := range exampleMessages(t, file) {
			m, err := a2ui.DecodeMessageAs(a2ui.V10RC, jsonx.Append(nil, item))
			if err != nil {
				t.Fatal(err)
			}
			out, err := a2ui.AppendMessage(nil, a2ui.V10, m)
			if err != nil {
				t.Errorf("%s %d: %v", filepath.Base(file), i, err)
				continue
			}
			if published != nil {
				if err := published.Check(out); err != nil {
					t.Errorf("%s %d: %s\n%.1500s", filepath.Base(file), i, out, err)
				}
			}
			if d, again, err := a2ui.DecodeMessage(out); err != nil || d != a2ui.V10 ||
				!cmp.Equal(m, again, sameMessage) {
				t.Errorf("%s %d: %s, %v\n%s", filepath.Base(file), i, d, err, cmp.Diff(m, again, sameMessage))
			}
		}
	}
}
