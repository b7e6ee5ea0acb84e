package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licences has the texts of each module or package, by its name and version.
type licences map[string][]byte

// licenceFile is the name of a file that says what one may do.
var licenceFile = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice|patents)([-._].*)?$`)

// npmPackage is one package of web/package-lock.json that the page has code of.
type npmPackage struct {
	Path      string `json:"-"` // such as node_modules/lit
	Version   string `json:"version"`
	Licence   string `json:"license"`
	Integrity string `json:"integrity"`
}

func (p npmPackage) name() string {
	return p.Path[strings.LastIndex(p.Path, "node_modules/")+len("node_modules/"):]
}

// bundled asks the bundler for the packages of the page.
func (r *release) bundled() ([]npmPackage, error) {
	if !r.page {
		return nil, nil
	}
	out, err := r.output(os.Environ(), "node", "web/build.mjs", "--packages")
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(r.root, "web/package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct{ Packages map[string]npmPackage }
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("read web/package-lock.json: %w", err)
	}
	var list []npmPackage
	for _, path := range strings.Fields(string(out)) {
		p, ok := lock.Packages[path]
		if !ok {
			return nil, fmt.Errorf("the page has code of %s, which web/package-lock.json lacks: "+
				"run 'npm install --prefix web' and commit the file", path)
		}
		p.Path = path
		list = append(list, p)
	}
	return list, nil
}

// collect reads the licences of all that any of the programs is linked from.
func (r *release) collect(npm []npmPackage) (licences, error) {
	goroot, err := r.output(os.Environ(), "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders := map[string]map[string]bool{"Go": {strings.TrimSpace(string(goroot)): true}}
	for _, p := range npm {
		folders[p.name()+" "+p.Version] = map[string]bool{filepath.Join(r.root, "web", p.Path): true}
	}
	for _, platform := range r.platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		out, err := r.output(r.environment(goos, goarch), "go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/limn")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			part := strings.Split(strings.TrimSpace(line), "\t")
			if len(part) != 3 || part[1] == "" {
				continue
			}
			if folders[part[0]] == nil {
				folders[part[0]] = map[string]bool{}
			}
			// A folder inside a module may have another licence.
			for dir := part[2]; strings.HasPrefix(dir, part[1]); dir = filepath.Dir(dir) {
				folders[part[0]][dir] = true
			}
		}
	}
	found := licences{}
	for name, dirs := range folders {
		for _, dir := range slices.Sorted(maps.Keys(dirs)) {
			text, err := texts(dir)
			if err != nil {
				return nil, err
			}
			found[name] = append(found[name], text...)
		}
		if len(found[name]) == 0 {
			return nil, fmt.Errorf("%s has no licence: ask its authors for one, or do without it", name)
		}
	}
	return found, nil
}

// texts are the licences in one folder.
func texts(dir string) ([]byte, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var text []byte
	for _, f := range list {
		if f.IsDir() || !licenceFile.MatchString(f.Name()) || filepath.Ext(f.Name()) == ".go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		text = append(append(append(text, "\n"...), bytes.TrimSpace(data)...), '\n')
	}
	return text, nil
}

// text is one file with all of them.
func (l licences) text() []byte {
	var b bytes.Buffer
	b.WriteString("Limn holds code of the following, under their licences.\n")
	for _, name := range slices.Sorted(maps.Keys(l)) {
		fmt.Fprintf(&b, "\n%s\n%s\n%s", strings.Repeat("=", 80), name, l[name])
	}
	return b.Bytes()
}
