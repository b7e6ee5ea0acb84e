package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/template"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/ui"
)

// templates are applications to begin with.
//
//go:embed templates/*.yaml
var templates embed.FS

// newCommand is the command "limn new".
type newCommand struct {
	Name     string `arg:"" help:"The application: lower-case letters, digits, - and _. The file is NAME.yaml."`
	Template string `default:"form" enum:"form,table,process,approval" help:"What it begins with: ${enum}."`
	Force    bool   `help:"Replace the file if there is one."`
}

// Help is shown below the options.
func (newCommand) Help() string {
	return `Writes an application file to begin with.

Examples:
  limn new shop
  limn new expenses --template approval && limn dev expenses.yaml`
}

// Run writes the file.
func (c newCommand) Run(t term.Terminal) error {
	if !ui.ValidKey(c.Name) {
		return fmt.Errorf("the name %q: want a to z first, then a to z, 0 to 9, - or _, such as my-shop", c.Name)
	}
	page, err := template.ParseFS(templates, "templates/"+c.Template+".yaml")
	if err != nil {
		return err
	}
	file, how := c.Name+".yaml", os.O_EXCL
	if c.Force {
		how = os.O_TRUNC
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|how, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: choose another name, or replace it with --force", file)
	}
	if err != nil {
		return err
	}
	err = page.Execute(f, map[string]string{"Name": c.Name, "Title": titleOf(c.Name)})
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out, "%[1]s is written. To see it, and to change it while you look:\n\n  limn dev %[1]s\n",
		file)
	return err
}

// titleOf is a name for people: My shop for my-shop.
func titleOf(name string) string {
	words := strings.NewReplacer("-", " ", "_", " ").Replace(name)
	return strings.ToUpper(words[:1]) + words[1:]
}
