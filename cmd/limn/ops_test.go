package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/sqlite"
	"github.com/limn-ui/limn/ui"
)

// opsApp is an application with a webhook that is called later.
const opsApp = `
name: ops
title: Ops
forms:
  - {name: guest, title: Guest, phrases: [add a guest], on_submit: sync, fields: [{name: name, label: Name, type: text, required: true}]}
tables:
  - {name: risks, title: Risks, nouns: [risk], columns: [{name: risk, label: Risk, type: text}]}
actions:
  - {name: sync, webhook: {url: "https://example.org/sync", secret: s3cret, later: true}}
`

// seeded is a database with one conversation of some turns, more than a
// snapshot's worth if long, whose webhook was given up. The turns are run once; each
// test has a copy of the file.
func seeded(t testing.TB, dir string, long bool) (dsn, id string) {
	t.Helper()
	seeds.Lock()
	defer seeds.Unlock()
	if seeds.made[long] == nil {
		first := t.TempDir()
		id := seed(t, first, long)
		file, err := os.ReadFile(filepath.Join(first, "limn.db"))
		if err != nil {
			t.Fatal(err)
		}
		seeds.made[long] = &database{id, file}
	}
	d := seeds.made[long]
	if err := os.WriteFile(filepath.Join(dir, "limn.db"), d.file, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + filepath.Join(dir, "limn.db"), d.id
}

var seeds = struct {
	sync.Mutex                    // guards made
	made       map[bool]*database // long or not
}{made: map[bool]*database{}}

type database struct {
	id   string // of its conversation
	file []byte
}

// seed makes the database in a folder and returns the id of its conversation.
func seed(t testing.TB, dir string, long bool) (id string) {
	t.Helper()
	a, err := app.Load("ops.yaml", []byte(opsApp))
	if err != nil {
		t.Fatal(err)
	}
	st, err := sqlite.Open(filepath.Join(dir, "limn.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	buried := make(chan struct{}, 1)
	srv, err := limn.New(limn.Config{App: a, Store: st, Base: "http://127.0.0.1:8080", Tries: 1,
		Webhook: func(context.Context, app.Webhook, string, []byte) ([]byte, error) {
			buried <- struct{}{}
			return nil, errors.New("refused")
		}})
	if err != nil {
		t.Fatal(err)
	}
	svc := srv.Service()
	ctx := logs.WithRequest(t.Context(), "0193c1f0-seed")
	if id, err = svc.Create(ctx, "p"); err != nil {
		t.Fatal(err)
	}
	do := func(e *ui.Event) {
		t.Helper()
		if rec, err := svc.Submit(ctx, id, "p", e, time.Minute); err != nil || !rec.Done || rec.Outcome.Code != "" {
			t.Fatalf("%+v %v", rec, err)
		}
	}
	say := func(text string) { do(&ui.Event{Kind: ui.EventMessage, Text: text}) }
	say("We have 4 risks.")
	say("draft -> check -> send, then the manager approves")
	say("add a guest")
	h, err := svc.Head(ctx, id, "p")
	if err != nil {
		t.Fatal(err)
	}
	sf := h.State.Surface("form:guest")
	if sf == nil {
		t.Fatal("the form is not open")
	}
	var click ui.ActionEvent
	click.Surface, click.Name, click.Nonce, click.Rev, click.Form = sf.WireID(), builtin.ActionSubmit, sf.Nonce, sf.Rev,
		false
	click.Component = ui.KeyPath("main/buttons/submit").ComponentID("Button")
	if err := json.Unmarshal([]byte(`{"name":"Ada"}`), &click.Context); err != nil {
		t.Fatal(err)
	}
	do(&ui.Event{Kind: ui.EventAction, Action: &click})
	<-buried
	for {
		graves, err := st.DeadLetters(ctx, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(graves) == 1 {
			break
		}
		wake, cancel := svc.Subscribe(id) // the grave is dug right after its frame
		select {
		case <-wake:
		case <-time.After(10 * time.Millisecond):
		}
		cancel()
	}
	if long {
		for range 70 {
			say("We have 4 risks.")
			say("cancel it")
		}
	}
	if err := srv.Close(ctx); err != nil {
		t.Fatal(err)
	}
	return id
}

// limnRun runs the program in this process.
func limnRun(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(context.Background(), args, term.Terminal{Out: &out, Err: &errs, Env: func(string) string { return "" }})
	return code, out.String(), errs.String()
}

func TestTraceCommand(t *testing.T) {
	t.Parallel()
	dsn, id := seeded(t, t.TempDir(), false)
	code, out, errs := limnRun("trace", id, "--store", dsn)
	if code != 0 || !regexp.MustCompile(
		`(?m)^4 +\S+ \S+Z +action +none +done +v0.9 \d+ B, v0.9\+limn \d+ B, v0.8 \d+ B, html \d+ B +0.0 +\d+\.\d +\d+\.\d +0193c1f0-seed$`).MatchString(out) ||
		!strings.Contains(out, "answer") || !strings.Contains(out, "failed WEBHOOK_GIVEN_UP (soft_fail form:guest)") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
	code, out, errs = limnRun("trace", id, "--store", dsn, "--json", "--after", "3")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 2 || strings.Contains(out, "Ada") {
		t.Fatalf("%d %s\n%s", code, errs, out)
	}
	if turn, err := turntrace.DecodeTurn([]byte(lines[0])); err != nil || turn.Index != 4 ||
		turn.Request != "0193c1f0-seed" || turn.Outcome.Kind != ui.OutcomeDone {
		t.Errorf("%+v %v", turn, err)
	}
	for _, c := range [][]string{{"trace", "nobody", "--store", dsn}, {"trace", id, "--store", dsn + "x"}} {
		if code, _, errs := limnRun(c...); code != exitProblem || errs == "" {
			t.Errorf("%v: %d %s", c, code, errs)
		}
	}
}

func TestReplayConversation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dsn, id := seeded(t, dir, true)
	file := filepath.Join(dir, "ops.yaml")
	write(t, file, opsApp)
	code, out, errs := limnRun("replay-conversation", id, file, "--store", dsn)
	if code != 0 || !regexp.MustCompile(
		`^145 frames, state hash [0-9a-f]{32}; compared: 145 frames, 2 snapshots, \d{3} drawings, all the same byte for byte\n$`).MatchString(out) {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	all := out
	// The messages are those that a client shows the state with.
	code, out, errs = limnRun("replay-conversation", id, file, "--store", dsn, "--target", "v0.9")
	if code != 0 || !strings.HasPrefix(out, `{"`) || strings.Count(out, "\n") < 145 {
		t.Fatalf("%d %s %.200s", code, errs, out)
	}
	stream := filepath.Join(dir, "stream.jsonl")
	write(t, stream, out)
	if code, out, errs := limnRun("validate", stream); code != 0 {
		t.Errorf("the messages are not valid: %s%s", out, errs)
	}
	// The traces say what addresses begin with.
	if code, same, errs := limnRun("replay-conversation", id, file, "--store", dsn, "--base",
		"https://elsewhere.example", "--check"); code != 0 || same != all {
		t.Errorf("%d %s %s", code, same, errs)
	}
	// Another application draws differently: nothing is compared, nothing is claimed.
	other := filepath.Join(dir, "other.yaml")
	write(t, other, strings.Replace(opsApp, "label: Name", "label: Full name", 1))
	if code, out, errs = limnRun("replay-conversation", id, other, "--store", dsn); code != 0 ||
		!regexp.MustCompile(
			`compared: 145 frames, 2 snapshots, 0 drawings, all .*; not compared: \d{3} drawings by another version`).MatchString(out) {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if code, _, errs := limnRun("replay-conversation", id, other, "--store", dsn, "--check"); code != exitProblem ||
		!strings.Contains(errs, "no drawing could be compared") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs := limnRun("replay-conversation", id, file, "--store", dsn, "--target", "html"); code != exitProblem || !strings.Contains(errs, "want an A2UI drawing") {
		t.Errorf("%d %s", code, errs)
	}
}

// unhashed makes traces those of a program that left no hashes.
const unhashed = `UPDATE frame SET trace = CAST(json_remove(CAST(trace AS TEXT), '$.base', '$.frame_hash', '$.snapshot_hash', '$.sum') AS BLOB); `

// What differs is named with its frame.
func TestReplayConversationDiffers(t *testing.T) {
	alone(t)
	t.Parallel()
	for name, c := range map[string]struct{ change, want string }{
		"frame":        {`UPDATE frame SET body = replace(body, 'Ada', 'Eve') WHERE seq = 4`, "frame 4: it was changed after it was committed"},
		"sentence":     {`UPDATE frame SET body = replace(body, 'have 4 risks.', 'had 4 risks.') WHERE seq = 1`, "frame 1: it was changed after it was committed"},
		"trace":        {`UPDATE frame SET trace = replace(trace, '"hash":"', '"hash":"0') WHERE seq = 3`, "trace of frame 3: decode trace: it was changed"},
		"trace gone":   {`UPDATE frame SET trace = NULL WHERE seq = 2`, "frame 2: its trace is missing"},
		"last gone":    {`UPDATE frame SET trace = NULL WHERE seq = 145`, "frame 145: its trace is missing"},
		"swapped":      {`UPDATE frame SET trace = (SELECT trace FROM frame f WHERE f.seq = 2) WHERE seq = 3`, "frame 3: it was changed after it was committed"},
		"snapshot":     {`UPDATE snapshot SET body = replace(body, 'Ada', 'Eve')`, "frame 64: its snapshot was changed"},
		"old frame":    {unhashed + `UPDATE frame SET body = replace(body, 'Ada', 'Eve') WHERE seq = 4`, "frame 4: v0.9: the messages differ"},
		"old html":     {unhashed + `UPDATE frame SET trace = CAST(json_set(CAST(trace AS TEXT), '$.compiled[3].hash', '0') AS BLOB) WHERE seq = 3`, "frame 3: html: the messages differ"},
		"old changes":  {unhashed + `UPDATE frame SET body = replace(body, '"kind":"opened"', '"kind":"data"') WHERE seq = 3`, "frame 3: its ops change other surfaces"},
		"old snapshot": {unhashed + `UPDATE snapshot SET body = replace(body, 'Ada', 'Eve')`, "the snapshot differs"},
		"old":          {unhashed, "no frame could be compared"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			dsn, id := seeded(t, dir, true)
			file := filepath.Join(dir, "ops.yaml")
			write(t, file, opsApp)
			db, err := sql.Open("sqlite", filepath.Join(dir, "limn.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			res, err := db.Exec(c.change)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := res.RowsAffected(); err != nil || n == 0 {
				t.Fatalf("%d rows changed, %v", n, err)
			}
			if code, out, errs := limnRun("replay-conversation", id, file, "--store", dsn, "--check"); code != exitProblem || !strings.Contains(errs, c.want) {
				t.Errorf("%d %s%s, want %s", code, out, errs, c.want)
			}
			if name != "old" {
				return
			}
			const want = "compared: 0 frames, 2 snapshots, 576 drawings, all the same byte for byte; not compared: 145 frames without a hash in the trace"
			if code, out, errs := limnRun("replay-conversation", id, file, "--store", dsn); code != 0 ||
				!strings.Contains(out, want) {
				t.Errorf("%d %s%s", code, out, errs)
			}
		})
	}
}

func TestOutboxCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dsn, id := seeded(t, dir, false)
	_, out, _ := limnRun("outbox", "--store", dsn, "--json")
	var line outboxLine
	if err := json.Unmarshal([]byte(out), &line); err != nil || line.Conversation != id || line.State != "dead" ||
		line.Tries != 1 || line.Job != line.Event+"/0" || !strings.Contains(string(line.Call), `"name":"Ada"`) {
		t.Fatalf("%v %s", err, out)
	}
	code, out, errs := limnRun("outbox", "list", "--store", dsn)
	if code != 0 || !strings.Contains(out, line.Job+"  dead   sync    1      1 tries; the last: *errors.errorString") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, _, errs := limnRun("outbox", "retry", "nothing/0", "--store", dsn); code != exitProblem ||
		!strings.Contains(errs, "no call nothing/0 was given up") {
		t.Errorf("%d %s", code, errs)
	}
	if code, out, errs := limnRun("outbox", "retry", line.Job, "--store", dsn); code != 0 ||
		!strings.Contains(out, "is tried again") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if _, out, _ := limnRun("outbox", "--store", dsn); !regexp.MustCompile(`^No call was given up\.\n1 call waits for its next try, the first at \S+Z; --all lists what waits\.\n$`).MatchString(out) {
		t.Errorf("%s", out)
	}
	if code, out, errs := limnRun("outbox", "list", "--all", "--store", dsn); code != 0 ||
		!strings.Contains(out, "waiting") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	st, err := sqlite.Open(filepath.Join(dir, "limn.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(st.Kill(t.Context(), id, line.Job, "again"), st.Close()); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := limnRun("outbox", "drop", line.Job, "--store", dsn); code != 0 ||
		!strings.Contains(out, "is dropped") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if _, out, _ := limnRun("outbox", "list", "--all", "--store", dsn); out != "No calls.\n" {
		t.Errorf("%s", out)
	}
}

// More calls than one page holds are listed, found and counted.
func TestOutboxPages(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "limn.db")
	st, err := sqlite.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	conv := store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "p", Created: time.Unix(1, 0)}
	w := store.Dump{Conversation: conv, Seq: 1, Frames: []store.Frame{{Seq: 1, Body: []byte("{}")}}}
	const buried, waiting = 2*store.Page + 3, 5
	for i := range buried + waiting {
		j := store.Job{ID: fmt.Sprintf("e%05d/0", i), Event: "e", Kind: "webhook", Body: []byte(`{"action":"sync"}`),
			Due: time.Unix(int64(1000-i), 0)}
		if i < buried {
			j.Why = "no such host"
		}
		w.Jobs = append(w.Jobs, j)
	}
	if err := st.Import(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	_, out, errs := limnRun("outbox", "--store", "sqlite:"+file)
	if strings.Count(out, "no such host") != buried || !strings.HasPrefix(out, "JOB ") ||
		strings.Count(out, "JOB ") != 1 ||
		!strings.HasSuffix(out,
			fmt.Sprintf("5 calls wait for their next try, the first at %s; --all lists what waits.\n",
				time.Unix(1000-buried-waiting+1, 0).UTC().Format(time.RFC3339))) {
		t.Errorf("%s %.200s … %s", errs, out, out[max(0, len(out)-200):])
	}
	if _, out, _ := limnRun("outbox", "--store", "sqlite:"+file, "--json"); strings.Count(out, "\n") != buried {
		t.Errorf("%d lines", strings.Count(out, "\n"))
	}
	if _, out, _ := limnRun("outbox", "list", "--all", "--store", "sqlite:"+file); strings.Count(out, "\n") != 1+buried+waiting {
		t.Errorf("%d lines", strings.Count(out, "\n"))
	}
	last := fmt.Sprintf("e%05d/0", buried-1)
	if code, out, errs := limnRun("outbox", "drop", last, "--store", "sqlite:"+file); code != 0 ||
		!strings.Contains(out, last+" is dropped") {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
