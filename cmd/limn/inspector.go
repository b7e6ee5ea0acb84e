package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/inspect"
)

// inspectFlags say who may inspect conversations over HTTP.
type inspectFlags struct {
	Inspect          bool   `help:"${inspect_inspect}"`
	InspectTokenFile string `type:"path" placeholder:"FILE" help:"${inspect_token_file}"`
	Examples         string `type:"path" placeholder:"DIR" help:"${inspect_examples}"`
}

// leastToken is how many characters a token of the operator's has at least.
const leastToken = 16

// inspector returns the Inspector that the flags configure.
func (f inspectFlags) inspector(base string) (i limn.Inspector, err error) {
	i.Local = f.Inspect
	if f.InspectTokenFile != "" {
		b, err := os.ReadFile(f.InspectTokenFile)
		if err != nil {
			return i, fmt.Errorf("--inspect-token-file: %w", err)
		}
		if i.Token = strings.TrimSpace(string(b)); len(i.Token) < leastToken {
			return i, fmt.Errorf("--inspect-token-file: the token has %d characters; it needs %d",
				len(i.Token), leastToken)
		}
	}
	if f.Inspect && base != "" {
		return i, errors.New("--inspect with --base: behind a proxy on this machine everybody may look like this " +
			"machine; use --inspect-token-file instead")
	}
	if !f.Inspect && f.InspectTokenFile == "" {
		if f.Examples != "" {
			return i, errors.New("--examples goes with --inspect or --inspect-token-file")
		}
		return i, nil
	}
	if i.Stories, err = applications(); err != nil || f.Examples == "" {
		return i, err
	}
	more, err := examples(f.Examples)
	if err == nil && len(more) == 0 {
		err = errors.New("there is no .json, .jsonl, .yaml or .yml in it")
	}
	if err != nil {
		return i, fmt.Errorf("--examples %s: %w", f.Examples, err)
	}
	i.Stories = append(i.Stories, more...)
	return i, nil
}

// applications are the applications that limn new writes.
func applications() (list []limn.Story, err error) {
	entries, err := fs.Glob(templates, "templates/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range entries {
		title := strings.TrimSuffix(filepath.Base(name), ".yaml")
		text, err := filled(name, title, nil)
		if err != nil {
			return nil, err
		}
		list = append(list, limn.Story{Group: "Applications", Name: title,
			Source: inspect.Source{Kind: inspect.KindApp, Text: string(text)}})
	}
	return list, nil
}

// maxStories is how many files of a folder become stories.
const maxStories = 500

// examples are the files of a folder, such as the examples of the A2UI specification: A2UI
// in JSON, and applications in YAML.
func examples(dir string) (list []limn.Story, err error) {
	kinds := map[string]string{".json": inspect.KindA2UI, ".jsonl": inspect.KindA2UI, ".yaml": inspect.KindApp,
		".yml": inspect.KindApp}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		kind := kinds[filepath.Ext(path)]
		if err != nil || d.IsDir() || kind == "" || len(list) == maxStories {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > inspect.MaxSource {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		group, err := filepath.Rel(dir, filepath.Dir(path))
		if group == "." {
			group = "Examples"
		}
		list = append(list, limn.Story{Group: filepath.ToSlash(group), Name: filepath.Base(path),
			Source: inspect.Source{Kind: kind, Text: string(text)}})
		return err
	})
	return slices.Clip(list), err
}
