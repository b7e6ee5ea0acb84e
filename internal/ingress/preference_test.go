package ingress

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

func ptr[T any](v T) *T { return &v }

func TestDecodePreferences(t *testing.T) {
	t.Parallel()
	one := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		body   string
		decode func([]byte, Limits) (*ui.Event, error)
		want   ui.Preference
		fault  string // path of the fault, "-" = none
	}{
		{`{}`, DecodeOptOut, ui.Preference{OptOut: &ui.OptOut{}}, "-"},
		{`{"all_tools":true,"tools":["request_process_map"],"expires_at":"2026-12-01T09:00:00+01:00","this_turn":["request_data_table"]}`, DecodeOptOut,
			ui.Preference{OptOut: &ui.OptOut{All: true, Tools: []string{ui.ToolMap}, Expires: one, Once: []string{ui.ToolTable}}}, "-"},
		{`{"tools":null,"expires_at":null}`, DecodeOptOut, ui.Preference{OptOut: &ui.OptOut{}}, "-"},
		{`{"all_tools":"yes"}`, DecodeOptOut, ui.Preference{}, "/all_tools"},
		{`{"tools":"request_process_map"}`, DecodeOptOut, ui.Preference{}, "/tools"},
		{`{"this_turn":[1]}`, DecodeOptOut, ui.Preference{}, "/this_turn"},
		{`{"expires_at":"tomorrow"}`, DecodeOptOut, ui.Preference{}, "/expires_at"},
		{`{"expires_at":"9999-12-31T23:59:59-09:00"}`, DecodeOptOut, ui.Preference{}, "/expires_at"},
		{`{"tool":[]}`, DecodeOptOut, ui.Preference{}, "/tool"},
		{`[]`, DecodeOptOut, ui.Preference{}, "/"},
		{`{"all_tools":`, DecodeOptOut, ui.Preference{}, ""},
		{`{"tool":"request_data_table"}`, DecodePreferred, ui.Preference{Preferred: ptr(ui.ToolTable)}, "-"},
		{`{"tool":null}`, DecodePreferred, ui.Preference{Preferred: ptr("")}, "-"},
		{`{"tool":1}`, DecodePreferred, ui.Preference{}, "/tool"},
		{`{}`, DecodeIterations, ui.Preference{Iterations: map[string]int{}}, "-"},
		{`{"request_data_table":0,"request_process_map":11}`, DecodeIterations, ui.Preference{Iterations: map[string]int{ui.ToolTable: 0, ui.ToolMap: 11}}, "-"},
		{`{"request_data_table":1.5}`, DecodeIterations, ui.Preference{}, "/request_data_table"},
		{`{"request_data_table":99999999999999999999}`, DecodeIterations, ui.Preference{}, "/request_data_table"},
		{`{"form":1}`, DecodeIterations, ui.Preference{}, "/form"},
		{`{"intent_pattern":"risk","action":"force_tool","tool":"request_process_map"}`, DecodeRule(""),
			ui.Preference{SetRule: &ui.Guardrail{Pattern: "risk", Action: route.ForceTool, Tool: ui.ToolMap, Enabled: true}}, "-"},
		{`{"enabled":false}`, DecodeRule("g1"), ui.Preference{SetRule: &ui.Guardrail{ID: "g1"}}, "-"},
		{`{}`, DecodeRule("g1"), ui.Preference{}, "/intent_pattern"},
		{`{"enabled":0}`, DecodeRule("g1"), ui.Preference{}, "/enabled"},
		{`{"id":"g2"}`, DecodeRule("g1"), ui.Preference{}, "/id"},
	} {
		e, err := tt.decode([]byte(tt.body), Limits{})
		if tt.fault != "-" {
			if f, ok := err.(*ui.Error); !ok || f.Code != CodeEnvelope || f.Path != tt.fault || e != nil {
				t.Errorf("%s: %v, want a fault at %q", tt.body, err, tt.fault)
			}
			continue
		}
		if err != nil || e.Kind != ui.EventPreference || e.V != ui.Version {
			t.Errorf("%s: %v %+v", tt.body, err, e)
			continue
		}
		if diff := cmp.Diff(tt.want, *e.Preference); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.body, diff)
		}
	}
	if _, err := DecodeRule("")([]byte(`{"intent_pattern":"`+strings.Repeat("x", 1<<20)+`"}`), Limits{}); ui.CodeOf(err) != CodeTooLarge {
		t.Errorf("a pattern of 1 MB: %v", err)
	}
}

func TestDecodePreferenceForm(t *testing.T) {
	t.Parallel()
	type form = map[string][]string
	rule := func(pattern string) ui.Preference {
		return ui.Preference{SetRule: &ui.Guardrail{Pattern: pattern, Action: route.SuppressTool, Tool: ui.ToolTable,
			Enabled: true}}
	}
	for _, tt := range []struct {
		in   form
		want ui.Preference
	}{
		{form{"limn_set": {"opt_out"}}, ui.Preference{OptOut: &ui.OptOut{}}},
		{form{"limn_set": {"opt_out"}, "all_tools": {"never"}, "request_data_table": {"once"}, "expires_at": {"2026-12-01T09:00:00Z"}},
			ui.Preference{OptOut: &ui.OptOut{All: true, Once: []string{ui.ToolTable}, Expires: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)}}},
		{form{"limn_set": {"opt_out"}, "all_tools": {"once"}, "request_process_map": {"never"}, "expires_at": {"?"}},
			ui.Preference{OptOut: &ui.OptOut{Tools: []string{ui.ToolMap}, Once: []string{ui.ToolTable, ui.ToolMap}}}},
		{form{"limn_set": {"preferred_ui"}, "tool": {ui.ToolMap}}, ui.Preference{Preferred: ptr(ui.ToolMap)}},
		{form{"limn_set": {"rule"}, "words": {"a.b (c"}, "action": {route.SuppressTool}, "tool": {ui.ToolTable}}, rule(route.Pattern("a.b (c"))},
		{form{"limn_set": {"rule"}, "words": {"a.b|c"}, "regexp": {"on"}, "action": {route.SuppressTool}, "tool": {ui.ToolTable}}, rule("a.b|c")},
		{form{"limn_set": {"enable"}, "rule": {"g1"}}, ui.Preference{SetRule: &ui.Guardrail{ID: "g1", Enabled: true}}},
		{form{"limn_set": {"disable"}, "rule": {"g1"}}, ui.Preference{SetRule: &ui.Guardrail{ID: "g1"}}},
		{form{"limn_set": {"delete"}, "rule": {"g1"}}, ui.Preference{DropRule: "g1"}},
	} {
		e, err := DecodePreferenceForm(tt.in)
		if err != nil {
			t.Errorf("%v: %v", tt.in, err)
			continue
		}
		if diff := cmp.Diff(tt.want, *e.Preference); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.in, diff)
		}
	}
	if _, err := DecodePreferenceForm(form{"limn_set": {"all"}}); ui.CodeOf(err) != CodeEnvelope {
		t.Errorf("an unknown change: %v", err)
	}
}

func FuzzDecodePreference(f *testing.F) {
	for i, body := range []string{`{"all_tools":true,"tools":["x"],"expires_at":"2026-12-01T09:00:00+01:00"}`,
		`{"tool":null}`, `{"request_data_table":3}`, `{"intent_pattern":"(","action":"a","tool":"b"}`,
		`{"enabled":false}`} {
		f.Add(uint8(i), []byte(body), "limn_set", "rule", "words")
	}
	f.Add(uint8(9), []byte(`{"expires_at":"0000-01-01T00:00:00+23:59"}`), "limn_set", "opt_out", "expires_at")
	decoders := []func([]byte, Limits) (*ui.Event, error){DecodeOptOut, DecodePreferred, DecodeIterations,
		DecodeRule(""), DecodeRule("g1")}
	f.Fuzz(func(t *testing.T, which uint8, body []byte, k1, v1, k2 string) {
		e, err := decoders[int(which)%len(decoders)](body, Limits{})
		checkDecoded(t, e, err)
		e, err = DecodePreferenceForm(map[string][]string{k1: {v1}, k2: {string(body), v1, string(body)}})
		checkDecoded(t, e, err)
	})
}
