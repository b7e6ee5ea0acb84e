package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// form30 is a state with one open form of thirty fields of all common types.
func form30() (*app.App, *ui.State) {
	types := []ui.FieldType{ui.TypeText, ui.TypeEmail, ui.TypeNumber, ui.TypeChoice, ui.TypeBoolean, ui.TypeDate,
		ui.TypeLongText, ui.TypeURL, ui.TypeTags, ui.TypeText}
	form := app.Form{Name: "order", Title: "Order"}
	for i := range 30 {
		f := ui.Field{Name: fmt.Sprintf("field_%d", i), Label: fmt.Sprintf("Field number %d", i),
			Type: types[i%len(types)], Required: i%3 == 0}
		if f.Type == ui.TypeChoice {
			f.Options = []ui.Option{{Value: "a", Label: "First"}, {Value: "b", Label: "Second"},
				{Value: "c", Label: "Third"}}
		}
		form.Fields = append(form.Fields, f)
	}
	a, err := app.New(app.Config{Name: "bench", Forms: []app.Form{form}})
	must(err)
	f, _ := a.Form("order")
	s, _, err := ui.Apply(ui.NewState("bench"),
		&ui.Frame{V: 1, Seq: 1, Ops: ui.Ops{a.OpenForm(f, ui.Map()).Op("0123456789abcdef0123456789abcdef")}},
		ui.Limits{})
	must(err)
	return a, s
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func drawing(count int) []figure {
	a, s := form30()
	target := compile.Target{Dialect: a2ui.V09, Rules: &compile.Rules{Allowed: a.Allowed}}
	rules := a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe}
	var buf []byte
	v09 := micros(count, func() {
		b, err := compile.Snapshot(target, s)
		must(err)
		messages := b.Messages()
		if p := a2ui.Validate(rules, messages); len(p) > 0 {
			panic(&p[0])
		}
		buf = buf[:0]
		for _, m := range messages {
			buf, err = a2ui.AppendMessage(buf, a2ui.V09, m)
			must(err)
		}
	})
	var generic []any
	dec := json.NewDecoder(bytes.NewReader(buf))
	for dec.More() {
		var v any
		must(dec.Decode(&v))
		generic = append(generic, v)
	}
	plain := micros(count, func() {
		for _, v := range generic {
			_, err := json.Marshal(v)
			must(err)
		}
	})
	page := make([]byte, 0, 64<<10)
	o := html.Options{Action: "/c/x/actions", Uploads: "/c/x/uploads"}
	drawn := micros(count, func() { page = html.AppendSurface(page[:0], nil, s.Surfaces[0], o) })
	return append([]figure{
		{Name: "form_v09_us", Value: v09, Unit: "µs", Must: 150,
			Others: map[string]float64{"encoding/json, the same messages from maps, nothing checked": plain}},
		{Name: "form_html_us", Value: drawn, Unit: "µs", Must: 15,
			Others: map[string]float64{"html/template, labels and inputs only": templated(count, s)}},
	}, patch(count, target, s)...)
}

// templated is the cost of a plainer page of the same form with the standard template
// engine.
func templated(count int, s *ui.State) float64 {
	t := template.Must(template.New("form").Parse(
		`<form method="post">{{range .}}<p><label for="{{.Key}}">{{.Label}}</label><input id="{{.Key}}" ` +
			`name="{{.Path}}" value=""></p>{{end}}</form>`))
	var inputs []*ui.Input
	ui.Walk(s.Surfaces[0].Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if in := ui.InputOf(n); in != nil {
			inputs = append(inputs, in)
		}
		return true
	})
	var buf bytes.Buffer
	return micros(count, func() {
		buf.Reset()
		must(t.Execute(&buf, inputs))
	})
}

// patch is one field written by the server: compile, encode, and its SSE bytes
// with format=a2ui.
func patch(count int, target compile.Target, s *ui.State) []figure {
	f := &ui.Frame{V: 1, Seq: 2, At: time.Unix(0, 0), Ops: ui.Ops{&ui.Patch{Surface: "form:order",
		Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/draft/field_0",
			Value: ui.String("a new value of some length")}}}}}
	after, changes, err := ui.Apply(s, f, ui.Limits{})
	must(err)
	f.Changes = changes
	var lines [][]byte
	us := micros(count, func() {
		b, err := compile.Update(target, s, after, f)
		must(err)
		lines = lines[:0]
		for _, m := range b.Messages() {
			line, err := a2ui.AppendMessage(nil, a2ui.V09, m)
			must(err)
			lines = append(lines, line)
		}
	})
	id := deliver.Cursor{Log: "0123456789abcdef", Seq: 2, Part: -1, Fingerprint: "01234567"}.String()
	chunk := sse.Append(nil, deliver.Chunk{ID: id, Data: lines})
	return []figure{{Name: "patch_us", Value: us, Unit: "µs", Must: 10},
		{Name: "patch_bytes", Value: float64(len(chunk)), Unit: "bytes", Must: 400}}
}
