package upstream

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/internal/gateway"
)

// protocol is how a question is written, and how each line of the answer is read.
type protocol struct {
	body  func(gateway.Question) []byte
	line  func(*answer, []byte) error
	extra func(gateway.Question) http.Header // nil: none
	ends  bool                               // it says that an answer is whole

	begins bool // a session begins before the first question
}

var protocols = map[string]protocol{
	"a2ui": {body: gateway.Question.Body, line: (*answer).plain},
	"a2a":  {body: a2aBody, line: (*answer).a2a, extra: a2aHeader, ends: true},
	"agui": {body: aguiBody, line: (*answer).agui, ends: true},
	"mcp":  {body: mcpBody, line: (*answer).mcp, extra: mcpHeader, ends: true, begins: true},
}

// answer is the answer of an agent while it is read.
type answer struct {
	q     gateway.Question
	in    *intake
	heard func(again bool, piece string) // again: it replaces all words before
	ended bool                           // the agent said that this is all

	changed func() // its tools are others, of mcp

	words   []words // so far
	message string  // that the last words were of
	spoke   bool

	place
}

// place is where an answer that is cut off is taken up: after its last event, or in its task, with the parts of it
// that were taken.
type place struct {
	last             string
	task, context    string
	resumed, unknown bool // it was asked for the rest; its stream is over
	parts            map[string]int
	artifacts        map[string]string // their words, of a2a
	events           []uint64          // their hashes, of a2a
	again            int               // how many of them came again since the stream was resumed
}

// say takes words of a message, by its id. Those of another message are another paragraph.
func (a *answer) say(message, text string) {
	if text == "" {
		return
	}
	if a.spoke && message != a.message {
		text = "\n\n" + text
	}
	a.spoke, a.message = true, message
	a.words = append(a.words, words{message, text})
	a.in.Text(text)
	a.heard(false, text)
}

// words are a piece of an answer, by the id of its message.
type words struct{ message, text string }

// forget takes back the words of a message: others replace them.
func (a *answer) forget(message string) {
	rest := slices.DeleteFunc(a.words, func(w words) bool { return w.message == message })
	if len(rest) == len(a.words) {
		return
	}
	var all strings.Builder
	a.words, a.spoke, a.message = rest, len(rest) > 0, ""
	for _, w := range rest {
		all.WriteString(w.text)
		a.message = w.message
	}
	text := strings.TrimLeft(all.String(), "\n")
	a.in.Retell(text)
	a.heard(true, text)
}

// answer begins an answer.
func (g *Agents) answer(q gateway.Question, in *intake, heard func(bool, string)) *answer {
	return &answer{q: q, in: in, heard: heard, changed: func() { g.tools.Delete(q.Agent.Name) }}
}

// speak asks once, and reads the answer to its end. A refusal is gateway.CodeAway. An answer that is cut off is
// taken up where it ended, if the agent offers that.
func (g *Agents) speak(ctx context.Context, q gateway.Question, in *intake, heard func(bool, string)) error {
	p := protocols[q.Agent.Protocol]
	a := g.answer(q, in, heard)
	resp, err := g.first(ctx, a, p)
	if err != nil || resp == nil {
		return err
	}
	err = a.read(ctx, resp, p)
	switch name, task := parts(a.q.Context); {
	case p.begins && refused(err):
		g.tools.Delete(q.Agent.Name) // the tool may be gone
	case !p.begins && task != "" && isGone(err): // it waits no more
		a.q.Context, a.q.Key = name, a.q.Key+".new" // another message; nothing was done for the first
		if resp, err = g.send(ctx, a.q, http.MethodPost, p.body(a.q), nil); err != nil {
			return err
		}
		err = a.read(ctx, resp, p)
	}
	if err = g.resume(ctx, a, p, err); errors.Is(err, errTooMuch) {
		err = in.take(func() error {
			in.Overlong()
			return nil
		})
	}
	return err
}

// first sends the question, in a session if the protocol has these. Without an error and a response the agent is not
// to be asked.
func (g *Agents) first(ctx context.Context, a *answer, p protocol) (*http.Response, error) {
	if !p.begins {
		return g.send(ctx, a.q, http.MethodPost, p.body(a.q), nil)
	}
	if a.q.Call != "" {
		return nil, refusal{error: away("its protocol has no calls of functions by a client", nil)}
	}
	if err := g.begin(ctx, &a.q, a.in); err != nil {
		return nil, err
	}
	if tool, _ := toolOf(a.q); tool == "" { // it takes no reports of errors
		return nil, nil
	}
	resp, err := g.send(ctx, a.q, http.MethodPost, p.body(a.q), nil)
	if !isGone(err) {
		return resp, err
	}
	a.q.Context = "" // the session is over, and nothing was done
	if err := g.begin(ctx, &a.q, a.in); err != nil {
		return nil, err
	}
	return g.send(ctx, a.q, http.MethodPost, p.body(a.q), nil)
}

// resume asks for the rest of an answer that was cut off, and returns the error of the whole.
func (g *Agents) resume(ctx context.Context, a *answer, p protocol, err error) error {
	var sent error
	for n := 0; n < tries && isCut(err) && g.wait(ctx, n, sent); n++ {
		method, body, header := a.rest()
		if method == "" {
			break
		}
		q := a.q
		if method == http.MethodPost { // the body of another request
			q.Key = ""
		}
		var resp *http.Response
		if resp, sent = g.send(ctx, q, method, body, header); refused(sent) {
			break
		}
		if sent != nil {
			continue
		}
		if method == http.MethodGet && mediaOf(resp) != eventStream { // some other page
			resp.Body.Close()
			break
		}
		if again := a.read(ctx, resp, p); !refused(again) { // else the stream of the task is over
			err = again
		}
	}
	return err
}

// cut is the error of an answer that ended too early.
type cut struct{ error }

func isCut(err error) bool {
	var c cut
	return errors.As(err, &c)
}

// Unwrap returns the error.
func (c cut) Unwrap() error { return c.error }

// Quiet implements the interface of package logs.
func (cut) Quiet() string { return "the answer broke off" }

// rest is the request for the rest of an answer; without a method the agent offers none. It has no effect.
func (a *answer) rest() (method string, body []byte, header http.Header) {
	switch {
	case a.task != "":
		a.resumed, a.again = true, 0
		return http.MethodPost, a.taskBody(), nil
	case a.last != "":
		return http.MethodGet, nil, http.Header{"Last-Event-Id": {a.last}}
	}
	return "", nil, nil
}

// send sends one request. The response is one that has an answer. Requests of one key are the same: a question without
// a key is a request that has no effect.
func (g *Agents) send(ctx context.Context, q gateway.Question, method string, body []byte, header http.Header) (
	*http.Response, error) {
	address := q.Agent.URL
	if protocols[q.Agent.Protocol].begins {
		address = threadOf(q)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, away("its address cannot be asked", err)
	}
	if extra := protocols[q.Agent.Protocol].extra; extra != nil {
		req.Header = extra(q)
	}
	maps.Copy(req.Header, header)
	token, err := g.credentials(q.Agent)
	if err != nil {
		return nil, away("there are no credentials for it", err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "text/event-stream, application/jsonl, application/json")
	if q.Key != "" {
		req.Header.Set("Idempotency-Key", q.Key)
	}
	resp, err := g.clients[q.Agent.Name].Do(req)
	if err != nil {
		return nil, err
	}
	switch s := status(resp.StatusCode); {
	case s == http.StatusTooManyRequests || s == http.StatusServiceUnavailable:
		after, _ := endpoint.RetryAfter(resp.Header, time.Now())
		err = away("it is busy", busy{s, after})
	case s == http.StatusSeeOther || s == http.StatusRequestTimeout || s == http.StatusConflict || s >= 500:
		err = s // it may have been carried out
	case s >= 300:
		gone := s == http.StatusNotFound || s == http.StatusBadRequest && req.Header.Get("Mcp-Session-Id") != ""
		err = refusal{error: away("it refuses", errors.Join(s, reasonIn(resp))), gone: gone}
	default:
		return resp, nil
	}
	resp.Body.Close()
	return nil, err
}

// read reads the answer by its media type, and closes it.
func (a *answer) read(ctx context.Context, resp *http.Response, p protocol) error {
	defer resp.Body.Close()
	media, most := mediaOf(resp), a.q.Agent.Limits.Bytes
	stream := io.Reader(resp.Body)
	if media == eventStream {
		stream = endpoint.LineEnds(stream)
	}
	body := bufio.NewReader(stream)
	if mark, _ := body.Peek(3); string(mark) == "\uFEFF" {
		_, _ = body.Discard(3) // they are there
	}
	next := newLines(body, most, media == eventStream, a.last)
	// Where the end of the connection is the end of the answer, an agent that died looks like one that is done.
	next.open = resp.ContentLength < 0 && len(resp.TransferEncoding) == 0 && resp.ProtoMajor == 1
	read := next.next
	if media == "application/json" {
		read = whole(body, most)
	}
	for began := false; ctx.Err() == nil; began = true {
		b, id, err := read()
		switch {
		case errors.Is(err, io.EOF) && (!p.ends && (began || !next.open) || a.ended):
			return nil
		case errors.Is(err, io.EOF):
			return cut{io.ErrUnexpectedEOF}
		case errors.Is(err, errTooMuch):
			return err
		case err != nil:
			return cut{err}
		}
		if a.last = id; len(a.last) > maxEventID {
			a.last = ""
		}
		if err := a.in.take(func() error { return p.line(a, b) }); err != nil || a.ended || a.in.Full() {
			return err
		}
	}
	return ctx.Err()
}

const eventStream = "text/event-stream"

// mediaOf is the media type of an answer, without parameters.
func mediaOf(resp *http.Response) string {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return media
}

// maxEventID bounds the id of an event that is sent back, in bytes.
const maxEventID = 256

// whole is a body as one line.
func whole(r io.Reader, most int) func() ([]byte, string, error) {
	over := false
	return func() ([]byte, string, error) {
		if over {
			return nil, "", io.EOF
		}
		over = true
		b, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
		if len(b) > most {
			return nil, "", errTooMuch
		}
		return b, "", err
	}
}

// plain reads a line of A2UI, of words, or of a hand-over.
func (a *answer) plain(b []byte) error {
	key := strings.TrimLeft(strings.TrimPrefix(string(b[:min(len(b), 32)]), "{"), " \t\r\n")
	if strings.HasPrefix(key, `"text"`) || strings.HasPrefix(key, `"handover"`) {
		if v, err := parse(b); err == nil {
			a.say("", v.At("text").Text())
			if to, ok := v.Get("handover"); ok {
				a.in.HandOver(to.At("to").Text(), to.At("text").Text())
			}
			return nil
		}
	}
	if a.ended = string(b) == "[DONE]"; !a.ended {
		a.in.Take(b, time.Now())
	}
	return nil
}

// lines cuts a stream into JSON lines, or into the data of server-sent events.
type lines struct {
	r    *bufio.Reader
	left int // bytes that may still be read
	sse  bool
	id   string // of the last event, also of a stream before this one
	open bool   // its end may be too early: then a last part that is no JSON was cut off
}

func newLines(r *bufio.Reader, most int, sse bool, last string) *lines {
	return &lines{r: r, left: most + most/4 + 64<<10, sse: sse, id: last}
}

// errTooMuch ends a stream that is above the limit of its agent.
const errTooMuch = fault("the answer is above the limit of bytes")

// next returns the next one that is not blank, and its id. The error at the end is io.EOF.
func (l *lines) next() ([]byte, string, error) {
	var data []byte
	for {
		b, err := l.line()
		switch last := errors.Is(err, io.EOF); {
		case last && l.open && (len(b) > 0 && !l.sse && !json.Valid(b) ||
			len(b) == 0 && data != nil && !json.Valid(data)):
			return nil, "", io.ErrUnexpectedEOF
		case last && len(b) == 0 && data != nil:
			return data, l.id, nil
		case err != nil && len(b) == 0:
			return nil, "", err
		}
		b = bytes.TrimRight(b, "\r\n")
		if !l.sse {
			if b = bytes.TrimSpace(b); len(b) > 0 {
				return b, "", nil
			}
			continue
		}
		if len(b) == 0 {
			if len(data) > 0 {
				return data, l.id, nil
			}
			continue
		}
		if rest, ok := bytes.CutPrefix(b, []byte("id:")); ok && bytes.IndexByte(rest, 0) < 0 {
			l.id = string(bytes.TrimPrefix(rest, []byte(" ")))
		}
		if rest, ok := bytes.CutPrefix(b, []byte("data:")); ok {
			if data != nil {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(rest, []byte(" "))...)
		}
	}
}

// line reads up to a line end.
func (l *lines) line() (out []byte, err error) {
	for {
		part, err := l.r.ReadSlice('\n')
		if l.left -= len(part); l.left < 0 {
			return nil, errTooMuch
		}
		out = append(out, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return out, err
		}
	}
}

// a2aHeader asks for the version of A2UI.
func a2aHeader(q gateway.Question) http.Header {
	return http.Header{a2a.Header: {a2a.ExtensionURI(q.Agent.Dialect)}}
}
