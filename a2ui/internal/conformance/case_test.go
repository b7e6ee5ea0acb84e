package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
)

// step is one part of a case: what goes in and what must come out. A case
// without steps is one step.
type step struct {
	raw      map[string]json.RawMessage
	messages json.RawMessage // messages or payload; nil = none
	expect   json.RawMessage // nil = nothing said
	fail     *wantError      // nil = no error
}

// camel turns expect_error into expectError: cases write both.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// field returns a member of a case's object by its name in camel case or in snake
// case.
func field(raw map[string]json.RawMessage, names ...string) json.RawMessage {
	for _, n := range names {
		for key, v := range raw {
			if key == n || camel(key) == n {
				return v
			}
		}
	}
	return nil
}

// everyCase are the members any case may have.
var everyCase = []string{"name", "description", "action", "protocolVersion", "dialect", "optional", "comment"}

// only refuses a case with a member that its runner does not know: what is not
// looked at must not pass.
func (c *testCase) only(names ...string) error {
	return known(c.Raw, append(names, everyCase...)...)
}

func known(raw map[string]json.RawMessage, names ...string) error {
	for key := range raw {
		if !slices.Contains(names, camel(key)) {
			return fmt.Errorf("the harness does not know the member %q here", key)
		}
	}
	return nil
}

// steps returns the parts of a case, whose members may be the named ones.
// Expectations beside a list of steps belong to the last one: they are about the
// final state; an error may come in any (anyFails).
func (c *testCase) steps(names ...string) (list []step, anyFails *wantError, err error) {
	names = append(names, "messages", "payload", "expect", "expectError", "description", "name")
	rawSteps := c.get("steps")
	if rawSteps == nil {
		s, err := newStep(c.Raw)
		return []step{s}, nil, err
	}
	var raws []map[string]json.RawMessage
	if err := json.Unmarshal(rawSteps, &raws); err != nil {
		return nil, nil, fmt.Errorf("steps: %w", err)
	}
	for i, raw := range raws {
		if err := known(raw, names...); err != nil {
			return nil, nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		s, err := newStep(raw)
		if err != nil {
			return nil, nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, nil, errors.New("a case without steps")
	}
	if e := field(c.Raw, "expect"); e != nil {
		last := &list[len(list)-1]
		if last.expect != nil {
			return nil, nil, errors.New("an expectation in the case and in its last step")
		}
		last.expect = e
	}
	if e := field(c.Raw, "expectError"); e != nil {
		if anyFails, err = parseWant(e); err != nil {
			return nil, nil, err
		}
	}
	return list, anyFails, nil
}

func newStep(raw map[string]json.RawMessage) (s step, err error) {
	s = step{raw: raw, messages: field(raw, "messages", "payload"), expect: field(raw, "expect")}
	if e := field(raw, "expectError"); e != nil {
		s.fail, err = parseWant(e)
	}
	return s, err
}

// version is the protocol version of a case, "" when it names none.
func (c *testCase) version() string {
	if v := c.text("protocolVersion", "protocol_version"); v != "" {
		return withV(v)
	}
	var catalog struct {
		ProtocolVersion, Protocol_version, Version string
	}
	_ = json.Unmarshal(c.get("catalog"), &catalog)
	for _, v := range []string{catalog.ProtocolVersion, catalog.Protocol_version, catalog.Version} {
		if v != "" {
			return withV(v)
		}
	}
	return ""
}

func withV(version string) string {
	if strings.HasPrefix(version, "v") {
		return version
	}
	return "v" + version
}

// reads is the dialect whose codec reads the messages of a case. The one for
// v0.9 takes v0.9.1 too; v1.0 is what the case says.
func (c *testCase) reads() (a2ui.Dialect, error) {
	version := c.version()
	if version == "" {
		version = c.messageVersion()
	}
	return dialectOf(version, c.text("dialect"))
}

// reservesKeys tells the spellings of v1.0 in which keys with an @ are the protocol's.
func reservesKeys(d a2ui.Dialect) bool { return d == a2ui.V10 || d == a2ui.V10Oct }

func dialectOf(version, dialect string) (a2ui.Dialect, error) {
	switch version {
	case "v0.8":
		return a2ui.V08, nil
	case "v0.9", "v0.9.1":
		return a2ui.V091, nil
	case "v1.0":
		switch dialect {
		case "v1.0-rc":
			return a2ui.V10RC, nil
		case "v1.0":
			return a2ui.V10, nil
		case "":
			return a2ui.V10Oct, nil
		}
	}
	return 0, fmt.Errorf("the harness does not know the version %q (dialect %q)", version, dialect)
}

// messageVersion is the version of the first message, for cases that name none.
// Without one it is v0.8 by its key, v1.0 by the dialect of the case, or v0.9.
func (c *testCase) messageVersion() string {
	first := map[string]json.RawMessage{}
	raw := field(c.Raw, "messages", "payload")
	if raw == nil {
		var steps []map[string]json.RawMessage
		if _ = json.Unmarshal(c.get("steps"), &steps); len(steps) > 0 {
			raw = field(steps[0], "messages", "payload")
		}
	}
	if list, err := split(raw); err == nil && len(list) > 0 {
		_ = json.Unmarshal(list[0], &first)
	}
	var version string
	if _ = json.Unmarshal(first["version"], &version); version == "v0.8" || version == "v0.9.1" || version == "v1.0" ||
		version == "1.0" {
		return withV(version)
	}
	for _, key := range []string{"beginRendering", "surfaceUpdate", "dataModelUpdate", "deleteSurface"} {
		if first["version"] == nil && first[key] != nil {
			return "v0.8"
		}
	}
	if first["version"] == nil && c.text("dialect") != "" {
		return "v1.0"
	}
	return "v0.9"
}

// split returns the messages of one message, a list, or {"messages": […]}.
func split(raw json.RawMessage) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '[' {
		return list, json.Unmarshal(raw, &list)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	if inner, ok := object["messages"]; ok && len(object) == 1 {
		return split(inner)
	}
	return []json.RawMessage{raw}, nil
}

// movedCatalog is where the newest cases have the basic catalog of v1.0.
const movedCatalog = "catalogs/basic/v1/catalog.json"

// path finds a file that a case names: below the folder of the cases, or of the
// specification (../spec/…, A2UI_SPEC_DIR).
func (c *testCase) path(name string) string {
	if _, err := os.Stat(filepath.Join(c.Dir, movedCatalog)); err != nil && name == movedCatalog {
		name = "../spec/v1_0/catalogs/basic/catalog.json"
	}
	if rest, ok := strings.CutPrefix(name, "../spec/"); ok {
		return filepath.Join(specDir(), filepath.FromSlash(rest))
	}
	path := filepath.Join(c.Dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil && strings.HasPrefix(name, "test_data/") {
		return filepath.Join(sharedConformance, filepath.FromSlash(name))
	}
	return path
}

// root is the folder from which patterns of files lead on: that of the case, or
// the one beside the checkout for a folder that has suites alone.
func (c *testCase) root() string {
	if _, err := os.Stat(filepath.Join(c.Dir, "test_data")); err != nil {
		return sharedConformance
	}
	return c.Dir
}

func specDir() string {
	if dir := os.Getenv("A2UI_SPEC_DIR"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "..", "shared", "spec")
}

// decodeStrict reads JSON into a struct that must know every member.
func decodeStrict(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
