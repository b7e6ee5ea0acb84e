package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// replayCommand is the command "limn replay-conversation".
type replayCommand struct {
	ID  string `arg:"" help:"The conversation."`
	App string `arg:"" optional:"" type:"path" help:"The application, as for limn serve."`
	storeFlag
	Base   string `default:"http://127.0.0.1:8080" help:"As for limn serve: addresses of pictures and uploads are part of what was sent."`
	Target string `placeholder:"VERSION" help:"Print every A2UI message that was sent for this drawing, such as v0.9, one a line."`
	Check  bool   `help:"Only check, and say what was found. The default without --target."`
}

// Help is shown below the options.
func (replayCommand) Help() string {
	return `Applies the frames of the log one by one, from the first one or the oldest snapshot that is kept, and holds against each other: the changes that each frame recorded, every snapshot, and the state a server would serve. Then every A2UI message is compiled again and compared, byte for byte, with the hash that its turn left in its trace; turns that another version of the program or of the application has drawn are counted, not compared.

Exit status: 0 all agree, 1 something differs or cannot be read, 2 a wrong command line.

Examples:
  limn replay-conversation 0193c1f0-7a5e-7000-8000-000000000000 desk.yaml --store sqlite:limn.db
  limn replay-conversation 0193c1f0-7a5e-7000-8000-000000000000 desk.yaml --target v0.9 | limn replay`
}

// Run replays a conversation.
func (c replayCommand) Run(ctx context.Context, t term.Terminal) error {
	a, err := loadApp(c.App, t.Env)
	if err != nil {
		return err
	}
	st, closeStore, err := c.open()
	if err != nil {
		return err
	}
	r := &replay{app: a, store: st, id: c.ID, out: io.Discard}
	if c.Target != "" {
		r.out = t.Out
	}
	err = errors.Join(c.drawings(r), r.run(ctx), closeStore())
	if err == nil {
		to := t.Out
		if c.Target != "" {
			to = t.Err // the messages are on standard output
		}
		if c.Target == "" || c.Check {
			_, err = fmt.Fprintln(to, r.summary())
		}
	}
	return err
}

// drawings are all that a server could have offered.
func (c replayCommand) drawings(r *replay) error {
	list, err := limn.Config{App: r.app, Base: c.Base, Targets: limn.Targets()}.Drawings(func() time.Time { return r.at })
	if err != nil {
		return err
	}
	for _, d := range list {
		if d.HTML != nil {
			continue
		}
		if d.Name == c.Target {
			r.shown = len(r.targets) + 1
		}
		r.targets = append(r.targets, drawnTarget{d.A2UI, compile.Fingerprint(d.A2UI, r.app.Fingerprint())})
	}
	if c.Target != "" && r.shown == 0 {
		return fmt.Errorf("--target %q: want an A2UI drawing of %v", c.Target, limn.Targets())
	}
	return nil
}

type drawnTarget struct {
	compile.Target
	print string
}

// replay is one conversation derived again.
type replay struct {
	app     *app.App
	store   store.Store
	id      string
	targets []drawnTarget
	shown   int       // 1 + the target whose messages go to out; 0: none
	at      time.Time // when the frame was drawn, for addresses of pictures
	out     io.Writer

	turns     map[uint64]*trace.Turn
	frames    int
	snapshots int
	same      int // drawings that are the same, byte for byte
	other     int // drawings of another version of program or application
	untraced  int // frames that changed a surface and have no trace
	state     *ui.State
}

func (r *replay) summary() string {
	b, err := ui.Encode(r.state)
	if err != nil {
		return err.Error()
	}
	s := fmt.Sprintf("%s, state hash %s, %s agree, %s the same byte for byte", term.Count(r.frames, "frame"), trace.Hash(b),
		term.Count(r.snapshots, "snapshot"), term.Count(r.same, "drawing"))
	if r.other > 0 {
		s += fmt.Sprintf(", %d by another version", r.other)
	}
	if r.untraced > 0 {
		s += fmt.Sprintf(", %s without a trace", term.Count(r.untraced, "frame"))
	}
	return s
}

func (r *replay) run(ctx context.Context) error {
	head, err := r.store.Open(ctx, r.id)
	if err != nil {
		return fmt.Errorf("conversation %s: %w", r.id, err)
	}
	snaps, err := r.snapshotsOf(ctx, head)
	if err != nil {
		return err
	}
	if err := r.traces(ctx); err != nil {
		return err
	}
	if r.state, err = r.start(head, snaps); err != nil {
		return err
	}
	for r.state.Seq < head.Seq {
		page, err := r.store.Frames(ctx, r.id, r.state.Seq, 256)
		if err != nil {
			return fmt.Errorf("frames after %d: %w", r.state.Seq, err)
		}
		if len(page) == 0 {
			return fmt.Errorf("the log ends at frame %d, the head is %d", r.state.Seq, head.Seq)
		}
		for _, f := range page {
			if err := r.frame(f, snaps); err != nil {
				return fmt.Errorf("frame %d: %w", f.Seq, err)
			}
		}
	}
	return nil
}

// snapshotsOf lists what is kept, by seq.
func (r *replay) snapshotsOf(ctx context.Context, head store.Head) (map[uint64][]byte, error) {
	out := map[uint64][]byte{}
	if head.SnapshotSeq > 0 {
		out[head.SnapshotSeq] = head.Snapshot
	}
	more, ok := r.store.(store.Snapshots)
	for at := head.SnapshotSeq; ok && at > 0; {
		seq, body, err := more.Snapshot(ctx, r.id, at-1)
		if errors.Is(err, store.ErrNotFound) || err == nil && seq == 0 {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read snapshots: %w", err)
		}
		out[seq], at = body, seq
	}
	return out, nil
}

func (r *replay) traces(ctx context.Context) error {
	r.turns = map[uint64]*trace.Turn{}
	if _, ok := r.store.(store.Traces); !ok {
		return nil
	}
	return eachTrace(ctx, r.store, r.id, 0, func(f store.Frame) error {
		turn, err := trace.DecodeTurn(f.Body)
		if err != nil {
			return fmt.Errorf("trace of frame %d: %w", f.Seq, err)
		}
		r.turns[f.Seq] = turn
		return nil
	})
}

// start is the state the replay begins with: the first one, or if frames were
// trimmed, the oldest snapshot that is kept.
func (r *replay) start(head store.Head, snaps map[uint64][]byte) (*ui.State, error) {
	if head.Floor == 0 {
		return r.app.NewState(r.id), nil
	}
	var at uint64
	for seq := range snaps {
		if seq >= head.Floor && (at == 0 || seq < at) {
			at = seq
		}
	}
	if at == 0 {
		return nil, fmt.Errorf("frames up to %d were trimmed, and no snapshot stands there", head.Floor)
	}
	st, err := ui.DecodeState(snaps[at])
	if err != nil {
		return nil, fmt.Errorf("snapshot at frame %d: %w", at, err)
	}
	r.snapshots++
	return st, r.show(func(t compile.Target) (compile.Batches, error) { return compile.Snapshot(t, st) })
}

// frame applies one frame and holds it against all that is known of it.
func (r *replay) frame(f store.Frame, snaps map[uint64][]byte) error {
	frame, err := ui.DecodeFrame(f.Body)
	if err != nil {
		return err
	}
	before := r.state
	after, changes, err := ui.Apply(before, frame, r.app.Config().Limits)
	if err != nil {
		return fmt.Errorf("its ops do not apply: %w", err)
	}
	if !sameRecord(changes, frame.Changes) {
		return errors.New("its ops change other surfaces than it recorded")
	}
	r.state, r.frames = after, r.frames+1
	if snap, ok := snaps[f.Seq]; ok {
		st, err := ui.DecodeState(snap)
		if err != nil {
			return fmt.Errorf("snapshot: %w", err)
		}
		if !sameRecord(st, after) {
			return errors.New("the snapshot differs from the state that the log leads to; was the application changed, such as its guardrails?")
		}
		r.snapshots++
	}
	if len(frame.Changes) == 0 {
		return nil
	}
	turn := r.turns[f.Seq]
	r.at = frame.At
	if turn == nil {
		r.untraced++
	} else {
		r.at = turn.Ended
		if err := r.compare(before, after, frame, turn); err != nil {
			return err
		}
	}
	return r.show(func(t compile.Target) (compile.Batches, error) { return compile.Update(t, before, after, frame) })
}

// compare draws a frame again for every target that its turn drew.
func (r *replay) compare(before, after *ui.State, frame *ui.Frame, turn *trace.Turn) error {
	for _, d := range turn.Drawings {
		i := slices.IndexFunc(r.targets, func(t drawnTarget) bool { return t.Dialect.String() == d.Target && t.print == d.Print })
		if i < 0 {
			r.other++
			continue
		}
		batches, err := compile.Update(r.targets[i].Target, before, after, frame)
		if err != nil {
			return fmt.Errorf("%s: %w", d.Target, err)
		}
		lines, err := messageLines(r.targets[i].Target, batches)
		if err != nil {
			return fmt.Errorf("%s: %w", d.Target, err)
		}
		if trace.Hash(lines) != d.Hash {
			return fmt.Errorf("%s: the messages differ from those that were sent (%d bytes, %d were sent); is --base what the server has?", d.Target, len(lines), d.Bytes)
		}
		r.same++
	}
	return nil
}

// show writes the messages of the drawing that was asked for.
func (r *replay) show(draw func(compile.Target) (compile.Batches, error)) error {
	if r.shown == 0 {
		return nil
	}
	t := r.targets[r.shown-1].Target
	batches, err := draw(t)
	if err != nil {
		return err
	}
	lines, err := messageLines(t, batches)
	if err == nil {
		_, err = r.out.Write(lines)
	}
	return err
}

// messageLines are the messages of a drawing as a trace hashes them.
func messageLines(t compile.Target, batches compile.Batches) (out []byte, err error) {
	for _, m := range batches.Messages() {
		if out, err = a2ui.AppendMessage(out, t.Dialect, m); err != nil {
			return nil, err
		}
		out = append(out, '\n')
	}
	return out, nil
}

// sameRecord compares what two records are stored as.
func sameRecord(a, b any) bool {
	x, err := ui.Encode(a)
	y, err2 := ui.Encode(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}
