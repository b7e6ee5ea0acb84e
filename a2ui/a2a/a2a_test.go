package a2a_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/jsonx"
)

var all = []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10RC, a2ui.V10}

// What NewParts makes of messages, Messages reads again, in every dialect.
func TestParts(t *testing.T) {
	t.Parallel()
	msgs := []a2ui.Message{&a2ui.DeleteSurface{SurfaceID: "a"}, &a2ui.DeleteSurface{SurfaceID: "b"}}
	for _, d := range all {
		parts, err := a2a.NewParts(d, msgs...)
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if d == a2ui.V08 {
			want = 2
		}
		if len(parts) != want {
			t.Errorf("%s: %d parts, want %d", d, len(parts), want)
		}
		var got []string
		for _, p := range parts {
			again, err := a2a.DecodePart(a2a.AppendPart(nil, p), a2ui.Limits{})
			if err != nil || !again.IsA2UI() {
				t.Fatalf("%s: %v, %+v", d, err, again)
			}
			dialect, read, err := again.Messages()
			if err != nil || dialect.Features() != d.Features() {
				t.Errorf("%s: read as %s, %v", d, dialect, err)
			}
			for _, m := range read {
				got = append(got, m.(*a2ui.DeleteSurface).SurfaceID)
			}
		}
		if strings.Join(got, " ") != "a b" {
			t.Errorf("%s: got %q", d, got)
		}
	}
	if parts, err := a2a.NewParts(a2ui.V09); err != nil || len(parts) != 0 {
		t.Errorf("no messages make %v, %v", parts, err)
	}
}

func TestClientParts(t *testing.T) {
	t.Parallel()
	click := &a2ui.Action{Name: "go", SurfaceID: "s", Component: "c", Timestamp: "2026-01-02T03:04:05Z",
		Context: jsonx.OfObject()}
	for _, d := range all {
		parts, err := a2a.NewClientParts(d, click)
		if err != nil {
			t.Fatal(err)
		}
		_, msgs, err := parts[0].ClientMessages(a2ui.Limits{})
		if err != nil || len(msgs) != 1 || msgs[0].(*a2ui.Action).Name != "go" {
			t.Errorf("%s: %v, %v", d, msgs, err)
		}
		if _, _, err := parts[0].Messages(); err == nil {
			t.Errorf("%s: a client's message is taken for an agent's", d)
		}
	}
}

func TestIsA2UI(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]bool{
		`{"kind":"data","data":{},"metadata":{"mimeType":"application/a2ui+json"}}`:                  true,
		`{"kind":"data","data":[],"metadata":{"mimeType":"application/json+a2ui"}}`:                  true,
		`{"data":{},"metadata":{"mimeType":"application/a2ui+json"}}`:                                true,
		`{"data":[],"mediaType":"application/a2ui+json"}`:                                            true,
		`{"data":{},"mediaType":"application/json+a2ui","metadata":{"x":1}}`:                         true,
		`{"kind":"data","data":{},"metadata":{"mimeType":"Application/A2UI+JSON; charset=utf-8"}}`:   true,
		`{"data":{},"mediaType":"application/a2ui+json","metadata":{"mimeType":"application/json"}}`: false,
		`{"data":{},"mediaType":["application/a2ui+json"]}`:                                          false,
		`{"kind":"text","text":"x","mediaType":"application/a2ui+json"}`:                             false,
		`{"kind":"file","file":{"mimeType":"application/a2ui+json","uri":"x:y"}}`:                    false,
		`{"kind":"Data","data":{},"metadata":{"mimeType":"application/a2ui+json"}}`:                  false,
		`{"kind":"data","data":{},"metadata":{"mimetype":"application/a2ui+json"}}`:                  false,
		`{"kind":"data","data":{},"metadata":{"mimeType":"application/a2ui+json+x"}}`:                false,
		`{"kind":"data","data":{"beginRendering":{"surfaceId":"s","root":"r"}}}`:                     false,
		`{"kind":"data","data":{},"metadata":["application/a2ui+json"]}`:                             false,
		`{"kind":"data","data":{},"metadata":{"mimeType":"application/json"}}`:                       false,
		`{"kind":"data","data":{},"metadata":{"mimeType":7}}`:                                        false,
		`{"kind":"data","data":{}}`: false,
		`{"kind":"text","text":"x","metadata":{"mimeType":"application/a2ui+json"}}`: false,
		`{"text":"x"}`:              false,
		`{"kind":"file","file":{}}`: false,
		`{}`:                        false,
	} {
		p, err := a2a.DecodePart([]byte(part), a2ui.Limits{})
		if err != nil || p.IsA2UI() != want {
			t.Errorf("%s: %v, %v", part, p.IsA2UI(), err)
		}
		if _, _, err := p.Messages(); !want && err == nil {
			t.Errorf("%s has messages", part)
		}
	}
	for _, part := range []string{``, `[]`, `{"kind":7}`, `{"kind":"text"}`, `{"kind":"data","data":"x"}`,
		`{"kind":"data","data":{},"data":{}}`} {
		if _, err := a2a.DecodePart([]byte(part), a2ui.Limits{}); err == nil {
			t.Errorf("%s is no error", part)
		}
	}
}

// TestPartForms: one message, a list and an object with messages, in every version
// and under either name of the media type; and what is written again is the same part.
func TestPartForms(t *testing.T) {
	t.Parallel()
	const old = `{"deleteSurface":{"surfaceId":"a"}}`
	const v09 = `{"version":"v0.9","deleteSurface":{"surfaceId":"a"}}`
	for _, c := range []struct {
		part string
		d    a2ui.Dialect
		n    int
	}{
		{`{"kind":"data","data":` + old + `,"metadata":{"mimeType":"application/json+a2ui"}}`, a2ui.V08, 1},
		{`{"kind":"data","data":[` + old + `,` + old + `],"metadata":{"mimeType":"application/a2ui+json"}}`, a2ui.V08, 2},
		{`{"kind":"data","data":` + v09 + `,"metadata":{"mimeType":"application/a2ui+json"}}`, a2ui.V09, 1},
		{`{"data":[` + v09 + `,` + v09 + `],"mediaType":"application/a2ui+json"}`, a2ui.V09, 2},
		{`{"kind":"data","data":{"messages":[` + v09 + `,` + v09 + `]},"metadata":{"mimeType":"application/a2ui+json","surface":"a"}}`, a2ui.V09, 2},
		{`{"data":[{"version":"1.0","deleteSurface":{"surfaceId":"a"}}],"mediaType":"application/a2ui+json","filename":"x"}`, a2ui.V10, 1},
	} {
		p, err := a2a.DecodePart([]byte(c.part), a2ui.Limits{})
		if err != nil || !p.IsA2UI() {
			t.Errorf("%s: %v", c.part, err)
		}
		d, msgs, err := p.Messages()
		if err != nil || d != c.d || len(msgs) != c.n {
			t.Errorf("%s: %d messages of %s, %v", c.part, len(msgs), d, err)
		}
		again, err := a2a.DecodePart(a2a.AppendPart(nil, p), a2ui.Limits{})
		if err != nil || string(a2a.AppendPart(nil, again)) != string(a2a.AppendPart(nil, p)) {
			t.Errorf("%s is written %s, %v", c.part, a2a.AppendPart(nil, p), err)
		}
	}
}

func TestExtension(t *testing.T) {
	t.Parallel()
	for _, d := range all {
		got, ok := a2a.Dialect(a2a.ExtensionURI(d))
		if !ok || got.Features() != d.Features() || got.Protocol() != d.Protocol() {
			t.Errorf("%s: %s is %s, %v", d, a2a.ExtensionURI(d), got, ok)
		}
	}
	const v = "https://a2ui.org/a2a-extension/a2ui/v"
	for _, uri := range []string{"", "other", v, v + "x", v + "1.", v + "1..0", v + "-1", "http" + v[5:] + "1.0"} {
		if version, ok := a2a.Version(uri); ok {
			t.Errorf("%s is of version %q", uri, version)
		}
	}
	if _, ok := a2a.Dialect(v + "7.0"); ok {
		t.Error("v7.0 is a dialect")
	}
	for want, list := range map[string]string{
		"":                     "other",
		"1.10":                 "1.9 1.10 1.2 0.9.1",
		"0.9.1":                "0.8 0.9.1 0.9",
		"1.0.1":                "1.0 1.0.1 1.0.0",
		"2.0":                  "2.0 00002",
		"99999999999999999999": "9 99999999999999999999 99999999999999999998",
	} {
		var uris []string
		for version := range strings.FieldsSeq(list) {
			uris = append(uris, v+version)
		}
		got, _ := a2a.Version(a2a.Activate(uris, uris))
		if got != want {
			t.Errorf("newest of %s is %q, want %q", list, got, want)
		}
	}
}

// Activate takes only what both sides named, and nothing older than that.
func TestActivate(t *testing.T) {
	t.Parallel()
	uri := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"other/v", "https://a2ui.org/a2a-extension/a2ui/v"}).Draw(t, "base") +
			rapid.StringMatching(`[0-2](\.[0-2]){0,2}`).Draw(t, "version")
	})
	rapid.Check(t, func(t *rapid.T) {
		requested, advertised := rapid.SliceOf(uri).Draw(t, "requested"), rapid.SliceOf(uri).Draw(t, "advertised")
		got := a2a.Activate(requested, advertised)
		var both []string
		for _, r := range requested {
			for _, a := range advertised {
				if _, ok := a2a.Version(r); ok && r == a {
					both = append(both, r)
				}
			}
		}
		if want := a2a.Activate(both, both); want != got {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	m, err := a2a.DecodeMetadata([]byte(`{"x":1,"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["c"]}},
		"a2uiRendererCapabilities":{"1.0":{"supportedCatalogIds":["d"]}},"a2uiClientDataModel":{"version":"v0.9","surfaces":{"s":{"a":1}}}}`), a2ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Capabilities[a2ui.V09].Catalogs[0] != "c" || m.Capabilities[a2ui.V10].Catalogs[0] != "d" ||
		len(m.DataModels) != 1 || m.DataModels[0].Key != "s" || m.DataDialect != a2ui.V09 {
		t.Errorf("got %+v", m)
	}
	if m, err := a2a.DecodeMetadata([]byte(`{}`), a2ui.Limits{}); err != nil || m.Capabilities != nil {
		t.Errorf("a client that says nothing: %+v, %v", m, err)
	}
	for _, bad := range []string{`[]`, `{`, `{"a2uiClientCapabilities":7}`, `{"a2uiClientDataModel":{}}`} {
		if _, err := a2a.DecodeMetadata([]byte(bad), a2ui.Limits{}); err == nil {
			t.Errorf("%s is no error", bad)
		}
	}
}

// Whatever is read can be written, and reads as the same again.
func FuzzDecodePart(f *testing.F) {
	f.Add([]byte(`{"kind":"data","data":[{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}],"metadata":{"mimeType":"application/a2ui+json","x":1},"y":[]}`))
	f.Add([]byte(`{"text":"x","metadata":{}}`))
	f.Add([]byte(`{"kind":"file","file":{"uri":"x"},"text":7}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := a2a.DecodePart(in, a2ui.Limits{})
		if err != nil {
			return
		}
		out := a2a.AppendPart(nil, p)
		again, err := a2a.DecodePart(out, a2ui.Limits{})
		if err != nil || string(a2a.AppendPart(nil, again)) != string(out) {
			t.Errorf("%s, %v", out, err)
		}
		_, _, _ = p.Messages()
		_, _, _ = p.ClientMessages(a2ui.Limits{})
	})
}

// FuzzDecodeMetadata: nothing panics, and capabilities that were read are written
// and read again the same.
func FuzzDecodeMetadata(f *testing.F) {
	f.Add([]byte(`{"a2uiClientCapabilities":{"supportedCatalogIds":["c"],"inlineCatalogs":[{}]}}`))
	f.Add([]byte(`{"a2uiRendererDataModel":{"version":"1.0","surfaces":{"s":{}}},"a2uiRendererCapabilities":{"v1.0":{"supportedCatalogIds":[]}}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := a2a.DecodeMetadata(in, a2ui.Limits{})
		if err != nil {
			return
		}
		for d, c := range m.Capabilities {
			b, err := a2ui.AppendCapabilities(nil, d, c)
			if err != nil {
				t.Fatal(err)
			}
			back, err := a2ui.DecodeCapabilities(b, a2ui.Limits{})
			if err != nil {
				t.Fatalf("%s: %v", b, err)
			}
			if again, err := a2ui.AppendCapabilities(nil, d, back[d]); err != nil || string(again) != string(b) {
				t.Fatalf("%s was read, %s is read back: %v", b, again, err)
			}
		}
	})
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	const open, end = a2ui.OpenTag, a2ui.CloseTag
	deleteOld, deleteNew := `{"deleteSurface":{"surfaceId":"s"}}`,
		`{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`
	for text, want := range map[string]string{
		"":     ``,
		"  \n": ``,
		" hi ": `{"kind":"text","text":"hi"}`,
		"a " + open + "[" + deleteNew + "," + deleteNew + "]" + end + " b": `{"kind":"text","text":"a"} {"kind":"data","data":[` + deleteNew + `,` + deleteNew + `],"metadata":{"mimeType":"application/a2ui+json"}} {"kind":"text","text":"b"}`,
		open + "[" + deleteOld + "," + deleteOld + "]" + end:               `{"kind":"data","data":` + deleteOld + `,"metadata":{"mimeType":"application/json+a2ui"}} {"kind":"data","data":` + deleteOld + `,"metadata":{"mimeType":"application/json+a2ui"}}`,
	} {
		for _, check := range []a2ui.CheckLevel{a2ui.CheckRules, a2ui.CheckNothing} {
			parts, err := a2a.Answer(a2a.AnswerOptions{Parser: a2ui.ParserOptions{Check: check}}, text)
			var got []string
			for _, p := range parts {
				got = append(got, string(a2a.AppendPart(nil, p)))
			}
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%q: got %s, %v; want %s", text, got, err, want)
			}
		}
	}
	bad := "a " + open + `[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"nobody's"}}]` + end
	parts, err := a2a.Answer(a2a.AnswerOptions{}, bad)
	if err == nil || len(parts) != 1 || parts[0].Text != bad {
		t.Errorf("an answer that does not pass: %+v, %v", parts, err)
	}
	parts, err = a2a.Answer(a2a.AnswerOptions{MediaType: a2a.MediaType}, open+deleteOld+end)
	if err != nil || parts[0].MediaType != a2a.MediaType {
		t.Errorf("got %+v, %v", parts, err)
	}
}
