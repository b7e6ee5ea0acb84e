package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// journal is the durable notes of one recorded event: each question or call that left
// the process, and its answer. A turn that starts again reads it instead of asking
// again.
//
//	handler or webhook   intent ─▶ result
//	routing model        route, before anything else
//	chat model           reply, last
//	run with tools       asked ─▶ intent ─▶ result ─▶ asked ─▶ … ─▶ reply
//	canceled run         cancel, by any node
//
// An intent without a result is a call that may have been made: it is made again
// only under the same key, and only if the action is declared idempotent. Steps are
// dense; two writers of one step are told apart by store.ErrExists.
type journal struct {
	store        store.Journal
	conversation string
	event        string
}

// Kinds of notes.
const (
	noteIntent = "intent" // a call is about to be made
	noteResult = "result"
	noteRoute  = "route"  // the answer of the routing model
	noteAsked  = "asked"  // one answer of a model that may call tools
	noteReply  = "reply"  // the answer of the model
	noteCancel = "cancel" // the user does not want the model's answer
)

// note is one entry.
type note struct {
	Kind   string        `json:"kind"`
	Name   string        `json:"name,omitempty"`
	By     string        `json:"by,omitempty"`   // of a tool's intent: who wrote it
	Args   string        `json:"args,omitempty"` // of a tool's intent: a hash of its arguments
	Text   string        `json:"text,omitempty"` // of a tool's result
	Asked  *asked        `json:"asked,omitempty"`
	Result *app.Result   `json:"result,omitempty"`
	Ops    ui.Ops        `json:"ops,omitempty"` // of a result, that count whatever becomes of the surface
	Kept   *ui.Outcome   `json:"kept,omitempty"`
	Reply  *turn.Reply   `json:"reply,omitempty"`
	Route  *route.Answer `json:"route,omitempty"`
	Error  string        `json:"error,omitempty"`
	Code   ui.Code       `json:"code,omitempty"`
}

// journalOf returns the journal of an event of the conversation.
func (c *mailbox) journalOf(event string) journal {
	return journal{store: c.svc.cfg.Store, conversation: c.info.ID, event: event}
}

// start counts, durably, that the turn is begun, and returns how often it was, from
// 1. store.ErrConflict: the event is answered.
func (l journal) start(ctx context.Context) (int, error) {
	return l.store.Start(ctx, l.conversation, l.event)
}

// notes lists all entries.
func (l journal) notes(ctx context.Context) ([]note, error) {
	raw, err := l.store.Notes(ctx, l.conversation, l.event)
	if err != nil {
		return nil, err
	}
	notes := make([]note, len(raw))
	for i := range raw {
		if err := json.Unmarshal(raw[i], &notes[i]); err != nil {
			return nil, fmt.Errorf("journal entry %d: %w", i, err)
		}
	}
	return notes, nil
}

// write adds entry number step. Errors: those of store.Journal.
func (l journal) write(ctx context.Context, step int, n note) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return l.store.Note(ctx, l.conversation, l.event, step, body)
}

// callIn finds the call of an action or a message route: at which step it is noted,
// or will be, whether it was begun, and its result. A routing model may have been
// asked before it. The calls of tools are not meant.
func callIn(notes []note) (step int, begun bool, ended *note) {
	for ; step < len(notes) && notes[step].Kind == noteRoute; step++ {
	}
	if step == len(notes) || notes[step].Kind != noteIntent || notes[step].By != "" {
		return step, false, nil
	}
	for i := step + 1; i < len(notes); i++ {
		if notes[i].Kind == noteResult {
			return step, true, &notes[i]
		}
	}
	return step, true, nil
}

// sameNote reports notes with the same content.
func sameNote(a, b note) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}
