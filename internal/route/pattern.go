package route

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/prose"
)

// files hold the patterns of the rules. A line "name:" begins a rule; the indented
// lines below it are its patterns, each with an example that it matches. They
// are tried in order and the first that matches decides; if it begins with "-",
// the rule fails. A line "$name: …" names a set of tokens; "#" begins a comment.
//
// A pattern is a list of elements, each for the tokens that follow:
//
//	stop|quit          one of these words; an alternative such as "as_if" is several
//	@Negation          a word of the class; @Item+Plural: of both classes
//	$name              a token of the set; $a|word|@Class combine
//	~  #  _            a word; a number or number word; any token of the range
//	, : -- -> ] >      these marks
//	x?                 x or nothing
//	..3  ..            up to three tokens, or any, but no stop
//	>x                 the tokens before the first x of the range
//	&x  !x             what follows is x, is not x
//	<x  <2:x  <..4:x   the token before, two before, one of the four before is x; !<x: is not
//	{rule}             the tokens that the rule matches; &{rule} and !{rule} as above
//	3+  3-             at least, at most three tokens are left in the range
//	?  ^  END  ()      a question mark ends the range; its text's start; its end; nothing
//
// testdata/rules holds sentences for each rule, half of them near misses.
//
//go:embed rules/*.txt verbal/*.txt
var files embed.FS

// maxWords bounds the words of the rules.
const maxWords = 1024

// words is a set of words by their numbers.
type words [maxWords / 64]uint64

// set is a set of tokens.
type set struct {
	ids   words
	class prose.Class
	all   []prose.Class // every class of one of these
	kinds uint16
	marks string
}

// op says what an elem does.
type op byte

const (
	opToken op = iota
	opLook
	opBehind
	opGap
	opSeek
	opCall
	opAtLeast
	opAtMost
	opAsked
	opStart
	opEnd
)

// elem is one element of a pattern.
type elem struct {
	op       op
	not      bool
	set      *set
	rule     *rule // of opCall and opLook, nil = set
	from, to int   // distances of opBehind; to is also the number of the others
}

type pattern struct {
	elems  []elem
	except bool
	source string // "control.txt:12: stop it with // stop it with the forms"
}

// rule is a list of patterns by name.
type rule struct {
	name     string
	patterns []pattern
	first    *set // the tokens that a match can begin with, nil = any
}

// rulebook is all rules, with the numbers of their words.
type rulebook struct {
	rules map[string]*rule
	sets  map[string]*set
	words map[string]uint16
	sizes [256]uint32     // by first byte, a bit for each length of a word
	named map[string]bool // the rules that the program asks for
	from  string          // the file, or the directory
}

var rules = rulesIn("rules", "")

// rulesIn reads a file of a directory, or all of them. They are part of the program: a
// fault is a bug, which the tests find.
func rulesIn(dir, only string) *rulebook {
	list, err := files.ReadDir(dir)
	texts := map[string]string{}
	for _, f := range list {
		if only == "" || f.Name() == only {
			text, bad := files.ReadFile(dir + "/" + f.Name())
			texts[f.Name()], err = string(text), errors.Join(err, bad)
		}
	}
	b, bad := readRules(texts)
	if err = errors.Join(err, bad); err != nil {
		panic(err)
	}
	b.from = path.Join(dir, only)
	return b
}

// the returns a rule by name.
func the(name string) *rule { return rules.the(name) }

func (b *rulebook) the(name string) *rule {
	r := b.rules[name]
	if r == nil {
		panic(b.from + ": no rule " + name)
	}
	b.named[name] = true
	return r
}

type source struct {
	rule *rule
	at   string // file:line
	text string // the pattern
}

// readRules reads files by name.
func readRules(texts map[string]string) (*rulebook, error) {
	b := &rulebook{rules: map[string]*rule{}, sets: map[string]*set{}, words: map[string]uint16{},
		named: map[string]bool{}}
	var patterns, sets []source
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		p, s, err := b.split(name, texts[name])
		if err != nil {
			return nil, err
		}
		patterns, sets = append(patterns, p...), append(sets, s...)
	}
	var err error
	for _, s := range sets {
		name, text, _ := strings.Cut(s.text, ":")
		if b.sets[name], err = b.set(strings.Fields(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", s.at, err)
		}
	}
	for _, p := range patterns {
		if err := b.pattern(p); err != nil {
			return nil, fmt.Errorf("%s: %w", p.at, err)
		}
	}
	for _, r := range b.rules {
		if r.first, err = b.firstOf(r, 0); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// split finds the patterns and sets of a file.
func (b *rulebook) split(name, text string) (patterns, sets []source, err error) {
	var current *rule
	for n, line := range strings.Split(text, "\n") {
		at := fmt.Sprintf("%s:%d", name, n+1)
		body := strings.TrimSpace(line)
		switch {
		case body == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "$"):
			current = nil
			sets = append(sets, source{at: at, text: body})
		case line[0] != ' ':
			title, ok := strings.CutSuffix(body, ":")
			if !ok || b.rules[title] != nil {
				return nil, nil, fmt.Errorf("%s: want the name of a new rule and a colon, got %q", at, body)
			}
			current = &rule{name: title}
			b.rules[title] = current
		case current == nil && len(sets) > 0:
			sets[len(sets)-1].text += " " + body // the set goes on
		case current == nil:
			return nil, nil, fmt.Errorf("%s: a pattern outside a rule", at)
		default:
			patterns = append(patterns, source{rule: current, at: at, text: body})
		}
	}
	return patterns, sets, nil
}

// pattern adds the patterns of a line to its rule: one for each choice among
// alternatives of several words.
func (b *rulebook) pattern(s source) error {
	text, _, _ := strings.Cut(s.text, " // ")
	p := pattern{source: s.at + ": " + s.text}
	fields := strings.Fields(text)
	if len(fields) > 0 && fields[0] == "-" {
		p.except, fields = true, fields[1:]
	}
	for _, choice := range choices(fields) {
		p.elems = nil
		for _, f := range choice {
			e, err := b.elem(f)
			if err != nil {
				return err
			}
			p.elems = append(p.elems, e)
		}
		s.rule.patterns = append(s.rule.patterns, p)
	}
	return nil
}

// choices takes optional elements and alternatives of several words apart.
func choices(fields []string) [][]string {
	for i, f := range fields {
		with := func(middle ...string) [][]string {
			return choices(slices.Concat(fields[:i], middle, fields[i+1:]))
		}
		if x, ok := strings.CutSuffix(f, "?"); ok && x != "" {
			return append(with(x), with()...)
		}
		if len(f) < 3 || strings.ContainsAny(f[:1], "{&!<>") || !strings.Contains(f, "_") {
			continue
		}
		var out [][]string
		var single []string
		for alt := range strings.SplitSeq(f, "|") {
			if strings.Contains(alt, "_") {
				out = append(out, with(strings.Split(alt, "_")...)...)
			} else {
				single = append(single, alt)
			}
		}
		if len(single) > 0 {
			out = append(out, with(strings.Join(single, "|"))...)
		}
		return out
	}
	return [][]string{fields}
}

// marks are the elements that mean one kind of token.
var marks = map[string]prose.Kind{",": prose.Comma, ".": prose.Stop, ":": prose.Colon, "--": prose.Dash,
	"->": prose.Arrow, "~": prose.Word}

func (b *rulebook) elem(f string) (e elem, err error) {
	number := func(s string) int {
		n, bad := strconv.Atoi(s)
		if bad != nil || n < 1 {
			err = fmt.Errorf("%q: %q is no number", f, s)
		}
		return n
	}
	switch {
	case f == "?":
		return elem{op: opAsked}, nil
	case f == "^":
		return elem{op: opStart}, nil
	case f == "END":
		return elem{op: opEnd}, nil
	case f == "()":
		return elem{op: opAtLeast}, nil
	case f == "..":
		return elem{op: opGap, to: prose.MaxRead}, nil
	case strings.HasPrefix(f, ".."):
		return elem{op: opGap, to: number(f[2:])}, err
	case len(f) == 2 && f[1] == '+':
		return elem{op: opAtLeast, to: number(f[:1])}, err
	case len(f) == 2 && f[1] == '-' && f != "--":
		return elem{op: opAtMost, to: number(f[:1])}, err
	case f[0] == '{':
		name := strings.Trim(f, "{}")
		if b.rules[name] == nil {
			return e, fmt.Errorf("no rule %q", name)
		}
		return elem{op: opCall, rule: b.rules[name]}, nil
	case f[0] == '>' && len(f) > 1:
		e = elem{op: opSeek}
		e.set, err = b.set([]string{f[1:]})
		return e, err
	}
	return b.around(f)
}

// around reads the elements that look ahead and back, and plain ones.
func (b *rulebook) around(f string) (e elem, err error) {
	if x, ok := strings.CutPrefix(f, "!"); ok && x != "" {
		e.op, e.not, f = opLook, true, x
	} else if x, ok := strings.CutPrefix(f, "&"); ok && x != "" {
		e.op, f = opLook, x
	}
	if x, ok := strings.CutPrefix(f, "<"); ok && x != "" {
		e.op, e.from, e.to, f = opBehind, 1, 1, x
		if distance, x, ok := strings.Cut(f, ":"); ok && distance != "" {
			upTo := strings.HasPrefix(distance, "..")
			if e.to, err = strconv.Atoi(strings.TrimPrefix(distance, "..")); err != nil {
				return e, fmt.Errorf("%q: the distance is no number", f)
			}
			if f = x; !upTo {
				e.from = e.to
			}
		}
	} else if e.op == opLook && f[0] == '{' {
		call, err := b.elem(f)
		e.rule = call.rule
		return e, err
	}
	e.set, err = b.set([]string{f})
	return e, err
}

// set reads alternatives.
func (b *rulebook) set(fields []string) (*set, error) {
	s := &set{}
	for _, f := range fields {
		for alt := range strings.SplitSeq(f, "|") {
			if err := b.alternative(s, alt); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

func (b *rulebook) alternative(s *set, alt string) error {
	kind, isMark := marks[alt]
	switch {
	case alt == "":
		return fmt.Errorf("an empty alternative")
	case isMark:
		s.kinds |= 1 << kind
	case alt == "_":
		s.kinds = ^uint16(0)
	case alt == "#":
		s.kinds |= 1 << prose.Number
		s.class |= prose.NumWord
	case alt == "]" || alt == ">":
		s.marks += alt
	case alt[0] == '$':
		other := b.sets[alt]
		if other == nil {
			return fmt.Errorf("no set %s above", alt)
		}
		s.join(other)
	case alt[0] == '@':
		classes, err := prose.ClassOf(alt[1:])
		if err != nil {
			return err
		}
		if strings.Contains(alt, "+") {
			s.all = append(s.all, classes)
		} else {
			s.class |= classes
		}
	case strings.ContainsAny(alt, "{}<>&!$@._?"):
		return fmt.Errorf("%q is no word", alt)
	case len(b.words) == maxWords-1 && b.words[alt] == 0:
		return fmt.Errorf("more than %d words", maxWords-1)
	default:
		s.add(b.word(alt))
	}
	return nil
}

// number returns the number of a word, 0 if no rule has it.
func (b *rulebook) number(w string) uint16 {
	if w == "" || b.sizes[w[0]]>>(len(w)&31)&1 == 0 {
		return 0
	}
	return b.words[w]
}

// word returns the number of a word, from 1; it adds one that is new.
func (b *rulebook) word(w string) uint16 {
	if b.words[w] == 0 {
		b.words[w] = uint16(len(b.words) + 1)
		b.sizes[w[0]] |= 1 << (len(w) & 31)
	}
	return b.words[w]
}

func (s *set) add(id uint16) { s.ids[id>>6] |= 1 << (id & 63) }

// join adds what o holds.
func (s *set) join(o *set) {
	for i, bits := range o.ids {
		s.ids[i] |= bits
	}
	s.class |= o.class
	s.all = append(s.all, o.all...)
	s.kinds |= o.kinds
	s.marks += o.marks
}

// firstOf returns the tokens that a match of the rule can begin with, nil for
// any. A rule that calls itself has no first token.
func (b *rulebook) firstOf(r *rule, depth int) (*set, error) {
	if depth > 20 {
		return nil, fmt.Errorf("rule %s calls itself", r.name)
	}
	all := &set{}
	for _, p := range r.patterns {
		if p.except {
			continue
		}
		s, err := b.firstOfElems(p.elems, depth)
		if err != nil || s == nil {
			return nil, err
		}
		all.join(s)
	}
	return all, nil
}

func (b *rulebook) firstOfElems(elems []elem, depth int) (*set, error) {
	for _, e := range elems {
		switch {
		case e.op == opCall, e.op == opLook && e.rule != nil && !e.not:
			return b.firstOf(e.rule, depth+1)
		case e.op == opToken, e.op == opLook && !e.not:
			return e.set, nil
		case e.op == opGap, e.op == opSeek:
			return nil, nil
		}
	}
	return nil, nil
}
