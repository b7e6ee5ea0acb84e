package models

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/llm"
)

// names are the keys of an entry in the order they are written. They are those
// of llm.Capabilities in JSON.
var names = []string{"provider", "model", "like", "keys", "json_schema", "json_object", "tools", "parallel_key",
	"parallel_needs_tools",
	"parallel_tools", "streaming", "images", "context", "output", "price"}

// place returns where a value of an entry is kept: a pointer to a bool, a text, a
// number of tokens, a list or a price. nil is like, which is only read.
func place(e *llm.Entry, name string) any {
	switch name {
	case "provider":
		return &e.Provider
	case "model":
		return &e.Model
	}
	fields := reflect.ValueOf(&e.Capabilities).Elem()
	for i := range fields.NumField() {
		if key, _, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ","); key == name {
			return fields.Field(i).Addr().Interface()
		}
	}
	return nil
}

// entry reads one entry of the list.
func (r *reader) entry(n *yaml.Node) llm.Entry {
	e := llm.Entry{Source: fmt.Sprintf("%s:%d", r.file, n.Line)}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		r.fault(n.Line, "the entry has an anchor or an alias; write it out")
		return e
	}
	values := r.mapping(n, names)
	if like := values["like"]; like != nil {
		if like.Value != "generic" || like.Kind != yaml.ScalarNode {
			r.fault(like.Line, "like knows one word: generic, a server that follows the published API")
		}
		e.Capabilities = llm.Generic()
	}
	for _, name := range names {
		if v := values[name]; v != nil {
			r.value(v, name, place(&e, name))
		}
	}
	for _, name := range []string{"provider", "model"} {
		if values[name] == nil && n.Kind == yaml.MappingNode {
			r.fault(n.Line, "the entry has no %s", name).Hint = `"*" is any`
		}
	}
	if host, isURL := hostOf(e.Provider); isURL {
		r.fault(values["provider"].Line, "provider %s is an address, which never matches",
			shown(e.Provider)).Hint = "write its host: " + shown(host)
	}
	switch {
	case e.Context > 0 && e.Output > e.Context:
		r.fault(values["output"].Line, "output is above context: %d of %d tokens", e.Output, e.Context)
	case e.ParallelNeedsTools && !e.ParallelKey:
		r.fault(values["parallel_needs_tools"].Line,
			"parallel_needs_tools is about a key that the entry does not have").Hint = "add parallel_key: true"
	}
	return e
}

// value reads one value into its place.
func (r *reader) value(n *yaml.Node, name string, to any) {
	scalar, tag := n.Kind == yaml.ScalarNode, n.ShortTag()
	switch to := to.(type) {
	case *string:
		if !scalar || tag == "!!null" {
			r.fault(n.Line, "%s is a text", name)
			return
		}
		if *to = n.Value; !plain(*to) {
			r.fault(n.Line, "%s is empty, above 256 bytes or holds characters that do not print: %q", name, shown(*to))
			*to = ""
		}
	case *bool:
		if !scalar || tag != "!!bool" || n.Decode(to) != nil {
			r.fault(n.Line, "%s is true or false", name)
		}
	case *int:
		i, err := strconv.Atoi(strings.ReplaceAll(n.Value, "_", ""))
		if !scalar || tag != "!!int" || err != nil || i < 0 || i > maxTokens {
			r.fault(n.Line, "%s is a number of tokens, from 0 to %d", name, maxTokens)
			return
		}
		*to = i
	case *[]string:
		r.keys(n, to)
	case *llm.Price:
		values := r.mapping(n, []string{"in", "cached_in", "out"})
		r.price(values["cached_in"], "cached_in", &to.CachedIn)
		r.price(values["in"], "in", &to.In)
		r.price(values["out"], "out", &to.Out)
	}
}

// price reads US dollars per million tokens; nil is not there.
func (r *reader) price(n *yaml.Node, part string, to *float64) {
	if n == nil {
		return
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(f) || f < 0 || f > maxPrice {
		r.fault(n.Line, "price %s is US dollars per million tokens, from 0 to %d", part, maxPrice)
		return
	}
	*to = f
}

// keys reads the names of free keys.
func (r *reader) keys(n *yaml.Node, to *[]string) {
	*to = nil
	if n.Kind != yaml.SequenceNode {
		r.fault(n.Line, "keys is a list of names, such as [temperature, max_tokens]")
		return
	}
	for _, k := range n.Content {
		switch {
		case k.Kind != yaml.ScalarNode || k.Value != "*" && strings.Trim(k.Value, letters) != "" || k.Value == "" ||
			len(k.Value) > 64:
			r.fault(k.Line, "%q is no name of a key: letters, digits, _ and -, at most 64", shown(k.Value))
		case llm.Reserved(k.Value) && !slices.Contains(
			[]string{"max_tokens", "max_completion_tokens", "stream_options"}, k.Value):
			r.fault(k.Line, "%s is decided by each request, not by keys",
				k.Value).Hint = "declare json_schema, json_object, tools, parallel_key or streaming"
		case slices.Contains(*to, k.Value):
			r.fault(k.Line, "%s stands twice in keys", k.Value)
		case len(*to) == maxKeys:
			r.fault(k.Line, "more than %d keys", maxKeys)
			return
		default:
			*to = append(*to, k.Value)
		}
	}
}

// hostOf returns the host, with its port, of a provider that is written as an
// address. A host has no slash.
func hostOf(provider string) (host string, isURL bool) {
	_, rest, ok := strings.Cut(provider, "://")
	if !ok {
		rest = provider
	}
	host, _, path := strings.Cut(rest, "/")
	return host, ok || path
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// plain reports whether a pattern can be meant.
func plain(s string) bool {
	return strings.TrimSpace(s) != "" && len(s) <= 256 && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return printable(r) != r })
}

// printable replaces what does not print.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return '\uFFFD'
	}
	return r
}
