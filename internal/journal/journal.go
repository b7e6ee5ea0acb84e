// Package journal keeps the notes of recorded events: each question or call that left
// the process, and its answer. A turn that starts again reads them instead of asking
// again.
//
//	handler or webhook   intent ─▶ result
//	routing model        route, before anything else
//	chat model           reply, then the call that it asks for
//	run with tools       asked ─▶ intent ─▶ result ─▶ asked ─▶ … ─▶ reply
//	canceled run         cancel, by any node
//
// An intent without a result is a call that may have been made: it is made again only
// under the same key, and only if the action is declared idempotent. Steps are dense;
// of two writers of one step the second gets store.ErrExists.
package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Why a turn or a model run ends before its event is answered here.
var (
	ErrTaken    = errors.New("another node runs this event")
	ErrCanceled = errors.New("canceled by the user")
)

// Journal is the notes of one event.
type Journal struct {
	Store interface {
		store.Journal
		Lookup(ctx context.Context, conversation string, r store.Event) (*store.Event, error)
	}
	Conversation string
	Event        string
}

// Kinds of notes.
const (
	KindIntent = "intent" // a call is about to be made
	KindResult = "result"
	KindRoute  = "route"  // the answer of the routing model
	KindAsked  = "asked"  // one answer of a model that may call tools
	KindReply  = "reply"  // the answer of the model
	KindCancel = "cancel" // the user does not want the model's answer
)

// Note is one entry.
type Note struct {
	Kind   string       `json:"kind"`
	Name   string       `json:"name,omitempty"`
	By     string       `json:"by,omitempty"`   // of a tool's intent: who wrote it
	Args   string       `json:"args,omitempty"` // of an intent: a hash of the arguments, or who wrote it
	Text   string       `json:"text,omitempty"` // of a tool's result; of an agent's intent: whom the run began with
	Asked  *Asked       `json:"asked,omitempty"`
	Result *app.Result  `json:"result,omitempty"`
	Ops    ui.Ops       `json:"ops,omitempty"` // of a result, that count whatever becomes of the surface
	Kept   *ui.Outcome  `json:"kept,omitempty"`
	Reply  *agent.Reply `json:"reply,omitempty"`
	// of a reply: the repairs until the model's answer could be used
	Repairs []agent.Repair `json:"repairs,omitempty"`
	Route   *route.Answer  `json:"route,omitempty"`
	Error   string         `json:"error,omitempty"`
	Code    ui.Code        `json:"code,omitempty"`
}

// AsksAgent reports the intent to ask an agent of a gateway.
func (n Note) AsksAgent() bool {
	return n.Kind == KindIntent && strings.HasPrefix(n.Name, builtin.RunAgent)
}

// Asked is one answer of a model in a run with tools.
type Asked struct {
	Text    string     `json:"text,omitempty"`
	Finish  llm.Finish `json:"finish,omitempty"`
	Calls   []llm.Call `json:"calls,omitempty"`
	Offered []string   `json:"offered,omitempty"` // in the first: the tools it could call
}

// Start counts, durably, that the turn is begun, and returns how often it was, from
// 1. store.ErrConflict: the event is answered.
func (j Journal) Start(ctx context.Context) (int, error) {
	return j.Store.Start(ctx, j.Conversation, j.Event)
}

// Notes lists all entries.
func (j Journal) Notes(ctx context.Context) ([]Note, error) {
	raw, err := j.Store.Notes(ctx, j.Conversation, j.Event)
	if err != nil {
		return nil, err
	}
	notes := make([]Note, len(raw))
	for i := range raw {
		if err := json.Unmarshal(raw[i], &notes[i]); err != nil {
			return nil, fmt.Errorf("journal entry %d: %w", i, err)
		}
	}
	return notes, nil
}

// Known returns an event of the conversation, nil without one of that id.
func (j Journal) Known(ctx context.Context, id ui.EventID) (*ui.Event, error) {
	r, err := j.Store.Lookup(ctx, j.Conversation, store.Event{ID: string(id)})
	if err != nil && !errors.Is(err, store.ErrKeyReused) || r == nil { // the hash of its body is not known here
		return nil, err
	}
	return ui.DecodeEvent(r.Body)
}

// Write adds entry number step. Errors: those of store.Journal.
func (j Journal) Write(ctx context.Context, step int, n Note) error {
	text := n.Text // it may be long: jsonx writes it sooner
	n.Text = ""
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	if text != "" {
		body = slices.Grow(body, len(text)+len(text)/8)
		body = append(jsonx.AppendString(append(body[:len(body)-1], `,"text":`...), text), '}')
	}
	return j.Store.Note(ctx, j.Conversation, j.Event, step, body)
}

// Cancel notes that the user does not want the model's answer. An event that is answered needs no note.
func (j Journal) Cancel(ctx context.Context) (err error) {
	for range 3 { // the run may write its own note at the same time
		var notes []Note
		if notes, err = j.Notes(ctx); err == nil {
			err = j.Write(ctx, len(notes), Note{Kind: KindCancel})
		}
		if !errors.Is(err, store.ErrExists) {
			break
		}
	}
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	return err
}

// Canceled reports the note of Cancel.
func (j Journal) Canceled(ctx context.Context) bool {
	notes, err := j.Notes(ctx)
	return err == nil && slices.ContainsFunc(notes, func(n Note) bool { return n.Kind == KindCancel })
}

// KeepAnswers is how long the answer to an Idempotency-Key is kept at least. A
// later repeat is refused by its rev or epoch.
const KeepAnswers = 24 * time.Hour

// Forget removes the answers, keys and journals of all events that are older than
// KeepAnswers, and returns how many.
func Forget(ctx context.Context, db store.Retention, now time.Time) (n int, err error) {
	for {
		some, err := db.Forget(ctx, now.Add(-KeepAnswers), store.ForgetMax)
		n += some
		if err != nil || some < store.ForgetMax {
			return n, err
		}
	}
}

// CallIn finds the call of an action, a message route or a model's directive: at which
// step it is noted, or will be, whether it was begun, and its result. A routing model
// may have been asked before it, a model have replied, or the user have canceled the
// answer of a model. The calls of tools are not meant.
func CallIn(notes []Note) (step int, begun bool, ended *Note) {
	step = 1 + slices.IndexFunc(notes, func(n Note) bool { return n.Kind == KindReply })
	for ; step < len(notes) && (notes[step].Kind == KindRoute || notes[step].Kind == KindCancel); step++ {
	}
	if step == len(notes) || notes[step].Kind != KindIntent || notes[step].By != "" {
		return step, false, nil
	}
	for i := step + 1; i < len(notes); i++ {
		if notes[i].Kind == KindResult {
			return step, true, &notes[i]
		}
	}
	return step, true, nil
}

// Same reports notes with the same content.
func Same(a, b Note) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// CallKey names a call for as long as its event is remembered.
func CallKey(e *ui.Event, step int) string { return string(e.ID) + "/" + strconv.Itoa(step) }

// Unknown reports an error of a call that may have been carried out.
func Unknown(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || ui.CodeOf(err) == agent.CodeEffectUnknown
}

// Warning is a warning as a note keeps it: without its cause, which is for logs.
func Warning(w *ui.Error) ui.Error {
	out := *w
	out.Err = nil
	return out
}

// Principal is the user that calls for an event are made for: the name, or
// without one the id. Events recorded by an older version have the id only.
func Principal(e *ui.Event) string { return cmp.Or(e.User, e.Principal) }
