package a2ui_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
	"pgregory.net/rapid"
)

func TestDecodeClient(t *testing.T) {
	t.Parallel()
	action := &a2ui.Action{Name: "go", SurfaceID: "s", Component: "c#ok", Timestamp: "2026-11-20T10:00:00.123Z",
		Context: parse(t, `{"a":1,"b":["x"]}`)}
	const body = `{"name":"go","surfaceId":"s","sourceComponentId":"c#ok","timestamp":"2026-11-20T10:00:00.123Z","context":{"a":1,"b":["x"]}}`
	more := *action
	more.Extra = []a2ui.Member{{Key: "userMessage", Value: parse(t, `"hi"`)}}
	for in, want := range map[string]struct {
		d a2ui.Dialect
		m a2ui.ClientMessage
	}{
		`{"userAction":` + body + `}`:                                                {a2ui.V08, action},
		`{"version":"v0.9","action":` + body + `}`:                                   {a2ui.V09, action},
		`{"action":` + body + `,"version":"v0.9.1"}`:                                 {a2ui.V091, action},
		`{"version":"v0.9","action":` + body[:len(body)-1] + `,"userMessage":"hi"}}`: {a2ui.V09, &more},
		`{"error":{"message":"m","code":7}}`:                                         {a2ui.V08, &a2ui.ClientError{Message: "m", Extra: []a2ui.Member{{Key: "code", Value: parse(t, "7")}}}},
		`{"error":{}}`:                                                               {a2ui.V08, &a2ui.ClientError{}},
		`{"version":"v0.9","error":{"code":"VALIDATION_FAILED","surfaceId":"s","path":"/p","message":"m"}}`: {a2ui.V09,
			&a2ui.ClientError{Code: "VALIDATION_FAILED", SurfaceID: "s", Path: "/p", Message: "m"}},
		`{"version":"v0.9","error":{"code":"X","surfaceId":"s","message":"m","more":1}}`: {a2ui.V09,
			&a2ui.ClientError{Code: "X", SurfaceID: "s", Message: "m", Extra: []a2ui.Member{{Key: "more", Value: parse(t, "1")}}}},
	} {
		d, m, err := a2ui.DecodeClient([]byte(in), a2ui.Limits{})
		if err != nil || d != want.d {
			t.Errorf("%s: %s, %v", in, d, err)
			continue
		}
		if diff := cmp.Diff(want.m, m, sameMessage); diff != "" {
			t.Errorf("%s (-want +got)\n%s", in, diff)
		}
		out, err := a2ui.AppendClient(nil, d, m)
		if err != nil || canonical(t, out, d) != canonical(t, []byte(in), d) {
			t.Errorf("%s is written %s, %v", in, out, err)
		}
	}
}

func TestDecodeClientRefuses(t *testing.T) {
	t.Parallel()
	const rest = `"surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":{}}`
	for _, in := range []string{
		``, `[]`, `{}`, `{"version":"v0.9"}`, `{"userAction":{}}`, `{"userAction":[]}`,
		`{"userAction":{"name":1,` + rest + `}`,
		`{"userAction":{"name":"a",` + rest + `,"error":{}}`,
		`{"version":"v0.9","userAction":{"name":"a",` + rest + `}`,
		`{"action":{"name":"a",` + rest + `}`,
		`{"version":"v0.8","userAction":{"name":"a",` + rest + `}`,
		`{"userAction":{"name":"a","surfaceId":"s","sourceComponentId":"c","timestamp":"yesterday","context":{}}}`,
		`{"userAction":{"name":"a","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":[]}}`,
		`{"userAction":{"name":"a","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z"}}`,
		`{"deleteSurface":{"surfaceId":"s"}}`,
		`{"version":"v0.9","error":{}}`,
		`{"version":"v0.9","error":{"code":"X","message":"m"}}`,
		`{"version":"v0.9","error":{"code":"VALIDATION_FAILED","surfaceId":"s","message":"m"}}`,
		`{"version":"v0.9","error":{"code":"VALIDATION_FAILED","surfaceId":"s","message":"m","path":"/p","x":1}}`,
	} {
		_, m, err := a2ui.DecodeClient([]byte(in), a2ui.Limits{})
		var p *a2ui.Problem
		if !errors.As(err, &p) || p.Code != a2ui.ClientInvalid {
			t.Errorf("DecodeClient(%s) = %v, %v", in, m, err)
		}
	}
	if _, err := a2ui.AppendClient(nil, a2ui.V09, &a2ui.Action{Timestamp: "now"}); err == nil {
		t.Error("an action without a time is written")
	}
	if _, err := a2ui.AppendClient(nil, 99, nil); err == nil {
		t.Error("a dialect without codec writes")
	}
	for _, d := range dialects {
		if _, err := a2ui.AppendClient(nil, d, nil); err == nil {
			t.Errorf("%s writes nothing", d)
		}
	}
}

// heardAs reports whether a client message of d may be read as one of got: without a
// call in it nothing tells two spellings of v1.0 apart.
func heardAs(d, got a2ui.Dialect) bool { return got == d || d == a2ui.V10Oct && got == a2ui.V10RC }

// TestClientRoundTrip: what a client sends is read back the same, and is what
// the published schema describes.
func TestClientRoundTrip(t *testing.T) {
	t.Parallel()
	for _, d := range dialects {
		t.Run(d.String(), func(t *testing.T) {
			published := schema(t, d, true)
			rapid.Check(t, func(rt *rapid.T) {
				g := newGen(rt, d)
				var m a2ui.ClientMessage = &a2ui.Action{Name: "n" + g.text(), SurfaceID: g.text(), Component: g.text(),
					Timestamp: "2026-11-20T10:00:00+01:00", Context: g.flat(2)}
				if f := d.Features(); f.Remote {
					action := m.(*a2ui.Action)
					action.UserMessage, action.Metadata = g.text(), g.metadata()
					switch g.pick(4) {
					case 0:
						call := g.call("", 2)
						m = &a2ui.CallAgent{SurfaceID: g.text(), CallID: g.text(), Call: call}
					case 1:
						m = g.reply()
					case 2:
						m = &a2ui.ClientError{Code: "X" + g.text(), CallID: "c", Message: "m"}
					}
				}
				if g.flip("error") {
					m = &a2ui.ClientError{Code: "X" + g.text(), SurfaceID: "s", Message: "m" + g.text()}
				}
				b, err := a2ui.AppendClient(nil, d, m)
				if err != nil {
					rt.Fatal(err)
				}
				if published != nil {
					if err := published.Check(b); err != nil {
						rt.Fatalf("%s\n%v", b, err)
					}
				}
				got, back, err := a2ui.DecodeClient(b, a2ui.Limits{})
				if err != nil || !heardAs(d, got) {
					rt.Fatalf("%s: %s, %v", b, got, err)
				}
				if diff := cmp.Diff(m, back, sameMessage); diff != "" {
					rt.Fatalf("%s (-want +got)\n%s", b, diff)
				}
			})
		})
	}
}
