package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

func (w *world) traces() (out []*turntrace.Turn) {
	w.Helper()
	list, err := w.store.Traces(context.Background(), w.id, 0, 0)
	if err != nil {
		w.Fatal(err)
	}
	for _, f := range list {
		turn, err := turntrace.DecodeTurn(f.Body)
		if err != nil {
			w.Fatal(err)
		}
		if turn.Version != turntrace.TurnVersion || turn.Index != f.Seq || turn.Conversation != w.id ||
			turn.Ended.Before(turn.Began) || turn.Timing.Total < 0 {
			w.Errorf("trace of frame %d: %s", f.Seq, f.Body)
		}
		out = append(out, turn)
	}
	return out
}

// Each frame has a trace that says what led to it and what was drawn.
func TestTraces(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		slow := limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			time.Sleep(2 * time.Second)
			return llm.Reply{Text: envelope("Here.", showForm), Finish: llm.FinishStop,
				Usage: llm.Usage{In: 10, Out: 3}}, nil
		})
		w := newWorld(t, declared(t, handled(true, func(context.Context, app.Call) (app.Result, error) {
			time.Sleep(time.Second)
			return app.Result{Text: "Saved."}, nil
		})), model(slow))
		ctx := logs.WithRequest(t.Context(), "0193c1f0-request")
		do := func(e *ui.Event) session.Receipt {
			rec, err := w.svc.Submit(ctx, w.id, "p", e, wait)
			if err != nil {
				t.Fatal(err)
			}
			return rec
		}
		do(say("what is new"))
		stale := send(w.open(form), "Acme")
		stale.Action.Nonce = strings.Repeat("0", 32)
		do(stale)
		do(send(w.open(form), "Acme"))
		turns := w.traces()
		if len(turns) != 3 {
			t.Fatalf("%d traces", len(turns))
		}
		for _, turn := range turns {
			if turn.Request != "0193c1f0-request" || turn.Received.IsZero() || turn.Recovery != nil {
				t.Errorf("%+v", turn)
			}
		}
		asked, refused, saved := turns[0], turns[1], turns[2]
		if asked.Mode != turntrace.ModeDirectives || asked.Timing.LLM != 2000 || asked.Timing.Directives != 2000 ||
			asked.Timing.Total < 2000 {
			t.Errorf("%+v", asked)
		}
		want := []turntrace.Run{{For: "reply",
			Attempts: []turntrace.Attempt{{Format: "json_schema", Ms: 2000, In: 10, Out: 3}}}}
		equal(t, "runs", want, asked.LLM)
		if len(asked.Drawings) != 3 || asked.Validation.Schema != turntrace.StatusOK {
			t.Fatalf("%+v", asked)
		}
		for _, d := range asked.Drawings {
			p := d.Parts[0]
			if len(d.Parts) != 1 || p.ID != "form:customer#e=1" || p.Epoch != 1 || p.Rev != 1 || p.Bytes != d.Bytes ||
				p.Messages < 1 || p.Components < 5 || p.Data < 1 || len(d.Hash) != 32 || len(d.Print) != 8 {
				t.Errorf("%+v", d)
			}
		}
		if refused.Mode != turntrace.ModeNone || len(refused.Drawings) != 0 || refused.Outcome.Kind != ui.OutcomeRefused ||
			len(refused.Validation.Codes) != 1 || refused.Validation.Schema != turntrace.StatusNone {
			t.Errorf("%+v", refused)
		}
		if saved.Effect == nil || saved.Effect.Action != "save" || saved.Effect.Ms != 1000 ||
			saved.Outcome.Kind != ui.OutcomeDone {
			t.Errorf("%+v", saved)
		}
	})
}

// What a trace says of a drawing is what a stream delivers.
func TestTraceHashes(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), phrases)
		w.submit(say("add a customer"))
		w.submit(send(w.open(form), "Acme"))
		if n := w.sameDrawings(); n != 6 {
			t.Errorf("%d drawings are compared", n)
		}
	})
}

// sameDrawings holds what the newest steps have drawn, and what their traces say
// of it, against what a stream would draw by itself.
func (w *world) sameDrawings() (n int) {
	w.Helper()
	turns := w.traces()
	steps, err := w.svc.Steps(context.Background(), w.id, 0, 1000)
	if err != nil {
		w.Fatal(err)
	}
	for i, st := range steps {
		for _, target := range w.cfg.Targets {
			batches, err := compile.Update(target, st.Before, st.After, st.Frame)
			if err != nil {
				w.Fatal(err)
			}
			var all []byte
			for _, m := range batches.Messages() {
				if all, err = a2ui.AppendMessage(all, target.Dialect, m); err != nil {
					w.Fatal(err)
				}
				all = append(all, '\n')
			}
			print := compile.Fingerprint(target, w.cfg.App.Fingerprint())
			lines, _, ok := st.Drawn(print)
			if got := append(bytes.Join(lines, []byte("\n")), '\n'); ok && !bytes.Equal(got, all) && len(got)+len(all) > 1 {
				w.Errorf("frame %d, %s: drawn are %s, want %s", st.Frame.Seq, target.Dialect, got, all)
			}
			for _, d := range turns[i].Drawings {
				if d.Print == print && (d.Hash != turntrace.Hash(all) || d.Bytes != len(all) ||
					d.Target != target.Dialect.String()) {
					w.Errorf("frame %d: %+v, the messages have %d bytes", st.Frame.Seq, d, len(all))
				} else if d.Print == print && ok {
					n++
				}
			}
		}
	}
	return n
}

// What is not A2UI is drawn and hashed too; streams get those bytes. Where it
// panics the turn stands, and its trace says nothing of that drawing.
func TestTracePages(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t), phrases, drawsHTML, func(c *session.Config) {
			broken := c.Pages[0]
			broken.Print = "00000000"
			broken.Update = func(*ui.State, *ui.State, *ui.Frame) ([][]byte, []string, error) { panic("broken") }
			c.Pages = append(c.Pages, broken)
		})
		w.submit(say("add a customer"))
		if rec := w.submit(send(w.open(form), "Acme")); rec.Outcome.Kind != ui.OutcomeDone {
			t.Errorf("%+v", rec)
		}
		steps, err := w.svc.Steps(t.Context(), w.id, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		page := w.cfg.Pages[0]
		for i, turn := range w.traces() {
			messages, _, err := page.Update(steps[i].Before, steps[i].After, steps[i].Frame)
			if err != nil || len(messages) == 0 {
				t.Fatalf("%d messages, %v", len(messages), err)
			}
			want := turntrace.Drawing{Target: "html", Print: page.Print,
				Hash:  turntrace.Hash(append(bytes.Join(messages, []byte("\n")), '\n')),
				Bytes: len(bytes.Join(messages, nil)) + len(messages)}
			equal(t, "drawings that are not A2UI", []turntrace.Drawing{want}, turn.Drawings[len(w.cfg.Targets):])
			lines, _, ok := steps[i].Drawn(page.Print)
			if !ok {
				t.Error("it is not kept")
			}
			equal(t, "messages", messages, lines)
		}
	})
}

// A surface that does not draw, a lost race and a crash leave their marks.
func TestTraceOfFailures(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		a := declared(t, boarded(failsFor("Acme", forbidden)))
		answer := envelope("", showBoard)
		w := newWorld(t, a, model(limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
			return llm.Reply{Text: answer, Finish: llm.FinishStop}, nil
		})))
		w.submit(say("the board"))
		answer = envelope("", showForm)
		w.submit(say("the form"))
		w.submit(send(w.open(form), "Acme"))
		if n := w.sameDrawings(); n < 6 {
			t.Errorf("%d drawings are compared", n)
		}
		turns := w.traces()
		last := turns[len(turns)-1]
		for _, turn := range turns {
			if len(turn.Recovery) > 0 {
				last = turn
			}
		}
		if len(last.Recovery) != 1 || last.Recovery[0] != (turntrace.Recovery{Do: "deleteSurface", Surface: board, Reason: "COMPILE_ACTION_FORBIDDEN"}) || last.Validation.Schema != turntrace.StatusFailed {
			t.Errorf("%+v", last)
		}
	})
}

// Every member of a trace has the name that the contract gives it, and none
// could hold what a user wrote: only enums, numbers, codes, names, times.
func TestTraceMembers(t *testing.T) {
	t.Parallel()
	turn := &turntrace.Turn{}
	setAll(reflect.ValueOf(turn).Elem())
	b, err := turn.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"trace_version", "request_id", "conversation_id", "turn_index", "received_at",
		"began_at", "ended_at", "mode", "strict_mode",
		"provider", "model", "stream", "response_format", "parallel_tool_calls", "temperature", "top_p", "top_k", "routing",
		"surface_id", "epoch", "surface_rev", "messages", "bytes", "components", "data_entries", "schema", "semantic", "guardrail", "warnings", "codes",
		"recovery", "reason", "llm_ms", "directives_ms", "tool_loop_ms", "compile_ms", "total_ms"} {
		if !bytes.Contains(b, []byte(`"`+name+`":`)) {
			t.Errorf("no %s in %s", name, b)
		}
	}
	var back turntrace.Turn
	if err := json.Unmarshal(b, &back); err != nil || back.Outcome.Message != "" {
		t.Errorf("%+v %v", back, err)
	}
}

// setAll gives every member a value.
func setAll(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeOf(time.Time{}) {
			return
		}
		for i := range v.NumField() {
			setAll(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setAll(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		setAll(v.Index(0))
	case reflect.String:
		v.SetString("CODE")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64, reflect.Uint32:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Bool:
		v.SetBool(true)
	}
}

// What goes wrong is counted.
func TestCountsOfFailures(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		count := &counts{n: map[string]float64{}}
		g := limntest.NewGate()
		w := newWorld(t, declared(t), model(g), func(c *session.Config) { c.Meter, c.Queue = count, 1 })
		st := newFlaky(w.store)
		cfg := w.cfg
		cfg.Store = st
		svc, err := session.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer svc.Close(ended) //nolint:errcheck // it ends
		submit := func(s *session.Service, e *ui.Event) error {
			_, err := s.Submit(t.Context(), w.id, "p", e, 0)
			return err
		}
		refused := &ui.Event{Kind: ui.EventPreference, Preference: &ui.Preference{OptOut: &ui.OptOut{All: true}}}
		st.set(failing("append"), nil)
		if submit(svc, refused) == nil {
			t.Error("no store, no error")
		}
		st.set(nil, nil)
		if err := submit(svc, refused); err != nil { // behind the back of the other service
			t.Fatal(err)
		}
		if err := errors.Join(submit(w.svc, refused), submit(svc, refused)); err != nil {
			t.Fatal(err)
		}
		if err := submit(w.svc, say("what is new")); err != nil { // the model has the only place
			t.Fatal(err)
		}
		<-g.Asked
		if submit(w.svc, refused) == nil {
			t.Error("the queue holds more than it may")
		}
		w.crash()
		w.post(&ui.Event{Kind: ui.EventCancel})
		synctest.Wait()
		for series, least := range map[string]float64{"store_errors_total submit": 1, "conflicts_total": 1,
			"queue_full_total": 1, "takeovers_total": 1} {
			if got := count.of(series); got < least {
				t.Errorf("%s: %v", series, got)
			}
		}
	})
}
