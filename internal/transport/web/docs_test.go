package web_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/recovery"
)

var update = flag.Bool("update", false, "write the generated parts of docs/http.md")

const docsFile = "../../../docs/http.md"

// generated holds the part of docs/http.md between the comments of a name
// against what it should be, or writes it.
func generated(t *testing.T, name, want string) {
	t.Helper()
	doc, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(doc), "<!-- "+name+": ")
	opening, rest, ok2 := strings.Cut(rest, "-->\n")
	got, after, ok3 := strings.Cut(rest, "<!-- /"+name+" -->")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s has no part %q", docsFile, name)
	}
	if *update {
		text := before + "<!-- " + name + ": " + opening + "-->\n" + want + "<!-- /" + name + " -->" + after
		if err := os.WriteFile(docsFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s is old; run go test ./internal/transport/web -run TestDocs -update (-want +got):\n%s", docsFile,
			diff)
	}
}

// TestDocsCodes: the table lists every code there is, by its answer.
func TestDocsCodes(t *testing.T) {
	codes := map[string][]string{}
	for _, e := range recovery.Default().All() {
		mark := map[recovery.Action]string{recovery.Soft: "", recovery.SurfaceFail: " ✕", recovery.Reset: " ↻"}[e.Do]
		row := fmt.Sprintf("| %d%s | ", e.Status, mark)
		codes[row] = append(codes[row], "`"+string(e.Code)+"`")
	}
	var b strings.Builder
	b.WriteString("| status | codes |\n|---|---|\n")
	for _, row := range slices.Sorted(maps.Keys(codes)) {
		b.WriteString(row + strings.Join(codes[row], " ") + " |\n")
	}
	generated(t, "codes", b.String())
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// blocks are the fenced parts of docs/http.md of a kind, in order.
func blocks(t *testing.T, kind string) []string {
	t.Helper()
	doc, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rest := string(doc); ; {
		_, after, ok := strings.Cut(rest, "```"+kind+"\n")
		if !ok {
			return out
		}
		text, more, _ := strings.Cut(after, "```")
		out, rest = append(out, text), more
	}
}

// shell runs lines of the document against a server and returns what they print.
func shell(t *testing.T, lines string) string {
	t.Helper()
	for _, program := range []string{"sh", "curl", "sed", "head", "grep"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", lines)
	cmd.Env = append(os.Environ(), "BASE="+start(t).url, "no_proxy=*")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return uuid.ReplaceAllString(string(out), "ID")
}

// TestDocsQuickStart runs the lines of the quick start and compares what they
// print.
func TestDocsQuickStart(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(blocks(t, "text")[0], shell(t, blocks(t, "sh")[0])); diff != "" {
		t.Errorf("the quick start prints something else (-docs +got):\n%s", diff)
	}
}

// TestDocsPreferences runs the lines about preferences after the beginning of
// the quick start: each is answered with a receipt.
func TestDocsPreferences(t *testing.T) {
	t.Parallel()
	begin, _, _ := strings.Cut(blocks(t, "sh")[0], "# 2.")
	const want = `{"event":"ID","seq":1,"outcome":{"kind":"done"}}
{"id":"g1","event":"ID","seq":2,"outcome":{"kind":"done","path":"/guardrails/g1"}}
{"event":"ID","seq":3,"outcome":{"kind":"done","path":"/guardrails/g1"}}
{"event":"ID","seq":4,"outcome":{"kind":"done"}}
`
	if diff := cmp.Diff(want, shell(t, begin+blocks(t, "sh")[1])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDocsAddresses: every route of the API and the policy stand in the document.
func TestDocsAddresses(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *limn.Config) { c.Assets = bundles })
	for _, route := range bare(t).Routes() {
		want := "`" + route + "`"
		if strings.Contains(route, " /v1/") && !strings.Contains(string(doc), want) {
			t.Errorf("%s is missing", want)
		}
	}
	policy := s.visitor().do(http.MethodGet, "/healthz", "").Header.Get("Content-Security-Policy")
	if !strings.Contains(string(doc), "\nContent-Security-Policy: "+policy+"\n") {
		t.Errorf("the policy is %q", policy)
	}
}

// TestDocsSecurity: every test that docs/security.md leans on is there.
func TestDocsSecurity(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(source, -1) {
			there[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllSubmatch(doc, -1)
	for _, m := range named {
		if !there[string(m[1])] {
			t.Errorf("there is no %s", m[1])
		}
	}
	if len(named) < 50 {
		t.Errorf("%d tests are named: the walk over the document does not see them", len(named))
	}
}
