package app

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/ui"
)

// Theme is the look of the pages. What is zero is Limn's own.
type Theme struct {
	Accent string // the colour of buttons and links, as #rrggbb, dark enough for white text on it
	Font   string // font families as CSS has them, such as Inter, sans-serif; the pages load no fonts
	Logo   string // beside the title: an address on the same server, such as /logo.svg, or an image as data:image/…
	Radius int    // of corners, 1 to 24 px
}

var (
	hexColor   = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	fontNames  = regexp.MustCompile(`^[\p{L}\p{N} ,'"_-]+$`)
	logoTarget = regexp.MustCompile(`^(/[^/\\\s][^\\\s]*|data:image/[a-z0-9.+-]+[;,].+)$`)
)

// maxFont bounds the characters of the font's names. As {1,200} in the pattern it took
// 8 MB of every process that starts.
const maxFont = 200

// maxLogo bounds the bytes of an image that is written into every page.
const maxLogo = 32 << 10

func (t Theme) check() error {
	switch {
	case t.Accent != "" && !hexColor.MatchString(t.Accent):
		return ui.Errorf(CodeInvalid, "theme.accent", "%q is no colour: want one such as #3949ab", clip(t.Accent))
	case t.Accent != "" && contrast(t.Accent, white) < enough:
		return ui.Errorf(CodeInvalid, "theme.accent",
			"%s has a contrast of %.1f to 1 with white text, and people need %.1f: %s has it", t.Accent,
			contrast(t.Accent, white), enough, toward(t.Accent, "#000000", white))
	case t.Font != "" && (!fontNames.MatchString(t.Font) || utf8.RuneCountInString(t.Font) > maxFont):
		return ui.Errorf(CodeInvalid, "theme.font", "%q are no names of fonts: want some such as Inter, sans-serif",
			clip(t.Font))
	case len(t.Logo) > maxLogo:
		return ui.Errorf(CodeInvalid, "theme.logo", "the image has %d bytes: at most %d; "+
			"serve it, and name its address", len(t.Logo), maxLogo)
	case t.Logo != "" && !logoTarget.MatchString(t.Logo):
		return ui.Errorf(CodeInvalid, "theme.logo",
			"%q: want an address on the same server, such as /logo.svg, or an image as data:image/…", clip(t.Logo))
	case t.Radius < 0 || t.Radius > 24:
		return ui.Errorf(CodeInvalid, "theme.radius", "%d: want 1 to 24 px, or 0 for Limn's own", t.Radius)
	}
	return nil
}

// CSS is the style sheet of the theme, "" without one. It has a light and a dark look, each
// with the contrast that people need.
func (t Theme) CSS() string {
	var b strings.Builder
	set := func(name, value string) { fmt.Fprintf(&b, "--limn-%s: %s; ", name, value) }
	if t.Accent != "" {
		dark := toward(t.Accent, white, darkSurface)
		set("accent", "light-dark("+t.Accent+", "+dark+")")
		set("accent-strong", "light-dark("+mix(t.Accent, "#000000", 0.25)+", "+mix(dark, white, 0.3)+")")
		set("on-accent", "light-dark("+white+", "+darkSurface+")")
		set("soft", "light-dark("+mix(t.Accent, white, 0.9)+", "+mix(dark, darkSurface, 0.82)+")")
	}
	if t.Radius > 0 {
		for i, part := range []float64{0.6, 1, 1.6} {
			set("radius-"+strconv.Itoa(i+1), strconv.FormatFloat(math.Round(part*float64(t.Radius)), 'f', -1, 64)+"px")
		}
	}
	if t.Font != "" {
		fmt.Fprintf(&b, "font-family: %s; ", t.Font)
	}
	if b.Len() == 0 {
		return ""
	}
	return ":root { " + b.String() + "}\n"
}

const (
	white       = "#ffffff"
	darkSurface = "#1d2027" // --limn-raised of web/page/limn.css, in the dark
	enough      = 4.5       // WCAG 2.2, 1.4.3
)

// toward mixes a colour with another until it has enough contrast with a third.
func toward(color, other, with string) string {
	out := color
	for part := 0.0; part < 1 && contrast(out, with) < enough; part += 0.02 {
		out = mix(color, other, part)
	}
	return out
}

// mix is a colour with a part of another, 0 to 1.
func mix(color, other string, part float64) string {
	a, b := channels(color), channels(other)
	for i := range a {
		a[i] += (b[i] - a[i]) * part
	}
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(a[0])), int(math.Round(a[1])), int(math.Round(a[2])))
}

// contrast is the ratio of WCAG 2.2 of two colours, 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(color string) float64 {
	sum := 0.0
	for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
		v := channels(color)[i] / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// channels are red, green and blue of a colour, 0 to 255.
func channels(color string) (rgb [3]float64) {
	for i := range rgb {
		n, _ := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8) // hexColor has matched
		rgb[i] = float64(n)
	}
	return rgb
}
