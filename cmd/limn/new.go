package main

import (
	"bytes"
	"crypto/rand"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"
	"text/template"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/ui"
)

// templates are applications to begin with: a file, or the files of a folder.
//
//go:embed templates
var templates embed.FS

// beginning is one template.
type beginning struct {
	name, is string
	next     []string // how to see it; none: it is a file, see limn dev
}

var beginnings = []beginning{
	{"form", "a form, and the list of what was saved with it", nil},
	{"table", "a table to fill in or to paste into", nil},
	{"process", "the steps of a process, and what follows from what", nil},
	{"approval", "requests that somebody decides on", nil},
	{"dashboard", "figures, a chart and a list that follow what is saved and published", nil},
	{"go", "a Go program with a form that a function answers", []string{"go mod tidy", "go run ."}},
	{"go-http", "a Go web server with pages of its own, and Limn below /assistant",
		[]string{"go mod tidy", "go run ."}},
	{"python", "an agent in Python that limn serve asks",
		[]string{"python3 agent.py", "limn dev app.yaml     (in a second terminal)"}},
	{"node", "an agent in Node.js that limn serve asks",
		[]string{"node agent.mjs", "limn dev app.yaml     (in a second terminal)"}},
}

// beginningNames lists the templates for help texts.
func beginningNames() string {
	var names []string
	for _, b := range beginnings {
		names = append(names, b.name)
	}
	return strings.Join(names, ",")
}

// newCommand is the command "limn new".
type newCommand struct {
	Name     string `arg:"" optional:"" help:"${new_name}"`
	Template string `default:"form" enum:"${beginnings}" help:"What it begins with: ${enum}."`
	List     bool   `help:"Say what each template is, and write nothing."`
	Force    bool   `help:"Replace files that are there."`
}

// Help is shown below the options.
func (newCommand) Help() string {
	return `Writes an application to begin with: NAME.yaml, or with the templates go, go-http, python and node a
folder NAME.

Examples:
  limn new shop
  limn new expenses --template approval && limn dev expenses.yaml
  limn new assistant --template python`
}

// Run writes the files.
func (c newCommand) Run(t term.Terminal) error {
	if c.List {
		for _, b := range beginnings {
			fmt.Fprintf(t.Out, "%-10s%s\n", b.name, b.is)
		}
		return nil
	}
	if c.Name == "" {
		return errors.New("what should it be called? Such as: limn new shop")
	}
	if !ui.ValidKey(c.Name) {
		return fmt.Errorf("the name %q: want a to z first, then a to z, 0 to 9, - or _, such as my-shop", c.Name)
	}
	for _, b := range beginnings {
		if b.name == c.Template && b.next == nil {
			return c.file(t)
		} else if b.name == c.Template {
			return c.folder(t, b)
		}
	}
	return fmt.Errorf("there is no template %q", c.Template) // the command line has been checked
}

func (c newCommand) file(t term.Terminal) error {
	file := c.Name + ".yaml"
	if err := c.write("templates/"+c.Template+".yaml", file, nil); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.Out, "%[1]s is written. To see it, and to change it while you look:\n\n  %[2]s dev %[1]s\n",
		file, called())
	return err
}

// fromFolder is called, in the folder that was written.
func (c newCommand) fromFolder() string {
	name := called()
	if name != "limn" && !filepath.IsAbs(name) {
		return filepath.Join("..", name)
	}
	return name
}

// called is how this program was called: it may not be on the PATH.
func called() string {
	if name := os.Args[0]; strings.ContainsRune(name, filepath.Separator) && !strings.ContainsAny(name, " '") {
		return name
	}
	return "limn"
}

func (c newCommand) folder(t term.Terminal, b beginning) error {
	if err := os.Mkdir(c.Name, 0o755); err != nil && !(c.Force && errors.Is(err, fs.ErrExist)) {
		return c.taken(c.Name, err)
	}
	files, err := templates.ReadDir("templates/" + b.name)
	if err != nil {
		return err
	}
	secret := make([]byte, 24)
	rand.Read(secret) // never fails
	source := limnSource(c.Name)
	more := map[string]string{"Secret": base64.StdEncoding.EncodeToString(secret), "Version": limnVersion(source),
		"Source": source, "Ending": map[string]string{"python": "py", "node": "mjs"}[b.name]}
	for _, f := range files {
		to := filepath.Join(c.Name, strings.TrimSuffix(f.Name(), ".tmpl"))
		if err := c.write(path.Join("templates", b.name, f.Name()), to, more); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(t.Out, "%s is written. To see it:\n\n  cd %[1]s\n  %s\n", c.Name, strings.ReplaceAll(
		strings.Join(b.next, "\n  "), "limn dev", c.fromFolder()+" dev"))
	return err
}

// write makes a file of a template.
func (c newCommand) write(from, to string, more map[string]string) error {
	page, err := filled(from, c.Name, more)
	if err != nil {
		return err
	}
	how := os.O_EXCL
	if c.Force {
		how = os.O_TRUNC
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|how, 0o644)
	if err != nil {
		return c.taken(to, err)
	}
	_, err = f.Write(page)
	return errors.Join(err, f.Close())
}

// filled is a template for an application of that name.
func filled(from, name string, more map[string]string) ([]byte, error) {
	page, err := template.ParseFS(templates, from)
	if err != nil {
		return nil, err
	}
	data := map[string]string{"Name": name, "Title": titleOf(name)}
	maps.Copy(data, more)
	var b bytes.Buffer
	err = page.Execute(&b, data)
	return b.Bytes(), err
}

func (newCommand) taken(what string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: choose another name, or replace it with --force", what)
	}
	return err
}

// titleOf is a name for people: My shop for my-shop.
func titleOf(name string) string {
	words := strings.NewReplacer("-", " ", "_", " ").Replace(name)
	return strings.ToUpper(words[:1]) + words[1:]
}

const limnModule = "github.com/limn-ui/limn"

// limnVersion is the version of Limn that a Go program requires: that of this program. ""
// leaves it to go mod tidy.
func limnVersion(source string) string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case source != "":
		return "v0.0.0"
	case ok && info.Main.Path == limnModule && strings.HasPrefix(info.Main.Version, "v") &&
		!strings.Contains(info.Main.Version, "+"): // of sources that were changed
		return info.Main.Version
	}
	return ""
}

// limnSource is where the sources of Limn are, as seen from the folder, if that is among
// them; "": a Go program takes the published module.
func limnSource(folder string) string {
	dir, err := filepath.Abs(folder)
	for up := ".."; err == nil && dir != filepath.Dir(dir); up += "/.." {
		dir = filepath.Dir(dir)
		text, _ := os.ReadFile(filepath.Join(dir, "go.mod"))
		if strings.HasPrefix(string(text), "module "+limnModule+"\n") {
			return up
		}
	}
	return ""
}
