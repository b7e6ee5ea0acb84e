package conversation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Codes of conversations that cannot be read.
const (
	CodeNotFound ui.Code = "HTTP_NOT_FOUND"
	CodeStore    ui.Code = "STORE_FAILED"
	// CodeTrimmed says that frames are asked for that the store no longer has:
	// start from the newest state instead.
	CodeTrimmed ui.Code = "STORE_TRIMMED"
)

// StoreError is the error of a store that failed while doing something: no such
// conversation, or CodeStore.
func StoreError(doing string, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return &ui.Error{Code: CodeNotFound, Message: "no such conversation", Err: err}
	}
	return &ui.Error{Code: CodeStore, Message: "the server cannot save right now",
		Err: fmt.Errorf("%s: %w", doing, err)}
}

// Log is the log of one conversation in memory: its newest state, its last steps
// for readers, and where the last reader of older ones stopped. It is read from the
// store when it is opened, and again to catch up with other nodes. Only the
// holder of the turn commits; any goroutine may read.
type Log struct {
	reader *Reader
	info   store.Conversation

	looking chan struct{} // the right to read what other nodes did; capacity 1

	mu       sync.Mutex // guards what follows
	state    *ui.State
	floor    uint64     // frames up to here are trimmed
	recent   []Step     // the last steps, oldest first
	trail    *ui.State  // where the last reader of old frames stopped, or nil
	base     int        // bytes of the last snapshot as it is stored
	grown    int        // bytes of the frames since
	nextLook *look      // a reading of the store that has not begun
	moved    func(Step) // called after a step is the newest one, without mu; may be nil
}

// Step is one committed frame between the states around it.
type Step struct {
	Before, After *ui.State
	Frame         *ui.Frame
	Rendered      []Rendered // if its turn ran in this process, and not long ago
	Size          int        // bytes of the frame as it is stored
}

// Rendered holds the messages of a step for the clients of one target.
type Rendered struct {
	Fingerprint string   // of the target
	Messages    [][]byte // each as JSON
	Warnings    []string
}

// Drawn returns the messages that bring a client of the target with that
// fingerprint up to date, and their warnings, if they are known: what
// compile.Update and a2ui.AppendMessage would give. They must not be changed.
func (st Step) Drawn(fingerprint string) (messages [][]byte, warnings []string, ok bool) {
	for _, r := range st.Rendered {
		if r.Fingerprint == fingerprint {
			return r.Messages, r.Warnings, true
		}
	}
	return nil, nil, false
}

const (
	keepRecent   = 32
	keepRendered = 4 // steps whose messages are kept for streams
)

// SnapshotEvery is how many frames apart snapshots are at most.
const SnapshotEvery = 64

// Reader builds states from the frames in the store.
type Reader struct {
	Store  store.Store
	First  func(id string) *ui.State     // the state before the first frame
	Limits ui.Limits                     // of the application now
	Nodes  bool                          // other nodes may change a log
	Count  func(doing string, err error) // counts readings that failed; may be nil
}

// Open loads a conversation, and the events that are recorded and not answered.
func (r *Reader) Open(ctx context.Context, id string) (*Log, store.Head, error) {
	head, err := r.Store.Open(ctx, id)
	if err != nil {
		return nil, head, StoreError("open conversation", err)
	}
	l := &Log{reader: r, info: head.Conversation, floor: head.Floor, looking: make(chan struct{}, 1)}
	base, err := r.base(id, head.Snapshot)
	if err != nil {
		return nil, head, err
	}
	l.base = len(head.Snapshot)
	l.state, err = r.replay(ctx, base, head.Seq, l.remember)
	return l, head, err
}

// base is the state that a replay starts from: a snapshot, or the first one.
func (r *Reader) base(id string, snapshot []byte) (*ui.State, error) {
	if len(snapshot) == 0 {
		return r.First(id), nil
	}
	st, err := ui.DecodeState(snapshot)
	if err != nil {
		return nil, damaged(fmt.Errorf("snapshot of conversation %s: %w", id, err))
	}
	return st, nil
}

// replay brings a state up to seq, or with seq 0 to the end of the log, with frames
// from the store; each sees every step on the way.
func (r *Reader) replay(ctx context.Context, st *ui.State, seq uint64, each func(Step)) (*ui.State, error) {
	const page = 256
	for seq == 0 || st.Seq < seq {
		n := page
		if seq > 0 {
			n = int(min(page, seq-st.Seq))
		}
		frames, err := r.Store.Frames(ctx, st.ID, st.Seq, n)
		switch {
		case err != nil:
			return nil, StoreError("read frames", err)
		case len(frames) == 0 && seq == 0:
			return st, nil
		case len(frames) == 0:
			return nil, damaged(fmt.Errorf("the log of %q ends too early", st.ID))
		}
		for _, f := range frames {
			frame, err := ui.DecodeFrame(f.Body)
			if err != nil {
				return nil, damaged(fmt.Errorf("frame %d of %q: %w", f.Seq, st.ID, err))
			}
			next, changes, err := ui.Apply(st, frame, Committed(r.Limits))
			if err != nil {
				return nil, damaged(fmt.Errorf("replay frame %d of %q: %w", f.Seq, st.ID, err))
			}
			frame.Changes = changes // the program that wrote it may have listed fewer leaves
			each(Step{Before: st, After: next, Frame: frame, Size: len(f.Body)})
			st = next
		}
	}
	return st, nil
}

// Committed returns the limits of frames that are committed. They apply whatever the
// application allows now; only the transcript is cut to its present length.
func Committed(now ui.Limits) ui.Limits {
	const none = math.MaxInt
	return ui.Limits{Surfaces: none, Nodes: none, Depth: none, Rows: none, Options: none, StringSize: none,
		DraftSize: none, Transcript: now.Transcript, TextSize: none, Committed: none}
}

// ErrDamaged is in the error of a conversation whose log does not apply, while the store
// answers.
var ErrDamaged = errors.New("the log is damaged")

// damaged is the error of such a conversation: the store's fault, whatever the frame says.
func damaged(err error) error {
	return &ui.Error{Code: CodeStore, Message: "the conversation cannot be read",
		Err: fmt.Errorf("%w: %w", ErrDamaged, err)}
}

// State returns the newest state.
func (l *Log) State() *ui.State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Head is the newest state of a conversation, and which frames it still has.
type Head struct {
	Log   string    // identity of the log
	Floor uint64    // frames up to here are trimmed
	State *ui.State // read only

	Owner string // of the conversation
	Grant        // of who asked
}

// Head returns the newest state, and which frames there are.
func (l *Log) Head() Head {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Head{Log: l.info.Log, Floor: l.floor, State: l.state, Owner: l.info.Owner}
}

// OnMove has f called after each step that became the newest one, of this process
// or of another. It is set before the log is shared.
func (l *Log) OnMove(f func(Step)) { l.moved = f }

// Reload catches up with the commits of other processes. Readers may call it
// without the turn.
func (l *Log) Reload(ctx context.Context) error {
	_, err := l.reader.replay(ctx, l.State(), 0, l.Advance)
	if !errors.Is(err, store.ErrTrimmed) {
		return err
	}
	head, err := l.reader.Store.Open(ctx, l.info.ID)
	if err != nil {
		return StoreError("reload conversation", err)
	}
	base, err := l.reader.base(l.info.ID, head.Snapshot)
	if err != nil {
		return err
	}
	l.jump(base, head.Floor, len(head.Snapshot))
	_, err = l.reader.replay(ctx, base, 0, l.Advance)
	return err
}

// jump goes on from a later state, of a snapshot of that many bytes; the frames in
// between are gone.
func (l *Log) jump(st *ui.State, floor uint64, bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if st.Seq > l.state.Seq {
		l.state, l.recent = st, nil
	}
	l.floor = max(l.floor, floor)
	l.base, l.grown = bytes, 0
}

// Snapshotted notes how large the state is as it is stored.
func (l *Log) Snapshotted(bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.base, l.grown = bytes, 0
}

// Trimmed notes that the frames up to floor are gone.
func (l *Log) Trimmed(floor uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.floor = max(l.floor, floor)
}

// Advance makes a committed step the newest one. A step that the log has already,
// because a reader caught up meanwhile, changes nothing.
func (l *Log) Advance(st Step) {
	l.mu.Lock()
	newest := st.Before.Seq == l.state.Seq
	if newest {
		l.state = st.After
		l.remember(st)
	}
	l.mu.Unlock()
	if newest && l.moved != nil {
		l.moved(st)
	}
}

// remember keeps a step for readers. Called with mu held, or before the log is
// shared.
func (l *Log) remember(st Step) {
	if len(l.recent) >= keepRecent {
		l.recent = append(l.recent[:0:0], l.recent[len(l.recent)-keepRecent/2:]...)
	}
	if old := len(l.recent) - keepRendered; old >= 0 {
		l.recent[old].Rendered = nil
	}
	l.recent = append(l.recent, st)
	l.grown += st.Size
}

// An object in memory takes about twice the bytes of its stored form; a
// conversation without any has maps and channels.
const (
	weightOfByte         = 2
	weightOfConversation = 8 << 10
)

// Weight is about how many bytes of memory the log takes: its state, by its last
// snapshot and the frames since, and the steps kept for readers, whose states share
// all that did not change.
func (l *Log) Weight() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	size := l.base + l.grown
	for i := range l.recent {
		size += l.recent[i].Size
		for _, d := range l.recent[i].Rendered {
			for _, m := range d.Messages {
				size += len(m) / weightOfByte // bytes already
			}
		}
	}
	return weightOfConversation + weightOfByte*size
}

// Kept returns how many steps are in memory.
func (l *Log) Kept() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.recent)
}

// FrameOf returns the frame that answers an event, if it is among the last steps.
func (l *Log) FrameOf(event ui.EventID) (f *ui.Frame, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.recent, func(st Step) bool { return st.Frame.Event == event })
	if i < 0 {
		return nil, false
	}
	return l.recent[i].Frame, true
}

// Steps returns the committed steps after a seq, in order, at most max.
func (l *Log) Steps(ctx context.Context, after uint64, max int) ([]Step, error) {
	steps, ok := l.fromRecent(after, max)
	if ok && len(steps) == 0 {
		if err := l.Fresh(ctx); err != nil {
			return nil, err
		}
		steps, ok = l.fromRecent(after, max)
	}
	if ok {
		return steps, nil
	}
	return l.fromStore(ctx, after, max)
}

func (l *Log) fromRecent(after uint64, max int) ([]Step, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if after >= l.state.Seq {
		return nil, true
	}
	for i, st := range l.recent {
		if st.Before.Seq == after {
			list := l.recent[i:]
			return slices.Clone(list[:min(max, len(list))]), true
		}
	}
	return nil, false
}

// fromStore replays from where the last such reader stopped, from the newest
// snapshot at or before after, or from the beginning of the log.
func (l *Log) fromStore(ctx context.Context, after uint64, max int) ([]Step, error) {
	base, err := l.baseFor(ctx, after)
	if err != nil {
		return nil, err
	}
	var steps []Step
	end, err := l.reader.replay(ctx, base, min(l.State().Seq, after+uint64(max)), func(st Step) {
		if st.Before.Seq >= after {
			steps = append(steps, st)
		}
	})
	if errors.Is(err, store.ErrTrimmed) {
		if head, err := l.reader.Store.Open(ctx, l.info.ID); err == nil {
			l.jump(base, head.Floor, len(head.Snapshot))
		}
		return nil, &ui.Error{Code: CodeTrimmed, Message: "these frames are no longer kept", Err: err}
	}
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trail = end
	return steps, nil
}

// baseFor finds a state at or before seq to replay from.
func (l *Log) baseFor(ctx context.Context, seq uint64) (*ui.State, error) {
	l.mu.Lock()
	trail := l.trail
	l.mu.Unlock()
	if trail != nil && (trail.Seq > seq || trail.Seq < l.Head().Floor) {
		trail = nil
	}
	if trail != nil && seq-trail.Seq < SnapshotEvery {
		return trail, nil
	}
	at, body, err := l.reader.Store.Snapshot(ctx, l.info.ID, seq)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, StoreError("read snapshot", err)
	}
	if trail != nil && trail.Seq >= at {
		return trail, nil
	}
	return l.reader.base(l.info.ID, body)
}

// Fresh makes sure that the state is not older than this call, if other nodes may
// change it.
func (l *Log) Fresh(ctx context.Context) error {
	if !l.reader.Nodes {
		return nil
	}
	return l.Look(ctx)
}

// Look is one reading of the store that readers share.
type look struct {
	done chan struct{}
	err  error
}

// readTime is how long one such reading may take.
const readTime = 30 * time.Second

// Look reads the commits of other processes. The first caller starts a reading.
// Callers that arrive while it runs share the next one.
func (l *Log) Look(ctx context.Context) error {
	l.mu.Lock()
	shared, first := l.nextLook, l.nextLook == nil
	if first {
		shared = &look{done: make(chan struct{})}
		l.nextLook = shared
	}
	l.mu.Unlock()
	if first {
		go l.read(context.WithoutCancel(ctx), shared) // ends with two readings; others rely on it
	}
	select {
	case <-shared.done:
		return shared.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// read does one reading, after the one that runs.
func (l *Log) read(ctx context.Context, shared *look) {
	defer close(shared.done)
	defer func() {
		if p := recover(); p != nil {
			shared.err = fmt.Errorf("panic while the log was read: %v\n%s", logs.QuietPanic(p), debug.Stack())
		}
	}()
	l.looking <- struct{}{}
	defer func() { <-l.looking }()
	l.mu.Lock()
	l.nextLook = nil // from here on the store may have more than this reading sees
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	shared.err = l.Reload(ctx)
	if l.reader.Count != nil {
		l.reader.Count("read", shared.err)
	}
}
