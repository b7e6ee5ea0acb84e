package upstream

import (
	"cmp"
	"errors"
	"hash/maphash"
	"maps"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
)

// member is one member of an object.
func member(key string, v jsonx.Value) jsonx.Member { return jsonx.Member{Key: key, Value: v} }

// parse reads JSON of an agent.
func parse(b []byte) (jsonx.Value, error) {
	return jsonx.Parse(b, jsonx.Limits{Bytes: len(b), String: len(b)})
}

// parsed reads JSON that this program wrote.
func parsed(b []byte) jsonx.Value {
	v, _ := jsonx.Parse(b, jsonx.Limits{Bytes: len(b), String: len(b), Entries: len(b)})
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
	list := []a2a.Part{a2a.NewText(q.Text)}
	if q.Client != nil {
		list = a2a.Wrap(q.Agent.Dialect, parsed(q.Client))
	}
	body := jsonx.OfArray()
	for _, p := range list {
		body.Items = append(body.Items, parsed(a2a.AppendPart(nil, p)))
	}
	m := jsonx.OfObject(member("kind", jsonx.Of("message")), member("role", jsonx.Of("user")),
		member("messageId", jsonx.Of(q.Key)), member("parts", body), member("metadata", metadata(q)),
		member("extensions", jsonx.OfArray(jsonx.Of(a2a.ExtensionURI(q.Agent.Dialect)))))
	context, task := parts(q.Context)
	if context != "" {
		m.Members = append(m.Members, member("contextId", jsonx.Of(context)))
	}
	if task != "" {
		m.Members = append(m.Members, member("taskId", jsonx.Of(task)))
	}
	return jsonx.Append(nil, jsonx.OfObject(member("jsonrpc", jsonx.Of("2.0")), member("id", jsonx.OfInt(1)),
		member("method", jsonx.Of("message/stream")), member("params", jsonx.OfObject(member("message", m)))))
}

// parts cuts the context of a conversation with an agent into the agent's name for it and, with a2a, the task that
// waits for the user; with mcp, the version.
func parts(kept string) (name, more string) {
	name, more, _ = strings.Cut(kept, "\n")
	return name, more
}

// a2a reads one result of JSON-RPC: a task, an update of it, or a message.
func (a *answer) a2a(b []byte) error {
	v, err := parse(b)
	if err != nil {
		a.in.Take(b, time.Now()) // says why it does not count
		return nil
	}
	if e, failed := v.Get("error"); failed {
		if a.resumed { // the stream is over
			a.unknown = true
			return refusal{error: away("it refuses", reason(e.At("message").Text()))}
		}
		_, task := parts(a.q.Context)
		return rpcError(e, a.task != "", task != "")
	}
	r := v.At("result")
	if a.replayed(r) {
		return nil
	}
	if id := r.At("contextId").Text(); id != "" {
		a.context = id
		a.in.Context(id)
	}
	id := cmp.Or(r.At("taskId").Text(), r.At("id").Text())
	if r.At("kind").Text() != "message" && len(id) <= maxEventID {
		a.task = id
	}
	switch r.At("kind").Text() {
	case "message":
		a.take(messageOf(r), r.At("parts"), nil)
		a.ended = true
	case "artifact-update":
		name := artifactOf(r.At("artifact"))
		_, had := a.artifacts[name]
		if had && !r.At("append").Bool { // it replaces the earlier one
			a.in.MayReplace()
			delete(a.artifacts, name)
			a.forget(name)
		}
		a.take(name, r.At("artifact").At("parts"), nil)
	case "task":
		had := map[string]int{}
		if a.resumed { // it has all that was sent
			had = maps.Clone(a.parts)
		}
		for _, one := range r.At("artifacts").Items {
			a.take(artifactOf(one), one.At("parts"), had)
		}
		return a.status(r.At("status"), true, had)
	case "status-update":
		return a.status(r.At("status"), r.At("final").Bool, nil)
	}
	return nil
}

// seed is of the hashes of events.
var seed = maphash.MakeSeed()

// replayed reports an event that was read before the stream was cut off: some agents send all from the first one again.
func (a *answer) replayed(event jsonx.Value) bool {
	sum := maphash.Bytes(seed, jsonx.Append(nil, event))
	if a.resumed && a.again < len(a.events) && a.events[a.again] == sum {
		a.again++
		return true
	}
	a.events = append(a.events, sum)
	a.again = len(a.events) // it goes on
	return false
}

// rpcError is the error of a JSON-RPC response: a refusal, unless the agent has begun or failed inside. Of a question
// about a task it may say that the task is over: agents have several codes for that.
func rpcError(e jsonx.Value, begun, task bool) error {
	const internal, general, noTask, unsupported, badRequest, badParams = -32603, -32000, -32001, -32004, -32600, -32602
	why := reason(e.At("message").Text())
	code, _ := e.At("code").Int()
	if begun || code == internal || code == general {
		return errors.Join(fault("the agent failed"), why)
	}
	over := code == unsupported || code == badRequest || code == badParams
	return refusal{error: away("it refuses", why), gone: code == noTask || task && over}
}

// status reads the state of a task. Words of one that goes on are about its progress, and those of one that failed
// are the reason.
func (a *answer) status(s jsonx.Value, final bool, had map[string]int) error {
	state, message := s.At("state").Text(), s.At("message")
	over := state != "working" && state != "submitted"
	refuses := state == "rejected" || state == "auth-required"
	failed := over && final && (refuses || state == "failed" || state == "canceled")
	of, why := "", ""
	if over && !failed {
		of = messageOf(message)
	}
	a.take(of, message.At("parts"), had)
	if a.ended = over && final; a.ended && state == "input-required" && a.task != "" {
		a.in.Context(a.context + "\n" + a.task)
	}
	for _, part := range message.At("parts").Items {
		why += part.At("text").Text()
	}
	switch {
	case failed && refuses:
		return refusal{error: away("it refuses", reason(why))}
	case failed:
		return errors.Join(fault("the task failed"), reason(why))
	}
	return nil
}

// taskBody asks for the rest of a task: its events from now on or, once the agent does not stream it any more, the
// task as it is.
func (a *answer) taskBody() []byte {
	method := "tasks/resubscribe"
	if a.unknown {
		method = "tasks/get"
	}
	return jsonx.Append(nil, jsonx.OfObject(member("jsonrpc", jsonx.Of("2.0")), member("id", jsonx.OfInt(1)),
		member("method", jsonx.Of(method)), member("params", jsonx.OfObject(member("id", jsonx.Of(a.task))))))
}

// The names of messages and of artifacts differ.
func messageOf(m jsonx.Value) string  { return "message " + m.At("messageId").Text() }
func artifactOf(v jsonx.Value) string { return artifactName + v.At("artifactId").Text() }

const artifactName = "artifact "

// repeats reports a message with the words of an artifact: agents that have both say them twice.
func (a *answer) repeats(message, text string) bool {
	if strings.HasPrefix(message, artifactName) {
		a.artifacts[message] += text
		return false
	}
	for _, said := range a.artifacts {
		if strings.TrimSpace(said) == strings.TrimSpace(text) {
			return true
		}
	}
	return false
}

// take reads the parts of a message, without those that were read before. The words count of one with a name.
func (a *answer) take(message string, list jsonx.Value, had map[string]int) {
	if strings.HasPrefix(message, artifactName) {
		if a.artifacts == nil {
			a.artifacts = map[string]string{}
		}
		a.artifacts[message] += "" // it came, if without words
	}
	for _, raw := range list.Items {
		text := string(jsonx.Append(nil, raw))
		if had[text] > 0 {
			had[text]--
			continue
		}
		if a.parts == nil {
			a.parts = map[string]int{}
		}
		a.parts[text]++
		p, err := a2a.DecodePart(jsonx.Append(nil, raw), a2ui.Limits{})
		switch {
		case err != nil:
			a.in.Take(jsonx.Append(nil, raw), time.Now()) // says why it does not count
		case p.IsA2UI():
			a.in.Take(jsonx.Append(nil, p.Data), time.Now())
		case p.Kind == a2a.TextKind && message != "" && !a.repeats(message, p.Text):
			a.say(message, p.Text)
		}
	}
}
