package openai

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// errBroken is a connection that ended inside the answer, as opposed to an
// answer that is itself cut.
var errBroken = errors.New("the connection broke")

// errNoChoice is an answer without a choice in it.
var errNoChoice = errors.New("the answer holds no choice")

// coded turns a failure into an error of package llm. The SDK's errors carry
// the request with its key, so none of them is wrapped: only scrubbed words go on.
func (m *Model) coded(ctx context.Context, res *http.Response, err error) error {
	e := &ui.Error{}
	switch {
	case errors.Is(err, errTooLarge):
		e.Code, e.Message = llm.CodeReplyTooLarge, "the model server's answer is above the size limit"
	case errors.Is(ctx.Err(), context.Canceled):
		e.Code, e.Message, e.Err = llm.CodeCanceled, "the request was given up", context.Cause(ctx)
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Message, e.Err = llm.CodeTimeout, "the model did not answer in time", context.DeadlineExceeded
	case res != nil && res.StatusCode >= 300:
		m.status(e, res.StatusCode, err)
	case res == nil || isNetwork(err):
		e.Code, e.Message, e.Hint = llm.CodeUnavailable, "the model server cannot be reached", "check the address and that the server runs"
		e.Err = errors.New(m.short(cause(err).Error()))
	default:
		e.Code, e.Message, e.Err = llm.CodeReplyInvalid, "the model server's answer cannot be read", errors.New(m.short(err.Error()))
	}
	return e
}

// status maps the HTTP status of a refusal.
func (m *Model) status(e *ui.Error, status int, err error) {
	var api *sdk.Error
	var said string
	if errors.As(err, &api) {
		said = api.Message
		if p := m.short(api.Param); p != "" {
			e.Path = "/" + p
		}
	}
	at := " (HTTP " + strconv.Itoa(status) + ")"
	switch {
	case status < 400:
		e.Code, e.Message, e.Hint = llm.CodeUnavailable, "the model server redirects"+at, "give the address it redirects to"
	case status == 401 || status == 402 || status == 403:
		// Servers repeat the key, or parts of it, in this message: it stays here.
		e.Code, e.Path, e.Message, e.Hint = llm.CodeAuth, "", "the model server refuses the key"+at, "check the key and the account"
		return
	case status == 408:
		e.Code, e.Message = llm.CodeTimeout, "the model did not answer in time"+at
	case status == 429:
		e.Code, e.Message, e.Hint = llm.CodeRateLimited, "the model server asks to wait"+at, "try again later, or raise the limit of the account"
	case status >= 500 || status == 409 || status == 425:
		e.Code, e.Message = llm.CodeUnavailable, "the model server failed"+at
	default:
		e.Code, e.Message = llm.CodeUnsupported, "the model server refuses the request"+at
		e.Hint = "check the model's name and the declared capabilities"
	}
	if said != "" {
		e.Err = errors.New(m.short(said))
	}
}

// short is a server's words, fit for a log: one line, at most 300 bytes, no key.
func (m *Model) short(s string) string {
	s = m.scrub(s)
	if len(s) > 300 {
		s = s[:300] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// cause strips the method and address that net/http puts around an error.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func isNetwork(err error) bool {
	var n net.Error
	var op *net.OpError
	return errors.As(err, &n) || errors.As(err, &op) || errors.Is(err, errBroken)
}

// limited refuses answers above a size, whatever their length header says.
type limited struct {
	next http.RoundTripper
	most int64
}

func (l limited) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(req)
	if err == nil && res.Body != nil {
		res.Body = &limitedBody{ReadCloser: res.Body, left: l.most}
	}
	return res, err
}

type limitedBody struct {
	io.ReadCloser
	left int64 // bytes that may still come; below 0 = above the limit
}

// Read passes up to the limit and one byte more, which proves the excess.
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, errTooLarge
	}
	if err != nil && err != io.EOF {
		err = errors.Join(errBroken, err)
	}
	return n, err
}
