package ingress

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestAdmit has a row for each reason not to admit, and what is kept of it.
func TestAdmit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		edit func(e *ui.ActionEvent)
		code ui.Code
		path string
		kept bool // the typed value goes to the draft
	}{
		{"as it should be", func(*ui.ActionEvent) {}, "", "", true},
		{"at the guard", func(e *ui.ActionEvent) { e.Rev = 4 }, "", "", true},
		{"named", func(e *ui.ActionEvent) { e.Name = "send" }, "", "", true},
		{"one below the guard", func(e *ui.ActionEvent) { e.Rev = 3 }, CodeStale, "/context/limn_rev", true},
		{"no revision", func(e *ui.ActionEvent) { e.Rev = 0 }, CodeStale, "/context/limn_rev", true},
		{"one above rev", func(e *ui.ActionEvent) { e.Rev = 6 }, CodeEnvelope, "/context/limn_rev", true},
		{"no surface", func(e *ui.ActionEvent) { e.Surface = "" }, CodeEnvelope, "/surfaceId", false},
		{"no surface", func(e *ui.ActionEvent) { e.Surface = "" }, CodeEnvelope, "/surfaceId", false},
		{"malformed surface", func(e *ui.ActionEvent) { e.Surface = "a\x00b" }, CodeEnvelope, "/surfaceId", false},
		{"another agent's surface", func(e *ui.ActionEvent) { e.Surface = "booking-surface" }, CodeStale, "/surfaceId", false},
		{"unknown surface", func(e *ui.ActionEvent) { e.Surface = "form:none#e=1" }, CodeStale, "/surfaceId", false},
		{"epoch before", func(e *ui.ActionEvent) { e.Surface = "form:all#e=1" }, CodeStale, "/surfaceId", false},
		{"epoch after", func(e *ui.ActionEvent) { e.Surface = "form:all#e=3" }, CodeStale, "/surfaceId", false},
		{"no nonce", func(e *ui.ActionEvent) { e.Nonce = "" }, CodeForbidden, "/context/limn_nonce", false},
		{"wrong nonce", func(e *ui.ActionEvent) { e.Nonce = nonce + "0" }, CodeForbidden, "/context/limn_nonce", false},
		{"wrong nonce and stale", func(e *ui.ActionEvent) { e.Nonce, e.Rev = "x", 0 }, CodeForbidden, "/context/limn_nonce", false},
		{"no component", func(e *ui.ActionEvent) { e.Component = "" }, CodeForbidden, "/sourceComponentId", false},
		{"unknown component", func(e *ui.ActionEvent) { e.Component = "c#main/nothing:Button" }, CodeForbidden, "/sourceComponentId", false},
		{"component without action", func(e *ui.ActionEvent) { e.Component = "c#main/text:TextField" }, CodeForbidden, "/sourceComponentId", false},
		{"other name", func(e *ui.ActionEvent) { e.Name = "more" }, CodeForbidden, "/name", true},
		{"attach over JSON", func(e *ui.ActionEvent) { e.Name = builtin.ActionAttach }, CodeForbidden, "/name", true},
		{"a value that is no text", func(e *ui.ActionEvent) {
			e.Context.Members = append([]jsonx.Member{{Key: "who", Value: jsonx.OfArray(jsonx.OfInt(1), jsonx.OfInt(2))}}, e.Context.Members[1:]...)
		}, CodeEnvelope, "/context/who", false},
	} {
		e := click(t, "send", `"who":"Ada","limn":1`)
		c.edit(e)
		a, err := Admit(state(t), e, allowed)
		var fault *ui.Error
		if errors.As(err, &fault); ui.CodeOf(err) != c.code || fault != nil && fault.Path != c.path {
			t.Errorf("%s: %v, want %s at %s", c.name, err, c.code, c.path)
		}
		if fault != nil && c.path == "/context/limn_rev" && (c.name == "one below the guard") != strings.Contains(fault.Message, "changed") {
			t.Errorf("%s: %s; %s", c.name, fault.Message, fault.Hint)
		}
		if got := values(a)["/draft/text"] == `"Ada"`; got != c.kept {
			t.Errorf("%s: kept %v, want %v", c.name, values(a), c.kept)
		}
	}
	if _, err := Admit(state(t), click(t, "secret", ""), allowed); ui.CodeOf(err) != CodeForbidden {
		t.Errorf("an action that is not allowed: %v", err)
	}
}

// TestAdmitForm: what is wrong with a form or an upload is named by the field that
// it was sent in, and the remedy is one for who sends those.
func TestAdmitForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		edit func(e *ui.ActionEvent)
		code ui.Code
		path string
	}{
		{"wrong nonce", func(e *ui.ActionEvent) { e.Nonce = "x" }, CodeForbidden, "limn_nonce"},
		{"malformed surface", func(e *ui.ActionEvent) { e.Surface = "a\x00b" }, CodeEnvelope, "limn_surface"},
		{"unknown surface", func(e *ui.ActionEvent) { e.Surface = "form:none#e=1" }, CodeStale, "limn_surface"},
		{"one below the guard", func(e *ui.ActionEvent) { e.Rev = 3 }, CodeStale, "limn_rev"},
		{"one above rev", func(e *ui.ActionEvent) { e.Rev = 6 }, CodeEnvelope, "limn_rev"},
		{"unknown button", func(e *ui.ActionEvent) { e.Component = "c#main/nothing:Button" }, CodeForbidden, "limn_component"},
		{"a long value", func(e *ui.ActionEvent) {
			e.Context = jsonx.OfObject(jsonx.Member{Key: "/draft/text", Value: jsonx.Of(strings.Repeat("x", 1<<20))})
		}, CodeTooLarge, "/draft/text"},
		{"upload, wrong nonce", func(e *ui.ActionEvent) { e.Name, e.Nonce = builtin.ActionAttach, "x" }, CodeForbidden, "limn_nonce"},
		{"upload, unknown surface", func(e *ui.ActionEvent) { e.Name, e.Surface = builtin.ActionAttach, "form:none#e=1" }, CodeStale, "limn_surface"},
		{"upload, no field", func(e *ui.ActionEvent) { e.Name, e.Component = builtin.ActionAttach, "/draft/text" }, CodeEnvelope, "limn_path"},
	} {
		e := click(t, "send", "")
		e.Name, e.Form = "", true
		c.edit(e)
		_, err := Admit(state(t), e, allowed)
		var fault *ui.Error
		if !errors.As(err, &fault) || fault.Code != c.code || fault.Path != c.path ||
			strings.Contains(fault.Hint, "context") {
			t.Errorf("%s: %v, want %s at %s", c.name, err, c.code, c.path)
		}
	}
	if _, err := DecodeForm(map[string][]string{"limn_surface": {"form:all#e=1"}, "limn_component": {"c"},
		"limn_rev": {"x"}}, Limits{}); err == nil || !strings.Contains(err.Error(), "at limn_rev") {
		t.Errorf("a revision that is no number: %v", err)
	}
}

func TestAdmitContext(t *testing.T) {
	t.Parallel()
	a, err := Admit(state(t), click(t, "send", `"who":"Ada","kind":"cheap","hint":"forged","extra":1`), allowed)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(a.Context.AppendJSON(nil)); got != `{"hint":"server","kind":"urgent","who":"Ada"}` {
		t.Errorf("context = %s", got)
	}
	if len(a.Warnings) != 1 || a.Warnings[0].Path != "/context/extra" {
		t.Errorf("warnings = %v", a.Warnings)
	}
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf(`"x%d":1`, i))
	}
	if a, err = Admit(state(t), click(t, "send", strings.Join(many, ",")), allowed); err != nil ||
		len(a.Warnings) != maxWarnings {
		t.Errorf("%d warnings of 1,000 keys, %v", len(a.Warnings), err)
	}
}

// TestAdmitShown: a key that is bound to what a surface shows has what the server knows,
// whatever is sent.
func TestAdmitShown(t *testing.T) {
	t.Parallel()
	s := state(t)
	s.Committed = ui.Map(ui.Pair{Key: "sales", Value: ui.Map(ui.Pair{Key: "total", Value: ui.String("42")})})
	main := s.Surface(surface).Tree().(*ui.Column)
	main.Children = append(main.Children, &ui.Button{Key: "shown", Action: ui.Action{Name: "shown",
		Context: []ui.Context{{Key: "total", Path: "/committed/sales/total"}, {Key: "hint", Path: "/ui_state/hint"},
			{Key: "none", Path: "/committed/sales/none"}}}})
	for _, c := range []struct {
		about, sent string
		form        bool
		want        string
	}{
		{about: "an envelope", sent: `"total":"43","hint":"","none":""`, want: `{"hint":"server","none":null,"total":"42"}`},
		{about: "a part of one", sent: `"hint":"forged"`, want: `{"hint":"server","total":"42"}`},
		{about: "a form", form: true, want: `{"hint":"server","total":"42"}`},
	} {
		e := click(t, "more", c.sent)
		e.Name, e.Component, e.Form = "shown", "c#main/shown:Button", c.form
		a, err := Admit(s, e, allowed)
		if err != nil {
			t.Fatalf("%s: %v", c.about, err)
		}
		if got := string(a.Context.AppendJSON(nil)); got != c.want {
			t.Errorf("%s: context = %s, want %s", c.about, got, c.want)
		}
	}
	a, err := Press(s, s.Surface(surface), "main/shown", allowed)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(a.Context.AppendJSON(nil)); got != `{"hint":"server","total":"42"}` {
		t.Errorf("pressed in words: context = %s", got)
	}
}

// What was typed is kept when the action does not count, and what was not sent
// is left as it is.
func TestAdmitKeepsDraft(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*ui.ActionEvent){
		"stale":         func(e *ui.ActionEvent) { e.Rev = 1 },
		"button gone":   func(e *ui.ActionEvent) { e.Component = "c#main/gone:Button" },
		"another value": func(e *ui.ActionEvent) { e.Context.Members[1].Value = jsonx.OfBool(true) },
	} {
		e := click(t, "submit", `"text":"Ada","number":"4","email":"a@b"`)
		edit(e)
		a, err := Admit(state(t), e, allowed)
		if err == nil || a == nil {
			t.Fatalf("%s: %v, %v", name, a, err)
		}
		got := values(a)
		if got["/draft/text"] != `"Ada"` || got["/draft/email"] != `"a@b"` {
			t.Errorf("%s: kept %v", name, got)
		}
		if _, ok := got["/draft/longtext"]; ok && name != "another value" {
			t.Errorf("%s: what was not sent is emptied", name)
		}
	}
	// an action that counts empties what it declares and does not send
	a, err := Admit(state(t), click(t, "submit", `"text":"Ada"`), allowed)
	if got := values(a); err != nil || got["/draft/longtext"] != `""` || got["/draft/boolean"] != "false" ||
		got["/draft/choices"] != "[]" || got["/draft/slider"] != "1" {
		t.Errorf("missing keys: %v, %v", got, err)
	}
}

func TestAdmitByStatus(t *testing.T) {
	t.Parallel()
	apply := func(s *ui.State, op ui.Op) *ui.State {
		next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: ui.Ops{op}}, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	locked, expired, closed := apply(state(t), &ui.Lock{Surface: surface}),
		apply(state(t), &ui.Expire{Surface: surface}), apply(state(t), &ui.Close{Surface: surface})
	for _, c := range []struct {
		name  string
		s     *ui.State
		key   string
		rev   uint64
		codes ui.Code
	}{
		{"submitted", locked, "submit", 6, CodeSubmitted}, {"expired, behind its end", expired, "submit", 5, CodeStale}, {"expired", expired, "submit", 6, CodeStale}, {"closed", closed, "submit", 6, CodeStale},
		{"regenerate", expired, KeyRegenerate, 6, ""}, {"regenerate at an older rev", expired, KeyRegenerate, 1, ""}, {"regenerate too new", expired, KeyRegenerate, 7, CodeStale},
		{"regenerate of an open one", state(t), KeyRegenerate, 5, CodeForbidden}, {"regenerate of an answered one", locked, KeyRegenerate, 6, CodeSubmitted},
	} {
		e := click(t, c.key, "")
		e.Rev = c.rev
		a, err := Admit(c.s, e, allowed)
		if ui.CodeOf(err) != c.codes || err == nil && a.Action.Name != builtin.ActionRegenerate {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && len(values(a)) > 0 && c.codes == CodeSubmitted {
			t.Errorf("%s: keeps %v on what is not open", c.name, values(a))
		}
	}
}

func TestAdmitAttach(t *testing.T) {
	t.Parallel()
	attach := func(at string) *ui.ActionEvent {
		e := click(t, "x", `"id":"u1","name":"a.png","type":"image/png","path":"/draft/text"`)
		e.Name, e.Form, e.Component = builtin.ActionAttach, true, at
		return e
	}
	a, err := Admit(state(t), attach("/draft/upload"), allowed)
	if err != nil || string(a.Context.AppendJSON(
		nil)) != `{"id":"u1","name":"a.png","path":"/draft/upload","type":"image/png"}` {
		t.Errorf("attach: %v", err)
	}
	for _, at := range []string{"/draft/text", "/draft/none", "", "c#main/upload:Button"} {
		if _, err := Admit(state(t), attach(at), allowed); ui.CodeOf(err) != CodeEnvelope {
			t.Errorf("attach at %q: %v", at, err)
		}
	}
}

// The same click has the same key; whatever is meant differently has another.
func TestDerivedKey(t *testing.T) {
	t.Parallel()
	text := rapid.SampledFrom([]string{"", "a", "b", "1", "a#e=1"})
	draw := func(t *rapid.T, name string) *ui.ActionEvent {
		return &ui.ActionEvent{Surface: text.Draw(t, name+"surface"), Nonce: text.Draw(t, name+"nonce"),
			Rev: rapid.Uint64Range(0, 2).Draw(t, name+"rev"), Component: text.Draw(t, name+"component"),
			Name: text.Draw(t, name+"action"), Timestamp: text.Draw(t, name+"time"),
			Context: jsonx.OfObject(jsonx.Member{Key: "a", Value: jsonx.Of(text.Draw(t, name+"a"))},
				jsonx.Member{Key: "b", Value: jsonx.Of(text.Draw(t, name+"b"))})}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "1"), draw(t, "2")
		same := a.Surface == b.Surface && a.Nonce == b.Nonce && a.Rev == b.Rev && a.Component == b.Component &&
			a.Name == b.Name &&
			string(jsonx.AppendCanonical(nil, a.Context)) == string(jsonx.AppendCanonical(nil, b.Context))
		if got := DerivedKey(a, false) == DerivedKey(b, false); got != same {
			t.Fatalf("same key %v, same click %v", got, same)
		}
		if got := DerivedKey(a, true) == DerivedKey(b, true); got != (same && a.Timestamp == b.Timestamp) {
			t.Fatalf("with repeat: same key %v", got)
		}
		if DerivedKey(a, true) == DerivedKey(a, false) || len(DerivedKey(a, true)) > 128 {
			t.Fatalf("key %q", DerivedKey(a, true))
		}
		c := *a // the order of the keys is nobody's intention
		c.Context = jsonx.OfObject(a.Context.Members[1], a.Context.Members[0])
		c.Timestamp += "later"
		if DerivedKey(a, false) != DerivedKey(&c, false) {
			t.Fatal("order or time changed the key")
		}
	})
}

func TestBodyHash(t *testing.T) {
	t.Parallel()
	e := click(t, "send", `"who":"Ada"`)
	later, other := *e, *click(t, "send", `"who":"Bo"`)
	later.Timestamp = "later"
	seen := map[string]string{}
	for name, ev := range map[string]*ui.Event{
		"message": {Kind: ui.EventMessage, Text: "a"}, "other message": {Kind: ui.EventMessage, Text: "b"}, "action": {Kind: ui.EventAction, Action: e}, "other action": {Kind: ui.EventAction, Action: &other},
		"error": {Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}}, "other error": {Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X", Message: "m"}},
		"write": {Kind: ui.EventShared, Shared: written("a")}, "other write": {Kind: ui.EventShared, Shared: written("b")},
		"record":       {Kind: ui.EventRecord, Data: ui.Map(ui.Pair{Key: "id", Value: ui.String("a")})},
		"other record": {Kind: ui.EventRecord, Data: ui.Map(ui.Pair{Key: "id", Value: ui.String("b")})},
	} {
		if twin := seen[BodyHash(ev)]; twin != "" {
			t.Errorf("%s and %s have one hash", name, twin)
		}
		seen[BodyHash(ev)] = name
	}
	if BodyHash(&ui.Event{Kind: ui.EventAction, Action: e}) != BodyHash(
		&ui.Event{Kind: ui.EventAction, Action: &later}) {
		t.Error("the time changed the hash")
	}
}

// written is a batch of one write.
func written(value string) *ui.SharedEvent {
	return &ui.SharedEvent{Surface: "form:guest#e=1", Actor: "r-a", Writes: []ui.SharedWrite{{Path: "/draft/text", Value: jsonx.Of(value),
		Stamp: "2026-01-12T16:34:29.000Z:0001:r-a"}}}
}

// TestAdmitLongText: an input takes 64 KiB, or what a long text declares; what
// else was typed is kept.
func TestAdmitLongText(t *testing.T) {
	t.Parallel()
	s := state(t)
	over := strings.Repeat("x", 64<<10+1)
	for name, c := range map[string]struct{ context, where string }{
		"input": {`"text":"typed","longtext":` + quote(over), "/context/longtext"},
		"cell":  {`"text":"typed","items":{"r1":{"title":` + quote(over) + `}}`, "/context/items/r1/title"},
	} {
		a, err := Admit(s, click(t, "submit", c.context), allowed)
		var e *ui.Error
		if !errors.As(err, &e) || e.Code != CodeTooLarge || e.Path != c.where ||
			values(a)["/draft/text"] != `"typed"` || values(a)["/draft/longtext"] == quote(over) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ui.Walk(s.Surface(surface).Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if in := ui.InputOf(n); in != nil && in.Key == "longtext" {
			in.Max = "70000"
		}
		return true
	})
	if a, err := Admit(s, click(t, "submit", `"longtext":`+quote(over)), allowed); err != nil ||
		values(a)["/draft/longtext"] != quote(over) {
		t.Errorf("declared longer: %v", err)
	}
}

// An action that is masked is refused though its button stands there.
func TestAdmitMasked(t *testing.T) {
	t.Parallel()
	s := state(t)
	root := ui.MapNodes(s.Surface(surface).Root, func(n ui.Node) ui.Node {
		if b, ok := n.(*ui.Button); ok {
			c := *b
			c.Action.Masked = true
			return &c
		}
		return n
	})
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: ui.Ops{&ui.Update{Surface: surface, Root: root}}},
		ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	e := click(t, "send", `"who":"Ada"`)
	e.Rev = 6
	a, err := Admit(next, e, allowed)
	if ui.CodeOf(err) != CodeForbidden || values(a)["/draft/text"] != `"Ada"` {
		t.Errorf("%v, kept %v", err, values(a))
	}
}

// What was typed on a form that has expired meanwhile is kept for the next one.
func TestAdmitExpired(t *testing.T) {
	t.Parallel()
	s := state(t)
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: ui.Ops{&ui.Expire{Surface: surface}}}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Admit(next, click(t, "submit", `"text":"Ada"`), allowed)
	if ui.CodeOf(err) != CodeStale || values(a)["/draft/text"] != `"Ada"` || len(a.Values) != 1 {
		t.Errorf("%v, kept %v", err, values(a))
	}
	forged := click(t, "submit", `"text":"Ada"`)
	forged.Nonce = "x"
	if a, err := Admit(next, forged, allowed); a != nil || ui.CodeOf(err) != CodeForbidden {
		t.Errorf("a wrong nonce: %v, %v", a, err)
	}
}

// A context is scalars first: what is not declared is left out, and refused
// where it is no scalar.
func TestAdmitShapes(t *testing.T) {
	t.Parallel()
	for in, code := range map[string]ui.Code{
		`"who":"Ada","x":1,"y":"s","z":null,"leaf":{"v":true}`: "", `"who":"Ada","x":[]`: CodeEnvelope, `"x":{"a":1},"who":"Ada"`: CodeEnvelope, `"who":{"a":1}`: CodeEnvelope, `"who":["Ada","Bo"]`: CodeEnvelope,
	} {
		a, err := Admit(state(t), click(t, "send", in), allowed)
		if ui.CodeOf(err) != code {
			t.Errorf("%s: %v", in, err)
		}
		if strings.Contains(in, `"Ada"`) && !strings.Contains(in, `["Ada"`) && values(a)["/draft/text"] != `"Ada"` {
			t.Errorf("%s: kept %v", in, values(a))
		}
	}
}

// What the app declares for an action beyond its button is read by its type,
// and is no draft; a key of the button is the button's.
func TestAdmitBeyondTheButton(t *testing.T) {
	t.Parallel()
	a, err := Admit(state(t), click(t, "send", `"who":"Ada","count":{"v":3},"tags":["a","b"],"other":1`), allowed)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(a.Context.AppendJSON(nil)); got != `{"count":"3","hint":"server","kind":"urgent","tags":["a","b"],"who":"Ada"}` {
		t.Errorf("context = %s", got)
	}
	if len(a.Values) != 1 || len(a.Warnings) != 1 {
		t.Errorf("values %v, warnings %v", a.Values, a.Warnings)
	}
	for _, in := range []string{`"who":"Ada","count":[1,2]`, `"who":"Ada","count":true`, `"who":"Ada","tags":[1]`} {
		a, err := Admit(state(t), click(t, "send", in), allowed)
		if ui.CodeOf(err) != CodeEnvelope || values(a)["/draft/text"] != `"Ada"` {
			t.Errorf("%s: %v, kept %v", in, err, values(a))
		}
	}
	if a, err := Admit(state(t), click(t, "more", `"count":3`), allowed); err != nil || len(a.Warnings) != 1 {
		t.Errorf("another action: %v, %v", err, a)
	}
}

// TestFilesAreInTheKey: the same form with another file is another submit, and with
// the same file the same one; without files the key is as it always was.
func TestFilesAreInTheKey(t *testing.T) {
	t.Parallel()
	key := func(files ...ui.FormFile) string {
		return DerivedKey(&ui.ActionEvent{Surface: "form:a#e=1", Nonce: "n", Rev: 2, Component: "c#main:Button",
			Files: files}, false)
	}
	shot := ui.FormFile{Path: "/draft/shot", ID: "u-1", Name: "shot.png"}
	stored := shot
	stored.Type, stored.Code = "image/png", CodeStale // of another try
	if key(shot) != key(stored) || key() != key([]ui.FormFile{}...) {
		t.Error("the same file is another submit")
	}
	other, place, large := shot, shot, shot
	other.ID, place.Path, large.ID = "u-2", "/draft/other", ""
	seen := map[string]bool{key(): true}
	for _, f := range []ui.FormFile{shot, other, place, large} {
		if seen[key(f)] {
			t.Errorf("%+v has the key of another", f)
		}
		seen[key(f)] = true
	}
}
