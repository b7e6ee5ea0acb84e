package modelrun

import (
	"context"
	"errors"
	"strings"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// loop is the journal of a run with several calls, of tools or agents. It records the model's answers
// and the calls, and plays them back in that order when the run starts again. A note
// that cannot be written at once is owed, and written before the next call: nothing
// is called whose intent is not durable.
type loop struct {
	r        *Run
	notes    []journal.Note // the journal; the last owed of them are not in the store yet
	owed     int
	met      map[int]bool // notes that this try has come by
	maybe    journal.Note // an intent that may be written though nothing was called
	tools    map[string]toolbox
	offered  []string
	unknown  bool // a call may have been made: the answer says so
	replayed int  // answers of the model that this try found in the journal
	found    agent.Found
}

// journaled is a model whose answers are kept.
type journaled struct {
	l     *loop
	model llm.Model
}

// Capabilities implements llm.Capable.
func (m journaled) Capabilities() llm.Capabilities {
	if c, ok := m.model.(llm.Capable); ok {
		return c.Capabilities()
	}
	return llm.Capabilities{Keys: []string{"*"}, JSONSchema: true, JSONObject: true, Tools: true, Streaming: true}
}

// Name implements llm.Named.
func (m journaled) Name() (provider, model string) {
	if n, ok := m.model.(llm.Named); ok {
		return n.Name()
	}
	return "", ""
}

// Ask implements llm.Model.
func (m journaled) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	l := m.l
	for i, n := range l.notes {
		if n.Asked != nil && !l.met[i] {
			l.met[i] = true
			l.replayed++
			return llm.Reply{Text: n.Asked.Text, Finish: n.Asked.Finish, Calls: n.Asked.Calls}, ctx.Err()
		}
	}
	reply, err := m.model.Ask(ctx, r)
	if err != nil {
		return reply, err
	}
	l.keep(ctx, journal.Note{Kind: journal.KindAsked, Asked: &journal.Asked{Text: reply.Text, Finish: reply.Finish,
		Calls: reply.Calls, Offered: l.offered}})
	l.offered = nil
	return reply, nil
}

// resultNote is the note of a call's result. Of an error only the text of a
// *ui.Error is for the model. If an earlier call under the same key may have been
// carried out, a call that did not reach the tool leaves that unknown.
func resultNote(text string, err error, earlier bool) journal.Note {
	n := journal.Note{Text: text}
	var said *ui.Error
	switch {
	case err == nil:
	case earlier && !errors.As(err, &said), earlier && said.Code == agent.CodeToolAway:
		n.Code, n.Error, n.Text = agent.CodeEffectUnknown,
			"an earlier call was cut off and this one failed; whether the first was carried out is unknown", ""
	case errors.As(err, &said):
		n.Code, n.Error, n.Text = said.Code, strings.TrimSpace(said.Message+" "+said.Hint), ""
	case errors.Is(err, context.DeadlineExceeded):
		n.Code, n.Error = agent.CodeEffectUnknown, "the call did not end in time; whether it was carried out is unknown"
	default:
		n.Code, n.Error = agent.CodeToolFailed, "the tool failed"
	}
	return n
}

// once makes a call at most once as far as the journal knows, and returns its result. One that was begun before a
// crash is made again, under the key of the same step, only if it is idempotent. call returns its result, and an
// error if it failed: then it has no result if the run was canceled, since the next start decides about such a call.
func (l *loop) once(ctx context.Context, intent journal.Note, idempotent bool,
	call func(step int, again bool) (journal.Note, error)) (*journal.Note, error) {
	step, result := l.recorded(intent)
	again := step >= 0 // an earlier call may have been carried out
	switch {
	case result != nil:
		return result, nil
	case again && !idempotent:
		return l.keep(ctx, journal.Note{Kind: journal.KindResult, Name: intent.Name, Code: agent.CodeEffectUnknown,
			Error: "the call was begun before a crash; whether it was carried out is unknown"}), nil
	case !again:
		var err error
		if step, err = l.intend(ctx, intent); err != nil {
			l.r.Cancel(err)
			return nil, err
		}
	}
	n, err := call(step, again)
	if err != nil && l.r.canceled(ctx) {
		return nil, err
	}
	n.Kind, n.Name = journal.KindResult, intent.Name
	return l.keep(ctx, n), nil
}

// canceled reports a run that was cut off: by its user, by the end of the server, or because another node has its
// event. The end of its time is no such cut.
func (r *Run) canceled(ctx context.Context) bool {
	return r.Stop.Err() != nil || errors.Is(ctx.Err(), context.Canceled)
}

// begun returns the step of a call in the journal that this try has not come by yet, or -1. Agents are asked in the
// same order again; their words may differ, since the file may have other prefixes by now.
func (l *loop) begun(intent journal.Note) int {
	for i, n := range l.notes {
		if n.Kind == journal.KindIntent && !l.met[i] && n.Name == intent.Name &&
			(n.Args == intent.Args || n.AsksAgent()) {
			return i
		}
	}
	return -1
}

// recorded is begun for a call that this try comes by now, with its result, or nil.
func (l *loop) recorded(intent journal.Note) (step int, result *journal.Note) {
	if step = l.begun(intent); step < 0 {
		return step, nil
	}
	l.met[step] = true
	for i := step + 1; i < len(l.notes) && l.notes[i].Kind != journal.KindIntent; i++ {
		if l.notes[i].Kind == journal.KindResult {
			return step, &l.notes[i]
		}
	}
	return step, nil
}

// intend makes an intent durable and returns its step.
func (l *loop) intend(ctx context.Context, n journal.Note) (int, error) {
	if l.maybe.Name == n.Name && l.maybe.Args == n.Args {
		n = l.maybe
	} else {
		n.By = l.r.Writer()
	}
	l.notes, l.owed = append(l.notes, n), l.owed+1
	if err := l.write(ctx); err != nil {
		l.notes, l.owed, l.maybe = l.notes[:len(l.notes)-1], l.owed-1, n
		return 0, err
	}
	l.maybe = journal.Note{}
	l.met[len(l.notes)-1] = true
	return len(l.notes) - 1, nil
}

// keep notes what happened, now or before the next call.
func (l *loop) keep(ctx context.Context, n journal.Note) *journal.Note {
	l.notes, l.owed = append(l.notes, n), l.owed+1
	at := len(l.notes) - 1
	l.met[at] = true
	if err := l.write(ctx); err != nil {
		l.r.log().WarnContext(ctx, "journal", "err", logs.Quiet(err))
		if errors.Is(err, journal.ErrTaken) || errors.Is(err, journal.ErrCanceled) {
			l.r.Cancel(err)
		}
	}
	return &l.notes[at]
}

// write stores the notes that are due, in order. If a step already has another note,
// the note is one of three: this process's, written by a try that seemed to fail; a
// cancel; or that of another node, which has the event now.
func (l *loop) write(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	for ; l.owed > 0; l.owed-- {
		at := len(l.notes) - l.owed
		err := l.r.Journal.Write(ctx, at, l.notes[at])
		switch {
		case err == nil:
			continue
		case !errors.Is(err, store.ErrExists):
			return conversation.StoreError("write journal", err)
		}
		there, err := l.r.Journal.Notes(ctx)
		switch {
		case err != nil:
			return conversation.StoreError("read journal", err)
		case at < len(there) && journal.Same(there[at], l.notes[at]):
		case at < len(there) && there[at].Kind == journal.KindCancel:
			return journal.ErrCanceled
		default:
			return journal.ErrTaken
		}
	}
	return nil
}
