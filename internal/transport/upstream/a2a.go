package upstream

import (
	"errors"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
)

// member is one member of an object.
func member(key string, v jsonx.Value) jsonx.Member { return jsonx.Member{Key: key, Value: v} }

// parsed reads JSON that this program wrote.
func parsed(b []byte) jsonx.Value {
	v, _ := jsonx.Parse(b, jsonx.Limits{Bytes: len(b), String: len(b)})
	return v
}

// metadata is the capabilities and the data of a client, which are sent beside a message.
func metadata(q gateway.Question) jsonx.Value {
	f := q.Agent.Dialect.Features()
	v := jsonx.OfObject(member(f.CapabilitiesMember, parsed(q.Capabilities)))
	if q.Data != nil {
		v.Members = append(v.Members, member(f.DataModelMember, parsed(q.Data)))
	}
	return v
}

// a2aBody is the question as a message of A2A 0.3, over JSON-RPC.
func a2aBody(q gateway.Question) []byte {
	parts := []a2a.Part{a2a.NewText(q.Text)}
	if q.Client != nil {
		parts = a2a.Wrap(q.Agent.Dialect, parsed(q.Client))
	}
	list := jsonx.OfArray()
	for _, p := range parts {
		list.Items = append(list.Items, parsed(a2a.AppendPart(nil, p)))
	}
	m := jsonx.OfObject(member("kind", jsonx.Of("message")), member("role", jsonx.Of("user")),
		member("messageId", jsonx.Of(q.Key)), member("parts", list), member("metadata", metadata(q)),
		member("extensions", jsonx.OfArray(jsonx.Of(a2a.ExtensionURI(q.Agent.Dialect)))))
	if q.Context != "" {
		m.Members = append(m.Members, member("contextId", jsonx.Of(q.Context)))
	}
	return jsonx.Append(nil, jsonx.OfObject(member("jsonrpc", jsonx.Of("2.0")), member("id", jsonx.OfInt(1)),
		member("method", jsonx.Of("message/stream")), member("params", jsonx.OfObject(member("message", m)))))
}

// a2a reads one result of JSON-RPC: a task, an update of it, or a message.
func (a *answer) a2a(b []byte) error {
	v, err := jsonx.Parse(b, jsonx.Limits{Bytes: len(b), String: len(b)})
	if err != nil {
		return err
	}
	if e, failed := v.Get("error"); failed {
		return refusal{away(excerpt.Head(e.At("message").Text(), 200), nil)}
	}
	r := v.At("result")
	if id := r.At("contextId").Text(); id != "" {
		a.in.Context(id)
	}
	switch r.At("kind").Text() {
	case "message":
		a.parts(r.At("parts"), true)
		a.ended = true
	case "artifact-update":
		a.parts(r.At("artifact").At("parts"), true)
	case "task":
		for _, one := range r.At("artifacts").Items {
			a.parts(one.At("parts"), true)
		}
		return a.status(r.At("status"), true)
	case "status-update":
		return a.status(r.At("status"), r.At("final").Bool)
	}
	return nil
}

// status reads the state of a task. Words of one that goes on are about its progress.
func (a *answer) status(s jsonx.Value, final bool) error {
	state := s.At("state").Text()
	over := state != "working" && state != "submitted"
	a.parts(s.At("message").At("parts"), over)
	if a.ended = over && final; over && (state == "failed" || state == "rejected") && final {
		if state == "rejected" {
			return refusal{away("the agent refused", nil)}
		}
		return errors.New("the task failed")
	}
	return nil
}

// parts reads the parts of a message.
func (a *answer) parts(list jsonx.Value, words bool) {
	for _, raw := range list.Items {
		p, err := a2a.DecodePart(jsonx.Append(nil, raw), a2ui.Limits{})
		switch {
		case err != nil:
			a.in.Take(jsonx.Append(nil, raw), time.Now()) // says why it does not count
		case p.IsA2UI():
			a.in.Take(jsonx.Append(nil, p.Data), time.Now())
		case p.Kind == a2a.TextKind && words:
			a.say(p.Text)
		}
	}
}
