// Package schema holds JSON values against a JSON Schema (draft 2020-12 unless
// the schema says otherwise).
//
// In: the text of a schema, compiled once. Out: the first fault of a value, by
// keyword and path. A schema is complete in itself: nothing is fetched, whatever
// its $ref says. Patterns are RE2, so they take linear time.
//
// Callers: app for declared model tools, modelrun for those of MCP servers.
package schema

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// CodeInvalid says that a text is no JSON Schema.
const CodeInvalid ui.Code = "APP_SCHEMA_INVALID"

// MaxSize bounds the text of a schema, in bytes.
const MaxSize = 64 << 10

// None is the schema of an object without members.
const None = `{"type":"object","properties":{},"additionalProperties":false}`

// Schema is a compiled schema. It is immutable and safe for concurrent use.
type Schema struct {
	raw []byte
	is  *jsonschema.Schema
}

// CompileObject reads a schema of objects, as the arguments of functions are. An
// error is a *ui.Error with CodeInvalid whose Path is a JSON Pointer into the
// schema.
func CompileObject(raw []byte) (*Schema, error) {
	if len(raw) > MaxSize {
		return nil, ui.Errorf(CodeInvalid, "", "the schema is above %d bytes", MaxSize)
	}
	v, err := jsonx.Parse(raw, jsonx.Limits{})
	if err != nil {
		return nil, &ui.Error{Code: CodeInvalid, Message: "the schema is no JSON", Err: err}
	}
	if v.Kind != jsonx.Object || v.At("type").Text() != "object" {
		return nil, &ui.Error{Code: CodeInvalid, Path: "/type", Message: "arguments are an object",
			Hint: `begin the schema with "type": "object"`}
	}
	s, err := compile(raw)
	if err != nil {
		return nil, err
	}
	return &Schema{raw: jsonx.Append(nil, v), is: s}, nil
}

// compile guards against a library that is not ours.
func compile(raw []byte) (s *jsonschema.Schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, ui.Errorf(CodeInvalid, "", "the schema cannot be read")
		}
	}()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, &ui.Error{Code: CodeInvalid, Message: "the schema is no JSON", Err: err}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nothing{})
	if err := c.AddResource(place, doc); err != nil {
		return nil, &ui.Error{Code: CodeInvalid, Message: "the schema cannot be read", Err: err}
	}
	s, err = c.Compile(place)
	var against *jsonschema.SchemaValidationError
	var no *jsonschema.ValidationError
	switch {
	case err == nil:
		return s, nil
	case errors.As(err, &against) && errors.As(against.Err, &no):
		f := first(no)
		return nil, &ui.Error{Code: CodeInvalid, Path: f.Path, Message: f.Text}
	}
	return nil, &ui.Error{Code: CodeInvalid, Message: "the schema cannot be read: " +
		excerpt.Of(strings.ReplaceAll(err.Error(), place, ""), 200)}
}

const place = "limn:///schema"

// nothing loads no schema from anywhere.
type nothing struct{}

func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("a schema that refers to another document: %s", excerpt.Of(url, 100))
}

// JSON returns the schema's text, compact; it must not be changed.
func (s *Schema) JSON() []byte { return s.raw }

// Fault is a rule that a value breaks.
type Fault struct {
	Path    string // JSON Pointer to it
	Keyword string // the rule: required, type, enum, …
	Text    string // in a few words, which may quote the value
}

// Check returns the first fault of a JSON text, or nil. A text that is no JSON
// has the keyword "json".
func (s *Schema) Check(text []byte) (f *Fault) {
	defer func() {
		if p := recover(); p != nil {
			f = &Fault{Keyword: "schema", Text: "the value cannot be checked"}
		}
	}()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return &Fault{Keyword: "json", Text: "no JSON"}
	}
	var no *jsonschema.ValidationError
	if err := s.is.Validate(v); errors.As(err, &no) {
		return first(no)
	} else if err != nil {
		return &Fault{Keyword: "schema", Text: "the value cannot be checked"}
	}
	return nil
}

var english = message.NewPrinter(language.English)

// first follows the first cause to the innermost fault; of causes that come from a map
// it takes the one that sorts first.
func first(e *jsonschema.ValidationError) *Fault {
	for len(e.Causes) > 0 {
		e = slices.MinFunc(e.Causes, func(a, b *jsonschema.ValidationError) int {
			return slices.Compare(a.InstanceLocation, b.InstanceLocation)
		})
	}
	f := &Fault{Path: jsonptr.Join(e.InstanceLocation...), Text: excerpt.Of(e.ErrorKind.LocalizedString(english), 200)}
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		f.Keyword = path[0]
	}
	return f
}
