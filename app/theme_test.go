package app_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
)

// TestThemeChecked: a look that people could not read, or that is none, does not load.
func TestThemeChecked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ yaml, at, says string }{
		{`{accent: teal}`, "a.yaml:2:", "such as #3949ab"},
		{`{accent: "#ffcc00"}`, "a.yaml:2:", "contrast of 1.5 to 1"},
		{`{font: "Inter; } body { display: none"}`, "a.yaml:2:", "no names of fonts"},
		{`{font: ` + strings.Repeat("é", 201) + `}`, "a.yaml:2:", "no names of fonts"},
		{`{logo: "http://elsewhere.test/x.png"}`, "a.yaml:2:", "on the same server"},
		{`{logo: "//elsewhere.test/x.png"}`, "a.yaml:2:", "on the same server"},
		{`{logo: "javascript:alert(1)"}`, "a.yaml:2:", "on the same server"},
		{`{radius: 99}`, "a.yaml:2:", "1 to 24"},
		{`{color: red}`, "a.yaml:2:", "color"},
	} {
		_, err := app.Load("a.yaml", []byte("name: a\ntheme: "+test.yaml))
		if err == nil || !strings.Contains(err.Error(), test.at) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.yaml, err)
		}
	}
	a, err := app.Load("a.yaml", []byte(`{name: a, theme: {accent: "#0b6e4f", font: "Inter, 'Open Sans', sans-serif", logo: /l.svg, radius: 4}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := app.Theme{Accent: "#0b6e4f", Font: "Inter, 'Open Sans', sans-serif", Logo: "/l.svg", Radius: 4}
	if got := a.Config().Theme; got != want {
		t.Errorf("got %+v", got)
	}
	if css := want.CSS(); !strings.Contains(css, "light-dark(#0b6e4f, #") || !strings.Contains(css, "font-family: Inter,") ||
		!strings.Contains(css, "--limn-radius-2: 4px") {
		t.Errorf("the style sheet: %s", css)
	}
	if css := (app.Theme{}).CSS(); css != "" {
		t.Errorf("no theme has a style sheet: %s", css)
	}
}

// TestThemeReadable: whatever the accent is, it is refused with one that is not, or its dark
// look can be read, too.
func TestThemeReadable(t *testing.T) {
	t.Parallel()
	proposed := regexp.MustCompile(`(#[0-9a-f]{6}) has it`)
	dark := regexp.MustCompile(`--limn-accent: light-dark\(#[0-9a-f]{6}, (#[0-9a-f]{6})\)`)
	rapid.Check(t, func(t *rapid.T) {
		accent := rapid.StringMatching(`#[0-9a-f]{6}`).Draw(t, "accent")
		for range 2 {
			a, err := app.New(app.Config{Name: "a", Theme: app.Theme{Accent: accent}})
			if err != nil {
				accent = proposed.FindStringSubmatch(err.Error())[1]
				continue
			}
			shown := dark.FindStringSubmatch(a.Config().Theme.CSS())[1]
			if got := app.Contrast(shown, "#1d2027"); got < 4.5 {
				t.Errorf("%s is %s in the dark, with a contrast of %.2f", accent, shown, got)
			}
			return
		}
		t.Errorf("the proposed %s is refused, too", accent)
	})
}
