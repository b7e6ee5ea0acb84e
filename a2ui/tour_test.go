package a2ui_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/a2ui/client"
)

// The examples below are the programs of docs/a2ui.md, which a test compares.

func Example_read() {
	stream := `{"version":"v0.9","createSurface":{"surfaceId":"trip","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}
{"version":"v0.9","updateComponents":{"surfaceId":"trip","components":[{"id":"root","component":"Text","text":"Hello"}]}}`

	for line, err := range a2ui.ReadLines(strings.NewReader(stream), a2ui.Limits{}) {
		if err != nil {
			panic(err)
		}
		version, message, err := line.Decode()
		if err != nil {
			panic(err)
		}
		switch m := message.(type) {
		case *a2ui.CreateSurface:
			fmt.Println(version, "creates", m.SurfaceID)
		case *a2ui.UpdateComponents:
			fmt.Println(version, "sends", len(m.Components), "component:", m.Components[0].Type)
		}
	}
	// Output:
	// v0.9 creates trip
	// v0.9 sends 1 component: Text
}

func Example_write() {
	model, err := a2ui.ParseData([]byte(`{"name":"Ada"}`))
	if err != nil {
		panic(err)
	}
	messages := []a2ui.Message{
		&a2ui.UpdateData{SurfaceID: "trip", Value: model},
		&a2ui.UpdateComponents{SurfaceID: "trip", Components: []a2ui.Component{
			{ID: "root", Type: "TextField", Props: []a2ui.Prop{
				{Name: "label", Value: a2ui.String("Your name")},
				{Name: "value", Value: a2ui.Path("/name")},
			}},
		}},
	}
	for _, version := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		for _, m := range messages {
			line, err := a2ui.AppendMessage(nil, version, m)
			if err != nil {
				panic(err)
			}
			fmt.Println(string(line))
		}
	}
	// Output:
	// {"dataModelUpdate":{"surfaceId":"trip","contents":[{"key":"name","valueString":"Ada"}]}}
	// {"surfaceUpdate":{"surfaceId":"trip","components":[{"id":"root","component":{"TextField":{"label":{"literalString":"Your name"},"text":{"path":"/name"}}}}]}}
	// {"version":"v0.9","updateDataModel":{"surfaceId":"trip","value":{"name":"Ada"}}}
	// {"version":"v0.9","updateComponents":{"surfaceId":"trip","components":[{"id":"root","component":"TextField","label":"Your name","value":{"path":"/name"}}]}}
	// {"version":"1.0","updateDataModel":{"surfaceId":"trip","value":{"name":"Ada"}}}
	// {"version":"1.0","updateComponents":{"surfaceId":"trip","components":[{"id":"root","component":"TextField","label":"Your name","value":{"@path":"/name"}}]}}
}

func Example_validate() {
	validator := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe})
	problems := validator.Check([]a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "trip", CatalogID: a2ui.CatalogID(a2ui.V09)},
		&a2ui.UpdateComponents{SurfaceID: "trip", Components: []a2ui.Component{
			{ID: "root", Type: "Column", Props: []a2ui.Prop{{Name: "children", Value: a2ui.Refs{"title", "map"}}}},
			{ID: "title", Type: "Text", Props: []a2ui.Prop{{Name: "txt", Value: a2ui.String("Your trip")}}},
		}},
	})
	for i := range problems {
		fmt.Println(&problems[i])
	}
	fmt.Println(errors.Is(&problems[0], a2ui.ComponentProperty))
	// Output:
	// A2UI_S2C_COMPONENT_PROPERTY line 2 surface "trip" component "title" at "/components/1/txt": Text has no property "txt" (did you mean text?)
	// A2UI_S2C_COMPONENT_PROPERTY line 2 surface "trip" component "title" at "/components/1/text": Text needs text
	// A2UI_S2C_COMPONENT_DANGLING line 2 surface "trip" component "root" at "/components/0/children": refers to "map", which does not exist
	// true
}

func Example_click() {
	body := `{"version":"v0.9","action":{"name":"book","surfaceId":"trip","sourceComponentId":"ok","timestamp":"2026-11-20T10:00:00Z","context":{"name":"Ada"}}}`

	version, message, err := a2ui.DecodeClient([]byte(body), a2ui.Limits{})
	if err != nil {
		panic(err)
	}
	switch m := message.(type) {
	case *a2ui.Action:
		fmt.Println(version, m.Name, "for", m.Context.At("name").Text())
	case *a2ui.ClientError:
		fmt.Println("the client could not draw", m.SurfaceID, "because of", m.Code)
	}
	// Output: v0.9 book for Ada
}

func Example_model() {
	parser := a2ui.NewParser(a2ui.ParserOptions{})
	show := func(parts []a2ui.Part, err error) {
		if err != nil {
			panic(err)
		}
		for _, p := range parts {
			for _, m := range p.Messages {
				fmt.Println("message:", string(m.JSON))
			}
			if p.Text != "" {
				fmt.Println("text:", p.Text)
			}
		}
	}
	show(parser.Write([]byte("Here you are.\n<a2ui-json>[{\"version\":\"v0.9\",\"deleteSur")))
	show(parser.Write([]byte("face\":{\"surfaceId\":\"trip\",},}]</a2ui-json>")))
	show(parser.Close())
	// Output:
	// text: Here you are.
	// message: {"version":"v0.9","deleteSurface":{"surfaceId":"trip"}}
}

func Example_translate() {
	v08 := `{"surfaceUpdate":{"surfaceId":"trip","components":[{"id":"t","component":{"Text":{"text":{"literalString":"Your trip"},"usageHint":"h2"}}}]}}
{"beginRendering":{"surfaceId":"trip","root":"t","styles":{"font":"Roboto"}}}`

	err := a2ui.Translate(os.Stdout, strings.NewReader(v08), a2ui.TranslatorOptions{To: a2ui.V10},
		func(line int, l a2ui.Loss) {
			fmt.Printf("line %d: %v\n", line, l)
		})
	if err != nil {
		panic(err)
	}
	// Output:
	// line 2: theme surface "trip" at "/font": the theme has no font
	// {"version":"1.0","createSurface":{"surfaceId":"trip","catalogId":"https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"}}
	// {"version":"1.0","updateComponents":{"surfaceId":"trip","components":[{"id":"root","component":"Text","text":"## Your trip"}]}}
}

func Example_catalog() {
	document := `{
		"catalogId": "https://example.com/charts",
		"components": {
			"Chart": {
				"type": "object",
				"properties": {
					"component": {"const": "Chart"},
					"kind": {"enum": ["bar", "line"]},
					"values": {"type": "array", "items": {"type": "number"}, "maxItems": 1000}
				},
				"required": ["component", "kind", "values"]
			}
		}
	}`
	charts, err := catalog.Compile([]byte(document), a2ui.V09)
	if err != nil {
		panic(err)
	}
	_, message, err := a2ui.DecodeMessage([]byte(`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[
		{"id":"root","component":"Chart","kind":"pie","values":[1,2,3]}]}}`))
	if err != nil {
		panic(err)
	}
	rules := a2ui.Rules{Dialect: a2ui.V09, Catalog: charts, Partial: true}
	for _, p := range a2ui.Validate(rules, []a2ui.Message{message}) {
		fmt.Println(p.Path, p.Message)
	}
	// Output: /components/0/kind want one of bar, line, not the text "pie"
}

func Example_render() {
	screen := client.New(a2ui.V09, client.Strict)
	for _, m := range hello(a2ui.V09) { // a Text bound to /name, which is Ada
		if err := screen.Apply(m); err != nil {
			panic(err)
		}
	}
	fmt.Print(screen.Dump("s"))
	// Output:
	// surface s
	//   text "Ada"  #root
	// data {"name":"Ada"}
}
