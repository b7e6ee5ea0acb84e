package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"sync"
	"time"

	"github.com/limn-ui/limn/cmd/limn/term"
)

// mcpCommand passes the messages of an MCP host to a server with the door mcp. It is for hosts
// that start a program and talk to it by its standard input and output.
type mcpCommand struct {
	URL   string `arg:"" name:"url" help:"Of the door, such as http://127.0.0.1:8080/mcp."`
	Token string `name:"token" env:"LIMN_TOKEN" help:"${mcp_token}"`
}

// Bounds of a bridge.
const (
	maxLine    = 4 << 20 // bytes of one message
	maxWaiting = 64      // calls that wait for their answer
)

// Run passes messages on until the input ends.
func (c mcpCommand) Run(ctx context.Context, t term.Terminal) error {
	if u, err := url.Parse(c.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is no address: want one such as http://127.0.0.1:8080/mcp", c.URL)
	}
	ctx, stop := context.WithCancel(ctx)
	b := &bridge{mcpCommand: c, out: t.Out, client: &http.Client{}}
	places := make(chan struct{}, maxWaiting)
	lines := bufio.NewScanner(t.In)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for lines.Scan() {
		line := bytes.Clone(bytes.TrimSpace(lines.Bytes()))
		if len(line) == 0 {
			continue
		}
		places <- struct{}{} // a host that has so many calls open waits
		var m mcpMessage
		_ = json.Unmarshal(line, &m) // the server reports the errors of a message
		if m.Method == "initialize" {
			b.pass(ctx, m, line)
			<-places
			continue
		}
		b.calls.Go(func() { // Run waits for it
			defer func() { <-places }()
			b.pass(ctx, m, line)
		})
		if m.Method == "notifications/initialized" {
			b.streams.Go(func() { b.listen(ctx) }) // Run waits for it
		}
	}
	b.calls.Wait()
	stop()
	b.streams.Wait()
	return lines.Err()
}

// mcpMessage has the parts of a message that its headers repeat.
type mcpMessage struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name string
		URI  string
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
}

// bridge passes the messages of one host on.
type bridge struct {
	mcpCommand
	client         *http.Client
	calls, streams sync.WaitGroup

	mu      sync.Mutex
	out     io.Writer
	session string
	version string // that the session speaks
}

// write writes one message to the host.
func (b *bridge) write(line []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out.Write(append(bytes.TrimSpace(line), '\n')) //nolint:errcheck // a host that is gone ends the input, too
}

// request is a request with the headers of the session, or of the message.
func (b *bridge) request(ctx context.Context, method string, m mcpMessage, body []byte) *http.Request {
	r, err := http.NewRequestWithContext(ctx, method, b.URL, bytes.NewReader(body))
	if err != nil {
		panic(err) // Run has parsed the address
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, value := range map[string]string{"Mcp-Session-Id": b.session, "MCP-Protocol-Version": b.version} {
		if value != "" && m.Method != "initialize" {
			r.Header.Set(name, value)
		}
	}
	if m.Params.Meta.Version != "" {
		r.Header.Set("MCP-Protocol-Version", m.Params.Meta.Version)
		r.Header.Set("Mcp-Method", m.Method)
		r.Header.Set("Mcp-Name", headerText(cmp.Or(m.Params.Name, m.Params.URI)))
	}
	if b.Token != "" {
		r.Header.Set("Authorization", "Bearer "+b.Token)
	}
	return r
}

// headerText is a text as a header of MCP has it: in Base64 if it is not plain.
func headerText(s string) string {
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' {
			return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
		}
	}
	return s
}

// pass sends one message, and writes the answer.
func (b *bridge) pass(ctx context.Context, m mcpMessage, line []byte) {
	resp, err := b.client.Do(b.request(ctx, http.MethodPost, m, line))
	if err != nil {
		b.fail(m, "the server cannot be reached: "+err.Error())
		return
	}
	defer resp.Body.Close() //nolint:errcheck // it is only read
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/event-stream" {
		if _, answered := b.events(resp.Body, m.ID); !answered {
			b.fail(m, brokeOff)
		}
		return
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxLine+1))
	switch {
	case err != nil || len(body) > maxLine:
		b.fail(m, "the answer of the server cannot be read")
	case json.Valid(body):
		if m.Method == "initialize" {
			b.begin(resp, body)
		}
		b.write(body)
	case resp.StatusCode >= http.StatusBadRequest:
		b.fail(m, "the server answers "+resp.Status)
	default: // which is right for a notification: fail says nothing then
		b.fail(m, brokeOff)
	}
}

// brokeOff is the error of a request whose answer does not come.
const brokeOff = "the answer broke off"

// begin notes the session that a server began.
func (b *bridge) begin(resp *http.Response, body []byte) {
	var answer struct {
		Result struct{ ProtocolVersion string }
	}
	_ = json.Unmarshal(body, &answer) // it is valid
	b.mu.Lock()
	defer b.mu.Unlock()
	b.session, b.version = resp.Header.Get("Mcp-Session-Id"), answer.Result.ProtocolVersion
}

// fail answers a request that the server did not.
func (b *bridge) fail(m mcpMessage, message string) {
	if m.ID == nil || m.Method == "" { // no request
		return
	}
	line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, // strings, and JSON that was read
		"error": map[string]any{"code": -32000, "message": message}})
	b.write(line)
}

// events writes the messages of a stream. It returns the id of the last event, and whether
// the request of an id was answered.
func (b *bridge) events(stream io.Reader, id json.RawMessage) (last string, answered bool) {
	lines := bufio.NewScanner(stream)
	lines.Buffer(make([]byte, 0, 4<<10), maxLine)
	for lines.Scan() {
		if at, ok := bytes.CutPrefix(lines.Bytes(), []byte("id: ")); ok {
			last = string(at)
		}
		if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
			b.write(bytes.Clone(data))
			var m mcpMessage
			answered = answered || json.Unmarshal(data, &m) == nil && m.Method == "" && sameID(m.ID, id)
		}
	}
	return last, answered
}

// sameID reports whether two ids are equal, however they are written.
func sameID(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// again is how long a bridge waits before it opens a stream that ended again.
const again = time.Second

// listen writes the notifications of the session, from where they ended on.
func (b *bridge) listen(ctx context.Context) {
	for last := ""; ; {
		r := b.request(ctx, http.MethodGet, mcpMessage{}, nil)
		r.Header.Set("Accept", "text/event-stream")
		if last != "" {
			r.Header.Set("Last-Event-ID", last)
		}
		if resp, err := b.client.Do(r); err == nil {
			if resp.StatusCode == http.StatusOK {
				id, _ := b.events(resp.Body, nil)
				last = cmp.Or(id, last)
			}
			resp.Body.Close() //nolint:errcheck // it was only read
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(again):
		}
	}
}
