package ui

import (
	"regexp"
	"slices"
	"strconv"
)

// Validate checks a declared field: known type, options where they belong,
// bounds and pattern that can be read.
func (f Field) Validate() error {
	if !slices.Contains(fieldTypes, f.Type) {
		return Errorf(CodeNodeInvalid, "type", "unknown field type %q: want one of %v", clip(string(f.Type), 40), fieldTypes)
	}
	if needs := f.Type == TypeChoice || f.Type == TypeChoices; needs != (len(f.Options) > 0) {
		return Errorf(CodeNodeInvalid, "options", "type %s: options belong to choice and choices, and both need some", f.Type)
	}
	seen := map[string]bool{}
	for _, o := range f.Options {
		if o.Value == "" || seen[o.Value] {
			return Errorf(CodeNodeInvalid, "options", "option %q is empty or stands twice", clip(o.Value, 40))
		}
		seen[o.Value] = true
	}
	if f.Pattern != "" {
		if len(f.Pattern) > 256 {
			return Errorf(CodeNodeInvalid, "pattern", "pattern above 256 bytes")
		}
		if _, err := regexp.Compile(f.Pattern); err != nil {
			return &Error{Code: CodeNodeInvalid, Path: "pattern", Message: "no RE2 pattern", Err: err}
		}
	}
	if f.Type == TypeSlider && (f.Min == "" || f.Max == "") {
		return Errorf(CodeNodeInvalid, "max", "a slider needs min and max")
	}
	for _, b := range [...]struct{ name, text string }{{"min", f.Min}, {"max", f.Max}, {"step", f.Step}} {
		if b.text != "" && !f.boundReads(b.name, b.text) {
			return Errorf(CodeNodeInvalid, b.name, "%s %q cannot be read for type %s", b.name, clip(b.text, 40), f.Type)
		}
	}
	if !f.Default.IsNull() {
		if _, e := f.Check(f.Draft(f.Default), f.Title(), nil); e != nil {
			return Errorf(CodeNodeInvalid, "default", "the default breaks the field's own rules: %s", e.Text)
		}
	}
	return nil
}

func (f Field) boundReads(name, bound string) bool {
	switch f.Type {
	case TypeNumber, TypeSlider:
		_, err := strconv.ParseFloat(bound, 64)
		return err == nil
	case TypeDate, TypeTime, TypeDateTime:
		_, ok := f.isoTime(bound)
		return ok && name != "step"
	case TypeBoolean, TypeChoice, TypeUpload:
		return false
	}
	_, err := strconv.Atoi(bound)
	return name != "step" && err == nil
}
