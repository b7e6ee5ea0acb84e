package models

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Put returns a capabilities file with some values of an entry written into it:
// into the lines of the entry with the same provider and model or, if there is
// none, as a new entry before all others, since the first that matches decides.
// Every other byte stays as it was. fields names the values, such as "tools";
// those of a new entry that are not named are left out.
//
// The result is read again before it is returned: should another entry have
// changed, or the file be one that cannot be edited line by line, the error
// says so and what to write by hand. An empty file is a new one.
func Put(name string, data []byte, e llm.Entry, fields []string) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		data = append(data, "models:\n"...)
	}
	before, err := Load(name, data)
	if err != nil {
		return nil, err
	}
	f, err := open(name, data)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(before, func(have llm.Entry) bool {
		return have.Provider == e.Provider &&
			have.Model == e.Model
	})
	want := slices.Clone(before)
	if at < 0 {
		want = slices.Insert(want, 0, copied(llm.Entry{Provider: e.Provider, Model: e.Model}, e, fields))
		f.insert(e, fields)
	} else {
		want[at] = copied(before[at], e, fields)
		f.update(at, before[at], e, fields)
	}
	out := []byte(strings.Join(f.lines, ""))
	if after, err := Load(name, out); err != nil || !same(after, want) {
		return nil, &ui.Error{Code: llm.CodeConfigInvalid, Path: name,
			Message: "the file cannot be edited line by line",
			Hint:    "write this by hand:\n" + strings.Join(written(e, fields, "  ", "\n"), "")}
	}
	return out, nil
}

// copied returns base with some values of e.
func copied(base, e llm.Entry, fields []string) llm.Entry {
	for _, name := range fields {
		if from := place(&e, name); from != nil {
			reflect.ValueOf(place(&base, name)).Elem().Set(reflect.ValueOf(from).Elem())
		}
	}
	return base
}

// same compares tables but for the lines of their entries.
func same(a, b llm.Table) bool {
	return slices.EqualFunc(a, b, func(x, y llm.Entry) bool {
		x.Source, y.Source = "", ""
		x.Keys, y.Keys = slices.Clip(append([]string{}, x.Keys...)), slices.Clip(append([]string{}, y.Keys...))
		return reflect.DeepEqual(x, y)
	})
}

// source is a file as lines, each with its end.
type source struct {
	lines []string
	list  *yaml.Node // of the entries; nil = "models:" alone
	at    int        // line of "models:", from 1
	end   string     // how a line ends
}

func open(name string, data []byte) (*source, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if strings.ContainsAny(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r\u0085\u2028\u2029") {
		return nil, ui.Errorf(llm.CodeConfigInvalid, name, "the file has line breaks that are no newlines")
	}
	f := &source{lines: strings.SplitAfter(string(data), "\n"), end: "\n"}
	if strings.HasSuffix(f.lines[0], "\r\n") {
		f.end = "\r\n"
	}
	doc := root.Content[0] // a mapping with models: Load took it
	for i := 0; i < len(doc.Content); i += 2 {
		f.at = doc.Content[i].Line
		if v := doc.Content[i+1]; v.Kind == yaml.SequenceNode && len(v.Content) > 0 {
			f.list = v
		}
	}
	return f, nil
}

// insert writes a new entry before all others.
func (f *source) insert(e llm.Entry, fields []string) {
	indent := "  "
	if f.list != nil {
		indent = strings.Repeat(" ", max(0, f.list.Column-1))
	}
	f.add(f.at, written(e, fields, indent, f.end))
}

// add puts lines after line at.
func (f *source) add(at int, lines []string) {
	if last := f.lines[at-1]; len(lines) > 0 && !strings.HasSuffix(last, "\n") {
		f.lines[at-1] = last + f.end
	}
	f.lines = slices.Insert(f.lines, at, lines...)
}

// update writes values into an entry where they differ from had: over the lines they
// are on, a comment at the end of a line aside, or below its last one.
func (f *source) update(at int, had, e llm.Entry, fields []string) {
	entry := f.list.Content[at]
	stop := len(f.lines) + 1 // the line after the entry
	if at+1 < len(f.list.Content) {
		stop = f.list.Content[at+1].Line
	}
	below := f.trimmed(entry.Line, stop)
	indent := strings.Repeat(" ", max(0, entry.Column-1))
	var more []string
	for _, name := range names {
		if slices.Contains(fields, name) && name != "provider" && name != "model" && !has(entry, name) {
			more = append(more, indent+name+": "+text(place(&e, name))+f.end)
		}
	}
	f.add(below-1, more)
	for i := len(entry.Content) - 2; i >= 0; i -= 2 { // from the end, since lines move
		k, next := entry.Content[i], below
		if i+2 < len(entry.Content) {
			next = f.trimmed(k.Line, entry.Content[i+2].Line)
		}
		if p := place(&e, k.Value); p != nil && slices.Contains(fields, k.Value) && k.Value != "provider" &&
			k.Value != "model" && !reflect.DeepEqual(p, place(&had, k.Value)) {
			line := f.lines[k.Line-1][:k.Column-1] + k.Value + ": " + text(p)
			if c := entry.Content[i+1].LineComment; c != "" {
				line += " " + c
			}
			f.lines = slices.Replace(f.lines, k.Line-1, next-1, line+f.end)
		}
	}
}

func has(entry *yaml.Node, name string) bool {
	for i := 0; i < len(entry.Content); i += 2 {
		if entry.Content[i].Value == name {
			return true
		}
	}
	return false
}

// trimmed returns the line after the last one from first to before stop that
// is neither empty nor a comment: those belong to what follows.
func (f *source) trimmed(first, stop int) int {
	for stop > first+1 {
		l := strings.TrimSpace(f.lines[stop-2])
		if l != "" && !strings.HasPrefix(l, "#") {
			break
		}
		stop--
	}
	return stop
}

// written returns the lines of an entry: its names, and some of its values.
func written(e llm.Entry, fields []string, indent, end string) []string {
	lines := []string{indent + "- provider: " + quoted(e.Provider) + end, indent + "  model: " + quoted(e.Model) + end}
	for _, name := range names {
		p := place(&e, name)
		if _, isText := p.(*string); slices.Contains(fields, name) && p != nil && !isText {
			lines = append(lines, indent+"  "+name+": "+text(p)+end)
		}
	}
	return lines
}

// text writes a value on one line.
func text(p any) string {
	switch p := p.(type) {
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case *[]string:
		out := slices.Clone(*p)
		for i, k := range out {
			out[i] = quoted(k)
		}
		return "[" + strings.Join(out, ", ") + "]"
	case *llm.Price:
		number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
		cached := ""
		if p.CachedIn != 0 { // 0 is as In
			cached = ", cached_in: " + number(p.CachedIn)
		}
		return "{in: " + number(p.In) + cached + ", out: " + number(p.Out) + "}"
	}
	return ""
}

// quoted writes a text so that YAML reads it back as one.
func quoted(s string) string {
	if strings.Trim(s, letters+"./:") == "" && strings.ContainsAny(s[:1], letters[:52]) && !strings.HasSuffix(s, ":") {
		var n yaml.Node
		if yaml.Unmarshal([]byte(s), &n) == nil && len(n.Content) == 1 && n.Content[0].ShortTag() == "!!str" {
			return s
		}
	}
	return strconv.Quote(s)
}
