package ws

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/limn-ui/limn/internal/deliver"
)

// writeTime is how long one message, or the answer to a ping, may take.
const writeTime = 10 * time.Second

// inFlight is how many messages of one client wait for their turn or their answer
// at once. What comes beyond is refused, so that pings are always read.
const inFlight = 8

// Version is the one of the protocol (RFC 6455 §4.1).
const Version = "13"

// Asked reports whether a request is for a WebSocket, of our version and with a
// key, so that Serve makes one of it.
func Asked(r *http.Request) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(r.Header.Get("Sec-WebSocket-Key")))
	return r.Method == http.MethodGet && r.ProtoMajor == 1 && r.ProtoMinor >= 1 && lists(r, "Upgrade", "websocket") &&
		lists(r, "Connection", "upgrade") &&
		r.Header.Get("Sec-WebSocket-Version") == Version && len(r.Header.Values("Sec-WebSocket-Key")) == 1 &&
		err == nil && len(key) == 16
}

// lists reports whether a header names a token.
func lists(r *http.Request, header, token string) bool {
	for one := range strings.SplitSeq(strings.Join(r.Header.Values(header), ","), ",") {
		if strings.EqualFold(strings.TrimSpace(one), token) {
			return true
		}
	}
	return false
}

// Config is how a socket behaves. All of it is required. No function may panic: that ends the process.
type Config struct {
	MaxMessage int // bytes of one message from the client
	// Take takes one message; messages are taken one after the other, in the order
	// in which they came. What it returns answers it, and may be called while later
	// messages are taken. Its context ends with the socket. turn goes on with another
	// stream, unless the socket ends or turns already; then the caller closes that.
	Take func(ctx context.Context, message []byte, turn func(*deliver.Sub) bool) (answer func() []byte)
	// Busy answers a message that comes while inFlight others are not answered.
	Busy func(message []byte) []byte
	// Retry is the reconnect hint of a close.
	Retry time.Duration
}

// Serve makes a socket of the request and runs it until either side ends it,
// and says why. The caller has checked where the request comes from.
func Serve(w http.ResponseWriter, r *http.Request, sub *deliver.Sub, cfg Config) error {
	// checked, by the rule for posts
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		sub.Close()
		return err // answered
	}
	defer conn.CloseNow() //nolint:errcheck // after Close there is nothing to say
	conn.SetReadLimit(int64(cfg.MaxMessage))
	// it ends with the socket, not with the handler's request
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	s := &socket{conn: conn, cfg: cfg, slots: make(chan struct{}, inFlight)}
	gone := make(chan error, 1)
	go func() { gone <- s.read(ctx); cancel() }() // ends with the connection
	err = s.serve(ctx, sub)
	if ctx.Err() != nil {
		err = <-gone
		gone <- err
	}
	cancel() // no outcome is awaited any more
	s.last() // report durable events
	s.close(err)
	conn.CloseNow() //nolint:errcheck // as above
	<-gone
	return err
}

type socket struct {
	conn  *websocket.Conn
	cfg   Config
	slots chan struct{}

	mu      sync.Mutex // no answer is begun after last; guards what follows
	over    bool
	next    *deliver.Sub       // that the socket turns to
	cut     context.CancelFunc // ends the stream before it
	answers sync.WaitGroup
}

// serve sends a stream, and those that the socket turns to.
func (s *socket) serve(ctx context.Context, sub *deliver.Sub) (err error) {
	for sub != nil {
		one, cut := context.WithCancel(ctx)
		s.mu.Lock()
		if s.cut = cut; s.next != nil {
			cut()
		}
		s.mu.Unlock()
		err = sub.Serve(one, writer{ctx, s.conn}) // which closes it
		cut()
		s.mu.Lock()
		sub, s.next = s.next, nil
		s.over = s.over || sub == nil
		s.mu.Unlock()
	}
	return err
}

// turn lets a stream take the place of the one that is served.
func (s *socket) turn(next *deliver.Sub) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.next != nil {
		return false
	}
	s.next = next
	s.cut()
	return true
}

// begin runs what answers a message, unless the socket ends.
func (s *socket) begin(answer func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.answers.Go(answer) // last waits for it
	}
}

// last waits for the answers that were begun. None is after it.
func (s *socket) last() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.answers.Wait()
}

var (
	errBinary = errors.New("a binary message came")
	errRead   = errors.New("read") // the client has gone, or breaks the protocol
)

// read takes messages until the connection ends.
func (s *socket) read(ctx context.Context) error {
	before := make(chan struct{}) // closed when the message before the next one is taken
	close(before)
	for {
		// The context of a read that ends closes the connection: close says why first.
		kind, message, err := s.conn.Read(context.WithoutCancel(ctx))
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", errRead, err)
		case ctx.Err() != nil: // closing; the peer's close is still to come
			continue
		case kind != websocket.MessageText:
			return errBinary
		}
		select {
		case s.slots <- struct{}{}:
		default:
			if err := s.write(s.cfg.Busy(message)); err != nil {
				return err
			}
			continue
		}
		turn, taken := before, make(chan struct{})
		before = taken
		s.begin(func() {
			<-turn
			answer := s.cfg.Take(ctx, message, s.turn)
			close(taken)
			said := answer()
			<-s.slots
			s.write(said) //nolint:errcheck // reading ends with the connection too
		})
	}
}

func (s *socket) write(message []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, message)
}

// close says why the socket ends, if anybody listens.
func (s *socket) close(err error) {
	code, reason := websocket.StatusInternalError, ""
	switch {
	case errors.Is(err, deliver.ErrEnded):
		code = websocket.StatusNormalClosure
	case errors.Is(err, deliver.ErrDrain), errors.Is(err, deliver.ErrLife):
		code, reason = websocket.StatusServiceRestart, fmt.Sprintf(`{"retry":%d}`, s.cfg.Retry.Milliseconds())
	case errors.Is(err, deliver.ErrSlow):
		code = websocket.StatusTryAgainLater
	case errors.Is(err, errBinary):
		code = websocket.StatusUnsupportedData
	case errors.Is(err, errRead): // the client sent an invalid frame
		code = websocket.StatusProtocolError
	}
	s.conn.Close(code, reason) //nolint:errcheck // it is gone already, or goes now
}

// writer makes messages of lines.
type writer struct {
	ctx  context.Context
	conn *websocket.Conn
}

// Write implements io.Writer. It is given whole lines; an empty one is a ping.
func (w writer) Write(lines []byte) (int, error) {
	n := 0
	for line := range bytes.Lines(lines) {
		if err := w.one(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return n, err
		}
		n += len(line)
	}
	return n, nil
}

func (w writer) one(line []byte) error {
	if len(line) == 0 {
		ctx, cancel := context.WithTimeout(w.ctx, writeTime)
		defer cancel()
		return w.conn.Ping(ctx)
	}
	// A write that is cut off closes the connection before close has said why.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), writeTime)
	defer cancel()
	return w.conn.Write(ctx, websocket.MessageText, line)
}
