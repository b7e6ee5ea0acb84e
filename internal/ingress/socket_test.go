package ingress

import (
	"encoding/json"
	"testing"

	"github.com/limn-ui/limn/ui"
)

func TestDecodeSocket(t *testing.T) {
	t.Parallel()
	action := string(envelope(`"limn_nonce":"n","limn_rev":3`))
	for in, want := range map[string]struct {
		ref, key string
		kind     ui.EventKind
		code     ui.Code
	}{
		`{"text":"hello"}`:                                   {"", "", ui.EventMessage, ""},
		`{"ref":"7","key":"k","text":"hello"}`:               {"7", "k", ui.EventMessage, ""},
		`{"ref":"7","event":` + action + `}`:                 {"7", "", ui.EventAction, ""},
		`{"ref":"7","event":{"other":{}}}`:                   {"7", "", "", CodeEnvelope},
		`{"ref":"7","event":` + action + `,"text":"hello"}`:  {"7", "", "", CodeEnvelope},
		`{"ref":"7","metadata":{}}`:                          {"7", "", "", CodeEnvelope},
		`{"ref":"7"}`:                                        {"7", "", "", CodeEnvelope},
		`{"text":7,"ref":"7"}`:                               {"7", "", "", CodeEnvelope},
		`{"other":"","ref":"7"}`:                             {"7", "", "", CodeEnvelope},
		`{"ref":7,"text":"hello"}`:                           {"", "", "", CodeEnvelope},
		`{"REF":"7","text":"hello"}`:                         {"", "", "", CodeEnvelope},
		`{"text":"hello","text":"hello"}`:                    {"", "", "", CodeEnvelope},
		`{"text":""}`:                                        {"", "", "", CodeEnvelope},
		`["text"]`:                                           {"", "", "", CodeEnvelope},
		`{"text":"hello"} {"text":"hello"}`:                  {"", "", "", CodeEnvelope},
		`{"ref":"` + string(make129()) + `","text":"hello"}`: {"", "", "", CodeEnvelope},
	} {
		ref, e, err := DecodeSocket([]byte(in), Limits{})
		if ref != want.ref || ui.CodeOf(err) != want.code {
			t.Errorf("%s: ref %q, %v", in, ref, err)
		}
		if err == nil && (e.Kind != want.kind || e.Key != want.key) {
			t.Errorf("%s: %+v", in, e)
		}
	}
}

func make129() []byte {
	b := make([]byte, 129)
	for i := range b {
		b[i] = 'r'
	}
	return b
}

func FuzzDecodeSocket(f *testing.F) {
	f.Add([]byte(`{"ref":"7","key":"k","text":"hello"}`))
	f.Add([]byte(`{"ref":"7","metadata":{"a2uiClientCapabilities":{}}}`))
	f.Add([]byte(`{"event":` + string(envelope(`"limn_nonce":"n"`)) + `}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		ref, e, err := DecodeSocket(in, Limits{})
		if e != nil || err != nil {
			checkDecoded(t, e, err)
		}
		if len(ref) > 128 || err == nil && !json.Valid(in) {
			t.Errorf("ref %q of %q", ref, in)
		}
	})
}
