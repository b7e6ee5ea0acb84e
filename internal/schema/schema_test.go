package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/ui"
)

const city = `{"type":"object","properties":{"city":{"type":"string","minLength":1},"days":{"type":"integer","maximum":7}},"required":["city"],"additionalProperties":false}`

func TestCheck(t *testing.T) {
	t.Parallel()
	s, err := schema.CompileObject([]byte(city))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"city":"Bern"}`:             "",
		`{"city":"Bern","days":7.0}`:  "",
		`{"city":"Bern","days":8}`:    "maximum at /days",
		`{"city":7}`:                  "type at /city",
		`{}`:                          "required at ",
		`{"city":"Bern","~a/b":1}`:    "additionalProperties at ",
		`[]`:                          "type at ",
		`{"city":`:                    "json at ",
		`{"city":"Bern"} {"city":""}`: "json at ",
		``:                            "json at ",
	} {
		got := ""
		if f := s.Check([]byte(text)); f != nil {
			got = f.Keyword + " at " + f.Path
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestNoSchema(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{`:                              "",
		`[]`:                             "/type",
		`{"type":"string"}`:              "/type",
		`{"type":"object","required":1}`: "/required",
		`{"type":"object","properties":{"a":{"type":"text"}}}`:                          "/properties/a/type",
		`{"type":"object","properties":{"a":{"pattern":"("}}}`:                          "/properties/a/pattern",
		`{"type":"object","$ref":"https://example.org/x.json"}`:                         "",
		`{"type":"object","$ref":"file:///etc/passwd"}`:                                 "",
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`:                  "",
		`{"type":"object","description":"` + strings.Repeat("x", schema.MaxSize) + `"}`: "",
	} {
		_, err := schema.CompileObject([]byte(text))
		e, ok := err.(*ui.Error)
		if !ok || e.Code != schema.CodeInvalid || e.Path != want {
			t.Errorf("%.80s: %v, want path %q", text, err, want)
		}
	}
	if _, err := schema.CompileObject([]byte(schema.None)); err != nil {
		t.Error(err)
	}
}

// FuzzCompileObject: no text panics, neither as a schema nor as a value.
func FuzzCompileObject(f *testing.F) {
	for _, s := range []string{city, schema.None, `{"type":"object","$ref":"#"}`,
		`{"type":"object","properties":{"a":{"$dynamicRef":"#x"}}}`, `{"type":"object","pattern":"a{1000}"}`} {
		f.Add([]byte(s), []byte(`{"city":"Bern"}`))
	}
	f.Fuzz(func(t *testing.T, raw, value []byte) {
		if len(raw)+len(value) > 1<<12 {
			return
		}
		s, err := schema.CompileObject(raw)
		if err != nil {
			if ui.CodeOf(err) != schema.CodeInvalid {
				t.Fatal(err)
			}
			return
		}
		s.Check(value)
		if _, err := schema.CompileObject(s.JSON()); err != nil {
			t.Fatalf("compact: %v", err)
		}
	})
}

func ExampleSchema_Check() {
	s, _ := schema.CompileObject([]byte(city))
	fmt.Println(*s.Check([]byte(`{"city":"Bern","days":"two"}`)))
	// Output: {/days type got string, want integer}
}
