package a2ui_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
	"pgregory.net/rapid"
)

var dialects = a2ui.Dialects()

// sameMessage takes no list and an empty one for the same.
var sameMessage = cmpopts.EquateEmpty()

// TestRoundTrip: what the encoder writes, the decoder reads back the same, the
// published schema allows, and the validator finds no property to complain of.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		published := schema(t, d, false)
		t.Run(d.String(), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				m := newGen(rt, d).message()
				b, err := a2ui.AppendMessage([]byte("prefix"), d, m)
				if err != nil {
					rt.Fatalf("append: %v", err)
				}
				b = b[len("prefix"):]
				got, err := a2ui.DecodeMessageAs(d, b)
				if err != nil {
					rt.Fatalf("decode %s: %v", b, err)
				}
				if diff := cmp.Diff(m, got, sameMessage); diff != "" {
					rt.Fatalf("%s\n(-want +got)\n%s", b, diff)
				}
				if published != nil {
					if err := published.Check(b); err != nil {
						rt.Fatalf("%s\n%v", b, err)
					}
				}
				// The size is measured to the byte.
				for _, less := range []int{0, 1} {
					rules := a2ui.Rules{Dialect: d, Partial: true, Limits: a2ui.Limits{MessageBytes: len(b) - less}}
					got := codes(a2ui.Validate(rules, []a2ui.Message{m}))
					if d.Features().Inline || d.Features().CreateLast {
						// calls that agents may not send, surfaces whose parts do not fit or lack
						got = slices.DeleteFunc(got, func(c a2ui.Code) bool { return c != a2ui.LimitBytes })
					}
					if want := []a2ui.Code{a2ui.LimitBytes}[:less]; !slices.Equal(got, want) {
						rt.Fatalf("%s\nwith a limit of %d-%d yields %v", b, len(b), less, got)
					}
				}
			})
		})
	}
}

func TestAppendMessage(t *testing.T) {
	t.Parallel()
	surface := "s"
	comp := func(typ string, props ...a2ui.Prop) a2ui.Message {
		return &a2ui.UpdateComponents{SurfaceID: surface,
			Components: []a2ui.Component{{ID: "c#1", Type: typ, Props: props}}}
	}
	// %s stands for the component with its wrapper cut off.
	v08 := func(body string) string {
		return `{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"c#1","component":{` + body + `}}]}}`
	}
	v09 := func(body string) string {
		return `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"c#1","component":` + body +
			`}]}}`
	}
	options := a2ui.Options{{Label: a2ui.String("A"), Value: "a"}}
	for name, c := range map[string]struct {
		m        a2ui.Message
		v08, v09 string
	}{
		"create": {
			&a2ui.CreateSurface{SurfaceID: "s", CatalogID: "cat", Root: "root", Theme: jsonx.OfObject(a2ui.Member{Key: "primaryColor", Value: jsonx.Of("#000000")})},
			`{"beginRendering":{"surfaceId":"s","root":"root","catalogId":"cat","styles":{"primaryColor":"#000000"}}}`,
			`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"cat","theme":{"primaryColor":"#000000"}}}`,
		},
		"other root": {&a2ui.CreateSurface{SurfaceID: "s", CatalogID: "cat", Root: "c#r"}, `{"beginRendering":{"surfaceId":"s","root":"c#r","catalogId":"cat"}}`, ""},
		"no catalog": {&a2ui.CreateSurface{SurfaceID: "s", Root: "root"}, `{"beginRendering":{"surfaceId":"s","root":"root"}}`, ""},
		"send data":  {&a2ui.CreateSurface{SurfaceID: "s", CatalogID: "cat", Root: "root", SendDataModel: true}, "", `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"cat","sendDataModel":true}}`},
		"delete":     {&a2ui.DeleteSurface{SurfaceID: "s"}, `{"deleteSurface":{"surfaceId":"s"}}`, `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`},
		"data": {
			&a2ui.UpdateData{SurfaceID: "s", Path: "/d", Value: parse(t, `{"a":"x","b":2.50,"c":true,"m":{"k":"v"}}`)},
			`{"dataModelUpdate":{"surfaceId":"s","path":"/d","contents":[{"key":"a","valueString":"x"},{"key":"b","valueNumber":2.50},{"key":"c","valueBoolean":true},{"key":"m","valueMap":[{"key":"k","valueString":"v"}]}]}}`,
			`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/d","value":{"a":"x","b":2.50,"c":true,"m":{"k":"v"}}}}`,
		},
		"delete key": {&a2ui.UpdateData{SurfaceID: "s", Path: "/d", Delete: true}, "", `{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/d"}}`},
		"null":       {&a2ui.UpdateData{SurfaceID: "s", Path: "/d"}, "", `{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/d","value":null}}`},
		"scalar":     {&a2ui.UpdateData{SurfaceID: "s", Path: "/d", Value: jsonx.Of("x")}, "", `{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/d","value":"x"}}`},
		"list":       {&a2ui.UpdateData{SurfaceID: "s", Value: parse(t, `{"l":[]}`)}, "", `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"l":[]}}}`},
		"deep map":   {&a2ui.UpdateData{SurfaceID: "s", Value: parse(t, `{"a":{"b":{}}}`)}, "", `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"a":{"b":{}}}}}`},
		"text": {comp("Text", prop("text", a2ui.String("Hi")), prop("variant", a2ui.String("h1"))),
			v08(`"Text":{"text":{"literalString":"Hi"},"usageHint":"h1"}`), v09(`"Text","text":"Hi","variant":"h1"`)},
		"image": {comp("Image", prop("url", a2ui.Path("/u")), prop("description", a2ui.String("D")), prop("fit", a2ui.String("scaleDown"))),
			v08(`"Image":{"url":{"path":"/u"},"altText":{"literalString":"D"},"fit":"scale-down"}`), v09(`"Image","url":{"path":"/u"},"description":"D","fit":"scaleDown"`)},
		"row": {comp("Row", prop("children", a2ui.Refs{"a", "b"}), prop("justify", a2ui.String("center")), prop("align", a2ui.String("end"))),
			v08(`"Row":{"children":{"explicitList":["a","b"]},"distribution":"center","alignment":"end"}`), v09(`"Row","children":["a","b"],"justify":"center","align":"end"`)},
		"template": {comp("List", prop("children", a2ui.Template{Component: "t", Path: "/i"})),
			v08(`"List":{"children":{"template":{"componentId":"t","dataBinding":"/i"}}}`), v09(`"List","children":{"componentId":"t","path":"/i"}`)},
		"tabs": {comp("Tabs", prop("tabs", a2ui.Tabs{{Title: a2ui.String("T"), Child: "x"}})),
			v08(`"Tabs":{"tabItems":[{"title":{"literalString":"T"},"child":"x"}]}`), v09(`"Tabs","tabs":[{"title":"T","child":"x"}]`)},
		"modal": {comp("Modal", prop("trigger", a2ui.Ref("x")), prop("content", a2ui.Ref("y"))),
			v08(`"Modal":{"entryPointChild":"x","contentChild":"y"}`), v09(`"Modal","trigger":"x","content":"y"`)},
		"button": {comp("Button", prop("child", a2ui.Ref("x")), prop("variant", a2ui.String("primary")),
			prop("action", a2ui.Event{Name: "go", Context: []a2ui.Prop{prop("k", a2ui.Path("/p")), prop("n", number("1"))}})),
			v08(`"Button":{"child":"x","primary":true,"action":{"name":"go","context":[{"key":"k","value":{"path":"/p"}},{"key":"n","value":{"literalNumber":1}}]}}`),
			v09(`"Button","child":"x","variant":"primary","action":{"event":{"name":"go","context":{"k":{"path":"/p"},"n":1}}}`)},
		"field": {comp("TextField", prop("label", a2ui.String("L")), prop("value", a2ui.Path("/v")), prop("variant", a2ui.String("longText"))),
			v08(`"TextField":{"label":{"literalString":"L"},"text":{"path":"/v"},"textFieldType":"longText"}`), v09(`"TextField","label":"L","value":{"path":"/v"},"variant":"longText"`)},
		"one choice": {comp("ChoicePicker", prop("value", a2ui.Path("/v")), prop("options", options)),
			v08(`"MultipleChoice":{"selections":{"path":"/v"},"options":[{"label":{"literalString":"A"},"value":"a"}],"maxAllowedSelections":1}`),
			v09(`"ChoicePicker","value":{"path":"/v"},"options":[{"label":"A","value":"a"}]`)},
		"many choices": {comp("ChoicePicker", prop("value", a2ui.Literal{Data: parse(t, `["a"]`)}), prop("options", options), prop("variant", a2ui.String("multipleSelection")), prop("displayStyle", a2ui.String("chips"))),
			v08(`"MultipleChoice":{"selections":{"literalArray":["a"]},"options":[{"label":{"literalString":"A"},"value":"a"}],"variant":"chips"}`),
			v09(`"ChoicePicker","value":["a"],"options":[{"label":"A","value":"a"}],"variant":"multipleSelection","displayStyle":"chips"`)},
		"slider": {comp("Slider", prop("value", number("3")), prop("min", number("0")), prop("max", number("9"))),
			v08(`"Slider":{"value":{"literalNumber":3},"minValue":0,"maxValue":9}`), v09(`"Slider","value":3,"min":0,"max":9`)},
		"box": {comp("CheckBox", prop("label", a2ui.String("L")), prop("value", a2ui.Bool(true))),
			v08(`"CheckBox":{"label":{"literalString":"L"},"value":{"literalBoolean":true}}`), v09(`"CheckBox","label":"L","value":true`)},
		"call": {comp("Text", prop("text", a2ui.Call{Func: "f"})), "", v09(`"Text","text":{"call":"f","args":{}}`)},
		"check": {comp("CheckBox", prop("checks", a2ui.Checks{{Condition: a2ui.Bool(true), Message: "M"}})), "",
			v09(`"CheckBox","checks":[{"condition":true,"message":"M"}]`)},
		"local": {comp("Button", prop("action", a2ui.Local{Call: a2ui.Call{Func: "openUrl", Args: []a2ui.Prop{prop("url", a2ui.String("https://x.y"))}, ReturnType: "void"}})), "",
			v09(`"Button","action":{"functionCall":{"call":"openUrl","args":{"url":"https://x.y"},"returnType":"void"}}`)},
		"accessibility": {comp("Text", prop("accessibility", a2ui.Literal{Data: parse(t, `{"label":"L"}`)})), "", v09(`"Text","accessibility":{"label":"L"}`)},
		"borderless":    {comp("Button", prop("variant", a2ui.String("borderless"))), "", v09(`"Button","variant":"borderless"`)},
		"foreign": {comp("Gauge", prop("title", a2ui.String("T")), prop("data", a2ui.Path("/d")), prop("raw", a2ui.Literal{Data: jsonx.Of("x")})),
			v08(`"Gauge":{"title":{"literalString":"T"},"data":{"path":"/d"},"raw":"x"}`), v09(`"Gauge","title":"T","data":{"path":"/d"},"raw":"x"`)},
		"nil value":     {comp("Text", prop("text", nil)), "", ""},
		"nil in a call": {comp("Text", prop("text", a2ui.Call{Func: "f", Args: []a2ui.Prop{prop("x", nil)}})), "", ""},
		"extra":         {&a2ui.DeleteSurface{SurfaceID: "s", Extra: []a2ui.Member{{Key: "x"}}}, "", ""},
		"nothing":       {nil, "", ""},
	} {
		for d, want := range map[a2ui.Dialect]string{a2ui.V08: c.v08, a2ui.V09: c.v09} {
			got, err := a2ui.AppendMessage([]byte("»"), d, c.m)
			var p *a2ui.Problem
			if want == "" {
				if !errors.As(err, &p) || p.Code == "" || string(got) != "»" {
					t.Errorf("%s on %s = %q, %v, want a problem and an unchanged buffer", name, d, got, err)
				}
			} else if err != nil || string(got) != "»"+want {
				t.Errorf("%s on %s: %v\n got %s\nwant »%s", name, d, err, got, want)
			}
		}
	}
	if _, err := a2ui.AppendMessage(nil, 99, &a2ui.DeleteSurface{SurfaceID: "s"}); err == nil {
		t.Error("a dialect without codec writes")
	}
}

func parse(t testing.TB, s string) jsonx.Value {
	t.Helper()
	v, err := jsonx.Parse([]byte(s), jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]a2ui.Code{
		``:  a2ui.EnvelopeInvalid,
		`1`: a2ui.EnvelopeInvalid, `[]`: a2ui.EnvelopeInvalid, `{}`: a2ui.EnvelopeInvalid,
		`{"deleteSurface":{"surfaceId":"a","surfaceId":"b"}}`: a2ui.EnvelopeInvalid,
		`{"version":"v0.9"}`: a2ui.EnvelopeInvalid,
		`{"version":"v7","deleteSurface":{"surfaceId":"s"}}`:                                                                                a2ui.EnvelopeInvalid,
		`{"version":9,"deleteSurface":{"surfaceId":"s"}}`:                                                                                   a2ui.EnvelopeInvalid,
		`{"version":"v0.9","deleteSurface":{"surfaceId":"s"},"x":{}}`:                                                                       a2ui.EnvelopeInvalid,
		`{"version":"v0.9","deleteSurface":{"surfaceId":"s","x":1}}`:                                                                        a2ui.EnvelopeInvalid,
		`{"version":"v0.9","deleteSurface":[]}`:                                                                                             a2ui.EnvelopeInvalid,
		`{"version":"v0.9","beginRendering":{"surfaceId":"s","root":"r"}}`:                                                                  a2ui.EnvelopeInvalid,
		`{"version":"v0.9","createSurface":{"surfaceId":"s"}}`:                                                                              a2ui.EnvelopeInvalid,
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"a"}]}}`:                                                 a2ui.EnvelopeInvalid,
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"component":"Text"}]}}`:                                       a2ui.EnvelopeInvalid,
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":["a"]}}`:                                                        a2ui.EnvelopeInvalid,
		`{"version":"v0.9","action":{}}`:                                                                                                    a2ui.EnvelopeClientMessage,
		`{"version":"v0.9","error":{}}`:                                                                                                     a2ui.EnvelopeClientMessage,
		`{"userAction":{}}`:                                                                                                                 a2ui.EnvelopeClientMessage,
		`{"beginRendering":{"surfaceId":"s"}}`:                                                                                              wire.BeginMissingRoot,
		`{"createSurface":{"surfaceId":"s"}}`:                                                                                               a2ui.EnvelopeInvalid,
		`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":{"Text":{},"Row":{}}}]}}`:                                    a2ui.EnvelopeInvalid,
		`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":"Text"}]}}`:                                                  a2ui.EnvelopeInvalid,
		`{"surfaceUpdate":{"surfaceId":"s","components":[{"component":{"Text":{}}}]}}`:                                                      a2ui.EnvelopeInvalid,
		`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","x":1,"component":{"Text":{}}}]}}`:                                       a2ui.EnvelopeInvalid,
		`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":{"ChoicePicker":{}}}]}}`:                                     a2ui.ComponentUnknown,
		`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":{"Text":{"variant":1}}}]}}`:                                  wire.ComponentProperty,
		`{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"a"}]}}`:                                                                    wire.DataValue,
		`{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"a","valueNull":null}]}}`:                                                   wire.DataValue,
		`{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"a","valueString":1}]}}`:                                                    wire.DataValue,
		`{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"a","valueString":"","valueNumber":1}]}}`:                                   wire.DataValue,
		`{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"a","valueNumber":1},{"key":"a","valueNumber":2}]}}`:                        wire.DataValue,
		`{"dataModelUpdate":{"surfaceId":"s","contents":[` + strings.Repeat(`{"key":"a","valueMap":[`, 7) + strings.Repeat(`]}`, 7) + `]}}`: wire.LimitDataDepth,
		`{"x":` + strings.Repeat("[", 80) + strings.Repeat("]", 80) + `}`:                                                                   a2ui.LimitBytes,
	} {
		_, m, err := a2ui.DecodeMessage([]byte(in))
		var p *a2ui.Problem
		if !errors.As(err, &p) || p.Code != want {
			t.Errorf("DecodeMessage(%.90s) = %v, %v, want %s", in, m, err, want)
		}
	}
	if _, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(`{"version":"v0.9.1","deleteSurface":{"surfaceId":"s"}}`)); err == nil {
		t.Error("a v0.9 client takes v0.9.1")
	}
	if _, err := a2ui.DecodeMessageAs(a2ui.V091, []byte(`{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`)); err != nil {
		t.Errorf("a v0.9.1 client refuses v0.9: %v", err)
	}
	if _, err := a2ui.DecodeMessageAs(a2ui.V09, []byte(`{"deleteSurface":{"surfaceId":"s"}}`)); err == nil {
		t.Error("a v0.9 client takes a message without version")
	}
	if _, err := a2ui.DecodeMessageAs(99, []byte(`{}`)); err == nil {
		t.Error("a dialect without codec reads")
	}
}

func TestProblemNamesThePlace(t *testing.T) {
	t.Parallel()
	_, _, err := a2ui.DecodeMessage([]byte("{\n  \"a\": tru\n}"))
	var p *a2ui.Problem
	if !errors.As(err, &p) || p.Line != 2 || p.Column != 8 {
		t.Errorf("got %v, want line 2:8", err)
	}
	full := &a2ui.Problem{Code: "C", Surface: "s", Component: "c", Path: "/p", Message: "m.", Hint: "h", Line: 3}
	if got, want := full.Error(), `C line 3 surface "s" component "c" at "/p": m. (h)`; got != want {
		t.Errorf("Error() = %s, want %s", got, want)
	}
}

// TestLaterProperties: v0.8 refuses properties that a type of its own got later, and keeps others.
func TestLaterProperties(t *testing.T) {
	t.Parallel()
	for component, refused := range map[string]bool{
		`"Video":{"posterUrl":"x"}`:       true,
		`"Slider":{"steps":1}`:            true,
		`"TextField":{"placeholder":"x"}`: true,
		`"DateTimeInput":{"min":"x"}`:     true,
		`"Text":{"checks":[]}`:            true,
		`"Slider":{"posterUrl":"x"}`:      false,
		`"Video":{"steps":1}`:             false,
		`"MultipleChoice":{"min":1}`:      false,
	} {
		_, err := a2ui.DecodeMessageAs(a2ui.V08, []byte(`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":{`+
			component+`}}]}}`))
		if (err != nil) != refused {
			t.Errorf("%s: %v", component, err)
		}
	}
}
