package a2ui_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

func ExampleDecodeMessages() {
	for _, in := range []string{
		`{"version":"v0.9","deleteSurface":{"surfaceId":"a"}}`,
		`[{"version":"v0.9","deleteSurface":{"surfaceId":"a"}},{"version":"v0.9.1","deleteSurface":{"surfaceId":"b"}}]`,
		`{"name":"sample","messages":[{"version":"1.0","deleteSurface":{"surfaceId":"a"}}]}`,
		`[{"version":"v0.9","deleteSurface":{"surfaceId":"a"}},{"deleteSurface":{"surfaceId":"b"}}]`,
	} {
		d, msgs, err := a2ui.DecodeMessages([]byte(in))
		fmt.Println(d, len(msgs), err)
	}
	// Output:
	// v0.9 1 <nil>
	// v0.9.1 2 <nil>
	// v1.0 1 <nil>
	// v0.9 0 A2UI_S2C_ENVELOPE_INVALID line 2 at "/version": version "" is not one of v0.9
}

func ExampleDecodeCapabilities() {
	caps, err := a2ui.DecodeCapabilities([]byte(`{"v0.9":{"supportedCatalogIds":["https://x.y/cat"]},"v7":{}}`),
		a2ui.Limits{})
	fmt.Println(len(caps), caps[a2ui.V09].Catalogs, err)
	caps, err = a2ui.DecodeCapabilities([]byte(`{"supportedCatalogIds":["https://x.y/cat"]}`), a2ui.Limits{})
	fmt.Println(len(caps), caps[a2ui.V08].Catalogs, err)
	// Output:
	// 1 [https://x.y/cat] <nil>
	// 1 [https://x.y/cat] <nil>
}

func ExampleAppendCapabilities() {
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		b, err := a2ui.AppendCapabilities(nil, d, a2ui.Capabilities{Catalogs: []string{"c"}})
		fmt.Println(string(b), err)
	}
	// Output:
	// {"supportedCatalogIds":["c"]} <nil>
	// {"v0.9":{"supportedCatalogIds":["c"]}} <nil>
	// {"1.0":{"supportedCatalogIds":["c"]}} <nil>
}

func ExampleAppendAllCapabilities() {
	c := a2ui.Capabilities{Catalogs: []string{"c"}}
	b, err := a2ui.AppendAllCapabilities(nil, map[a2ui.Dialect]a2ui.Capabilities{a2ui.V08: c, a2ui.V10: c})
	fmt.Println(string(b), err)
	// Output: {"v0.8":{"supportedCatalogIds":["c"]},"1.0":{"supportedCatalogIds":["c"]}} <nil>
}

func ExampleDecodeClientData() {
	d, surfaces, err := a2ui.DecodeClientData([]byte(`{"version":"v0.9","surfaces":{"s":{"name":"Ada"}}}`),
		a2ui.Limits{})
	fmt.Println(d, surfaces[0].Key, surfaces[0].Value.At("name").Str, err)
	// Output: v0.9 s Ada <nil>
}

func TestDecodeMessagesRefuses(t *testing.T) {
	t.Parallel()
	const one = `{"version":"v0.9","deleteSurface":{"surfaceId":"a"}}`
	for in, want := range map[string]struct {
		code a2ui.Code
		line int
	}{
		`3`:                      {a2ui.EnvelopeInvalid, 1},
		`[` + one + `,3]`:        {a2ui.EnvelopeInvalid, 2},
		`[` + one + `,{}]`:       {a2ui.EnvelopeInvalid, 2},
		`{"messages":[{"v":1}]}`: {a2ui.EnvelopeInvalid, 1},
		`[` + one + `,{"version":"v1.0","deleteSurface":{"surfaceId":"a"}}]`: {a2ui.EnvelopeInvalid, 1},
		`[` + strings.Repeat(one+",", 1000) + one + `]`:                      {a2ui.LimitBytes, 0},
		`[` + one + strings.Repeat(" ", 600<<10) + `,` + one + `]`:           {a2ui.LimitBytes, 1},
	} {
		_, msgs, err := a2ui.DecodeMessages([]byte(in))
		var p *a2ui.Problem
		if !errors.As(err, &p) || p.Code != want.code || p.Line != want.line {
			t.Errorf("%.80s: %v, %v, want %v", in, msgs, err, want)
		}
	}
	if _, msgs, err := a2ui.DecodeMessages([]byte(`[]`)); err != nil || len(msgs) != 0 {
		t.Error("an empty list:", msgs, err)
	}
}

// TestLists: what AppendMessages writes, DecodeMessages reads, and the published
// list schema allows.
func TestLists(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		msgs := form(d, 3)
		b, err := a2ui.AppendMessages(nil, d, msgs)
		if err != nil {
			t.Fatal(err)
		}
		got, again, err := a2ui.DecodeMessages(b)
		if err != nil || got != d || !cmp.Equal(msgs, again, sameMessage) {
			t.Errorf("%s: %s, %v\n%s", d, got, err, cmp.Diff(msgs, again, sameMessage))
		}
		const action = `"name":"n","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":{}}`
		one, err := a2ui.AppendClient(nil, d,
			&a2ui.Action{Name: "n", SurfaceID: "s", Component: "c", Timestamp: "2026-11-20T10:00:00Z",
				Context: jsonx.OfObject()})
		if err != nil || !strings.Contains(string(one), action) {
			t.Fatalf("%s %v", one, err)
		}
		got, actions, err := a2ui.DecodeClientMessages([]byte(`[`+string(one)+`,`+string(one)+`]`), a2ui.Limits{})
		if err != nil || !heardAs(d, got) || len(actions) != 2 {
			t.Errorf("%s: %s, %v, %v", d, got, actions, err)
		}
	}
}

// TestCapabilities: both directions, as the published schemas have them.
func TestCapabilities(t *testing.T) {
	t.Parallel()
	names := map[a2ui.Dialect][3]string{
		a2ui.V08:    {"a2ui_client_capabilities_schema.json"},
		a2ui.V09:    {"client_capabilities.json", "client_data_model.json"},
		a2ui.V091:   {"client_capabilities.json", "client_data_model.json"},
		a2ui.V10RC:  {"renderer_capabilities.json", "renderer_data_model.json"},
		a2ui.V10Oct: {"renderer_capabilities.json", "renderer_data_model.json"},
		a2ui.V10:    {"renderer_capabilities.json", "renderer_data_model.json"},
	}
	judge := func(d a2ui.Dialect, file string, b []byte) {
		if file == "" {
			return
		}
		s, err := official.Named(d.String(), file, "basic")
		if errors.Is(err, official.ErrMissing) {
			t.Log(err)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(b); err != nil {
			t.Errorf("%s %s: %s: %v", d, file, b, err)
		}
	}
	for _, d := range dialects {
		caps := a2ui.Capabilities{Catalogs: []string{"a", "b"}, Extra: []a2ui.Member{{Key: "x", Value: jsonx.OfInt(1)}}}
		b, err := a2ui.AppendCapabilities(nil, d, caps)
		if err != nil {
			t.Fatal(err)
		}
		judge(d, names[d][0], b)
		caps.Inline = []a2ui.Data{parse(t, `{"catalogId":"i","components":{}}`)}
		if b, err = a2ui.AppendCapabilities(nil, d, caps); err != nil {
			t.Fatal(err)
		}
		if got, err := a2ui.DecodeCapabilities(b, a2ui.Limits{}); err != nil || !cmp.Equal(got[d], caps, sameMessage) {
			t.Errorf("%s: %s: %+v, %v", d, b, got, err)
		}
		surfaces := []a2ui.Member{{Key: "s", Value: parse(t, `{"a":[1.50,null]}`)}, {Key: "t", Value: parse(t, `{}`)}}
		b, err = a2ui.AppendClientData(nil, d, surfaces)
		if d.Features().DataModelMember == "" {
			if err == nil {
				t.Errorf("%s writes a data model: %s", d, b)
			}
			continue
		}
		judge(d, names[d][1], b)
		if got, back, err := a2ui.DecodeClientData(b, a2ui.Limits{}); err != nil || !heardAs(d, got) ||
			!cmp.Equal(back, surfaces, sameMessage) {
			t.Errorf("%s: %s: %s, %v, %v", d, b, got, back, err)
		}
	}
	for _, in := range []string{`[]`, `{"v0.9":[]}`, `{"v0.9":{}}`, `{"supportedCatalogIds":[1]}`, `{"v0.8":[]}`,
		`{"v0.8":{}}`, `{"v0.8":{"supportedCatalogIds":"a"}}`,
		`{"1.0":{"supportedCatalogIds":[],"inlineCatalogs":[1]}}`, `{`} {
		if got, err := a2ui.DecodeCapabilities([]byte(in), a2ui.Limits{}); err == nil {
			t.Errorf("%s: %v", in, got)
		}
	}
	for _, in := range []string{`[]`, `{}`, `{"version":"v0.9"}`, `{"version":"v0.9","surfaces":{"s":[]}}`,
		`{"version":"v0.9","surfaces":{},"x":1}`, `{"surfaces":{}}`} {
		if _, got, err := a2ui.DecodeClientData([]byte(in), a2ui.Limits{}); err == nil {
			t.Errorf("%s: %v", in, got)
		}
	}
}

// TestCapabilitiesOfVersions: what a client of several versions says comes back, that
// of v0.8 under its version and bare.
func TestCapabilitiesOfVersions(t *testing.T) {
	t.Parallel()
	ids := func(list ...string) a2ui.Capabilities { return a2ui.Capabilities{Catalogs: list} }
	all := map[a2ui.Dialect]a2ui.Capabilities{a2ui.V08: ids("old"), a2ui.V09: ids("a"), a2ui.V091: ids("b"),
		a2ui.V10RC: ids("c"), a2ui.V10: ids("d", "e")}
	b, err := a2ui.AppendAllCapabilities([]byte("x"), all)
	if err != nil || b[0] != 'x' {
		t.Fatal(err)
	}
	got, err := a2ui.DecodeCapabilities(b[1:], a2ui.Limits{})
	for d, want := range all {
		if err != nil || !cmp.Equal(got[d], want, sameMessage) {
			t.Errorf("%s: %s: %+v, %v", b, d, got[d], err)
		}
	}
	inline := ids("old")
	inline.Inline = []a2ui.Data{parse(t, `{"components":{}}`)}
	for in, want := range map[string]a2ui.Capabilities{
		`{"v0.8":{"supportedCatalogIds":["old"]}}`:                                      ids("old"),
		`{"v0.8":{"supportedCatalogIds":[]},"v7":1}`:                                    ids(),
		`{"v0.9":{"supportedCatalogIds":["a"]},"v0.8":{"supportedCatalogIds":["old"]}}`: ids("old"),
		`{"v0.8":{"supportedCatalogIds":["old"],"inlineCatalogs":[{"components":{}}]}}`: inline,
		`{"supportedCatalogIds":["old"],"v0.9":{"supportedCatalogIds":["a"]}}`:          {Catalogs: []string{"old"}, Extra: []a2ui.Member{{Key: "v0.9", Value: parse(t, `{"supportedCatalogIds":["a"]}`)}}},
		`{"supportedCatalogIds":["old"],"inlineCatalogs":[{"components":{}}]}`:          inline,
	} {
		got, err := a2ui.DecodeCapabilities([]byte(in), a2ui.Limits{})
		if err != nil || !cmp.Equal(got[a2ui.V08], want, sameMessage) {
			t.Errorf("%s: %+v, %v", in, got, err)
		}
	}
	if b, err := a2ui.AppendAllCapabilities([]byte("x"), map[a2ui.Dialect]a2ui.Capabilities{99: {}}); err == nil || string(b) != "x" {
		t.Errorf("a dialect without codec writes %s", b)
	}
	if b, err := a2ui.AppendAllCapabilities(nil, nil); err != nil || string(b) != "{}" {
		t.Errorf("no version: %s, %v", b, err)
	}
}
