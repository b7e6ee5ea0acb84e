package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// caseOf makes a case of its text.
func caseOf(t *testing.T, suite, text string) *testCase {
	t.Helper()
	c := &testCase{Dir: sharedConformance, Suite: suite}
	if err := json.Unmarshal([]byte(text), &c.Raw); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestHarness: what is right passes, and what is wrong in any way fails, so that
// no case passes because the harness did not look.
func TestHarness(t *testing.T) {
	t.Parallel()
	const create = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"test-catalog"}}`
	const text = `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"x"}]}}`
	const circle = `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Card","child":"c1"},{"id":"c1","component":"Card","child":"root"}]}}`
	const bad = `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":1}]}}`
	for name, c := range map[string]struct {
		text string
		pass bool
	}{
		"a surface":                {`"action":"process_messages","messages":[` + create + `],"expect":{"surfaces":{"s":{"exists":true,"sendDataModel":false}}}`, true},
		"no surface":               {`"action":"process_messages","messages":[` + create + `],"expect":{"surfaces":{"t":{"exists":true}}}`, false},
		"a component":              {`"action":"process_messages","messages":[` + create + `,` + text + `],"expect":{"surfaces":{"s":{"components":[{"id":"root","text":"x"}]}}}`, true},
		"another text":             {`"action":"process_messages","messages":[` + create + `,` + text + `],"expect":{"surfaces":{"s":{"components":[{"id":"root","text":"y"}]}}}`, false},
		"a component too much":     {`"action":"process_messages","messages":[` + create + `,` + text + `],"expect":{"surfaces":{"s":{"components":[]}}}`, false},
		"a component too few":      {`"action":"process_messages","messages":[` + create + `],"expect":{"surfaces":{"s":{"components":{"root":{}}}}}`, false},
		"data is compared exactly": {`"action":"process_messages","messages":[` + create + `,{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"a":1,"b":2}}}],"expect":{"surfaces":{"s":{"dataModel":{"a":1}}}}`, false},
		"an unknown expectation":   {`"action":"process_messages","messages":[` + create + `],"expect":{"surfaces":{"s":{"exists":true,"colour":1}}}`, false},
		"an unknown part":          {`"action":"process_messages","messages":[` + create + `],"expect":{"surfaces":{},"windows":{}}`, false},
		"an unknown member":        {`"action":"process_messages","messages":[` + create + `],"expectNothing":true`, false},
		"an unknown part of error": {`"action":"process_messages","messages":[` + bad + `],"expectError":{"category":"IntegrityError","kind":1}`, false},

		"no error":          {`"action":"validate","strictMode":true,"messages":[` + create + `,` + text + `]`, true},
		"an error missed":   {`"action":"validate","strictMode":true,"messages":[` + create + `,` + text + `],"expectError":"Circular reference detected"`, false},
		"a circle":          {`"action":"validate","strictMode":true,"messages":[` + create + `,` + circle + `],"expectError":"Circular reference detected"`, true},
		"not strict":        {`"action":"validate","messages":[` + create + `,` + circle + `]`, true},
		"the wrong reason":  {`"action":"validate","strictMode":true,"messages":[` + create + `,` + circle + `],"expectError":"Duplicate component ID: c1"`, false},
		"the wrong name":    {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":"Validation failed for component 'Button'"`, false},
		"the right name":    {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":"Validation failed for component 'Text'"`, true},
		"no reason we know": {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":"it rained"`, false},
		"the category":      {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":{"category":"ValidationError"}`, true},
		"another category":  {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":{"category":"IntegrityError"}`, false},
		"the detail":        {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":{"category":"ValidationError","details":[{"path":"text","code":"type_mismatch"}]}`, true},
		"its place":         {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":{"details":[{"path":"messages.1.updateComponents.components.0.text"}]}`, true},
		"another place":     {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":{"details":[{"path":"label","code":"type_mismatch"}]}`, false},
		"missing or not":    {`"action":"validate","messages":[` + create + `,` + bad + `],"expectError":{"details":[{"path":"text","code":"missing_field"}]}`, false},
		"an error nowhere":  {`"action":"validate","steps":[{"messages":[` + create + `]}],"expectError":{"category":"ValidationError"}`, false},
		"an error anywhere": {`"action":"validate","steps":[{"messages":[` + create + `]},{"messages":[` + bad + `]}],"expectError":{"category":"ValidationError"}`, true},
		"an unknown step":   {`"action":"validate","steps":[{"messages":[` + create + `],"then":1}]`, false},
	} {
		err := caseOf(t, "core/harness", `{"name":"x","protocolVersion":"v0.9",`+c.text+`}`).run()
		if (err == nil) != c.pass {
			t.Errorf("%s: passes %t, want %t: %v", name, err == nil, c.pass, err)
		}
	}
}

// TestReasons: a row finds the texts of its kind, and no other fault passes for
// it.
func TestReasons(t *testing.T) {
	t.Parallel()
	duplicate := fault{code: "A2UI_S2C_COMPONENT_DUPLICATE", text: `component "c1": the id stands twice`}
	for _, c := range []struct {
		want string
		pass bool
	}{
		{"Duplicate component ID: c1", true}, {"Duplicate component ID: c2", false}, {"Missing root component", false},
		{"what is c1Twice about", false}, {"something with 'c1'", true}, {"something with 'c2'", false}, {"nothing in particular", false},
	} {
		if err := sameReason(c.want, duplicate); (err == nil) != c.pass {
			t.Errorf("%q: %v", c.want, err)
		}
	}
}

// TestSuites: a file in a folder of suites is a list of cases, or the harness says
// that nothing runs it.
func TestSuites(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, fails string }{
		"cases":               {"core/a.json", `[{"name":"x","action":"validate"}]`, ""},
		"a case of no action": {"core/a.json", `[{"nam":"x"}]`, `no runner for this action ""`},
		"an object":           {"core/a.json", `{"cases":[]}`, "nothing runs it"},
		"another format":      {"agent/deep/a.yaml", "- name: x", "nothing runs it"},
		"a page":              {"core/README.md", "# Cases", ""},
		"data of cases":       {"test_data/node/a.json", `{"a":1}`, ""},
		"a catalog":           {"catalogs/basic/a.json", `[1]`, ""},
		"beside the folders":  {"more.json", `{"cases":[]}`, "nothing runs it"},
		"a schema of cases":   {"conformance_schema.json", `{"type":"array"}`, ""},
	} {
		path := filepath.Join(t.TempDir(), "set", c.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		suites, err := readSuites(strings.TrimSuffix(path, filepath.FromSlash(c.file)))
		said := fmt.Sprint(err)
		if name == "a case of no action" {
			said = runSuite(suites["core/a"])[0].note
		}
		if c.fails == "" && err != nil || !strings.Contains(said, c.fails) {
			t.Errorf("%s: %s, want %q", name, said, c.fails)
		}
	}
}

// TestSkipsAreReal: a skip names a case of the data and says why.
func TestSkipsAreReal(t *testing.T) {
	suites := loadSuites(t, sharedConformance)
	known := map[string]bool{}
	for _, cases := range suites {
		for _, c := range cases {
			known[c.Suite+"/"+c.Name] = true
		}
	}
	for key, why := range skips {
		if !known[key] || len(why) < 40 {
			t.Errorf("the skip of %s: known %t, because %q", key, known[key], why)
		}
	}
}
