package official

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Listen returns a transport that hands every A2UI message in the answers of a
// Limn server, streams and drawings alike, to the tap as it is read. It calls
// report, on the reader's goroutine, with the error of a message.
func (t *Tap) Listen(to http.RoundTripper, report func(error)) http.RoundTripper {
	return listening{t, to, report}
}

type listening struct {
	tap    *Tap
	to     http.RoundTripper
	report func(error)
}

func (l listening) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.to.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	query := r.URL.Query()
	dialect := cmp.Or(query.Get("version"), "v0.9")
	if dialect != "html" && (media == "text/event-stream" || media == "application/jsonl") {
		resp.Body = &ear{ReadCloser: resp.Body, listening: l, dialect: dialect, events: media == "text/event-stream",
			query: query}
	}
	return resp, nil
}

// ear reads along.
type ear struct {
	io.ReadCloser
	listening
	dialect string
	events  bool // Server-Sent Events; else a message a line
	query   url.Values
	line    []byte // the beginning of one
	other   bool   // this event is not of the default type
}

func (e *ear) Read(b []byte) (int, error) {
	n, err := e.ReadCloser.Read(b)
	e.line = append(e.line, b[:n]...)
	for {
		line, rest, whole := bytes.Cut(e.line, []byte("\n"))
		if !whole {
			return n, err
		}
		e.hear(bytes.TrimSpace(line))
		e.line = append(e.line[:0], rest...)
	}
}

func (e *ear) hear(line []byte) {
	if !e.events {
		e.judge(line)
		return
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case len(line) == 0:
		e.other = false
	case string(name) == "event":
		e.other = true
	case string(name) != "data" || e.other:
	case e.query.Get("format") == "a2ui":
		e.judge(value)
	default:
		var frame struct{ Messages []json.RawMessage }
		if err := json.Unmarshal(value, &frame); err != nil {
			e.report(err)
		}
		for _, m := range frame.Messages {
			e.judge(m)
		}
	}
}

func (e *ear) judge(message []byte) {
	if len(message) == 0 {
		return
	}
	if err := e.tap.See(e.dialect, message); err != nil {
		e.report(err)
	}
}
