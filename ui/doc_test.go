package ui

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

var fenced = regexp.MustCompile("(?s)```json (ui\\.[A-Za-z]+)\n(.*?)\n```")

// TestDocument reads every block of docs/ui.md and writes it again.
func TestDocument(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../docs/ui.md")
	if err != nil {
		t.Fatal(err)
	}
	tags, nodes, ops := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, m := range fenced.FindAllStringSubmatch(string(doc), -1) {
		tag, body := m[1], []byte(m[2])
		tags[tag]++
		var v any
		switch tag {
		case "ui.State":
			v, err = DecodeState(body)
		case "ui.Frame":
			v, err = DecodeFrame(body)
		case "ui.Event":
			v, err = DecodeEvent(body)
		case "ui.Surface":
			v = &Surface{}
			err = strictJSON(body, v)
		case "ui.Value":
			v = &Value{}
			err = json.Unmarshal(body, v)
		case "ui.Ops":
			var list Ops
			err = json.Unmarshal(body, &list)
			for _, op := range list {
				ops[opTypes.name(op)] = true
			}
			v = list
		case "ui.Node":
			n, uerr := nodeTypes.unmarshal(body)
			if err = uerr; err == nil {
				nodes[nodeTypes.name(n)] = true
				v = Nodes{n.(Node)}
				body = []byte("[" + string(body) + "]")
			}
		default:
			t.Errorf("unknown tag %s", tag)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", tag, err, body)
			continue
		}
		want, _ := json.Marshal(json.RawMessage(body))
		if got, err := Encode(v); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is written as\n%s\nnot\n%s\n%v", tag, got, want, err)
		}
	}
	for _, tag := range []string{"ui.State", "ui.Surface", "ui.Value", "ui.Frame", "ui.Event"} {
		if tags[tag] == 0 {
			t.Errorf("no block %s", tag)
		}
	}
	for _, name := range nodeTypes.names {
		if !nodes[name] {
			t.Errorf("node %s is not documented: docs/ui.md needs a block \"json ui.Node\"", name)
		}
	}
	for _, name := range opTypes.names {
		if !ops[name] {
			t.Errorf("op %s is not documented", name)
		}
	}
}

// TestDocsTranslate: the program in docs/howto/translate.md is ExampleWords.
func TestDocsTranslate(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../docs/howto/translate.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(doc), "```go\n")
	program, _, _ = strings.Cut(program, "\n```")
	if !strings.Contains(strings.ReplaceAll(string(example), "\n\t", "\n"), "func ExampleWords() {\n"+program) {
		t.Error("the program in docs/howto/translate.md is not ExampleWords")
	}
}
