package directives

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// anyType in Scenario.Forbid means every directive.
const anyType = "*"

// The codes of answers that are usable and wrong.
const (
	CodeMissing   ui.Code = "EVAL_DIRECTIVE_MISSING"   // a directive that is wanted did not come
	CodeNotCalled ui.Code = "EVAL_CALL_MISSING"        // a tool that is wanted was not called so
	CodeForbidden ui.Code = "EVAL_DIRECTIVE_FORBIDDEN" // one that is forbidden came
	CodeSilent    ui.Code = "EVAL_TEXT_MISSING"        // words are wanted, and none came
	CodeScreen    ui.Code = "EVAL_SCREEN_DIFFERS"      // the screen is not as wanted
	CodeDrawings  ui.Code = "EVAL_DRAWINGS_DIFFER"     // update and snapshot show different things
)

// said compares an envelope, and the calls before it, with the scenario's expectations.
func (sc *Scenario) said(env directive.Envelope, calls []agent.Called) error {
	for _, d := range env.Directives {
		if slices.Contains(sc.Forbid, anyType) || slices.Contains(sc.Forbid, d.Type) {
			return ui.Errorf(CodeForbidden, "", "%s came", d.Type)
		}
	}
	var came, called []Saying
	for _, d := range env.Directives {
		came = append(came, Saying{d.Type, d.Payload})
	}
	for _, c := range calls {
		if args, err := jsonx.Parse([]byte(c.Arguments), jsonx.Limits{}); err == nil && c.Code == "" {
			called = append(called, Saying{c.Tool, args})
		}
	}
	for _, part := range []struct {
		code      ui.Code
		got, want []Saying
	}{{CodeNotCalled, called, sc.Calls}, {CodeMissing, came, sc.Want}} {
		for _, want := range part.want {
			i := slices.IndexFunc(part.got, func(got Saying) bool {
				return got.Type == want.Type && holds(got.Payload, want.Payload)
			})
			if i < 0 {
				return ui.Errorf(part.code, "", "no %s %.200s", want.Type, jsonx.Append(nil, want.Payload))
			}
			part.got = slices.Delete(part.got, i, i+1)
		}
	}
	if len(sc.Want) == 0 && strings.TrimSpace(env.Text) == "" {
		return ui.Errorf(CodeSilent, "", "words are wanted, none came")
	}
	return nil
}

// holds reports whether a value has all that is wanted of it. Members and items
// that is not wanted may be there as well; an item may be anywhere in a list.
// Scalars are compared as text, without case and outer space: models write
// "500" for 500.
func holds(got, want jsonx.Value) bool {
	switch want.Kind {
	case jsonx.Object:
		for _, m := range want.Members {
			v, ok := got.Get(m.Key)
			if !ok || !holds(v, m.Value) {
				return false
			}
		}
		return got.Kind == jsonx.Object
	case jsonx.Array:
		left := slices.Clone(got.Items)
		for _, item := range want.Items {
			i := slices.IndexFunc(left, func(v jsonx.Value) bool { return holds(v, item) })
			if i < 0 {
				return false
			}
			left = slices.Delete(left, i, i+1)
		}
		return got.Kind == jsonx.Array
	case jsonx.Null:
		return got.Kind == jsonx.Null || got.Kind == jsonx.String && got.Str == ""
	}
	if got.Kind == jsonx.Array && len(got.Items) == 1 { // a choice of one
		got = got.Items[0]
	}
	if got.Kind == jsonx.Array || got.Kind == jsonx.Object {
		return false
	}
	return strings.EqualFold(scalar(got), scalar(want))
}

func scalar(v jsonx.Value) string {
	if v.Kind == jsonx.Bool {
		return strconv.FormatBool(v.Bool)
	}
	return strings.TrimSpace(v.Str)
}

// shown judges the state by the screen that the scenario wants.
func (sc *Scenario) shown(s *ui.State) error {
	for _, name := range slices.Sorted(maps.Keys(sc.Screen)) {
		want, sf := sc.Screen[name], s.Surface(name)
		open := sf != nil && sf.Status == ui.StatusOpen
		switch {
		case want.Absent && open:
			return ui.Errorf(CodeScreen, "", "%s is open", name)
		case want.Absent:
			continue
		case !open:
			return ui.Errorf(CodeScreen, "", "%s is not open", name)
		}
		for _, key := range slices.Sorted(maps.Keys(want.Values)) {
			got, _ := sf.Get(ui.Path("/draft/" + key))
			v, err := jsonx.Parse(got.AppendJSON(nil), jsonx.Limits{})
			if err != nil || !holds(v, want.Values[key].Value) {
				return ui.Errorf(CodeScreen, "", "%s of %s is %.80s, not %.80s", key, name, got.AppendJSON(nil),
					jsonx.Append(nil, want.Values[key].Value))
			}
		}
		if n := filled(sf.Draft); n < want.Rows {
			return ui.Errorf(CodeScreen, "", "%d rows of %s hold something, not %d", n, name, want.Rows)
		}
	}
	return nil
}

// filled counts the rows of a draft that hold something; of several lists, those
// of the one with the most.
func filled(draft ui.Value) (most int) {
	for _, p := range draft.Pairs() {
		n := 0
		for _, rec := range p.Value.Records() {
			if slices.ContainsFunc(rec.Cells.Pairs(), func(c ui.Pair) bool { return !c.Value.Empty() }) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
