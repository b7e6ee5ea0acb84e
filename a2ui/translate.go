package a2ui

import (
	"errors"
	"io"
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/translate"
)

// Loss is one thing that a translation could not carry: what, on which surface
// and in which component of the source, where, and in words.
type Loss = translate.Loss

// LossKind is the stable name of a loss: access, action, catalog, check,
// component, context, data, function, heading, icon, input, label, look,
// markdown, message, metadata, parsed, pending, property, scope, theme, typed or
// variant. Shown reports whether a user reads, enters or sends something else
// than with the original.
type LossKind = translate.Kind

// TranslatorOptions say where a translation leads.
type TranslatorOptions struct {
	To Dialect // required
	// Catalogs maps ids of catalogs of the source to ids that the target's
	// clients know. Basic and minimal catalogs are mapped without it.
	Catalogs map[string]string
	Limits   Limits // zero fields take their defaults
}

// Translator carries the messages of a stream to another dialect, one by one.
// It must not be used by two goroutines at once, and never changes a message it
// was given; its results may share memory with that.
//
// Each thing that the other version cannot carry is a Loss. If no Loss is Shown, the
// translation and the original show the same. Clients without functions get the results
// of functions as data, which follow the user's input with the server's next message.
//
// Where one of the dialects is v0.8 it keeps the components and the data of the
// surfaces that are open. Surfaces of v0.8 wait for their beginRendering; for
// v0.8 a surface waits for its root and all that it refers to, and an update for
// all that it refers to, which it repeats. Ids change where they must: the root
// of v0.8 becomes "root" (and a component "root" takes its id), ids for v0.8
// start with "c#", so that no text is taken for a component.
type Translator struct {
	to     Dialect
	inner  *translate.Translator
	spoken map[string]Dialect // by surface: what its server speaks
	buf    []byte
}

// NewTranslator returns a translator for a stream from its beginning.
func NewTranslator(o TranslatorOptions) *Translator {
	t := &Translator{to: o.To, spoken: map[string]Dialect{}}
	if o.To.codec() != nil {
		t.inner = translate.New(side(o.To), translate.Config{Catalogs: o.Catalogs, Limits: o.Limits.WithDefaults()})
	}
	return t
}

// side has the features and catalogs of a dialect: none for one without codec.
func side(d Dialect) *translate.Side {
	if int(d) >= len(sides) {
		return sides[0]
	}
	return sides[d]
}

var sides = func() (out [len(codecs)]*translate.Side) {
	for i := range out {
		d := Dialect(i)
		out[d] = &translate.Side{Features: d.Features(), Catalog: Basic(d), Minimal: Minimal(d),
			Escape: func(component, variant, property, text string) string {
				return Escape(d, component, variant, property, text)
			}}
	}
	return out
}()

// Message translates a message of dialect from, as DecodeMessage returns both.
// What comes out is in the order to send it, and AppendMessage can write all of
// it in the target's dialect; it may be nothing, or something that waited. For a
// dialect without codec all is lost.
func (t *Translator) Message(from Dialect, m Message) ([]Message, []Loss) {
	if t.inner == nil || from.codec() == nil || m == nil {
		return nil, []Loss{{What: translate.Message, Message: "there is no codec for it"}}
	}
	if id := m.Surface(); id != "" {
		if began := t.spoken[id]; began != 0 && !began.sameVersion(from) {
			return nil, []Loss{{What: translate.Message, Surface: id, Path: "/version",
				Message: otherVersion(from, began)}}
		}
		t.spoken[id] = from
		if _, gone := m.(*DeleteSurface); gone {
			delete(t.spoken, id)
		}
	}
	return t.writable(t.inner.Message(side(from), m))
}

// otherVersion says why a message of d is not about a surface that began in another
// version: no client takes it.
func otherVersion(d, began Dialect) string {
	return "a message of " + d.String() + " for a surface that began in " + began.String()
}

// Flush ends a turn, or the stream: what waits for components that have not come
// is sent with an empty place for each of them.
func (t *Translator) Flush() ([]Message, []Loss) {
	if t.inner == nil {
		return nil, nil
	}
	return t.writable(t.inner.Flush())
}

// Client translates a message from a client of the target to the server of its
// surface: ids and contexts are those that the server knows. d is what that
// server speaks, 0 when no surface shows it; nil means that it has no message for
// it.
func (t *Translator) Client(m ClientMessage) (d Dialect, _ ClientMessage, _ []Loss) {
	switch m := m.(type) {
	case *Action:
		d = t.spoken[m.SurfaceID]
	case *ClientError:
		d = t.spoken[m.SurfaceID]
	case *CallAgent:
		d = t.spoken[m.SurfaceID]
	}
	if t.inner == nil || d == 0 {
		return 0, m, nil
	}
	out, losses := TranslateClient(t.to, d, t.inner.Back(m))
	return d, out, losses
}

// TranslateClient translates a client message without its surface: ids and
// contexts stay as they are. nil means that the other dialect has no message for
// it.
func TranslateClient(from, to Dialect, m ClientMessage) (ClientMessage, []Loss) {
	if from == to || from.codec() == nil || to.codec() == nil {
		return m, nil
	}
	return translate.Client(side(to), m)
}

// writable takes out values that the codec refuses, such as a literal that the dialect
// would read as a binding.
func (t *Translator) writable(in []Message, losses []Loss) ([]Message, []Loss) {
	out := in[:0]
	for _, m := range in {
		for m != nil {
			var err error
			var p *Problem
			if t.buf, err = AppendMessage(t.buf[:0], t.to, m); err == nil || !errors.As(err, &p) {
				break
			}
			l := Loss{What: translate.Message, Surface: m.Surface(), Component: p.Component, Path: p.Path,
				Message: p.Message}
			if m = without(m, p.Component, p.Path); m != nil {
				l.What = translate.Property
			}
			losses = append(losses, l)
		}
		if m != nil {
			out = append(out, m)
		}
	}
	return out, losses
}

// without returns a message without one property of one component, nil when
// there is no such property.
func without(m Message, id, path string) Message {
	update, ok := m.(*UpdateComponents)
	if !ok {
		return nil
	}
	next := *update
	next.Components = slices.Clone(update.Components)
	for i := range next.Components {
		c := &next.Components[i]
		if c.ID != id {
			continue
		}
		for k, p := range c.Props {
			if path == "/"+p.Name {
				c.Props = slices.Delete(slices.Clone(c.Props), k, k+1)
				return &next
			}
		}
	}
	return nil
}

// Translate reads messages of any dialect from r, one on each line or a list of
// them, and writes them to w in the dialect of the options. Client messages are translated too,
// without their surfaces. Every loss goes to report with the number of the line,
// 0 for what waited until the end; report may be nil. It holds one line and the
// surfaces that are open, and stops at the first line that is no message.
func Translate(w io.Writer, r io.Reader, o TranslatorOptions, report func(line int, l Loss)) error {
	t := NewTranslator(o)
	if t.inner == nil {
		return o.To.unknown(EnvelopeInvalid)
	}
	if report == nil {
		report = func(int, Loss) {}
	}
	for line, err := range ReadLines(r, o.Limits) {
		if err != nil {
			return err
		}
		if err := t.line(w, line, report); err != nil {
			return err
		}
	}
	msgs, losses := t.Flush()
	return t.write(w, 0, msgs, losses, report)
}

// decodeAll reads a line with one message, or with a list.
func (l Line) decodeAll() (Dialect, []Message, error) {
	if l.Bytes[0] == '[' {
		d, list, err := DecodeMessages(l.Bytes)
		return d, list, l.number(err)
	}
	d, m, err := l.Decode()
	return d, []Message{m}, err
}

// line translates one line.
func (t *Translator) line(w io.Writer, line Line, report func(int, Loss)) error {
	d, list, err := line.decodeAll()
	if err == nil {
		for _, m := range list {
			msgs, losses := t.Message(d, m)
			if err := t.write(w, line.Number, msgs, losses, report); err != nil {
				return err
			}
		}
		return nil
	}
	var p *Problem
	if !errors.As(err, &p) || p.Code != EnvelopeClientMessage {
		return err
	}
	d, c, err := line.DecodeClient()
	if err != nil {
		return err
	}
	c, losses := TranslateClient(d, t.to, c)
	for _, l := range losses {
		report(line.Number, l)
	}
	if c == nil {
		return nil
	}
	if t.buf, err = AppendClient(t.buf[:0], t.to, c); err != nil {
		return err
	}
	_, err = w.Write(append(t.buf, '\n'))
	return err
}

func (t *Translator) write(w io.Writer, line int, msgs []Message, losses []Loss, report func(int, Loss)) error {
	for _, l := range losses {
		report(line, l)
	}
	for _, m := range msgs {
		var err error
		if t.buf, err = AppendMessage(t.buf[:0], t.to, m); err != nil {
			return err
		}
		if _, err = w.Write(append(t.buf, '\n')); err != nil {
			return err
		}
	}
	return nil
}
