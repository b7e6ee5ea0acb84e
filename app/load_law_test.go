package app_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// TestLoadLaw: any declaration written in Go and the same one as YAML are one
// App. The generator draws the Go side and writes the YAML beside it.
func TestLoadLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := gen{T: t}
		cfg, doc := g.config()
		file, err := json.MarshalIndent(doc, "", "  ") // JSON is YAML; the YAML writer has faults of its own
		if err != nil {
			t.Fatal(err)
		}
		written, err := app.New(cfg)
		if err != nil {
			t.Fatalf("the generator drew a fault: %v\n%s", err, file)
		}
		loaded, err := app.Load("f.yaml", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		if diff := cmp.Diff(written.Config(), loaded.Config(), same); diff != "" {
			t.Fatalf("(-go +yaml):\n%s\n%s", diff, file)
		}
		if written.Fingerprint() != loaded.Fingerprint() || string(written.Script()) != string(loaded.Script()) {
			t.Fatalf("fingerprint or script differ\n%s", file)
		}
	})
}

type object = map[string]any

type gen struct {
	*rapid.T
	n int
}

// name is new each time.
func (g *gen) name(kind string) string { g.n++; return fmt.Sprintf("%s%d", kind, g.n) }

// text draws what YAML finds hard: quotes, colons, line breaks, words that look
// like other types.
func (g *gen) text() string {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "yes", "null", "true", "1", "1.0", "~", "- a", "a: b", "#", "*a",
		"&a", "two\nlines\n", " x ", "2026-11-20", "ünï", "\"'", "${HOME}", "<<"}),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab :#-'\"\n\t{}[]é💡")), 0, 12, -1)).Draw(g.T, "text")
}

func (g *gen) yes() bool { return rapid.Bool().Draw(g.T, "flag") }

func (g *gen) some(most int, add func()) {
	for range rapid.IntRange(0, most).Draw(g.T, "count") {
		add()
	}
}

// put writes a member unless it is empty; the empty text is the same as none.
func put(o object, key, value string) {
	if value != "" {
		o[key] = value
	}
}

func (g *gen) config() (app.Config, object) {
	cfg := app.Config{Name: "x", Title: g.text(), Instructions: g.text()}
	doc := object{"name": "x"}
	put(doc, "title", cfg.Title)
	put(doc, "instructions", cfg.Instructions)
	list := func(key string, item any) {
		l, _ := doc[key].([]any)
		doc[key] = append(l, item)
	}
	g.some(2, func() {
		name, text := g.name("action"), g.text()+"."
		cfg.Actions = append(cfg.Actions, app.Action{Name: name, Label: text, Reply: text, Idempotent: true})
		list("actions", object{"name": name, "label": text, "reply": text, "idempotent": true})
	})
	onSubmit := ""
	if len(cfg.Actions) > 0 && g.yes() {
		onSubmit = cfg.Actions[0].Name
	}
	g.some(3, func() {
		f := app.Form{Name: g.name("form"), Title: g.text(), Help: g.text(), Submit: g.text(), Done: g.text(),
			OnSubmit: onSubmit}
		var fields []any
		f.Fields, fields = g.fields(ui.FieldTypes())
		o := object{"name": f.Name, "fields": fields}
		for key, v := range map[string]string{"title": f.Title, "help": f.Help, "submit": f.Submit, "done": f.Done,
			"on_submit": onSubmit} {
			put(o, key, v)
		}
		if g.yes() {
			f.Phrases = []string{g.name("open ")}
			o["phrases"] = f.Phrases
		}
		cfg.Forms = append(cfg.Forms, f)
		list("forms", o)
	})
	g.some(2, func() {
		t := app.Table{Name: g.name("table"), Nouns: []string{g.name("noun ")},
			MinRows: rapid.IntRange(0, 30).Draw(g.T, "rows"), OnSubmit: onSubmit}
		var columns []any
		t.Columns, columns = g.fields([]ui.FieldType{ui.TypeText, ui.TypeNumber, ui.TypeDate, ui.TypeChoice,
			ui.TypeBoolean})
		o := object{"name": t.Name, "nouns": t.Nouns, "min_rows": t.MinRows, "columns": columns}
		put(o, "on_submit", onSubmit)
		cfg.Tables = append(cfg.Tables, t)
		list("tables", o)
	})
	g.some(1, func() {
		m := app.Map{Name: g.name("map"), Help: g.text()}
		o := object{"name": m.Name}
		put(o, "help", m.Help)
		cfg.Maps = append(cfg.Maps, m)
		list("maps", o)
	})
	g.some(2, func() {
		name := g.name("view")
		children, nodes := g.nodes(2)
		cfg.Views = append(cfg.Views, app.View{Name: name,
			Nodes: ui.Nodes{&ui.Column{Key: "main", Children: children}}})
		list("views", object{"name": name, "nodes": nodes})
	})
	if g.yes() {
		cfg.Words, cfg.Limits = ui.Words{"submit.done": g.text() + "."}, ui.Limits{Rows: 300}
		doc["words"], doc["limits"] = cfg.Words, object{"rows": 300}
	}
	if g.yes() {
		rounds := rapid.MapOf(rapid.SampledFrom([]string{ui.ToolTable, ui.ToolMap}), rapid.IntRange(0, 10)).Draw(g.T,
			"rounds")
		cfg.Tools = app.Tools{MaxIterations: rounds,
			Preferred: rapid.SampledFrom([]string{"", ui.ToolTable, ui.ToolMap}).Draw(g.T, "preferred")}
		tools := object{"max_iterations": rounds}
		put(tools, "preferred_ui", cfg.Tools.Preferred)
		doc["tools"] = tools
	}
	return cfg, doc
}

func (g *gen) fields(types []ui.FieldType) (fields []ui.Field, out []any) {
	for range rapid.IntRange(1, 3).Draw(g.T, "fields") {
		f := ui.Field{Name: g.name("field"), Type: rapid.SampledFrom(types).Draw(g.T, "type"), Label: g.text(),
			Help: g.text(), Placeholder: g.text(), Required: g.yes(), Clear: g.yes()}
		o := object{"name": f.Name, "type": string(f.Type), "required": f.Required, "clear": f.Clear}
		put(o, "label", f.Label)
		put(o, "help", f.Help)
		put(o, "placeholder", f.Placeholder)
		switch f.Type {
		case ui.TypeChoice, ui.TypeChoices:
			f.Options = []ui.Option{{Value: "1"}, {Value: "b", Label: g.text()}}
			b := object{"value": "b"}
			put(b, "label", f.Options[1].Label)
			o["options"] = []any{1, b} // a number is its own text
			if f.Type == ui.TypeChoice && g.yes() {
				f.Default, o["default"] = ui.String("1"), 1
			}
		case ui.TypeNumber, ui.TypeSlider:
			f.Min, f.Max, f.Default = "0", "9.5", ui.Int(7)
			o["min"], o["max"], o["default"] = 0, 9.5, 7
		case ui.TypeBoolean:
			f.Default, o["default"] = ui.Bool(true), true
		case ui.TypeTags:
			f.Default, o["default"] = ui.Strings("a", "b"), []string{"a", "b"}
		case ui.TypeUpload:
			f.Accept = []string{"text/plain"}
			o["accept"] = f.Accept
		case ui.TypeDate:
			f.Min, o["min"] = "2020-02-02", "2020-02-02"
		}
		fields, out = append(fields, f), append(out, o)
	}
	return fields, out
}

func (g *gen) nodes(depth int) (nodes ui.Nodes, out []any) {
	add := func(n ui.Node, kind string, body object) {
		body["key"] = ui.NodeKey(n)
		nodes, out = append(nodes, n), append(out, object{kind: body})
	}
	out = []any{}
	nodes = ui.Nodes{}
	g.some(3, func() {
		key, text := g.name("key"), g.text()
		switch kind := rapid.SampledFrom([]string{"heading", "text", "stat", "notice", "diagram", "chart", "divider",
			"row", "card", "section", "tabs"}).Draw(g.T, "node"); kind {
		case "heading":
			add(&ui.Heading{Key: key, Level: 3, Text: text}, kind, object{"text": text, "level": 3})
		case "text":
			add(&ui.Text{Key: key, Text: text, Small: true}, kind, object{"text": text, "small": true})
		case "stat":
			add(&ui.Stat{Key: key, Label: text, Path: "/committed/a/b"}, kind,
				object{"label": text, "path": "/committed/a/b"})
		case "notice":
			add(&ui.Notice{Key: key, Tone: ui.ToneError, Text: text}, kind, object{"text": text, "tone": "error"})
		case "diagram":
			add(&ui.Diagram{Key: key, Label: text,
				Data: ui.Map(ui.Pair{Key: "steps", Value: rows(row("s1", "name", "One"))})}, kind,
				object{"label": text, "steps": []any{"One"}})
		case "chart":
			add(&ui.Chart{Key: key, Kind: ui.ChartPie, Unit: text, Labels: []string{"a"},
				Series: []ui.Series{{Name: text, Values: []float64{0.5}}}}, kind,
				object{"kind": "pie", "unit": text, "labels": []any{"a"},
					"series": []any{object{"name": text, "values": []any{0.5}}}})
		case "divider":
			add(&ui.Divider{Key: key}, kind, object{})
		default:
			if depth == 0 {
				return
			}
			children, below := g.nodes(depth - 1)
			switch kind {
			case "row":
				add(&ui.Row{Key: key, Children: children}, kind, object{"children": below})
			case "card":
				add(&ui.Card{Key: key, Children: children}, kind, object{"children": below})
			case "section":
				add(&ui.Section{Key: key, Title: text, Children: children}, kind,
					object{"title": text, "children": below})
			case "tabs":
				add(&ui.Tabs{Key: key, Tabs: []ui.Tab{{Key: "one", Title: text, Children: children}}}, kind,
					object{"tabs": []any{object{"key": "one", "title": text, "children": below}}})
			}
		}
	})
	if len(nodes) == 0 { // a view needs something to show
		add(&ui.Divider{Key: "line"}, "divider", object{})
	}
	return nodes, out
}
