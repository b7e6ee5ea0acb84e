package ui

import (
	"strings"
	"testing"
)

// TestNumbersOfLanguages: a number field reads what people write in their language; what
// has two meanings is asked with both.
func TestNumbersOfLanguages(t *testing.T) {
	t.Parallel()
	german, french, english := Words{"page.number": "1.234,5"}, Words{"page.number": "1\u202f234,5"}, Words(nil)
	for _, tt := range []struct {
		w          Words
		text, want string // a number, "a or b", or "" for none
	}{
		{german, "1.234,5", "1234.5"}, {german, "1 234,5", "1234.5"}, {german, "1'234,5", "1234.5"},
		{german, "-1.234.567,25", "-1234567.25"}, {german, "0,5", "0.5"}, {german, "−7", "-7"}, {german, "+7,0", "7.0"},
		{german, "1.5", "1.5"}, {german, "0.125", "0.125"}, {german, "1234.5", "1234.5"}, {german, "1.234.567", "1234567"},
		{german, "1.234", "1,234 or 1234"}, {german, "-123.456", "-123,456 or -123456"},
		{german, "1.2345", "1.2345"}, {german, "1,234", "1.234"},
		{german, "1,234.5", ""}, {german, "1,5,5", ""}, {german, ",5", ""}, {german, "1.23,4", ""}, {german, "12 34", ""}, {german, "1,", ""},
		{french, "1 234,5", "1234.5"}, {french, "1\u202f234,5", "1234.5"}, {french, "1\u00a0234", "1234"}, {french, "1.234", "1.234"},
		{english, "1,234.5", "1234.5"}, {english, "1,234", "1234"}, {english, "1.234", "1.234"}, {english, "1,5", ""},
		{english, "1 234.5", "1234.5"}, {english, "1.234,5", ""}, {english, "007", "7"}, {english, "1e3", "1e3"}, {english, "x", ""},
	} {
		v, e := Field{Name: "n", Type: TypeNumber}.Check(String(tt.text), "Sum", tt.w)
		got := v.Text()
		if guess, other, two := strings.Cut(tt.want, " or "); two && e != nil && e.Code == CodeFieldType &&
			strings.Contains(e.Text, "“"+tt.text+"” can mean "+guess+" or "+other+".") {
			got = tt.want
		} else if e != nil && !strings.HasPrefix(e.Text, "Sum must be") {
			t.Errorf("%q: %s", tt.text, e.Text)
		}
		if got != tt.want {
			t.Errorf("%q with %q: %q, want %q", tt.text, tt.w["page.number"], got, tt.want)
		}
	}
	if _, e := (Field{Name: "n", Type: TypeNumber, Max: "1000"}).Check(String("1.234,5"), "Sum", german); e == nil || e.Code != codeFieldRange {
		t.Errorf("above the most: %v", e)
	}
}

// TestDraftNumbers: a number that the server writes into a field means the same when it
// comes back, in every language.
func TestDraftNumbers(t *testing.T) {
	t.Parallel()
	f := Field{Name: "n", Type: TypeNumber}
	for _, text := range []string{"1.234", "-999.125", "0.125", "1234", "1234.567", "1.5", "0", "1e3", "1.2345"} {
		n, _ := Number(text)
		for _, format := range []string{"1.234,5", "1,234.5", "1 234,5"} {
			for _, f := range []Field{f, {Name: "s", Type: TypeSlider}} {
				v, e := f.Check(f.Draft(n), "N", Words{"page.number": format})
				if e != nil || !v.Equal(n) {
					t.Errorf("%s %s with %s: %s, %v", f.Type, text, format, v.Text(), e)
				}
			}
		}
	}
	if got := f.Draft(String("1.234")).Text(); got != "1.234" {
		t.Errorf("what was typed becomes %q", got)
	}
}
