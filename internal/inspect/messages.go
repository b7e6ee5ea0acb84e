package inspect

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// versions are those that messages are translated to.
var versions = []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10}

// messages shows A2UI in its version, and translated to the others.
func (c *compiler) messages(text string) {
	from, list, ok := c.decode(text)
	if !ok || len(list) == 0 {
		return
	}
	for _, p := range a2ui.Validate(a2ui.Rules{Dialect: from}, list) {
		c.found(Problem{Where: from.String(), Code: ui.Code(p.Code),
			Path: strings.TrimSpace(p.Component + " " + p.Path), Message: p.Message, Hint: p.Hint})
	}
	for _, d := range versions {
		if d == from || d.Protocol() == from.Protocol() {
			c.show(from.String(), from, list)
			continue
		}
		to, out := a2ui.NewTranslator(a2ui.TranslatorOptions{To: d}), []a2ui.Message(nil)
		for _, m := range list {
			translated, losses := to.Message(from, m)
			out = append(out, translated...)
			for _, l := range losses {
				c.found(Problem{Where: "to " + d.String(), Code: ui.Code(l.What), Message: l.Message,
					Path: strings.TrimSpace(l.Component + " " + l.Path)})
			}
		}
		c.show(d.String(), d, out)
	}
}

// decode reads messages in any of the forms of KindA2UI.
func (c *compiler) decode(text string) (from a2ui.Dialect, list []a2ui.Message, ok bool) {
	limits := jsonx.Limits{Bytes: MaxSource}
	doc, err := jsonx.Scan([]byte(text), limits)
	if err == nil {
		root := doc.Root()
		if root.Kind() == jsonx.Object && root.At("messages").Kind() == jsonx.Array {
			root = root.At("messages")
		}
		if root.Kind() != jsonx.Array {
			return c.one(text, root, 0, nil)
		}
		ok = true
		for i := 0; i < root.Len() && ok; i++ {
			node, _ := root.Item(i)
			from, list, ok = c.one(text, node, from, list)
		}
		return from, list, ok
	}
	var bad *jsonx.Error
	at := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			doc, scan := jsonx.Scan([]byte(line), limits)
			if errors.As(scan, &bad) {
				if at == 0 { // not even the first line: it is no list of lines
					errors.As(err, &bad)
				}
				p := Problem{Where: "error", Code: ui.Code(a2ui.EnvelopeInvalid), Message: bad.Msg}
				p.Line, p.Column = position(text, at+bad.Offset)
				c.found(p)
				return from, nil, false
			}
			if from, list, ok = c.one(text[at:], doc.Root(), from, list); !ok {
				last := &c.out.Found[len(c.out.Found)-1]
				before, _ := position(text, at)
				last.Line += before - 1
				return from, nil, false
			}
		}
		at += len(line)
	}
	return from, list, ok
}

// one adds one message to a list, or the problem that it has.
func (c *compiler) one(text string, node jsonx.Node, from a2ui.Dialect,
	list []a2ui.Message) (a2ui.Dialect, []a2ui.Message, bool) {
	b := jsonx.Append(nil, node.Value())
	d, m, err := a2ui.DecodeMessage(b)
	if from != 0 {
		d = from
		m, err = a2ui.DecodeMessageAs(from, b)
	}
	if err == nil {
		return d, append(list, m), true
	}
	p := Problem{Where: "error", Message: err.Error()}
	if e, ok := errors.AsType[*a2ui.Problem](err); ok {
		p.Code, p.Path, p.Message, p.Hint = ui.Code(e.Code), e.Path, e.Message, e.Hint
	}
	p.Line, p.Column = position(text, follow(bodyOf(node), p.Path).Off())
	c.found(p)
	return from, nil, false
}

// bodyOf is the object in a message that paths of problems begin at.
func bodyOf(message jsonx.Node) jsonx.Node {
	if message.Kind() == jsonx.Object {
		for e := message.Entries(); e.OK(); e = e.Next() {
			if e.Value().Kind() == jsonx.Object {
				return e.Value()
			}
		}
	}
	return message
}

// placed is a problem with the place of its path in a JSON text.
func placed(p Problem, text string) Problem {
	doc, err := jsonx.Scan([]byte(text), jsonx.Limits{})
	if err == nil && p.Line == 0 && strings.HasPrefix(p.Path, "/") {
		p.Line, p.Column = position(text, follow(doc.Root(), p.Path).Off())
	}
	return p
}

// follow is the node that a path leads to, or the last one on the way that is there.
func follow(n jsonx.Node, path string) jsonx.Node {
	keys, err := jsonptr.Split(path)
	if err != nil {
		return n
	}
	for _, key := range keys {
		next, there := n.Get(key)
		if i, ok := jsonptr.Index(key); n.Kind() == jsonx.Array && ok {
			next, there = n.Item(i)
		}
		if !there {
			return n
		}
		n = next
	}
	return n
}

// position is the line and the column, in characters, of a byte; both from 1.
func position(text string, off int) (line, column int) {
	before := text[:min(max(off, 0), len(text))]
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
