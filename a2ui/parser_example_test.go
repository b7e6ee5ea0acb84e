package a2ui_test

import (
	"errors"
	"fmt"

	"github.com/limn-ui/limn/a2ui"
)

// A model's answer arrives in pieces that know nothing of JSON. Text comes out as
// it is read, a message when it is complete.
func ExampleParser() {
	p := a2ui.NewParser(a2ui.ParserOptions{})
	show := func(parts []a2ui.Part, err error) {
		for _, part := range parts {
			if part.Messages == nil {
				fmt.Printf("text %q\n", part.Text)
			}
			for _, m := range part.Messages {
				_, gone := m.Message.(*a2ui.DeleteSurface)
				fmt.Println(m.Dialect, m.Message.Surface(), "deleted:", gone)
			}
		}
		if err != nil {
			fmt.Println(err)
		}
	}
	for _, chunk := range []string{"Done, I clo", "sed it.\n<a2ui", "-json>[{\"version\": \"v0.9\", \"deleteSur",
		"face\": {\"surfaceId\": \"form\",}}]</a2ui-json>"} {
		show(p.Write([]byte(chunk)))
	}
	show(p.Close())
	// Output:
	// text "Done, I clo"
	// text "sed it."
	// v0.9 form deleted: true
}

// A whole answer at once: here as a fenced block, with curly quotes and without
// its last brackets.
func ExampleParseText() {
	parts, err := a2ui.ParseText(a2ui.ParserOptions{},
		[]byte("Closing it.\n```json\n[{“version”: “v0.9”, “deleteSurface”: {“surfaceId”: “form”}}\n```"))
	for _, part := range parts {
		fmt.Print(part.Text)
		for _, m := range part.Messages {
			fmt.Printf(" %s", m.JSON)
		}
		fmt.Println()
	}
	fmt.Println(err)
	// Output:
	// Closing it.
	//  {"version":"v0.9","deleteSurface":{"surfaceId":"form"}}
	// <nil>
}

// Problems are those of a Validator, and name the message of the answer.
func ExampleProblems() {
	_, err := a2ui.ParseText(a2ui.ParserOptions{},
		[]byte(`<a2ui-json>{"version": "v0.9", "deleteSurface": {"id": "form"}}</a2ui-json>`))
	fmt.Println(errors.Is(err, a2ui.EnvelopeInvalid), err)
	// Output:
	// true A2UI_S2C_ENVELOPE_INVALID line 1 at "/id": deleteSurface has an unknown member "id"
}

func ExampleUnwrap() {
	for _, b := range a2ui.Unwrap([]byte("Here:\n<a2ui-json>[]</a2ui-json>\nand\n<a2ui-json>[{")) {
		fmt.Printf("%q %q closed=%v\n", b.Text, b.Payload, b.Closed)
	}
	// Output:
	// "Here:" "" closed=false
	// "" "[]" closed=true
	// "and" "" closed=false
	// "" "[{" closed=false
}

func ExampleWrap() {
	block, err := a2ui.Wrap(a2ui.V09, &a2ui.DeleteSurface{SurfaceID: "form"})
	fmt.Printf("%s %v\n", block, err)
	// Output:
	// <a2ui-json>
	// [{"version":"v0.9","deleteSurface":{"surfaceId":"form"}}]
	// </a2ui-json> <nil>
}

func ExampleHasParts() {
	fmt.Println(a2ui.HasParts([]byte("Hi <a2ui-json>[]</a2ui-json>")), a2ui.HasParts([]byte("Hi")))
	// Output: true false
}

func ExampleFixPayload() {
	list, err := a2ui.FixPayload([]byte(`{"type": “Text”, "tags": ["a", "b",],}`))
	fmt.Println(len(list), list[0].At("type").Text(), len(list[0].At("tags").Items), err)
	// Output: 1 Text 2 <nil>
}
