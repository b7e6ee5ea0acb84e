package upstream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
)

// protocol is how a question is written, and how each line of the answer is read.
type protocol struct {
	body  func(gateway.Question) []byte
	line  func(*answer, []byte) error
	extra func(gateway.Question) http.Header // nil: none
	ends  bool                               // it says that an answer is whole
}

var protocols = map[string]protocol{
	"a2ui": {body: gateway.Question.Body, line: (*answer).plain},
	"a2a":  {body: a2aBody, line: (*answer).a2a, extra: a2aHeader, ends: true},
	"agui": {body: aguiBody, line: (*answer).agui, ends: true},
}

// answer is the answer of an agent while it is read.
type answer struct {
	q     gateway.Question
	in    *intake
	heard func(string)
	ended bool // the agent said that this is all
}

// say takes words.
func (a *answer) say(text string) {
	if text != "" {
		a.in.Text(text)
		a.heard(text)
	}
}

// speak asks once, and reads the answer to its end. A refusal is gateway.CodeAway.
func (g *Agents) speak(ctx context.Context, q gateway.Question, in *intake, heard func(string)) error {
	p := protocols[q.Agent.Protocol]
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, q.Agent.URL, bytes.NewReader(p.body(q)))
	if err != nil {
		return away("its address cannot be asked", err)
	}
	if p.extra != nil {
		req.Header = p.extra(q)
	}
	token, err := g.credentials(q.Agent)
	if err != nil {
		return away("there are no credentials for it", err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/jsonl, application/json")
	req.Header.Set("Idempotency-Key", q.Key)
	resp, err := g.clients[q.Agent.Name].Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch status := resp.StatusCode; {
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		return away(resp.Status, nil)
	case status >= 300 && status < 500:
		return refusal{away(resp.Status, nil)}
	case status >= 500:
		return fmt.Errorf("status %s", resp.Status)
	}
	a := &answer{q: q, in: in, heard: heard}
	if err := a.read(ctx, resp, p.line); err != nil {
		return err
	}
	if p.ends && !a.ended && !in.Full() {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// read reads the answer by its media type.
func (a *answer) read(ctx context.Context, resp *http.Response, line func(*answer, []byte) error) error {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	most := a.q.Agent.Limits.Bytes
	if media == "application/json" {
		b, err := io.ReadAll(io.LimitReader(resp.Body, int64(most)+1))
		if err != nil {
			return err
		}
		return a.in.take(func() error { return line(a, b) })
	}
	lines := newLines(resp.Body, most, media == "text/event-stream")
	for ctx.Err() == nil {
		b, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := a.in.take(func() error { return line(a, b) }); err != nil || a.ended || a.in.Full() {
			return err
		}
	}
	return ctx.Err()
}

// plain reads a line of A2UI, of words, or of a hand-over.
func (a *answer) plain(b []byte) error {
	key := strings.TrimLeft(strings.TrimPrefix(string(b[:min(len(b), 32)]), "{"), " \t")
	if strings.HasPrefix(key, `"text"`) || strings.HasPrefix(key, `"handover"`) {
		if v, err := jsonx.Parse(b, jsonx.Limits{Bytes: len(b), String: len(b)}); err == nil {
			a.say(v.At("text").Text())
			if to, ok := v.Get("handover"); ok {
				a.in.HandOver(to.At("to").Text(), to.At("text").Text())
			}
			return nil
		}
	}
	if string(b) != "[DONE]" {
		a.in.Take(b, time.Now())
	}
	return nil
}

// lines cuts a stream into JSON lines, or into the data of server-sent events.
type lines struct {
	r    *bufio.Reader
	left int // bytes that may still be read
	sse  bool
}

func newLines(r io.Reader, most int, sse bool) *lines {
	return &lines{r: bufio.NewReaderSize(r, 16<<10), left: most + most/4 + 64<<10, sse: sse}
}

// errTooMuch ends a stream that is above the limit of its agent.
var errTooMuch = errors.New("the answer is above the limit of bytes")

// next returns the next one that is not blank. The error at the end is io.EOF.
func (l *lines) next() ([]byte, error) {
	var data []byte
	for {
		b, err := l.line()
		if err != nil && len(b) == 0 {
			if len(data) > 0 && errors.Is(err, io.EOF) {
				return data, nil
			}
			return nil, err
		}
		b = bytes.TrimRight(b, "\r\n")
		if !l.sse {
			if b = bytes.TrimSpace(b); len(b) > 0 {
				return b, nil
			}
			continue
		}
		if len(b) == 0 {
			if len(data) > 0 {
				return data, nil
			}
			continue
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
