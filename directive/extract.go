package directive

import (
	"regexp"
	"slices"
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

// Words beside JSON, in lower case. Any of them but an opener makes a model write
// the envelope once more, by itself.
var (
	// examples are parts of words of what is shown, not said.
	examples = []string{"example", "e.g.", "for instance", "such as", "sample", "look like", "looks like", "format is", "illustrat", "demonstrat", "hypothetical", "template", "placeholder", "copy", "sieht so aus", "aussehen", "ressemble", "tendría", "aspecto", "beispiel", "z. b.", "z.b.", "ejemplo", "exemple", "esempio", "exemplo",
		"voorbeeld", "exempel", "eksempel", "esimerk", "przykład", "wygląda", "příklad", "vypad", "пример", "выгляд", "приклад", "вигляд", "例", "たとえば", "例えば", "예시", "예를", "مثال", "उदाहरण", "ตัวอย่าง", "ví dụ", "örnek", "örneğin", "contoh", "misal", "παράδειγμα", "μοιάζει", "דוגמה", "kwa mfano", "parece", "assomiglia", "zo uit"}
	// others are parts of announcements of what is not the model's answer.
	others = []string{"content", " file", "test case", " log", "tool", "server", "format is", "what ", "translat", "input", "your json", "this json", "inhalt", "datei", "contenu", "fichier", "contenido", "archivo", "格式如", "内容", "你发", "voisi", "formato è", "содержимое", "файл"}
	// retreats begin or stand in a sentence that takes back what is above it.
	retreats = []string{"wait", "actually", "do not", "don't", "did not", "didn't", "does not", "should not", "shouldn't", "ignore", "never", "no, ", "moment", "nicht", "nein", "attend", "espera", "нет,", "не надо", "不要", "等等", "待って", "ではなく"}
	// orders are what a person is told not to do.
	orders = []string{"never send", "never use", "never run", "do not send", "do not run", "do not use", "don't send", "don't run", "don't use"}
	// denials are parts of words that deny, suppose or quote, in writing that
	// does not part words, or whose word is two.
	denials = []string{"won't", "can't", "couldn't", "wouldn't", "didn't", "don't send", "don't use", "don't run", "don't do", "ne pas", "n'ai pas", "不要", "不会", "如果", "用户", "错误", "ユーザー", "ません", "사용자", "しない", "もし", "지 않", "만약", "नहीं", "अगर", "إذا", "लेकिन"}
	// hedges are words that do the same.
	hedges = []string{"not", "never", "cannot", "would", "could", "might", "if", "unless", "instead", "previously", "earlier", "wrote", "said", "sent", "wrong", "incorrect", "invalid", "draft", "geschrieben", "falsch", "écrit", "escribió", "dijo", "написал", "неверно", "неправильно", "неправильною", "nicht", "nie", "würde", "könnte", "falls", "wenn", "statt",
		"nunca", "podría", "habría", "si", "jamais", "pourrait", "aurait", "serait", "mai", "potrebbe", "poderia", "não", "niet", "nooit", "zou", "inte", "ikke", "hvis", "nigdy", "gdyby", "jeśli",
		"не", "нельзя", "бы", "б", "би", "якби", "если", "لا", "لن", "لو", "değil", "eğer", "tidak", "jika", "không", "nếu"}
	// openers begin words that say: this is my answer.
	openers = []string{"here", "sure", "okay", "certainly", "of course", "gerne", "natürlich", "claro", "bien sûr", "конечно", "好的", "response", "respon", "answer", "output", "result", "reply", "json", "following", "below", "envelope", "final", "assistant", "hier", "antwort", "ergebnis", "ausgabe", "folgt", "antwoord", "voici", "voilà", "réponse", "aquí", "respuesta", "aqui", "segue", "ecco", "rispost",
		"här", "svar", "tässä", "vastaus", "oto", "poniżej", "odpowied", "zde", "tady", "odpověď", "вот", "ответ", "ось", "відповід", "以下", "这是", "這是", "如下", "回答", "回复", "为您", "次の", "こちら", "답변", "여기", "다음", "إليك", "الرد", "الجواب", "التالي", "यह", "यहाँ", "उत्तर", "जवाब", "นี่", "คำตอบ", "đây", "trả lời", "işte", "yanıt", "cevap", "berikut", "jawaban", "εδώ", "ορίστε", "απάντηση", "הנה", "תשובה"}
)

// mentioned reports JSON at s[i:end] that the words beside it are about: it stands
// behind a word, a bracket, a quote or a question, before the rest of its
// sentence, inside a program or a quotation; or the sentence before it announces
// something else than an answer.
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
	if strings.HasPrefix(lastLine(before), ">") && (strings.Trim(before, "> \t\r\n") != "" || strings.Trim(s[end:], "> \t\r\n") != "") || strings.HasSuffix(before, "=") && !alone(s[:i], s[end:]) {
		return true
	}
	after = strings.TrimLeft(after, "\r\n~;,")
	next := strings.ToLower(firstSentence(after))
	if contains(next, examples) || contains(next, retreats) || strings.HasPrefix(next, "(") && hedged(next) {
		return true
	}
	trimmed = strings.TrimRight(trimmed, " \t\r\n")
	if fenced(trimmed) {
		trimmed = strings.TrimSuffix(trimmed, lastLine(trimmed)) // a fence between the sentence and its JSON
	}
	trimmed = strings.TrimRight(trimmed, " \t\r\n`*_")
	told := strings.TrimRight(trimmed, ":： ")
	last := strings.ToLower(strings.ReplaceAll(sentence(strings.TrimRight(told, "。！।")), "’", "'"))
	announced := told != trimmed || strings.HasPrefix(last, "#")
	return strings.HasSuffix(told, "?") || strings.HasSuffix(told, "？") || strings.HasSuffix(told, "؟") ||
		announced && last != "data" && (!opens(last) || contains(strings.ReplaceAll(last, "what you ", ""), others)) || contains(tail(told), examples) || contains(tail(told), orders) || hedged(last)
}

// hedged reports a sentence in lower case that denies, supposes or quotes.
func hedged(sentence string) bool {
	return contains(sentence, denials) || slices.ContainsFunc(strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }),
		func(w string) bool { return slices.Contains(hedges, w) })
}

func contains(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

// opens reports a sentence in lower case with an opener at the start of a word;
// scripts that do not part words have none.
func opens(sentence string) bool {
	return slices.ContainsFunc(openers, func(p string) bool {
		for i := 0; ; i += len(p) {
			at := strings.Index(sentence[i:], p)
			if at < 0 {
				return false
			}
			i += at
			r, _ := utf8.DecodeLastRuneInString(sentence[:i])
			if p[0] >= utf8.RuneSelf || !unicode.IsLetter(r) {
				return true
			}
		}
	})
}

// alone reports an assignment that is all there is, but for a fence.
func alone(before, after string) bool {
	head, _, _ := cutLast(before, "\n")
	return !strings.Contains(trim(head), "\n") && (strings.HasPrefix(head, "```") || !strings.Contains(before, "\n")) && strings.Trim(after, "`~; \t\r\n") == ""
}

// fenced reports that a line which opens or closes a code fence is the last one.
func fenced(before string) bool {
	line := lastLine(strings.TrimRight(before, " \t\r\n"))
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// lastLine is what stands last in a text, up to its line or 200 bytes, without
// white space around it. A longer line begins nothing that matters here.
func lastLine(s string) string {
	s = s[max(0, len(s)-200):]
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}

// firstSentence is the first one of a text, of at most 200 bytes.
func firstSentence(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), 200)], "")
	for _, stop := range []string{"\n", ". ", "! ", "? ", "。", "！", "？", "।", "؟"} {
		if i := strings.Index(s, stop); i > 0 {
			s = s[:i]
		}
	}
	return s
}

// tail is what stands last in a text, of at most 300 bytes, in lower case.
func tail(s string) string {
	return strings.ToLower(strings.ReplaceAll(strings.ToValidUTF8(s[max(0, len(s)-300):], ""), "’", "'"))
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
		if label, _, ok := strings.Cut(t, ":"); ok && slices.Contains(thoughtLabels, strings.Trim(label, "*# ")) {
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

// frame is what surrounds an answer and says nothing: fences, tags and labels
// of formats.
var frame = regexp.MustCompile("(?im)^[ \\t]*(?:`{3,}|~{3,})[ \\t]*(?:json[5c]?|javascript|js|text|plaintext)?[ \\t]*$|^[ \\t]*json[ \\t]*$|</?(?:answer|response|output|final|reply|message|text|result|assistant|json)>")

// worded reports words of any language, or signs like ✗, around JSON.
func worded(s string) bool {
	return strings.ContainsFunc(s, telling) && strings.ContainsFunc(frame.ReplaceAllString(s, ""), telling)
}

// mentionsEnvelope reports text that was meant as an envelope or a directive.
func mentionsEnvelope(s string) bool {
	return strings.Contains(s, "assistant_text") || strings.Contains(s, "assistantText") || quoted(s, "directives") ||
		strings.Contains(s, "{") && (quoted(s, "type") && quoted(s, "payload") || quoted(s, "name") && (quoted(s, "arguments") || quoted(s, "parameters")))
}

// protocol reports prose that names a part of an envelope: it speaks of one, not
// to a person.
func protocol(s string) bool {
	return strings.Contains(s, "assistant_text") || quoted(s, "directives") || quoted(s, "payload")
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
