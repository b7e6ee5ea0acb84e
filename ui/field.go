package ui

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
)

// FieldType is the declared type of a field or a table column.
type FieldType string

// The field types. The comment of each is the value committed for it.
const (
	TypeText     FieldType = "text"     // string, one line
	TypeLongText FieldType = "longtext" // string, several lines
	TypeNumber   FieldType = "number"   // number
	TypeEmail    FieldType = "email"    // string
	TypeURL      FieldType = "url"      // string, http or https
	TypeDate     FieldType = "date"     // string YYYY-MM-DD
	TypeTime     FieldType = "time"     // string HH:MM
	TypeDateTime FieldType = "datetime" // string YYYY-MM-DDTHH:MM
	TypeChoice   FieldType = "choice"   // string, one of Options
	TypeChoices  FieldType = "choices"  // list of strings out of Options
	TypeBoolean  FieldType = "boolean"  // bool; required means true
	TypeSlider   FieldType = "slider"   // number between Min and Max
	TypeTags     FieldType = "tags"     // list of strings; drafted as comma separated text
	TypeUpload   FieldType = "upload"   // string, id of an upload of this conversation
)

var fieldTypes = []FieldType{TypeText, TypeLongText, TypeNumber, TypeEmail, TypeURL, TypeDate, TypeTime, TypeDateTime,
	TypeChoice, TypeChoices, TypeBoolean, TypeSlider, TypeTags, TypeUpload}

// FieldTypes returns every FieldType in the order of the documentation.
func FieldTypes() []FieldType { return slices.Clone(fieldTypes) }

// Field is what an app declares about one input: of a form, or as the column
// of a table. Zero members mean "no rule".
type Field struct {
	Name        string    `json:"name"` // a key: [a-z][a-z0-9_-]{0,63}
	Label       string    `json:"label,omitempty"`
	Type        FieldType `json:"type"`
	Required    bool      `json:"required,omitempty"`
	Help        string    `json:"help,omitempty"`
	Placeholder string    `json:"placeholder,omitempty"`
	// number: value; text, tags, choices: length or count; date and time: ISO bound
	Min     string   `json:"min,omitempty"`
	Max     string   `json:"max,omitempty"`
	Step    string   `json:"step,omitempty"`    // slider and number
	Pattern string   `json:"pattern,omitempty"` // RE2, unanchored, text types only
	Options []Option `json:"options,omitempty"`
	Accept  []string `json:"accept,omitempty"` // upload: media types
	Default Value    `json:"default,omitzero"`
	// emptied on the screen by a successful submit; the committed value stays
	Clear bool `json:"clear,omitempty"`
	// of text, not of a column: it shows as dots, and is kept and sent as any other text
	Obscured bool `json:"obscured,omitempty"`
}

// Option is one choice: the submitted value and what people read.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label,omitempty"` // default: Value
}

// Text returns what people read.
func (o Option) Text() string { return cmp.Or(o.Label, o.Value) }

// Title returns the label, or the name where none is declared.
func (f Field) Title() string { return cmp.Or(f.Label, f.Name) }

// Canonical is the text of a value that a person typed as w has it: a number without its groups
// and with a point, a date as it is kept. A text that is neither stays.
func (f Field) Canonical(w Words, typed string) string { return w.read(f.Type, typed) }

// Shown is a value in words: the labels of options, yes and no, dates and numbers as w has them, dots for one that is
// obscured.
func (f Field) Shown(w Words, v Value) string {
	label := func(s string) string {
		if i := slices.IndexFunc(f.Options, func(o Option) bool { return o.Value == s }); i >= 0 {
			return f.Options[i].Text()
		}
		return s
	}
	if f.Obscured && !v.Empty() {
		return "••••"
	}
	switch v.Kind() {
	case BoolValue:
		if v.True() {
			return w.Say("value.yes")
		}
		return w.Say("value.no")
	case StringsValue:
		list := slices.Clone(v.List())
		for i := range list {
			list[i] = label(list[i])
		}
		return strings.Join(list, ", ")
	}
	if v.Kind() == NumberValue {
		return w.number(v.Text())
	}
	return w.typed(f.Type, label(v.Text()))
}

// Blank returns the draft value of an untouched field: the default in draft
// form, else the empty value of its type. Every bound leaf has one, so that no
// client ever binds a path without a value.
func (f Field) Blank() Value { return f.Draft(f.Default) }

// Draft turns a typed value into the kind the draft of this field holds: text
// inputs draft text whatever they mean, so nothing typed is ever rewritten.
func (f Field) Draft(v Value) Value {
	switch f.Type {
	case TypeBoolean:
		return Bool(v.True() || v.Kind() == StringValue && v.Text() == "true")
	case TypeChoices:
		if v.Kind() == StringsValue {
			return v
		}
		if v.Empty() {
			return Strings()
		}
		return Strings(v.Text())
	case TypeSlider:
		if v.Kind() == NumberValue {
			return v
		}
		for _, text := range [...]string{v.Text(), f.Min} {
			if n, ok := Number(text); ok {
				return n
			}
		}
		return Int(0)
	}
	if f.Type == TypeNumber && v.Kind() == NumberValue {
		return draftNumber(v)
	}
	return String(v.Text())
}

// draftKind is the kind of what Draft returns; a value of that kind stays as it is.
func (f Field) draftKind() ValueKind {
	switch f.Type {
	case TypeBoolean:
		return BoolValue
	case TypeChoices:
		return StringsValue
	case TypeSlider:
		return NumberValue
	}
	return StringValue
}

// FieldError is one thing wrong with a draft. Text is for the user; Path is that of a
// field, /draft/name, or of a cell, /draft/table/row/column.
type FieldError struct {
	Path Path   `json:"path"`
	Code Code   `json:"code"`
	Text string `json:"text"`
}

// Validate checks a declared field: known type, options where they belong,
// bounds and pattern that can be read.
func (f Field) Validate() error {
	if !slices.Contains(fieldTypes, f.Type) {
		return Errorf(codeNodeInvalid, "type", "unknown field type %q: want one of %v", excerpt.Of(string(f.Type), 40),
			fieldTypes)
	}
	if needs := f.Type == TypeChoice || f.Type == TypeChoices; needs != (len(f.Options) > 0) {
		return Errorf(codeNodeInvalid, "options", "type %s: options belong to choice and choices, and both need some",
			f.Type)
	}
	seen := map[string]bool{}
	for _, o := range f.Options {
		if o.Value == "" || seen[o.Value] {
			return Errorf(codeNodeInvalid, "options", "option %q is empty or stands twice", excerpt.Of(o.Value, 40))
		}
		seen[o.Value] = true
	}
	if f.Pattern != "" {
		if len(f.Pattern) > 256 {
			return Errorf(codeNodeInvalid, "pattern", "pattern above 256 bytes")
		}
		if _, err := regexp.Compile(f.Pattern); err != nil {
			return &Error{Code: codeNodeInvalid, Path: "pattern", Message: "no RE2 pattern", Err: err}
		}
	}
	if f.Obscured && f.Type != TypeText {
		return Errorf(codeNodeInvalid, "obscured", "type %s: only text can be obscured", f.Type)
	}
	if f.Type == TypeSlider && (f.Min == "" || f.Max == "") {
		return Errorf(codeNodeInvalid, "max", "a slider needs min and max")
	}
	if err := f.checkBounds(); err != nil {
		return err
	}
	if !f.Default.IsNull() {
		if _, e := f.Check(f.Draft(f.Default), f.Title(), nil); e != nil {
			return Errorf(codeNodeInvalid, "default", "the default breaks the field's own rules: %s", e.Text)
		}
	}
	return nil
}

// bound is a limit of values in the order of a type: a number, which lengths are too, or the stored form of a time.
type bound struct {
	number float64
	iso    string
}

// checkBounds reports a bound that cannot be read, and bounds that no value keeps.
func (f Field) checkBounds() error {
	var lo, hi, step bound
	for _, b := range [...]struct {
		name, text string
		to         *bound
	}{{"min", f.Min, &lo}, {"max", f.Max, &hi}, {"step", f.Step, &step}} {
		ok := true
		if b.text != "" {
			*b.to, ok = f.bound(b.text)
		}
		if !ok {
			return Errorf(codeNodeInvalid, b.name, "%s %q cannot be read for type %s", b.name,
				excerpt.Of(b.text, 40), f.Type)
		}
	}
	slider := f.Type == TypeSlider
	order := cmp.Or(cmp.Compare(lo.number, hi.number), cmp.Compare(lo.iso, hi.iso))
	switch {
	case f.Step != "" && (f.Type != TypeNumber && !slider || step.number <= 0):
		return Errorf(codeNodeInvalid, "step", "a step is above 0, and belongs to number and slider")
	case f.Min != "" && f.Max != "" && (order > 0 || order == 0 && slider):
		return Errorf(codeNodeInvalid, "max", "max %s is not above min %s", excerpt.Of(f.Max, 40),
			excerpt.Of(f.Min, 40))
	case f.Type == TypeChoices && lo.number > float64(len(f.Options)):
		return Errorf(codeNodeInvalid, "min", "min %s is above the number of options", excerpt.Of(f.Min, 40))
	}
	return nil
}

// bound reads a bound of the type.
func (f Field) bound(text string) (b bound, ok bool) {
	switch f.Type {
	case TypeNumber, TypeSlider:
		v, is := Number(text)
		b.number, ok = v.Float()
		return b, is && ok
	case TypeDate, TypeTime, TypeDateTime:
		b.iso, ok = f.isoTime(text)
		return b, ok
	case TypeBoolean, TypeChoice, TypeUpload:
		return b, false
	}
	n, err := strconv.Atoi(text)
	return bound{number: float64(n)}, err == nil && n >= 0
}
