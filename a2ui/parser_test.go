package a2ui_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
	"pgregory.net/rapid"
)

// feed writes in in pieces of the sizes, the last one again and again, and closes.
func feed(o a2ui.ParserOptions, in []byte, sizes ...int) (parts []a2ui.Part, problems a2ui.Problems) {
	p := a2ui.NewParser(o)
	add := func(more []a2ui.Part, err error) {
		parts = append(parts, more...)
		if err != nil {
			problems = append(problems, err.(a2ui.Problems)...)
		}
	}
	for len(in) > 0 {
		n := min(len(in), sizes[0])
		add(p.Write(in[:n]))
		if in = in[n:]; len(sizes) > 1 {
			sizes = sizes[1:]
		}
	}
	add(p.Close())
	return parts, problems
}

// outcome is what parts come to, however they were cut: texts joined, pieces of a
// message put together, early forms replaced.
func outcome(parts []a2ui.Part, problems a2ui.Problems) string {
	var b strings.Builder
	text := ""
	flush := func() {
		if text != "" {
			fmt.Fprintf(&b, "text %q\n", text)
		}
		text = ""
	}
	var list []jsonx.Value // components of message last
	last, head := 0, ""
	end := func() {
		if last > 0 {
			fmt.Fprintf(&b, "%d %s %s\n", last, head, jsonx.Append(nil, jsonx.OfArray(list...)))
		}
		last, list, head = 0, nil, ""
	}
	for _, p := range parts {
		if p.Messages == nil {
			end()
			text += p.Text
			continue
		}
		flush()
		for _, m := range p.Messages {
			if m.Early {
				continue
			}
			v, err := jsonx.Parse(m.JSON, jsonx.Limits{})
			if err != nil {
				fmt.Fprintf(&b, "%d broken %s\n", m.Number, m.JSON)
				continue
			}
			pieces := v.At("updateComponents")
			if pieces.Kind != jsonx.Object {
				pieces = v.At("surfaceUpdate")
			}
			if items := pieces.At("components").Items; len(items) > 0 {
				if m.Number != last {
					end()
				}
				last, head = m.Number, pieces.At("surfaceId").Text()
				list = append(list, items...)
				continue
			}
			end()
			fmt.Fprintf(&b, "%d %s\n", m.Number, m.JSON)
		}
	}
	end()
	flush()
	for _, p := range problems {
		fmt.Fprintf(&b, "problem %s %d %s %s\n", p.Code, p.Line, p.Path, p.Message)
	}
	return b.String()
}

const (
	del     = `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`
	delT    = `{"version":"v0.9","deleteSurface":{"surfaceId":"t"}}`
	update  = `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[`
	rootTxt = `{"id":"root","component":"Text","text":"Hello"}`
)

// TestParseForms: the forms of A2UI in text, and what is none.
func TestParseForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"tags", "Hi.\n<a2ui-json>\n[" + del + "]\n</a2ui-json>\nBye.\n", "text \"Hi.\"\n1 " + del + "\ntext \"Bye.\"\n"},
		{"attributes", `<a2ui-json version="1>0" a='x'>` + del + "</a2ui-json >", "1 " + del + "\n"},
		{"two blocks", "<a2ui-json>" + del + "</a2ui-json> and <a2ui-json>[" + delT + "]</a2ui-json>", "1 " + del + "\ntext \"and\"\n2 " + delT + "\n"},
		{"a tag that closes by opening", "<a2ui-json>[" + del + "<a2ui-json>[" + delT + "]</a2ui-json>", "1 " + del + "\n2 " + delT + "\n"},
		{"fence", "Hi.\n```json\n[" + del + ",\n" + delT + "]\n```\nBye.", "text \"Hi.\"\n1 " + del + "\n2 " + delT + "\ntext \"Bye.\"\n"},
		{"fence in tags", "<a2ui-json>```json\n[" + del + "]\n```</a2ui-json>", "1 " + del + "\n"},
		{"tags in a fence", "Hi.\n```json\n<a2ui-json>[" + del + "]</a2ui-json>\n```\nBye.\n```\nx", "text \"Hi.\"\n1 " + del + "\ntext \"Bye.\\n```\\nx\"\n"},
		{"lines", "Hi.\n" + del + "\n" + delT + "\nBye.", "text \"Hi.\"\n1 " + del + "\n2 " + delT + "\ntext \"Bye.\"\n"},
		{"array", "[\n  " + del + ",\n  " + delT + "\n]\nBye.", "1 " + del + "\n2 " + delT + "\ntext \"Bye.\"\n"},
		{"wrapper", `{"messages": [` + del + "," + delT + "]} Bye.", "1 " + del + "\n2 " + delT + "\ntext \"Bye.\"\n"},
		{"wrapper in tags", `<a2ui-json>{"messages": [` + del + "]}</a2ui-json>", "1 " + del + "\n"},

		{"other tags", "<a2ui-jsonx> a < b </a2ui-json> <b>", "text \"<a2ui-jsonx> a < b </a2ui-json> <b>\"\n"},
		{"half a tag", "so <a2ui-js", "text \"so <a2ui-js\"\n"},
		{"other JSON", "{\"a\": 1}\n[1]\n{\"version\": \"1\", \"x\": 2}", "text \"{\\\"a\\\": 1}\\n[1]\\n{\\\"version\\\": \\\"1\\\", \\\"x\\\": 2}\"\n"},
		{"JSON inside a line", "so " + del, "text " + fmt.Sprintf("%q", "so "+del) + "\n"},
		{"other fences", "```go\n" + del + "\n```\n" + del, "text " + fmt.Sprintf("%q", "```go\n"+del+"\n```") + "\n1 " + del + "\n"},
		{"other JSON in a fence", "```json\n{\"a\":1}\n```", "text \"```json\\n{\\\"a\\\":1}\\n```\"\n"},
		{"a close tag in a string", "<a2ui-json>" + update + `{"id":"root","component":"Text","text":"</a2ui-json>"}]}}</a2ui-json>`,
			"1 s [{\"id\":\"root\",\"component\":\"Text\",\"text\":\"\\u003c/a2ui-json\\u003e\"}]\n"},
		{"an escaped quote before a close tag", "<a2ui-json>" + update + `{"id":"root","component":"Text","text":"\"</a2ui-json>\\"}]}}</a2ui-json>x`,
			"1 s [{\"id\":\"root\",\"component\":\"Text\",\"text\":\"\\\"\\u003c/a2ui-json\\u003e\\\\\"}]\ntext \"x\"\n"},

		{"prose in tags", "a<a2ui-json>here is your surface</a2ui-json>b", "text \"ab\"\nproblem A2UI_S2C_ENVELOPE_UNREADABLE 0  the A2UI cannot be read as JSON\n"},
		{"nothing in tags", "<a2ui-json> </a2ui-json>", "problem A2UI_S2C_ENVELOPE_UNREADABLE 0  the A2UI is empty\n"},
		{"what came before a mistake stays", "<a2ui-json>[" + del + ", oops]</a2ui-json>", "1 " + del + "\nproblem A2UI_S2C_ENVELOPE_UNREADABLE 0  the A2UI cannot be read as JSON\n"},
		{"bare, and a mistake", "[" + del + ", oops] x", "1 " + del + "\ntext \"oops] x\"\nproblem A2UI_S2C_ENVELOPE_UNREADABLE 0  the A2UI cannot be read as JSON\n"},
		{"not what A2UI says", "<a2ui-json>[" + `{"version":"v0.9","deleteSurface":{}}` + "," + del + "]</a2ui-json>",
			"2 " + del + "\nproblem A2UI_S2C_ENVELOPE_INVALID 1 /surfaceId deleteSurface lacks surfaceId\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, size := range []int{len(c.in), 1, 2, 3, 5} {
				if got := outcome(feed(a2ui.ParserOptions{}, []byte(c.in), size)); got != c.want {
					t.Fatalf("size %d\ngot  %s\nwant %s", size, got, c.want)
				}
			}
		})
	}
}

// TestParseHeals: what models get wrong.
func TestParseHeals(t *testing.T) {
	t.Parallel()
	root := "1 s [" + rootTxt + "]\n"
	data := func(value string) string {
		return `1 {"version":"v0.9","updateDataModel":{"surfaceId":"s","value":` + value + "}}\n"
	}
	const dataIn = `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":`
	for _, c := range []struct{ name, in, want string }{
		{"trailing commas", "[" + update + `{"id":"root","component":"Text","text":"Hello",},],}},]`, root},
		{"double commas", "[" + dataIn + `[1,,2]}},,]`, data("[1,2]")},
		{"curly quotes", `{“version”: “v0.9”, "deleteSurface": {“surfaceId": “s”}}`, "1 " + del + "\n"},
		{"curly quotes inside", dataIn + `"He said “hi”, didn’t he"}}`, data(`"He said “hi”, didn’t he"`)},
		{"curly apostrophes in a curly text", `{“version”:"v0.9","updateDataModel":{"surfaceId":"s","value":"didn’t “he”"}}`, data(`"didn't “he”"`)},
		{"brackets that lack", "[" + update + rootTxt, root},
		{"brackets that lack before a tag", "<a2ui-json>[" + update + rootTxt + "</a2ui-json>", root},
		{"a square one that lacks", "<a2ui-json>[" + update + rootTxt + "}}," + del + "]</a2ui-json>", root + "2 " + del + "\n"},
		{"a curly one too many", "<a2ui-json>[" + update + rootTxt + "}]}}," + del + "]</a2ui-json>", root + "2 " + del + "\n"},
		{"a curly one too many between components", "<a2ui-json>[" + update + rootTxt + "}," + `{"id":"b","component":"Text","text":"x"}` + "]}}," + del + "]</a2ui-json>",
			"1 s [" + rootTxt + `,{"id":"b","component":"Text","text":"x"}` + "]\n2 " + del + "\n"},
		{"a curly one that lacks", "<a2ui-json>[" + update + strings.TrimSuffix(rootTxt, "}") + "]}}," + del + "]</a2ui-json>", root + "2 " + del + "\n"},
		{"closers too many", "<a2ui-json>[" + update + rootTxt + "]}}]}]</a2ui-json>", root},
		{"a comma that lacks between objects", "<a2ui-json>" + del + delT + "</a2ui-json>", "1 " + del + "\n2 " + delT + "\n"},
		{"line ends in a string", dataIn + "\"a\nb\tc\"}}", data(`"a\nb\tc"`)},
		{"backslashes that escape nothing", dataIn + `"\d+ it\'s \\d \"x\""}}`, data(`"\\d+ it's \\d \"x\""`)},
		{"a key without a value", dataIn + `{"a":1,"b":}}}`, data(`{"a":1}`)},

		{"a text that is cut", update + `{"id":"root","component":"Text","text":"Hello`, root},
		{"a text that is cut in an escape", update + `{"id":"root","component":"Text","text":"Hello\u00`, root},
		{"a text that is cut in a pair", update + `{"id":"root","component":"Text","text":"Hello\ud83d\ude`, root},
		{"a text that is cut in a character", update + `{"id":"root","component":"Text","text":"Hello` + "\xf0\x9f", root},
		{"an id that is cut", update + rootTxt + `,{"id":"lab`, root},
		{"a type that is cut", update + rootTxt + `,{"id":"label","component":"Te`, root},
		{"a number that is cut", dataIn + `{"a":1,"b":12`, data(`{"a":1}`)},
		{"a word that is whole", dataIn + `{"a":1,"b":true`, data(`{"a":1,"b":true}`)},
		{"a word that is cut", dataIn + `{"a":1,"b":tru`, data(`{"a":1}`)},
		{"a key that is cut", dataIn + `{"a":1,"b`, data(`{"a":1}`)},
		{"a text of unknown use that is cut", dataIn + `{"a":1,"b":"/pa`, data(`{"a":1}`)},
		{"a quote that lacks", "<a2ui-json>" + update + `{"id":"root","component":"Text","text":"Hello</a2ui-json>` + "\nBye", root + "text \"Bye\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, size := range []int{len(c.in), 1, 2, 3, 5} {
				if got := outcome(feed(a2ui.ParserOptions{}, []byte(c.in), size)); got != c.want {
					t.Fatalf("size %d\ngot  %s\nwant %s", size, got, c.want)
				}
			}
		})
	}
}

// examples are the messages of the official v0.9 examples, compact, by file.
func examples(t testing.TB) (list [][][]byte) {
	for _, file := range official.Files("v0_9/catalogs/basic/examples/*.json") {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var wrapper struct{ Messages []json.RawMessage }
		if json.Unmarshal(b, &wrapper.Messages) != nil {
			if err := json.Unmarshal(b, &wrapper); err != nil {
				t.Fatal(err)
			}
		}
		var msgs [][]byte
		for _, m := range wrapper.Messages {
			var out bytes.Buffer
			if err := json.Compact(&out, m); err != nil {
				t.Fatal(err)
			}
			msgs = append(msgs, out.Bytes())
		}
		list = append(list, msgs)
	}
	if len(list) == 0 {
		t.Skip("the official examples are missing: set A2UI_SPEC_DIR to the folder with v0_9/catalogs/basic/examples")
	}
	return list
}

// TestParseOfficialExamples: each example, as lines, as a tagged array and as a
// fenced wrapper, at every size of chunks, gives its own messages and passes the
// rules.
func TestParseOfficialExamples(t *testing.T) {
	t.Parallel()
	passed := 0
	for _, msgs := range examples(t) {
		lines := bytes.Join(msgs, []byte("\n"))
		array := bytes.Join(msgs, []byte(",\n"))
		forms := []string{
			string(lines), "Text <a2ui-json>[" + string(array) + "]</a2ui-json>\nmore text",
			"Text\n```json\n{\"messages\": [\n" + string(array) + "\n]}\n```\nmore text",
		}
		for k, in := range forms {
			whole := a2ui.Part{}
			for _, m := range msgs {
				whole.Messages = append(whole.Messages, a2ui.Parsed{JSON: m, Number: len(whole.Messages) + 1})
			}
			want := []a2ui.Part{whole}
			if k > 0 {
				want = []a2ui.Part{{Text: "Text"}, whole, {Text: "more text"}}
			}
			for _, o := range []a2ui.ParserOptions{{}, {Eager: true}} {
				for _, size := range []int{1, 2, 3, 4, 7, 16, 64, 256, len(in)} {
					if got, want := outcome(feed(o, []byte(in), size)), outcome(want, nil); got != want {
						t.Fatalf("chunks of %d, %+v\ngot  %s\nwant %s", size, o, got, want)
					}
				}
			}
		}
		passed++
	}
	t.Logf("%d of %d examples pass at every size of chunks", passed, len(examples(t)))
}

// TestParseCutsLoseNothingRight: an example that ends early yields components
// that are those of the example, or the beginning of one with all its ids, types
// and paths whole.
func TestParseCutsLoseNothingRight(t *testing.T) {
	t.Parallel()
	for i, msgs := range examples(t) {
		if i%6 != 0 {
			continue
		}
		in := bytes.Join(msgs, []byte("\n"))
		known := map[string]bool{}
		for _, m := range msgs {
			v, err := jsonx.Parse(m, jsonx.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			texts(v, "", func(key, s string) { known[key+"="+s] = true })
		}
		for cut := 1; cut < len(in); cut += 7 {
			parts, _ := feed(a2ui.ParserOptions{}, in[:cut], cut)
			for _, p := range parts {
				for _, m := range p.Messages {
					v, err := jsonx.Parse(m.JSON, jsonx.Limits{})
					if err != nil {
						t.Fatalf("%v: %s", err, m.JSON)
					}
					texts(v, "", func(key, s string) {
						if !known[key+"="+s] &&
							!strings.Contains(" text label title description message placeholder ", " "+key+" ") {
							t.Errorf("cut at %d: %s %q is half read: %s", cut, key, s, m.JSON)
						}
					})
				}
			}
		}
	}
}

// texts calls each with all strings and their keys.
func texts(v jsonx.Value, key string, each func(key, s string)) {
	if v.Kind == jsonx.String {
		each(key, v.Str)
	}
	for _, item := range v.Items {
		texts(item, key, each)
	}
	for _, m := range v.Members {
		texts(m.Value, m.Key, each)
	}
}

// modelText draws an answer: text, payloads in every form, and mistakes.
func modelText(t *rapid.T) []byte {
	pieces := []string{
		"Hi ", "\n", " ", "<", "`", "```", "```json\n", "\n```\n", "<a2ui-json>", "<a2ui-json a=\"b\">", "</a2ui-json>", "</a2ui", "é", "😀", "“", "’", "\xff",
		"[", "]", "{", "}", ",", ":", "\"", "\\", "\\u00e", "12", "tru", "null", `"version":"v0.9",`, `{"messages":[`, `"text":"a`, "\n{\"a\":",
		del, delT, del + ",", update, rootTxt, rootTxt + ",", `{"id":"c","component":"Card","child":"d"},`, `{"id":"root","component":"Column","children":["c","e"]},`,
		`{"id":"e","component":"Text","text":{"path":"/x"}}`, "]}}", "]}},", `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"` + a2ui.Basic(a2ui.V09).ID + `"}},`,
		`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/x","value":{"a":"b`, `"}}}`, `{"surfaceUpdate":{"surfaceId":"s","components":[`,
		`{"id":"c#1","component":{"Text":{"text":{"literalString":"Hi`, `"}}}}`, `{"beginRendering":{"surfaceId":"s","root":"c#1"}}`,
	}
	var b []byte
	if rapid.Bool().Draw(t, "edited") { // a right answer, and some bytes of it wrong
		b = []byte(`Hi <a2ui-json>[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"` +
			a2ui.Basic(a2ui.V09).ID + `"}}, ` + update +
			`{"id":"t","component":"Text","text":{"path":"/x"}}, {"id":"root","component":"Column","children":["t","c"]}, {"id":"c","component":"Text","text":"a\u00e9\"b"}]}},` +
			`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/x","value":{"a":[1,true,"b"]}}}]</a2ui-json> bye ` + "\n```json\n" + delT + "\n```")
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			at := rapid.IntRange(0, len(b)-2).Draw(t, "at")
			with := rapid.SampledFrom([]string{"", "\"", "}", "]", ",", "“", "\\", "<", "x"}).Draw(t, "with")
			b = slices.Concat(b[:at], []byte(with), b[at+rapid.IntRange(0, 1).Draw(t, "gone"):])
		}
		return b[:rapid.IntRange(len(b)/2, len(b)).Draw(t, "end")]
	}
	for range rapid.IntRange(0, 20).Draw(t, "pieces") {
		b = append(b, rapid.SampledFrom(pieces).Draw(t, "piece")...)
	}
	return b
}

// TestParseCutsMakeNoDifference is the law of the parser: however an answer is
// cut, text, messages and problems are the same.
func TestParseCutsMakeNoDifference(t *testing.T) {
	t.Parallel()
	law := func(t *rapid.T) {
		in := modelText(t)
		o := a2ui.ParserOptions{Eager: rapid.Bool().Draw(t, "eager"),
			Check: a2ui.CheckLevel(rapid.IntRange(0, 2).Draw(t, "check"))}
		if rapid.Bool().Draw(t, "small") {
			o.Rules.Limits.MessageBytes = 150
		}
		o.Unwrapped = rapid.IntRange(0, 9).Draw(t, "unwrapped") == 0
		want := outcome(feed(o, in, len(in)+1))
		sizes := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 40).Draw(t, "sizes")
		for _, s := range [][]int{{1}, {2}, {4}, sizes} {
			parts, _ := feed(o, in, s...)
			for _, p := range parts {
				if utf8.Valid(in) && !utf8.ValidString(p.Text) {
					t.Fatalf("half a character in %q", p.Text)
				}
			}
			if got := outcome(feed(o, in, s...)); got != want {
				t.Fatalf("%q in pieces of %v\ngot  %s\nwant %s", in, s, got, want)
			}
		}
	}
	for range 10 { // most answers that are drawn are dull
		rapid.Check(t, law)
	}
}

// TestParseKeepsText: text without A2UI comes back, every character.
func TestParseKeepsText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := modelText(t)
		if bytes.Contains(in, []byte("<a2ui-json")) || bytes.Contains(in, []byte("version")) ||
			bytes.Contains(in, []byte("Surface")) ||
			bytes.Contains(in, []byte("surface")) {
			return
		}
		want := strings.Trim(string(in), " \n")
		if want != "" {
			want = fmt.Sprintf("text %q\n", want)
		}
		if got := outcome(feed(a2ui.ParserOptions{}, in, 3)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

// TestParseLimit: a message above the limit is a coded problem, and what follows
// its block is read.
func TestParseLimit(t *testing.T) {
	t.Parallel()
	o := a2ui.ParserOptions{Rules: a2ui.Rules{Limits: a2ui.Limits{MessageBytes: 200}}}
	in := "<a2ui-json>" + update + ids(50) + "]}}</a2ui-json>x<a2ui-json>" + del + "</a2ui-json>"
	for _, size := range []int{1, 4, len(in)} {
		parts, problems := feed(o, []byte(in), size)
		if len(problems) != 1 || !errors.Is(problems, a2ui.LimitBytes) {
			t.Fatalf("problems %v", problems)
		}
		if got := outcome(parts, nil); !strings.HasSuffix(got, "text \"x\"\n2 "+del+"\n") {
			t.Fatalf("got %s", got)
		}
	}
	// The limit falls into a character: the rest of it is no text.
	for after := range 4 {
		in := `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":"`
		in += strings.Repeat("x", 200-after-len(in)) + "😀 y"
		for _, size := range []int{1, len(in)} {
			if got := outcome(feed(o, []byte(in), size)); !utf8.ValidString(got) || strings.Contains(got, `\x`) {
				t.Errorf("%d bytes into a character, in pieces of %d: %s", after, size, got)
			}
		}
	}
	// The limit falls into a string, at the same byte however the input is cut.
	long := "<a2ui-json>" + `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":"` +
		strings.Repeat("x", 150) + "</a2ui-json> y"
	want := outcome(feed(o, []byte(long), len(long)))
	if got := outcome(feed(o, []byte(long), 1)); got != want || !strings.Contains(got, `"y"`) {
		t.Fatalf("got %s, want %s", got, want)
	}
	// A tag that does not end is text, and is not held for ever.
	tag := "<a2ui-json " + strings.Repeat("x", 600)
	p := a2ui.NewParser(o)
	if parts, err := p.Write([]byte(tag)); err != nil || len(parts) != 1 || len(parts[0].Text) < 600 {
		t.Fatalf("got %v, %v", parts, err)
	}
	if got := outcome(feed(o, []byte(tag+">"), 1)); got != fmt.Sprintf("text %q\n", tag+">") {
		t.Fatalf("got %s", got)
	}
	deep := "<a2ui-json>" + `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":` + strings.Repeat("[", 100)
	if _, problems := feed(o, []byte(deep), 4); !errors.Is(problems, wire.LimitDataDepth) {
		t.Fatalf("problems %v", problems)
	}
}

// ids are the texts of n components.
func ids(n int) string {
	b := []byte(rootTxt)
	for i := range n {
		b = fmt.Appendf(b, `,{"id":"%d","component":"Text","text":"Hello"}`, i)
	}
	return string(b)
}

// TestUnwrap: payloads as they are written.
func TestUnwrap(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]a2ui.Block{
		"":    nil,
		" \n": nil,
		"<a2ui-json> [{\"a\": \"</a2ui-json>\"}] </a2ui-json> ": {{Payload: `[{"a": "</a2ui-json>"}]`, Tagged: true, Closed: true}},
		"<a2ui-json>[{<a2ui-json>{}</a2ui-json>x":               {{Payload: "[{", Tagged: true}, {Payload: "{}", Tagged: true, Closed: true}, {Text: "x"}},
		"a\n" + del + "\n<a2ui-json>oops \"</a2ui-json>":        {{Text: "a\n" + del}, {Payload: `oops "`, Tagged: true, Closed: true}},
		"<a2ui-json>```json\n[]\n```</a2ui":                     {{Payload: "```json\n[]\n```", Tagged: true}},
	} {
		if got := a2ui.Unwrap([]byte(in)); !slices.Equal(got, want) {
			t.Errorf("%q\ngot  %+v\nwant %+v", in, got, want)
		}
	}
}

// TestParsePieces: components leave while their message is being read, in their
// order, each once, those that the root does not reach only at its end.
func TestParsePieces(t *testing.T) {
	t.Parallel()
	p := a2ui.NewParser(a2ui.ParserOptions{Eager: true})
	step := func(in, want string) {
		t.Helper()
		parts, err := p.Write([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, part := range parts {
			for _, m := range part.Messages {
				for _, c := range m.Message.(*a2ui.UpdateComponents).Components {
					got += c.ID + " "
				}
			}
		}
		if got != want {
			t.Fatalf("after %q: %q, want %q", in, got, want)
		}
	}
	text := func(id string) string { return `,{"id":"` + id + `","component":"Text","text":"x"}` }
	step(update+text("a")[1:], "")
	step(`,{"id":"root","component":"Column","children":["a","b"`, "")
	step(`]}`, "a root ")
	step(text("b"), "b ")
	step(text("orphan"), "")
	step(text("c"), "")
	step(`]}}`, "orphan c ")
	// Later messages know what the root reaches.
	step("\n"+update+text("b")[1:], "b ")
	step(`]}}`, "")
	// What waits behind what waits.
	step("\n"+update+text("leaf")[1:]+`,{"id":"card","component":"Card","child":"leaf"}`, "")
	step(`,{"id":"a","component":"Card","child":"card"}`, "leaf card a ")
	step(`]}}`, "")
	// A surface that begins anew.
	p.Write([]byte("\n" + del + "\n"))
	step(update+text("b")[1:], "")
	step(`,{"id":"root","component":"Card","child":"b"}`, "b root ")
}

// TestParsePieceProblem: the path of a problem counts the components of the
// message, not of the piece.
func TestParsePieceProblem(t *testing.T) {
	t.Parallel()
	in := update + rootTxt + `,{"id":"root","component":"Nothing"}]}}`
	_, problems := feed(a2ui.ParserOptions{Eager: true}, []byte(in), 1)
	if len(problems) != 1 || problems[0].Code != a2ui.ComponentUnknown ||
		!strings.HasPrefix(problems[0].Path, "/components/1") {
		t.Fatalf("got %v", problems)
	}
}

// TestParseProgressive: a string of the data model under a chosen key comes
// early, and again.
func TestParseProgressive(t *testing.T) {
	t.Parallel()
	p := a2ui.NewParser(a2ui.ParserOptions{ProgressiveKeys: []string{"greeting"}})
	var got []string
	for _, in := range []string{`{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"id":"x`,
		`y","greeting":"He`, `llo`, `"}}}`} {
		parts, err := p.Write([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			for _, m := range part.Messages {
				v := m.Message.(*a2ui.UpdateData).Value
				got = append(got, fmt.Sprint(v.At("id").Text(), " ", v.At("greeting").Text(), " ", m.Early))
			}
		}
	}
	if want := "xy He true,xy Hello true"; strings.Join(got, ",") != want {
		t.Fatalf("got %q", got)
	}
}

// TestParseLinear: what a large message costs grows with its size.
func TestParseLinear(t *testing.T) {
	t.Parallel()
	out := func(rows int) (bytes int) {
		in := rowsMessage(rows)
		o := a2ui.ParserOptions{Eager: true, Check: a2ui.CheckNothing,
			Rules: a2ui.Rules{Limits: a2ui.Limits{MessageBytes: 8 << 20}}}
		parts, problems := feed(o, in, 4)
		if problems != nil {
			t.Fatal(problems)
		}
		for _, p := range parts {
			for _, m := range p.Messages {
				bytes += len(m.JSON)
			}
		}
		return bytes * 1000 / len(in)
	}
	small, large := out(400), out(6400)
	if large > small {
		t.Fatalf("bytes out per 1000 bytes in: %d for 400 rows, %d for 6400", small, large)
	}
}

// rowsMessage is one message of a surface with rows.
func rowsMessage(rows int) []byte {
	b := []byte(update + `{"id":"root","component":"Column","children":[`)
	for i := range rows {
		b = fmt.Appendf(b, `"r%d",`, i)
	}
	b = append(b[:len(b)-1], "]}"...)
	for i := range rows {
		b = fmt.Appendf(b, `,{"id":"r%d","component":"Text","text":"This is row number %d of the table"}`, i, i)
	}
	return append(b, "]}}"...)
}

// FuzzParser: nothing panics, cuts make no difference, and what passes is JSON.
func FuzzParser(f *testing.F) {
	for _, c := range []string{
		"Hi <a2ui-json>[" + del + "]</a2ui-json> bye", "```json\n[" + del + ",]\n```", del + "\n" + delT, "{“version”:“v0.9”,“deleteSurface”:{“surfaceId”:“s”}}",
		update + rootTxt + `,{"id":"x`, `{"messages":[` + del + `}}]]`, "<a2ui-json>oops</a2ui-json>", `{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":{"Text":{"text":{"path":"/a"}}}}}]}}`,
		`<a2ui-json>{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"text":"a\ud83d` + "\n",
	} {
		f.Add([]byte(c), uint8(3))
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		if len(in) > 4096 {
			return
		}
		for _, o := range []a2ui.ParserOptions{{}, {Check: a2ui.CheckNothing, Eager: true},
			{Unwrapped: true, Strict: true}} {
			want := outcome(feed(o, in, len(in)+1))
			if got := outcome(feed(o, in, int(size)+1)); got != want {
				t.Fatalf("%q\ngot  %s\nwant %s", in, got, want)
			}
		}
		o := a2ui.ParserOptions{Legacy: &a2ui.LegacyParser{}, Check: a2ui.CheckLevel(size % 3)}
		feed(o, in, int(size)+1)
		a2ui.Unwrap(in)
		_, _ = a2ui.FixPayload(in)
	})
}

// TestParserFences: several fences inside one block, around blocks and beside them, in
// chunks of every size.
func TestParserFences(t *testing.T) {
	t.Parallel()
	const a = `{"version":"v0.9","deleteSurface":{"surfaceId":"a"}}`
	const b = `{"version":"v0.9","deleteSurface":{"surfaceId":"b"}}`
	const both, unreadable = a + "\n" + b + "\n", "error A2UI_S2C_ENVELOPE_UNREADABLE"
	tags := func(payload string) string { return a2ui.OpenTag + payload + a2ui.CloseTag }
	for name, c := range map[string]struct{ in, want string }{
		"two":                   {tags("```json\n[" + a + "]\n```\n```json\n[" + b + "]\n```"), both},
		"without a language":    {tags("\n```\n" + a + "\n```\n\n```\n" + b + "\n```\n"), both},
		"a space and capitals":  {tags("``` json\n" + a + "\n``` \n ```JSON\n" + b + "```"), both},
		"none closes the first": {tags("```json\n" + a + "\n```json\n" + b + "\n```"), both},
		"a list over both":      {tags("```json\n[" + a + ",\n```\n```json\n" + b + "]\n```"), both},
		"wrappers":              {tags("```\n{\"messages\":[" + a + "]}\n```\n```\n{\"messages\":[" + b + "]}\n```"), both},
		"words between them":    {tags("First this:\n```json\n" + a + "\n```\nthen, \"later\", 1 < 2:\n```json\n" + b + "\n```\nDone."), both},
		"words inside one":      {tags("```json\n" + a + "\n```\n```json\nthis: " + b + "\n```"), a + "\n" + unreadable},
		"words and no fence":    {tags("this: " + a), unreadable},
		"JSON behind words":     {tags("```json\n" + a + "\n```\nand " + b), a + "\n" + unreadable},
		"fences alone":          {tags("```json\n```"), unreadable},
		"one around two blocks": {"```json\n" + tags(a) + "\n" + tags(b) + "\n```", both},
		"each around one":       {"```json\n" + tags(a) + "\n```\n```\n" + tags("```\n"+b+"\n```") + "\n```", both},
		"beside one another":    {"```json\n" + a + "\n```\nand\n```\n[" + b + "]\n```\n", a + "\nand" + both[len(a)+1:]},
		"tags in capitals":      {"<A2UI-JSON>" + a + "</A2UI-JSON><a2ui-Json v=\"1\">" + b + "</a2ui-json >", both},
		"three backticks in a text": {tags("```json\n" + `{"version":"v0.9","deleteSurface":{"surfaceId":"` + "```" + `"}}` + "\n```\n"),
			`{"version":"v0.9","deleteSurface":{"surfaceId":"` + "```" + `"}}` + "\n"},
	} {
		for _, size := range []int{1, 2, 3, 5, 8, 13, len(c.in)} {
			p := a2ui.NewParser(a2ui.ParserOptions{Check: a2ui.CheckNothing})
			got := ""
			take := func(parts []a2ui.Part, err error) {
				for _, part := range parts {
					got += part.Text
					for _, m := range part.Messages {
						got += string(m.JSON) + "\n"
					}
				}
				if errors.Is(err, wire.EnvelopeUnreadable) {
					got += unreadable
				} else if err != nil {
					got += err.Error()
				}
			}
			for rest := []byte(c.in); len(rest) > 0; {
				n := min(size, len(rest))
				take(p.Write(rest[:n]))
				rest = rest[n:]
			}
			if take(p.Close()); got != c.want {
				t.Errorf("%s, %d bytes at a time\ngot  %s\nwant %s", name, size, got, c.want)
			}
		}
	}
}

// TestUnwrapFences: a fence around tagged blocks is no text.
func TestUnwrapFences(t *testing.T) {
	t.Parallel()
	const block = "<a2ui-json>[]</a2ui-json>"
	for in, want := range map[string]string{
		"```json\n" + block + "\n```":                               "[]",
		"Look:\n```json\n" + block + "\n```\nNice?":                 "Look:|[]|Nice?",
		"```\n" + block + "\n" + block + "\n```":                    "[]|[]",
		"```json\n" + block + "\n```\n```json\n" + block + "\n```":  "[]|[]",
		block + "\n```go\nx\n```":                                   "[]|```go\nx\n```",
		"```go\nx\n```\n" + block + " and":                          "```go\nx\n```|[]|and",
		"``` is a fence " + block + "``` too":                       "``` is a fence|[]|``` too",
		"<a2ui-json>```json\n[]\n```\n```\n{}\n```</a2ui-json> end": "```json\n[]\n```\n```\n{}\n```|end",
	} {
		var got []string
		for _, b := range a2ui.Unwrap([]byte(in)) {
			got = append(got, b.Text+b.Payload)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q\ngot  %q\nwant %q", in, strings.Join(got, "|"), want)
		}
	}
}

// TestParserVersions: a message of another version than that of its surface is a
// problem; other surfaces may have other versions.
func TestParserVersions(t *testing.T) {
	t.Parallel()
	const (
		old    = `{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"r","component":{"Divider":{}}}]}}`
		begin  = `{"beginRendering":{"surfaceId":"s","root":"r"}}`
		drop   = `{"deleteSurface":{"surfaceId":"s"}}`
		new9   = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}`
		comps9 = `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Divider"}]}}`
		data91 = `{"version":"v0.9.1","updateDataModel":{"surfaceId":"s","path":"/a","value":1}}`
		data10 = `{"version":"v1.0","updateDataModel":{"surfaceId":"s","path":"/a","value":1}}`
		drop9  = `{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`
		new10  = `{"version":"1.0","createSurface":{"surfaceId":"s"}}`
	)
	other := strings.NewReplacer(`"s"`, `"t"`)
	for _, c := range []struct {
		in    []string
		wrong string // numbers of the messages that do not leave
	}{
		{[]string{old, begin, comps9}, "3"},
		{[]string{old, comps9, begin}, "2"},
		{[]string{begin, old, drop9, drop}, "3"},
		{[]string{new9, comps9, old, begin, data91}, "3 4"},
		{[]string{new9, data10, comps9}, "2"},
		{[]string{new9, drop}, "2"},
		{[]string{new9, drop9, begin, old}, ""},
		{[]string{begin, old, drop, new9, comps9}, ""},
		{[]string{begin, other.Replace(new9), old, other.Replace(comps9)}, ""},
		{[]string{begin, other.Replace(new9), other.Replace(old), comps9}, "3 4"},
		{[]string{new10, data10}, ""},
		{[]string{new10, data91}, "2"},
	} {
		_, err := a2ui.ParseText(a2ui.ParserOptions{}, []byte("<a2ui-json>["+strings.Join(c.in, ",")+"]</a2ui-json>"))
		var got []string
		var list a2ui.Problems
		errors.As(err, &list)
		for _, p := range list {
			if p.Code != a2ui.EnvelopeInvalid || p.Path != "/version" || p.Hint == "" {
				t.Errorf("%v: %v", c.in, p)
			}
			got = append(got, fmt.Sprint(p.Line))
		}
		if strings.Join(got, " ") != c.wrong {
			t.Errorf("%v\nrefused %v, want %s", c.in, got, c.wrong)
		}
		// A translator says that they are lost, and carries the rest.
		lost := 0
		err = a2ui.Translate(io.Discard, strings.NewReader(strings.Join(c.in, "\n")), a2ui.TranslatorOptions{To: a2ui.V10},
			func(line int, l a2ui.Loss) {
				if l.Path == "/version" {
					lost++
				}
			})
		if err != nil || lost != len(strings.Fields(c.wrong)) {
			t.Errorf("%v: %d messages are lost, want those of %q: %v", c.in, lost, c.wrong, err)
		}
	}
}
