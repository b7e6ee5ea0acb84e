package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
)

// wantError is the error a case expects: a text, or an object.
type wantError struct {
	Category string       `json:"category"`
	Message  string       `json:"message"`
	Code     string       `json:"code"`
	Details  []wantDetail `json:"details"`
}

type wantDetail struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func parseWant(raw json.RawMessage) (*wantError, error) {
	w := &wantError{}
	if json.Unmarshal(raw, &w.Message) == nil {
		return w, nil
	}
	if err := decodeStrict(raw, w); err != nil {
		return nil, fmt.Errorf("expectError: %w", err)
	}
	return w, nil
}

// fault is one thing that the product found wrong.
type fault struct {
	code    string   // a2ui.Code or client.Code
	text    string   // all the product says of it, and the type of the component
	paths   []string // dotted, as cases write them: from the batch, from the message, from the component
	missing bool     // the path leads to nothing in the message
}

func (f fault) String() string { return f.text }

// problemFault is a problem of the message raw, the index-th of its batch.
func problemFault(p *a2ui.Problem, index int, raw json.RawMessage) fault {
	f := fault{code: string(p.Code), text: p.Error()}
	var message map[string]any
	if json.Unmarshal(raw, &message) != nil {
		return f
	}
	key, body := "", any(nil)
	for k, v := range message {
		if k != "version" {
			key, body = k, v
		}
	}
	segments := strings.Split(strings.TrimPrefix(p.Path, "/"), "/")
	if p.Path == "" {
		segments = nil
	}
	from := []string{"messages", strconv.Itoa(index), key}
	if len(segments) > 0 && segments[0] == "version" {
		body, from = message, from[:2]
	}
	f.paths = append(f.paths, strings.Join(append(from, segments...), "."))
	f.paths = append(f.paths, strings.Join(segments, "."))
	if len(segments) > 2 && segments[0] == "components" {
		rest := segments[2:]
		f.paths = append(f.paths, strings.Join(rest, "."))
		if len(rest) > 2 && rest[0] == "component" { // v0.8: component/Text/text
			f.paths = append(f.paths, strings.Join(rest[2:], "."))
		}
		if len(rest) == 2 && rest[0] == "component" {
			f.paths = append(f.paths, "component")
		}
	}
	_, there := lookup(body, segments)
	f.missing = !there
	for i := range segments { // the functions whose arguments it is about
		if call, ok := lookup(body, segments[:i]); ok {
			for _, key := range []string{"call", "@call"} {
				if name, ok := lookup(call, []string{key}); ok {
					f.text += " (" + show(name) + ")"
					f.paths = append(f.paths, strings.Join(segments[i:], "."),
						strings.TrimPrefix(strings.Join(segments[i:], "."), "args."))
				}
			}
		}
	}
	if len(segments) > 1 && segments[0] == "components" {
		if typ, ok := lookup(body, []string{"components", segments[1], "component"}); ok {
			f.text += " (" + show(typ) + ")"
		}
	}
	return f
}

// lookup follows the segments of a JSON Pointer.
func lookup(v any, segments []string) (any, bool) {
	for _, s := range segments {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[s]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(s)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// errorFault reads an error of package client or a2ui that belongs to the index-th
// message of a batch.
func errorFault(err error, index int, raw json.RawMessage) fault {
	var p *a2ui.Problem
	if errors.As(err, &p) {
		return problemFault(p, index, raw)
	}
	var e *client.Error
	if errors.As(err, &e) {
		return fault{code: string(e.Code), text: e.Error()}
	}
	return fault{text: err.Error()}
}

// match says whether one of the faults is the wanted error: its category, its
// message by the table of reasons, every detail.
func (w *wantError) match(faults []fault) error {
	if w == nil {
		if len(faults) > 0 {
			return fmt.Errorf("no error expected: %v", faults)
		}
		return nil
	}
	if len(faults) == 0 {
		return fmt.Errorf("no error, want %s", w)
	}
	var why []error
	for _, f := range faults {
		err := w.matchOne(f)
		if err == nil {
			return w.details(faults)
		}
		why = append(why, err)
	}
	return fmt.Errorf("want %s: %w", w, errors.Join(why...))
}

func (w *wantError) String() string {
	b, _ := json.Marshal(w)
	return string(b)
}

func (w *wantError) matchOne(f fault) error {
	if w.Category != "" {
		list, ok := categories[f.code]
		if !ok {
			return fmt.Errorf("no category for the code %q: %s", f.code, f)
		}
		if !slices.Contains(list, w.Category) {
			return fmt.Errorf("another category (%s): %s", strings.Join(list, ", "), f)
		}
	}
	if w.Code != "" && w.Code != f.code && !slices.Contains(detailCodes(f), w.Code) {
		return fmt.Errorf("another code: %s", f)
	}
	if w.Message == "" {
		return nil
	}
	return sameReason(w.Message, f)
}

// details looks for every wanted detail among the faults.
func (w *wantError) details(faults []fault) error {
	for _, d := range w.Details {
		found := slices.ContainsFunc(faults, func(f fault) bool {
			return (d.Path == "" || slices.Contains(f.paths, d.Path)) &&
				(d.Code == "" || slices.Contains(detailCodes(f), d.Code)) &&
				(d.Message == "" || sameReason(d.Message, f) == nil)
		})
		if !found {
			return fmt.Errorf("no detail %s %s among %v", d.Path, d.Code, faults)
		}
	}
	return nil
}

// detailCodes are the codes that other SDKs give a fault. They tell a wrong type
// from a wrong value by the form of their schemas (a number for a list is an
// invalid value), which says nothing about the message; missing is missing.
func detailCodes(f fault) []string {
	if name := details[f.code]; name != "" {
		return []string{name}
	}
	if f.missing {
		return []string{"missing_field"}
	}
	return []string{"invalid_value", "type_mismatch", "extra_field", "invalid_pointer", "forbidden_path_segment"}
}

// quoted finds the names in an expected text: in quotes, or after a colon at the
// end; named finds keys and types beside them.
var (
	quoted = regexp.MustCompile(`'([^']+)'|"([^"]+)"|: ([\w.-]+)$`)
	named  = regexp.MustCompile(`@\w+|\b[a-z]+[A-Z]\w*\b`)

	bareWord = regexp.MustCompile(`^[\w.-]+$`)
)

// sameReason compares the text of another SDK with a fault: the first row of
// reasons that knows the text tells the codes, and every name in quotes must stand
// in what the product says. For a text that no row knows its names must decide.
func sameReason(want string, f fault) error {
	var names []string
	for _, m := range quoted.FindAllStringSubmatch(want, -1) {
		names = append(names, m[1]+m[2]+m[3])
	}
	i := slices.IndexFunc(reasons, func(r reason) bool { return r.text.MatchString(want) })
	switch {
	case i < 0:
		if names = append(names, named.FindAllString(want, -1)...); bareWord.MatchString(want) {
			names = []string{want}
		}
		if len(names) == 0 {
			return fmt.Errorf("the harness has no row for the expected text %q", want)
		}
	case !slices.Contains(reasons[i].codes, f.code):
		return fmt.Errorf("another reason than %q: %s", want, f)
	case reasons[i].loose:
		return nil
	}
	for _, name := range names {
		if !strings.Contains(f.text, name) && !slices.Contains(f.paths, name) {
			return fmt.Errorf("%q is not named: %s", name, f)
		}
	}
	return nil
}
