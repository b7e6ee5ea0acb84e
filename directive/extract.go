package directive

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unfence returns what is inside a code fence that spans the whole text.
func unfence(s string) string {
	for _, mark := range []string{"```", "~~~"} {
		rest, ok := strings.CutPrefix(s, mark)
		if !ok {
			continue
		}
		rest, ok = strings.CutSuffix(rest, mark)
		lang, body, line := strings.Cut(rest, "\n")
		if !ok || !line || len(lang) > 20 || strings.ContainsAny(lang, "{[\"") {
			return s
		}
		return strings.TrimSpace(body)
	}
	return s
}

// next returns where the next object or list of objects may start at or after
// from, or -1. A brace of prose ("{name}") is none.
func next(s string, from int) int {
	for i := from; i < len(s); i++ {
		if s[i] != '{' && s[i] != '[' {
			continue
		}
		j := i + 1
		for j < len(s) && strings.IndexByte(" \t\r\n", s[j]) >= 0 {
			j++
		}
		if s[i] == '{' && opensMember(s[j:]) || s[i] == '[' && j < len(s) && s[j] == '{' && opensMember(strings.TrimLeft(s[j+1:min(len(s), j+64)], " \t\r\n")) {
			return i
		}
		i = j - 1 // white space is not read twice
	}
	return -1
}

// opensMember reports a quote, a comment or a bare key with its colon.
func opensMember(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '"', '\'', '`', '\\', '&':
		return true
	case '/':
		return strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*")
	}
	if r, _ := utf8.DecodeRuneInString(s); r >= utf8.RuneSelf {
		return strings.ContainsRune("“”„‟＂‘’«", r)
	}
	n := 0
	for n < len(s) && n < 40 && isWord(s[n]) {
		n++
	}
	return n > 0 && strings.HasPrefix(strings.TrimLeft(s[n:min(len(s), n+8)], " "), ":")
}

// span returns the end of the brackets that open at i, or -1 if they never close.
func span(s string, i int) int {
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

// setOff reports JSON at s[i:end] that stands by itself: from the start of a
// line, or behind the end of a sentence, to the end of its line. Anything else
// is a mention inside a sentence.
func setOff(s string, i, end int) bool {
	before := strings.TrimRight(s[:i], " \t`")
	after := strings.TrimLeft(s[end:], " \t`;,")
	if after != "" && after[0] != '\n' && after[0] != '\r' && after[0] != '<' {
		return false
	}
	if before == "" {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.ContainsRune("\n.!?。！？।؟>", r) || strings.TrimSpace(line) == "json" || strings.HasSuffix(line, "```json")
}

// examples are parts of words before JSON that is shown, not said; hedges are
// words before JSON that is denied, said under a condition, or by somebody else. Both make a
// model write the envelope once more, by itself.
var (
	examples = []string{"example", "e.g.", "for instance", "such as", "sample", "look like", "looks like", "format is", "sieht so aus", "ressemble à", "beispiel", "z. b.", "z.b.", "ejemplo", "exemple", "esempio", "exemplo",
		"voorbeeld", "exempel", "eksempel", "esimerk", "przykład", "příklad", "пример", "приклад", "例", "예시", "예를", "مثال", "उदाहरण", "ตัวอย่าง", "ví dụ", "örnek", "contoh", "παράδειγμα", "דוגמה",
		"won't", "can't", "couldn't", "wouldn't", "didn't", "don't send", "don't use", "don't run", "don't do", "ne pas", "n'ai pas", "不要", "不会", "如果", "用户", "错误", "ユーザー", "ません", "사용자", "しない", "もし", "지 않", "만약", "नहीं", "अगर", "إذا", "लेकिन"}
	hedges = []string{"not", "never", "cannot", "would", "could", "might", "if", "unless", "instead", "previously", "earlier", "wrote", "said", "sent", "wrong", "incorrect", "invalid", "draft", "geschrieben", "falsch", "écrit", "escribió", "dijo", "написал", "неверно", "nicht", "nie", "würde", "könnte", "falls", "wenn", "statt",
		"nunca", "podría", "habría", "si", "jamais", "pourrait", "aurait", "serait", "mai", "potrebbe", "poderia", "não", "niet", "zou", "inte", "ikke", "hvis", "gdyby", "jeśli",
		"не", "нельзя", "бы", "если", "لا", "لن", "لو", "değil", "eğer", "tidak", "jika", "không", "nếu"}
)

// mentioned reports JSON at s[i:end] that a sentence is about: behind a word, a
// bracket or a quote, before the rest of the sentence, or announced as an
// example, a denial or a condition.
func mentioned(s string, i, end int) bool {
	before := strings.TrimRight(s[:i], " \t")
	trimmed := strings.TrimRight(strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(before, "json"), "JSON"), " \t"), "`")
	if r, _ := utf8.DecodeLastRuneInString(before); trimmed == before && trimmed != "" && r != '\n' {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("(/#~,", r) || isQuote(r) && strings.TrimSpace(strings.TrimRight(trimmed, "\"'“”‘’«»")) != "" {
			return true
		}
	}
	after := strings.TrimLeft(s[end:], " \t`*_")
	if r, _ := utf8.DecodeRuneInString(after); unicode.IsLower(r) || r == ',' {
		return true
	}
	trimmed = strings.TrimRight(trimmed, " \t\r\n")
	if head, line, ok := cutLast(trimmed, "\n"); ok && (strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")) {
		trimmed = head // a fence between the sentence and its JSON
	}
	last := strings.ToLower(strings.ReplaceAll(sentence(strings.TrimRight(trimmed, " \t\r\n`:：")), "’", "'"))
	for _, w := range examples {
		if strings.Contains(last, w) {
			return true
		}
	}
	for _, w := range strings.FieldsFunc(last, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if among(hedges, w) {
			return true
		}
	}
	return false
}

// sentence is the last one of a text, of at most 200 bytes.
func sentence(s string) string {
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[len(s)-200:], "")
	}
	for _, stop := range []string{"\n", ". ", "! ", "? ", "。", "！", "？", "।", "؟"} {
		if i := strings.LastIndex(s, stop); i >= 0 && !strings.HasSuffix(s, "e.g"+stop) && !strings.HasSuffix(s[:i+1], "z.") {
			s = s[i+len(stop):]
		}
	}
	return s
}

// thoughtLabels begin lines that models write to themselves.
var thoughtLabels = []string{"Thought", "Thoughts", "Thinking", "Reasoning", "Analysis", "Plan"}

// prose is what a person can read before or after the JSON: without code
// fences, tags on lines of their own, and the line that announces the JSON.
func prose(s string) string {
	var kept []string
	for _, line := range strings.Split(s, "\n") {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") || t == "`" || t == "json" || t == "JSON" ||
			strings.HasPrefix(t, "<") && strings.HasSuffix(t, ">") && !strings.Contains(t, " ") || strings.Trim(t, ";,]}) ") == "" && t != "" {
			continue
		}
		if label, _, ok := strings.Cut(t, ":"); ok && among(thoughtLabels, strings.Trim(label, "*# ")) {
			continue
		}
		if strings.HasPrefix(t, "<") || strings.HasSuffix(t, ">") {
			t = strings.TrimSpace(edgeTag.ReplaceAllString(t, ""))
			line = t
		}
		if at := strings.LastIndex(t, "```"); at > 0 && !strings.ContainsAny(t[at+3:], " {") {
			line = t[:at]
		}
		kept = append(kept, line)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// unannounced drops a last line that ends in a colon: it announces the JSON
// that stood behind it.
func unannounced(s string) string {
	if strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") {
		return strings.TrimSpace(s[:strings.LastIndexByte(s, '\n')+1])
	}
	return s
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// looksLikeJSON reports text that was meant as JSON, whether it is or not.
func looksLikeJSON(s string) bool {
	if strings.HasPrefix(s, "```") {
		lang, body, _ := strings.Cut(s[3:], "\n")
		return strings.TrimSpace(lang) == "json" || looksLikeJSON(strings.TrimSpace(body)) && !strings.HasPrefix(strings.TrimSpace(body), "```")
	}
	if s == "" || s[0] != '{' && s[0] != '[' {
		return false
	}
	last := s[len(s)-1]
	return next(s, 0) == 0 || s[0] == '{' && last == '}' || s[0] == '[' && last == ']' && strings.ContainsAny(s, `{"'`)
}

// mentionsEnvelope reports text that was meant as an envelope or a directive.
func mentionsEnvelope(s string) bool {
	return strings.Contains(s, "assistant_text") || strings.Contains(s, "assistantText") || quoted(s, "directives") ||
		strings.Contains(s, "{") && (quoted(s, "type") && quoted(s, "payload") || quoted(s, "name") && (quoted(s, "arguments") || quoted(s, "parameters")))
}

// quoted reports a word in quotes of any kind.
func quoted(s, word string) bool {
	for {
		i := strings.Index(s, word)
		if i < 0 {
			return false
		}
		a, _ := utf8.DecodeLastRuneInString(s[:i])
		z, _ := utf8.DecodeRuneInString(s[i+len(word):])
		if i > 0 && isQuote(a) && (isQuote(z) || z == '\\') || i > 0 && s[i-1] == ';' && z == '&' {
			return true
		}
		s = s[i+len(word):]
	}
}

func isQuote(r rune) bool {
	return strings.ContainsRune("\"'`“”„‟＂‘’«»", r) && r != utf8.RuneError
}
