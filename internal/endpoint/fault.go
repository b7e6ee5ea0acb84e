package endpoint

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/limn-ui/limn/internal/sendonce"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// errTooLarge is what reading an answer above the limit ends with.
var errTooLarge = withCause(&ui.Error{Code: llm.CodeReplyTooLarge,
	Message: "the model server's answer is above the size limit", Hint: "no model writes so much: check the address"},
	"")

const oddAnswer = "check the address: another service, or a proxy, may answer there"

// failure is a try that brought no answer.
type failure struct {
	err   *ui.Error
	again bool          // it may pass
	asked bool          // the server said when to come back,
	after time.Duration // and how long that is
}

// Fault turns whatever an exchange returned into an error with a code of package
// llm. What comes from Post goes through; of anything else only scrubbed words do.
func (e *Endpoint) Fault(ctx context.Context, err error) error {
	var coded *ui.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &ui.Error{Code: llm.CodeCanceled, Message: "the request was given up", Err: context.Cause(ctx)}
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		return &ui.Error{Code: llm.CodeTimeout, Message: "the model did not answer in time",
			Hint: "look whether its server is busy, or give it more time", Err: context.DeadlineExceeded}
	case errors.As(err, &coded) && explained(coded):
		return coded
	case coded != nil: // an adapter's, about an answer
		found := *coded
		found.Hint = cmp.Or(found.Hint, oddAnswer)
		return withCause(&found, "")
	}
	return withCause(&ui.Error{Code: llm.CodeReplyInvalid, Message: "the model server's answer cannot be read",
		Hint: oddAnswer}, e.short(err.Error()))
}

// broke is a connection that ended inside an answer, as opposed to an answer
// that is itself cut.
func (e *Endpoint) broke(err error) *ui.Error {
	return withCause(&ui.Error{Code: llm.CodeUnavailable,
		Message: "the connection to the model server broke inside its answer",
		Hint:    "try again; if it goes on, look at the server and at proxies before it"}, e.short(err.Error()))
}

// unreached says why there is no answer at all.
func (e *Endpoint) unreached(ctx context.Context, err error) *failure {
	if ctx.Err() != nil {
		return &failure{err: e.Fault(ctx, err).(*ui.Error)}
	}
	f := &failure{err: &ui.Error{Code: llm.CodeUnavailable}}
	var name x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var verify *tls.CertificateVerificationError
	switch {
	case errors.As(err, &name):
		f.err.Message, f.err.Hint = "the model server's certificate is not for the name "+hostOnly(e.Host),
			"check the address; a certificate for another name means another server answers"
	case errors.As(err, &unknown):
		f.err.Message,
			f.err.Hint = "the model server's certificate is from an authority that this machine does not know",
			"add the authority to the system's certificates (SSL_CERT_FILE)"
	case errors.As(err, &verify):
		f.err.Message, f.err.Hint = "the model server's certificate is not valid", "check its dates and its chain"
	case sendonce.Unsent(err):
		f.err.Message, f.err.Hint, f.again = "the model server cannot be reached",
			"check the address and that the server runs", true
	default: // asked again it might answer, and be paid, twice
		f.err.Message, f.err.Hint = "the connection to the model server broke before its answer",
			"try again; if it goes on, look at the server and at proxies before it"
	}
	f.err.Err = why{e.short(cause(err).Error()), f.err.Message + reason(err)}
	return f
}

func hostOnly(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}

// cause strips the method and address that net/http puts around an error.
func cause(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// refused turns an answer without a 2xx status into a failure.
func (e *Endpoint) refused(res *http.Response, body []byte) *failure {
	f := &failure{}
	f.after, f.asked = RetryAfter(res.Header, time.Now())
	switch {
	case res.StatusCode < 300 || res.StatusCode == http.StatusNotModified:
		f.err = withCause(&ui.Error{Code: llm.CodeReplyInvalid,
			Message: "the model server answers with HTTP " + strconv.Itoa(res.StatusCode) + ", which is no answer",
			Hint:    oddAnswer}, "")
		return f
	case res.StatusCode < 400:
		f.err = e.redirected(res)
		return f
	}
	w := readWords(body, e.scrub)
	f.err = e.status(res.StatusCode, w)
	switch f.err.Code {
	case llm.CodeRateLimited, llm.CodeTimeout:
		f.again = true
	case llm.CodeUnavailable:
		f.again = res.StatusCode != http.StatusNotImplemented && res.StatusCode != http.StatusHTTPVersionNotSupported
	}
	if res.Header.Get("X-Should-Retry") == "false" {
		f.again = false
	}
	if f.again && f.after > mostPause {
		f.err.Hint = "the server asks to wait " + f.after.Round(time.Second).String()
	}
	if id := requestID(res.Header); id != "" && f.err.Code != llm.CodeAuth { // whose words stay here
		f.err.Hint += "; the server knows this request as " + e.short(id)
	}
	return f
}

// requestID is the server's name for a request, which its operators ask for, or "".
func requestID(h http.Header) string {
	id := cmp.Or(h.Get("Request-Id"), h.Get("X-Request-Id"))
	odd := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' }
	if len(id) > 100 || strings.ContainsFunc(id, odd) {
		return ""
	}
	return id
}

// redirected names the host of the target only: the rest may hold a secret.
func (e *Endpoint) redirected(res *http.Response) *ui.Error {
	err := &ui.Error{Code: llm.CodeUnavailable,
		Message: "the model server redirects" + at(res.StatusCode) + ", which is not followed",
		Hint:    "give the address it redirects to, if you trust it"}
	if to, perr := url.Parse(res.Header.Get("Location")); perr == nil && to.Host != "" {
		err.Message = "the model server redirects to " + e.short(to.Host) + at(res.StatusCode) +
			", which is not followed"
		ip := net.ParseIP(to.Hostname())
		if ip != nil && (ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()) {
			err.Hint = "that address is a private one: do not trust this server before you know why"
		}
	}
	return withCause(err, "")
}

func at(status int) string { return " (HTTP " + strconv.Itoa(status) + ")" }

// status maps the HTTP status of a refusal. 400, 404, 405, 413, 415 and 422
// speak of the request, so another request may do.
func (e *Endpoint) status(status int, w words) *ui.Error {
	err := &ui.Error{}
	if w.param != "" {
		err.Path = "/" + w.param
	}
	account := status == 401 || status == 402 || w.badKey() || w.noMoney()
	switch {
	case w.forbidden() && !account:
		err.Code, err.Message, err.Hint = llm.CodeRefused, "the model server's policy forbids the request"+at(status),
			"another wording may pass; the filter is a setting of the server"
	case account || status == 403:
		// Servers repeat the key, or parts of it, in this message: it stays here.
		return withCause(&ui.Error{Code: llm.CodeAuth,
			Message: "the model server refuses the key or the account" + at(status),
			Hint:    "check the key, and the account's balance and rights"}, "")
	case status == 408:
		err.Code, err.Message, err.Hint = llm.CodeTimeout, "the model server gave up waiting"+at(status),
			"try again; if it goes on, look whether the server is busy"
	case status == 429:
		err.Code, err.Message, err.Hint = llm.CodeRateLimited, "the model server asks to wait"+at(status),
			"try again later, or raise the limit of the account"
	case status >= 500 || status == 409 || status == 425:
		err.Code, err.Message, err.Hint = llm.CodeUnavailable, "the model server failed"+at(status),
			"try again later; its log or its status page may say more"
	case status < 500 && w.tooLong():
		err.Code, err.Message, err.Hint = llm.CodeTooLong, "the request is above what the model reads"+at(status),
			"declare the model's context in its capabilities, so that requests keep to it"
	case status == 413:
		err.Code, err.Message, err.Hint = llm.CodeUnsupported,
			"the request is too large for the model server"+at(status), "send less"
	default:
		err.Code, err.Message, err.Hint = llm.CodeUnsupported, "the model server refuses the request"+at(status),
			"check the model's name and the declared capabilities"
	}
	return withCause(err, e.short(w.message))
}

// InBand is the error inside an answer with status 200, or inside a stream: an
// object as servers send with an error status. body is its JSON.
func (e *Endpoint) InBand(body []byte) *ui.Error {
	w := readWords(body, e.scrub)
	status := w.likelyStatus()
	err := e.status(status, w)
	if w.status == 0 { // a guess for the code, not the server's number
		err.Message = strings.TrimSuffix(err.Message, at(status))
		return withCause(err, err.Err.Error())
	}
	return err
}

// short is a server's words, fit for a log: one line, at most 300 bytes, no key.
func (e *Endpoint) short(s string) string {
	s = e.scrub(s)
	if len(s) > 300 {
		s = s[:300] + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// RetryAfter reads when a server wants to be asked again (RFC 9110, section
// 10.2.3, and the milliseconds that some send); now is the time of the answer.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return time.Duration(min(ms, 1e12)) * time.Millisecond, true
	}
	s := h.Get("Retry-After")
	if sec, err := strconv.ParseFloat(s, 64); err == nil && sec >= 0 {
		return time.Duration(min(sec, 1e9) * float64(time.Second)), true
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(0, t.Sub(now)), true
	}
	return 0, false
}
