package web_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/svg"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

var pictureURL = regexp.MustCompile(`http://limn\.test(/p/[^"\\]*)`)

// pictureOf is the address of the one picture in the drawing for a version.
func pictureOf(t *testing.T, c *client, version string) string {
	t.Helper()
	lines := string(c.do("GET", "/v1/-/a2ui?version="+version, "").body)
	m := pictureURL.FindStringSubmatch(strings.ReplaceAll(lines, `\u0026`, "&"))
	if m == nil {
		t.Fatalf("%s: no picture in %s", version, lines)
	}
	return m[1]
}

// TestPicture: what an Image of an A2UI drawing names is there for whoever has
// the address, also after a restart, and only as long as it is what is shown.
func TestPicture(t *testing.T) {
	t.Parallel()
	st := memory.New()
	s := start(t, func(c *limn.Config) { c.Store = st })
	c := s.program()
	c.say("First finance reviews the invoice, then IT signs it off, then the office archives it.")
	path := pictureOf(t, c, "v0.9")
	if old := pictureOf(t, c, "v0.8"); old != path {
		t.Errorf("v0.8 has %s, v0.9 %s", old, path)
	}
	for name, s := range map[string]*site{"the server": s, "another": start(t, func(c *limn.Config) { c.Store = st })} {
		a := s.visitor().do("GET", path, "", "Accept", "image/*")
		h := a.Header
		if a.StatusCode != 200 || h.Get("Content-Type") != "image/svg+xml" ||
			h.Get("Content-Security-Policy") != "default-src 'none'; sandbox" ||
			h.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(h.Get("Cache-Control"), "private, immutable, max-age=") {
			t.Errorf("%s: %d %v", name, a.StatusCode, h)
		}
		var svg struct {
			XMLName xml.Name
			Texts   []string `xml:"text"`
		}
		if err := xml.Unmarshal(a.body, &svg); err != nil || svg.XMLName.Local != "svg" || len(svg.Texts) < 3 {
			t.Errorf("%s: %v in %s", name, err, a.body)
		}
		if head := s.visitor().do("HEAD", path, ""); head.StatusCode != 200 || len(head.body) != 0 {
			t.Errorf("%s: HEAD %d", name, head.StatusCode)
		}
	}

	sf := c.state().Surfaces[0]
	_, query, _ := strings.Cut(path, "?")
	signed := func(a svg.Address) string { return a.URL("", sf.Nonce) }
	own := svg.Address{Conversation: c.ID, Surface: sf.Name, Epoch: sf.Epoch, Node: "main/picture",
		Content: query[2:18], Until: time.Now().Add(time.Hour).Unix()}
	if a := s.visitor().do("GET", signed(own), ""); a.StatusCode != 200 {
		t.Fatalf("an address like the server's own: %d %s", a.StatusCode, a.body)
	}
	changed := func(f func(*svg.Address)) string {
		a := own
		f(&a)
		return signed(a)
	}
	for name, bad := range map[string]struct {
		path string
		code ui.Code
	}{
		"another signature": {path[:len(path)-1] + string("01"[strings.Count(path[len(path)-1:], "0")]), recovery.CodeNotFound},
		"no signature":      {path[:strings.Index(path, "&sig=")], recovery.CodeNotFound},
		"another end":       {strings.Replace(path, "00&sig=", "01&sig=", 1), recovery.CodeNotFound},
		"another node":      {strings.Replace(path, "main.picture", "main.steps", 1), recovery.CodeNotFound},
		"for ever":          {changed(func(a *svg.Address) { a.Until = time.Now().Add(50 * time.Hour).Unix() }), recovery.CodeNotFound},
		"yesterday's":       {changed(func(a *svg.Address) { a.Until = time.Now().Add(-time.Hour).Unix() }), recovery.CodeGone},
		"other content":     {changed(func(a *svg.Address) { a.Content = "0123456789abcdef" }), recovery.CodeGone},
		"no node":           {changed(func(a *svg.Address) { a.Node = "main/nothing" }), recovery.CodeGone},
		"another epoch":     {changed(func(a *svg.Address) { a.Epoch++ }), recovery.CodeNotFound},
		"another surface":   {changed(func(a *svg.Address) { a.Surface = "other" }), recovery.CodeNotFound},
		"nobody's":          {strings.Replace(path, c.ID, "0193f5a0-0000-7000-8000-000000000000", 1), recovery.CodeNotFound},
		"no number":         {strings.Replace(path, "/1/", "/x/", 1), recovery.CodeNotFound},
		"no content":        {strings.Replace(path, "h=", "x=", 1), recovery.CodeNotFound},
	} {
		if p := s.visitor().do("GET", bad.path, "").problem(t); p.Code != bad.code {
			t.Errorf("%s: %d %s, want %s", name, p.Status, p.Code, bad.code)
		}
	}
	// without a signature nobody learns what exists
	forged := func(f func(*svg.Address)) string {
		a := s.visitor().do("GET", strings.Split(changed(f), "&sig=")[0]+"&sig="+strings.Repeat("0", 64), "")
		return fmt.Sprint(a.StatusCode) + regexp.MustCompile(`"(instance|request)":"[^"]*"`).ReplaceAllString(
			string(a.body), "")
	}
	there := forged(func(*svg.Address) {})
	for name, f := range map[string]func(*svg.Address){
		"conversation": func(a *svg.Address) { a.Conversation = "0193f5a0-0000-7000-8000-000000000000" },
		"surface":      func(a *svg.Address) { a.Surface = "other" },
		"epoch":        func(a *svg.Address) { a.Epoch++ },
	} {
		if got := forged(f); got != there {
			t.Errorf("another %s is answered\n%s\none that exists\n%s", name, got, there)
		}
	}

	// another process, another address; the old one is gone
	press := c.do("POST", "/v1/-/events", action(t, c, sf.Name, map[string]string{"steps": "Something else"},
		builtin.ActionSubmit), "Prefer", "wait=10")
	if press.StatusCode != http.StatusOK {
		t.Fatalf("submit: %d %s", press.StatusCode, press.body)
	}
	now := pictureOf(t, c, "v0.9")
	if now == path {
		t.Error("the address is the same for another process")
	}
	if p := s.visitor().do("GET", path, "").problem(t); p.Code != recovery.CodeGone {
		t.Errorf("the old address: %d %s", p.Status, p.Code)
	}
	if a := s.visitor().do("GET", now, ""); a.StatusCode != 200 || !strings.Contains(string(a.body), "Something") {
		t.Errorf("the new address: %d", a.StatusCode)
	}
}
