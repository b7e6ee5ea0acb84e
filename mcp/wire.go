package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limn-ui/limn/internal/sendonce"
)

func (l *link) transport() sdk.Transport {
	if l.URL != "" {
		return &sdk.StreamableClientTransport{Endpoint: l.URL, DisableStandaloneSSE: true, MaxRetries: -1,
			MaxEventSize: l.cfg.MaxMessage,
			HTTPClient: &http.Client{Transport: careful{l},
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	}
	return program{l}
}

// program is a command that speaks on its standard input and output. Its standard
// error is not read.
type program struct{ l *link }

// endTime is how long a program has to end after its input was closed, and again after
// the signal to end.
const endTime = 2 * time.Second

const ended = "ended; run its command by hand to see why"

// Connect implements sdk.Transport.
func (p program) Connect(ctx context.Context) (sdk.Connection, error) {
	life, end := context.WithCancel(context.Background())
	cmd := exec.CommandContext(life, p.l.Command[0], p.l.Command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = endTime
	cmd.Env = p.l.Env
	if cmd.Env == nil {
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		end()
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		end()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		end()
		return nil, err
	}
	stop := sync.OnceValue(func() error {
		_ = in.Close()
		defer end()
		defer time.AfterFunc(endTime, end).Stop()
		return cmd.Wait()
	})
	met, _ := ctx.Value(answerKey{}).(*answer)
	return (&sdk.IOTransport{Reader: &lines{Reader: out, max: p.l.cfg.MaxMessage, met: met, much: p.l.tooMuch},
		Writer: input{in, stop, met}}).Connect(ctx)
}

// input is a program's; closing it ends the program.
type input struct {
	io.Writer
	stop func() error
	met  *answer
}

// Write notes that the reader is gone, which may show before the output's end.
func (i input) Write(p []byte) (int, error) {
	n, err := i.Writer.Write(p)
	if err != nil {
		i.met.noteEnd()
	}
	return n, err
}

// Close implements io.Closer.
func (i input) Close() error { return i.stop() }

// lines fails once a line has more than max bytes, and notes the fault of a
// program's output.
type lines struct {
	io.Reader
	max, have int
	met       *answer
	much      func(*answer)
}

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	for part := range bytes.Lines(p[:n]) {
		if l.have == 0 && !bytes.ContainsRune([]byte("{[ \t\r\n"), rune(part[0])) {
			l.met.note("writes what is no JSON-RPC to its standard output", false)
			return n, err // the SDK reads no further
		}
		if l.have += len(part); l.have > l.max {
			l.much(l.met)
			return 0, errTooMuch
		}
		if part[len(part)-1] == '\n' {
			l.have = 0
		}
	}
	if errors.Is(err, io.EOF) {
		l.met.note(ended, false)
	}
	return n, err
}

// Close implements io.Closer: reading ends with the program.
func (l *lines) Close() error { return nil }

// careful adds the token, bounds responses and sends each call at most once. Redirects are not followed: where
// a server sends us is not where the operator did.
type careful struct{ l *link }

// RoundTrip implements http.RoundTripper.
func (c careful) RoundTrip(r *http.Request) (*http.Response, error) {
	met, _ := r.Context().Value(answerKey{}).(*answer)
	if c.l.Token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+c.l.Token)
	}
	resp, err := sendonce.Transport{Base: c.l.cfg.Transport}.RoundTrip(r)
	if err != nil {
		if sendonce.Unsent(err) {
			met.note("", true)
		}
		if op, ok := errors.AsType[*net.OpError](err); ok {
			return nil, op // without the URL
		}
		return nil, err
	}
	met.note(refusal(resp), resp.StatusCode >= 300 && resp.StatusCode < 500 &&
		resp.StatusCode != http.StatusRequestTimeout)
	resp.Body = &bounded{resp.Body, c.l.cfg.MaxMessage, met}
	return resp, nil
}

// refusal is the fault of a response's head, or "".
func refusal(resp *http.Response) string {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch code := resp.StatusCode; {
	case code >= 300 && code < 400:
		where := "another place"
		if to, err := resp.Location(); err == nil {
			where = fmt.Sprintf("%.100q", to.Hostname())
		}
		return fmt.Sprintf("redirects to %s (HTTP %d), which is not followed", where, code)
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return fmt.Sprintf("refuses the token, or wants one (HTTP %d)", code)
	case code < 200 || code >= 300:
		return fmt.Sprintf("answers HTTP %d", code)
	case code == http.StatusOK && kind != "application/json" && kind != "text/event-stream":
		return fmt.Sprintf("answers %.60q, which is neither JSON nor an event stream", kind)
	}
	return ""
}

// answerKey is the key of an *answer in a context.
type answerKey struct{}

// answer is the HTTP status of the last request of a context, or the fault of
// the output of a program. The SDK keeps of it only a text. The last counts.
// Safe for concurrent use; nil takes notes and forgets them.
type answer struct {
	mu           sync.Mutex
	why          string // in our words
	unsent, much bool   // nothing was carried out; more than is read
}

func (a *answer) note(why string, unsent bool) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.why, a.unsent = why, unsent
}

// noteEnd notes that a program ended, unless it is known why it was not followed
// any more.
func (a *answer) noteEnd() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.why == "" && !a.much {
		a.why = ended
	}
}

func (a *answer) tooMuch() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.why, a.much = "says more than is read", true
}

func (a *answer) fault() (why string, unsent, much bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.why, a.unsent, a.much
}

var errTooMuch = errors.New("an MCP server said too much")

// bounded fails once more than left bytes were read.
type bounded struct {
	io.ReadCloser
	left int
	met  *answer
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		b.met.tooMuch()
		return 0, errTooMuch
	}
	return n, err
}
