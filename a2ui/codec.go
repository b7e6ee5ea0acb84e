package a2ui

import (
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/jsonwire"
	"github.com/limn-ui/limn/a2ui/internal/v08"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// codecs is where the versions are plugged in; a dialect without one is known
// by name only.
var codecs = [...]*wire.Codec{
	V08:    v08.Codec(),
	V09:    jsonwire.Codec(jsonwire.V09),
	V091:   jsonwire.Codec(jsonwire.V091),
	V10RC:  jsonwire.Codec(jsonwire.V10RC),
	V10:    jsonwire.Codec(jsonwire.V10),
	V10Oct: jsonwire.Codec(jsonwire.V10Oct),
}

func (d Dialect) codec() *wire.Codec {
	if int(d) >= len(codecs) {
		return nil
	}
	return codecs[d]
}

func (d Dialect) unknown(code Code) *Problem {
	return wire.Bad(code, "", "there is no codec for %s", d)
}

// AppendMessage writes m as one compact JSON object. A message that the dialect
// cannot express (a function call on v0.8, an unknown value) is a *Problem, and
// dst comes back as it was; nothing is dropped silently. A message that passes a
// Validator can be written.
func AppendMessage(dst []byte, d Dialect, m Message) ([]byte, error) {
	c := d.codec()
	if c == nil {
		return dst, d.unknown(EnvelopeInvalid)
	}
	return c.Append(dst, m)
}

// DecodeMessage reads one server message of any version: v0.8 has no version
// member. The error is a *Problem. What it reads, AppendMessage writes back with
// the same meaning.
//
// Decoding what AppendMessage wrote of m gives m, if m has the form that DecodeMessage
// returns: the root of a v0.9 surface is "root"; a v0.8 ChoicePicker has a variant, written
// last if it is multipleSelection; a text is a String and no Literal.
func DecodeMessage(b []byte) (Dialect, Message, error) {
	return new(Decoder).decode(b, 0)
}

// DecodeMessageAs is DecodeMessage for a client or server known to speak d; the
// version member must fit.
func DecodeMessageAs(d Dialect, b []byte) (Message, error) {
	_, m, err := new(Decoder).decode(b, d)
	return m, err
}

// Decoder reads one message after another, quicker than DecodeMessage since it
// uses its working memory again. The zero Decoder is ready; it must not be used
// by two goroutines at once.
type Decoder struct {
	Limits Limits // zero fields take their defaults
	doc    jsonx.Doc
}

// Message is DecodeMessage. What it returns does not change with later calls;
// its texts are parts of one copy of b.
func (r *Decoder) Message(b []byte) (Dialect, Message, error) { return r.decode(b, 0) }

// client is DecodeClient.
func (r *Decoder) client(b []byte) (Dialect, ClientMessage, error) {
	if err := r.doc.Scan(b, wire.JSONLimits(r.Limits.WithDefaults())); err != nil {
		return 0, nil, wire.FromJSON(err, b, ClientInvalid, wire.ClientTooLarge)
	}
	v := r.doc.Root()
	d, problem := detect(v, 0, ClientInvalid)
	if problem != nil {
		return d, nil, problem
	}
	m, err := d.codec().DecodeClient(v)
	return d, m, err
}

func (r *Decoder) decode(b []byte, d Dialect) (Dialect, Message, error) {
	lim := r.Limits.WithDefaults()
	if len(b) > lim.MessageBytes {
		return d, nil, wire.Bad(LimitBytes, "", "the message has %d bytes, the limit is %d", len(b), lim.MessageBytes)
	}
	if err := r.doc.Scan(b, wire.JSONLimits(lim)); err != nil {
		return d, nil, wire.FromJSON(err, b, EnvelopeInvalid, LimitBytes)
	}
	v := r.doc.Root()
	d, problem := detect(v, d, EnvelopeInvalid)
	if problem != nil {
		return d, nil, problem
	}
	m, err := d.codec().Decode(v)
	return d, m, err
}

// Inspect lists every fault for which DecodeMessage refuses a message, not the first
// alone. It returns no decoded message. d is 0 if the version may be any.
func (r *Decoder) Inspect(b []byte, d Dialect) []Problem {
	found, _, err := r.decode(b, d)
	if err == nil {
		return nil
	}
	first := asProblem(err)
	out := []Problem{*first}
	if first.Column > 0 || first.Code == LimitBytes { // it was not read to its end
		return out
	}
	root := r.doc.Root()
	if other := guess(root, found); other != found {
		found = other
		if !root.At("version").Found() {
			out = []Problem{*first, *wire.Bad(EnvelopeInvalid, "/version", "a message of %s needs its version", found)}
		}
	}
	if c := found.codec(); c != nil {
		for _, p := range c.Inspect(root) {
			if p.Path != first.Path && (p.Path != "" || first.Path != "") {
				out = append(out, *p)
			}
		}
	}
	return out
}

// guess finds the dialect that has a message of such a name: known, if it has.
func guess(root jsonx.Node, known Dialect) Dialect {
	for e := root.Entries(); e.OK(); e = e.Next() {
		if c := known.codec(); c != nil && c.Parts[e.Key()] != nil {
			return known
		}
	}
	for e := root.Entries(); e.OK(); e = e.Next() {
		for d, c := range codecs {
			if c != nil && c.Parts[e.Key()] != nil {
				return Dialect(d)
			}
		}
	}
	return known
}

// detect finds the dialect of an envelope, or checks the one that is known.
func detect(v jsonx.Node, known Dialect, code Code) (Dialect, *Problem) {
	if v.Kind() != jsonx.Object {
		return known, wire.Bad(code, "", "a message is an object, not %s", v.Kind())
	}
	version, has := v.Get("version")
	if has && version.Kind() != jsonx.String {
		return known, wire.Bad(code, "/version", "version must be a string, not %s", version.Kind())
	}
	fits := func(c *wire.Codec) bool {
		return c != nil && (has && slices.Contains(c.Versions, version.Text()) || !has && len(c.Versions) == 0)
	}
	if known != 0 {
		if known.codec() == nil {
			return known, known.unknown(code)
		}
		if !fits(known.codec()) {
			return known, wire.Bad(code, "/version", "version %q is not one of %s", version.Text(), known)
		}
		return known, nil
	}
	for d, c := range codecs {
		if fits(c) && (c.Claims == nil || c.Claims(v)) {
			return Dialect(d), nil
		}
	}
	return 0, wire.Bad(code, "/version", "unknown version %.40q", version.Text())
}

// AppendClient writes one client message, for renderers and tests.
func AppendClient(dst []byte, d Dialect, m ClientMessage) ([]byte, error) {
	c := d.codec()
	if c == nil {
		return dst, d.unknown(ClientInvalid)
	}
	return c.AppendClient(dst, m)
}

// DecodeClient reads one client message of any version: exactly one kind, with
// all its members, within lim. The error is a *Problem with ClientInvalid, or
// wire.ClientTooLarge when a limit is passed.
func DecodeClient(b []byte, lim Limits) (Dialect, ClientMessage, error) {
	return (&Decoder{Limits: lim}).client(b)
}
