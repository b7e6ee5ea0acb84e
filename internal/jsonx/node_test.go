package jsonx

import (
	"fmt"
	"strings"
	"testing"
)

func ExampleDoc_Scan() {
	var d Doc
	for _, in := range []string{`{"a":[1,"x"],"b\n":true}`, `[{}]`} {
		if err := d.Scan([]byte(in), Limits{}); err != nil {
			fmt.Println(err)
		}
		for e := d.Root().Entries(); e.OK(); e = e.Next() {
			fmt.Printf("%q %s %d\n", e.Key(), e.Value().Kind(), e.Value().Len())
		}
	}
	// Output:
	// "a" array 2
	// "b\n" boolean 0
	// "" object 0
}

// TestNodesAreValues: a Doc that is used again holds what Parse returns, and
// what was made of the input before stays as it was.
func TestNodesAreValues(t *testing.T) {
	t.Parallel()
	var d Doc
	var before Value
	var text string
	for _, in := range []string{
		`{"k":{"deep":[[],{},[null,false,-1.50e3,"é\"",""]]},"":"\u0041"}`, `{"\u0042":"\n"}`, `"x"`, `[` + strings.Repeat(`{"a":1},`, 2000) + `0]`, `{`, `7`, `null`,
	} {
		want, err := Parse([]byte(in), Limits{})
		if got := d.Scan([]byte(in), Limits{}); fmt.Sprint(got) != fmt.Sprint(err) {
			t.Fatalf("%.40s: %v, want %v", in, got, err)
		}
		if text != "" && string(Append(nil, before)) != text {
			t.Errorf("%.40s changed %s to %s", in, text, Append(nil, before))
		}
		if err != nil {
			continue
		}
		before = d.Root().Value()
		text = string(Append(nil, before))
		if text != string(Append(nil, want)) {
			t.Errorf("%.40s is read %s", in, text)
		}
		same(t, d.Root(), want)
	}
}

// same compares what a node and a value answer.
func same(t *testing.T, n Node, v Value) {
	f, ok := n.Float()
	g, okV := v.Float()
	if n.Kind() != v.Kind || n.Bool() != v.Bool || n.Text() != v.Text() || f != g || ok != okV ||
		n.Len() != len(v.Items)+len(v.Members) {
		t.Errorf("%+v is %v", v, n)
	}
	i := 0
	for e := n.Entries(); e.OK(); i, e = i+1, e.Next() {
		if v.Kind == Object {
			got, found := n.Get(v.Members[i].Key)
			if e.Key() != v.Members[i].Key || !found || got != e.Value() {
				t.Errorf("member %q of %+v", e.Key(), v)
			}
			same(t, e.Value(), v.Members[i].Value)
			continue
		}
		if got, found := n.Item(i); i < 3 && (!found || got != e.Value() || e.Key() != "") {
			t.Errorf("item %d of %+v", i, v)
		}
		same(t, e.Value(), v.Items[i])
	}
	if _, found := n.Item(i); found {
		t.Errorf("%+v has an item %d", v, i)
	}
}

func TestNodesAreNull(t *testing.T) {
	t.Parallel()
	var n Node
	if _, found := n.Get("x"); found || n.Found() || n.Kind() != Null || n.Entries().OK() || n.Text() != "" ||
		n.Value().Kind != Null || n.HasText("a", "b", 0) || n.Off() != 0 {
		t.Error("the zero Node is something")
	}
	d, err := Scan([]byte(`{"a":["@x"],"b":"path"}`), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	root := d.Root()
	if !root.HasText("path", "", 0) || !root.HasText("", "", '@') || root.At("a").HasText("path", "b", 0) ||
		root.At("c").Found() {
		t.Error("HasText looks elsewhere")
	}
}
