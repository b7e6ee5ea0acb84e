package directive_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

var update = flag.Bool("update", false, "write the outcomes of testdata/broken anew, except wrong acceptances")

// office is the app that the answers of testdata/broken were given to.
func office(t testing.TB) *directive.Registry {
	t.Helper()
	r, err := directive.Preset(directive.PresetConfig{
		Forms:  []string{"customer", "order", "incident", "patient", "booking", "job_application"},
		Tables: []string{"risks", "stakeholders", "expenses"}, Maps: []string{"onboarding", "approval"}, Views: []string{"overview", "dashboard"},
		Extra: []directive.Def{{Type: "crm.assign", Description: "Give the case to somebody.", Params: []directive.Param{
			{Name: "who", Kind: directive.String, Required: true}, {Name: "priority", Kind: directive.Integer}, {Name: "urgent", Kind: directive.Boolean}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// outcome is what an answer comes to. Directives are written as "type payload",
// codes without DIRECTIVE_, each once. ask: a run asks whether it was meant, and
// carries nothing out.
type outcome struct {
	text       string
	directives []string
	codes      string
	refuse     string
	ask        string // "yes" or ""
}

func read(reg *directive.Registry, in string) outcome {
	env, err := reg.Read(in)
	o := outcome{text: env.Text, refuse: strings.TrimPrefix(string(ui.CodeOf(err)), "DIRECTIVE_")}
	for _, d := range env.Directives {
		o.directives = append(o.directives, d.Type+" "+string(jsonx.Append(nil, d.Payload)))
	}
	var codes []string
	for _, w := range env.Warnings {
		if c := strings.TrimPrefix(string(w.Code), "DIRECTIVE_"); !slices.Contains(codes, c) {
			codes = append(codes, c)
		}
	}
	o.codes = strings.Join(codes, " ")
	if o.refuse == "UNSURE" {
		o.refuse, o.ask = "", "yes"
	}
	if env.Undeclared() != nil {
		o.directives, o.ask = nil, "yes"
	}
	return o
}

// wrong reports the two faults nobody may make: to run what was not asked for,
// and to show what should be refused.
func (o outcome) wrong(want outcome) bool {
	return len(o.directives) > 0 && !slices.Equal(o.directives, want.directives) ||
		o.refuse == "" && o.ask == "" && (want.refuse != "" || want.ask != "")
}

var mark = regexp.MustCompile(`(?s)⟦(?:x([0-9A-F]{2})|([0-9A-F]{2,5})|(\d+)\*(.*?))⟧`)

// expand writes out the marks of the corpus: ⟦FEFF⟧ is a rune, ⟦xE9⟧ a byte,
// ⟦300*ab⟧ a text 300 times.
func expand(s string) string {
	return mark.ReplaceAllStringFunc(s, func(m string) string {
		sub := mark.FindStringSubmatch(m)
		switch {
		case sub[1] != "":
			b, _ := strconv.ParseUint(sub[1], 16, 8)
			return string([]byte{byte(b)})
		case sub[2] != "":
			r, _ := strconv.ParseUint(sub[2], 16, 32)
			return string(rune(r))
		}
		n, _ := strconv.Atoi(sub[3])
		return strings.Repeat(sub[4], n)
	})
}

func expected(t *testing.T, section string) outcome {
	var o outcome
	for _, line := range strings.Split(strings.TrimSpace(section), "\n") {
		key, val, _ := strings.Cut(line, ": ")
		switch key {
		case "text":
			o.text = expand(strings.ReplaceAll(val, `\n`, "\n"))
		case "do":
			n := 1
			if m := mark.FindStringSubmatch(val); m != nil && m[3] != "" {
				n, _ = strconv.Atoi(m[3])
				val = m[4]
			}
			for range n {
				o.directives = append(o.directives, expand(val))
			}
		case "codes":
			o.codes = val
		case "refuse":
			o.refuse = val
		case "ask":
			o.ask = val
		case "shown": // the answer only speaks of an envelope
		default:
			t.Fatalf("line %q", line)
		}
	}
	return o
}

// Every answer of testdata/broken is read, or refused, as it says there.
func TestBrokenAnswers(t *testing.T) {
	t.Parallel()
	reg := office(t)
	paths, err := filepath.Glob("../../testdata/broken/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no corpus", err)
	}
	var table strings.Builder
	all, wrong, taken, asked, refused := 0, 0, 0, 0, 0
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil || len(archive.Files)%2 != 0 {
			t.Fatalf("%s: %d sections, %v", path, len(archive.Files), err)
		}
		good, cases := 0, len(archive.Files)/2
		for i := 0; i < len(archive.Files); i += 2 {
			name, section := archive.Files[i].Name, &archive.Files[i+1]
			if section.Name != "want" {
				t.Fatalf("%s: %s after %s", path, section.Name, name)
			}
			want := expected(t, string(section.Data))
			got := read(reg, expand(strings.TrimSuffix(string(archive.Files[i].Data), "\n")))
			if *update && fmt.Sprint(got) != fmt.Sprint(want) && !got.wrong(want) {
				section.Data = rewritten(section.Data, got)
				want = expected(t, string(section.Data))
			}
			switch {
			case got.refuse != "":
				refused++
			case got.ask != "":
				asked++
			default:
				taken++
			}
			if strings.Contains(string(section.Data), "shown: ") && len(got.directives) > 0 {
				wrong++
				t.Errorf("RUN THOUGH ONLY SHOWN: %s: %s", filepath.Base(path), name)
			}
			if fmt.Sprint(got) == fmt.Sprint(want) {
				good++
				continue
			}
			if got.wrong(want) {
				wrong++
				t.Errorf("WRONGLY TAKEN: %s: %s", filepath.Base(path), name)
			}
			t.Errorf("%s: %s:\n got %.600q\nwant %.600q", filepath.Base(path), name, got, want)
		}
		all += cases
		fmt.Fprintf(&table, "%-12s %3d of %3d\n", strings.TrimSuffix(filepath.Base(path), ".txtar"), good, cases)
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("\n%s%d answers: %d taken, %d asked about, %d refused, %d wrongly taken", table.String(), all, taken, asked,
		refused, wrong)
	if all < 400 {
		t.Errorf("%d answers", all)
	}
}

// rewritten is a section that expects what was got.
func rewritten(section []byte, got outcome) []byte {
	var lines []string
	add := func(key, val string) {
		if val != "" {
			lines = append(lines, key+": "+strings.ReplaceAll(val, "\n", `\n`))
		}
	}
	add("text", got.text)
	for _, d := range got.directives {
		add("do", d)
	}
	for _, line := range strings.Split(string(section), "\n") {
		if strings.HasPrefix(line, "shown: ") {
			lines = append(lines, line)
		}
	}
	add("refuse", got.refuse)
	add("codes", got.codes)
	add("ask", got.ask)
	return []byte(strings.Join(lines, "\n") + "\n")
}

const full = `{"assistant_text":"Two things: \"a\" {b} [c], d\\e.","directives":[{"type":"ui.show_form","payload":{"name":"order","values":{"note":"say \"hi\" }]"}}},{"type":"ui.toast","payload":{"text":"Saved"}}]}`

// Of a part of an envelope nothing runs, however it is written and wherever it
// stands.
func TestNothingOfAPartRuns(t *testing.T) {
	t.Parallel()
	reg := office(t)
	single := strings.NewReplacer(`\"`, `"`, `"`, `'`).Replace(strings.ReplaceAll(full, `\"`, ""))
	for _, whole := range []string{full, single, strings.ReplaceAll(full, ",", ",\n  "),
		strings.NewReplacer(`"`, `&quot;`).Replace(strings.ReplaceAll(full, `\"`, "")),
		"<tool_call>" + full + "</tool_call>", "```json\n" + full + "\n```", strings.ReplaceAll(full, `"`, `\"`)} {
		end := strings.LastIndexByte(whole, '}')
		for _, before := range []string{"", "Sure. ", "```json\n", "<think>x</think>", "[", "\""} {
			for i := range end {
				if env, _ := reg.Read(before + whole[:i]); len(env.Directives) > 0 {
					t.Fatalf("%q runs %v", before+whole[:i], env.Directives)
				}
			}
		}
		for i := 1; i < strings.IndexByte(whole, '{'); i++ {
			if env, _ := reg.Read(whole[i:]); len(env.Directives) != 0 && len(env.Directives) != 2 {
				t.Fatalf("%q runs %v", whole[i:], env.Directives)
			}
		}
	}
	for i := strings.IndexByte(full, '{') + 1; i < len(full); i++ {
		if env, _ := reg.Read(full[i:]); len(env.Directives) > 0 {
			t.Fatalf("%q runs %v", full[i:], env.Directives)
		}
	}
}

// An envelope in any prose is that envelope, or refused; never another one.
func TestProseInventsNothing(t *testing.T) {
	t.Parallel()
	reg := office(t)
	whole := read(reg, full)
	if len(whole.directives) == 0 {
		t.Fatal("the envelope alone is not found")
	}
	words := rapid.SampledFrom([]string{"Sure", " ", "\n", "\n\n", ".", ":", "{", "}", "[", "]", `"`, "'", "“", "```",
		"```json\n", "Ja, gern", "承知しました", "تم", "{name}", `{"a":1}`, "<b>", "</think>", "<think>",
		"<|im_end|>", "//", "/*", "#", "\\", "&quot;", "json", "ui.toast", `"type":`, "e.g.", "assistant",
		"<tool_call>", "</tool_call>", "[TOOL_CALLS]", "User:", "1,", "null"})
	prose := rapid.SliceOfN(words, 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(prose.Draw(t, "before"), "") + "\n" + full + "\n" + strings.Join(prose.Draw(t, "after"), "")
		got := read(reg, in)
		if len(got.directives) > 0 && !slices.Equal(got.directives, whole.directives) ||
			got.refuse == "" && len(got.directives) > 0 && got.text != whole.text {
			t.Fatalf("%q reads as %q", in, got)
		}
		if got.refuse != "" && len(got.directives) > 0 {
			t.Fatalf("%q is refused and runs", in)
		}
	})
}

// Words of any script around an envelope, or in it as a comment, keep it from
// running: before, behind, as the name of a fence, or as a tag.
func TestWordsAroundAnEnvelopeKeepItFromRunning(t *testing.T) {
	t.Parallel()
	reg := office(t)
	places := []string{"%s\n" + full, full + "\n%s", "%s " + full, full + " %s", "> %s\n> " + full,
		"```%s\n" + full + "\n```",
		"%s\n```json\n" + full + "\n```", "```\n" + full + "\n```\n%s", "<%s>" + full + "</%[1]s>", "<!-- %s -->" + full,
		"{/* %s */" + full[1:], "{// %s\n" + full[1:], "{# %s\n" + full[1:], full + "\n%s\n" + full, "# %s\n" + full, "1. %s\n" + full,
		"<|%s|>" + full, "[%s]" + full, `{"%s":true,` + full[1:], `{"%s":` + full + "}",
		"```json\n%s\n" + full + "\n```"}
	script := rapid.SampledFrom([]*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian,
		unicode.Hebrew,
		unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Thai, unicode.Georgian, unicode.Hangul, unicode.Ethiopic,
		unicode.Khmer, unicode.Hiragana, unicode.Han})
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringOfN(rapid.RuneFrom(nil, script.Draw(t, "script")), 3, 12, -1).Draw(t, "words")
		if !strings.ContainsFunc(words, unicode.IsLetter) {
			t.Skip("no word")
		}
		in := fmt.Sprintf(rapid.SampledFrom(places).Draw(t, "place"), words)
		if got := read(reg, in); len(got.directives) > 0 {
			t.Fatalf("%q runs %v", in, got.directives)
		}
	})
}

// What is wrong with the form of an envelope, and only with it, costs no
// question: fences, thoughts, quotes, commas and bare keys.
func TestPlainBrokenJSONIsRead(t *testing.T) {
	t.Parallel()
	reg := office(t)
	texts := rapid.SampledFrom([]string{"Here is the form.", "Es geht los, bitte.", "C'est prêt !", "どうぞ。",
		"a {b} [c], d: e", "", "Ok"})
	bodies := rapid.SampledFrom([]string{`{"type":"ui.show_form","payload":{"name":"order"}}`,
		`{"type":"ui.toast","payload":{"text":"Saved"}}`,
		`{"type":"ui.show_form","payload":{"name":"order","values":{"qty":2,"item":"tea"}}},{"type":"ui.toast","payload":{"text":"Ok"}}`,
		`{"type":"ui.show_table","payload":{"name":"risks","rows":[{"id":"a","risk":"fire"},{"id":"b","risk":"water"}]}}`})
	bare := regexp.MustCompile(`"([a-z_]+)":`)
	breaks := map[string]func(t *rapid.T, s string) string{
		"fences": func(t *rapid.T, s string) string {
			return fmt.Sprintf(rapid.SampledFrom([]string{"```json\n%s\n```", "```\n%s\n```", "~~~json\n%s\n~~~", "```JSON\n%s\n```\n", "```json %s```",
				" \n```json\r\n%s\r\n```", "```json\n%s", "%s\n```", "````json\n%s\n````"}).Draw(t, "fence"), s)
		},
		"thoughts": func(t *rapid.T, s string) string {
			return fmt.Sprintf(rapid.SampledFrom([]string{"<think>%s</think>\n", "<thinking>\n%s\n</thinking>\n\n", "<think>\n</think>%.0s", "[THINK]%s[/THINK]",
				"<reasoning>%s</reasoning>", "%s</think>\n", "<Thought>%s</Thought>"}).Draw(t, "thought"),
				rapid.SampledFrom([]string{"", "The user wants a form.", `maybe {"assistant_text":"x","directives":[]}`, "注文"}).Draw(t, "words")) + s
		},
		"quotes": func(t *rapid.T, s string) string {
			q := rapid.SampledFrom([][2]string{{"'", "'"}, {"“", "”"}, {"`", "`"}, {"„", "“"}, {"«", "»"}}).Draw(t, "quotes")
			open := true
			return regexp.MustCompile(`"`).ReplaceAllStringFunc(strings.ReplaceAll(s, "'", "’"), func(string) string {
				open = !open
				return q[map[bool]int{false: 0, true: 1}[open]]
			})
		},
		"commas": func(t *rapid.T, s string) string {
			return rapid.SampledFrom([]func(string) string{
				func(s string) string { return s[:len(s)-1] + ",}" },
				func(s string) string { return s[:len(s)-2] + ",]}" },
				func(s string) string { return strings.ReplaceAll(s, "}}", ",}}") },
				func(s string) string { return strings.ReplaceAll(s, "},{", "} {") },
				func(s string) string { return strings.ReplaceAll(s, "},{", "}\n{") },
			}).Draw(t, "comma")(s)
		},
		"bare keys": func(_ *rapid.T, s string) string { return bare.ReplaceAllString(s, "$1: ") },
	}
	for _, kind := range []string{"fences", "thoughts", "quotes", "commas", "bare keys"} {
		n, ok, missed := 0, 0, ""
		rapid.Check(t, func(t *rapid.T) {
			plain := `{"assistant_text":` + strconv.Quote(texts.Draw(t, "text")) + `,"directives":[` +
				bodies.Draw(t, "directives") + `]}`
			want := read(reg, plain)
			in := breaks[kind](t, plain)
			if n++; slices.Equal(read(reg, in).directives, want.directives) {
				ok++
			} else {
				missed = in
			}
		})
		if t.Logf("%-10s %d of %d read without a question", kind, ok, n); ok*100 < n*95 {
			t.Fatalf("%s: such as %q", kind, missed)
		}
	}
}

// One changed byte never makes a directive that the envelope did not have.
func TestMutationsInventNothing(t *testing.T) {
	t.Parallel()
	reg := office(t)
	types := []string{"ui.show_form", "ui.toast"}
	bytes := "{}[]\":,'\\ \nx0"
	for i := range len(full) {
		for _, in := range []string{full[:i] + full[i+1:], full[:i] + full[i:i+1] + full[i:]} {
			checkMutation(t, reg, in, types)
		}
		for k := range len(bytes) {
			checkMutation(t, reg, full[:i]+bytes[k:k+1]+full[i+1:], types)
		}
	}
}

func checkMutation(t *testing.T, reg *directive.Registry, in string, types []string) {
	t.Helper()
	env, err := reg.Read(in)
	if len(env.Directives) > 2 || err != nil && len(env.Directives) > 0 {
		t.Fatalf("%q runs %v, %v", in, env.Directives, err)
	}
	for i, d := range env.Directives {
		if !slices.Contains(types, d.Type) || i > 0 && d.Type == env.Directives[0].Type {
			t.Fatalf("%q runs %v", in, env.Directives)
		}
	}
}
