package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	counters = "人名個个位家件项項条條社つ種种台点份张款间部本冊"
	notLists = "月年日时時分秒円元週周回次歳岁号號%％" // after a number or a counter: a dimension
	hanDigit = "零一二三四五六七八九"
)

// countersCJK finds numbers followed by a counter: 20人, 三十个供应商. A number
// before 年, 月, 時 … is a dimension and is not reported.
func (t *Text) countersCJK() []Quantity {
	var out []Quantity
	s := t.Visible()
	kana := strings.IndexFunc(s, func(r rune) bool { return r >= 'ぁ' && r <= 'ヿ' }) >= 0
	for i := 0; i < len(s); {
		n, end := hanNumber(s, i)
		if end == i {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			continue
		}
		r, size := utf8.DecodeRuneInString(s[end:])
		after, _ := utf8.DecodeRuneInString(s[end+size:])
		// in Chinese an hour
		if r == '点' && (!kana || strings.HasSuffix(s[:i], "午前") || strings.HasSuffix(s[:i], "午後")) {
			i = end
			continue
		}
		if size > 0 && strings.ContainsRune(counters, r) && !strings.ContainsRune(notLists, after) {
			out = append(out, Quantity{Lo: n, Hi: n, Use: Count, Noun: -1})
		}
		i = end
	}
	return out
}

// Visible returns the text with masked parts as spaces of the same length.
func (t *Text) Visible() string {
	var b []byte
	for i := range t.Toks {
		tok := &t.Toks[i]
		if tok.Kind != Masked {
			continue
		}
		if b == nil {
			b = []byte(t.Src)
		}
		for k := tok.Start; k < tok.End; k++ {
			b[k] = ' '
		}
	}
	if b == nil {
		return t.Src
	}
	return string(b)
}

func hanScale(r rune) int {
	switch r {
	case '十':
		return 10
	case '百':
		return 100
	case '千':
		return 1000
	}
	return 0
}

// hanNumber reads ASCII, full width or Han numerals up to 9,999.
func hanNumber(s string, i int) (n, end int) {
	part, seen := 0, false
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if d, ok := digitValue(r); ok {
			part, seen = min(part*10+d, maxCount), true
		} else if d := strings.Index(hanDigit, string(r)); d >= 0 {
			part, seen = d/3, true
		} else if r == '两' || r == '兩' {
			part, seen = 2, true
		} else if scale := hanScale(r); scale > 0 {
			n, part, seen = min(n+max(part, 1)*scale, maxCount), 0, true
		} else {
			break
		}
		i += size
	}
	if !seen {
		return 0, i
	}
	return n + part, i
}

// sequences are the sequence words of languages without a Lexicon, by their first
// letter.
var sequences = func() map[rune][]string {
	m := map[rune][]string{}
	for _, w := range sets["sequence"] {
		r, _ := utf8.DecodeRuneInString(w)
		m[r] = append(m[r], w)
	}
	return m
}()

// orders reports that the sequence word w at i links clauses. In Latin script it begins
// one, also after a short word: "a na końcu".
func (t *Text) orders(i int, w string) bool {
	switch r, size := utf8.DecodeRuneInString(w); {
	case size == len(w):
		return t.sequence(i)
	case !unicode.Is(unicode.Latin, r):
		return true
	}
	after, _ := utf8.DecodeRuneInString(t.Src[i+len(w):])
	clause := t.Src[max(0, i-6):i]
	clause = clause[strings.LastIndexAny(clause, ",.;:!\n")+1:]
	return !unicode.IsLetter(after) && len(strings.TrimSpace(clause)) <= 3 &&
		(clause == "" || strings.HasSuffix(clause, " "))
}

// sequence reports that 先 or 再 at i orders clauses: 先 begins one or follows its
// subject, 再 follows a comma.
func (t *Text) sequence(i int) bool {
	before, _ := utf8.DecodeLastRuneInString(t.Src[:i])
	after, _ := utf8.DecodeRuneInString(t.Src[min(len(t.Src), i+3):])
	if strings.HasPrefix(t.Src[i:], "再") {
		return before == '，' || before == '。' || before == ',' || before == '、'
	}
	return !strings.ContainsRune("首优事祖率预领", before) && !strings.ContainsRune("生进前后天锋例", after)
}

// sequenceFlow splits at the sequence words of languages without a Lexicon:
// 首先…然后…最后, まず…次に…最後に, najpierw … potem … na końcu.
func (t *Text) sequenceFlow() Flow {
	type cut struct{ at, end int }
	var cuts []cut
	for i := 0; i < len(t.Src); {
		r, size := utf8.DecodeRuneInString(t.Src[i:])
		hit := ""
		for _, w := range sequences[unicode.ToLower(r)] {
			if strings.HasPrefix(t.Src[i+size:], w[size:]) && len(w) > len(hit) && t.orders(i, w) {
				hit = w
			}
		}
		if hit == "" {
			i += size
			continue
		}
		cuts = append(cuts, cut{i, i + len(hit)})
		i += len(hit)
	}
	var f Flow
	if len(cuts) == 1 { // "the client calls, the clerk answers, then …"
		f = t.commasCJK()
	}
	if len(cuts) < 2 {
		return f
	}
	if lead := t.lead(cuts[0].at); lead != "" {
		f.then(t.stepCJK(lead), false)
	}
	for k, c := range cuts {
		end := len(t.Src)
		if k+1 < len(cuts) {
			end = cuts[k+1].at
		}
		raw := t.Src[c.end:end]
		if at := strings.LastIndex(raw, ", "); at > 0 && len(strings.TrimSpace(raw[at+1:])) <= 3 {
			raw = raw[:at] // "…, a | na końcu"
		}
		if raw = strings.Trim(raw, ends); raw != "" {
			f.then(t.stepCJK(raw), false)
		}
	}
	f.Linked = len(f.Steps)
	return f
}

// ends are the marks around a clause.
const ends = " 　，、。,.\n\tに"

// lead is the clause before the first sequence word, if someone acts in it: "the
// clerk files it, then …".
func (t *Text) lead(end int) string {
	before := strings.TrimRight(t.Src[:end], " 　")
	clause := strings.Trim(before[strings.LastIndexAny(before, "。.：:！!？?\n")+1:], ends)
	if !strings.HasSuffix(before, "，") && !strings.HasSuffix(before, ",") && !strings.HasSuffix(before, "、") {
		return ""
	}
	if who, what := t.actor(clause); who == "" || what == "" {
		return ""
	}
	return clause
}

// commasCJK reads a text with one sequence word: three clauses, which commas part.
func (t *Text) commasCJK() (f Flow) {
	parts := strings.FieldsFunc(t.Src, func(r rune) bool { return strings.ContainsRune("，、,。.", r) })
	if len(parts) < 3 || strings.ContainsAny(t.Src, "？?：:") {
		return Flow{}
	}
	for _, part := range parts {
		part = strings.TrimSpace(part)
		r, size := utf8.DecodeRuneInString(part)
		for _, w := range sequences[unicode.ToLower(r)] {
			if strings.HasPrefix(part[size:], w[size:]) {
				part = strings.TrimSpace(part[len(w):])
				break
			}
		}
		if part != "" {
			f.then(t.stepCJK(part), false)
		}
	}
	f.Linked = len(f.Steps)
	return f
}

// ActingCJK reports Chinese or Japanese lines in each of which someone acts: 法务审核合同.
func ActingCJK(lines []string) bool {
	for _, line := range lines[:min(len(lines), maxSteps)] {
		t := Read(strings.Trim(line, ends))
		if who, what := t.actor(t.Src); !t.CJK || who == "" || what == "" {
			return false
		}
	}
	return len(lines) > 1
}

// stepCJK names a step of a language without a Lexicon.
func (t *Text) stepCJK(raw string) Step {
	s := Step{Raw: raw, Approves: assents(raw)}
	s.Owner, s.Name = t.actor(raw)
	s.Name = Capital(s.Name)
	return s
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits reads a run of decimal digits of any script.
func (s *scanner) digits(i int) (end, value, count int) {
	for i < len(s.src) {
		r, n := utf8.DecodeRuneInString(s.src[i:])
		d, ok := digitValue(r)
		if !ok {
			break
		}
		value = min(value*10+d, maxCount)
		count++
		i += n
	}
	return i, value, count
}

// digitValue knows ASCII and the decimal digits of every other script: those
// are in blocks of ten, which start where the character before is no digit.
func digitValue(r rune) (int, bool) {
	if '0' <= r && r <= '9' {
		return int(r - '0'), true
	}
	if r < utf8.RuneSelf || !unicode.IsDigit(r) {
		return 0, false
	}
	d := 0
	for d < 9 && unicode.IsDigit(r-rune(d)-1) {
		d++
	}
	return d, true
}
