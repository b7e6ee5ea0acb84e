package session_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// told collects events.
type told struct {
	mu   sync.Mutex
	list []trace.Event
}

func (s *told) Emit(e trace.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, e)
}

// since returns what was told since the last call, in short.
func (s *told) since() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, e := range s.list {
		text := string(e.Name)
		for _, v := range []string{e.Action, strings.TrimPrefix(e.Tool, "request_"), e.Type} {
			if v != "" {
				text += " " + v
			}
		}
		if e.Confidence > 0 {
			text += fmt.Sprintf(" %.2f", e.Confidence)
		}
		for _, f := range []struct {
			on   bool
			name string
		}{{e.Resumed, " resumed"}, {e.Accepted, " accepted"}, {e.AllTools, " all"},
			{e.Tools > 0, fmt.Sprint(" tools ", e.Tools)}} {
			if f.on {
				text += f.name
			}
		}
		out = append(out, text)
	}
	s.list = nil
	return strings.Join(out, "; ")
}

const table ui.Name = "table:risks"

// risks declares a table of one required and one number column.
func risks(c *app.Config) {
	c.Tables = append(c.Tables, app.Table{Name: "risks", Title: "Risks", Nouns: []string{"risks"}, Columns: []ui.Field{
		{Name: "title", Label: "Title", Type: ui.TypeText, Required: true},
		{Name: "count", Label: "Count", Type: ui.TypeNumber}}})
}

// fill is a click that sends rows of the table with their titles; "?" is a row
// with a count and no title.
func fill(sf *ui.Surface, key string, titles ...string) *ui.Event {
	var rows []jsonx.Member
	for i, title := range titles {
		count := ""
		if title == "?" {
			title, count = "", "1"
		}
		rows = append(rows, jsonx.Member{Key: fmt.Sprintf("r%d", i+1),
			Value: jsonx.OfObject(jsonx.Member{Key: "title", Value: jsonx.Of(title)},
				jsonx.Member{Key: "count", Value: jsonx.Of(count)})})
	}
	return press(sf, ui.KeyPath("main/buttons/"+key), jsonx.Member{Key: "risks", Value: jsonx.OfObject(rows...)})
}

// TestTelemetry: exactly the events of decision logic §14, each after its frame.
func TestTelemetry(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		sink := &told{}
		w := newWorld(t, declared(t, risks), func(c *session.Config) { c.Tell = sink })
		step := func(what string, e *ui.Event, want string) {
			t.Helper()
			seq := len(w.frames())
			w.submit(e)
			synctest.Wait() // a model run answers before it tells
			sink.mu.Lock()
			for _, e := range sink.list {
				if e.Conversation != w.id || e.Seq != uint64(seq+1) || e.At.IsZero() {
					t.Errorf("%s: %+v", what, e)
				}
			}
			sink.mu.Unlock()
			equal(t, what, want, sink.since())
		}
		step("greeting", say("hello"), "router_decision chat 0.05")
		step("question", say("We have some risks."), "router_decision clarify 0.58")
		step("answer", say("4"), "router_decision tool data_table 0.88; tool_opened data_table")
		step("same", say("We have 12 risks."), "router_decision chat 0.44")
		step("beside", say("We have 12 stakeholders."), "router_decision tool data_table 0.86; tool_opened data_table")
		step("and away", press(w.open("table:list"), "main/buttons/cancel"), "tool_canceled data_table")
		step("worked in", fill(w.open(table), "submit", "Fire", "", "fire"),
			"validation_warning_shown duplicate_entries 0.99; validation_warning_shown low_coverage 0.90")
		step("gate", say("We have 12 stakeholders."), "router_decision chat 0.44")
		step("resume", say("where were we?"), "router_decision tool data_table 0.95; tool_opened data_table resumed")
		step("check", fill(w.open(table), "submit", "Fire", "", "fire"),
			"validation_warning_shown duplicate_entries 0.99; validation_warning_shown low_coverage 0.90")
		step("incomplete", fill(w.open(table), "submit", "Fire", "?"),
			"validation_warning_shown missing_required_fields 1.00; validation_warning_shown duplicate_entries 0.99")
		step("incomplete again", fill(w.open(table), "submit", "Fire", "?"),
			"validation_warning_shown missing_required_fields 1.00; validation_warning_shown duplicate_entries 0.99")
		step("accept", fill(w.open(table), "accept", "Fire", "?"), "tool_submitted data_table accepted")
		step("open", say("We have 3 risks."), "router_decision tool data_table 0.86; tool_opened data_table")
		step("complete", fill(w.open(table), "submit", "Fire", "Flood", "Theft"), "")
		step("confirm", fill(w.open(table), "confirm", "Fire", "Flood", "Theft"), "tool_submitted data_table")
		step("open", say("We have 3 risks."), "router_decision tool data_table 0.86; tool_opened data_table")
		step("cancel", press(w.open(table), "main/buttons/cancel"), "tool_canceled data_table")
		step("open", say("We have 3 risks."), "router_decision tool data_table 0.86; tool_opened data_table")
		step("cancel by words", say("cancel it"), "router_decision chat 0.05; tool_canceled data_table")
		step("streak", say("We have 3 risks."), "router_decision chat 0.44")
		step("opt out", say("Never show me tables again."), "router_decision chat 0.05; user_opt_out_changed tools 1")
		step("expiry", &ui.Event{Kind: ui.EventPreference,
			Preference: &ui.Preference{OptOut: &ui.OptOut{All: true, Expires: time.Now().Add(time.Hour)}}},
			"user_opt_out_changed all")
		step("closed", say("We have 3 risks."), "router_decision chat 0.44")
		time.Sleep(2 * time.Hour)
		step("expired", say("We have 3 risks."),
			"router_decision tool data_table 0.86; user_opt_out_changed; tool_opened data_table")
	})
}

// TestTelemetryOfDirectives: tools that a model opens are told too, and a sink
// that panics hurts nobody.
func TestTelemetryOfDirectives(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		sink := &told{}
		w := newWorld(t, declared(t, risks), model(
			limntest.Says(envelope("Here.", `{"type":"ui.show_table","payload":{"name":"risks"}}`))),
			func(c *session.Config) { c.Tell = sink })
		w.submit(say("hello"))
		synctest.Wait() // it answers before it tells
		equal(t, "told", "router_decision chat 0.05; tool_opened data_table", sink.since())
		w.submit(say("hello"))
		synctest.Wait()
		equal(t, "told", "router_decision chat 0.44; tool_opened data_table resumed", sink.since())
		w.svc.Close(t.Context())
		w.cfg.Tell = broken{}
		w.svc = w.start()
		w.outcome(w.submit(say("hello again")), ui.OutcomeDone, "")
		equal(t, "frames", 3, len(w.frames()))
	})
}

type broken struct{}

func (broken) Emit(trace.Event) { panic("sink") }

// TestCrashBetweenOpenAndSubmit: the same surface, the same draft, the same
// checkpoint after a crash, and no question.
func TestCrashBetweenOpenAndSubmit(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, risks))
		w.submit(say("We have 4 risks."))
		w.submit(fill(w.open(table), "submit", "Fire", "?"))
		before := w.state()
		w.crash()
		after := w.state()
		equal(t, "state", encoded(t, before), encoded(t, after))
		equal(t, "iterations", 1, after.Router.Checkpoint.Iteration)
		w.submit(fill(w.open(table), "submit", "Fire", "Flood", "Theft", "Storm"))
		w.crash()
		w.outcome(w.submit(fill(w.open(table), "confirm", "Fire", "Flood", "Theft", "Storm")), ui.OutcomeDone, "")
		if w.state().Router.Checkpoint != nil {
			t.Error("the checkpoint is still there")
		}
	})
}

// TestBrokenCheckpoint: a tool that cannot be opened again is closed, said so
// once, and nothing loops (facts R-62).
func TestBrokenCheckpoint(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*ui.State) ui.Ops{
		"payload unreadable": func(s *ui.State) ui.Ops {
			r := s.Router
			cp := *r.Checkpoint
			cp.Payload, r.Checkpoint = ui.String("?"), &cp
			return ui.Ops{&ui.Set{Router: r}}
		},
		"no checkpoint": func(s *ui.State) ui.Ops {
			r := s.Router
			r.Checkpoint = nil
			return ui.Ops{&ui.Set{Router: r}}
		},
		"surface gone":   func(*ui.State) ui.Ops { return ui.Ops{&ui.Close{Surface: table}} },
		"surface locked": func(*ui.State) ui.Ops { return ui.Ops{&ui.Lock{Surface: table}} },
	} {
		t.Run(name, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				w := newWorld(t, declared(t, risks))
				w.submit(say("We have 4 risks."))
				s := w.state()
				body := encoded(t, &ui.Frame{V: ui.Version, Seq: s.Seq + 1, Event: "spoilt", At: s.Transcript[0].At,
					Ops: spoil(s), Outcome: ui.Outcome{Kind: ui.OutcomeDone}})
				rec := store.Event{ID: "spoilt",
					Body: []byte(encoded(t, &ui.Event{V: ui.Version, ID: "spoilt", Kind: ui.EventMessage})),
					At:   s.Transcript[0].At}
				if err := w.store.Append(t.Context(), w.id,
					store.Commit{Expect: s.Seq, Frame: []byte(body), Record: &rec, Answer: []byte("{}")}); err != nil {
					t.Fatal(err)
				}
				w.crash()
				w.outcome(w.submit(say("We have 5 risks.")), ui.OutcomeDone, "")
				frames := w.frames()
				equal(t, "text", ui.DefaultWords()["tool.lost"], frames[len(frames)-1].Text)
				if r := w.state().Router; r.Checkpoint != nil || r.LastStatus == ui.StatusToolOpen || r.Cancels != 0 {
					t.Errorf("router = %+v", r)
				}
				if sf := w.state().Surface(table); sf != nil && sf.Status == ui.StatusOpen {
					t.Error("the surface is still open")
				}
				w.submit(say("We have 5 risks."))
				if cp := w.state().Router.Checkpoint; cp == nil || cp.Surface != table {
					t.Errorf("it does not open again: %+v", cp)
				}
			})
		})
	}
}
