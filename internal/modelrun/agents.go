package modelrun

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/ui"
)

// Agents answer in place of a model. Safe for concurrent use.
type Agents interface {
	// Gateway is the file that declares them.
	Gateway() *gateway.Config
	// AskAgent asks one agent about an event, and gives the words to heard as they come; those of a
	// higher try replace the others. An error that has gateway.CodeAway says that the agent did nothing;
	// after any other one that is unknown.
	AskAgent(ctx context.Context, state func() *ui.State, name string, event ui.EventID, p gateway.Prompt,
		heard func(try int, piece string), show Show) (gateway.Said, []*ui.Error, error)
}

// Show commits a part of an answer that goes on: what whole returns. If ok is set, that part is not in the
// answer any more; else nothing more is shown before its end. It may be called from another goroutine, and
// whole may panic.
type Show func(whole func() gateway.Said) (said gateway.Said, ok bool)

// answered is one agent's answer as a journal keeps it.
type answered struct {
	Said     gateway.Said `json:"said"`
	Warnings []ui.Error   `json:"warnings,omitempty"`
}

// askNamed asks the agents that a run names. ok is false for a run that names none.
func (r *Run) askNamed(ctx context.Context, prompt string, notes []journal.Note) (
	reply *agent.Reply, failed *ui.Error, ok bool) {
	if r.Agents == nil {
		return nil, nil, false
	}
	if names, ok := strings.CutPrefix(r.Mode, builtin.RunAgent); ok {
		reply, failed = r.askAgents(ctx, strings.Split(names, ","), prompt, notes)
		return reply, failed, true
	}
	if names, ok := strings.CutPrefix(r.Mode, builtin.RunChoose); ok {
		reply, failed = r.askChosen(ctx, strings.Split(names, ","), prompt, notes)
		return reply, failed, true
	}
	return nil, nil, false
}

// askChosen asks the agent that the routing model chooses.
func (r *Run) askChosen(ctx context.Context, names []string, prompt string, notes []journal.Note) (
	*agent.Reply, *ui.Error) {
	name := r.agentLoop(notes).choose(ctx, r.Agents.Gateway(), names, prompt)
	switch {
	case ctx.Err() != nil:
		return nil, canceled() // it does not count
	case name == "":
		return &agent.Reply{Text: r.App.Config().Words.Say("gateway.nobody")}, nil
	}
	return r.askAgents(ctx, []string{name}, prompt, notes)
}

// agentLoop is the loop of a run of agents, from its beginning.
func (r *Run) agentLoop(notes []journal.Note) *loop {
	if r.loop == nil {
		r.loop = &loop{r: r, notes: notes}
	}
	r.loop.met = map[int]bool{}
	return r.loop
}

// askAgents asks the agents that a run names, and those that they hand over to. Each is noted
// before it is asked: after a crash one without an answer in the journal is asked again only if it
// is idempotent, and under the same key.
func (r *Run) askAgents(ctx context.Context, names []string, prompt string, notes []journal.Note) (
	*agent.Reply, *ui.Error) {
	l := r.agentLoop(notes)
	names = l.began(names)
	reply := &agent.Reply{}
	began := time.Now()
	words := spoken{write: r.Deltas.Writer(r.Conversation, r.Event.ID)}
	type asked struct {
		name   string
		prompt gateway.Prompt
	}
	var queue []asked
	for _, name := range names {
		queue = append(queue, asked{name, gateway.PromptOf(r.Event, prompt)})
	}
	failed := 0
	for n := 0; n < gateway.MaxAgents && len(queue) > 0; n++ {
		next := queue[0]
		queue = queue[1:]
		next.prompt.Before = reply.Agents
		one, err := l.askAgent(ctx, next.name, next.prompt, names, words.next())
		switch stopped := errors.Is(context.Cause(ctx), journal.ErrCanceled); {
		case stopped && n == 0:
			return nil, canceled()
		case stopped: // the answers before count
			one.Said = gateway.Said{Agent: one.Said.Agent, Title: one.Said.Title, Text: one.Said.Text,
				Shown: one.Said.Shown, Code: agent.CodeTurnCanceled}
			queue = nil
		case err != nil:
			return nil, asError(err)
		}
		reply.Agents = append(reply.Agents, one.Said)
		reply.Warnings = append(reply.Warnings, one.Warnings...)
		if one.Said.Code != "" {
			failed++
		}
		if p, ok := next.prompt.After(one.Said); ok {
			queue = append([]asked{{one.Said.To, p}}, queue...)
		} else if one.Said.To != "" {
			reply.Warnings = append(reply.Warnings,
				unasked(one.Said, one.Said.To, "what is pressed is for the agent of its surface alone"))
		}
	}
	for _, left := range queue {
		reply.Warnings = append(reply.Warnings,
			unasked(reply.Agents[gateway.MaxAgents-1], left.name,
				fmt.Sprintf("%d agents have answered", gateway.MaxAgents)))
	}
	r.Trace.Mode = turntrace.ModeChat
	r.Trace.Timing.LLM += turntrace.Ms(time.Since(began))
	if failed == len(reply.Agents) && failed == 1 && reply.Agents[0].Text == "" && len(reply.Agents[0].Messages) == 0 {
		said := reply.Agents[0]
		return nil, &ui.Error{Code: said.Code, Path: "/agents/" + said.Agent, Message: cmp.Or(said.Title, said.Agent),
			Err: said.Reason}
	}
	return reply, nil // a run that starts again makes it of the same results
}

// unasked is the warning that an agent is not asked after one that has answered.
func unasked(last gateway.Said, name, why string) ui.Error {
	return ui.Error{Code: gateway.CodeLimit, Path: "/agents/" + last.Agent,
		Message: fmt.Sprintf("%s is not asked after it: %s", name, why)}
}

// spoken streams the words of agents that answer one after the other, as paragraphs.
type spoken struct {
	write func(try int, piece string)
	try   int    // of the stream
	text  []byte // of that try
}

// next returns the function that takes the words of the next agent. Those of its higher try replace its own only.
func (s *spoken) next() func(try int, piece string) {
	before, current, spoke := string(s.text), 0, false
	return func(try int, piece string) {
		switch again := try != current && spoke; {
		case again:
			s.try++
			s.text = nil
			if before != "" {
				piece = before + "\n\n" + piece
			}
		case !spoke && before != "":
			piece = "\n\n" + piece
		}
		current, spoke = try, true
		s.text = append(s.text, piece...)
		s.write(s.try, piece)
	}
}

// choose has the routing model choose one of several agents, or finds its choice in the journal. Where it fails or
// names none, the fallback of the file answers.
func (l *loop) choose(ctx context.Context, c *gateway.Config, names []string, text string) string {
	r := l.r
	if len(l.notes) > 0 && l.notes[0].Kind == journal.KindRoute {
		return l.notes[0].Text
	}
	var list []agent.Choice
	for _, name := range names {
		if a := c.Agent(name); a != nil {
			list = append(list, agent.Choice{Name: name, Title: a.Title, About: a.About})
		}
	}
	name := ""
	if r.Router != nil {
		_ = r.askRouter(ctx, func(cfg agent.Config) (res agent.Result, err error) { // it is in the log
			name, res, err = agent.Choose(ctx, r.Router, cfg, list, r.State().Router.Agent, text)
			return res, err
		})
	}
	if ctx.Err() != nil {
		return ""
	}
	name = cmp.Or(name, c.Fallback)
	l.keep(ctx, journal.Note{Kind: journal.KindRoute, Text: name})
	return name
}

// began returns the agents that the run began with, if some were asked already: where a message goes may depend on what
// happened since, and after a crash the words of the user go to no other agent.
func (l *loop) began(names []string) []string {
	for _, n := range l.notes {
		if n.AsksAgent() && n.Text != "" {
			return strings.Split(n.Text, ",")
		}
	}
	return names
}

// askAgent asks one agent, or finds its answer in the journal. names are the agents that the run begins with.
func (l *loop) askAgent(ctx context.Context, name string, p gateway.Prompt, names []string,
	heard func(int, string)) (out answered, err error) {
	sum := sha256.Sum256([]byte(p.Text + "\x00" + string(p.Client)))
	intent := journal.Note{Kind: journal.KindIntent, Name: builtin.RunAgent + name, Args: hex.EncodeToString(sum[:16]),
		Text: strings.Join(names, ",")}
	out.Said.Agent = name
	about := l.r.Agents.Gateway().Agent(name)
	if about != nil {
		out.Said.Title = about.Title
	}
	// The parts shown are of the first question: answers to later ones are shown at their end.
	if p.Earlier.Asked = l.begun(intent) >= 0; p.Earlier.Asked && p.Answered(name) == 0 {
		if p.Earlier.Shown, err = l.r.shown(ctx, name); err != nil {
			l.r.Cancel(err)
			return out, err
		}
	}
	made := false
	n, err := l.once(ctx, intent, about != nil && about.Idempotent, func(int, bool) (journal.Note, error) {
		made = true
		out, err = l.r.askAgent(ctx, name, p, heard)
		return journal.Note{Text: out.text()}, err
	})
	switch {
	case err != nil || made:
	case n.Code != "": // it was asked before a crash
		out.Said.Code = n.Code
	default:
		out = answered{}
		err = json.Unmarshal([]byte(n.Text), &out)
	}
	return out, err
}

// askAgent asks one agent. The error is that of a run that ended meanwhile.
func (r *Run) askAgent(ctx context.Context, name string, p gateway.Prompt, heard func(int, string)) (
	out answered, err error) {
	n := len(p.Earlier.Shown)
	show := func(whole func() gateway.Said) (said gateway.Said, ok bool) {
		if said, ok = r.show(ctx, r.partID(name, n), whole); ok && len(said.Messages) > 0 {
			n++
		}
		return said, ok
	}
	said, warnings, err := r.Agents.AskAgent(ctx, r.State, name, r.Event.ID, p, heard, show)
	out.Said = said
	if r.canceled(ctx) {
		return out, cmp.Or(context.Cause(ctx), r.Stop.Err())
	}
	for _, w := range warnings {
		out.Warnings = append(out.Warnings, journal.Warning(w))
	}
	if err != nil {
		r.log().WarnContext(ctx, "agent failed", "agent", name, "err", logs.Quiet(err))
		if out.Said.Code = agent.CodeEffectUnknown; ui.CodeOf(err) == gateway.CodeAway {
			out.Said.Code = gateway.CodeAway
		}
		out.Said.Reason, _ = errors.AsType[agent.Reason](err)
		out.Warnings = append(out.Warnings, journal.Warning(ui.AsError(err, out.Said.Code, "the agent failed")))
	}
	return out, nil
}

// partID is the id of the event by which an agent shows a part of its answer before the end, from 0. Another try reads
// it by that.
func (r *Run) partID(agent string, n int) ui.EventID {
	return r.Event.ID + ui.EventID("."+agent+"."+strconv.Itoa(n))
}

// shown returns the parts of an answer that an agent has shown before its end.
func (r *Run) shown(ctx context.Context, agent string) (parts []gateway.Said, err error) {
	for {
		e, err := r.Journal.Known(ctx, r.partID(agent, len(parts)))
		if err != nil {
			return nil, conversation.StoreError("read what was shown", err)
		}
		if e == nil {
			return parts, nil
		}
		var said gateway.Said
		if err := json.Unmarshal([]byte(e.Text), &said); err != nil {
			return nil, conversation.StoreError("read what was shown", err)
		}
		parts = append(parts, said)
	}
}

// show commits the whole part of an answer that goes on as an event, and returns it. ok is false if that cannot be
// committed, or a panic is in the way.
func (r *Run) show(ctx context.Context, id ui.EventID, whole func() gateway.Said) (said gateway.Said, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			r.panicked(ctx, "panic in what an agent shows", p)
			ok = false
		}
	}()
	if said = whole(); len(said.Messages) == 0 {
		return said, true
	}
	b, err := json.Marshal(said)
	if err != nil || r.CommitPartial == nil || ctx.Err() != nil {
		return said, false
	}
	return said, r.CommitPartial(ctx,
		&ui.Event{V: ui.Version, ID: id, Kind: gateway.KindPartial, At: r.Now().UTC(), Text: string(b)})
}

// text is the answer as JSON. The messages are JSON that was checked: they are not read again.
func (a answered) text() string {
	const head = `{"said":{`
	messages := a.Said.Messages
	a.Said.Messages = nil
	rest, err := json.Marshal(a)
	if err != nil {
		return "" // texts and numbers can be written
	}
	if len(messages) == 0 {
		return string(rest)
	}
	var b strings.Builder
	size := len(rest) + len(messages) + 16
	for _, m := range messages {
		size += len(m)
	}
	b.Grow(size)
	b.WriteString(head + `"messages":[`)
	for i, m := range messages {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(m)
	}
	b.WriteString("],")
	b.Write(rest[len(head):])
	return b.String()
}
