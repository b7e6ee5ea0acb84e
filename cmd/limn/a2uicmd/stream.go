package a2uicmd

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// autoVersion is the value of --version that reads the version off the messages.
const autoVersion = "auto"

// Versions returns the values of --version, as kong wants them.
func Versions() string {
	var names []string
	for _, d := range a2ui.Dialects() {
		names = append(names, d.String())
	}
	return strings.Join(names, ",")
}

// stream reads the messages of one input in one version.
type stream struct {
	*source
	dialect a2ui.Dialect // 0 until a message shows it
	asked   bool         // the version was asked for
	decoder a2ui.Decoder
}

// asked is the value of --version, 0 for autoVersion.
func asked(version string) (a2ui.Dialect, error) {
	if version == autoVersion {
		return 0, nil
	}
	return a2ui.ParseDialect(version)
}

// openStream opens FILE; version is autoVersion or a name of one. What was
// written to out is flushed whenever the input makes us wait.
func openStream(file, version string, t term.Terminal, out *bufio.Writer) (*stream, string, io.Closer, error) {
	d, err := asked(version)
	if err != nil {
		return nil, file, nil, err
	}
	in, name, err := term.Open(file, t)
	if err != nil {
		return nil, name, nil, err
	}
	s := &stream{source: newSource(term.Flushing{In: in, Out: out.Flush}), dialect: d, asked: d != 0}
	if !s.asked {
		s.dialect = guess(s.head(1))
	}
	return s, name, in, nil
}

// guess picks the version of a stream by its first messages, as far as they are
// there. One message may fit several versions: of those it met, the newest that
// reads all that can be read.
func guess(head []byte) a2ui.Dialect {
	var met []a2ui.Dialect
	var messages [][]byte
	for p, err := range newSource(bytes.NewReader(head)).pieces() {
		if err != nil || p.problem != nil {
			continue
		}
		d, _, err := a2ui.DecodeMessage(p.raw)
		if d != 0 && !slices.Contains(met, d) {
			met = append(met, d)
		}
		if err == nil {
			messages = append(messages, bytes.Clone(p.raw))
		}
	}
	if len(met) == 0 {
		return 0
	}
	first := met[0]
	slices.Sort(met)
	for _, d := range slices.Backward(met) {
		if !slices.ContainsFunc(messages, func(b []byte) bool {
			_, err := a2ui.DecodeMessageAs(d, b)
			return err != nil
		}) {
			return d
		}
	}
	return first
}

// spellings are those of v1.0, as a stream may turn out to be one: what has no
// reserved key looks like the first.
var spellings = []a2ui.Dialect{a2ui.V10RC, a2ui.V10Oct, a2ui.V10}

// respelled reports whether a message of d shows that the stream is in that spelling
// of v1.0, though those before it did not.
func (s *stream) respelled(d a2ui.Dialect) bool {
	before := slices.Index(spellings, s.dialect)
	return !s.asked && before >= 0 && slices.Index(spellings, d) > before
}

// decode reads the message of a piece; a problem is one of the message.
func (s *stream) decode(p piece) (a2ui.Message, *a2ui.Problem) {
	if p.problem != nil {
		return nil, p.problem
	}
	d, m, other := s.decoder.Message(p.raw)
	if s.respelled(d) {
		s.dialect = d
	}
	if other == nil && d == s.dialect {
		return m, nil
	}
	var err error
	if s.dialect != 0 { // it may fit several
		var m a2ui.Message
		if m, err = a2ui.DecodeMessageAs(s.dialect, p.raw); err == nil {
			return m, nil
		}
	}
	switch bad := asProblem(other); {
	case other != nil && (s.dialect == 0 || bad.Code == a2ui.EnvelopeClientMessage):
		return nil, bad
	case s.dialect == 0:
		s.dialect = d // later messages say the same
		return m, nil
	case other == nil && d != s.dialect:
		hint := "a stream has one version"
		if !s.asked {
			hint += "; --version names it"
		}
		return nil, &a2ui.Problem{Code: a2ui.EnvelopeInvalid, Path: "/version",
			Message: fmt.Sprintf("a %s message in a %s stream", d, s.dialect), Hint: hint}
	}
	return nil, asProblem(err)
}

// faults are all problems of a piece that decode refuses with first.
func (s *stream) faults(p piece, first a2ui.Problem) []a2ui.Problem {
	if p.problem == nil && first.Code != a2ui.EnvelopeClientMessage {
		list := s.decoder.Inspect(p.raw, s.dialect)
		if len(list) > 0 && list[0].Message == first.Message {
			return list
		}
	}
	return []a2ui.Problem{first}
}

// decodeAny is decode for a stream that may change its version.
func (s *stream) decodeAny(p piece) (a2ui.Dialect, a2ui.Message, *a2ui.Problem) {
	m, bad := s.decode(p)
	if bad != nil && p.problem == nil && !s.asked {
		if d, m, err := a2ui.DecodeMessage(p.raw); err == nil {
			return d, m, nil
		}
	}
	return s.dialect, m, bad
}

// decodeClient is decode for messages of a client.
func (s *stream) decodeClient(p piece) *a2ui.Problem {
	if p.problem != nil {
		return p.problem
	}
	d, _, err := a2ui.DecodeClient(p.raw, a2ui.Limits{})
	switch {
	case err != nil:
		return asProblem(err)
	case s.dialect == 0:
		s.dialect = d
	case d.Features() != s.dialect.Features(): // some messages fit two versions
		return &a2ui.Problem{Code: a2ui.ClientInvalid, Path: "/version",
			Message: fmt.Sprintf("a %s message in a %s stream", d, s.dialect)}
	}
	return nil
}

// asProblem finds the problem in an error; nil for none.
func asProblem(err error) *a2ui.Problem {
	if err == nil {
		return nil
	}
	if p, ok := errors.AsType[*a2ui.Problem](err); ok {
		return p
	}
	return &a2ui.Problem{Code: a2ui.EnvelopeInvalid, Message: err.Error()}
}
