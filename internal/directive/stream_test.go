package directive

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// streamed writes an answer in pieces of some bytes.
func streamed(r *Registry, answer string, size func() int) string {
	s, out := r.NewStream(), ""
	for answer != "" {
		n := min(max(1, size()), len(answer))
		out += s.Write(answer[:n])
		answer = answer[n:]
	}
	return out
}

func TestStream(t *testing.T) {
	t.Parallel()
	r, err := Preset(PresetConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, answer, want string }{
		{"text first", `{"assistant_text":"Here is the form.","directives":[]}`, "Here is the form."},
		{"text last", `{"directives":[{"type":"x","payload":{"assistant_text":"no","a":"\"]}"}}], "assistant_text" : "Yes, it is."}`, "Yes, it is."},
		{"escapes", `{"assistant_text":"a\n\"b\" \u00fc \ud83d\ude00 c\/d"}`, "a\n\"b\" ü 😀 c/d"},
		{"fence", "```json\n{\"assistant_text\":\"Hi there\"}\n```", "Hi there"},
		{"thought", `<think>{"assistant_text":"no"} hm</think> {"assistant_text":"Hi there"}`, "Hi there"},
		{"thought in characters", `◁think▷ {"assistant_text":"no"} é ◁/think▷{"assistant_text":"Hi there"}`, "Hi there"},
		{"two thoughts and a fence", "<think>a</think>\n<Reflection>b</reflection>\n```\n{\"assistant_text\":\"Hi there\"}", "Hi there"},
		{"open thought", `<think>{"assistant_text":"no"}`, ""},
		{"thought in the text", `{"assistant_text":"<think>secret</think>Hi"}`, ""},
		{"mark in the text", `{"assistant_text":"Hi there<|im_end|>secret"}`, "Hi"},
		{"call in the text", `{"assistant_text":"Hi <tool_call>{\"name\":1}</tool_call>"}`, "Hi"},
		{"call by name", `{"assistant_text":"to=functions.x and more"}`, ""},
		{"envelope in the text", `{"assistant_text":"Hi {\"assistant_text\":\"no\"}"}`, "Hi"},
		{"comparison", `{"assistant_text":"3 < 4 and <= 5"}`, "3 < 4 and <= 5"},
		{"markdown", `{"assistant_text":"**Hi** [there](https://x.org)"}`, "**Hi** [there](https://x.org)"},
		{"no spaces", `{"assistant_text":"你好，世界"}`, "你好，世界"},
		{"not a string", `{"assistant_text":["Hi"]}`, ""},
		{"half a pair", `{"assistant_text":"Hi you \ud83d there"}`, "Hi you"},
		{"placeholder", `{"assistant_text":"<what you say to the user>"}`, ""},
		{"plain words", "Here is the form.", ""},
		{"words and an envelope", `Here: {"assistant_text":"Hi"}`, ""},
		{"bare key", `{assistant_text:"Hi"}`, ""},
		{"list", `[{"assistant_text":"Hi"}]`, ""},
	} {
		for _, size := range []int{1, 2, 3, 7, 1000} {
			if got := streamed(r, tt.answer, func() int { return size }); got != tt.want {
				t.Errorf("%s, pieces of %d: %q, want %q", tt.name, size, got, tt.want)
			}
		}
	}
}

// TestStreamGrows: words are there before the answer is.
func TestStreamGrows(t *testing.T) {
	t.Parallel()
	r, err := Preset(PresetConfig{})
	if err != nil {
		t.Fatal(err)
	}
	s := r.NewStream()
	for _, step := range [][2]string{{`{"assistant_text":"Hel`, ""}, {`lo `, "Hello"}, {`you.`, ""},
		{`","directives":[`, " you."}, {`{"type":"ui.show`, ""}} {
		if got := s.Write(step[0]); got != step[1] {
			t.Errorf("after %q: %q, want %q", step[0], got, step[1])
		}
	}
}

// The law: what streamed is the beginning of what is read, or the answer is
// refused.
func heldTo(t interface {
	Helper()
	Errorf(string, ...any)
}, r *Registry, answer string, size func() int) string {
	t.Helper()
	got := streamed(r, answer, size)
	env, err := r.Read(answer)
	if err == nil && !strings.HasPrefix(env.Text, got) {
		t.Errorf("of %q streamed %q, read %q", answer, got, env.Text)
	}
	return got
}

func TestStreamLaw(t *testing.T) {
	t.Parallel()
	r, err := Preset(PresetConfig{})
	if err != nil {
		t.Fatal(err)
	}
	piece := rapid.SampledFrom([]string{"a", " ", "\n", "ü", "😀", "<", "<|im_end|>", "</s>", "{", "}", "[", "**b**",
		"`", "```", `"`, `\`, "word ", "你好", "<b>", "\t", "\u200b",
		"\ufeff", "<think>", "</think>", "</answer>", "<answer>", "functions.x ", "…", ". ", "&", "\u0000", "\u2028"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "text"), "")
		quoted, _ := json.Marshal(text)
		form := rapid.SampledFrom([]string{`{"assistant_text":%,"directives":[]}`,
			`{"directives":[], "assistant_text": %}`, "```json\n{\"assistant_text\":%}\n```",
			`<think>x</think>{"assistant_text":%}`, `{"assistant_text":%`, `{"assistant_text":%} and more`,
			`{"a":{"b":["]",%]},"assistant_text":%}`}).Draw(t, "form")
		answer := strings.ReplaceAll(form, "%", string(quoted))
		heldTo(t, r, answer, func() int { return rapid.IntRange(1, 9).Draw(t, "size") })
	})
}

func FuzzStream(f *testing.F) {
	r, err := Preset(PresetConfig{})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{`{"assistant_text":"a \"b\" c","directives":[]}`,
		"<think>x</think>```json\n{\"assistant_text\":\"Hi\\ud83d\\ude00 you\"}"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, answer string, size int) {
		got := heldTo(t, r, answer, func() int { return size%16 + 1 })
		if whole := streamed(r, answer, func() int { return len(answer) }); whole != got {
			t.Errorf("%q: %q in pieces, %q at once", answer, got, whole)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	})
}
