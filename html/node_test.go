package html

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

func TestContent(t *testing.T) {
	t.Parallel()
	s := everything()
	p := draw(t, s)
	if got := text(p.one("h2")); got != "Customer" {
		t.Errorf("title %q", got)
	}
	for tag, want := range map[string]string{"h3": "Head Group First Second", "h4": "Sub"} {
		var got []string
		for _, n := range p.all(tag) {
			got = append(got, text(n))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
	var texts []string
	for _, n := range p.all("p", "class=limn-text") {
		texts = append(texts, text(n))
	}
	if got := strings.Join(texts, "|"); got != "one\ntwo|literal|in|A" {
		t.Errorf("texts %q", got)
	}
	if img := p.one("img"); val(img, "alt") != "A" || val(img, "src") != "https://example.com/a.png" {
		t.Errorf("image %v", img.Attr)
	}
	if got := text(p.one("dl", "class=limn-stat")); got != "Sales12up" {
		t.Errorf("stat %q", got)
	}
	if got := val(p.one("progress"), "value"); got != "100" {
		t.Errorf("progress %q", got)
	}
	if got := val(p.one("div", "class=limn-notice"), "role"); got != "alert" {
		t.Errorf("notice role %q", got)
	}
	if n := p.one("svg", "class=limn-icon"); val(n, "aria-label") != "Done" {
		t.Errorf("icon %v", n.Attr)
	}
	p.one("hr")
	if tabs, panels := p.all("a", "role=tab"), p.all("section", "role=tabpanel"); len(tabs) != 2 || len(panels) != 2 {
		t.Errorf("%d tabs, %d panels", len(tabs), len(panels))
	}
	s.UIState = ui.Map(ui.Pair{Key: "note", Value: ui.String("bound")})
	if got := text(draw(t, s).one("p", "id=limn-formCcustomerE1KmainSbound")); got != "bound" {
		t.Errorf("bound text %q", got)
	}
}

// TestEveryNode: a node of any kind adds to what is shown.
func TestEveryNode(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../ui/testdata/node-v1-*[a-z].json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	empty := len(AppendSurface(nil, nil, surface(), testOptions))
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list ui.Nodes
		if err := json.Unmarshal([]byte("["+string(b)+"]"), &list); err != nil {
			t.Fatal(file, err)
		}
		if len(AppendSurface(nil, nil, surface(list...), testOptions)) <= empty {
			t.Errorf("%s is not shown: node.go has no case for it", file)
		}
	}
}

func TestCommittedValues(t *testing.T) {
	t.Parallel()
	s := surface(&ui.Stat{Key: "s", Label: "Name", Path: "/committed/customer/name"})
	st := &ui.State{Surfaces: []*ui.Surface{s},
		Committed: ui.Map(ui.Pair{Key: "customer", Value: ui.Map(ui.Pair{Key: "name", Value: ui.String("Ada")})})}
	if got := text(parse(t, AppendSnapshot(nil, st, testOptions)).one("dd")); got != "Ada" {
		t.Errorf("committed value %q", got)
	}
}

// TestFields: what is drawn for each field type, as tag and type of its control.
func TestFields(t *testing.T) {
	t.Parallel()
	want := map[ui.FieldType]string{
		ui.TypeText: "input text", ui.TypeLongText: "textarea ", ui.TypeNumber: "input text", ui.TypeEmail: "input email", ui.TypeURL: "input url",
		ui.TypeDate: "input date", ui.TypeTime: "input time", ui.TypeDateTime: "input datetime-local", ui.TypeChoice: "input radio", ui.TypeChoices: "input checkbox",
		ui.TypeBoolean: "input checkbox", ui.TypeSlider: "input range", ui.TypeTags: "input text", ui.TypeUpload: "input file",
	}
	p := draw(t, everything())
	for _, f := range everyField()[:len(want)] {
		n := p.one("", "id=limn-formCcustomerE1IS"+f.Name)
		if got := n.Data + " " + val(n, "type"); got != want[f.Type] {
			t.Errorf("%s drawn as %q, want %q (a new type: add it to want)", f.Type, got, want[f.Type])
		}
		if name := val(n, "name"); name != "/draft/"+f.Name && f.Type != ui.TypeUpload {
			t.Errorf("%s named %q", f.Type, name)
		}
		if f.Type == ui.TypeNumber && val(n, "inputmode") != "decimal" {
			t.Error("number without decimal keys")
		}
	}
	if n := p.one("select", "name=/draft/many"); len((page{t, n}).all("option")) != 8 {
		t.Error("an optional select offers its options and none")
	}
	if got := len(p.all("span", "class=limn-required")); got < len(want) {
		t.Errorf("%d required marks", got)
	}
	companion := func(path, value string) {
		t.Helper()
		if first := p.all("input", "name="+path)[0]; val(first, "type") != "hidden" || val(first, "value") != value {
			t.Errorf("companion of %s: %v", path, first.Attr)
		}
	}
	companion("/draft/f_boolean", "false")
	companion("/draft/f_choices", "")
}

func TestValues(t *testing.T) {
	t.Parallel()
	s := everything()
	for name, v := range map[string]ui.Value{
		"f_text": ui.String(`a "b"`), "f_longtext": ui.String("\nfirst\r\nsecond"), "f_number": ui.String("12x"), "f_date": ui.String("2026-11-20"),
		"f_time": ui.String("soon"), "f_choice": ui.String("b"), "f_choices": ui.Strings("a", "b"), "f_boolean": ui.Bool(true),
		"f_slider": ui.Int(7), "many": ui.String("gone"), "f_upload": ui.String("u1"),
	} {
		s.Draft, _ = s.Draft.With(v, name)
	}
	s.UIState, _ = s.UIState.With(ui.String("plan.pdf"), "uploads", "u1")
	p := draw(t, s)
	for name, want := range map[string]string{"f_text": `a "b"`, "f_number": "12x", "f_date": "2026-11-20",
		"f_time": "soon", "f_slider": "7"} {
		if got := val(p.one("input", "name=/draft/"+name), "value"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := text(p.one("textarea", "name=/draft/f_longtext")); got != "\nfirst\r\nsecond" {
		t.Errorf("textarea %q", got)
	}
	if n := p.one("input", "name=/draft/f_time"); val(n, "type") != "text" {
		t.Error("a time the picker cannot show must be text")
	}
	if n := len(p.all("input", "name=/draft/f_choices", "checked")); n != 2 {
		t.Errorf("%d of 2 boxes checked", n)
	}
	p.one("input", "name=/draft/f_boolean", "checked")
	if got := val(p.one("input", "name=/draft/f_choice", "checked"), "value"); got != "b" {
		t.Errorf("radio %q", got)
	}
	if n := (page{t, p.one("select", "name=/draft/many")}).one("option", "selected"); val(n, "value") != "" {
		t.Error("an unknown option selects another")
	}
	stored := p.one("p", "class=limn-stored", "id=limn-formCcustomerE1NSf_upload")
	if text(stored) != "plan.pdfRemove plan.pdf" || val(stored.FirstChild.NextSibling, "value") != "u1" {
		t.Errorf("stored upload %q %v", text(stored), stored.LastChild.Attr)
	}
}

// TestRangeSteps: a range sends the value it was given.
func TestRangeSteps(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ min, max, step, value, want string }{
		{"0", "100", "10", "30", "10"}, {"0", "100", "10", "7", ""}, {"5", "100", "10", "25", "10"},
		{"0", "10", "", "0.5", "0.1"}, {"0", "10", "", "7", ""}, {"0", "1", "", "1", "0.01"},
		{"0.25", "3", "0.5", "0.75", "0.5"}, {"0.25", "3", "0.5", "1", "0.01"}, {"0", "1", "0.1", "0.3", "0.1"},
		{"0", "1e9", "1e-3", "0.0005", "0.0001"}, {"1", "5", "2", "", "2"},
	} {
		v, _ := ui.Number(tt.value)
		s := surface(input(ui.Field{Name: "n", Type: ui.TypeSlider, Min: tt.min, Max: tt.max, Step: tt.step}))
		s.Draft = ui.Map(ui.Pair{Key: "n", Value: v})
		if got := val(draw(t, s).one("input", "type=range"), "step"); got != tt.want {
			t.Errorf("%s from %s to %s by %q: step %q, want %q", tt.value, tt.min, tt.max, tt.step, got, tt.want)
		}
	}
}

// TestDraftsOfPickers: a text that a picker would erase is drawn as text.
func TestDraftsOfPickers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		of          ui.FieldType
		value, want string
	}{
		{ui.TypeDate, "2024-02-29", "date"}, {ui.TypeDate, "2024-02-30", "text"}, {ui.TypeDate, "2024-13-01", "text"},
		{ui.TypeDate, "", "date"}, {ui.TypeDate, "2024-02-29:10", "text"}, {ui.TypeTime, "10:00", "time"},
		{ui.TypeTime, "10:00:59", "time"}, {ui.TypeTime, "9:00", "text"}, {ui.TypeTime, "24:00", "text"},
		{ui.TypeTime, "10:00:0", "text"}, {ui.TypeDateTime, "2024-02-29T10:00", "datetime-local"},
		{ui.TypeDateTime, "2024-02-29T10:00:01", "datetime-local"}, {ui.TypeDateTime, "2024-02-29 10:00", "text"},
		{ui.TypeDateTime, "2024-02-29T10:61", "text"},
	} {
		s := surface(input(ui.Field{Name: "n", Type: tt.of}))
		s.Draft = ui.Map(ui.Pair{Key: "n", Value: ui.String(tt.value)})
		n := draw(t, s).one("input", "name=/draft/n")
		if val(n, "type") != tt.want || val(n, "value") != tt.value {
			t.Errorf("%s %q is drawn as %s", tt.of, tt.value, val(n, "type"))
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	s := table(3)
	p := draw(t, s)
	if text(p.one("caption")) != "T" || len(p.all("th", "scope=col")) != 3 || len(p.all("th", "scope=row")) != 3 {
		t.Error("caption or headers missing")
	}
	cell := p.one("input", "name=/draft/t/r2/b")
	if got := val(cell, "aria-labelledby"); got != "limn-formCcustomerE1HStSb limn-formCcustomerE1LStSr2" {
		t.Errorf("cell named by %q", got)
	}
	remove := p.one("button", "value=c#main/t/r2/!remove:Button")
	if at, _ := ui.ParseComponentID(val(remove, "value")); at != "main/t/r2/!remove" {
		t.Errorf("remove at %q", at)
	}
	p.one("button", "value=c#main/t/!add:Button")
	s.Root[0].(*ui.Column).Children[0].(*ui.Table).MaxRows = 3
	draw(t, s).one("button", "value=c#main/t/!add:Button", "disabled")
}

func TestSteps(t *testing.T) {
	t.Parallel()
	s := everything()
	rows, _ := s.Draft.Get("map")
	named, _ := rows.With(ui.String("Alone"), "r2", "name") // of no edge
	s.Draft, _ = s.Draft.With(named, "map")
	s.Draft, _ = s.Draft.With(ui.Rows(ui.Record{ID: "e1", Cells: ui.Map(
		ui.Pair{Key: "from", Value: ui.String("r1")}, ui.Pair{Key: "to", Value: ui.String("r3")},
		ui.Pair{Key: "kind", Value: ui.String("approval")}, ui.Pair{Key: "conditional", Value: ui.Bool(true)})},
		ui.Record{ID: "e2", Cells: ui.Map(ui.Pair{Key: "from", Value: ui.String("gone")})}), "edges")
	p := draw(t, s)
	items := (page{t, p.one("ol")}).all("li")
	if len(items) != 3 || text((page{t, items[1]}).all("legend")[0]) != "Step 2" {
		t.Errorf("%d steps", len(items))
	}
	edges := (page{t, p.one("ul", "class=limn-edges")}).all("li")
	if len(edges) != 1 || text(edges[0]) != "Step 1 \u200e→ Step 3 [approval, conditional]" {
		t.Errorf("%d edges", len(edges))
	}
}

// TestUploadsOfNoRows: the form is multipart before the rows are there.
func TestUploadsOfNoRows(t *testing.T) {
	t.Parallel()
	s := surface(&ui.Table{Rowset: ui.Rowset{Key: "t", Path: "/draft/t",
		Columns: []ui.Field{{Name: "u", Type: ui.TypeUpload}}}})
	s.Draft = ui.Value{}
	draw(t, s).one("form", "enctype=multipart/form-data")
	s.Root = ui.Nodes{input(ui.Field{Name: "name", Type: ui.TypeText})}
	if got := val(draw(t, s).one("form"), "enctype"); got != "" {
		t.Errorf("a form without files is %q", got)
	}
}

// TestUploads: a file input belongs to the form of its surface under its path, and
// a stored file has a button that takes it away.
func TestUploads(t *testing.T) {
	t.Parallel()
	s := everything()
	s.Draft, _ = s.Draft.With(ui.String("u1"), "f_upload")
	s.Draft, _ = s.Draft.With(ui.String("u2"), "people", "r2", "f_upload")
	p := draw(t, s)
	if forms := p.all("form"); len(forms) != 1 || val(forms[0], "enctype") != "multipart/form-data" {
		t.Fatalf("%d forms", len(forms))
	}
	inputs := p.all("input", "type=file")
	if len(inputs) != 7 { // one field, three rows of the table, three steps
		t.Fatalf("%d file inputs", len(inputs))
	}
	for _, in := range inputs {
		if s.UploadAt(ui.Path(val(in, "name"))) == nil || val(in, "data-uploads") != "/c/1/uploads" ||
			val(in, "data-max") != "8388608" {
			t.Errorf("a file input %v", in.Attr)
		}
		p.one("input", "type=hidden", "name="+val(in, "name"))
	}
	if !strings.Contains(text(p.root), "Files can be up to 8 MiB.") {
		t.Error("the page does not say how large a file can be")
	}
	for value, path := range map[string]ui.Path{"c#main/f_upload/!detach:Button": "/draft/f_upload",
		"c#main/people/r2/f_upload/!detach:Button": "/draft/people/r2/f_upload"} {
		p.one("button", "name=limn_component", "value="+value)
		at, _ := ui.ParseComponentID(value)
		a, found := s.ActionAt(at)
		if v := a.Context; !found || a.Name != builtin.ActionDetach || v[0].Value.Text() != string(path) {
			t.Errorf("%s: %v %v", value, a, found)
		}
	}
	if len(p.all("button", "class=limn-button limn-detach")) != 2 {
		t.Error("a button to remove a file that is not there")
	}
}

func TestImageSchemes(t *testing.T) {
	t.Parallel()
	for _, u := range []string{"javascript:alert(1)", "data:image/svg+xml,<svg>", "/relative", ""} {
		p := draw(t, surface(&ui.Image{Key: "i", URL: u, Alt: "A"}))
		if len(p.all("img")) != 0 || text(p.one("p", "class=limn-image-missing")) != "A" {
			t.Errorf("%q is loaded", u)
		}
	}
}

// TestRequiredSelect: a select never pretends that its first option was chosen.
func TestRequiredSelect(t *testing.T) {
	t.Parallel()
	f := everyField()[len(everyField())-1]
	f.Required = true
	s := surface(input(f))
	for value, want := range map[string]string{"": "", "gone": "", "c": "c"} {
		s.Draft = ui.Map(ui.Pair{Key: f.Name, Value: ui.String(value)})
		if got := val(draw(t, s).one("option", "selected"), "value"); got != want {
			t.Errorf("draft %q shows %q", value, got)
		}
	}
}

func TestRequiredIsSaidWhereItMay(t *testing.T) {
	t.Parallel()
	for _, n := range draw(t, everything()).all("input", "aria-required") {
		if typ := val(n, "type"); typ == "range" || typ == "file" || typ == "hidden" {
			t.Errorf("aria-required on %s", typ)
		}
	}
}

// TestOddTrees: missing nodes, surfaces and states draw nothing and never panic.
func TestOddTrees(t *testing.T) {
	t.Parallel()
	draw(t, &ui.Surface{})
	draw(t, &ui.Surface{Root: ui.Nodes{nil}, Status: ui.StatusExpired, Errors: []ui.FieldError{{Text: "x"}}})
	draw(t, &ui.Surface{Root: ui.Nodes{&ui.Column{Key: "main",
		Children: ui.Nodes{nil, &ui.Tabs{Key: "t"}, &ui.Table{Rowset: ui.Rowset{Path: "odd"}}, &ui.TextInput{},
			&ui.Text{Path: "/ui_state/a~1b"}}}}})
	if len(AppendSurface(nil, nil, nil, testOptions))+len(AppendSnapshot(nil, nil, testOptions))+
		len(Update(nil, nil, nil, testOptions)) != 0 || Target("/draft/x", nil) != "" {
		t.Error("something from nothing")
	}
	if got := Update(nil, &ui.State{Surfaces: []*ui.Surface{surface()}}, nil, testOptions); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// TestListHead: the head of a list has a cell above the buttons of its rows, and none
// where no row has buttons.
func TestListHead(t *testing.T) {
	t.Parallel()
	row := func(key string, cells ...ui.Node) ui.Node { return &ui.Row{Key: key, Children: cells} }
	text, press := &ui.Text{Key: "a", Text: "x"}, &ui.Button{Key: "b", Label: "Go", Action: ui.Action{Name: "go"}}
	for want, rows := range map[string]ui.Nodes{
		`<th scope="col">A</th></tr></thead>`:          {row("r1", text)},
		`<th scope="col">A</th><td></td></tr></thead>`: {row("r1", text), row("r2", text, press)},
	} {
		s := ui.NewState("c")
		root := &ui.Column{Key: "main", Children: ui.Nodes{&ui.List{Key: "l", Label: "L", Columns: []string{"A"}, Children: rows}}}
		s, _, err := ui.Apply(s, &ui.Frame{Seq: 1, Ops: ui.Ops{&ui.Open{Surface: "s", Root: ui.Nodes{root}}}}, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(AppendSurface(nil, s, s.Surfaces[0], Options{})); !strings.Contains(got, want) {
			t.Errorf("want %s in %s", want, got)
		} else if !strings.Contains(got, "<caption>L</caption>") {
			t.Errorf("the label is not to be seen: %s", got)
		}
	}
}
