package inspect

import (
	"strings"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/ui"
)

// hidden replaces a secret or the name of a user.
const hidden = "(hidden)"

// hider replaces nonces, principals and names of users in every text.
type hider struct {
	*strings.Replacer
	whole map[string]bool // these, as whole values
}

// hiderOf knows the secrets of a turn: of its event and its trace, where they are kept, and of
// its frame and states.
func hiderOf(e *ui.Event, t *turntrace.Turn, f *ui.Frame, states ...*ui.State) hider {
	seen, pairs := map[string]bool{}, []string(nil)
	add := func(secrets ...string) {
		for _, s := range secrets {
			if len(s) > 7 && !seen[s] { // a shorter name would be found in words
				pairs = append(pairs, s, hidden)
			}
			seen[s] = s != ""
		}
	}
	actors := func(list map[string]ui.Actor) {
		for _, a := range list {
			add(a.By, a.Name)
		}
	}
	for _, s := range states {
		if s.Operator != nil {
			add(s.Operator.ID, s.Operator.Name)
		}
		for _, e := range s.Transcript {
			if len(e.Agents) == 0 {
				add(e.By)
			}
		}
		for _, list := range [][]*ui.Surface{s.Surfaces, s.Failed} {
			for _, sf := range list {
				add(sf.Nonce, sf.Origin.Record.Owner)
				actors(sf.Actors)
			}
		}
	}
	for _, op := range f.Ops {
		switch op := op.(type) {
		case *ui.Open:
			add(op.Nonce)
		case *ui.Reset:
			add(op.Nonce)
		case *ui.Attend:
			add(op.ID, op.Name)
		case *ui.Stamp:
			actors(op.Actors)
		}
	}
	if f.Rebuild != nil {
		add(f.Rebuild.Principal)
	}
	if t != nil && conversation.IsOwner(t.By) {
		add(t.By)
	}
	if e != nil {
		add(e.Principal, e.User)
		if e.Action != nil {
			add(e.Action.Nonce)
		}
	}
	return hider{strings.NewReplacer(pairs...), seen}
}

// value replaces them in all strings of a value.
func (h hider) value(v jsonx.Value) jsonx.Value {
	switch v.Kind {
	case jsonx.String:
		if h.whole[v.Str] {
			v.Str = hidden
		} else {
			v.Str = h.Replace(v.Str)
		}
	case jsonx.Array:
		items := make([]jsonx.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = h.value(item)
		}
		v.Items = items
	case jsonx.Object:
		members := make([]jsonx.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = jsonx.Member{Key: m.Key, Value: h.value(m.Value)}
		}
		v.Members = members
	}
	return v
}

// anonymous is an event without who sent it, and without what proves that.
func anonymous(e ui.Event) *ui.Event {
	e.Principal, e.User, e.Key = "", "", ""
	if e.Action != nil {
		a := *e.Action
		a.Nonce = ""
		e.Action = &a
	}
	return &e
}
