package natsbus

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/limn-ui/limn/bus"
)

const (
	inbox      = 8192                   // hints of other nodes not looked at yet; full: dropped, and everybody is woken
	maxDirty   = 16384                  // conversations kept for other nodes while the server is away; more: forgotten
	moment     = 250 * time.Millisecond // how long Subscribe waits for the server
	answerTime = 2 * time.Second        // how long the server may take to answer
)

// Config says how to reach NATS.
type Config struct {
	URL    string       // required: nats://host:4222, or several with commas; may hold user and password, or a token
	Local  bus.Bus      // required: wakes the subscribers of this node; local.New()
	Prefix string       // of the subjects; default "limn"
	Log    *slog.Logger // where faults are logged; default: discards
}

var _ bus.Bus = (*Bus)(nil)

// Bus is a bus over NATS. Call Open.
type Bus struct {
	cfg  Config
	nc   *nats.Conn
	in   chan *nats.Msg
	kick chan struct{} // room for one: there is something to do
	quit chan struct{} // closed by Close
	once sync.Once
	wg   sync.WaitGroup

	opened chan struct{} // closed when Open has set late
	late   bool          // there was no server when Open was called

	mu      sync.Mutex
	follows map[string]*follow            // guarded by mu: conversations with subscribers on this node
	changed map[string]bool               // guarded by mu: of these the server does not know yet
	dirty   map[string]uint64             // guarded by mu: not published yet
	all     bool                          // guarded by mu: the connection is new, wake everybody
	subs    map[string]*nats.Subscription // of the goroutine work
}

// follow is one conversation that is followed.
type follow struct {
	n     int           // subscribers
	ready chan struct{} // closed when the server has the subscription, or cannot be asked
}

// Open connects to NATS. A server that is away is no error: the bus works for this
// node and goes on trying. Errors do not repeat the URL, which may hold a secret.
func Open(cfg Config) (*Bus, error) {
	if cfg.URL == "" || cfg.Local == nil {
		return nil, errors.New("open NATS: Config.URL and Config.Local are required")
	}
	for _, u := range strings.Split(cfg.URL, ",") {
		if p, err := url.Parse(strings.TrimSpace(u)); err != nil || p.Host == "" {
			return nil,
				errors.New("open NATS: the URL cannot be read; want nats://host:4222, with several separated by commas")
		}
	}
	cfg.Prefix = cmp.Or(cfg.Prefix, "limn")
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	b := &Bus{
		cfg: cfg, in: make(chan *nats.Msg, inbox), kick: make(chan struct{}, 1), quit: make(chan struct{}),
		opened:  make(chan struct{}),
		follows: map[string]*follow{}, changed: map[string]bool{}, dirty: map[string]uint64{},
		subs: map[string]*nats.Subscription{},
	}
	nc, err := nats.Connect(cfg.URL, b.options()...)
	if err != nil {
		return nil, fmt.Errorf("open NATS: %w", err)
	}
	b.nc, b.late = nc, !nc.IsConnected()
	if b.late {
		cfg.Log.Warn("NATS is away: other nodes hear of changes when they look")
	}
	close(b.opened)
	b.wg.Go(b.send) // Close waits
	b.wg.Go(b.receive)
	return b, nil
}

func (b *Bus) options() []nats.Option {
	log := b.cfg.Log
	return []nats.Option{
		nats.Name("limn"),
		nats.NoEcho(), // a hint of this node
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(func(tries int) time.Duration {
			most := min(100*time.Millisecond<<min(tries, 5), answerTime)
			return most/2 + rand.N(most/2) // not all nodes at once
		}),
		nats.ReconnectBufSize(-1), // what waits, waits in dirty
		nats.Timeout(answerTime),
		nats.FlusherTimeout(answerTime),
		nats.PingInterval(10 * time.Second),
		nats.MaxPingsOutstanding(2),
		nats.ConnectHandler(func(*nats.Conn) {
			<-b.opened
			if b.late { // the first connection, not made by Open
				log.Info("NATS is there")
				b.wakeAll()
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("NATS is back"); b.wakeAll() }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("NATS is away: other nodes hear of changes when they look", "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Warn("NATS", "error", err)
			if errors.Is(err, nats.ErrSlowConsumer) { // hints were dropped
				b.wakeAll()
			}
		}),
	}
}

// Notify implements bus.Bus.
func (b *Bus) Notify(conversation string, seq uint64) {
	b.cfg.Local.Notify(conversation, seq)
	b.mu.Lock()
	if len(b.dirty) >= maxDirty { // the server has been away for long; other nodes look by themselves
		clear(b.dirty)
	}
	b.dirty[conversation] = seq
	b.mu.Unlock()
	b.poke()
}

// Wake implements bus.Bus.
func (b *Bus) Wake(conversation string) { b.cfg.Local.Wake(conversation) }

// Subscribe implements bus.Bus.
func (b *Bus) Subscribe(conversation string) (<-chan struct{}, func()) {
	wake, end := b.cfg.Local.Subscribe(conversation)
	return wake, b.ready(conversation, end)
}

// Watch implements bus.Bus.
func (b *Bus) Watch(conversation string, wake func()) (cancel func()) {
	return b.ready(conversation, b.cfg.Local.Watch(conversation, wake))
}

// ready waits until the server has the subscription of a conversation, and returns what
// ends it.
func (b *Bus) ready(conversation string, end func()) (cancel func()) {
	f := b.enter(conversation)
	wait := time.NewTimer(moment)
	defer wait.Stop()
	select {
	case <-f.ready:
	case <-wait.C: // a slow server: until it has the subscription, hints of other nodes are lost
	case <-b.quit:
	}
	return sync.OnceFunc(func() { end(); b.unfollow(conversation, f) })
}

// Numbers implements bus.Bus. What this node notifies after it reaches others when its own
// subscription has.
func (b *Bus) Numbers(topic string, heard func(seq uint64)) (cancel func()) {
	end, f := b.cfg.Local.Numbers(topic, heard), b.enter(topic)
	return sync.OnceFunc(func() { end(); b.unfollow(topic, f) })
}

// enter counts a subscriber, whose subscription the goroutine of send makes.
func (b *Bus) enter(conversation string) *follow {
	b.mu.Lock()
	f := b.follows[conversation]
	if f == nil {
		f = &follow{ready: make(chan struct{})}
		b.follows[conversation] = f
		b.changed[conversation] = true
	}
	f.n++
	b.mu.Unlock()
	b.poke()
	return f
}

func (b *Bus) unfollow(conversation string, f *follow) {
	b.mu.Lock()
	if f.n--; f.n == 0 {
		delete(b.follows, conversation)
		b.changed[conversation] = true
	}
	b.mu.Unlock()
	b.poke()
}

func (b *Bus) wakeAll() {
	b.mu.Lock()
	b.all = true
	b.mu.Unlock()
	b.poke()
}

func (b *Bus) poke() {
	select {
	case b.kick <- struct{}{}:
	default: // it will look
	}
}

// Close publishes what waits and closes the connection. It may be called twice;
// the local bus goes on.
func (b *Bus) Close() error {
	b.once.Do(func() { close(b.quit) })
	b.wg.Wait()
	return nil
}

// send is the goroutine that talks to the server.
func (b *Bus) send() {
	for {
		select {
		case <-b.kick:
			b.work()
		case <-b.quit:
			b.work()
			if b.nc.IsConnected() {
				_ = b.nc.FlushTimeout(answerTime) // hints: nothing to do about it
			}
			b.nc.Close()
			return
		}
	}
}

// work brings the server up to date with subscriptions and hints.
func (b *Bus) work() {
	b.mu.Lock()
	changed, dirty, all := b.changed, b.dirty, b.all
	b.changed, b.dirty, b.all = map[string]bool{}, map[string]uint64{}, false
	var fresh []*follow
	wanted := make(map[string]bool, len(changed))
	for conversation := range changed {
		if f := b.follows[conversation]; f != nil {
			wanted[conversation] = true
			fresh = append(fresh, f)
		}
	}
	b.mu.Unlock()

	for conversation := range changed {
		b.follow(conversation, wanted[conversation])
	}
	connected := b.nc.IsConnected()
	for conversation, seq := range dirty {
		if !connected || b.nc.Publish(b.subject(conversation), strconv.AppendUint(nil, seq, 10)) != nil {
			b.later(conversation, seq)
		}
	}
	if connected && (len(fresh) > 0 || all) {
		_ = b.nc.FlushTimeout(answerTime) // if it is lost, the next connection wakes everybody
	}
	for _, f := range fresh {
		close(f.ready)
	}
	if all {
		b.mu.Lock()
		list := slices.Collect(maps.Keys(b.follows))
		b.mu.Unlock()
		for _, conversation := range list {
			b.Wake(conversation)
		}
	}
}

// follow subscribes to the subject of a conversation, or ends that. While the
// server is away the client keeps it in mind.
func (b *Bus) follow(conversation string, wanted bool) {
	sub := b.subs[conversation]
	switch {
	case wanted && sub == nil:
		sub, err := b.nc.ChanSubscribe(b.subject(conversation), b.in)
		if err != nil {
			b.cfg.Log.Warn("NATS: subscribe", "error", err)
			return
		}
		b.subs[conversation] = sub
	case !wanted && sub != nil:
		_ = sub.Unsubscribe() // it fails only on a closed connection
		delete(b.subs, conversation)
	}
}

// later keeps a hint that could not be published, unless there is a newer one.
func (b *Bus) later(conversation string, seq uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, newer := b.dirty[conversation]; !newer {
		b.dirty[conversation] = seq
	}
}

// receive hands hints of other nodes to the local bus.
func (b *Bus) receive() {
	for {
		select {
		case m := <-b.in:
			seq, _ := strconv.ParseUint(string(m.Data), 10, 64) // 0: look anyway
			if conversation, ok := b.conversation(m.Subject); ok {
				b.cfg.Local.Notify(conversation, seq)
			}
		case <-b.quit:
			return
		}
	}
}

// subject writes any id as one token of a subject.
func (b *Bus) subject(conversation string) string {
	for i := range len(conversation) {
		c := conversation[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return b.cfg.Prefix + ".~" + base64.RawURLEncoding.EncodeToString([]byte(conversation))
		}
	}
	if conversation == "" {
		return b.cfg.Prefix + ".~"
	}
	return b.cfg.Prefix + "." + conversation
}

// conversation undoes subject.
func (b *Bus) conversation(subject string) (string, bool) {
	token, ok := strings.CutPrefix(subject, b.cfg.Prefix+".")
	if code, coded := strings.CutPrefix(token, "~"); ok && coded {
		id, err := base64.RawURLEncoding.DecodeString(code)
		return string(id), err == nil
	}
	return token, ok
}
