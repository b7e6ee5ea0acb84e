package a2a_test

import (
	"fmt"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
)

func ExampleNewParts() {
	parts, err := a2a.NewParts(a2ui.V09, &a2ui.DeleteSurface{SurfaceID: "s1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(a2a.AppendPart(nil, parts[0])))
	// Output: {"kind":"data","data":[{"version":"v0.9","deleteSurface":{"surfaceId":"s1"}}],"metadata":{"mimeType":"application/a2ui+json"}}
}

func ExampleDecodePart() {
	p, err := a2a.DecodePart([]byte(`{"kind": "data", "metadata": {"mimeType": "application/json+a2ui"},
		"data": {"deleteSurface": {"surfaceId": "s1"}}}`), a2ui.Limits{})
	if err != nil || !p.IsA2UI() {
		return
	}
	d, messages, err := p.Messages()
	fmt.Println(d, len(messages), err)
	// Output: v0.8 1 <nil>
}

func ExampleNewExtension() {
	e := a2a.NewExtension(a2ui.V091, a2ui.ServerCapabilities{Catalogs: []string{a2ui.CatalogID(a2ui.V091)}})
	fmt.Println(string(a2a.AppendExtension(nil, e)))
	// Output: {"uri":"https://a2ui.org/a2a-extension/a2ui/v0.9.1","required":false,"params":{"supportedCatalogIds":["https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"]}}
}

func ExampleActivate() {
	requested := a2a.Requested("https://a2ui.org/a2a-extension/a2ui/v0.9, https://a2ui.org/a2a-extension/a2ui/v1.0")
	active := a2a.Activate(requested, []string{a2a.ExtensionURI(a2ui.V08), a2a.ExtensionURI(a2ui.V09)})
	d, ok := a2a.Dialect(active)
	fmt.Println(active, d, ok)
	// Output: https://a2ui.org/a2a-extension/a2ui/v0.9 v0.9 true
}

func ExampleDecodeMetadata() {
	m, err := a2a.DecodeMetadata(
		[]byte(`{"a2uiClientCapabilities": {"v0.9": {"supportedCatalogIds": ["https://example.org/shop"]}}}`),
		a2ui.Limits{})
	fmt.Println(m.Capabilities[a2ui.V09].Catalogs, err)
	// Output: [https://example.org/shop] <nil>
}

func ExampleAnswer() {
	parts, err := a2a.Answer(a2a.AnswerOptions{},
		`Done. <a2ui-json>[{"version": "v0.9", "deleteSurface": {"surfaceId": "s1"}},]</a2ui-json>`)
	for _, p := range parts {
		fmt.Println(string(a2a.AppendPart(nil, p)), err)
	}
	// Output:
	// {"kind":"text","text":"Done."} <nil>
	// {"kind":"data","data":[{"version":"v0.9","deleteSurface":{"surfaceId":"s1"}}],"metadata":{"mimeType":"application/a2ui+json"}} <nil>
}

func ExampleWrap() {
	message, _ := a2ui.ParseData([]byte(`{"deleteSurface": {"surfaceId": "s1"}}`))
	for _, p := range a2a.Wrap(a2ui.V08, message) {
		fmt.Println(string(a2a.AppendPart(nil, p)))
	}
	// Output:
	// {"kind":"data","data":{"deleteSurface":{"surfaceId":"s1"}},"metadata":{"mimeType":"application/json+a2ui"}}
}

func ExampleNewClientParts() {
	context, _ := a2ui.ParseData([]byte(`{"id": 7}`))
	click := &a2ui.Action{Name: "save", SurfaceID: "s1", Component: "ok", Timestamp: "2026-01-02T03:04:05Z",
		Context: context}
	parts, err := a2a.NewClientParts(a2ui.V09, click)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(parts), parts[0].IsA2UI(), err)
	// Output: 1 true <nil>
}

func ExampleActivate_newest() {
	list := []string{"https://a2ui.org/a2a-extension/a2ui/v0.9.1", "https://a2ui.org/a2a-extension/a2ui/v0.10"}
	fmt.Println(a2a.Activate(list, list))
	// Output: https://a2ui.org/a2a-extension/a2ui/v0.10
}

func ExamplePart_ClientMessages() {
	p, err := a2a.DecodePart([]byte(`{"kind": "data", "metadata": {"mimeType": "application/a2ui+json"},
		"data": [{"version": "v0.9", "error": {"code": "A", "surfaceId": "s1", "message": "m"}}]}`), a2ui.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, messages, err := p.ClientMessages(a2ui.Limits{})
	fmt.Println(d, len(messages), err)
	// Output: v0.9 1 <nil>
}

func ExampleNewText() {
	fmt.Println(string(a2a.AppendPart(nil, a2a.NewText("Done."))))
	// Output: {"kind":"text","text":"Done."}
}

func ExampleVersion() {
	fmt.Println(a2a.Version("https://a2ui.org/a2a-extension/a2ui/v0.10"))
	// Output: 0.10 true
}

func ExampleExtension_Params() {
	e := a2a.NewExtension(a2ui.V10, a2ui.ServerCapabilities{AcceptsInline: true})
	fmt.Println(string(a2ui.AppendData(nil, e.Params())))
	// Output: {"acceptsInlineCatalogs":true}
}
