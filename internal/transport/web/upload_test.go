package web_test

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/transport/web"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// part is one part of a multipart body; with file it is a file of that name.
type part struct{ name, file, text string }

// noChoice is the file of an input in which nothing was chosen: browsers send an
// empty part without a name.
const noChoice = "\x00"

func multi(t *testing.T, parts ...part) (contentType, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		create := func() (wr interface{ Write([]byte) (int, error) }, err error) {
			if p.file == noChoice {
				return w.CreateFormFile(p.name, "")
			}
			if p.file != "" {
				return w.CreateFormFile(p.name, p.file)
			}
			return w.CreateFormField(p.name)
		}
		wr, err := create()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := wr.Write([]byte(p.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}

func (c *client) upload(path string, headers []string, parts ...part) answer {
	c.t.Helper()
	ct, body := multi(c.t, parts...)
	return c.do("POST", path, body, append([]string{"Content-Type", ct}, headers...)...)
}

// TestUploadAPI: what is stored is what was sent, under a sniffed type and a
// name without folders; and what is not taken says why.
func TestUploadAPI(t *testing.T) {
	t.Parallel()
	st := memory.New()
	c := start(t, func(c *limn.Config) { c.Store = st }).program()
	for _, tt := range []struct{ name, body, wantName, wantType string }{
		{"card.json", `{"name":"Ada"}`, "card.json", "application/json"},
		{`C:\tmp\x.json`, `[1]`, "x.json", "application/json"},
		{"../../etc/passwd", "root:x:0", "passwd", "text/plain"},
		{"fake.json", "not json", "fake.json", "text/plain"},
		{"deep.json", strings.Repeat("[", 10_000), "deep.json", "text/plain"},
		{"page", "<!doctype html><script>", "page", "text/html"},
		{"pic", "\x89PNG\r\n\x1a\n", "pic", "image/png"},
		{"bin", "\x00\x01\x02", "bin", "application/octet-stream"},
		{strings.Repeat("n", 300), "x", strings.Repeat("n", 200), "text/plain"},
		{"<b>.txt", "x", "<b>.txt", "text/plain"},
	} {
		a := c.upload("/v1/-/uploads", nil, part{"file", tt.name, tt.body})
		var got struct {
			ID, Name, Type string
			Size           int
		}
		if a.into(t, &got); a.StatusCode != 201 || got.Name != tt.wantName || got.Type != tt.wantType ||
			got.Size != len(tt.body) {
			t.Errorf("%.20s: %d %s, want %s %s", tt.name, a.StatusCode, a.body, tt.wantName, tt.wantType)
		}
		blob, err := st.Blob(t.Context(), c.ID, got.ID)
		if err != nil || string(blob.Body) != tt.body || blob.Name != tt.wantName || blob.At.IsZero() {
			t.Errorf("%.20s: stored %+v, %v", tt.name, blob, err)
		}
	}
	eight := strings.Repeat("x", 8<<20)
	if a := c.upload("/v1/-/uploads", nil, part{"file", "max", eight}); a.StatusCode != 201 {
		t.Errorf("8 MiB: %d %s", a.StatusCode, a.body)
	}
	for name, tt := range map[string]struct {
		parts []part
		code  ui.Code
	}{
		"one byte too many": {[]part{{"file", "x", eight + "x"}}, "HTTP_BODY_TOO_LARGE"},
		"far too much":      {[]part{{"file", "x", eight + eight}}, "HTTP_BODY_TOO_LARGE"},
		"a long field":      {[]part{{"limn_path", "", strings.Repeat("x", 5000)}, {"file", "x", "x"}}, "HTTP_BODY_TOO_LARGE"},
		"no file":           {[]part{{"other", "", "x"}}, "A2UI_C2S_ENVELOPE_INVALID"},
		"an empty file":     {[]part{{"file", "x", ""}}, "A2UI_C2S_ENVELOPE_INVALID"},
		"a page as JSON":    {[]part{{"file", "x.json", "<!doctype html><script>"}}, "UPLOAD_TYPE_MISMATCH"},
		"a page as a PNG":   {[]part{{"file", "x.PNG", "<script>alert(1)</script>"}}, "UPLOAD_TYPE_MISMATCH"},
		"a script in SVG":   {[]part{{"file", "x.png", "<svg onload='alert(1)'/>"}}, "UPLOAD_TYPE_MISMATCH"},
		"a PNG as a GIF":    {[]part{{"file", "x.gif", "\x89PNG\r\n\x1a\n"}}, "UPLOAD_TYPE_MISMATCH"},
		"nothing":           {nil, "A2UI_C2S_ENVELOPE_INVALID"},
	} {
		if p := c.upload("/v1/-/uploads", nil, tt.parts...).problem(t); p.Code != tt.code {
			t.Errorf("%s: %d %s, want %s", name, p.Status, p.Code, tt.code)
		}
	}
	encoded := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"q\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=41=42\r\n--b--\r\n"
	var raw struct{ Size int }
	if c.do("POST", "/v1/-/uploads", encoded, "Content-Type", "multipart/form-data; boundary=b").into(t, &raw); raw.Size != len("=41=42") {
		t.Errorf("what was sent is decoded: %d bytes", raw.Size)
	}
	if p := c.do("POST", "/v1/-/uploads", encoded, "Content-Type", "multipart/mixed; boundary=b").problem(t); p.Code != "HTTP_MEDIA_TYPE" {
		t.Errorf("multipart/mixed: %s", p.Code)
	}
	ct, body := multi(t, part{"file", "x", "hello"})
	if p := c.do("POST", "/v1/-/uploads", body[:len(body)-20], "Content-Type", ct).problem(t); p.Code != "A2UI_C2S_ENVELOPE_INVALID" {
		t.Errorf("a body that is cut off: %s", p.Code)
	}
}

// TestUploadByForm is an upload by itself, as a script sends it: see the name, and
// submit the form without the file.
func TestUploadByForm(t *testing.T) {
	t.Parallel()
	c := start(t).visitor()
	c.browse(c.do("GET", "/", ""))
	c.browse(c.post("/c/-/messages", url.Values{"text": {"add a character"}}))
	sf := c.state().Surface("form:character")
	const browser = "text/html,*/*"
	send := func(file, text string, change ...part) answer {
		t.Helper()
		var parts []part
		for _, p := range []part{{"limn_surface", "", sf.WireID()}, {"limn_nonce", "", sf.Nonce},
			{"limn_path", "", "/draft/card"}} {
			if !slices.ContainsFunc(change, func(c part) bool { return c.name == p.name }) {
				parts = append(parts, p)
			}
		}
		if parts = append(parts, change...); file != "" {
			parts = append(parts, part{"file", file, text})
		}
		return c.upload("/c/"+c.ID+"/uploads", []string{"Accept", browser}, parts...)
	}

	// a wrong type is an error at the field, and nothing is attached
	p, fragment := c.browse(send("face.png", "\x89PNG\r\n\x1a\n"))
	if n := p.one(0, "id", fragment); attr(n, "type") != "file" ||
		!strings.Contains(p.text, "takes files of type application/json") {
		t.Errorf("a wrong type leads to %v", n.Attr)
	}
	if got := c.leaf("form:character", "/draft/card"); got != "" {
		t.Errorf("the draft holds %q", got)
	}

	// no file chosen: a page says so and leads back
	if a := send("", ""); a.StatusCode != 400 || !strings.Contains(string(a.body), "choose a file first") ||
		!strings.Contains(string(a.body), `href="/c/`+c.ID) {
		t.Errorf("no file: %d %s", a.StatusCode, a.body)
	}

	// the right one
	p, _ = c.browse(send(`card "Ada" <1>.json`, `{"name":"Ada"}`))
	id := c.leaf("form:character", "/draft/card")
	if !strings.HasPrefix(id, "u-") || strings.Contains(p.text, "takes files of type") {
		t.Errorf("draft %q, or the error stays", id)
	}
	if got := textOf(p.one(atom.Span, "class", "limn-file")); got != `card "Ada" <1>.json` {
		t.Errorf("the page shows %q", got)
	}
	form := p.form("/c/" + c.ID + "/actions")
	v := p.values(form)
	if v.Get("/draft/card") != id {
		t.Errorf("the form sends %q", v.Get("/draft/card"))
	}

	// a form from before the upload is stale, and what it typed is kept
	old := url.Values{"limn_surface": {sf.WireID()}, "limn_nonce": {sf.Nonce}, "limn_rev": {utoa(sf.Rev)},
		"limn_component": {submitButton(t, c, "form:character")}, "/draft/nickname": {"Ada L."}}
	if a := c.post("/c/-/actions", old); a.StatusCode != 409 ||
		!strings.Contains(string(a.body), "what you typed is kept") {
		t.Errorf("a stale form: %d %s", a.StatusCode, a.body)
	}
	if got := c.leaf("form:character", "/draft/nickname"); got != "Ada L." {
		t.Errorf("nickname %q", got)
	}

	// wrong nonce, wrong path, garbage: refused, and the page still works
	for _, change := range []part{{"limn_nonce", "", "x"}, {"limn_path", "", "/draft/nickname"},
		{"limn_path", "", "\xff\x00"}, {"limn_surface", "", "\xfe"}} {
		if a := send("x.json", `{}`, change); a.StatusCode < 400 || a.StatusCode > 409 {
			t.Errorf("%q: %d %s", change, a.StatusCode, a.body)
		}
	}
	p = c.do("GET", "/c/-", "").page(t)
	form = p.form("/c/" + c.ID + "/actions")
	c.browse(c.post(attr(form, "action"), p.press(form, "Submit", p.values(form))))
	if card, _ := c.state().Committed.Get("character", "card"); card.Text() != id {
		t.Errorf("committed %q, want %q", card.Text(), id)
	}
}

// TestUploadFromA2UI follows the address an A2UI drawing opens.
func TestUploadFromA2UI(t *testing.T) {
	t.Parallel()
	c := start(t).visitor()
	c.browse(c.do("GET", "/", ""))
	c.browse(c.post("/c/-/messages", url.Values{"text": {"add a character"}}))
	drawn := string(c.do("GET", "/v1/-/a2ui?version=v0.9", "").body)
	_, rest, ok := strings.Cut(drawn, `"url":"http://limn.test`)
	at, _, _ := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("no address in %s", drawn)
	}
	at = strings.ReplaceAll(at, `\u0026`, "&")
	p := c.do("GET", at, "", "Referer", "http://limn.test/c/x?draw=v0.8").page(t)
	form := p.one(atom.Form)
	if textOf(p.one(atom.Label)) != "Card" || attr(p.one(atom.Input, "type", "file"), "accept") != "application/json" {
		t.Errorf("the page:\n%s", p.text)
	}
	var parts []part
	for name, list := range p.values(form) {
		parts = append(parts, part{name, "", list[0]})
	}
	for text, file := range map[string]part{"card.json is not a valid JSON file.": {"file", "card.json", "{broken"},
		"The file is empty. Choose a file that holds something.": {"file", "card.json", ""},
		"Files can be up to 8 MiB.": {"file", "card.json",
			strings.Repeat(" ", web.MaxUpload+1)}} {
		p := c.upload(attr(form, "action"), nil, append(slices.Clone(parts), file)...).page(t)
		if got := textOf(p.one(0, "id", "problem")); !strings.HasPrefix(got, text) ||
			attr(p.one(0, "id", "file"), "aria-invalid") != "true" {
			t.Errorf("the page says %q, want %q", got, text)
		}
	}
	parts = append(parts, part{"file", "card.json", "{}"})
	done := c.upload(attr(form, "action"), nil, parts...).page(t)
	if !strings.Contains(done.text, "card.json is uploaded") ||
		attr(done.one(atom.A), "href") != "/c/"+c.ID+"?draw=v0.8" {
		t.Errorf("after the upload:\n%s", done.text)
	}
	if got := c.leaf("form:character", "/draft/card"); !strings.HasPrefix(got, "u-") {
		t.Errorf("draft %q", got)
	}
	if after := string(c.do("GET", "/v1/-/a2ui?version=v0.9", "").body); !strings.Contains(after, "card.json") {
		t.Error("the drawing does not show the stored name")
	}
	for bad, want := range map[string]ui.Code{"": "A2UI_C2S_SURFACE_STALE",
		"?surface=form:character%23e=9&path=/draft/card":     "A2UI_C2S_SURFACE_STALE",
		"?surface=form:character%23e=1":                      "A2UI_C2S_ENVELOPE_INVALID",
		"?surface=form:character%23e=1&path=/draft/nickname": "A2UI_C2S_ENVELOPE_INVALID"} {
		if p := c.do("GET", "/c/-/upload"+bad, "").problem(t); p.Code != want {
			t.Errorf("%s: %s", bad, p.Code)
		}
	}
}

// TestUploadForeignID: a field that says what it takes does not take the id of a
// file whose type was never looked at.
func TestUploadForeignID(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a character")
	var other struct{ ID string }
	c.upload("/v1/-/uploads", nil, part{"file", "pic.png", "\x89PNG\r\n\x1a\n"}).into(t, &other)
	submit := func(id string) ui.Outcome {
		t.Helper()
		sf := c.state().Surface("form:character")
		c.post("/c/-/actions", url.Values{"limn_surface": {sf.WireID()}, "limn_nonce": {sf.Nonce},
			"limn_rev":       {utoa(sf.Rev)},
			"limn_component": {submitButton(t, c, "form:character")}, "/draft/card": {id}})
		var log struct{ Frames []ui.Frame }
		c.do("GET", "/v1/-/frames", "").into(t, &log)
		return log.Frames[len(log.Frames)-1].Outcome
	}
	for _, id := range []string{other.ID, "u-made-up"} {
		if got := submit(id); got.Kind != ui.OutcomeAsked || got.Code != ui.CodeFieldType || got.Path != "/draft/card" {
			t.Errorf("%s: %+v", id, got)
		}
	}
	sf := c.state().Surface("form:character")
	c.upload("/v1/-/uploads", nil, part{"limn_surface", "", sf.WireID()}, part{"limn_nonce", "", sf.Nonce},
		part{"limn_path", "", "/draft/card"}, part{"file", "card.json", "{}"})
	if got := submit(c.leaf("form:character", "/draft/card")); got.Kind != ui.OutcomeDone {
		t.Errorf("the attached file: %+v", got)
	}
}

// TestUploadNeverServed: whatever address is asked for, nothing that was uploaded
// comes back from our origin, as whatever type.
func TestUploadNeverServed(t *testing.T) {
	t.Parallel()
	c := start(t, withAssets).program()
	c.say("add a character")
	const secret = "the-bytes-of-the-file"
	var got struct{ ID, Name string }
	c.upload("/v1/-/uploads", nil, part{"file", "page.html", "<html><script>" + secret + "</script>"}).into(t, &got)
	if got.ID == "" {
		t.Fatal("not stored")
	}
	for _, path := range []string{"/v1/-/state", "/v1/-/frames", "/v1/-/a2ui?version=v0.9", "/v1/-/a2ui?version=html",
		"/c/-", "/c/-/preferences",
		"/v1/-/uploads/" + got.ID, "/v1/-/uploads", "/c/-/uploads/" + got.ID, "/c/-/uploads", "/uploads/" + got.ID, "/assets/" + got.ID, "/assets/page.html",
		"/p/-/form:character/1/" + got.ID, "/" + got.ID, "/" + got.Name,
		"/c/-/upload?surface=form:character%23e=1&path=/draft/card"} {
		if a := c.do("GET", path, ""); strings.Contains(string(a.body), secret) {
			t.Errorf("%s serves the file as %s", path, a.Header.Get("Content-Type"))
		}
	}
}

// files is a store that counts the files it is given and those it removes.
type files struct {
	store.Store
	put, dropped int
	before       func() // each PutBlob, if set
	during       func() // each PutBlob, if set
}

func (f *files) PutBlob(ctx context.Context, id string, b store.Blob) error {
	f.put++
	if f.before != nil {
		f.before()
	}
	err := f.Store.PutBlob(ctx, id, b)
	if f.during != nil {
		f.during()
	}
	return err
}

func (f *files) DropBlob(ctx context.Context, id, blob string) error {
	f.dropped++
	return f.Store.DropBlob(ctx, id, blob)
}

// TestUploadOnce: a file that is sent again under its key is stored once and
// attached once, whatever became of the form meanwhile; another one under that key
// is refused, and not kept.
func TestUploadOnce(t *testing.T) {
	t.Parallel()
	st := &files{Store: memory.New()}
	c := start(t, func(c *limn.Config) { c.Store = st }).program()
	c.say("add a character")
	sf := c.state().Surface("form:character")
	send := func(key, text string, more ...part) (answer, string) {
		t.Helper()
		a := c.upload("/v1/-/uploads", []string{"Idempotency-Key", key},
			append(more, part{"file", "card.json", text})...)
		var got struct{ ID string }
		a.into(t, &got)
		return a, got.ID
	}
	attach := func(key, text string) answer {
		a, _ := send(key, text, part{"limn_surface", "", sf.WireID()}, part{"limn_nonce", "", sf.Nonce},
			part{"limn_path", "", "/draft/card"})
		return a
	}
	first := attach("k", "{}")
	if first.StatusCode != 200 {
		t.Fatalf("%d %s", first.StatusCode, first.body)
	}
	if a := attach("k", "{}"); string(a.body) != string(first.body) || st.put != 1 {
		t.Errorf("again: %d %s, %d are stored", a.StatusCode, a.body, st.put)
	}
	if p := attach("k", "[]").problem(t); p.Code != "HTTP_KEY_REUSED" || st.put != 1 || st.dropped != 0 {
		t.Errorf("another file: %s, %d were stored and %d removed", p.Code, st.put, st.dropped)
	}
	c.do("POST", "/v1/-/surfaces/form:character/regenerate", "")
	if a := attach("k", "{}"); string(a.body) != string(first.body) || st.dropped != 0 {
		t.Errorf("after the form was drawn anew: %d %s, %d removed", a.StatusCode, a.body, st.dropped)
	}
	if a := attach("other", "{}"); a.StatusCode != 409 || st.put != 1 || st.dropped != 0 {
		t.Errorf("a key of its own: %d, %d were stored and %d removed", a.StatusCode, st.put, st.dropped)
	}

	_, one := send("plain", "{}")
	_, again := send("plain", "{}")
	_, other := send("plain", "[]")
	_, named := send("more", "{}")
	if one == "" || one != again || one == other || one == named || st.put != 4 {
		t.Errorf("%s, %s, %s, %s: %d are stored", one, again, other, named, st.put)
	}
	if p := c.upload("/v1/-/uploads", []string{"Idempotency-Key", ""}, part{"file", "a", "x"}).problem(t); p.Code != "HTTP_KEY_INVALID" {
		t.Errorf("an empty key: %s", p.Code)
	}
}

// TestUploadStays: what is refused takes no file away that was taken, or that
// another try under its key may still be taken with.
func TestUploadStays(t *testing.T) {
	t.Parallel()
	st := &files{Store: memory.New()}
	srv := start(t, func(c *limn.Config) { c.Store = st })
	c := srv.program()
	c.say("add a character")
	sf := c.state().Surface("form:character")
	send := func(key string, more ...part) answer {
		t.Helper()
		return c.upload("/v1/-/uploads", []string{"Idempotency-Key", key},
			append(more, part{"file", "card.json", "{}"})...)
	}
	place := func(name, value string) []part {
		parts := []part{{"limn_surface", "", sf.WireID()}, {"limn_nonce", "", sf.Nonce},
			{"limn_path", "", "/draft/card"}}
		for i := range parts {
			if parts[i].name == name {
				parts[i].text = value
			}
		}
		return parts
	}
	there := func(what, file string) {
		t.Helper()
		if _, err := st.Blob(t.Context(), c.ID, file); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	first := send("k", place("", "")...)
	if first.StatusCode != 200 {
		t.Fatalf("%d %s", first.StatusCode, first.body)
	}
	card, _ := c.state().Surface("form:character").Get("/draft/card")
	for name, value := range map[string]string{"limn_path": "/draft/nickname", "limn_surface": "form:character#e=2",
		"limn_nonce": "x"} {
		if p := send("k", place(name, value)...).problem(t); p.Code != "HTTP_KEY_REUSED" {
			t.Errorf("the key again, with another %s: %s", name, p.Code)
		}
		there("the key was used again with another "+name, card.Text())
	}

	var plain struct{ ID string }
	send("plain").into(t, &plain)
	if p := send("plain", place("limn_nonce", "x")...).problem(t); p.Code != "A2UI_C2S_ACTION_FORBIDDEN" {
		t.Errorf("a wrong nonce: %s", p.Code)
	}
	there("a file that was taken under the key of a refused one", plain.ID)

	put, dropped := st.put, st.dropped
	st.during = func() { srv.srv.Close(t.Context()) } //nolint:errcheck // nothing runs
	if p := send("late", place("", "")...).problem(t); p.Code != "HTTP_DRAINING" || st.put != put+1 ||
		st.dropped != dropped {
		t.Errorf("a server that stops: %s, %d were stored and %d removed", p.Code, st.put-put, st.dropped-dropped)
	}
}

// TestUploadAtTwoNodes: one that came to another node meanwhile is the same file.
func TestUploadAtTwoNodes(t *testing.T) {
	t.Parallel()
	st := &files{Store: memory.New()}
	c := start(t, func(c *limn.Config) { c.Store = st }).program()
	other := start(t, func(c *limn.Config) { c.Store = st.Store }).program()
	other.Token, other.ID = c.Token, c.ID
	send := func(c *client) answer {
		return c.upload("/v1/-/uploads", []string{"Idempotency-Key", "k"}, part{"file", "card.json", "{}"})
	}
	var first answer
	st.before = func() { first = send(other) }
	if a := send(c); a.StatusCode != 201 || string(a.body) != string(first.body) {
		t.Errorf("%d %s, the other node says %s", a.StatusCode, a.body, first.body)
	}
}

// TestUploadAfterTheEnd: a file that was taken before the end has its answer, and no
// other one is stored.
func TestUploadAfterTheEnd(t *testing.T) {
	t.Parallel()
	st := &files{Store: memory.New()}
	c := start(t, func(c *limn.Config) { c.Store = st }).program()
	c.say("add a character")
	sf := c.state().Surface("form:character")
	send := func(key string, into bool) answer {
		parts := []part{{"file", "card.json", "{}"}}
		if into {
			parts = append(parts, part{"limn_surface", "", sf.WireID()}, part{"limn_nonce", "", sf.Nonce},
				part{"limn_path", "", "/draft/card"})
		}
		var headers []string
		if key != "" {
			headers = []string{"Idempotency-Key", key}
		}
		return c.upload("/v1/-/uploads", headers, parts...)
	}
	first := send("k", true)
	card, _ := c.state().Surface("form:character").Get("/draft/card")
	c.do("POST", "/v1/-/end", "")
	if a := send("k", true); a.StatusCode != 200 || string(a.body) != string(first.body) {
		t.Errorf("the same again: %d %s", a.StatusCode, a.body)
	}
	for _, a := range []answer{send("other", true), send("other", false), send("", true), send("", false)} {
		if p := a.problem(t); p.Code != ui.CodeEnded {
			t.Errorf("another one: %d %s", a.StatusCode, a.body)
		}
	}
	if _, err := st.Blob(t.Context(), c.ID, card.Text()); err != nil || st.put != 1 {
		t.Errorf("%d are stored, the first: %v", st.put, err)
	}
}

// TestUploadKeepsWhatHasAPlace: a file for a place that is not there is not stored,
// and one whose place goes, or that does not fit into it, is removed.
func TestUploadKeepsWhatHasAPlace(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		field, value  string                    // sent instead of the right one
		before        func(*testing.T, *client) // what happens first
		during        func(*client) func()      // and while the file is stored
		file, text    string
		status        int
		code          ui.Code
		put, dropped  int
		canRegenerate bool
	}{
		"as it should be":    {status: 200, put: 1},
		"wrong nonce":        {field: "limn_nonce", value: "x", status: 403, code: "A2UI_C2S_ACTION_FORBIDDEN"},
		"no surface":         {field: "limn_surface", value: "form:none#e=1", status: 409, code: "A2UI_C2S_SURFACE_STALE"},
		"no surface of ours": {field: "limn_surface", value: "\xff", status: 409, code: "A2UI_C2S_SURFACE_STALE"},
		"another epoch":      {field: "limn_surface", value: "form:character#e=7", status: 409, code: "A2UI_C2S_SURFACE_STALE", canRegenerate: true},
		"no upload field":    {field: "limn_path", value: "/draft/nickname", status: 400, code: "A2UI_C2S_ENVELOPE_INVALID"},
		"a submitted form": {before: func(t *testing.T, c *client) {
			sf := c.state().Surface("form:character")
			c.upload("/v1/-/uploads", nil, part{"limn_surface", "", sf.WireID()}, part{"limn_nonce", "", sf.Nonce}, part{"limn_path", "", "/draft/card"}, part{"file", "card.json", "{}"})
			c.do("POST", events, action(t, c, "form:character", map[string]string{"nickname": "Ada"}, builtin.ActionSubmit), "Content-Type", "application/json")
			if got := c.state().Surface("form:character").Status; got != ui.StatusSubmitted {
				t.Fatalf("the form is %s", got)
			}
		}, status: 409, code: "A2UI_C2S_SURFACE_SUBMITTED", put: 1, canRegenerate: true}, // the first
		"drawn anew meanwhile": {during: func(c *client) func() {
			return func() { c.do("POST", "/v1/-/surfaces/form:character/regenerate", "") }
		}, status: 409, code: "A2UI_C2S_SURFACE_STALE", put: 1, dropped: 1, canRegenerate: true},
		"ended meanwhile": {during: func(c *client) func() {
			return func() { c.do("POST", "/v1/-/end", "") }
		}, status: 410, code: ui.CodeEnded, put: 1, dropped: 1},
		"a type that the field does not take": {file: "pic.png", text: "\x89PNG\r\n\x1a\n", status: 200, put: 1, dropped: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := &files{Store: memory.New()}
			c := start(t, func(c *limn.Config) { c.Store = st }).program()
			c.say("add a character")
			sf := c.state().Surface("form:character")
			if tt.before != nil {
				tt.before(t, c)
			}
			if tt.during != nil {
				st.during = tt.during(c)
			}
			if tt.file == "" {
				tt.file, tt.text = "card.json", "{}"
			}
			parts := []part{{"file", tt.file, tt.text}}
			for _, p := range []part{{"limn_surface", "", sf.WireID()}, {"limn_nonce", "", sf.Nonce},
				{"limn_path", "", "/draft/card"}} {
				if p.name == tt.field {
					p.text = tt.value
				}
				parts = append(parts, p)
			}
			a := c.upload("/v1/-/uploads", nil, parts...)
			var p web.Problem
			if a.into(t, &p); a.StatusCode != tt.status || p.Code != tt.code ||
				(p.Regenerate != "") != tt.canRegenerate {
				t.Errorf("%d %s", a.StatusCode, a.body)
			}
			if st.put != tt.put || st.dropped != tt.dropped {
				t.Errorf("%d were stored and %d removed, want %d and %d", st.put, st.dropped, tt.put, tt.dropped)
			}
		})
	}
}
