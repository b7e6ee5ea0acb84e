package postgres

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/bus"
)

const (
	gatherTime = 5 * time.Millisecond // how long hints are gathered before they are sent
	payload    = 7900                 // bytes; NOTIFY takes less than 8000
	checkAfter = 15 * time.Second     // of silence: is the connection still there?
)

// Hints is a bus.Bus between nodes by LISTEN and NOTIFY, for a few nodes without
// NATS. Call Store.Listen.
//
// Notify wakes this node's subscribers at once. What changed within 5 ms is sent
// to the others with one pg_notify, apart from the appends, for the server makes
// notifying commits wait for each other. Every node hears of every conversation
// and looks up its own subscribers. One connection listens; when it is lost, it is
// opened again, however long that takes, and then all subscribers are woken. Hints that cannot be sent are
// dropped: readers look now and then.
type Hints struct {
	s     *driver
	local bus.Bus // wakes the subscribers of this node
	log   *slog.Logger
	node  string        // marks our own notifications
	kick  chan struct{} // room for one: something is dirty
	stop  context.CancelFunc
	wg    sync.WaitGroup

	mu      sync.Mutex
	dirty   map[string]notice // guarded by mu: to be sent
	heard   map[string]int    // guarded by mu: topics whose numbers are heard here, and by how many
	follows map[string]int    // guarded by mu: conversations followed here, and by how many
}

// notice is the newest notification of a conversation or topic.
type notice struct {
	seq      uint64
	numbered bool // a topic whose numbers were heard here: its number is sent, too
}

// Listen starts hints over this store's server. Faults are logged to log; nil:
// nowhere. Close them before the store.
func (s *Store) Listen(ctx context.Context, local bus.Bus, log *slog.Logger) (*Hints, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	h := &Hints{
		s: s.driver, local: local, log: log, node: strconv.FormatUint(rand.Uint64(), 36), kick: make(chan struct{}, 1),
		dirty: map[string]notice{}, heard: map[string]int{}, follows: map[string]int{},
	}
	conn, err := h.connect(ctx)
	if err != nil {
		if ctx.Err() != nil {
			err = errGaveUp
		}
		return nil, s.driver.act(ctx, err, "listen")
	}
	running, stop := context.WithCancel(context.Background())
	h.stop = stop
	h.wg.Go(func() { h.send(running) }) // Close waits
	h.wg.Go(func() { h.listen(running, conn) })
	return h, nil
}

// Notify implements bus.Bus.
func (h *Hints) Notify(conversation string, seq uint64) {
	h.local.Notify(conversation, seq)
	h.mu.Lock()
	h.dirty[conversation] = notice{seq, h.heard[conversation] > 0 || h.dirty[conversation].numbered}
	h.mu.Unlock()
	select {
	case h.kick <- struct{}{}:
	default:
	}
}

// Wake implements bus.Bus.
func (h *Hints) Wake(conversation string) { h.local.Wake(conversation) }

// Subscribe implements bus.Bus.
func (h *Hints) Subscribe(conversation string) (<-chan struct{}, func()) {
	wake, end := h.local.Subscribe(conversation)
	return wake, h.counted(h.follows, conversation, end)
}

// Watch implements bus.Bus.
func (h *Hints) Watch(conversation string, wake func()) (cancel func()) {
	return h.counted(h.follows, conversation, h.local.Watch(conversation, wake))
}

// Numbers implements bus.Bus.
func (h *Hints) Numbers(topic string, heard func(seq uint64)) (cancel func()) {
	return h.counted(h.heard, topic, h.local.Numbers(topic, heard))
}

// counted counts a subscriber until cancel.
func (h *Hints) counted(of map[string]int, conversation string, end func()) (cancel func()) {
	h.count(of, conversation, 1)
	return sync.OnceFunc(func() { end(); h.count(of, conversation, -1) })
}

func (h *Hints) count(of map[string]int, conversation string, by int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if of[conversation] += by; of[conversation] == 0 {
		delete(of, conversation)
	}
}

// Close sends what waits and stops. It may be called twice; subscribers of this
// node go on to be woken by it.
func (h *Hints) Close() error {
	h.stop()
	h.wg.Wait()
	return nil
}

// send gathers and sends until the context ends.
func (h *Hints) send(ctx context.Context) {
	timer := time.NewTimer(gatherTime)
	defer timer.Stop()
	for ctx.Err() == nil {
		select {
		case <-h.kick:
			timer.Reset(gatherTime)
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
		for _, p := range h.payloads(h.take()) {
			if err := h.s.notify(p); err != nil {
				h.log.Warn("hints were dropped: other nodes hear of changes when they look", "error", err)
				break
			}
		}
	}
}

// take returns the hints to send: conversations, and topics with their numbers.
func (h *Hints) take() (out []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, one := range h.dirty {
		name := text(id)
		if strings.HasPrefix(id, numbered) {
			name = escaped + hex.EncodeToString([]byte(id))
		}
		if one.numbered {
			name = numbered + strconv.FormatUint(one.seq, 36) + numbered + name
		}
		out = append(out, name)
	}
	h.dirty = map[string]notice{}
	return out
}

// numbered begins and ends the number before a topic.
const numbered = "="

// payloads writes names as JSON lists that start with this node's name.
func (h *Hints) payloads(names []string) (list []string) {
	start := `["` + h.node + `"`
	b := []byte(start)
	for _, one := range names {
		id, err := json.Marshal(one)
		if err != nil {
			continue // a string has no error
		}
		if len(b)+len(id)+2 > payload {
			list = append(list, string(append(b, ']')))
			b = []byte(start)
		}
		b = append(append(b, ','), id...)
	}
	if len(b) > len(start) {
		list = append(list, string(append(b, ']')))
	}
	return list
}

// notify sends one notification to all nodes on this schema.
func (s *driver) notify(payload string) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	_, err := s.pool.Exec(ctx, `SELECT pg_notify($1, $2)`, s.schema, payload)
	if err != nil {
		return s.explain("notify at", err)
	}
	return nil
}

// connect opens the connection that listens.
func (h *Hints) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, h.s.pool.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, `LISTEN `+pgx.Identifier{h.s.schema}.Sanitize()); err != nil {
		conn.Close(ctx)
		return nil, err
	}
	return conn, nil
}

// listen hears notifications until the context ends, and reconnects as needed.
func (h *Hints) listen(ctx context.Context, conn *pgx.Conn) {
	for ctx.Err() == nil {
		err := h.receive(ctx, conn)
		conn.Close(context.WithoutCancel(ctx))
		if ctx.Err() != nil {
			return
		}
		h.log.Warn("hints are away: changes at other nodes are found by looking", "error",
			h.s.explain("listen at", err))
		if conn = h.reconnect(ctx); conn == nil {
			return
		}
		h.log.Info("hints are back")
		h.wakeAll()
	}
}

// receive forwards the notifications of one connection until it is lost.
func (h *Hints) receive(ctx context.Context, conn *pgx.Conn) error {
	for {
		quiet, cancel := context.WithTimeout(ctx, checkAfter)
		n, err := conn.WaitForNotification(quiet)
		cancel()
		switch {
		case err == nil:
			h.forward(n.Payload)
		case ctx.Err() != nil || conn.IsClosed() || !errors.Is(err, context.DeadlineExceeded):
			return err
		default:
			bounded, cancel := context.WithTimeout(ctx, callTimeout)
			err := conn.Ping(bounded)
			cancel()
			if err != nil {
				return err
			}
		}
	}
}

// forward wakes the subscribers of the conversations another node has named.
func (h *Hints) forward(payload string) {
	var list []string
	if err := json.Unmarshal([]byte(payload), &list); err != nil || len(list) == 0 || list[0] == h.node {
		return // not ours to read, or our own
	}
	for _, id := range list[1:] {
		if rest, ok := strings.CutPrefix(id, numbered); ok {
			number, name, _ := strings.Cut(rest, numbered)
			if n, err := strconv.ParseUint(number, 36, 64); err == nil {
				h.local.Notify(plain(name), n)
			}
			continue
		}
		h.local.Notify(plain(id), 0)
	}
}

// reconnect connects as soon as it can, or returns nil when the context ends.
func (h *Hints) reconnect(ctx context.Context) *pgx.Conn {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		bounded, cancel := context.WithTimeout(ctx, callTimeout)
		conn, err := h.connect(bounded)
		cancel()
		if err == nil {
			return conn
		}
		select {
		case <-time.After(wait/2 + rand.N(wait/2)): // not all nodes at once
		case <-ctx.Done():
			return nil
		}
	}
}

func (h *Hints) wakeAll() {
	h.mu.Lock()
	list := slices.Collect(maps.Keys(h.follows))
	h.mu.Unlock()
	for _, conversation := range list {
		h.Wake(conversation)
	}
}
