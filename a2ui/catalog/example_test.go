package catalog_test

import (
	"errors"
	"fmt"
	"testing/fstest"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
)

const shop = `{"catalogId": "https://example.org/shop", "components": {
	"Price": {"type": "object", "properties": {"amount": {"$ref": "#/$defs/Money"}}},
	"Cart": {"type": "object", "additionalProperties": false}},
	"$defs": {"Money": {"type": "number", "minimum": 0}}}`

func ExampleDecodeDocument() {
	d, err := catalog.DecodeDocument([]byte(shop), catalog.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.ID(), d.Dialect())
	for _, c := range d.Components() {
		fmt.Println(c.Key)
	}
	// Output:
	// https://example.org/shop v0.9
	// Price
	// Cart
}

func ExampleDocument_Expand() {
	d, _ := catalog.DecodeDocument([]byte(shop), catalog.Options{})
	full, err := d.Expand(a2ui.Data{}) // no common types
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(a2ui.AppendData(nil, full.Components()[0].Value)))
	// Output: {"type":"object","properties":{"amount":{"type":"number","minimum":0}}}
}

func ExampleDocument_Prune() {
	d, _ := catalog.DecodeDocument([]byte(shop), catalog.Options{})
	cart := d.Prune([]string{"Cart"}, nil).Lenient()
	fmt.Println(string(a2ui.AppendData(nil, cart.Data())))
	// Output: {"catalogId":"https://example.org/shop","components":{"Cart":{"type":"object"}},"$defs":{}}
}

func ExampleDocument_Schema() {
	d, _ := catalog.DecodeDocument([]byte(shop), catalog.Options{})
	fmt.Println(string(a2ui.AppendData(nil, d.Schema().At("$defs").At("anyComponent"))))
	// Output: {"oneOf":[{"$ref":"#/components/Price"},{"$ref":"#/components/Cart"}],"discriminator":{"propertyName":"component"}}
}

func ExampleDocument_Inline() {
	d, _ := catalog.DecodeDocument([]byte(`{"catalogId": "c", "functions": {"f": {"returnType": "string"}}}`),
		catalog.Options{})
	fmt.Println(string(a2ui.AppendData(nil, d.Inline())))
	// Output: {"catalogId":"c","functions":[{"name":"f","parameters":{"type":"object"},"returnType":"string"}]}
}

func ExampleSchemas_Prune() {
	d, _ := catalog.DecodeDocument([]byte(shop), catalog.Options{})
	s := catalog.Schemas{Catalogs: []*catalog.Document{d}}
	fmt.Println(s.Prune(catalog.Keep{Components: []string{"Price"}}).Text())
	// Output:
	// ---BEGIN A2UI JSON SCHEMA---
	//
	// ### Server To Client Schema:
	// {}
	//
	// ### Catalog Schema:
	// {"catalogId":"https://example.org/shop","components":{"Price":{"type":"object","properties":{"amount":{"$ref":"#/$defs/Money"}}}},"$defs":{"Money":{"type":"number","minimum":0}}}
	//
	// ---END A2UI JSON SCHEMA---
}

func ExampleLoadExamples() {
	files := fstest.MapFS{
		"examples/en/cart.json":  {Data: []byte(`[{"deleteSurface": {"surfaceId": "cart"}}]`)},
		"examples/en/notes.text": {Data: []byte("later")},
	}
	examples, err := catalog.LoadExamples(files, nil, "examples/**/[!_]*.{json,jsonl}")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(catalog.ExampleText(examples))
	// Output:
	// ---BEGIN cart---
	// [{"deleteSurface": {"surfaceId": "cart"}}]
	// ---END cart---
}

func ExampleHost_Resolve() {
	d, _ := catalog.DecodeDocument([]byte(shop), catalog.Options{})
	host := catalog.Host{Catalogs: []*catalog.Document{d.Prune([]string{"Cart"}, nil)}}
	active, err := host.Resolve(&a2ui.Capabilities{
		Catalogs: []string{"https://example.org/old", "https://example.org/shop"}})
	fmt.Println(len(active), active[0].Components()[0].Key, err)
	_, err = host.Resolve(&a2ui.Capabilities{Catalogs: []string{"https://example.org/old"}})
	fmt.Println(err)
	// Output:
	// 1 Cart <nil>
	// catalog: the client has none of the host's catalogs (https://example.org/shop); it has https://example.org/old
}

func ExampleHost_Select() {
	d, _ := catalog.DecodeDocument([]byte(shop), catalog.Options{})
	one, err := catalog.Host{Catalogs: []*catalog.Document{d}}.Select(nil)
	fmt.Println(one.ID(), err)
	// Output: https://example.org/shop <nil>
}

func ExampleStandard() {
	s := catalog.Standard(a2ui.V09).Prune(catalog.Keep{Messages: []string{"deleteSurface"}})
	fmt.Println(string(a2ui.AppendData(nil, s.Messages.At("$defs").At("DeleteSurface").At("required"))))
	// Output: ["version","deleteSurface"]
}

func ExampleDescribe() {
	d := catalog.Describe(a2ui.Basic(a2ui.V10).Prune("Divider"), a2ui.V10)
	fmt.Println(string(a2ui.AppendData(nil, d.Components()[0].Value)))
	// Output: {"type":"object","properties":{"component":{"const":"Divider"},"weight":{"type":"number"},"axis":{"type":"string","enum":["horizontal","vertical"]}},"required":["component"]}
}

func ExampleLenient() {
	closed, _ := a2ui.ParseData([]byte(`{"type": "object", "additionalProperties": false}`))
	fmt.Println(string(a2ui.AppendData(nil, catalog.Lenient(closed))))
	// Output: {"type":"object"}
}

func ExampleExampleText() {
	fmt.Println(catalog.ExampleText([]catalog.Example{{Name: "hello", Text: "[]"}}))
	// Output:
	// ---BEGIN hello---
	// []
	// ---END hello---
}

func ExampleNewFormat() {
	basic := catalog.Describe(a2ui.Basic(a2ui.V09), a2ui.V09).Prune([]string{"Text"}, []string{"formatString"})
	f, err := catalog.NewFormat(catalog.FormatConfig{
		Catalogs: []*catalog.Document{basic},
		Role:     "You are the shop's assistant.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = f.Prompt() // to the model
	p := f.NewParser()
	parts, err := p.Write(
		[]byte(`Bye. <a2ui-json>[{"version": "v0.9", "deleteSurface": {"surfaceId": "s1"}}]</a2ui-json>`))
	for _, part := range parts {
		fmt.Println(part.Text, len(part.Messages), err)
	}
	// Output:
	// Bye. 0 <nil>
	//  1 <nil>
}

func ExampleNewDocument() {
	caps, err := a2ui.DecodeCapabilities([]byte(
		`{"1.0": {"supportedCatalogIds": [], "inlineCatalogs": [{"catalogId": "mine"}]}}`), a2ui.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := catalog.NewDocument(caps[a2ui.V10].Inline[0], catalog.Options{Dialect: a2ui.V10})
	fmt.Println(d.ID(), d.Dialect(), err)
	// Output: mine v1.0 <nil>
}

func ExampleDocument_Over() {
	d, _ := catalog.DecodeDocument([]byte(shop), catalog.Options{})
	top, _ := catalog.DecodeDocument([]byte(`{"catalogId": "more", "components": {"Map": {}}}`), catalog.Options{})
	for _, c := range d.Over(top).Components() {
		fmt.Println(c.Key)
	}
	// Output:
	// Price
	// Cart
	// Map
}

func ExampleFormat_CheckExample() {
	f, err := catalog.NewFormat(catalog.FormatConfig{
		Catalogs: []*catalog.Document{catalog.Describe(a2ui.Basic(a2ui.V09), a2ui.V09)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = f.CheckExample(catalog.Example{Name: "greeting", Text: `[
		{"version": "v0.9", "createSurface": {"surfaceId": "s", "catalogId": "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}},
		{"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": [{"id": "root", "component": "Txt"}]}}]`})
	fmt.Println(errors.Is(err, a2ui.ComponentUnknown))
	// Output: true
}

func ExampleDocument_Functions() {
	d, err := catalog.DecodeDocument([]byte(`{"catalogId": "c", "instructions": "Use few colours.",
		"functions": {"f": {"returnType": "string"}}, "theme": {"type": "object"}}`), catalog.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Functions()[0].Key, d.Theme().Kind, d.Instructions())
	// Output: f object Use few colours.
}

func ExampleError() {
	_, err := catalog.Compile(
		[]byte(`{"catalogId": "c", "components": {"A": {"properties": {"n": {"type": "money"}}}}}`), a2ui.V09)
	var e *catalog.Error
	fmt.Println(errors.As(err, &e), e)
	// Output: true catalog: /components/A/properties/n/type: unknown type "money"
}
