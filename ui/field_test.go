package ui

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFieldCheck holds each type at each bound and one over.
func TestFieldCheck(t *testing.T) {
	t.Parallel()
	options := []Option{{Value: "a"}, {Value: "b"}, {Value: "c"}}
	for _, c := range []struct {
		name string
		f    Field
		in   Value
		want Value // null: absent
		code Code
	}{
		{"text", Field{Type: TypeText}, String(" a "), String(" a "), ""},
		{"text empty", Field{Type: TypeText, Min: "3"}, String(""), Value{}, ""},
		{"text blank required", Field{Type: TypeText, Required: true}, String(" \t"), Value{}, CodeFieldRequired},
		{"text one below", Field{Type: TypeText, Min: "2"}, String("é"), Value{}, codeFieldLength},
		{"text at min, in characters", Field{Type: TypeText, Min: "2"}, String("éé"), String("éé"), ""},
		{"text at max", Field{Type: TypeText, Max: "2"}, String("éé"), String("éé"), ""},
		{"text one over", Field{Type: TypeText, Max: "2"}, String("ééé"), Value{}, codeFieldLength},
		{"text pattern", Field{Type: TypeText, Pattern: "^[a-z]+$"}, String("abc"), String("abc"), ""},
		{"text no pattern", Field{Type: TypeText, Pattern: "^[a-z]+$"}, String("abc1"), Value{}, CodeFieldPattern},
		{"longtext one over", Field{Type: TypeLongText, Max: "3"}, String("a\nbc"), Value{}, codeFieldLength},
		{"longtext at", Field{Type: TypeLongText, Max: "4"}, String("a\nbc"), String("a\nbc"), ""},
		{"number", Field{Type: TypeNumber}, String(" 4.20 "), number("4.20"), ""},
		{"number exact", Field{Type: TypeNumber}, String("12345678901234567890.01"), number("12345678901234567890.01"), ""},
		{"number empty", Field{Type: TypeNumber, Min: "1"}, String(""), Value{}, ""},
		{"number words", Field{Type: TypeNumber}, String("four"), Value{}, CodeFieldType},
		{"number no JSON", Field{Type: TypeNumber}, String("0x10"), Value{}, CodeFieldType},
		{"number too large", Field{Type: TypeNumber}, String("1e999"), Value{}, CodeFieldType},
		{"number at min", Field{Type: TypeNumber, Min: "-1.5"}, String("-1.5"), number("-1.5"), ""},
		{"number below", Field{Type: TypeNumber, Min: "-1.5"}, String("-1.51"), Value{}, codeFieldRange},
		{"number at max", Field{Type: TypeNumber, Max: "10"}, String("10.0"), number("10.0"), ""},
		{"number above", Field{Type: TypeNumber, Max: "10"}, String("10.01"), Value{}, codeFieldRange},
		{"email, trimmed", Field{Type: TypeEmail}, String(" ada@example.com "), String("ada@example.com"), ""},
		{"email name", Field{Type: TypeEmail}, String("Ada <ada@example.com>"), Value{}, CodeFieldType},
		{"email none", Field{Type: TypeEmail}, String("ada"), Value{}, CodeFieldType},
		{"email too long", Field{Type: TypeEmail, Max: "5"}, String("ada@example.com"), Value{}, codeFieldLength},
		{"url, trimmed", Field{Type: TypeURL}, String("https://example.com/a "), String("https://example.com/a"), ""},
		{"url javascript", Field{Type: TypeURL}, String("javascript:alert(1)"), Value{}, CodeFieldType},
		{"url no host", Field{Type: TypeURL}, String("https://"), Value{}, CodeFieldType},
		{"url ftp", Field{Type: TypeURL}, String("ftp://example.com"), Value{}, CodeFieldType},
		{"date", Field{Type: TypeDate}, String("2026-02-28"), String("2026-02-28"), ""},
		{"date with time", Field{Type: TypeDate}, String("2026-02-28T00:00:00.000Z"), String("2026-02-28"), ""},
		{"date that is none", Field{Type: TypeDate}, String("2026-02-29"), Value{}, CodeFieldType},
		{"date at min", Field{Type: TypeDate, Min: "2026-02-01"}, String("2026-02-01"), String("2026-02-01"), ""},
		{"date at min with time", Field{Type: TypeDate, Min: "2026-02-01T00:00:00Z"}, String("2026-02-01"), String("2026-02-01"), ""},
		{"date below", Field{Type: TypeDate, Min: "2026-02-01"}, String("2026-01-31"), Value{}, codeFieldRange},
		{"date above", Field{Type: TypeDate, Max: "2026-02-01"}, String("2026-02-02"), Value{}, codeFieldRange},
		{"time seconds", Field{Type: TypeTime}, String("09:30:15"), String("09:30"), ""},
		{"time at min with seconds", Field{Type: TypeTime, Min: "09:30:00"}, String("09:30"), String("09:30"), ""},
		{"time below", Field{Type: TypeTime, Min: "09:30"}, String("09:29"), Value{}, codeFieldRange},
		{"time at max", Field{Type: TypeTime, Max: "18:00"}, String("18:00"), String("18:00"), ""},
		{"time above", Field{Type: TypeTime, Max: "18:00"}, String("18:01"), Value{}, codeFieldRange},
		{"time none", Field{Type: TypeTime}, String("25:00"), Value{}, CodeFieldType},
		{"datetime", Field{Type: TypeDateTime}, String("2026-02-28T09:30:00Z"), String("2026-02-28T09:30"), ""},
		{"datetime with a space", Field{Type: TypeDateTime}, String("2026-02-28 09:30:00"), String("2026-02-28T09:30"), ""},
		{"datetime milliseconds", Field{Type: TypeDateTime}, String("2026-02-28T09:30:00.123Z"), String("2026-02-28T09:30"), ""},
		{"datetime date only", Field{Type: TypeDateTime}, String("2026-02-28"), Value{}, CodeFieldType},
		{"datetime above", Field{Type: TypeDateTime, Max: "2026-02-28T09:30"}, String("2026-02-28T09:31"), Value{}, codeFieldRange},
		{"choice", Field{Type: TypeChoice, Options: options}, String("b"), String("b"), ""},
		{"choice other", Field{Type: TypeChoice, Options: options}, String("d"), Value{}, CodeFieldOption},
		{"choice none", Field{Type: TypeChoice, Options: options}, String(""), Value{}, ""},
		{"choice required", Field{Type: TypeChoice, Options: options, Required: true}, String(""), Value{}, CodeFieldRequired},
		{"choices", Field{Type: TypeChoices, Options: options}, Strings("a", "c"), Strings("a", "c"), ""},
		{"choices as one", Field{Type: TypeChoices, Options: options}, String("a"), Strings("a"), ""},
		{"choices other", Field{Type: TypeChoices, Options: options}, Strings("a", "d"), Value{}, CodeFieldOption},
		{"choices none", Field{Type: TypeChoices, Options: options, Min: "1"}, Strings(), Value{}, ""},
		{"choices required", Field{Type: TypeChoices, Options: options, Required: true}, Strings(), Value{}, CodeFieldRequired},
		{"choices at min", Field{Type: TypeChoices, Options: options, Min: "2"}, Strings("a", "b"), Strings("a", "b"), ""},
		{"choices few", Field{Type: TypeChoices, Options: options, Min: "2"}, Strings("a"), Value{}, codeFieldLength},
		{"choices many", Field{Type: TypeChoices, Options: options, Max: "2"}, Strings("a", "b", "c"), Value{}, codeFieldLength},
		{"boolean on", Field{Type: TypeBoolean, Required: true}, Bool(true), Bool(true), ""},
		{"boolean off", Field{Type: TypeBoolean}, Bool(false), Bool(false), ""},
		{"boolean required", Field{Type: TypeBoolean, Required: true}, Bool(false), Value{}, CodeFieldRequired},
		{"slider at max", Field{Type: TypeSlider, Min: "1", Max: "10"}, Int(10), Int(10), ""},
		{"slider above", Field{Type: TypeSlider, Min: "1", Max: "10"}, Int(11), Value{}, codeFieldRange},
		{"slider below", Field{Type: TypeSlider, Min: "1", Max: "10"}, Int(0), Value{}, codeFieldRange},
		{"tags", Field{Type: TypeTags}, String(" a, b ,,a "), Strings("a", "b"), ""},
		{"tags at max", Field{Type: TypeTags, Max: "2"}, String("a,b"), Strings("a", "b"), ""},
		{"tags many", Field{Type: TypeTags, Max: "2"}, String("a,b,c"), Value{}, codeFieldLength},
		{"tags few", Field{Type: TypeTags, Min: "2"}, String("a"), Value{}, codeFieldLength},
		{"upload", Field{Type: TypeUpload}, String("u1"), String("u1"), ""},
		{"upload required", Field{Type: TypeUpload, Required: true}, String(""), Value{}, CodeFieldRequired},
	} {
		got, e := c.f.Check(c.in, "Label", nil)
		code := Code("")
		if e != nil {
			code = e.Code
			if !strings.HasPrefix(e.Text, "Label") || strings.ContainsAny(e.Text, "{}") {
				t.Errorf("%s: the text is %q", c.name, e.Text)
			}
		}
		if code != c.code || !got.Equal(c.want) {
			t.Errorf("%s: %s %q, want %s %q", c.name, got.AppendJSON(nil), code, c.want.AppendJSON(nil), c.code)
		}
	}
}

func number(s string) Value {
	v, ok := Number(s)
	if !ok {
		panic(s)
	}
	return v
}

// samples is a value for every field type, as it is typed.
var samples = map[FieldType]Value{TypeText: String("Ada"), TypeLongText: String("two\nlines"),
	TypeNumber: String("7.50"), TypeEmail: String("a@example.com"),
	TypeURL: String("https://example.com"), TypeDate: String("2026-05-01"), TypeTime: String("09:30"), TypeDateTime: String("2026-05-01T09:30"),
	TypeChoice: String("a"), TypeChoices: Strings("a"), TypeBoolean: Bool(true), TypeSlider: Int(4),
	TypeTags: String("x, y"), TypeUpload: String("u1")}

// TestValueClearedValue: typing, clearing and typing again submits what typing
// once submits, and clearing submits what never typing does; for every type, as
// a field and as a cell.
func TestValueClearedValue(t *testing.T) {
	t.Parallel()
	for _, typ := range FieldTypes() {
		f := Field{Name: "x", Type: typ}
		if typ == TypeChoice || typ == TypeChoices {
			f.Options = []Option{{Value: "a"}}
		}
		if typ == TypeSlider {
			f.Min, f.Max = "1", "9"
		}
		root := &Column{Key: "main", Children: Nodes{InputFor("/draft/x", f),
			&Table{Rowset{Key: "rows", Path: "/draft/rows", Columns: []Field{{Name: "k", Type: TypeText}, f}}}}}
		typed, ok := samples[typ]
		if !ok {
			t.Errorf("no sample of type %s", typ)
			continue
		}
		for _, p := range []Path{"/draft/x", "/draft/rows/r2/x"} {
			untouched := mustApply(NewState("c"),
				&Open{Surface: "a", Root: Nodes{root}, Draft: BlankDraft(root, Value{})})
			write := func(s *State, v Value) *State {
				return mustApply(s, &Draft{Surface: "a", Values: []Leaf{{p, v}}})
			}
			once := write(untouched, typed)
			again := write(write(once, f.Blank()), typed)
			if a, b := submitted(t, once), submitted(t, again); a != b {
				t.Errorf("%s at %s: once %s, again %s", typ, p, a, b)
			}
			if a, b := submitted(t, untouched), submitted(t, write(once, f.Blank())); a != b {
				t.Errorf("%s at %s: untouched %s, cleared %s", typ, p, a, b)
			}
			if a, b := submitted(t, untouched), submitted(t, once); a == b {
				t.Errorf("%s at %s: typing submits nothing", typ, p)
			}
		}
	}
}

func submitted(t *testing.T, s *State) string {
	t.Helper()
	v, errs := CheckSurface(s.Surface("a"), nil)
	if len(errs) > 0 {
		t.Errorf("errors: %v", errs)
	}
	return string(v.AppendJSON(nil))
}

func TestCheckRows(t *testing.T) {
	t.Parallel()
	table := tableNode() // 1 to 4 rows
	for n, want := range []Code{codeFieldRows, "", "", "", "", codeFieldRows} {
		v := Rows()
		for i := range n {
			v, _ = v.With(Map(Pair{"title", String("t" + strconv.Itoa(i))}), "k"+strconv.Itoa(i))
		}
		v, _ = v.With(Map(Pair{"title", String("  ")}), "spaces") // nobody's row
		s := &Surface{Root: Nodes{table}, Draft: Map(Pair{"items", v})}
		values, errs := CheckSurface(s, nil)
		got := Code("")
		if len(errs) > 0 {
			got = errs[0].Code
		}
		if kept, _ := values.Get("items"); got != want || len(kept.Records()) != n {
			t.Errorf("%d rows: %v, %d kept, want %q", n, errs, len(kept.Records()), want)
		}
	}
	s := &Surface{Root: Nodes{table}, Draft: Map(
		Pair{"items", Rows(Record{"a", "b", Map(Pair{"count", String("x")})})})}
	_, errs := CheckSurface(s, nil)
	if len(errs) != 2 || errs[0].Path != "/draft/items/a/title" || errs[1].Path != "/draft/items/a/count" ||
		errs[1].Text != "Row 1: count must be a number." {
		t.Errorf("errors = %+v", errs)
	}
}

func TestFieldValidate(t *testing.T) {
	t.Parallel()
	o := []Option{{Value: "a"}}
	for _, c := range []struct {
		name string
		f    Field
		path string // "" = fine
	}{
		{"unknown type", Field{Type: "colour"}, "type"}, {"no type", Field{}, "type"},
		{"options of text", Field{Type: TypeText, Options: o}, "options"}, {"choice without", Field{Type: TypeChoice}, "options"},
		{"option twice", Field{Type: TypeChoice, Options: append(o, o...)}, "options"}, {"empty option", Field{Type: TypeChoices, Options: []Option{{}}}, "options"},
		{"pattern", Field{Type: TypeText, Pattern: "("}, "pattern"},
		{"pattern at the limit", Field{Type: TypeText, Pattern: strings.Repeat("a", 256)}, ""}, {"pattern over", Field{Type: TypeText, Pattern: strings.Repeat("a", 257)}, "pattern"},
		{"slider without max", Field{Type: TypeSlider, Min: "1"}, "max"}, {"slider", Field{Type: TypeSlider, Min: "1", Max: "3", Step: "1"}, ""},
		{"number bound", Field{Type: TypeNumber, Min: "x"}, "min"}, {"two bounds: the first is named", Field{Type: TypeNumber, Min: "x", Max: "y", Step: "z"}, "min"},
		{"length", Field{Type: TypeText, Max: "1.5"}, "max"}, {"step of text", Field{Type: TypeText, Step: "1"}, "step"},
		{"date bound", Field{Type: TypeDate, Min: "2026-13-01"}, "min"}, {"date", Field{Type: TypeDate, Min: "2026-01-01T00:00:00Z", Max: "2026-12-01"}, ""}, {"step of a date", Field{Type: TypeDate, Step: "2026-01-01"}, "step"},
		{"bound of a box", Field{Type: TypeBoolean, Min: "1"}, "min"}, {"bound of a choice", Field{Type: TypeChoice, Options: o, Max: "1"}, "max"},
		{"dates", Field{Type: TypeDate, Min: "2026-12-01", Max: "2026-01-01T00:00:00Z"}, "max"}, {"times", Field{Type: TypeTime, Min: "10:00", Max: "9:00"}, "max"},
		{"one day", Field{Type: TypeDate, Min: "2026-12-01", Max: "2026-12-01"}, ""}, {"lengths", Field{Type: TypeText, Min: "10", Max: "9"}, "max"},
		{"length below zero", Field{Type: TypeText, Max: "-1"}, "max"}, {"tags", Field{Type: TypeTags, Min: "3", Max: "2"}, "max"},
		{"more than there are", Field{Type: TypeChoices, Options: o, Min: "2"}, "min"}, {"all of them", Field{Type: TypeChoices, Options: o, Min: "1", Max: "9"}, ""},
		{"numbers", Field{Type: TypeNumber, Min: "10", Max: "9"}, "max"}, {"infinity", Field{Type: TypeNumber, Max: "inf"}, "max"}, {"no step", Field{Type: TypeNumber, Step: "0"}, "step"},
		{"default", Field{Type: TypeNumber, Max: "3", Default: Int(3)}, ""}, {"default over", Field{Type: TypeNumber, Max: "3", Default: Int(4)}, "default"},
		{"default no option", Field{Type: TypeChoice, Options: o, Default: String("b")}, "default"},
	} {
		for range 5 { // the same fault each time
			err := c.f.Validate()
			var path string
			if e, ok := err.(*Error); ok {
				path = e.Path
			}
			if path != c.path || err != nil && CodeOf(err) != codeNodeInvalid {
				t.Errorf("%s: %v, want a fault at %q", c.name, err, c.path)
			}
		}
	}
}

// Every text that a check shows is declared, and fills in every brace.
func TestWordsAreComplete(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`\{([a-z]+)\}`)
	for key, text := range DefaultWords() {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			switch m[1] {
			case "label", "min", "max", "n", "list", "raw", "form", "guess", "other", "own", "at", "reason":
			default:
				t.Errorf("%s: %s is not documented", key, m[0])
			}
		}
	}
	w, pairs := Words{"field.required": "{label}!{label}"}, []string{"label", "{min}", "min", "x", "odd"}
	if got := w.Say("field.required", pairs...); got != "{min}!{min}" {
		t.Errorf("Say = %q", got)
	}
	if pairs[0] != "label" {
		t.Errorf("Say changed its arguments: %q", pairs)
	}
	if got := w.Say("nobody.declared"); got != "nobody.declared" {
		t.Errorf("Say = %q", got)
	}
}

// TestShownByLocale: numbers and dates are shown as the language of the words writes them.
func TestShownByLocale(t *testing.T) {
	t.Parallel()
	day, moment := Field{Type: TypeDate}, Field{Type: TypeDateTime}
	for _, c := range []struct{ lang, number, day, moment string }{
		{"en", "-1,234,567.25", "9 Mar 2026", "9 Mar 2026, 09:30"},
		{"de", "-1.234.567,25", "9. März 2026", "9. März 2026, 09:30"},
		{"fr", "-1\u202f234\u202f567,25", "9 mars 2026", "9 mars 2026, 09:30"},
		{"ja", "-1,234,567.25", "2026年3月9日", "2026年3月9日 09:30"},
		{"tlh", "-1,234,567.25", "9 Mar 2026", "9 Mar 2026, 09:30"},
	} {
		w := Words{"page.lang": c.lang}
		for got, want := range map[string]string{(Field{Type: TypeNumber}).Shown(w, String("-1234567.25")): c.number,
			day.Shown(w, String("2026-03-09")): c.day, moment.Shown(w, String("2026-03-09T09:30")): c.moment,
			day.Shown(w, String("soon")): "soon", (Field{Type: TypeNumber}).Shown(w, String("a lot")): "a lot",
			(Field{}).Shown(w, Int(2026)): "2026", (Field{Obscured: true}).Shown(w, String("1234")): "••••",
			(Field{Obscured: true}).Shown(w, String("")): ""} {
			if got != want {
				t.Errorf("%s: %q, want %q", c.lang, got, want)
			}
		}
		for _, got := range []string{(Field{Type: TypeNumber}).Canonical(w, c.number), day.Canonical(w, c.day),
			day.Canonical(w, "2026-03-09"), moment.Canonical(w, c.moment), moment.Canonical(w, c.day),
			moment.Canonical(w, "2026-03-09T09:30"), Field{}.Canonical(w, c.number), day.Canonical(w, "2026-03")} {
			if want := []string{"-1234567.25", "2026-03-09", "2026-03-09T09:30", c.number, "2026-03"}; !slices.Contains(want, got) {
				t.Errorf("%s: %q", c.lang, got)
			}
		}
	}
	de := Words{"page.lang": "de"}
	for typed, want := range map[string]string{"1.234": "1234", "1,5": "1.5", "1.5": "1.5", " 9. märz  2026": "2026-03-09",
		"9.3.2026": "2026-03-09", "09.03.2026": "2026-03-09", "31.2.2026": "31.2.2026", "": ""} {
		f := day
		if !strings.Contains(typed, "2026") {
			f.Type = TypeNumber
		}
		if got := f.Canonical(de, typed); got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}
