package a2ui_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// chain is a surface whose tree is n components deep.
func chain(n int) []a2ui.Message {
	list := make([]a2ui.Component, n)
	for i := range list {
		list[i] = a2ui.Component{ID: "c" + strconv.Itoa(i), Type: "Card",
			Props: []a2ui.Prop{{Name: "child", Value: a2ui.Ref("c" + strconv.Itoa(i+1))}}}
	}
	list[0].ID = "root"
	list[n-1].Type, list[n-1].Props = "Divider", nil
	return surfaceOf(list...)
}

func surfaceOf(list ...a2ui.Component) []a2ui.Message {
	return []a2ui.Message{
		&a2ui.CreateSurface{SurfaceID: "s", CatalogID: cat09, Root: "root"},
		&a2ui.UpdateComponents{SurfaceID: "s", Components: list},
	}
}

// flatTree is a root with n-1 children.
func flatTree(n int) []a2ui.Message {
	kids := make(a2ui.Refs, n-1)
	list := make([]a2ui.Component, 1, n)
	for i := range kids {
		kids[i] = "c" + strconv.Itoa(i)
		list = append(list, a2ui.Component{ID: kids[i], Type: "Divider"})
	}
	list[0] = a2ui.Component{ID: "root", Type: "Column", Props: []a2ui.Prop{{Name: "children", Value: kids}}}
	return surfaceOf(list...)
}

func withData(v a2ui.Data) []a2ui.Message {
	msgs := flatTree(2)
	return slices.Insert(msgs, 1, a2ui.Message(&a2ui.UpdateData{SurfaceID: "s", Path: "/d", Value: v}))
}

func nested(depth int) a2ui.Data {
	v := jsonx.Of("x")
	for range depth {
		v = jsonx.OfObject(a2ui.Member{Key: "k", Value: v})
	}
	return v
}

func calls(depth int) []a2ui.Message {
	var v a2ui.Value = a2ui.Bool(true)
	for range depth {
		v = a2ui.Call{Func: "not", Args: []a2ui.Prop{{Name: "value", Value: v}}}
	}
	return surfaceOf(a2ui.Component{ID: "root", Type: "CheckBox",
		Props: []a2ui.Prop{{Name: "label", Value: a2ui.String("L")}, {Name: "value", Value: v}}})
}

func text(n int) []a2ui.Message {
	return surfaceOf(a2ui.Component{ID: "root", Type: "Text",
		Props: []a2ui.Prop{{Name: "text", Value: a2ui.String(strings.Repeat("x", n))}}})
}

// bytesOf makes a message of exactly n bytes out of several texts.
func bytesOf(t *testing.T, n int) []a2ui.Message {
	var kids a2ui.Refs
	var list []a2ui.Component
	for i := range 19 {
		kids = append(kids, fmt.Sprint("c", i))
		list = append(list, text(n / 20)[1].(*a2ui.UpdateComponents).Components[0])
		list[i].ID = kids[i]
	}
	list = append(list, a2ui.Component{ID: "root", Type: "Column", Props: []a2ui.Prop{{Name: "children", Value: kids}}})
	msgs := surfaceOf(list...)
	b, err := a2ui.AppendMessage(nil, a2ui.V09, msgs[1])
	if err != nil || len(b) > n {
		t.Fatal(len(b), err)
	}
	list[0].Props[0].Value = a2ui.String(strings.Repeat("x", n/20+n-len(b)))
	return msgs
}

func TestLimitsAreInclusive(t *testing.T) {
	t.Parallel()
	many := func(n int) []a2ui.Message {
		msgs := flatTree(2)
		for len(msgs) < n {
			msgs = append(msgs, &a2ui.DeleteSurface{SurfaceID: "other"})
		}
		return msgs
	}
	wide := func(n int) []a2ui.Message {
		v := a2ui.Data{Kind: jsonx.Object}
		for i := range n - 1 { // and /d itself
			v.Members = append(v.Members, a2ui.Member{Key: "k" + strconv.Itoa(i), Value: jsonx.OfBool(true)})
		}
		return withData(v)
	}
	for _, c := range []struct {
		code a2ui.Code
		lim  a2ui.Limits
		n    int
		make func(n int) []a2ui.Message
	}{
		{a2ui.LimitDepth, a2ui.Limits{}, 50, chain},
		{a2ui.LimitDepth, a2ui.Limits{Depth: 3}, 3, chain},
		{a2ui.LimitComponents, a2ui.Limits{}, 2000, flatTree},
		{a2ui.LimitMessages, a2ui.Limits{}, 1000, many},
		{wire.LimitCallDepth, a2ui.Limits{}, 5, calls},
		{wire.LimitDataDepth, a2ui.Limits{}, 15, func(n int) []a2ui.Message { return withData(nested(n)) }},
		{wire.LimitDataEntries, a2ui.Limits{MessageBytes: 1 << 20}, 20_000, wide},
		{wire.LimitString, a2ui.Limits{}, 64 << 10, text},
		{wire.LimitSurfaceBytes, a2ui.Limits{String: 5 << 20, MessageBytes: 5 << 20}, 4 << 20,
			func(n int) []a2ui.Message { return text(n - len("root") - 4*16) }}, // component, id, property, text
		{wire.LimitSurfaceBytes, a2ui.Limits{SurfaceBytes: 1000}, 1000, func(n int) []a2ui.Message {
			return withData(jsonx.Of(strings.Repeat("x", n-121)))
		}},
		{wire.LimitBatchBytes, a2ui.Limits{BatchBytes: 1 << 20}, 1 << 20, func(n int) []a2ui.Message {
			msgs := bytesOf(t, n/2)
			create, err := a2ui.AppendMessage(nil, a2ui.V09, msgs[0])
			if err != nil {
				t.Fatal(err)
			}
			return append(msgs, bytesOf(t, n-n/2-len(create))[1])
		}},
		{a2ui.LimitBytes, a2ui.Limits{}, 512 << 10, func(n int) []a2ui.Message { return bytesOf(t, n) }},
	} {
		for _, profile := range []a2ui.Profile{a2ui.Spec, a2ui.Safe} {
			rules := a2ui.Rules{Dialect: a2ui.V09, Profile: profile, Limits: c.lim}
			if p := a2ui.Validate(rules, c.make(c.n)); p != nil {
				t.Errorf("%s: at the limit:%s", c.code, list(p))
			}
			if p := a2ui.Validate(rules, c.make(c.n+1)); !slices.Contains(codes(p), c.code) {
				t.Errorf("%s: over the limit:%s", c.code, list(p))
			}
		}
	}
}

// TestSurfaceGrowsToTheLimit: no turn is large, but the surface becomes so; what is
// replaced, deleted or drawn no more does not count, and a refused turn changes nothing.
func TestSurfaceGrowsToTheLimit(t *testing.T) {
	t.Parallel()
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe, Limits: a2ui.Limits{SurfaceBytes: 100_000}})
	if p := v.Check(flatTree(2)); p != nil {
		t.Fatal(list(p))
	}
	put := func(key string) a2ui.Message {
		return &a2ui.UpdateData{SurfaceID: "s", Path: "/" + key, Value: jsonx.Of(strings.Repeat("x", 40_000))}
	}
	draw := func(id string) a2ui.Message {
		return &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
			{ID: "root", Type: "Column", Props: []a2ui.Prop{{Name: "children", Value: a2ui.Refs{id}}}},
			{ID: id, Type: "Text", Props: []a2ui.Prop{{Name: "text", Value: a2ui.String(strings.Repeat("x", 40_000))}}}}}
	}
	for i, step := range []struct {
		send a2ui.Message
		want bool
	}{
		{put("a"), true}, {put("b"), true}, {put("c"), false}, {put("a"), true}, {draw("t0"), false},
		{&a2ui.UpdateData{SurfaceID: "s", Path: "/b", Delete: true}, true}, {draw("t1"), true}, {draw("t1"), true},
		{draw("t2"), true}, {put("b"), false}, {&a2ui.UpdateData{SurfaceID: "s", Path: "/", Value: jsonx.OfObject()}, true},
		{put("b"), true},
	} {
		p := v.Check([]a2ui.Message{step.send})
		if step.want != (p == nil) || p != nil && !slices.Equal(codes(p), []a2ui.Code{wire.LimitSurfaceBytes}) {
			t.Errorf("step %d:%s", i, list(p))
		}
	}
}

// TestUpdateAtTheLimit: what replaces does not count as more, nor does what is
// drawn no more.
func TestUpdateAtTheLimit(t *testing.T) {
	t.Parallel()
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe})
	msgs := flatTree(2000)
	if p := v.Check(msgs); p != nil {
		t.Fatal(list(p))
	}
	if p := v.Check(msgs[1:]); p != nil {
		t.Errorf("the same components again:%s", list(p))
	}
	root := msgs[1].(*a2ui.UpdateComponents).Components[0]
	kids := slices.Clone(root.Props[0].Value.(a2ui.Refs))
	with := func(kids a2ui.Refs, fresh string) *a2ui.UpdateComponents {
		return &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{
			{ID: root.ID, Type: root.Type, Props: []a2ui.Prop{{Name: "children", Value: kids}}},
			{ID: fresh, Type: "Divider", Props: []a2ui.Prop{{Name: "axis", Value: a2ui.String("vertical")}}}}}
	}
	if p := v.Check([]a2ui.Message{with(append(slices.Clone(kids), "new"), "new")}); !slices.Contains(codes(p), a2ui.LimitComponents) {
		t.Errorf("one more component:%s", list(p))
	}
	kids[0] = "new"
	if p := v.Check([]a2ui.Message{with(kids, "new")}); p != nil {
		t.Errorf("another component:%s", list(p))
	}
}

func TestDecodeLimits(t *testing.T) {
	t.Parallel()
	fill := func(n int) []byte {
		const head, tail = `{"deleteSurface":{"surfaceId":"`, `"}}`
		return []byte(head + strings.Repeat("x", 1000) + tail + strings.Repeat(" ", n-1000-len(head)-len(tail)))
	}
	if _, _, err := a2ui.DecodeMessage(fill(512 << 10)); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	var p *a2ui.Problem
	if _, _, err := a2ui.DecodeMessage(fill(512<<10 + 1)); !errors.As(err, &p) || p.Code != a2ui.LimitBytes {
		t.Errorf("over the limit: %v", err)
	}
	action := `{"userAction":{"name":"` + strings.Repeat("x", 100) +
		`","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":{}}}`
	for lim, want := range map[a2ui.Limits]a2ui.Code{
		{MessageBytes: len(action)}:     "",
		{MessageBytes: len(action) - 1}: wire.ClientTooLarge,
		{String: 100}:                   "",
		{String: 99}:                    wire.ClientTooLarge,
	} {
		_, _, err := a2ui.DecodeClient([]byte(action), lim)
		p = nil
		if want == "" && err != nil || want != "" && (!errors.As(err, &p) || p.Code != want) {
			t.Errorf("%+v: %v, want %q", lim, err, want)
		}
	}
}

// TestHugeInputsTakeLinearTime: what would be quadratic or overflow the stack
// does not.
func TestHugeInputsTakeLinearTime(t *testing.T) {
	t.Parallel()
	huge := a2ui.Limits{Components: 1 << 20, Depth: 1 << 20, MessageBytes: 1 << 28, SurfaceBytes: 1 << 28, DataEntries: 1 << 20}
	ring := chain(10_000)
	last := &ring[1].(*a2ui.UpdateComponents).Components[9_999]
	last.Type, last.Props = "Card", []a2ui.Prop{{Name: "child", Value: a2ui.Ref("root")}}
	wide := a2ui.Data{Kind: jsonx.Object}
	for i := range 100_000 {
		wide.Members = append(wide.Members, a2ui.Member{Key: "k" + strconv.Itoa(i), Value: jsonx.OfBool(true)})
	}
	star := flatTree(2) // one component that many others contain, each other's sibling
	var kids a2ui.Refs
	for range 100_000 {
		kids = append(kids, "c0")
	}
	star[1].(*a2ui.UpdateComponents).Components[0].Props[0].Value = kids
	// Every component contains all that come after it.
	fan := flatTree(1000)
	comps := fan[1].(*a2ui.UpdateComponents).Components
	for i := range comps[1:] {
		comps[1+i] = a2ui.Component{ID: comps[1+i].ID, Type: "Column",
			Props: []a2ui.Prop{{Name: "children", Value: comps[0].Props[0].Value.(a2ui.Refs)[i+1:]}}}
	}
	twice := flatTree(100_000)
	for i := range twice[1].(*a2ui.UpdateComponents).Components {
		twice[1].(*a2ui.UpdateComponents).Components[i].ID = "root"
	}
	path := withData(jsonx.Of("x"))
	path[1].(*a2ui.UpdateData).Path = strings.Repeat("/a", 30_000)
	// Templates in templates, each drawing the same list twice.
	nest := []a2ui.Component{}
	for i := range 20 {
		row := fmt.Sprint("r", i)
		nest = append(nest, a2ui.Component{ID: row, Type: "Column",
			Props: []a2ui.Prop{{Name: "children", Value: a2ui.Refs{row + "a", row + "b"}}}})
		for _, side := range []string{"a", "b"} {
			nest = append(nest, a2ui.Component{ID: row + side, Type: "List", Props: []a2ui.Prop{{Name: "children",
				Value: a2ui.Template{Component: fmt.Sprint("r", i+1),
					Path: map[string]string{"a": "l", "b": "m"}[side]}}}})
		}
	}
	nest[0].ID = "root"
	nest[1].Props[0].Value, nest[2].Props[0].Value = a2ui.Template{Component: "r1", Path: "/l"},
		a2ui.Template{Component: "r1", Path: "/m"}
	nest = append(nest, a2ui.Component{ID: "r20", Type: "Divider"})
	templates := surfaceOf(nest...)
	lists := jsonx.OfObject(a2ui.Member{Key: "l", Value: jsonx.OfArray()},
		a2ui.Member{Key: "m", Value: jsonx.OfArray()})
	for range 7 {
		lists = jsonx.OfObject(a2ui.Member{Key: "l", Value: jsonx.OfArray(lists, lists)},
			a2ui.Member{Key: "m", Value: jsonx.OfArray(lists)})
	}
	templates = slices.Insert(templates, 1, a2ui.Message(&a2ui.UpdateData{SurfaceID: "s", Value: lists}))
	for name, c := range map[string]struct {
		msgs []a2ui.Message
		lim  a2ui.Limits
		want []a2ui.Code
	}{
		"fan":           {fan, huge, nil},
		"twice":         {twice, huge, slices.Repeat([]a2ui.Code{wire.ComponentDuplicate}, 200)},
		"path":          {path, huge, []a2ui.Code{wire.LimitDataDepth}},
		"templates":     {templates, huge, []a2ui.Code{a2ui.LimitComponents}},
		"deep":          {chain(10_000), huge, nil},
		"deep, limited": {chain(10_000), a2ui.Limits{Components: 1 << 20, MessageBytes: 1 << 28}, []a2ui.Code{a2ui.LimitDepth}},
		"ring":          {ring, huge, []a2ui.Code{wire.ComponentCycle}},
		"wide":          {flatTree(100_000), huge, nil},
		"star":          {star, huge, nil},
		"data":          {withData(wide), huge, nil},
	} {
		got := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe, Limits: c.lim}, c.msgs)
		if !slices.Equal(codes(got), c.want) {
			t.Errorf("%s:%s, want %v", name, list(got), c.want)
		}
	}
	bad := flatTree(1000)
	for i := range bad[1].(*a2ui.UpdateComponents).Components {
		bad[1].(*a2ui.UpdateComponents).Components[i].Type = "Nope"
	}
	if got := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09}, bad); len(got) != 200 {
		t.Errorf("%d problems listed, want 200", len(got))
	}
}
