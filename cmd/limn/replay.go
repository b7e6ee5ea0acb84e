package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/compile"
	turns "github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// replayCommand is the command "limn replay-conversation".
type replayCommand struct {
	ID  string `arg:"" help:"${replay_id}"`
	App string `arg:"" optional:"" type:"path" help:"The application, as for limn serve or limn gateway."`
	storeFlag
	catalogFlag
	Base   string `default:"http://127.0.0.1:8080" help:"${replay_base}"`
	Target string `placeholder:"VERSION" help:"${replay_target}"`
	Turn   uint64 `placeholder:"N" help:"Stop after this turn."`
	Check  bool   `help:"Say what was found with --target, too, and fail where nothing could be compared."`
}

// Help is shown below the options.
func (replayCommand) Help() string {
	return `Applies the frames of the log one by one, from the first one or the oldest snapshot that is kept,
and holds against each other: each frame and snapshot and the hash of its bytes in the trace of its
turn, the changes that each frame recorded, every snapshot, and the state a server would serve. Then
every message of A2UI and HTML is drawn again and compared, byte for byte, with the hash that its
turn left in its trace. A frame without a trace, and a trace that was changed, differ. What cannot
be compared is counted, with the reason: turns that another version of the program or of the
application has drawn, those of a program that left no hash, and those of a report that is redacted.

Exit status: 0 all that was compared agrees, 1 something differs or cannot be read, or with --check
no frame or no drawing could be compared, 2 a wrong command line.

Examples:
  limn replay-conversation 0193c1f0-7a5e-7000-8000-000000000000 desk.yaml --store sqlite:limn.db
  limn replay-conversation 0193c1f0-7a5e-7000-8000-000000000000 desk.yaml --target v0.9 | limn replay
  limn replay-conversation report.json desk.yaml --turn 3 --target v0.9 | limn replay`
}

// Run replays a conversation.
func (c replayCommand) Run(ctx context.Context, t term.Terminal) error {
	a, named, err := loadServed(c.App, t.Env)
	if err != nil {
		return err
	}
	if c.Target != "" && !slices.Contains(limn.Targets()[1:], c.Target) {
		return fmt.Errorf("--target %q: want an A2UI drawing of %v", c.Target, limn.Targets()[1:])
	}
	own, err := c.catalogs()
	if err != nil {
		return err
	}
	r := &replay{cfg: limn.Config{App: a, Targets: limn.Targets(), Catalogs: append(named, own...)}, base: c.Base,
		turn: c.Turn, target: c.Target, targets: map[string][]drawnTarget{}, out: t.Out}
	if err := c.withLog(t, c.ID, a, func(st store.Store, id string) error {
		r.store, r.id = st, id
		return r.run(ctx)
	}); err != nil {
		return err
	}
	to := t.Out
	if c.Target != "" {
		to = t.Err // the messages are on standard output
	}
	if c.Target == "" || c.Check {
		_, err = fmt.Fprintln(to, r.summary())
	}
	if c.Check {
		err = errors.Join(err, r.nothing())
	}
	return err
}

type drawnTarget struct {
	deliver.Target
	print string
}

// replay is one conversation derived again.
type replay struct {
	cfg     limn.Config // App, Targets and Catalogs
	store   store.Store
	id      string
	base    string                   // of turns whose trace does not say
	turn    uint64                   // the last one; 0: all
	target  string                   // the drawing whose messages go to out; "": none
	targets map[string][]drawnTarget // all that a server could have offered, by its base
	at      time.Time                // when the frame was drawn, for addresses of pictures
	out     io.Writer

	turns map[uint64]*turntrace.Turn
	state *ui.State
	compared
}

// compared counts the frames and drawings held against the traces.
type compared struct {
	frames    int
	intact    int // frames that are those of their traces
	snapshots int
	same      int // drawings that are the same, byte for byte
	other     int // drawings of another version of program or application
	undrawn   int // frames that changed a surface, and whose trace has no drawing
}

func (r *replay) summary() string {
	b, err := ui.Encode(r.state)
	if err != nil {
		return err.Error()
	}
	s := fmt.Sprintf("%s, state hash %s; compared: %s, %s, %s, all the same byte for byte",
		term.Count(r.frames, "frame"), turntrace.Hash(b),
		term.Count(r.intact, "frame"), term.Count(r.snapshots, "snapshot"), term.Count(r.same, "drawing"))
	if r.intact+r.snapshots+r.same == 0 {
		s = fmt.Sprintf("%s, state hash %s; nothing could be compared",
			term.Count(r.frames, "frame"), turntrace.Hash(b))
	}
	var not []string
	for _, one := range []struct {
		n         int
		what, why string
	}{
		{r.frames - r.intact, "frame", "without a hash in the trace, by an earlier program or " +
			"in a report that is redacted"},
		{r.other, "drawing", "by another version of the program or of the application"},
		{r.undrawn, "frame", "whose trace has no drawing"},
	} {
		if one.n > 0 {
			not = append(not, term.Count(one.n, one.what)+" "+one.why)
		}
	}
	if len(not) > 0 {
		s += "; not compared: " + strings.Join(not, ", ")
	}
	return s
}

// nothing is an error if there was something to compare and none of it could be.
func (r *replay) nothing() error {
	switch {
	case r.frames > 0 && r.intact == 0:
		return errors.New("no frame could be compared: their traces have no hashes")
	case r.same == 0 && r.other > 0:
		return errors.New(
			"no drawing could be compared: give the application file that the server had, " +
				"and the same version of this program")
	case r.same == 0 && r.undrawn > 0:
		return errors.New("no drawing could be compared: the traces have none")
	}
	return nil
}

func (r *replay) run(ctx context.Context) error {
	d, err := turns.Dump(ctx, r.store, r.id, turns.Span{To: r.turn})
	if err != nil {
		return err
	}
	snaps, err := r.snapshotsOf(ctx, d.Seq)
	if err != nil {
		return err
	}
	r.turns = map[uint64]*turntrace.Turn{}
	for _, f := range d.Traces {
		if r.turns[f.Seq], err = turntrace.DecodeTurn(f.Body); err != nil {
			return fmt.Errorf("trace of frame %d: %w", f.Seq, err)
		}
	}
	if err := r.start(d); err != nil {
		return err
	}
	for _, f := range d.Frames {
		if err := r.frame(f, snaps); err != nil {
			return fmt.Errorf("frame %d: %w", f.Seq, err)
		}
	}
	return nil
}

// snapshotsOf lists the kept snapshots up to a frame, by seq.
func (r *replay) snapshotsOf(ctx context.Context, at uint64) (map[uint64][]byte, error) {
	out := map[uint64][]byte{}
	for {
		seq, body, err := r.store.Snapshot(ctx, r.id, at)
		if errors.Is(err, store.ErrNotFound) || err == nil && seq == 0 {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read snapshots: %w", err)
		}
		out[seq], at = body, seq-1
	}
}

// start is the state the replay begins with: the first one, or if frames were
// trimmed, the oldest snapshot that is kept.
func (r *replay) start(d store.Dump) (err error) {
	if len(d.Snapshots) == 0 {
		r.state = r.cfg.App.NewState(r.id)
		return nil
	}
	if r.state, err = ui.DecodeState(d.Snapshots[0].Body); err != nil {
		return fmt.Errorf("snapshot at frame %d: %w", d.Floor, err)
	}
	r.snapshots++
	return r.show(r.baseOf(r.turns[d.Floor+1]),
		func(t compile.Target) (compile.Batches, error) { return compile.Snapshot(t, r.state) })
}

// frame applies one frame and holds it against all that is known of it.
func (r *replay) frame(f store.Frame, snaps map[uint64][]byte) error {
	turn := r.turns[f.Seq]
	if turn == nil {
		return errors.New("its trace is missing")
	}
	if err := r.bytes(f.Body, snaps[f.Seq], turn); err != nil {
		return err
	}
	frame, err := ui.DecodeFrame(f.Body)
	if err != nil {
		return err
	}
	before := r.state
	after, changes, err := ui.Apply(before, frame, turns.Committed(r.cfg.App.Config().Limits))
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
			return errors.New(
				"the snapshot differs from the state that the log leads to; " +
					"was the application changed, such as its guardrails?")
		}
		r.snapshots++
	}
	if len(frame.Changes) == 0 {
		return nil
	}
	r.at = turn.Ended
	base := r.baseOf(turn)
	if err := r.compare(base, before, after, frame, turn); err != nil {
		return err
	}
	return r.show(base, func(t compile.Target) (compile.Batches,
		error) {
		return compile.Update(t, before, after, frame)
	})
}

// baseOf is the base of the addresses in a turn's drawings.
func (r *replay) baseOf(turn *turntrace.Turn) string {
	if turn == nil || turn.Frame == "" { // of a program that did not say
		return r.base
	}
	return turn.Base
}

// bytes compares the stored bytes of a frame with the hashes in its trace.
func (r *replay) bytes(frame, snapshot []byte, turn *turntrace.Turn) error {
	switch {
	case turn.Frame == "":
		return nil
	case turntrace.Hash(frame) != turn.Frame:
		return errors.New(
			"it was changed after it was committed: its bytes are not those that its trace has the hash of")
	case snapshot != nil && turntrace.Hash(snapshot) != turn.Snapshot:
		return errors.New(
			"its snapshot was changed after it was committed: its bytes are not those that the trace has the hash of")
	}
	r.intact++
	return nil
}

// compare draws a frame again for every target that its turn drew.
func (r *replay) compare(base string, before, after *ui.State, frame *ui.Frame, turn *turntrace.Turn) error {
	targets, err := r.drawings(base)
	if err != nil {
		return err
	}
	if len(turn.Drawings) == 0 {
		r.undrawn++
	}
	for _, d := range turn.Drawings {
		i := slices.IndexFunc(targets, func(t drawnTarget) bool {
			return t.Name == strings.TrimSuffix(d.Target, "+limn") && t.print == d.Print
		})
		if i < 0 {
			r.other++
			continue
		}
		messages, warnings, err := targets[i].Update(before, after, frame)
		if err != nil {
			return fmt.Errorf("%s: %w", d.Target, err)
		}
		if turntrace.HashLines(messages) != d.Hash {
			return fmt.Errorf("%s: the messages differ from those that were sent: %s", d.Target,
				strings.Join(append(warnings, term.Count(len(messages), "message")), "; "))
		}
		r.same++
	}
	return nil
}

// drawings are all that a server with that base could have offered.
func (r *replay) drawings(base string) ([]drawnTarget, error) {
	if list, ok := r.targets[base]; ok {
		return list, nil
	}
	cfg := r.cfg
	cfg.Base = base
	list, err := cfg.Drawings(func() time.Time { return r.at })
	if err != nil {
		return nil, err
	}
	var out []drawnTarget
	for _, d := range list {
		out = append(out, drawnTarget{d, d.Fingerprint(r.cfg.App.Fingerprint())})
		if d.Own != nil {
			own := d.WithOwn()
			out = append(out, drawnTarget{own, own.Fingerprint(r.cfg.App.Fingerprint())})
		}
	}
	r.targets[base] = out
	return out, nil
}

// show writes the messages of the drawing that was asked for.
func (r *replay) show(base string, draw func(compile.Target) (compile.Batches, error)) error {
	if r.target == "" {
		return nil
	}
	list, err := r.drawings(base)
	if err != nil {
		return err
	}
	t := list[slices.Index(limn.Targets(), r.target)].A2UI
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
