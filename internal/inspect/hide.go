package inspect

import (
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// hidden replaces a secret or the name of a user.
const hidden = "(hidden)"

// hider replaces nonces, principals and names of users in every text.
type hider struct{ *strings.Replacer }

// hiderOf knows the secrets of states, frames and an event.
func hiderOf(e *ui.Event, f *ui.Frame, states ...*ui.State) hider {
	seen, pairs := map[string]bool{}, []string(nil)
	add := func(secret string) {
		if len(secret) > 7 && !seen[secret] { // a name as short as this would be found in words
			seen[secret] = true
			pairs = append(pairs, secret, hidden)
		}
	}
	for _, s := range states {
		for _, list := range [][]*ui.Surface{s.Surfaces, s.Failed} {
			for _, sf := range list {
				add(sf.Nonce)
				add(sf.Origin.Record.Owner)
			}
		}
	}
	for _, op := range f.Ops {
		switch op := op.(type) {
		case *ui.Open:
			add(op.Nonce)
		case *ui.Reset:
			add(op.Nonce)
		}
	}
	if f.Rebuild != nil {
		add(f.Rebuild.Principal)
	}
	if e != nil {
		add(e.Principal)
		if e.Action != nil {
			add(e.Action.Nonce)
		}
	}
	return hider{strings.NewReplacer(pairs...)}
}

// value replaces them in all strings of a value.
func (h hider) value(v jsonx.Value) jsonx.Value {
	switch v.Kind {
	case jsonx.String:
		v.Str = h.Replace(v.Str)
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
