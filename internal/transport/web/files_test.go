package web_test

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/transport/web"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

const (
	png     = "\x89PNG\r\n\x1a\n\x00\x01"
	bugForm = "form:bug"
)

// withBugs has a form with two uploads, one of them required.
func withBugs(t *testing.T, change ...func(*limn.Config)) *client {
	t.Helper()
	a, err := app.New(app.Config{Name: "desk",
		Forms: []app.Form{{Name: "bug", Title: "Bug report", Submit: "Send report", Done: "The bug is reported.",
			Phrases: []string{"report a bug"}, Fields: []ui.Field{{Name: "title", Label: "Title", Type: ui.TypeText, Required: true},
				{Name: "shot", Label: "Screenshot", Type: ui.TypeUpload, Required: true, Accept: []string{"image/*"}},
				{Name: "trace", Label: "Trace", Type: ui.TypeUpload, Accept: []string{"application/json"}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	c := start(t, append([]func(*limn.Config){func(c *limn.Config) { c.App = a }}, change...)...).visitor()
	c.browse(c.do("GET", "/", ""))
	c.browse(c.post("/c/-/messages", url.Values{"text": {"report a bug"}}))
	return c
}

// fill is the form as a browser sends it when a button is pressed: what it says
// about itself first, then the files, then the rest.
func (c *client) compose(label string, typed url.Values, files ...part) (action string, parts []part) {
	c.t.Helper()
	p := c.do("GET", "/c/-", "").page(c.t)
	form := p.form("/c/" + c.ID + "/actions")
	if attr(form, "enctype") != "multipart/form-data" {
		c.t.Fatalf("the form is %q", attr(form, "enctype"))
	}
	v := p.press(form, label, p.values(form))
	maps.Copy(v, typed)
	for _, name := range []string{"limn_surface", "limn_nonce"} {
		parts = append(parts, part{name, "", v.Get(name)})
		v.Del(name)
	}
	parts = append(parts, files...)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		for _, text := range v[name] {
			parts = append(parts, part{name, "", text})
		}
	}
	return attr(form, "action"), parts
}

func (c *client) sendForm(label string, typed url.Values, files ...part) answer {
	c.t.Helper()
	action, parts := c.compose(label, typed, files...)
	return c.upload(action, []string{"Accept", "text/html,*/*"}, parts...)
}

func title(text string) url.Values { return url.Values{"/draft/title": {text}} }

// TestFileIsPartOfTheForm: what was chosen is committed with what was typed, in one
// turn, and the same post again is the same submit.
func TestFileIsPartOfTheForm(t *testing.T) {
	t.Parallel()
	st := &files{Store: memory.New()}
	c := withBugs(t, func(c *limn.Config) { c.Store = st })
	before := c.state().Seq
	action, parts := c.compose("Send report", title("Crash on save"), part{"/draft/shot", "shot.png", png},
		part{"/draft/trace", "trace.json", `{"a":1}`})
	p, _ := c.browse(c.upload(action, nil, parts...))
	if !strings.Contains(p.text, "The bug is reported.") || !strings.Contains(p.text, "shot.png") {
		t.Errorf("the page says:\n%s", p.text)
	}
	s := c.state()
	bug, _ := s.Committed.Get("bug")
	for name, want := range map[string]struct{ name, typ, body string }{"shot": {"shot.png", "image/png", png},
		"trace": {"trace.json", "application/json", `{"a":1}`}} {
		id, _ := bug.Get(name)
		blob, err := st.Blob(t.Context(), c.ID, id.Text())
		if err != nil || blob.Name != want.name || blob.Type != want.typ || string(blob.Body) != want.body {
			t.Errorf("committed %s %q is %+v, %v", name, id.Text(), blob, err)
		}
	}
	if v, _ := bug.Get("title"); v.Text() != "Crash on save" || s.Seq != before+1 {
		t.Errorf("committed %s in %d frames", bug.AppendJSON(nil), s.Seq-before)
	}
	for range 2 {
		if a := c.upload(action, nil, parts...); a.StatusCode != 303 {
			t.Errorf("the same form again: %d %.300s", a.StatusCode, a.body)
		}
	}
	if now := c.state(); now.Seq != s.Seq || st.put != 2 || st.dropped != 0 {
		t.Errorf("after retries: %d frames, %d were stored and %d removed", now.Seq-s.Seq, st.put, st.dropped)
	}
	parts[2].text = png + "another"
	if a := c.upload(action, nil, parts...); a.StatusCode != 409 || st.put != 2 {
		t.Errorf("another file for the submitted form: %d, %d were stored", a.StatusCode, st.put)
	}
}

// TestFileRefused: a file that a field does not take is an error there; nothing is
// submitted, and everything else on the form stays.
func TestFileRefused(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", web.MaxUpload+1)
	for name, tt := range map[string]struct {
		files []part
		at    ui.Path
		want  string
	}{
		"type":           {[]part{{"/draft/shot", "notes.txt", "hello"}}, "/draft/shot", "Screenshot takes files of type image/*."},
		"not its name":   {[]part{{"/draft/shot", "shot.png", "hello"}}, "/draft/shot", "shot.png is not a valid PNG file."},
		"broken JSON":    {[]part{{"/draft/shot", "a.png", png}, {"/draft/trace", "trace.json", "{broken"}}, "/draft/trace", "trace.json is not a valid JSON file."},
		"empty":          {[]part{{"/draft/shot", "shot.png", ""}}, "/draft/shot", "shot.png is empty. Choose another file."},
		"too large":      {[]part{{"/draft/shot", "film.png", png + large}}, "/draft/shot", "film.png is too large. Files can be up to 8 MiB."},
		"both too large": {[]part{{"/draft/shot", "film.png", large}, {"/draft/trace", "log.json", large}}, "/draft/shot", "film.png is too large."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := &files{Store: memory.New()}
			c := withBugs(t, func(c *limn.Config) { c.Store = st })
			p, fragment := c.browse(c.sendForm("Send report", title("Crash on save"), tt.files...))
			if n := p.one(0, "id", fragment); attr(n, "name") != string(tt.at) || attr(n, "aria-invalid") != "true" {
				t.Errorf("leads to %v", n.Attr)
			}
			if !strings.Contains(p.text, tt.want) {
				t.Errorf("the page does not say %q:\n%s", tt.want, p.text)
			}
			sf := c.state().Surface(bugForm)
			if _, committed := c.state().Committed.Get("bug"); committed || sf.Status != ui.StatusOpen ||
				c.leaf(bugForm, "/draft/title") != "Crash on save" {
				t.Errorf("committed %v, status %s, title %q", committed, sf.Status, c.leaf(bugForm, "/draft/title"))
			}
			if kept := len(tt.files) - len(sf.Errors); c.leaf(bugForm, tt.at) != "" || st.put-st.dropped != kept {
				t.Errorf("%q is attached; %d were stored and %d removed", c.leaf(bugForm, tt.at), st.put, st.dropped)
			}
			c.browse(c.sendForm("Send report", nil,
				part{string(tt.at), "good" + map[ui.Path]string{"/draft/shot": ".png", "/draft/trace": ".json"}[tt.at],
					map[ui.Path]string{"/draft/shot": png, "/draft/trace": "{}"}[tt.at]}))
			if bug, ok := c.state().Committed.Get("bug"); !ok {
				t.Errorf("the right file: %+v", c.state().Surface(bugForm).Errors)
			} else if v, _ := bug.Get("title"); v.Text() != "Crash on save" {
				t.Errorf("committed %s", bug.AppendJSON(nil))
			}
		})
	}
}

// TestFileStays: a file goes with the form whatever is wrong elsewhere, stays when
// nothing new is chosen, and goes when it is removed.
func TestFileStays(t *testing.T) {
	t.Parallel()
	c := withBugs(t)
	p, _ := c.browse(c.sendForm("Send report", title("Crash on save")))
	if !strings.Contains(p.text, "Screenshot is required.") {
		t.Errorf("without the required file:\n%s", p.text)
	}
	p, _ = c.browse(c.sendForm("Send report", title(""), part{"/draft/shot", "shot.png", png}))
	id := c.leaf(bugForm, "/draft/shot")
	if errs := c.state().Surface(bugForm).Errors; len(errs) != 1 || errs[0].Path != "/draft/title" ||
		!strings.HasPrefix(id, "u-") {
		t.Errorf("a title that is missing: %q\n%s", id, p.text)
	}
	if textOf(p.one(atom.Span, "class", "limn-file")) != "shot.png" {
		t.Error("the page does not name the file")
	}
	c.browse(c.sendForm("Send report", title(""), part{"/draft/shot", noChoice, ""},
		part{"/draft/trace", noChoice, ""}))
	if errs := c.state().Surface(bugForm).Errors; len(errs) != 1 || c.leaf(bugForm, "/draft/shot") != id {
		t.Errorf("nothing new is chosen: %q, %v", c.leaf(bugForm, "/draft/shot"), errs)
	}
	p, _ = c.browse(c.sendForm("Remove shot.png", title("Crash")))
	if c.leaf(bugForm, "/draft/shot") != "" || c.leaf(bugForm, "/draft/title") != "Crash" ||
		strings.Contains(p.text, "shot.png") {
		t.Errorf("removed, the draft holds %q and %q", c.leaf(bugForm, "/draft/shot"), c.leaf(bugForm, "/draft/title"))
	}
	p, _ = c.browse(c.sendForm("Send report", nil))
	if !strings.Contains(p.text, "Screenshot is required.") {
		t.Errorf("after Remove:\n%s", p.text)
	}
	c.browse(c.sendForm("Send report", title(""), part{"/draft/shot", "one.png", png}))
	c.browse(c.sendForm("Send report", title("Two"), part{"/draft/shot", "two.png", png + "2"}))
	bug, _ := c.state().Committed.Get("bug")
	if v, _ := bug.Get("shot"); v.Text() == "" || v.Text() == id {
		t.Errorf("committed %s", bug.AppendJSON(nil))
	}
}

// TestFileAdmission: a file is looked at only for a place that is there, behind the
// form's own identity, and within the room that is left.
func TestFileAdmission(t *testing.T) {
	t.Parallel()
	st := &files{Store: memory.New()}
	c := withBugs(t, func(c *limn.Config) { c.Store = st; c.Limits.FileBytes = 100 })
	action, good := c.compose("Send report", title("Crash"), part{"/draft/shot", "shot.png", png})
	change := func(do func([]part) []part) answer { return c.upload(action, nil, do(slices.Clone(good))...) }
	for name, tt := range map[string]struct {
		do   func([]part) []part
		code ui.Code
	}{
		"the file first": {func(p []part) []part { return append([]part{p[2]}, append(p[:2:2], p[3:]...)...) }, "A2UI_C2S_ENVELOPE_INVALID"},
		"a wrong nonce":  {func(p []part) []part { p[1].text = "x"; return p }, "A2UI_C2S_ACTION_FORBIDDEN"},
		"no such field":  {func(p []part) []part { p[2].name = "/draft/title"; return p }, "A2UI_C2S_ENVELOPE_INVALID"},
		"two of a field": {func(p []part) []part { return append(p, p[2]) }, "A2UI_C2S_ENVELOPE_INVALID"},
	} {
		st.put, st.dropped = 0, 0
		if p := change(tt.do).problem(t); p.Code != tt.code || st.put != st.dropped {
			t.Errorf("%s: %d %s, %d were stored and %d removed", name, p.Status, p.Code, st.put, st.dropped)
		}
	}
	p, _ := c.browse(change(func(p []part) []part { p[2].text += strings.Repeat("x", 100); return p }))
	if !strings.Contains(p.text, "shot.png is not stored: there is no room left for your files.") ||
		c.leaf(bugForm, "/draft/title") != "Crash" {
		t.Errorf("more than there is room for:\n%s", p.text)
	}
	old := slices.Clone(good)
	c.browse(c.sendForm("Send report", title("")))
	for i := range old {
		if old[i].name == "limn_rev" {
			old[i].text = "1"
		}
	}
	st.put, st.dropped = 0, 0
	c.browse(c.upload(action, nil, old...))
	if v, _ := c.state().Committed.Get("bug", "shot"); v.Text() == "" || st.put != 1 || st.dropped != 0 {
		t.Errorf("an older page: %q, %d were stored and %d removed", v.Text(), st.put, st.dropped)
	}
}

// TestFileOfACanceledForm: a cancel takes no file away, and Undo brings the form
// back with it.
func TestFileOfACanceledForm(t *testing.T) {
	t.Parallel()
	c := withBugs(t)
	c.browse(c.sendForm("Cancel", title("Crash"), part{"/draft/shot", "shot.png", png},
		part{"/draft/trace", "trace.json", "{broken"}))
	p := c.do("GET", "/c/-", "").page(t)
	form := p.form("/c/" + c.ID + "/actions")
	c.browse(c.post(attr(form, "action"), p.press(form, "Undo", p.values(form))))
	if id := c.leaf(bugForm, "/draft/shot"); !strings.HasPrefix(id, "u-") ||
		c.leaf(bugForm, "/draft/title") != "Crash" || c.leaf(bugForm, "/draft/trace") != "" {
		t.Errorf("after Undo the form holds %q, %q and %q", id, c.leaf(bugForm, "/draft/title"),
			c.leaf(bugForm, "/draft/trace"))
	}
}
