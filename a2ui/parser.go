package a2ui

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/modeltext"
	"github.com/limn-ui/limn/a2ui/internal/v08"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// ParserOptions say how a Parser reads. The zero value reads every form and every
// version, and lets out what passes the basic catalog of its version.
type ParserOptions struct {
	// Rules are what messages must pass to leave. Dialect 0 = each message says
	// its own. Partial is always on: an answer may update what an earlier one
	// created. Limits bound the memory.
	Rules Rules
	// Validator, when given, is asked instead: it knows what earlier answers
	// created. Rules.Dialect is then what messages are read as.
	Validator *Validator
	// Check says how much must be right. The default is all.
	Check CheckLevel
	// DefaultCatalog judges surfaces that name no catalog by that of the rules,
	// for hosts that add its id themselves.
	DefaultCatalog bool

	// Unwrapped reads all input as one payload, without tags or text around it.
	Unwrapped bool
	// Strict reports a block that ends inside a message, instead of closing what
	// is open.
	Strict bool
	// KeepSpace keeps the white space around text; white space alone is not text.
	KeepSpace bool

	// Eager lets each component of an unfinished updateComponents leave as soon
	// as it is ready. By default the ready ones leave together once they are ten
	// times as long as the envelope that they need, about 1 KiB: all envelopes
	// together then add less than a tenth to the input.
	Eager bool
	// ProgressiveKeys are members of the data model whose strings may be closed
	// early: at the end of a Write inside such a string its message leaves as it
	// is, marked Early, and comes again. What is sent is then quadratic in the
	// length of such a message.
	ProgressiveKeys []string
	// Refs are more property names that hold component ids, of a custom catalog.
	Refs []string
	// Legacy reads as the first Python parser did: see LegacyParser.
	Legacy *LegacyParser
}

// CheckLevel says how much of a message must be right for it to leave a Parser.
type CheckLevel uint8

// The levels.
const (
	CheckRules CheckLevel = iota // it is decoded and passes the rules
	// JSON that is one known message with its required members, types of Rules.Catalog, if given, with
	// theirs
	CheckEnvelope
	CheckNothing // any JSON object
)

// LegacyParser is the mode of the first parsers, for clients that depend on it:
// all components that the root reaches come again whenever one of them changes,
// also when they are not complete, sorted by id; a child that has not arrived is
// an empty Row with the id loading_<id>; unreachable components never leave; data
// comes as its entries arrive; components wait until their surface is created, and
// a deletion that came before is forgotten then. What is sent is quadratic.
type LegacyParser struct {
	CuttableKeys []string // more keys whose strings may be closed early
}

// Part is text, or messages, in the order of the input. Messages of two tagged
// blocks are never in one part.
type Part struct {
	Text     string
	Messages []Parsed // nil = the part is text
}

// Parsed is one message, or a piece of one: the components of an updateComponents
// may leave in pieces, each once and in their order.
type Parsed struct {
	Dialect Dialect // 0 unless it was decoded, see CheckLevel
	Message Message // nil unless it was decoded
	JSON    []byte  // compact and healed, with its envelope
	Number  int     // of the message in the input, from 1; pieces share it
	Early   bool    // closed early: the message comes again, see ProgressiveKeys
	Healed  bool    // the input ended inside it, and the open brackets were closed

	head, tail int    // its components in JSON; tail 0 = no piece
	shows      string // the surface of a message that takes the place of the one before it
}

// Problems are the faults in the input of a Parser; their Line is the number of the
// message, 0 for a block that cannot be read. errors.As finds the first *Problem,
// errors.Is a code.
type Problems []Problem

// Error implements error: one line a problem.
func (p Problems) Error() string {
	var b []byte
	for i := range p {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, p[i].Error()...)
	}
	return string(b)
}

// Unwrap returns each as an error.
func (p Problems) Unwrap() []error {
	list := make([]error, len(p))
	for i := range p {
		list[i] = &p[i]
	}
	return list
}

// Parser takes A2UI out of the text of a model while it streams: blocks in
// <a2ui-json> tags, fenced blocks, JSON lines, arrays. It repairs the usual
// mistakes of models and returns everything else as text. The result does not
// depend on how the input was cut. A missing part, such as a root, is no problem
// here, since a later answer may bring it. It must not be used by two goroutines at once.
type Parser struct {
	opts    ParserOptions
	lim     Limits
	read    *modeltext.Parser
	decoder Decoder
	checks  [len(codecs)]*Validator
	spoken  map[string]Dialect // by surface: the version that it began in

	parts    []Part
	tag      int    // the tagged block of the last part
	text     []byte // of the part that is being written
	problems Problems
}

// maxNesting is how deep the brackets of one message may go.
const maxNesting = 64

// NewParser returns a parser for one answer of a model.
func NewParser(o ParserOptions) *Parser {
	p := &Parser{opts: o, lim: o.Rules.Limits.WithDefaults()}
	p.decoder.Limits = p.lim
	mo := modeltext.Options{
		Unwrapped: o.Unwrapped, Strict: o.Strict, KeepSpace: o.KeepSpace || o.Legacy != nil, Eager: o.Eager,
		Limit: p.lim.MessageBytes, Depth: maxNesting, Keys: o.ProgressiveKeys, Refs: o.Refs,
	}
	if o.Legacy != nil {
		mo.Legacy = &modeltext.Legacy{Keys: o.Legacy.CuttableKeys}
	}
	p.read = modeltext.New(mo, modeltext.Sink{
		Text:    func(b []byte) { p.text = append(p.text, b...) },
		Message: p.message,
		Fault:   func(problem *Problem) { p.problems = append(p.problems, *problem) },
	})
	return p
}

// Write reads the next bytes of the answer, cut anywhere, and returns what became
// complete. The error is Problems: a message that does not pass is left out and
// reading goes on; a block that cannot be read is reported at its end.
func (p *Parser) Write(chunk []byte) ([]Part, error) {
	p.read.Write(chunk)
	return p.take()
}

// Close ends the answer: brackets and strings that are open are closed, and what
// was held leaves.
func (p *Parser) Close() ([]Part, error) {
	p.read.Close()
	return p.take()
}

// ParseText reads a whole answer.
func ParseText(o ParserOptions, b []byte) ([]Part, error) {
	p := NewParser(o)
	p.read.Write(b)
	p.read.Close()
	return p.take()
}

func (p *Parser) take() ([]Part, error) {
	if p.parts == nil && p.problems == nil && len(p.text) == 0 {
		return nil, nil
	}
	p.endText()
	parts, problems := p.parts, p.problems
	p.parts, p.problems = nil, nil
	if problems != nil {
		return parts, problems
	}
	return parts, nil
}

func (p *Parser) endText() {
	if len(p.text) > 0 {
		p.parts = append(p.parts, Part{Text: string(p.text)})
		p.text = p.text[:0]
	}
}

// message adds a message to the parts if it passes.
func (p *Parser) message(m modeltext.Message) bool {
	out := Parsed{JSON: m.JSON, Number: m.Number, Early: m.Early, Healed: m.Healed, head: m.Head, tail: m.Tail,
		shows: m.Shows}
	problems := p.pass(&out)
	if problems != nil && m.Without != nil {
		out.JSON, out.head, out.tail = m.Without, 0, 0
		problems = p.pass(&out)
	}
	if problems != nil {
		if !m.Quiet && !m.Early {
			p.blame(m, problems)
		}
		return false
	}
	p.endText()
	n := len(p.parts)
	if n == 0 || p.parts[n-1].Messages == nil || m.Tag != p.tag {
		p.tag = m.Tag
		p.parts = append(p.parts, Part{Messages: []Parsed{out}})
		return true
	}
	last := &p.parts[n-1]
	if before := &last.Messages[len(last.Messages)-1]; before.Number == out.Number && before.tail > 0 && out.tail > 0 {
		before.join(out)
		return true
	}
	last.Messages = append(slices.DeleteFunc(last.Messages, func(before Parsed) bool {
		return out.shows != "" && before.shows == out.shows
	}), out)
	return true
}

// blame notes the problems of a message under its number and the numbers that
// its components have there.
func (p *Parser) blame(m modeltext.Message, problems []Problem) {
	for _, problem := range problems {
		problem.Line = m.Number
		if rest, ok := strings.CutPrefix(problem.Path, "/components/"); ok && m.First > 0 {
			index, below, _ := strings.Cut(rest, "/")
			if n, err := strconv.Atoi(index); err == nil {
				problem.Path = "/components/" + strconv.Itoa(n+m.First)
				if below != "" {
					problem.Path += "/" + below
				}
			}
		}
		p.problems = append(p.problems, problem)
	}
}

// join makes one message of two pieces that left together.
func (m *Parsed) join(next Parsed) {
	json := append(m.JSON[:m.tail], ',')
	at := len(json)
	json = append(json, next.JSON[next.head:]...)
	m.JSON, m.tail, m.Healed = json, at+next.tail-next.head, m.Healed || next.Healed
	if a, ok := m.Message.(*UpdateComponents); ok {
		if b, ok := next.Message.(*UpdateComponents); ok {
			a.Components = append(a.Components, b.Components...)
			a.Extra = append(a.Extra, b.Extra...)
		}
	}
}

// pass decodes and checks a message.
func (p *Parser) pass(m *Parsed) []Problem {
	switch p.opts.Check {
	case CheckNothing:
		if _, err := jsonx.Scan(m.JSON, wire.JSONLimits(p.lim)); err != nil {
			return []Problem{*wire.FromJSON(err, m.JSON, wire.EnvelopeUnreadable, LimitBytes)}
		}
		return nil
	case CheckEnvelope:
		if problem := modeltext.CheckEnvelope(m.JSON, p.typed); problem != nil {
			return []Problem{*problem}
		}
		return nil
	}
	d, msg, err := p.decoder.decode(m.JSON, p.opts.Rules.Dialect)
	if err != nil {
		return []Problem{*asProblem(err)}
	}
	if problem := p.speaks(d, msg); problem != nil {
		return []Problem{*problem}
	}
	m.Dialect, m.Message = d, msg
	check := p.opts.Validator
	if check == nil {
		check = p.checks[d]
	}
	if check == nil {
		rules := p.opts.Rules
		rules.Dialect, rules.Partial = d, true
		check = NewValidator(rules)
		p.checks[d] = check
	}
	if create, ok := msg.(*CreateSurface); ok && p.opts.DefaultCatalog && create.CatalogID == "" &&
		p.opts.Rules.Catalog != nil {
		named := *create
		named.CatalogID, msg = p.opts.Rules.Catalog.ID, &named
	}
	return check.Check([]Message{msg})
}

// maxSpoken is for how many surfaces a parser remembers their version.
const maxSpoken = 1 << 12

// speaks reports a message of another version than that of its surface.
func (p *Parser) speaks(d Dialect, m Message) *Problem {
	id := m.Surface()
	began, known := p.spoken[id]
	_, gone := m.(*DeleteSurface)
	switch {
	case id == "":
	case known && !began.sameVersion(d):
		problem := wire.Bad(EnvelopeInvalid, "/version", "%s", otherVersion(d, began))
		problem.Surface, problem.Hint = id, "delete it and create it again"
		return problem
	case gone:
		delete(p.spoken, id)
	case !known && len(p.spoken) < maxSpoken:
		if p.spoken == nil {
			p.spoken = map[string]Dialect{}
		}
		p.spoken[id] = d
	}
	return nil
}

// typed reports whether the catalog, if one is given, has a type, and whether its
// required properties are there.
func (p *Parser) typed(path, typ string, old bool, props jsonx.Node) *Problem {
	catalog := p.opts.Rules.Catalog
	if catalog == nil {
		return nil
	}
	name := typ
	if old {
		name = v08.TypeName(typ)
	}
	def := catalog.Components[name]
	if def == nil {
		return wire.Bad(ComponentUnknown, path, "the catalog has no component %q", typ)
	}
	for i := range def.Props {
		if prop := &def.Props[i]; prop.Required && !has(props, typ, prop.Name, old) {
			return wire.Bad(wire.ComponentProperty, path, "%s lacks its property %s", typ, prop.Name)
		}
	}
	return nil
}

// has looks for a property by its neutral name.
func has(props jsonx.Node, typ, name string, old bool) bool {
	if _, ok := props.Get(name); ok {
		return true
	}
	if old {
		for e := props.Entries(); e.OK(); e = e.Next() {
			if slices.ContainsFunc(v08.Rows(typ, e.Key()), func(row PropDef) bool { return row.Name == name }) {
				return true
			}
		}
	}
	return false
}

func asProblem(err error) *Problem {
	if problem, ok := err.(*Problem); ok {
		return problem
	}
	return wire.Bad(EnvelopeInvalid, "", "%v", err)
}

// The tags that a model puts around A2UI.
const (
	OpenTag  = "<a2ui-json>"
	CloseTag = "</a2ui-json>"
)

// Block is a piece of a model's answer as it is written: text, or the payload
// between two tags. Both are trimmed.
type Block struct {
	Text    string
	Payload string // not read yet; may be "" between tags
	Tagged  bool   // it is a payload
	Closed  bool   // its close tag is there
}

// Unwrap splits an answer at its tags and does not read the payloads between
// them; a close tag inside a JSON string ends nothing. Text without a character
// is left out, and so is a fence around tagged blocks.
func Unwrap(b []byte) []Block {
	var blocks []Block
	var said []byte
	endText := func() {
		if len(said) > 0 {
			blocks = append(blocks, Block{Text: string(said)})
			said = said[:0]
		}
	}
	m := modeltext.New(modeltext.Options{TagsOnly: true, Limit: max(len(b), 1), Depth: maxNesting}, modeltext.Sink{
		Text: func(b []byte) { said = append(said, b...) },
		Block: func(raw []byte, closed bool) {
			endText()
			blocks = append(blocks, Block{Payload: strings.TrimSpace(string(raw)), Tagged: true, Closed: closed})
		},
	})
	m.Write(b)
	m.Close()
	endText()
	var open *string // the text at the end of which a fence opens
	for i := range blocks {
		if blocks[i].Tagged {
			continue
		}
		text := &blocks[i].Text
		if open != nil && strings.HasPrefix(*text, "```") {
			*open, *text = openFence.ReplaceAllString(*open, ""), strings.TrimSpace((*text)[len("```"):])
		}
		if open = nil; openFence.MatchString(*text) {
			open = text
		}
	}
	return slices.DeleteFunc(blocks, func(b Block) bool { return !b.Tagged && b.Text == "" })
}

// openFence is the line of a fence that ends a text.
var openFence = regexp.MustCompile("\\s*(?:^|\n)```[A-Za-z0-9-]*$")

// Wrap writes messages as a tagged block: an array, one message a line. The error
// is that of AppendMessage.
func Wrap(d Dialect, msgs ...Message) ([]byte, error) {
	b := []byte(OpenTag + "\n[")
	var err error
	for i, m := range msgs {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		if b, err = AppendMessage(b, d, m); err != nil {
			return nil, err
		}
	}
	return append(b, "]\n"+CloseTag...), nil
}

// HasParts reports whether an answer has a tagged block that is closed.
func HasParts(b []byte) bool {
	for _, block := range Unwrap(b) {
		if block.Closed {
			return true
		}
	}
	return false
}

// FixPayload reads the text between tags as a list of plain JSON objects: one
// object, an array, {"messages":[…]} or objects one after the other. Curly quotes,
// commas too many and fences are healed; a payload that ends early is not, nor is
// one that is empty: the error is Problems.
func FixPayload(b []byte) ([]Data, error) {
	// a control character is escaped
	parts, err := ParseText(ParserOptions{Check: CheckNothing, Unwrapped: true, Strict: true,
		Rules: Rules{Limits: Limits{MessageBytes: 6*len(b) + 1}}}, b)
	if err != nil {
		return nil, err
	}
	var list []Data
	for _, part := range parts {
		for _, m := range part.Messages {
			v, err := jsonx.Parse(m.JSON, jsonx.Limits{Bytes: len(m.JSON), String: len(m.JSON), Depth: maxNesting + 1})
			if err != nil {
				return nil, Problems{*wire.FromJSON(err, m.JSON, wire.EnvelopeUnreadable, LimitBytes)}
			}
			list = append(list, v)
		}
	}
	return list, nil
}
