package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/limn-ui/limn/cmd/limn/term"
)

// What internal/release has the linker write. Other builds have what Go knows of them.
var releaseVersion, releaseCommit, releaseDate string

type versionCommand struct {
	JSON bool `name:"json" help:"Print it as one JSON object."`
}

// buildInfo says what this program was built from.
type buildInfo struct {
	Version  string `json:"version,omitempty"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // there were changes beside the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (c versionCommand) Run(t term.Terminal) error {
	b := thisBuild()
	if c.JSON {
		return json.NewEncoder(t.Out).Encode(b)
	}
	var of []string
	for _, s := range []string{b.Commit, b.Date} {
		if s != "" {
			of = append(of, s)
		}
	}
	if b.Modified {
		of = append(of, "with changes")
	}
	text := version() + "\n"
	if len(of) > 0 {
		text += "commit " + strings.Join(of, ", ") + "\n"
	}
	_, err := fmt.Fprintln(t.Out, text+b.Go, b.Platform)
	return err
}

// version names the program and its version.
func version() string { return "limn " + cmp.Or(thisBuild().Version, "(built from source)") }

func thisBuild() buildInfo {
	b := buildInfo{Version: releaseVersion, Commit: releaseCommit, Date: releaseDate, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok || b.Version != "" {
		return b
	}
	if info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
