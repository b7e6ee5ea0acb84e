package a2ui_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

func ExampleDecoder_Inspect() {
	var r a2ui.Decoder
	for _, p := range r.Inspect(
		[]byte(`{"version":"v0.9","updateComponents":{"colour":1,"components":[{"id":"a"},{"component":"Text"}]}}`),
		0) {
		fmt.Println(p.Path, p.Message)
	}
	// Output:
	// /colour updateComponents has an unknown member "colour"
	// /surfaceId updateComponents lacks surfaceId
	// /components/0/component a component needs its type as a text
	// /components/1/id a component needs an id
}

// TestInspect: every fault of an envelope is listed once, the one of Decode
// first, and nothing of a message that decodes.
func TestInspect(t *testing.T) {
	t.Parallel()
	var r a2ui.Decoder
	for in, want := range map[string][]string{
		`{"deleteSurface":{"surfaceId":"s"}}`:                  nil,
		`{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`: nil,
		`{`:                         {""},
		`[]`:                        {""},
		`{}`:                        {""},
		`{"createSurface":{"x":1}}`: {"", "/version", "/x", "/surfaceId", "/catalogId"},
		`{"version":"v3","createSurface":{"surfaceId":1}}`:                                             {"/version", "/surfaceId", "/catalogId"},
		`{"version":"v1.0","createSurface":{"surfaceId":1,"theme":{}}}`:                                {"/surfaceId", "/theme"},
		`{"version":"v1.0","updateDataModel":{}}`:                                                      {"/surfaceId", "/value"},
		`{"beginRendering":{"styles":1,"more":2}}`:                                                     {"/styles", "/more", "/surfaceId"},
		`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a"},{"id":"b","component":{"X":1}}]}}`: {"/components/0/component", "/components/1/component"},
		`{"version":"v0.9","deleteSurface":{},"createSurface":{}}`:                                     {"", "/surfaceId", "/surfaceId", "/catalogId"},
		`{"version":"v0.9","deleteSurface":[]}`:                                                        {"/deleteSurface"},
	} {
		var got []string
		for _, p := range r.Inspect([]byte(in), 0) {
			got = append(got, p.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
