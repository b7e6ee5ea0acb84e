package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/llm"
)

// doorRounds is how many turns of each kind a run measures, one after the other.
var doorRounds = 1000

// doorStreams is how many streams of each door wait for a model.
var doorStreams = 1000

// doors measures the time that each door adds to a turn of the web API, and the cost of a stream of it
// costs on which nothing happens.
func doors(count int) []figure {
	srv, err := limn.New(limn.Config{App: ticket(), Doors: limn.Doors(), Limits: limn.Limits{Rate: -1, AddressRate: -1,
		Streams: -1, Conversations: -1, Stored: limn.Daily{Principal: -1, Address: -1}}})
	must(err)
	s := httptest.NewServer(srv.Handler())
	defer func() { must(srv.Close(context.Background())); s.Close() }()
	c := &caller{base: s.URL}
	var made struct{ ID, Token string }
	c.json("POST", "/v1/conversations", nil, &made)
	c.token = made.Token
	turns := map[string]func(){"web": func() {
		c.n++
		c.read("/v1/conversations/"+made.ID+"/messages", map[string]any{"text": "new ticket"}, `"done"`)
	}}
	order := []string{"web"}
	for _, name := range slices.Sorted(maps.Keys(doorTurns)) {
		body := doorTurns[name]
		order = append(order, name)
		turns[name] = func() {
			c.n++
			c.read("/"+name, body(made.ID, fmt.Sprint("m", c.n), "new ticket", nil), ends[name])
		}
	}
	order = append(order, "streams")
	turns["streams"] = followed(s.URL)
	var fns []func()
	for _, name := range order {
		fns = append(fns, turns[name])
	}
	took := inTurns(count*doorRounds, func(fn func()) float64 {
		began := time.Now()
		fn()
		return float64(time.Since(began).Nanoseconds()) / 1e3
	}, fns...)
	var out []figure
	for i, name := range order[1:] {
		out = append(out, figure{Name: "door_" + name + "_us", Value: took[i+1] - took[0], Unit: "µs", Must: 150,
			Others: map[string]float64{"turn": took[i+1], "web": took[0]}})
	}
	for _, name := range order[1:] {
		out = append(out, figure{Name: "door_" + name + "_idle_kib", Value: doorIdle(name), Unit: "KiB", Must: 12,
			Others: map[string]float64{"streams": float64(doorStreams)}})
	}
	return out
}

// followed is a turn over HTTP whose frame is read from a stream of events that is open.
func followed(base string) func() {
	c := &caller{base: base}
	var made struct{ ID, Token string }
	c.json("POST", "/v1/conversations", nil, &made)
	c.token = made.Token
	resp := c.do("GET", "/v1/streams/"+made.ID+"?live=sse&offset=-1", nil)
	in := bufio.NewReader(resp.Body) // it ends with the server
	next := func() {
		for {
			line, err := in.ReadString('\n')
			must(err)
			if strings.HasPrefix(line, "data:{\"streamNextOffset") {
				return
			}
		}
	}
	next()
	return func() {
		c.read("/v1/conversations/"+made.ID+"/messages", map[string]any{"text": "new ticket"}, `"done"`)
		next()
	}
}

// read posts a body and reads the answer, which must hold a text.
func (c *caller) read(path string, body any, want string) {
	resp := c.do("POST", path, body)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must(err)
	if resp.StatusCode != http.StatusOK || !strings.Contains(string(b), want) {
		panic(fmt.Sprintf("%s: %s %.500s", path, resp.Status, b))
	}
}

// ends is a part that the answer of a finished turn has.
var ends = map[string]string{"a2a": `"completed"`, "agui": `"RUN_FINISHED"`, "mcp": `"outcome":"done"`}

// doorTurns are the bodies of a turn at each door: a text in a conversation, under an id.
var doorTurns = map[string]func(conversation, id, text string, more map[string]any) map[string]any{
	"a2a": func(conversation, id, text string, more map[string]any) map[string]any {
		method := "message/send"
		if more != nil {
			method = more["method"].(string)
		}
		message := map[string]any{"messageId": id, "role": "user",
			"parts": []any{map[string]any{"kind": "text", "text": text}},
			"metadata": map[string]any{"a2uiClientCapabilities": map[string]any{"v0.9": map[string]any{
				"supportedCatalogIds": []string{"https://a2ui.org/specification/v0_9/basic_catalog.json"}}}}}
		if conversation != "" {
			message["contextId"] = conversation
		}
		return map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": map[string]any{"message": message}}
	},
	"agui": func(conversation, id, text string, _ map[string]any) map[string]any {
		return map[string]any{"threadId": conversation, "runId": id, "state": map[string]any{}, "tools": []any{},
			"context": []any{}, "messages": []any{map[string]any{"id": id, "role": "user", "content": text}}}
	},
	"mcp": func(conversation, id, text string, more map[string]any) map[string]any {
		if more != nil { // the stream of notifications, as of 2026-07-28
			return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": map[string]any{
				"notifications": map[string]any{"resourcesListChanged": true},
				"_meta":         map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}
		}
		return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
			"name": "say", "arguments": map[string]any{"text": text}, "_meta": map[string]any{"limn_key": id,
				"limn_conversation": conversation, "a2uiClientCapabilities": map[string]any{"v0.9": map[string]any{
					"supportedCatalogIds": []string{"https://a2ui.org/specification/v0_9/basic_catalog.json"}}}}}}
	},
}

// doorHeads are headers that the stream of a door needs.
var doorHeads = map[string]string{"mcp": "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"}

// doorIdle is the memory of a stream of a door whose turn waits for a model, in KiB. The turns
// wait before: each has a second stream, and that is measured.
func doorIdle(name string) float64 {
	if name == "streams" {
		return streamsIdle()
	}
	srv := startServer("wait:")
	defer srv.kill() // its turns wait for ever, and so would an orderly end
	open := func(token, thread string) net.Conn {
		body := doorTurns[name](thread, "m", "tell me about whales", map[string]any{"method": "message/stream"})
		conn, err := net.Dial("tcp", srv.addr)
		must(err)
		b, err := json.Marshal(body)
		must(err)
		_, err = fmt.Fprintf(conn, "POST /%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
			"%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", name, token, doorHeads[name], len(b), b)
		must(err)
		in := bufio.NewReaderSize(conn, 16)
		for { // until the stream has begun
			line, err := in.ReadString('\n')
			must(err)
			if strings.HasPrefix(line, "data: ") {
				return conn
			}
		}
	}
	thread := ""
	if name == "agui" {
		thread = "t"
	}
	tokens := make([]string, doorStreams)
	conns := make([]net.Conn, 0, 2*doorStreams)
	for i := range tokens {
		b := make([]byte, 32)
		_, _ = rand.Read(b) // never fails, crypto/rand
		tokens[i] = base64.RawURLEncoding.EncodeToString(b)
		conns = append(conns, open(tokens[i], thread))
	}
	time.Sleep(settling)
	_, before := srv.settled()
	for _, token := range tokens {
		conns = append(conns, open(token, thread))
	}
	time.Sleep(settling)
	_, after := srv.settled()
	for _, c := range conns {
		c.Close()
	}
	return (after - before) / float64(doorStreams)
}

// streamsIdle is the memory of a stream over events on which nothing happens, in KiB. There is
// one of each conversation before.
func streamsIdle() float64 {
	srv := startServer("wait:")
	defer srv.kill() // its turns wait for ever, and so would an orderly end
	c := &caller{base: "http://" + srv.addr}
	open := func(id, token string) net.Conn {
		conn, err := net.Dial("tcp", srv.addr)
		must(err)
		_, err = fmt.Fprintf(conn, "GET /v1/streams/%s?live=sse&offset=-1 HTTP/1.1\r\nHost: x\r\n"+
			"Authorization: Bearer %s\r\n\r\n", id, token)
		must(err)
		in := bufio.NewReaderSize(conn, 16)
		for {
			line, err := in.ReadString('\n')
			must(err)
			if strings.HasPrefix(line, "data:") {
				return conn
			}
		}
	}
	made := make([]struct{ ID, Token string }, doorStreams)
	conns := make([]net.Conn, 0, 2*doorStreams)
	for i := range made {
		c.token = ""
		c.json("POST", "/v1/conversations", nil, &made[i])
		conns = append(conns, open(made[i].ID, made[i].Token))
	}
	time.Sleep(settling)
	_, before := srv.settled()
	for _, m := range made {
		conns = append(conns, open(m.ID, m.Token))
	}
	time.Sleep(settling)
	_, after := srv.settled()
	for _, c := range conns {
		c.Close()
	}
	return (after - before) / float64(doorStreams)
}

// waits is a model that does not answer.
type waits struct{}

// Ask implements llm.Model.
func (waits) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	<-ctx.Done()
	return llm.Reply{}, context.Cause(ctx)
}
