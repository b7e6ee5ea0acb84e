package models_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/models"
	"github.com/limn-ui/limn/llm"
)

var probed = []string{"keys", "json_schema", "tools", "streaming"}

func TestPut(t *testing.T) {
	t.Parallel()
	e := llm.Entry{Provider: "localhost:8080", Model: "qwen3:8b",
		Capabilities: llm.Capabilities{Keys: []string{"max_tokens", "*"}, Tools: true}}
	const entry = "  - provider: localhost:8080\n    model: qwen3:8b\n    keys: [max_tokens, \"*\"]\n    json_schema: false\n    tools: true\n    streaming: false\n"
	for name, tt := range map[string]struct{ in, out string }{
		"no file":      {"", "models:\n" + entry},
		"comment only": {"# mine\n\nmodels: # all\n", "# mine\n\nmodels: # all\n" + entry},
		"no newline":   {"models:", "models:\n" + entry},
		"before others": {"models:\n  # first\n  - {provider: \"*\", model: \"*\"} # any\n# end",
			"models:\n" + entry + "  # first\n  - {provider: \"*\", model: \"*\"} # any\n# end"},
		"other indent": {"models:\n- provider: a\n  model: b\n", "models:\n" + strings.ReplaceAll("\n"+entry, "\n  ", "\n")[1:] + "- provider: a\n  model: b\n"},
		"over its values": {
			"models:\n  - provider: localhost:8080 # here\n    # keep this\n    model: 'qwen3:8b'\n    streaming: true   # seen\n    keys: # long\n      - temperature # one\n      - top_p\n    price: {in: 1, out: 2}\n    # below\n\n  # next\n  - {provider: a, model: b}\n",
			"models:\n  - provider: localhost:8080 # here\n    # keep this\n    model: 'qwen3:8b'\n    streaming: false # seen\n    keys: [max_tokens, \"*\"]\n    price: {in: 1, out: 2}\n    json_schema: false\n    tools: true\n    # below\n\n  # next\n  - {provider: a, model: b}\n"},
		"windows": {"models:\r\n  - provider: a\r\n    model: b\r\n", "models:\r\n" + strings.ReplaceAll(entry, "\n", "\r\n") + "  - provider: a\r\n    model: b\r\n"},
	} {
		out, err := models.Put("f", []byte(tt.in), e, probed)
		if err != nil || string(out) != tt.out {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, out, tt.out)
		}
		again, err := models.Put("f", out, e, probed)
		if err != nil || string(again) != string(out) {
			t.Errorf("%s, again: %v\n%s", name, err, again)
		}
	}
	// What has the value already stays as it is written.
	e.Price, e.Context = llm.Price{In: 1, Out: 2}, 32768
	const had = "models:\n  - provider: localhost:8080\n    model: qwen3:8b\n    keys: # two\n      - max_tokens # the limit\n      - '*'\n    price: {out: 2.0, in: 1}\n    context: 32_768\n    tools: "
	out, err := models.Put("f", []byte(had+"false\n"), e, []string{"keys", "tools", "context", "price"})
	if err != nil || string(out) != had+"true\n" {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = models.Put("f", nil, e, []string{"price"})
	if err != nil || !strings.Contains(string(out), "price: {in: 1, out: 2}") {
		t.Errorf("%v\n%s", err, out)
	}
	for name, in := range map[string]string{
		"in braces":   "models: [{provider: localhost:8080, model: \"qwen3:8b\"}]\n",
		"empty list":  "models: []\n",
		"a fault":     "models:\n  - provider: a\n",
		"line breaks": "models:\r  - provider: a\r    model: b\r",
	} {
		if out, err := models.Put("f", []byte(in), e, probed); err == nil {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// Whatever the file looks like, what is not of the entry stays byte for byte.
func TestPutLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		noise := rapid.SampledFrom([]string{"", "", "# é: a comment\n", "\n", "    # deep\n", "  \n"})
		b.WriteString(noise.Draw(t, "head") + "models:" +
			rapid.SampledFrom([]string{"\n", " # list\n"}).Draw(t, "list"))
		n := rapid.IntRange(0, 4).Draw(t, "entries")
		mine := rapid.IntRange(-1, n-1).Draw(t, "mine")
		var kept []string // entries that are not ours, and noise before them
		for i := range n {
			var one strings.Builder
			one.WriteString(noise.Draw(t, "before"))
			fmt.Fprintf(&one, "  - provider: p%d # é\n", i)
			one.WriteString(noise.Draw(t, "inside"))
			fmt.Fprintf(&one, "    model: m%d\n", i)
			for _, l := range []string{"    tools: true # é\n", "    keys:\n      - a\n\n      - b # x\n",
				"    keys: [a,\n      b] # y\n", "    price: {in: 1}\n", "    json_schema:   true\n"} {
				if rapid.Bool().Draw(t, "has") &&
					!(strings.Contains(l, "keys") && strings.Contains(one.String(), "keys")) {
					one.WriteString(l + noise.Draw(t, "after"))
				}
			}
			b.WriteString(one.String())
			if i != mine {
				kept = append(kept, one.String())
			}
		}
		in := b.String()
		if rapid.Bool().Draw(t, "no newline") {
			in = strings.TrimSuffix(in, "\n")
		}
		e := llm.Entry{Provider: fmt.Sprintf("p%d", mine), Model: fmt.Sprintf("m%d", mine),
			Capabilities: llm.Capabilities{
				Keys: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "true", "1", "c-d", "*"}), 0, 3,
					rapid.ID).Draw(t, "keys"), Streaming: true}}
		out, err := models.Put("f", []byte(in), e, probed)
		if err != nil {
			t.Fatalf("%v\n%s", err, in)
		}
		at := 0
		for _, k := range kept {
			k = strings.TrimRight(k, "\n")
			i := strings.Index(string(out)[at:], k)
			if i < 0 {
				t.Fatalf("lost\n%s\nin\n%s\nout\n%s", k, in, out)
			}
			at += i + len(k)
		}
		table, err := models.Load("f", out)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := table.Lookup(e.Model, e.Provider)
		if !ok || !got.Streaming || got.JSONSchema || got.Tools ||
			strings.Join(got.Keys, " ") != strings.Join(e.Keys, " ") {
			t.Fatalf("%+v\n%s", got, out)
		}
	})
}
