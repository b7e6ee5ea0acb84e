// Command cmd writes the documentation as a site into a folder; make site calls it in
// the project's root.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/limn-ui/limn/internal/docsite"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/docsite/cmd FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("open", filepath.Join(os.Args[1], "index.html"))
}

func write(folder string) error {
	files, err := docsite.Build(".")
	if err != nil {
		return err
	}
	for name, content := range files {
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
