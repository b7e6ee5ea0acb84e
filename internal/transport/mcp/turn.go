package mcp

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// drawing is how the surfaces of an answer are drawn.
type drawing struct {
	target deliver.Target
	mark   string
	silent bool   // they are not, but named
	lack   string // why, and where else they are
}

// chosen is the drawing of a client: of this request's capabilities, or of the session's,
// else the first that is configured. The error is of an extension that is not offered.
func (v *visit) chosen() (g drawing, err error) {
	g.mark = unsaid
	all := door.Newest(v.Targets())
	if len(all) == 0 {
		return drawing{silent: true, mark: unsaid}, nil
	}
	for _, t := range v.Targets() {
		if t.HTML == nil {
			g.target = t
			break
		}
	}
	marked, ok := door.Marked(v.Targets(), v.mark)
	switch {
	case v.said.Speaks != nil:
		t, err := door.Choose(v.Targets(), v.said.Speaks)
		if err == nil {
			g.mark = door.Mark(v.Targets(), t)
			g.target, err = door.Speaks(v.Service().App(), t, v.said.Speaks)
			return g, err
		}
		said := v.Refusal(v.r, err)
		g.silent, g.mark, g.lack = true, nothing, string(said.Code)+": "+said.Message
	case ok:
		g.target, g.mark = marked, v.mark
	case v.mark == nothing:
		g.silent, g.mark, g.lack = true, nothing, "no catalog in common"
	case v.apps: // the app draws them
		g.silent = true
	}
	return g, nil
}

// turn is what came of the events of a request.
type turn struct {
	*visit
	drawing
	door.Events                 // what came after their frame After is said
	action      *ui.ActionEvent // the last one; nil: none

	words   []string
	touched []ui.Name // surfaces, in the order of their changes
	gone    []*ui.Surface
	outcome ui.Outcome // of the last event
	done    bool
	now     *ui.State // after all
	log     string    // of the conversation

	drawnHTML *string // for the app
}

// open finds the conversation, the sender's or the one that an address names.
func (v *visit) open(id string) (t *turn, err error) {
	if id == "" {
		if id, err = v.begin(); err != nil {
			return nil, err
		}
	}
	h, err := v.Service().Head(v.r.Context(), id, v.who)
	if v.byID() != "" && ui.CodeOf(err) == conversation.CodeNotFound {
		return nil, &fault{noResource, 0, &ui.Error{Code: conversation.CodeNotFound,
			Path: "/params/_meta/limn_conversation", Message: "there is no such conversation",
			Hint: "leave it out for the one of this address"}, nil}
	}
	if err != nil {
		return nil, err
	}
	g, err := v.chosen()
	if err != nil {
		return nil, err
	}
	return &turn{visit: v, drawing: g, Events: door.NewEvents(v.Service(), id, v.who, h.State.Seq), now: h.State,
		log: h.Log}, nil
}

// take hands an event over and waits for what comes of it.
func (t *turn) take(e *ui.Event) error {
	rec, wait, err := t.hand(e)
	if err != nil {
		return err
	}
	if !rec.Done {
		rec = wait(t.r.Context(), waitTurn)
	}
	return t.follow(t.r.Context(), rec)
}

// hand hands an event over.
func (t *turn) hand(e *ui.Event) (rec session.Receipt, wait door.Answer, err error) {
	e.Key, t.action = cmp.Or(t.said.key, e.Key), e.Action
	if e.Model.Kind == jsonx.Null {
		e.Model = t.said.Model
	}
	if e.Key != "" {
		rec, known, err := t.Service().Keyed(t.r.Context(), t.Conversation, t.who, e.Key)
		if err != nil {
			return rec, nil, err
		}
		if known && rec.Done {
			t.sent(rec)
			return rec, nil, nil
		}
	}
	if wait, err = t.Take(t.w, t.r, t.Conversation, t.who, e); err != nil {
		return rec, nil, door.OfKey(err, "/params/_meta/limn_key")
	}
	rec = wait(t.r.Context(), 0)
	t.sent(rec)
	return rec, wait, nil
}

// sent notes an event that was handed over.
func (t *turn) sent(rec session.Receipt) { t.Add(t.r.Context(), rec, true) }

// follow collects the frames, and waits for that of a model's reply to an action.
func (t *turn) follow(ctx context.Context, rec session.Receipt) error {
	ctx, cancel := context.WithTimeout(ctx, waitTurn)
	defer cancel()
	woken, leave := t.Service().Subscribe(t.Conversation)
	defer leave()
	for {
		if err := t.collect(ctx); err != nil {
			return err
		}
		if !t.done { // its frame may be gone, or before
			if end, over, _ := t.Over(ctx); over && end.Seq <= t.After {
				t.outcome, t.done = end.Outcome, true
			}
		}
		if t.done || !rec.Done {
			return nil
		}
		select {
		case <-woken:
		case <-t.Stopping():
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// page is how many steps are read at once.
const page = 64

// collect reads the frames after t.After.
func (t *turn) collect(ctx context.Context) error {
	for {
		steps, err := t.Service().Steps(ctx, t.Conversation, t.After, page)
		if ui.CodeOf(err) == conversation.CodeTrimmed {
			h, err := t.Service().Head(ctx, t.Conversation, t.who)
			if err == nil {
				t.now, t.After = h.State, h.State.Seq
			}
			return err
		}
		if err != nil {
			return err
		}
		for _, st := range steps {
			t.frame(st)
		}
		if len(steps) < page {
			return nil
		}
	}
}

// frame notes the words and the changes of a frame.
func (t *turn) frame(st conversation.Step) {
	f := st.Frame
	own := t.Owns(f.Event)
	t.After, t.now = f.Seq, st.After
	if own {
		t.outcome = f.Outcome
		t.done, _ = t.Ends(f) // after an error Over looks again
	}
	if own || !door.AnswersUser(st) {
		t.say(f.Text)
		for _, toast := range f.Toasts {
			t.say(toast)
		}
	}
	if own {
		for _, w := range f.Warnings {
			t.say(w)
		}
		if f.Rebuild != nil { // the client shows something else than the state
			for _, sf := range st.After.Surfaces {
				t.touch(sf.Name)
			}
		}
	}
	for _, c := range f.Changes {
		was, is := st.Before.Surface(c.Surface), st.After.Surface(c.Surface)
		if was != nil && (is == nil || is.Epoch != was.Epoch) {
			t.gone = append(t.gone, was)
		}
		if is != nil {
			t.touch(c.Surface)
		}
	}
}

func (t *turn) touch(name ui.Name) {
	for _, n := range t.touched {
		if n == name {
			return
		}
	}
	t.touched = append(t.touched, name)
}

// say adds words that were not said yet.
func (t *turn) say(s string) {
	for _, was := range t.words {
		if was == s {
			return
		}
	}
	if s != "" {
		t.words = append(t.words, s)
	}
}

// content collects the blocks of a result.
type content struct{ b []byte }

func (c *content) next() {
	if len(c.b) > 0 {
		c.b = append(c.b, ',')
	}
}

func (c *content) text(s string) {
	c.next()
	c.b = append(jsonx.AppendString(append(c.b, `{"type":"text","text":`...), s), '}')
}

// resource adds messages as the resource that they draw. They are for the user, and no use to
// a model.
func (c *content) resource(uri, media string, messages []byte) {
	c.next()
	c.b = jsonx.AppendString(append(c.b, `{"type":"resource","annotations":{"audience":["user"]},"resource":{"uri":`...),
		uri)
	c.b = jsonx.AppendString(append(c.b, `,"mimeType":`...), media)
	c.b = append(jsonx.AppendString(append(c.b, `,"text":`...), string(messages)), "}}"...)
}

// list joins messages to a JSON list.
func list(messages [][]byte) []byte {
	out := []byte{'['}
	for i, m := range messages {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m...)
	}
	return append(out, ']')
}

// shown is a surface as programs read of it.
type shown struct {
	URI    string    `json:"uri"`
	Name   ui.Name   `json:"name"`
	Title  string    `json:"title,omitempty"`
	Status ui.Status `json:"status"`
}

// structured is the part of a result that is for programs.
type structured struct {
	Conversation string         `json:"conversation"`
	Outcome      ui.OutcomeKind `json:"outcome"`
	Code         ui.Code        `json:"code,omitempty"`
	Path         ui.Path        `json:"path,omitempty"`
	Hint         string         `json:"hint,omitempty"`
	Surfaces     []shown        `json:"surfaces"`
	HTML         *string        `json:"html,omitempty"` // for the app
}

const working ui.OutcomeKind = "working"

// result is the result of the call.
func (t *turn) toolResult() (out []byte, err error) {
	c, s := &content{}, structured{Conversation: t.Conversation, Outcome: cmp.Or(t.outcome.Kind, working),
		Code: t.outcome.Code, Path: t.outcome.Path, Hint: t.outcome.Hint, Surfaces: []shown{}, HTML: t.drawnHTML}
	if !t.done {
		s.Outcome = working
		t.say("This takes longer. What comes of it will be in the resources of the conversation.")
	}
	if o := t.outcome; o.Kind != ui.OutcomeDone {
		t.say(cmp.Or(o.Message, o.Detail))
		if o.Code != "" {
			t.say(strings.TrimSuffix(string(o.Code)+": "+o.Hint, ": "))
		}
	}
	for _, name := range t.touched {
		if sf := t.now.Surface(name); sf != nil {
			s.Surfaces = append(s.Surfaces, shown{t.uri(sf), sf.Name, sf.Title, sf.Status})
			t.say(sf.Title + " (" + string(sf.Name) + ") is " + string(sf.Status) + ".")
		}
	}
	for _, sf := range t.gone {
		if t.now.Surface(sf.Name) == nil { // else another one is in its place, by the same name
			t.say(sf.Title + " (" + string(sf.Name) + ") is closed.")
		}
	}
	if t.lack != "" && len(s.Surfaces) > 0 {
		t.say(t.lack + ". " + t.Address(t.r, "/c/"+t.Conversation))
	}
	c.text(strings.Join(t.words, "\n"))
	if err := t.draw(c); err != nil {
		return nil, err
	}
	out = append(append(append(out, `{"content":[`...), c.b...), `],"structuredContent":`...)
	out = append(out, encode(s)...)
	if s.Outcome == ui.OutcomeRefused || s.Outcome == ui.OutcomeFailed {
		out = append(out, `,"isError":true`...)
	}
	if t.newborn != "" {
		out = append(jsonx.AppendString(append(out, `,"_meta":{"limn_token":`...), t.newborn), '}')
	}
	if t.modern {
		out = append(out, `,"resultType":"complete"`...)
	}
	return append(out, '}'), nil
}

// draw adds the surfaces that changed, each as it is now, and the end of those that are gone.
func (t *turn) draw(c *content) error {
	if line, ok := door.Returned(t.outcome, t.action); ok {
		c.resource(scheme+t.Conversation+"/"+url.PathEscape(t.action.Surface), a2ui.V10.Features().MediaType,
			list([][]byte{line}))
	}
	if t.silent {
		return nil
	}
	media := t.target.A2UI.Dialect.Features().MediaType
	for _, sf := range t.gone {
		if is := t.now.Surface(sf.Name); is != nil && is.Epoch == sf.Epoch {
			continue
		}
		gone, err := t.Deliver().Gone(t.target, sf)
		if err != nil {
			return err
		}
		c.resource(t.uri(sf), media, list([][]byte{gone}))
	}
	for _, name := range t.touched {
		sf := t.now.Surface(name)
		if sf == nil {
			continue
		}
		messages, err := t.drawn(t.target, t.now, sf)
		if err != nil {
			return err
		}
		c.resource(t.uri(sf), media, messages)
	}
	return nil
}

// drawn is the messages that draw one surface of a state.
func (d *agent) drawn(target deliver.Target, s *ui.State, sf *ui.Surface) ([]byte, error) {
	alone := *s
	alone.Surfaces, alone.Failed, alone.Router.Calls = []*ui.Surface{sf}, nil, nil // hosts run no functions
	messages, err := d.Deliver().Render(target, &alone)
	return list(messages), err
}

// Addresses of surfaces.
const (
	scheme   = "a2ui://"
	template = scheme + "{conversation}/{surface}"
)

func (t *turn) uri(sf *ui.Surface) string { return uriOf(t.Conversation, sf) }

func uriOf(conversation string, sf *ui.Surface) string {
	return scheme + conversation + "/" + url.PathEscape(sf.WireID())
}

// parseURI reads the address of a surface: its conversation and its id.
func parseURI(uri string) (conversation, surface string, ok bool) {
	rest, ok := strings.CutPrefix(uri, scheme)
	conversation, surface, cut := strings.Cut(rest, "/")
	surface, err := url.PathUnescape(surface)
	ok = ok && cut && len(uri) <= 512 && len(conversation) == idLen && err == nil && surface != ""
	return conversation, surface, ok
}

// idLen is how long a UUID is.
const idLen = 36

// surface finds a surface of a state by its id.
func surface(s *ui.State, id string) *ui.Surface {
	for _, sf := range s.Surfaces {
		if sf.WireID() == id {
			return sf
		}
	}
	return nil
}

// respond answers the call with its result.
func (t *turn) respond() error {
	out, err := t.toolResult()
	if err != nil {
		return err
	}
	return door.WriteJSON(t.w, http.StatusOK, append(append(door.Reply(nil, t.id, "result"), out...), '}'))
}
