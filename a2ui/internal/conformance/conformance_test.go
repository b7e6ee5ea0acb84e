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
	return os.ReadFile(c.path(path))
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

// conformanceDirs are the folders of cases that are run.
func conformanceDirs() []string {
	if dir := os.Getenv("A2UI_CONFORMANCE_DIR"); dir != "" {
		return []string{dir}
	}
	return []string{sharedConformance, newestConformance}
}

// The folders beside the checkout.
var (
	sharedConformance = filepath.Join("..", "..", "..", "..", "shared", "conformance")
	newestConformance = sharedConformance + "-2026-10"
)

// result is what became of one case.
type result struct {
	name string
	kind string // pass, fail, skip or optional
	note string // why
}

// count counts the results of a kind.
func count(list []result, kind string) (n int) {
	for _, r := range list {
		if r.kind == kind {
			n++
		}
	}
	return n
}

func TestConformance(t *testing.T) {
	for _, dir := range conformanceDirs() {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			suites := loadSuites(t, dir)
			for _, name := range sortedKeys(suites) {
				t.Run(name, func(t *testing.T) { report(t, runSuite(suites[name])) })
			}
		})
	}
}

// report prints a line a case, and the sums.
func report(t *testing.T, list []result) {
	t.Helper()
	for _, r := range list {
		switch r.kind {
		case "fail":
			t.Errorf("fail %s: %s", r.name, r.note)
		case "pass":
			t.Logf("pass %s", r.name)
		default:
			t.Logf("%s %s: %s", r.kind, r.name, r.note)
		}
	}
	line := fmt.Sprintf("conformance: %d passed, %d failed, %d optional", count(list, "pass"), count(list, "fail"),
		count(list, "optional"))
	if n := count(list, "skip"); n > 0 {
		line += fmt.Sprintf(", %d skipped", n)
	}
	t.Log(line)
}

// runSuite runs the cases of one suite. A case of the skip list must fail: else
// it has no business there.
func runSuite(cases []*testCase) []result {
	list := make([]result, len(cases))
	for i, c := range cases {
		err := c.run()
		why, skipped := skips[c.Suite+"/"+c.Name]
		r := result{name: c.Name, kind: "pass"}
		switch {
		case string(c.get("optional")) == "true":
			r.kind, r.note = "optional", "passes"
			if err != nil {
				r.note = err.Error()
			}
		case errors.Is(err, errNotSent):
			r.kind, r.note = "skip", err.Error()
		case skipped && err == nil:
			r.kind, r.note = "fail", "it passes: take it off the skip list"
		case skipped:
			r.kind, r.note = "skip", why
		case err != nil:
			r.kind, r.note = "fail", err.Error()
		}
		list[i] = r
	}
	return list
}

// loadSuites reads every list of cases below dir, or skips the test.
func loadSuites(t testing.TB, dir string) map[string][]*testCase {
	t.Helper()
	suites, err := readSuites(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(suites) == 0 {
		t.Skipf("no conformance data in %s: set A2UI_CONFORMANCE_DIR", dir)
	}
	return suites
}

// readSuites reads the suites below dir, by their names. In a folder of suites
// every file is one, besides pages for people: what nothing runs is an error.
func readSuites(dir string) (map[string][]*testCase, error) {
	suites := map[string][]*testCase{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if path == dir && errors.Is(err, os.ErrNotExist) {
			return filepath.SkipAll
		}
		if err != nil || d.IsDir() || filepath.Ext(path) == ".md" {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || isData(filepath.ToSlash(name)) {
			return err
		}
		name = strings.TrimSuffix(filepath.ToSlash(name), ".json")
		suites[name], err = load(dir, name, path)
		return err
	})
	return suites, err
}

// isData reports whether a file is what cases refer to or a schema of them.
func isData(name string) bool {
	folder, _, _ := strings.Cut(name, "/")
	return name == "conformance_schema.json" || folder == "test_data" || folder == "catalogs"
}

func sortedKeys[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func load(dir, suite, path string) ([]*testCase, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("%s is no list of cases: nothing runs it: %w", path, err)
	}
	cases := make([]*testCase, len(list))
	for i, raw := range list {
		cases[i] = &testCase{Dir: dir, Suite: suite, Raw: raw}
		cases[i].Name = cases[i].text("name")
	}
	return cases, nil
}
