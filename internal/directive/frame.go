package directive

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

func trim(s string) string { return strings.TrimFunc(s, isBlank) }

func trimLeft(s string) string { return strings.TrimLeftFunc(s, isBlank) }

// isBlank reports white space, and what shows as nothing.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("\u200b\u200c\u200d\u2060\ufeff", r)
}

// thoughts are the marks that reasoning models put around their thoughts.
var thoughts = regexp.MustCompile(`(?is)^(?:<think>.*?</think>|<thinking>.*?</thinking>|<thoughts?>.*?</thoughts?>|` +
	`<reasoning>.*?</reasoning>|<reflection>.*?</reflection>|<scratchpad>.*?</scratchpad>|<analysis>.*?</analysis>|` +
	`<\|(?:begin_of_thought|start_thinking)\|>.*?<\|end_(?:of_thought|thinking)\|>|` +
	`\[think\].*?\[/think\]|◁think▷.*?◁/think▷)`)

// openThought begins a thought that may not be closed.
var openThought = regexp.MustCompile(
	`(?i)^(?:<(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis)>|\[think\]|◁think▷)`)

// trimThoughts takes off the closed thoughts in front of an answer. A thought
// whose opening mark was part of the request has only its closing one; a text
// that begins as an answer has no thought.
func trimThoughts(s string) string {
	s = trimMarked(s)
	answers := strings.ContainsRune("{[`~"+quoteMarks, firstRune(s))
	before, rest, ok := strings.Cut(s, "</think>")
	if ok && !answers && !strings.Contains(strings.ToLower(before), "<think") {
		s = trim(rest)
	}
	return s
}

// trimMarked takes off the thoughts in front of a text that have both their marks.
func trimMarked(s string) string {
	for s != "" && strings.ContainsRune("<[◁", firstRune(s)) {
		at := thoughts.FindStringIndex(s)
		if at == nil {
			break
		}
		s = trim(s[at[1]:])
	}
	return s
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// trimFence returns the inside of a code fence that spans the whole text and is
// named json or not at all. One of its two marks may be missing: it may have
// been part of the request, or a sign to stop.
func trimFence(s string) string {
	for _, mark := range []string{"`", "~"} {
		body, opened, closed := s, strings.HasPrefix(s, mark+mark+mark), strings.HasSuffix(s, mark+mark+mark)
		if !opened && !closed {
			continue
		}
		if opened {
			body = strings.TrimLeft(body, mark)
		}
		if closed {
			body = strings.TrimRight(body, mark)
		}
		if opened && len(body) >= 4 && strings.EqualFold(body[:4], "json") {
			body = body[4:]
		}
		if body = trim(body); strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") || body == "" {
			return body
		}
	}
	return s
}

// quoteMarks are the quotes that models use.
const quoteMarks = "\"'`“”„‟＂‘’«»"

// object is where an object of JSON may start: at a brace before a quote, a comment or
// a bare key with its colon. A brace of prose ("{name}") does not count.
var object = regexp.MustCompile(`\{[ \t\r\n]*(?:[\\&` + quoteMarks + `]|//|/\*|[\w.$]{1,40} {0,7}:)`)

// next returns where the next object of JSON may start, or -1.
func next(s string) int {
	if at := object.FindStringIndex(s); at != nil {
		return at[0]
	}
	return -1
}

// closing returns the end of the brackets that open at i, or -1 if they never
// close.
func closing(s string, i int) int {
	depth, quoted := 0, false
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// marks are what templates and tools put between turns and calls.
var marks = regexp.MustCompile(`<\|[^<>|\s]{1,40}\|>|<｜[^<>｜\n]{1,30}｜>|</?s>|<(?:end|start)_of_turn>`)

// tags are marks that say nothing by themselves.
var tags = regexp.MustCompile(`<[^<>\s]{1,40}>`)

// tagged is text inside one tag, such as <answer>.
var tagged = regexp.MustCompile(`(?s)^<([a-z_]{1,20})>([^<]*)</([a-z_]{1,20})>$`)

// calls begin a call in the syntax of some template.
var calls = regexp.MustCompile(`<\|?/?(?:tool_\w+|function\w*|invoke|parameter|arg_key|call)\b|\[/?TOOL_|\[/?INST\]|` +
	`to=functions\.\w|^functions\.\w|\nAction Input:|` + "```tool_code")

// holdsCall is calls.MatchString; most texts have nothing that a call begins with.
func holdsCall(s string) bool {
	return (strings.ContainsAny(s, "<[`") || strings.Contains(s, "functions.") ||
		strings.Contains(s, "Action Input:")) &&
		calls.MatchString(s)
}

// cleanText is text as a person should see it: without thoughts in front, marks
// of templates, and invisible characters. Text after a mark is not the
// model's own. An envelope in it is refused.
func cleanText(s string) (string, error) {
	if strings.ContainsFunc(s, invisible) {
		s = strings.Map(func(c rune) rune {
			if invisible(c) {
				return -1
			}
			return c
		}, s)
	}
	s = trimMarked(strings.TrimSpace(s))
	if openThought.MatchString(s) {
		return "", nil
	}
	words := s
	if strings.Contains(s, "<") { // most texts hold no mark
		if at := marks.FindStringIndex(s); at != nil {
			if s = strings.TrimSpace(s[:at[0]]); s == "" {
				return "", invalid("a text behind the mark of a template", nil)
			}
		}
		if m := tagged.FindStringSubmatch(s); m != nil && m[1] == m[3] {
			s = strings.TrimSpace(m[2])
		}
		words = tags.ReplaceAllString(s, "")
	}
	if !strings.ContainsFunc(words, meaningful) {
		return "", nil
	}
	if s == placeholder || unfilled(s) {
		return "", nil
	}
	if strings.Contains(s, "{") && envelopePart.MatchString(s) || holdsCall(s) {
		return "", invalid("a text that holds an envelope or a call", nil)
	}
	return s, nil
}

// invisible reports characters that show nothing.
func invisible(c rune) bool {
	return c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c == '\uFEFF'
}

// placeholder is the text in the example of the instructions.
const placeholder = "<what you say to the user>"

// unfilled reports a placeholder that was left as it is: [your answer here].
func unfilled(s string) bool {
	for _, pair := range []string{"[]", "<>", "{}"} {
		if in, ok := strings.CutPrefix(s, pair[:1]); ok {
			in, ok = strings.CutSuffix(in, pair[1:])
			return ok && strings.Contains(in, " ") && !strings.ContainsAny(in, "[]<>=\n") &&
				strings.ContainsFunc(in, unicode.IsLower)
		}
	}
	return strings.HasPrefix(s, "{{") && strings.Index(s, "}}") == len(s)-2
}

// meaningful reports characters that say something by themselves: … does not.
func meaningful(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsSymbol(c) && !strings.ContainsRune("`^|~<>=+", c)
}

// envelopePart names a member of an envelope, as no sentence does.
var envelopePart = regexp.MustCompile(`assistant_text|assistantText|` +
	`[` + quoteMarks + `](?:directives|payload)[\\` + quoteMarks + `]|;(?:directives|payload)&`)

// yaml is an envelope in YAML.
var yaml = regexp.MustCompile(`(?m)^\s*-?\s*(?:directives|payload)\s*:\s*$|^\s*-\s*type\s*:`)

// called reports a declared type that is not part of a sentence.
func (r *Registry) called(s string) bool {
	return strings.ContainsAny(s, "{}<>=([") && r.mentionsProtocol(s)
}

// mentionsProtocol reports text that names a member of an envelope or a declared
// type, as no sentence does.
func (r *Registry) mentionsProtocol(s string) bool {
	if envelopePart.MatchString(s) {
		return true
	}
	for i := range r.defs {
		t := r.defs[i].Type
		if strings.ContainsAny(t, "._") && (strings.Contains(s, t) ||
			strings.Contains(s, strings.ReplaceAll(t, ".", "_"))) {
			return true
		}
	}
	return false
}

// unsayable reports text that is not for people: machine code, broken
// protocols, bytes.
func (r *Registry) unsayable(s string) bool {
	if strings.Contains(s, "assistant_text") || holdsCall(s) || yaml.MatchString(s) || r.called(s) {
		return true
	}
	switch s {
	case "[object Object]", "undefined", "NaN", "None", "nil", "true", "false":
		return true
	}
	if strings.Contains(s, "\uFFFD\uFFFD") || repeats(s) {
		return true
	}
	if strings.Contains(s, promptLead) || strings.Trim(s, "{}[]()<>\"',:;` \t\r\n") == "" {
		return true
	}
	if strings.Contains(s, `":`) && (strings.Count(s, "{") != strings.Count(s, "}") ||
		strings.Count(s, "[") != strings.Count(s, "]")) {
		return true // a piece of JSON
	}
	return machine.MatchString(s) || encoded.MatchString(s) && (strings.HasPrefix(s, "eyJ") ||
		len(s) >= 64 && strings.ContainsAny(s, "0123456789") && strings.ToLower(s) != s)
}

// machine is what programs write: pages, traces, events of a stream, control characters.
var machine = regexp.MustCompile(`(?i)^(?:<!doctype|<html|<\?xml|traceback \(most recent call|%7b|data: [{\[])|` +
	`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]`)

// encoded is one word of ASCII, as encodings of bytes write.
var encoded = regexp.MustCompile(`^[\w$+/=-]*$`)

// repeats reports words that a model repeats until it is stopped.
func repeats(s string) bool {
	for p := 1; p <= 200; p++ {
		n := max(12*p, 160)
		if n > len(s) {
			return false
		}
		if tail := s[len(s)-n:]; tail[p:] == tail[:n-p] {
			return true
		}
	}
	return false
}
