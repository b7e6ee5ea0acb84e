package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/web"
)

// mostBytes is the largest program that is released.
const mostBytes = 46_000_000

// release is what one run makes.
type release struct {
	root      string // of the sources
	out       string // does not exist, or is replaced
	version   string // such as v0.1.0
	commit    string
	date      time.Time // of the commit; of every file in the archives
	platforms []string  // such as linux/amd64
	page      bool      // the official renderers are in the page
	env       []string  // of the go command, which wins over that of environment
	log       io.Writer

	licences licences
}

func main() {
	r := release{root: ".", log: os.Stderr}
	var platforms string
	var date int64
	flag.StringVar(&r.version, "version", "", "the version, such as v0.1.0")
	flag.StringVar(&r.commit, "commit", "", "the commit that is released")
	flag.Int64Var(&date, "date", 0, "when it was made, in seconds since 1970")
	flag.StringVar(&platforms, "platforms",
		"linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64", "what to build for")
	flag.StringVar(&r.out, "out", "", "the folder to write, which is replaced")
	flag.Parse()
	r.date, r.platforms = time.Unix(date, 0).UTC(), strings.Split(platforms, ",")
	_, r.page = web.Bundles()
	err := errors.New("the pages of the official renderers are not built: run 'make web', which needs Node.js")
	if r.page {
		err = r.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run writes the whole release, or nothing.
func (r *release) run() (err error) {
	if !regexp.MustCompile(`^v[0-9][0-9A-Za-z.-]*$`).MatchString(r.version) {
		return fmt.Errorf("%q is no version: give one such as v0.1.0 in VERSION", r.version)
	}
	notes, err := r.notes()
	if err != nil {
		return err
	}
	dir := r.out + ".part"
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := r.files(dir, notes); err != nil {
		return err
	}
	if err := sums(dir); err != nil {
		return err
	}
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.Rename(dir, r.out); err != nil {
		return err
	}
	r.say("all is in %s", r.out)
	return nil
}

func (r *release) say(format string, args ...any) { fmt.Fprintf(r.log, format+"\n", args...) }

// files writes all but the sums.
func (r *release) files(dir string, notes []byte) error {
	unit, err := r.block("docs/howto/systemd.md", "ini")
	if err != nil {
		return err
	}
	container, err := r.block("docs/howto/container.md", "dockerfile")
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return err
	}
	r.say("collecting licences")
	packages, err := r.bundled()
	if err != nil {
		return err
	}
	if r.licences, err = r.collect(packages); err != nil {
		return err
	}
	third := r.licences.text()
	for i, platform := range r.platforms {
		start := time.Now()
		r.say("[%d/%d] building for %s", i+1, len(r.platforms), platform)
		p := product{name: "limn_" + strings.TrimPrefix(r.version, "v") + "_" + strings.ReplaceAll(platform, "/", "_"),
			licence: licence, third: third, unit: unit}
		p.os, p.arch, _ = strings.Cut(platform, "/")
		if p.program, err = r.build(dir, p.os, p.arch); err != nil {
			return err
		}
		if p.sbom, err = r.sbom(p, packages); err != nil {
			return err
		}
		if err := r.write(dir, p); err != nil {
			return err
		}
		r.say("      %.1f MB, %.0f s", float64(len(p.program))/1e6, time.Since(start).Seconds())
	}
	for name, data := range map[string][]byte{"limn.service": unit, "Dockerfile": container, "LICENSE": licence,
		"THIRD_PARTY_LICENSES.txt": third, "RELEASE_NOTES.md": notes} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// product holds the files of one platform.
type product struct {
	name, os, arch                      string
	program, sbom, licence, third, unit []byte
}

// write writes the files of one platform.
func (r *release) write(dir string, p product) error {
	program := "limn"
	if p.os == "windows" {
		program = "limn.exe"
	}
	packed, err := r.pack([]entry{{program, 0o755, p.program}, {"LICENSE", 0o644, p.licence},
		{"THIRD_PARTY_LICENSES.txt", 0o644, p.third}, {"sbom.cdx.json", 0o644, p.sbom}})
	if err != nil {
		return err
	}
	out := map[string][]byte{p.name + ".tar.gz": packed, p.name + ".cdx.json": p.sbom}
	if p.os == "linux" {
		deb, err := r.deb(p)
		if err != nil {
			return err
		}
		out[strings.Replace(p.name, "_linux_", "_", 1)+".deb"] = deb
	}
	for name, data := range out {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// environment makes a build depend on nothing but the sources and the version of Go.
func (r *release) environment(goos, goarch string) []string {
	return slices.Concat(os.Environ(), []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0",
		"GOFLAGS=-trimpath", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT="}, r.env)
}

func (r *release) build(dir, goos, goarch string) ([]byte, error) {
	file := filepath.Join(dir, "program")
	defer os.Remove(file)
	flags := "-s -w -buildid= -X main.releaseVersion=" + r.version + " -X main.releaseCommit=" + r.commit +
		" -X main.releaseDate=" + r.date.Format(time.RFC3339)
	_, err := r.output(r.environment(goos, goarch), "go", "build", "-buildvcs=false", "-ldflags", flags,
		"-o", file, "./cmd/limn")
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(file)
	if err == nil && len(program) > mostBytes {
		err = fmt.Errorf("the program for %s/%s has %d bytes, and at most %d are released: "+
			"see what grew with 'go tool nm -size -sort size', or raise mostBytes in internal/release", goos, goarch,
			len(program), mostBytes)
	}
	return program, err
}

// output runs a command in the sources and returns its output.
func (r *release) output(env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.root, env
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, args[0], err, said.Bytes())
	}
	return out, nil
}

// block is the first block of a kind in a document, where people read it: there is no
// second copy that could differ.
func (r *release) block(doc, kind string) ([]byte, error) {
	page, err := os.ReadFile(filepath.Join(r.root, doc))
	if err != nil {
		return nil, err
	}
	_, rest, _ := bytes.Cut(page, []byte("\n```"+kind+"\n"))
	text, _, found := bytes.Cut(rest, []byte("```\n"))
	if !found {
		return nil, fmt.Errorf("%s has no block of kind %s: write there what is to be released", doc, kind)
	}
	return text, nil
}

// notes is the section of the version in CHANGELOG.md; versions with a "-" have that of
// the changes since the last release.
func (r *release) notes() ([]byte, error) {
	page, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	heading := r.version
	if strings.Contains(r.version, "-") {
		heading = "Unreleased"
	}
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		if !regexp.MustCompile(`^` + regexp.QuoteMeta(heading) + `\b`).MatchString(section) {
			continue
		}
		if !strings.Contains(section, "\n**Upgrading.**") {
			return nil, fmt.Errorf("the section %s of CHANGELOG.md does not say how to upgrade: "+
				"add a paragraph that starts with **Upgrading.**", heading)
		}
		_, text, _ := strings.Cut(section, "\n")
		return []byte("# Limn " + r.version + "\n" + strings.TrimRight(text, "\n") + "\n"), nil
	}
	return nil, fmt.Errorf("CHANGELOG.md has no section %s: add one that says what is new", heading)
}

// sums writes SHA256SUMS, as sha256sum -c reads it.
func sums(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var lines []string
	for _, f := range list {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), f.Name()))
	}
	slices.Sort(lines)
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
