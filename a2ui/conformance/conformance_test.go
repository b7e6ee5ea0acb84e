package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// testCase is one case of a suite: its members as they stand in the file.
type testCase struct {
	Dir   string // folder of the conformance data, for the paths in the case
	Suite string // file below it, such as "core/actions"
	Name  string
	Raw   map[string]json.RawMessage
}

// get returns the first of the named members that is there, or nil; cases write
// the same member as expectError and expect_error.
func (c *testCase) get(names ...string) json.RawMessage {
	for _, n := range names {
		if v, ok := c.Raw[n]; ok {
			return v
		}
	}
	return nil
}

// text returns a member that is a string, or "".
func (c *testCase) text(names ...string) string {
	var s string
	_ = json.Unmarshal(c.get(names...), &s)
	return s
}

// file reads a path of the case, such as test_data/node/action.json.
func (c *testCase) file(path string) ([]byte, error) {
	return os.ReadFile(filepath.Join(c.Dir, filepath.FromSlash(path)))
}

// runner tests one case: nil = passed.
type runner func(c *testCase) error

// runners are by action, and by "suite:action" where a suite means something of
// its own. Each theme's file adds its own in init.
var runners = map[string]runner{}

func register(action string, r runner) {
	if runners[action] != nil {
		panic("two runners for " + action)
	}
	runners[action] = r
}

// strict makes a failed case fail the test. TODO: true once every suite passes.
const strict = false

var errNoRunner = errors.New("no runner for this action")

func (c *testCase) run() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	action := c.text("action")
	r := runners[c.Suite+":"+action]
	if r == nil {
		r = runners[action]
	}
	if r == nil {
		return fmt.Errorf("%w %q", errNoRunner, action)
	}
	return r(c)
}

func conformanceDir() string {
	if dir := os.Getenv("A2UI_CONFORMANCE_DIR"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "shared", "conformance")
}

func TestConformance(t *testing.T) {
	dir := conformanceDir()
	suites := map[string][]*testCase{}
	for _, part := range []string{"core", "agent", "extensions"} {
		_ = filepath.WalkDir(filepath.Join(dir, part), func(path string, d os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".json") {
				name := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))), ".json")
				if cases := load(t, dir, name, path); cases != nil {
					suites[name] = cases
				}
			}
			return nil
		})
	}
	if len(suites) == 0 {
		t.Skipf("no conformance data in %s: set A2UI_CONFORMANCE_DIR", dir)
	}
	names := make([]string, 0, len(suites))
	for name := range suites {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			passed, failed, optional := 0, 0, 0
			for _, c := range suites[name] {
				err := c.run()
				isOptional := string(c.get("optional")) == "true"
				switch {
				case isOptional:
					optional++
					t.Logf("optional %s: %v", c.Name, err)
				case err == nil:
					passed++
					t.Logf("pass %s", c.Name)
				default:
					failed++
					report := t.Logf
					if strict {
						report = t.Errorf
					}
					report("fail %s: %v", c.Name, err)
				}
			}
			t.Logf("conformance: %d passed, %d failed, %d optional", passed, failed, optional)
		})
	}
}

func load(t *testing.T, dir, suite, path string) []*testCase {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(b, &list) != nil {
		return nil // not a list of cases
	}
	cases := make([]*testCase, len(list))
	for i, raw := range list {
		cases[i] = &testCase{Dir: dir, Suite: suite, Raw: raw}
		cases[i].Name = cases[i].text("name")
	}
	return cases
}
