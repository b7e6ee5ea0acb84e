package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/web"
)

// host is a release for one platform, with the page if it is built and the list of what
// it bundles can be had. It takes what other tests have compiled already; with
// LIMN_RELEASE=1 it compiles as releases do.
func host(t *testing.T, platform string) *release {
	t.Helper()
	r := &release{root: "../..", out: filepath.Join(t.TempDir(), "out"), version: "v0.1.2-3-gabc",
		commit: "0123456789ab", date: time.Unix(1_700_000_000, 0).UTC(), platforms: []string{platform}, log: t.Output()}
	if os.Getenv("LIMN_RELEASE") == "" {
		out, err := exec.Command("go", "env", "CGO_ENABLED", "GOFLAGS").Output()
		if err != nil {
			t.Fatal(err)
		}
		had := strings.Split(string(out), "\n")
		r.env = []string{"CGO_ENABLED=" + had[0], "GOFLAGS=" + had[1]}
	}
	_, built := web.Bundles()
	_, err := os.Stat("../../web/node_modules/esbuild")
	r.page = built && err == nil
	return r
}

// TestRelease makes a release for this machine and looks at every file of it.
func TestRelease(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("links and packs the program twice; without -short it runs")
	}
	r := host(t, runtime.GOOS+"/"+runtime.GOARCH)
	if err := r.run(); err != nil {
		t.Fatal(err)
	}
	name := "limn_0.1.2-3-gabc_" + runtime.GOOS + "_" + runtime.GOARCH
	packed := untar(t, read(t, r, name+".tar.gz"))
	starts(t, packed["limn"], r)
	checkSums(t, r)
	bill := parse(t, packed["sbom.cdx.json"])
	listsAll(t, bill, packed["limn"])
	npm := slices.ContainsFunc(bill.Components, func(c component) bool { return c.Name == "lit-html" })
	if npm != r.page {
		t.Errorf("lit-html is listed: %v, want %v", npm, r.page)
	}
	third := string(packed["THIRD_PARTY_LICENSES.txt"])
	for _, c := range bill.Components {
		name := c.Name + " " + c.Version
		if c.Name == "std" {
			name = "Go"
		}
		if _, text, found := strings.Cut(third, "\n"+name+"\n\n"); !found || len(text) < 300 {
			t.Errorf("no licence of %s", name)
		}
	}
	if runtime.GOOS == "linux" {
		unpackDeb(t, read(t, r, "limn_0.1.2-3-gabc_"+runtime.GOARCH+".deb"), packed)
	}

	again := *r
	again.out = filepath.Join(t.TempDir(), "again")
	if err := again.run(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, r, "SHA256SUMS"), read(t, &again, "SHA256SUMS")) {
		t.Error("two runs differ")
	}
}

// starts runs the program, which says what it was built from.
func starts(t *testing.T, program []byte, r *release) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "limn")
	if err := os.WriteFile(file, program, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(file, "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"version": r.version, "commit": r.commit, "date": "2023-11-14T22:13:20Z",
		"go": runtime.Version(), "platform": r.platforms[0]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// checkSums holds SHA256SUMS to all files but itself.
func checkSums(t *testing.T, r *release) {
	t.Helper()
	list, err := os.ReadDir(r.out)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(read(t, r, "SHA256SUMS"))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	for _, f := range list {
		if got := fmt.Sprintf("%x", sha256.Sum256(read(t, r, f.Name()))); f.Name() != "SHA256SUMS" && sums[f.Name()] != got {
			t.Errorf("%s has the sum %s, not %s", f.Name(), got, sums[f.Name()])
		}
	}
	if len(sums) != len(list)-1 || len(sums) < 7 {
		t.Errorf("%d sums of %d files", len(sums), len(list))
	}
}

// listsAll compares the SBOM with what `go version -m` prints.
func listsAll(t *testing.T, b bom, program []byte) {
	t.Helper()
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}
	for _, m := range info.Deps {
		want = append(want, "pkg:golang/"+m.Path+"@"+m.Version)
	}
	var got []string
	for _, c := range b.Components {
		if strings.HasPrefix(c.Purl, "pkg:golang/") {
			got = append(got, c.Purl)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func parse(t *testing.T, text []byte) bom {
	t.Helper()
	if err := checkBOM(text); err != nil {
		t.Error(err)
	}
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// unpackDeb reads a package as deb(5) says, and by dpkg-deb where there is one.
func unpackDeb(t *testing.T, deb []byte, packed map[string][]byte) {
	t.Helper()
	parts := map[string][]byte{}
	rest, ok := bytes.CutPrefix(deb, []byte("!<arch>\n"))
	for ok && len(rest) > 60 {
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || string(rest[58:60]) != "`\n" {
			t.Fatalf("header %q", rest[:60])
		}
		parts[strings.TrimSpace(string(rest[:16]))] = rest[60 : 60+size]
		rest = rest[min(len(rest), 60+size+size%2):]
	}
	control := untar(t, parts["control.tar.gz"])
	if string(parts["debian-binary"]) != "2.0\n" ||
		!strings.Contains(string(control["./control"]), "\nVersion: 0.1.2~3~gabc\nArchitecture: "+runtime.GOARCH+"\n") {
		t.Errorf("control: %s", control["./control"])
	}
	data := untar(t, parts["data.tar.gz"])
	if !bytes.Equal(data["./usr/bin/limn"], packed["limn"]) ||
		!strings.Contains(string(data["./usr/lib/systemd/system/limn.service"]), "\nExecStart=limn serve ") ||
		!bytes.Equal(data["./usr/share/doc/limn/THIRD_PARTY_LICENSES.txt"], packed["THIRD_PARTY_LICENSES.txt"]) {
		t.Error("the package lacks files")
	}
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Log("no dpkg-deb: the package is read by this test alone")
		return
	}
	file := filepath.Join(t.TempDir(), "limn.deb")
	if err := os.WriteFile(file, deb, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("dpkg-deb", "--extract", file, t.TempDir()).CombinedOutput(); err != nil {
		t.Errorf("dpkg-deb: %v\n%s", err, out)
	}
}

func read(t *testing.T, r *release, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.out, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func untar(t *testing.T, packed []byte) map[string][]byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = data
	}
}

// TestRefusals: what is not released, and what to do about it.
func TestRefusals(t *testing.T) {
	t.Parallel()
	r := host(t, "linux/amd64")
	r.root = t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r.root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want string) {
		t.Helper()
		if err := r.run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := os.Stat(r.out); err == nil {
			t.Error("a part is left")
		}
	}
	write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\nNew.\n\n## v0.1.0\n\n**Upgrading.** Restart.\n")
	refused("add a paragraph that starts with **Upgrading.**")
	r.version = "v0.2.0"
	refused("CHANGELOG.md has no section v0.2.0: add one")
	r.version = "new"
	refused("give one such as v0.1.0")
	r.version = "v0.1.0"
	notes, err := r.notes()
	if want := "# Limn v0.1.0\n\n**Upgrading.** Restart.\n"; err != nil || string(notes) != want {
		t.Errorf("%q, %v", notes, err)
	}

	r.platforms = nil
	if _, err := r.collect([]npmPackage{{Path: "node_modules/@a/b", Version: "1.0.0"}}); err == nil {
		t.Error("a package that is not there has a licence")
	}
	if err := os.MkdirAll(filepath.Join(r.root, "web/node_modules/@a/b"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = r.collect([]npmPackage{{Path: "node_modules/@a/b", Version: "1.0.0"}})
	if err == nil || !strings.Contains(err.Error(), "@a/b 1.0.0 has no licence: ask") {
		t.Error(err)
	}
}

// TestCheckBOM: each member that CycloneDX requires is missed.
func TestCheckBOM(t *testing.T) {
	t.Parallel()
	whole := `{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,` +
		`"serialNumber":"urn:uuid:01234567-89ab-8cde-8123-456789abcdef","metadata":{"timestamp":"2023-11-14T22:13:20Z",` +
		`"component":{"type":"application","bom-ref":"a","name":"a","version":"1","purl":"pkg:golang/a@1"}},` +
		`"components":[{"type":"library","bom-ref":"b","name":"b","version":"2","purl":"pkg:golang/b@2"}],` +
		`"dependencies":[{"ref":"a","dependsOn":["b"]}]}`
	if err := checkBOM([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{"CycloneDX", ""}, {`"1.6"`, `"1.7"`}, {"urn:uuid:", ""}, {`"version":1,`, ""},
		{"2023-11-14T", ""}, {`"library"`, `""`}, {`"bom-ref":"b"`, `"bom-ref":"a"`}, {`"version":"2"`, `"version":""`},
		{`["b"]`, `["c"]`}, {`"pkg:golang/b@2"`, `""`}, {`"name":"b"`, `"label":"b"`}} {
		broken := strings.Replace(whole, change[0], change[1], 1)
		if broken == whole || checkBOM([]byte(broken)) == nil {
			t.Errorf("with %s for %s it is taken", change[1], change[0])
		}
	}
}
