package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Codes of what an agent does.
const (
	CodeMessage ui.Code = "GATEWAY_MESSAGE" // a message of it does not count
	CodeForeign ui.Code = "GATEWAY_FOREIGN" // it is about a surface that is not its own
	CodeLimit   ui.Code = "GATEWAY_LIMIT"   // it is above a limit of the agent
	CodeAway    ui.Code = "GATEWAY_AGENT"   // the agent does not answer
	CodeGone    ui.Code = "GATEWAY_GONE"    // the agent is in the gateway's file no more
	// CodeProperty is that of a property which its catalog does not have: it is left out.
	CodeProperty ui.Code = "GATEWAY_PROPERTY"
)

// KindPartial is the kind of an event by which an agent shows something before its answer ends: its Text
// is a [Said] as JSON.
const KindPartial ui.EventKind = "shown"

// Said is the part that counts of the answer of an agent.
type Said = agent.Said

// Intake takes the messages of one answer of an agent. It must not be used by two goroutines at
// once.
type Intake struct {
	said     Said
	config   *Config
	agent    *Agent
	rules    *a2ui.Validator
	owners   map[string]string // of the ids that another agent has
	open     map[string]bool   // surfaces of the agent, by its ids
	owned    map[string]*foreign.Surface
	begun    map[string]bool                // surfaces with components, of versions that create them last
	early    map[string]*a2ui.CreateSurface // that came before the components
	ignored  map[string]bool                // surfaces that are not open, of which the user has read why
	messages []counted
	call     string // of a client, that waits for its result
	warnings []*ui.Error
	decoder  a2ui.Decoder
	before
	spent
}

// before is the part of an answer that came in earlier tries.
type before struct {
	replace bool              // messages may create surfaces that are open
	shown   map[string]*shown // by surface
}

// shown are the messages of a surface that earlier tries have shown, in order. The first of them, came in number, have
// come again.
type shown struct {
	list []a2ui.Message
	came int
}

// spent is the part of the limits of its agent that an answer has used.
type spent struct {
	bytes, count int
	bucket       float64 // messages that it may send at once
	last         time.Time
}

// counted is a message that counts so far.
type counted struct {
	surface string
	raw     json.RawMessage
	read    a2ui.Message
}

// The most warnings about one answer, and those about properties beside them.
const (
	maxWarnings   = 20
	maxProperties = 8
)

// Intake begins an answer of an agent, on the state as it is.
func (c *Config) Intake(a *Agent, s *ui.State) *Intake {
	in := &Intake{config: c, agent: a, open: map[string]bool{}, begun: map[string]bool{},
		ignored: map[string]bool{}, before: before{shown: map[string]*shown{}},
		early: map[string]*a2ui.CreateSurface{}, spent: spent{bucket: float64(a.Limits.Rate)},
		said: Said{Agent: a.Name, Title: a.Title, Icon: a.Icon, Version: a.Version, Seq: s.Seq}}
	in.rules = a2ui.NewValidator(a2ui.Rules{Dialect: a.Dialect, Catalog: a.Basis(), Aliases: a2ui.Aliases(),
		Catalogs: []*a2ui.Catalog{a.Basis()}, Limits: a2ui.Limits{Components: a.Limits.Components}})
	in.owned = Owned(s, a.Name, a.Dialect)
	for _, id := range slices.Sorted(maps.Keys(in.owned)) {
		in.open[id], in.begun[id] = true, true
		for _, m := range in.owned[id].Source(in.owned[id].Data) {
			in.rules.CheckMessage(0, m) // so that the rules know it; its faults were judged when it came
		}
	}
	in.rules.EndTurn()
	in.others(s)
	return in
}

// others notes the ids that are not free for the agent.
func (in *Intake) others(s *ui.State) {
	in.owners = map[string]string{}
	refuse := func(id, owner string) {
		if owner != in.agent.Name {
			in.owners[id] = owner
		}
	}
	for id, owner := range in.config.Surfaces {
		refuse(id, owner)
	}
	if in.config.IDs != "refuse" {
		return
	}
	for _, a := range in.config.Agents {
		if a.Name != in.agent.Name {
			for id := range Owned(s, a.Name, a.Dialect) {
				refuse(id, a.Name)
			}
		}
	}
}

// Text takes words of the agent.
func (in *Intake) Text(text string) {
	in.said.Text += text
	if most := in.agent.Limits.Text; len(in.said.Text) > most {
		in.said.Text = excerpt.Head(in.said.Text, most)
		in.refuse(CodeLimit, "", "more than %d bytes of words", most)
	}
}

// Retell takes words of the agent in place of those before.
func (in *Intake) Retell(text string) {
	in.said.Text = ""
	in.Text(text)
}

// HandOver has another agent answer next.
func (in *Intake) HandOver(to, prompt string) {
	if in.config.Agent(to) == nil || to == in.agent.Name {
		in.refuse(CodeMessage, "", "hands over to %q, which is no other agent", excerpt.Of(to, 40))
		return
	}
	if most := in.agent.Limits.Text; len(prompt) > most {
		prompt = excerpt.Head(prompt, most)
		in.refuse(CodeLimit, "", "hands over more than %d bytes of words", most)
	}
	in.said.To, in.said.Prompt = to, prompt
}

// Context keeps the agent's own name of the conversation, for the next question.
func (in *Intake) Context(id string) {
	if len(id) > maxContext {
		in.refuse(CodeLimit, "", "its name of the conversation has more than %d bytes", maxContext)
		return
	}
	in.said.Context, in.said.Protocol = id, in.agent.Protocol
}

// maxContext bounds an agent's name of a conversation, in bytes.
const maxContext = 4 << 10

// Full reports that the agent has said all that it may: nothing more is read.
func (in *Intake) Full() bool {
	l := in.agent.Limits
	return in.bytes > l.Bytes || in.count > l.Messages
}

// Unread notes something that the agent sends and that is not read.
func (in *Intake) Unread(what string) { in.refuse(CodeMessage, "", "%s", what) }

// Overlong notes that the agent sends more bytes than it may. Nothing more is read.
func (in *Intake) Overlong() {
	in.bytes = in.agent.Limits.Bytes + 1
	in.refuse(CodeLimit, "", "more than %d bytes in one answer", in.agent.Limits.Bytes)
}

// Take takes a line of the agent: one A2UI message, or a list. What does not count is a warning. raw is the
// intake's from then on.
func (in *Intake) Take(raw []byte, at time.Time) {
	in.bytes += len(raw)
	if in.bytes > in.agent.Limits.Bytes {
		in.Overlong()
		return
	}
	d, list, same, err := in.decode(raw)
	if err != nil && watches(raw) {
		in.refuse(CodeMessage, "", "what is typed is not shared while it is typed (watchDataModel); "+
			"with sendDataModel, the data of a surface come with each message and each action")
		return
	}
	if err != nil {
		in.refuse(CodeMessage, "", "%s", excerpt.Head(in.agent.whyUnread(raw, err), 300))
		return
	}
	if d.Features() != in.agent.Dialect.Features() {
		in.refuse(CodeMessage, "", "a message of A2UI %s, the agent speaks %s", d, in.agent.Dialect)
		return
	}
	if d != in.agent.Dialect { // of the same form, with another name
		same = nil
	}
	for _, m := range list {
		if in.count++; in.count > in.agent.Limits.Messages {
			in.refuse(CodeLimit, "", "more than %d messages in one answer", in.agent.Limits.Messages)
			return
		}
		if !in.allow(at) {
			in.refuse(CodeLimit, m.Surface(), "more than %d messages a second", in.agent.Limits.Rate)
			continue
		}
		healed, whole := in.heal(m)
		if !whole {
			same = nil
		}
		for _, one := range healed {
			in.message(one, same)
		}
	}
}

// watches reports whether an agent asks for each change of its data model (watchDataModel, a proposal).
func watches(raw []byte) bool {
	var m struct {
		Watch json.RawMessage `json:"watchDataModel"`
	}
	return json.Unmarshal(raw, &m) == nil && m.Watch != nil
}

// whyUnread is why a line was not read. One that has no message says which there are.
func (a *Agent) whyUnread(raw []byte, err error) string {
	var p *a2ui.Problem
	var line map[string]json.RawMessage
	if errors.As(err, &p) && p.Code == a2ui.EnvelopeClientMessage || json.Unmarshal(raw, &line) != nil {
		return err.Error()
	}
	d, names := a.Dialect, []string(nil)
	for _, m := range []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(d), Root: "root"},
		&a2ui.UpdateComponents{}, &a2ui.UpdateData{Value: jsonx.OfObject()}, &a2ui.DeleteSurface{},
		&a2ui.CallRenderer{Call: a2ui.Call{Func: "f", CatalogID: a2ui.CatalogID(d)}}, &a2ui.Reply{}} {
		b, _ := a2ui.AppendMessage(nil, d, m)
		var one map[string]json.RawMessage
		_ = json.Unmarshal(b, &one) // empty for a message that the version lacks
		delete(one, "version")
		names = slices.AppendSeq(names, maps.Keys(one))
	}
	delete(line, "version")
	isOne := func(name string) bool { return line[name] != nil }
	if len(line) == 0 || slices.ContainsFunc(names, isOne) {
		return err.Error()
	}
	want := fmt.Sprintf("a message of A2UI %s (%s)", d, strings.Join(names, ", "))
	if a.Protocol == "a2ui" {
		want = "a line that begins with text or handover, or " + want
	}
	has := strings.Join(slices.Sorted(maps.Keys(line)), ", ")
	return fmt.Sprintf("want %s, not one with %s", want, excerpt.Of(has, 40))
}

// decode reads a line, which is nearly always one message: same is that line.
func (in *Intake) decode(raw []byte) (d a2ui.Dialect, list []a2ui.Message, same []byte, err error) {
	d, m, err := in.decoder.Message(raw)
	if err == nil {
		return d, []a2ui.Message{m}, raw, nil
	}
	if d, list, err = a2ui.DecodeMessages(raw); err != nil {
		d, list, err = in.trimmed(raw, err)
	}
	if err != nil {
		d, list, err = healed(raw, err)
	}
	return d, list, nil, err
}

// MayReplace lets messages create surfaces that are open: for agents that create a surface whenever it
// changes, and for an answer that began before.
func (in *Intake) MayReplace() { in.replace = true }

// After goes on after earlier tries of the question. What they have shown does not count when it comes once more,
// in the same order: since then a click may have changed it. Once the agent says something else about a surface,
// all that it says of it counts, also what came once more before.
func (in *Intake) After(e Earlier) {
	if e.Asked {
		in.MayReplace()
	}
	for _, said := range e.Shown {
		for _, m := range read(in.agent.Dialect, said) {
			of := in.shown[m.Surface()]
			if of == nil {
				of = &shown{}
				in.shown[m.Surface()] = of
			}
			of.list = append(of.list, m)
		}
	}
}

// written is a message as it counts.
func (a *Agent) written(m a2ui.Message) string {
	if begin, ok := m.(*a2ui.CreateSurface); ok {
		a.brand(begin)
	}
	b, err := a2ui.AppendMessage(nil, a.Dialect, m)
	if err != nil {
		return ""
	}
	return string(b)
}

// repeats takes a message that an earlier try has shown at this place. Versions that create surfaces last may send that
// first.
func (b *before) repeats(a *Agent, m a2ui.Message) bool {
	of := b.shown[m.Surface()]
	if of == nil {
		return false
	}
	i := of.came
	if _, create := m.(*a2ui.CreateSurface); create && a.Dialect.Features().CreateLast {
		isCreate := func(m a2ui.Message) bool { _, ok := m.(*a2ui.CreateSurface); return ok }
		i += max(0, slices.IndexFunc(of.list[i:], isCreate))
	}
	if i == len(of.list) || a.written(m) != a.written(of.list[i]) {
		return false
	}
	of.list = slices.Insert(slices.Delete(of.list, i, i+1), of.came, m)
	of.came++
	return true
}

// dropped are the messages of a surface that came once more and do not count, if there is more that has to.
func (b *before) dropped(id string) []a2ui.Message {
	if of := b.shown[id]; of != nil && of.came < len(of.list) {
		return of.list[:of.came]
	}
	return nil
}

// Returns takes the result of a call of a client, once.
func (in *Intake) Returns(call string) { in.call = call }

// allow takes one message out of the bucket of a second.
func (in *Intake) allow(at time.Time) bool {
	rate := float64(in.agent.Limits.Rate)
	if !in.last.IsZero() {
		in.bucket = min(rate, in.bucket+rate*at.Sub(in.last).Seconds())
	}
	in.last = at
	if in.bucket < 1 {
		return false
	}
	in.bucket--
	return true
}

// message takes one message. raw is how it came, nil if it has to be written again.
func (in *Intake) message(m a2ui.Message, raw []byte) {
	id := m.Surface()
	_, create := m.(*a2ui.CreateSurface)
	_, deletes := m.(*a2ui.DeleteSurface)
	last := in.agent.Dialect.Features().CreateLast
	dropped, before := in.dropped(id), len(in.messages)
	switch {
	case in.repeats(in.agent, m):
		in.ignored[id] = id != "" && !deletes && !in.open[id] // it was closed since it was shown
	case in.ignored[id] && deletes:
		delete(in.ignored, id) // from now on the messages are about another one
		delete(in.shown, id)
	case in.ignored[id] && (!create || last):
	case !in.counts(m, raw):
		if create && !in.open[id] {
			in.ignored[id] = true
		}
	case len(dropped) > 0 && in.open[id] && (!create || last):
		in.messages = in.messages[:before]
		delete(in.shown, id)
		for _, one := range dropped {
			in.message(one, nil)
		}
		in.counts(m, raw)
	}
}

// counts reports whether a message counts. If not, the user reads why.
func (in *Intake) counts(m a2ui.Message, raw []byte) bool {
	id := m.Surface()
	if why := unsendable(in.agent.Dialect, m); why != "" {
		in.refuse(CodeMessage, id, "%s", why)
		return false
	}
	begin, create := m.(*a2ui.CreateSurface)
	if create && in.agent.Dialect.Features().CreateLast && !in.begun[id] {
		in.early[id] = begin // begins with its root
		return true
	}
	if create && in.replace && in.open[id] && !in.agent.Dialect.Features().CreateLast {
		if !in.canReplace(begin) {
			return false
		}
		delete(in.shown, id)
		in.message(&a2ui.DeleteSurface{SurfaceID: id}, nil)
	}
	if other, ok := in.owners[id]; ok && !in.open[id] {
		in.refuse(CodeForeign, id, "the surface belongs to the agent %s", other)
		return false
	}
	if !in.may(id, m) {
		return false
	}
	if create {
		raw = nil // brand changes it
	}
	if problems := in.rules.CheckMessage(in.count, m); len(problems) > 0 {
		in.refuse(CodeMessage, id, "%s", excerpt.Head(problems[0].Error(), 300))
		return false
	}
	switch m.(type) {
	case *a2ui.CreateSurface, *a2ui.UpdateComponents, *a2ui.UpdateData:
		in.open[id] = true
	case *a2ui.DeleteSurface:
		delete(in.open, id)
		delete(in.begun, id)
	}
	if raw == nil {
		var err error
		if raw, err = a2ui.AppendMessage(nil, in.agent.Dialect, m); err != nil {
			in.refuse(CodeMessage, id, "%s", excerpt.Head(err.Error(), 300))
			return false
		}
	}
	if _, result := m.(*a2ui.Reply); result {
		in.result(raw)
		return true
	}
	delete(in.shown, id)
	delete(in.ignored, id)
	in.messages = append(in.messages, counted{id, raw, m})
	if u, ok := m.(*a2ui.UpdateComponents); ok {
		in.filled(u)
	}
	return true
}

// The longest names that clients can send back, in bytes. A version may write a byte of an id as three.
const (
	maxComponentID = 256
	maxActionName  = 1024
)

// unsendable is why clients could not read a message, or send an action of it back; or "".
func unsendable(d a2ui.Dialect, m a2ui.Message) string {
	var components []a2ui.Component
	var data a2ui.Data
	switch m := m.(type) {
	case *a2ui.CreateSurface: // of v1.0 with all of it
		components, data = m.Components, m.Data
	case *a2ui.UpdateComponents:
		components = m.Components
	case *a2ui.UpdateData:
		data = m.Value
	}
	if !finite(data) {
		return "a number is beyond those that clients can read"
	}
	control := func(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }
	for _, c := range components {
		if len(c.ID) > maxComponentID || control(c.ID) {
			return fmt.Sprintf("the id %q: want at most %d bytes without control characters", excerpt.Of(c.ID, 40),
				maxComponentID)
		}
		for _, p := range c.Props {
			event, ok := foreign.EventOf(d, p.Value)
			if ok && (len(event.Name) > maxActionName || control(event.Name)) {
				return fmt.Sprintf("the action of %q: want a name of at most %d bytes without control characters",
					excerpt.Of(c.ID, 40), maxActionName)
			}
			for _, key := range event.Context {
				if len(key.Name) > maxActionName {
					return fmt.Sprintf("the action of %q: a key of its context is above %d bytes",
						excerpt.Of(c.ID, 40), maxActionName)
				}
			}
		}
	}
	return ""
}

// finite reports that the numbers of a value are such of 64 bits.
func finite(v a2ui.Data) bool {
	if f, ok := v.Float(); v.Kind == jsonx.Number && (!ok || math.IsInf(f, 0)) {
		return false
	}
	return !slices.ContainsFunc(v.Items, func(one a2ui.Data) bool { return !finite(one) }) &&
		!slices.ContainsFunc(v.Members, func(m a2ui.Member) bool { return !finite(m.Value) })
}

// filled takes the message that begins a surface, which came early, after its root.
func (in *Intake) filled(u *a2ui.UpdateComponents) {
	id := u.SurfaceID
	in.begun[id] = true
	begin := in.early[id]
	isRoot := func(c a2ui.Component) bool { return c.ID == begin.Root }
	if begin != nil && slices.ContainsFunc(u.Components, isRoot) {
		delete(in.early, id)
		in.message(begin, nil)
	}
}

// may reports whether the agent may send a message about a surface now.
func (in *Intake) may(id string, m a2ui.Message) bool {
	switch m := m.(type) {
	case *a2ui.CreateSurface:
		in.agent.brand(m)
		return in.open[id] || in.room(id)
	case *a2ui.UpdateComponents, *a2ui.UpdateData:
		return in.open[id] || !in.agent.Dialect.Features().CreateLast || in.room(id)
	case *a2ui.DeleteSurface:
		if !in.open[id] {
			in.refuse(CodeForeign, id, "there is no such surface of this agent")
			return false
		}
	case *a2ui.CallRenderer:
		if in.agent.Protocol == "mcp" {
			in.refuse(CodeMessage, "", "a call of a function: the tools of mcp cannot take its result")
			return false
		}
		if why := callFault(m); why != "" {
			in.refuse(CodeMessage, "", "%s", why)
			return false
		}
	case *a2ui.Reply:
		if m.CallID != in.call || in.call == "" {
			in.refuse(CodeForeign, "", "no client waits for the result of that call")
			return false
		}
	}
	return true
}

// maxResult bounds the result of a function that a client called, in bytes.
const maxResult = 64 << 10

// result takes the result that a client waits for.
func (in *Intake) result(raw json.RawMessage) {
	if len(raw) > maxResult {
		in.refuse(CodeLimit, "", "a result of more than %d bytes", maxResult)
		return
	}
	in.said.Returned, in.call = raw, ""
}

// room reports whether the agent may open one more surface.
func (in *Intake) room(id string) bool {
	if most := in.agent.Limits.Surfaces; len(in.open) >= most {
		in.refuse(CodeLimit, id, "more than %d surfaces", most)
		return false
	}
	return true
}

// canReplace reports whether a message can replace a surface that is open: else that one stays.
func (in *Intake) canReplace(m *a2ui.CreateSurface) bool {
	in.agent.brand(m)
	trial := in.rules.Clone()
	trial.CheckMessage(in.count, &a2ui.DeleteSurface{SurfaceID: m.SurfaceID})
	problems := trial.CheckMessage(in.count, m)
	if len(problems) > 0 {
		in.refuse(CodeMessage, m.SurfaceID, "%s", excerpt.Head(problems[0].Error(), 300))
	}
	return len(problems) == 0
}

// brand sets the catalog of a surface by its alias, and who it is from: the gateway says that, not the agent.
func (a *Agent) brand(m *a2ui.CreateSurface) {
	if to, ok := a2ui.Aliases()[m.CatalogID]; ok && a.Compiled == nil {
		m.CatalogID = to
	}
	kept := jsonx.OfObject()
	for _, one := range m.Theme.Members {
		if one.Key != "iconUrl" && one.Key != "agentDisplayName" {
			kept.Members = append(kept.Members, one)
		}
	}
	for _, p := range a.Basis().Theme {
		switch {
		case p.Name == "agentDisplayName":
			kept.Members = append(kept.Members, a2ui.Member{Key: p.Name, Value: jsonx.Of(a.Title)})
		case p.Name == "iconUrl" && a.Icon != "":
			kept.Members = append(kept.Members, a2ui.Member{Key: p.Name, Value: jsonx.Of(a.Icon)})
		}
	}
	if m.Theme = kept; len(kept.Members) == 0 {
		m.Theme = a2ui.Data{}
	}
}

// Pending reports messages that Complete has not returned.
func (in *Intake) Pending() bool { return len(in.messages) > 0 }

// Complete removes and returns the messages that can be shown before the answer ends: those about surfaces
// that lack nothing. Messages may be empty.
func (in *Intake) Complete() Said {
	now := map[string]*folded{}
	for _, m := range in.messages {
		if _, begun := now[m.surface]; !begun {
			now[m.surface] = foldOn(in.owned[m.surface])
		}
		now[m.surface] = now[m.surface].fold(in.agent.Dialect, m.read)
	}
	for id, f := range now {
		if f != nil && !f.complete() {
			delete(now, id)
		}
	}
	said, rest := Said{Agent: in.said.Agent, Title: in.said.Title, Icon: in.said.Icon, Version: in.said.Version,
		Seq: in.said.Seq}, []counted(nil)
	for _, m := range in.messages {
		if f, whole := now[m.surface]; whole {
			said.Messages, said.Read = append(said.Messages, m.raw), append(said.Read, m.read)
			in.owned[m.surface] = f.surface()
		} else {
			rest = append(rest, m)
		}
	}
	in.messages = rest
	return said
}

// Later adds messages that could not be shown early to the end of the answer.
func (in *Intake) Later(said Said) {
	in.said.Messages, in.said.Read = append(in.said.Messages, said.Messages...), append(in.said.Read, said.Read...)
}

// End ends the answer. Surfaces that are not whole are as they were before it.
func (in *Intake) End() (Said, []*ui.Error) {
	broken := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(in.early)) { // without their root
		in.begun[id] = true
		in.message(in.early[id], nil)
	}
	for _, p := range in.rules.EndTurn() {
		if !broken[p.Surface] {
			in.refuse(CodeMessage, p.Surface, "%s", excerpt.Head(p.Error(), 300))
		}
		broken[p.Surface] = true
	}
	for _, m := range in.messages {
		if !broken[m.surface] {
			in.said.Messages, in.said.Read = append(in.said.Messages, m.raw), append(in.said.Read, m.read)
		}
	}
	in.said.Text = strings.TrimSpace(strings.ToValidUTF8(in.said.Text, "\uFFFD"))
	return in.said, in.warnings
}

// Held is an answer as it counts on a State. That may be a later one than the answer was held to, if another answer of
// the agent came first: then its messages are held to the surfaces and limits as they are now.
func (c *Config) Held(s *ui.State, said Said) (Said, []*ui.Error) {
	if c == nil || said.Seq == s.Seq || len(said.Messages) == 0 {
		return said, nil
	}
	a := c.Agent(said.Agent)
	if a == nil || a.Version != said.Version {
		return said, nil
	}
	in := c.Intake(a, s)
	in.MayReplace()
	list := read(a.Dialect, said)
	begins := map[string]bool{} // the surfaces that the answer creates, of versions that do so last
	for _, m := range list {
		if _, ok := m.(*a2ui.CreateSurface); ok && a.Dialect.Features().CreateLast {
			begins[m.Surface()] = true
		}
	}
	for _, m := range list {
		if !in.gone(m, begins) {
			in.message(m, nil)
		}
	}
	now, warnings := in.End()
	said.Messages, said.Read = now.Messages, now.Read
	return said, warnings
}

// gone reports a message about a surface that the agent has closed since it began to answer: it counts for nothing.
// That it comes before the message that creates its surface is right for those in begins.
func (in *Intake) gone(m a2ui.Message, begins map[string]bool) bool {
	switch m.(type) {
	case *a2ui.UpdateComponents, *a2ui.UpdateData:
		return !in.open[m.Surface()] && !begins[m.Surface()]
	case *a2ui.DeleteSurface:
		return !in.open[m.Surface()]
	}
	return false
}

// refuse notes what does not count, once.
func (in *Intake) refuse(code ui.Code, surface, format string, args ...any) {
	path := "/agents/" + in.agent.Name
	if surface != "" {
		path += "/" + excerpt.Head(surface, 64)
	}
	why := ui.Error{Code: code, Path: path, Message: fmt.Sprintf(format, args...)}
	left := maxWarnings
	if code == CodeProperty {
		left = maxProperties
	}
	for _, w := range in.warnings {
		if *w == why {
			return
		}
		if (w.Code == CodeProperty) == (code == CodeProperty) {
			left--
		}
	}
	if left > 0 {
		in.warnings = append(in.warnings, &why)
	}
}
