package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Question is all that one agent is sent of an event.
type Question struct {
	Agent        *Agent
	Key          string // of idempotency: the same for every try
	Conversation string // its id for this agent; no other agent gets the same id
	Context      string // the agent's name for it; "": the agent gave none
	Prompt
	Capabilities []byte // of the client: the catalog of the agent, no more
	Data         []byte // the data models of its surfaces that asked for it; nil: there are none
	Transcript   []Line
	Surfaces     []string // its own, that are open
	Tools        []string // that it has, of mcp
}

// Prompt is what an agent is asked: either Text or Client.
type Prompt struct {
	Text   string // the words of the user
	Line   string // the id of the line of a transcript that these words become; "": they become none
	Client []byte // what their client sent about a surface of the agent, in A2UI of its version
	Call   string // the id of the function call that Client is, for whose result a client waits
	Before []Said // the answers of agents to the same event
	Earlier
}

// Earlier is what came of earlier tries of a question.
type Earlier struct {
	Asked bool   // the agent may have done it, and answered in part
	Shown []Said // the parts of its answers that were shown before these ended
}

// On returns s with the answers in Before. They are committed with the last answer.
func (p Prompt) On(s *ui.State) *ui.State {
	for _, said := range p.Before {
		s, _, _ = Next(s, said, time.Time{}, func() string { return strings.Repeat("0", 32) }, ui.Limits{})
	}
	return s
}

// Answered is how often an agent has answered the event before.
func (p Prompt) Answered(agent string) (n int) {
	for _, said := range p.Before {
		if said.Agent == agent {
			n++
		}
	}
	return n
}

// key is the idempotency key: a new one each time that an agent is asked about the same event.
func (p Prompt) key(event ui.EventID, agent string) string {
	key := string(event) + "." + agent
	if n := p.Answered(agent); n > 0 {
		key += "." + strconv.Itoa(n+1)
	}
	return key
}

// PromptOf returns the prompt about an event for the owner of a run.
func PromptOf(e *ui.Event, prompt string) Prompt {
	switch {
	case e.Kind == ui.EventAction && e.Action.Call != "" && !e.Action.Returns:
		return Prompt{Client: []byte(prompt), Call: e.Action.Call}
	case e.Kind == ui.EventReply && !e.Retry:
		return Prompt{Client: []byte(prompt)}
	}
	p := Prompt{Text: prompt}
	if e.Kind == ui.EventMessage {
		p.Line = lineOfUser(e.At)
	}
	return p
}

// After returns the prompt for the agent that said hands over to. Only words are handed over: the
// message of a client is for the owner of its surface. ok is false without an agent or words.
func (p Prompt) After(said Said) (next Prompt, ok bool) {
	if said.Prompt != "" {
		p = Prompt{Text: said.Prompt}
	}
	return p, said.To != "" && p.Client == nil
}

// Line is one line of a transcript.
type Line struct {
	ID   string // the same in each transcript, and of no other line
	Role ui.Role
	Text string
}

// lineOfUser is the id of the words of a user. Their frame is not known before they are answered, and has their time.
func lineOfUser(at time.Time) string { return "user-" + strconv.FormatInt(at.UnixNano(), 10) }

// maxLines bounds the transcript that an agent is sent.
const maxLines = 40

// Ask is the question to an agent about an event. It has nothing of other agents.
func (c *Config) Ask(name string, s *ui.State, event ui.EventID, p Prompt) (Question, error) {
	a := c.Agent(name)
	if a == nil {
		return Question{}, &ui.Error{Code: CodeAway, Message: "there is no such agent any more"}
	}
	sum := sha256.Sum256([]byte(s.ID + "\x00" + name))
	q := Question{Agent: a, Prompt: p, Key: p.key(event, name), Conversation: hex.EncodeToString(sum[:16]),
		Transcript: a.lines(s)}
	q.Before, q.Earlier = nil, Earlier{}
	q.Context = contextIn(s, name, a.Protocol)
	var err error
	q.Capabilities, err = a2ui.AppendCapabilities(nil, a.Dialect, a2ui.Capabilities{Catalogs: []string{a.Basis().ID}})
	if err != nil {
		return q, err
	}
	owned, models := Owned(s, name, a.Dialect), []a2ui.Member(nil)
	for _, id := range slices.Sorted(maps.Keys(owned)) {
		q.Surfaces = append(q.Surfaces, id)
		if owned[id].Send {
			models = append(models, a2ui.Member{Key: id, Value: owned[id].Model()})
		}
	}
	if len(models) > 0 && a.Dialect.Features().DataModelMember != "" {
		q.Data, err = a2ui.AppendClientData(nil, a.Dialect, models)
	}
	return q, err
}

// contextOf is the name under which a State keeps what an agent calls the conversation.
func contextOf(agent string) string { return "agent-" + agent }

// contextIn is what an agent calls the conversation, "" for nothing: a name of another protocol is not for it.
func contextIn(s *ui.State, agent, protocol string) string {
	of, known := s.Committed.Get(contextOf(agent), "protocol")
	if known && of.Text() != protocol {
		return ""
	}
	context, _ := s.Committed.Get(contextOf(agent), "context")
	return context.Text()
}

// lines returns the end of the transcript for an agent. Its setting selects all lines, its own
// and those they answered, or none.
func (a *Agent) lines(s *ui.State) []Line {
	out := make([]Line, 0, min(len(s.Transcript), maxLines))
	frame, after := uint64(0), 0 // of a line, and how many of the frame come after it
	for _, e := range slices.Backward(s.Transcript) {
		if after++; e.Seq != frame {
			frame, after = e.Seq, 0
		}
		id := "line-" + strconv.FormatUint(frame, 10) + "-" + strconv.Itoa(after)
		if e.Role == ui.RoleUser {
			id = lineOfUser(e.At)
		}
		if a.Transcript == "all" || a.Transcript == "own" && slices.Contains(e.Agents, a.Name) {
			out = append(out, Line{ID: id, Role: e.Role, Text: e.Text})
		}
		if len(out) == maxLines {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// Body is the question as JSON, for agents that speak A2UI over HTTP.
func (q Question) Body() []byte {
	size := 512 + len(q.Client) + len(q.Text) + len(q.Capabilities) + len(q.Data)
	for _, l := range q.Transcript {
		size += 32 + len(l.Text)
	}
	f := q.Agent.Dialect.Features()
	b := jsonx.AppendString(append(make([]byte, 0, size), `{"key":`...), q.Key)
	b = jsonx.AppendString(append(b, `,"conversation":`...), q.Conversation)
	if q.Client != nil {
		b = append(append(b, `,"message":`...), q.Client...)
	} else {
		b = jsonx.AppendString(append(b, `,"text":`...), q.Text)
	}
	b = appendJSON(b, f.CapabilitiesMember, q.Capabilities)
	if q.Data != nil {
		b = appendJSON(b, f.DataModelMember, q.Data)
	}
	b = append(b, `,"transcript":[`...)
	for i, l := range q.Transcript {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonx.AppendString(append(b, `{"role":`...), string(l.Role))
		b = append(jsonx.AppendString(append(b, `,"text":`...), l.Text), '}')
	}
	return append(jsonx.AppendStrings(append(b, `],"surfaces":`...), q.Surfaces), '}')
}

// appendJSON adds a member that is JSON.
func appendJSON(b []byte, key string, value []byte) []byte {
	return append(append(jsonx.AppendString(append(b, ','), key), ':'), value...)
}
