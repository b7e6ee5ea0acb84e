package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// plainID reports an id that a name can contain: [a-wy-z0-9_][a-z0-9_-]{0,31}.
func plainID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' && i > 0) {
			return false
		}
	}
	return id != "" && len(id) <= 32 && id[0] != 'x'
}

// Name is the name of a surface of an agent in the State. An id that a name cannot contain is
// replaced by its hash, which begins with x.
func Name(agent, id string) ui.Name {
	if !plainID(id) {
		sum := sha256.Sum256([]byte(id))
		id = "x" + hex.EncodeToString(sum[:16])
	}
	return ui.Name(agent + ":" + id)
}

// Owner is the agent that a surface belongs to, "" for one of Limn's own.
func Owner(sf *ui.Surface) string {
	if sf == nil || sf.Origin.Kind != foreign.Kind {
		return ""
	}
	return sf.Origin.Template
}

// Owned are the surfaces of one agent in a State, by the ids that it knows, in the version that it speaks now.
func Owned(s *ui.State, agent string, d a2ui.Dialect) map[string]*foreign.Surface {
	out := map[string]*foreign.Surface{}
	for _, sf := range s.Surfaces {
		n := foreign.Of(sf)
		if n == nil || Owner(sf) != agent || sf.Status != ui.StatusOpen {
			continue
		}
		if one, err := Read(n, d); err == nil {
			out[n.ID] = one
		}
	}
	return out
}

// Read is the surface of a node in the version that its agent speaks now, which may have been another one when it
// created the surface.
func Read(n *ui.Foreign, d a2ui.Dialect) (*foreign.Surface, error) {
	s, err := foreign.Read(n)
	if err != nil || s.Dialect == d {
		return s, err
	}
	if s.Dialect.Features() == d.Features() { // of the same form, with another name
		s.Dialect = d
		return s, nil
	}
	var f *folded
	for _, m := range s.In(d) {
		f = f.fold(d, m)
	}
	next := f.surface()
	if next == nil {
		return nil, &ui.Error{Code: foreign.CodeInvalid, Message: "A2UI " + d.String() + " cannot say it"}
	}
	next.TakeIDs(s)
	next.Moved = s.Moved
	next.Send, next.ClientData = s.Send && d.Features().DataModelMember != "", s.ClientData
	return next, nil
}

// Typed returns a node of a surface with the values that a click sent of its inputs, but those that it shows as dots;
// nil if they are known. An agent of v0.8 names data in a row of a list in the same way as those of the surface.
func Typed(n *ui.Foreign, s *foreign.Surface, event a2ui.Event, context a2ui.Data) *ui.Foreign {
	if s.Dialect.Features().FlatData || n.Version != s.Dialect.String() {
		return nil
	}
	model, changed := client.NewModel(s.Dialect, client.Strict, s.Model()), false
	for _, p := range event.Context {
		path, bound := p.Value.(a2ui.Path)
		v, sent := context.Get(p.Name)
		if !bound || !sent || !strings.HasPrefix(string(path), "/") || s.Obscures(string(path)) {
			continue
		}
		was, there, err := model.Get(string(path))
		if err == nil && there && was.Kind == v.Kind && !jsonx.Equal(was, v) {
			changed = model.Set(string(path), v) == nil || changed
		}
	}
	if !changed {
		return nil
	}
	next := *n
	if next.Model = s.Sent(whole(model)); jsonx.Equal(next.Model, s.Model()) {
		return nil
	}
	return &next
}

// OfAgent is a surface as the agent that it belongs to has it now. The error has CodeForeign or, if the agent is not
// in the file any more, CodeGone.
func (c *Config) OfAgent(sf *ui.Surface, n *ui.Foreign) (*foreign.Surface, error) {
	owner := Owner(sf)
	if c == nil || owner == "" || n == nil {
		return nil, &ui.Error{Code: CodeForeign, Path: "/surfaceId",
			Message: "the surface belongs to no agent of this gateway"}
	}
	a := c.Agent(owner)
	if a == nil {
		return nil, &ui.Error{Code: CodeGone, Path: "/surfaceId",
			Message: "the surface belongs to the agent " + owner + ", which this gateway does not have any more"}
	}
	return Read(n, a.Dialect)
}

// read is the messages of an answer. They are read again only if a journal has them.
func read(d a2ui.Dialect, said Said) []a2ui.Message {
	if len(said.Read) == len(said.Messages) {
		return said.Read
	}
	out := make([]a2ui.Message, 0, len(said.Messages))
	for _, raw := range said.Messages {
		if m, err := a2ui.DecodeMessageAs(d, raw); err == nil { // it was decoded before
			out = append(out, m)
		}
	}
	return out
}

// Next is a State after the answer of an agent, with the ops that lead there. An answer above a limit of the
// conversation changes nothing.
func Next(s *ui.State, said Said, at time.Time, nonce func() string, lim ui.Limits) (
	next *ui.State, ops ui.Ops, warnings []*ui.Error) {
	ops, warnings = Ops(s, said, nonce)
	calls, more := Calls(s, said, at)
	ops, warnings = append(ops, calls...), append(warnings, more...)
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: at, Ops: ops}, lim)
	if err != nil {
		return s, nil, append(warnings, ui.AsError(err, CodeLimit, "the answer is above a limit"))
	}
	copied := *next
	copied.Seq = s.Seq
	return &copied, ops, warnings
}

// Ops are the changes that the messages of an agent make to a State. Messages about surfaces that
// are gone by now are left out.
func Ops(s *ui.State, said Said, nonce func() string) (ops ui.Ops, warnings []*ui.Error) {
	d, err := a2ui.ParseDialect(said.Version)
	if err != nil {
		return nil, nil
	}
	if said.Context != "" && contextIn(s, said.Agent, said.Protocol) != said.Context {
		ops = append(ops, &ui.Commit{Form: contextOf(said.Agent),
			Values: ui.Map(ui.Pair{Key: "context", Value: ui.String(said.Context)},
				ui.Pair{Key: "protocol", Value: ui.String(said.Protocol)})})
	}
	had := Owned(s, said.Agent, d)
	own := maps.Clone(had) // as far as the answer counts
	now, order := foldAll(d, read(d, said), had)
	for _, id := range order {
		name := Name(said.Agent, id)
		sf, there := now[id].folded, had[id] != nil
		switch {
		case sf == nil && there:
			delete(own, id)
			ops = append(ops, &ui.Close{Surface: name})
			continue
		case sf == nil:
			continue
		case !sf.Begun():
			warnings = append(warnings, &ui.Error{Code: CodeMessage, Path: "/agents/" + said.Agent,
				Message: "a surface without its root component is not kept"})
			continue
		}
		for _, err := range sf.faults {
			warnings = append(warnings, &ui.Error{Code: CodeMessage, Path: "/agents/" + said.Agent,
				Message: "a write to its data does not apply: " + excerpt.Head(err.Error(), 300)})
		}
		own[id] = sf.surface()
		if why := tooMuchToSend(s, said.Agent, own); sf.Send && why != "" {
			own[id] = had[id]
			warnings = append(warnings, &ui.Error{Code: CodeLimit, Path: "/agents/" + said.Agent, Message: why})
			continue
		}
		if there && !now[id].fresh && sf.MovedRows(had[id]) {
			sf.Moved = s.Surface(name).Rev + 1
		}
		node, err := sf.node()
		if err == nil {
			_, err = foreign.Read(node) // its components come in one message now
		}
		if err != nil {
			own[id] = had[id]
			warnings = append(warnings, &ui.Error{Code: foreign.CodeInvalid, Path: "/agents/" + said.Agent,
				Message: "the surface cannot be kept: " + excerpt.Head(err.Error(), 300)})
			continue
		}
		if there && !now[id].fresh {
			ops = append(ops, &ui.Update{Surface: name, Root: ui.Nodes{node}, Live: sf.SameComponents(had[id])})
		} else {
			ops = append(ops, &ui.Open{Surface: name, Nonce: nonce(), Title: said.Title, Root: ui.Nodes{node},
				Origin: foreign.Origin(said.Agent, said.Icon)})
		}
	}
	return ops, warnings
}

// applied is a surface after the messages of an answer, or nil. fresh says that they replaced it.
type applied struct {
	*folded
	fresh bool
}

// foldAll applies the messages of an answer to the surfaces that its agent had. order has those that they are about.
func foldAll(d a2ui.Dialect, list []a2ui.Message, had map[string]*foreign.Surface) (
	now map[string]applied, order []string) {
	now = map[string]applied{}
	for _, m := range list {
		if _, call := m.(*a2ui.CallRenderer); call {
			continue // Calls has these
		}
		id := m.Surface()
		one, begun := now[id]
		if !begun {
			order = append(order, id)
			one.folded = foldOn(had[id])
		}
		if _, create := m.(*a2ui.CreateSurface); create && !d.Features().CreateLast || one.folded == nil {
			one = applied{fresh: true}
		}
		one.folded = one.fold(d, m)
		now[id] = one
	}
	return now, order
}

// What clients send beside each message, the data of surfaces with sendDataModel, fits into one of their messages
// together: bytes of JSON, and members and items.
const (
	maxSentBytes   = 768 << 10
	maxSentEntries = 40_000
)

// tooMuchToSend is why clients could not send the data of an agent's surfaces back, or "": it can use half of what
// those of others leave.
func tooMuchToSend(s *ui.State, agent string, own map[string]*foreign.Surface) string {
	mine, count := 0, 0
	for _, one := range own {
		size, k := sentSize(one)
		mine, count = mine+size, count+k
	}
	if mine == 0 {
		return ""
	}
	bytes, entries := maxSentBytes, maxSentEntries
	for _, sf := range s.Surfaces {
		if n := foreign.Of(sf); n != nil && sf.Status == ui.StatusOpen && Owner(sf) != agent {
			if other, err := foreign.Read(n); err == nil {
				size, k := sentSize(other)
				bytes, entries = bytes-size, entries-k
			}
		}
	}
	if mine <= bytes/2 && count <= entries/2 {
		return ""
	}
	return fmt.Sprintf("clients send the data of its surfaces with each message (sendDataModel): "+
		"%d bytes and %d entries, at most %d and %d now", mine, count, max(bytes/2, 0), max(entries/2, 0))
}

// sentSize is the size of the data that clients send of a surface: bytes of JSON, and members and items.
func sentSize(s *foreign.Surface) (size, entries int) {
	if s == nil || !s.Send {
		return 0, 0
	}
	var count func(v a2ui.Data) int
	count = func(v a2ui.Data) (n int) {
		for _, one := range v.Items {
			n += 1 + count(one)
		}
		for _, m := range v.Members {
			n += 1 + count(m.Value)
		}
		return n
	}
	v := s.Model()
	return len(jsonx.Append(nil, v)), count(v)
}
