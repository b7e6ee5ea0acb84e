package web_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// workbook is an XLSX file with these cells.
func workbook(t *testing.T, rows ...[]any) string {
	t.Helper()
	f := excelize.NewFile()
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+1)
		if err == nil {
			err = f.SetSheetRow("Sheet1", cell, &row)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const table = ui.Name("table:list")

// withTable opens a table that takes files.
func withTable(t *testing.T, c *client) {
	t.Helper()
	c.say("I have our stakeholders in a CSV file")
	if sf := c.state().Surface(table); sf == nil || sf.UploadAt("/draft/import") == nil {
		t.Fatalf("no table that takes files is open: %+v", c.state().Router)
	}
}

func names(c *client) (out []string) {
	rows, _ := c.state().Surface(table).Get("/draft/list")
	for _, r := range rows.Records() {
		if v, _ := r.Cells.Get("name"); v.Text() != "" {
			out = append(out, v.Text())
		}
	}
	return out
}

// TestImportByForm imports files without script: a workbook is shown and added;
// what cannot be read says why, and what stands in the box stays.
func TestImportByForm(t *testing.T) {
	t.Parallel()
	c := start(t).visitor()
	c.browse(c.do("GET", "/", ""))
	withTable(t, c)
	send := func(name, body string) (page, string) {
		t.Helper()
		return c.browse(c.sendForm("Preview", nil, part{"/draft/import", name, body}))
	}
	press := func(label string, typed ...string) {
		t.Helper()
		p := c.do("GET", "/c/-", "").page(t)
		form := p.form("/c/" + c.ID + "/actions")
		v := p.values(form)
		for i := 0; i < len(typed); i += 2 {
			v.Set(typed[i], typed[i+1])
		}
		c.browse(c.post(attr(form, "action"), p.press(form, label, v)))
	}
	for name, body := range map[string]string{"picture.png": "\x89PNG\r\n\x1a\n\x00\x01",
		"broken.xlsx": "PK\x03\x04 no archive", "old.xls": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"large.txt": strings.Repeat("word ", 120_000)} {
		p, fragment := send(name, body)
		if n := p.one(0, "id", fragment); attr(n, "type") != "file" ||
			!strings.Contains(p.text, name+" could not be read: ") {
			t.Errorf("%s leads to %v", name, n.Attr)
		}
		if got := c.leaf(table, "/draft/import"); got != "" {
			t.Errorf("%s: the draft holds %q", name, got)
		}
	}
	press("Preview", "/draft/paste", "Eve\nFlo\nGus")
	p, _ := send("people.xlsx", workbook(t, []any{"Name", "Role"}, []any{"Ann", "CFO"}, []any{"Bob", nil},
		[]any{"Cy", "IT"}))
	if !strings.Contains(p.text, "people.xlsx: 3 rows found") {
		t.Fatalf("no preview:\n%s", p.text)
	}
	press("Add these 3 rows")
	if got := strings.Join(names(c), " "); got != "Ann Bob Cy" || c.leaf(table, "/draft/paste") != "Eve\nFlo\nGus" {
		t.Errorf("added %q; the box holds %q", got, c.leaf(table, "/draft/paste"))
	}
}

// TestImportByAPI: a program posts the file with the field it is for.
func TestImportByAPI(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	withTable(t, c)
	sf := c.state().Surface(table)
	fields := []part{{"limn_surface", "", sf.WireID()}, {"limn_nonce", "", sf.Nonce},
		{"limn_path", "", "/draft/import"}}
	a := c.upload("/v1/-/uploads", nil, append(fields,
		part{"file", "people.csv", "Name;Role\nAnn;CFO\nBob;IT\nCy;Ops"})...)
	var got struct{ Outcome ui.Outcome }
	if a.into(t, &got); a.StatusCode != 200 || got.Outcome.Kind != ui.OutcomeDone || got.Outcome.Surface != table {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	if drawn := string(c.do("GET", "/v1/-/a2ui?version=v0.8", "").body); !strings.Contains(drawn, "people.csv: 3 rows found") {
		t.Error("the drawing shows no preview")
	}
	fields[1].text = "wrong"
	if p := c.upload("/v1/-/uploads", nil, append(fields, part{"file", "x.csv", "a;b"})...).problem(t); p.Code != "A2UI_C2S_ACTION_FORBIDDEN" && p.Code != "A2UI_C2S_SURFACE_STALE" {
		t.Errorf("a wrong nonce: %s", p.Code)
	}
}

// TestLargePaste: half a megabyte of text goes through a browser's form, and is
// read; a byte more is refused with a code, and the table stays.
func TestLargePaste(t *testing.T) {
	t.Parallel()
	c := start(t).visitor()
	c.browse(c.do("GET", "/", ""))
	withTable(t, c)
	read := func(text string) answer {
		p := c.do("GET", "/c/-", "").page(t)
		form := p.form("/c/" + c.ID + "/actions")
		v := p.values(form)
		v.Set("/draft/paste", text)
		return c.post(attr(form, "action"), p.press(form, "Preview", v))
	}
	line := strings.Repeat("ä", 128) + "\tCFO\n" // 261 bytes, four times that in the form
	text := strings.Repeat(line, 512<<10/len(line))
	text += strings.Repeat("x", 512<<10-len(text))
	if a := read(text); a.StatusCode != 303 || c.leaf(table, "/draft/paste") != text {
		t.Fatalf("at the limit: %d %.300s", a.StatusCode, a.body)
	}
	p := c.do("GET", "/c/-", "").page(t)
	if !strings.Contains(p.text, "rows found") && !strings.Contains(p.text, "too many") {
		t.Errorf("no preview of half a megabyte")
	}
	if a := read(text + "x"); a.StatusCode != 413 || c.leaf(table, "/draft/paste") != text {
		t.Errorf("one byte more: %d %.300s", a.StatusCode, a.body)
	}
	if c.state().Surface(table).Status != ui.StatusOpen {
		t.Error("the table is gone")
	}
}

// TestImportIsAdmittedFirst: a file for a place that is not there is neither stored
// nor read, with an Idempotency-Key as without; a retry gets the first answer when
// its place is gone.
func TestImportIsAdmittedFirst(t *testing.T) {
	t.Parallel()
	st := &files{Store: memory.New()}
	c := start(t, func(c *limn.Config) { c.Store = st }).program()
	post := func(key, surface, nonce string) answer {
		return c.upload("/v1/-/uploads", []string{"Idempotency-Key", key}, part{"limn_path", "", "/draft/import"},
			part{"limn_surface", "", surface}, part{"limn_nonce", "", nonce},
			part{"file", "people.csv", "Name;Role\nAnn;CFO\nBob;IT"})
	}
	if p := post("early", "table:list#e=1", "x").problem(t); p.Code != ingress.CodeStale || st.put != 0 {
		t.Errorf("no table: %s, %d files were stored", p.Code, st.put)
	}
	withTable(t, c)
	sf := c.state().Surface(table)
	if p := post("forged", sf.WireID(), "x").problem(t); p.Code != ingress.CodeForbidden || st.put != 0 {
		t.Errorf("a wrong nonce: %s, %d files were stored", p.Code, st.put)
	}
	first := post("k", sf.WireID(), sf.Nonce)
	if first.StatusCode != 200 || st.put != 1 {
		t.Fatalf("%d %s", first.StatusCode, first.body)
	}
	c.do("POST", "/v1/-/surfaces/table:list/regenerate", "")
	if a := post("k", sf.WireID(), sf.Nonce); string(a.body) != string(first.body) || st.put != 1 {
		t.Errorf("the retry: %d %s", a.StatusCode, a.body)
	}
	if p := post("new", sf.WireID(), sf.Nonce).problem(t); p.Code != ingress.CodeStale || st.put != 1 {
		t.Errorf("another one: %s, %d files were stored", p.Code, st.put)
	}
}
