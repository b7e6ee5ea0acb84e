package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/inspect"
)

// The playground has the applications of limn new, which can be loaded, and the files of a
// folder by their folders.
func TestStories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.json"), "[]")
	write(t, filepath.Join(dir, "b.yaml"), "name: b")
	write(t, filepath.Join(dir, "c.txt"), "no story")
	write(t, filepath.Join(dir, "large.json"), strings.Repeat(" ", inspect.MaxSource+1))
	i, err := inspectFlags{Inspect: true, Examples: dir}.inspector("")
	if err != nil || !i.Local || i.Token != "" {
		t.Fatalf("%+v %v", i, err)
	}
	var names []string
	for _, s := range i.Stories {
		names = append(names, s.Group+"/"+s.Name+" "+s.Kind)
		if s.Group != "Applications" {
			continue
		}
		if _, err := app.Load(s.Name, []byte(s.Text), app.AnyHandler()); err != nil {
			t.Error(err)
		}
	}
	const want = "Applications/approval app, Applications/dashboard app, Applications/form app, Applications/process app, " +
		"Applications/table app, Examples/a.json a2ui, Examples/b.yaml app"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("stories %s, want %s", got, want)
	}
	write(t, filepath.Join(dir, "token"), " 0123456789abcdef\n")
	i, err = inspectFlags{InspectTokenFile: filepath.Join(dir, "token")}.inspector("https://desk.example")
	if err != nil || i.Local || i.Token != "0123456789abcdef" {
		t.Errorf("%+v %v", i, err)
	}
	if i, err = (inspectFlags{}).inspector(""); err != nil || i.Local || i.Token != "" || len(i.Stories) > 0 {
		t.Errorf("without flags %+v %v", i, err)
	}
}
