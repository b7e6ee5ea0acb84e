package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/store/sqlite"
	"github.com/limn-ui/limn/ui"
)

// loop is the whole way: POST an action → durable in SQLite (synchronous=FULL)
// → delivered to an SSE reader on loopback. The action adds a row to a table.
func loop(count int) []figure {
	file, drop := tempFile()
	defer drop()
	st, err := sqlite.Open(file)
	must(err)
	a, _ := form30()
	srv, err := limn.New(limn.Config{App: a, Store: st, Limits: limn.Limits{Rate: -1, AddressRate: -1}})
	must(err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ctx, l) }()
	defer func() {
		cancel()
		must(<-done)
		must(st.Close())
	}()
	c := &caller{base: "http://" + l.Addr().String()}
	c.start()
	frames := c.follow()
	var medians, slowest []float64
	for range count {
		var times []float64
		for range 200 {
			start := time.Now()
			seq := c.submitEmpty()
			for <-frames < seq {
			}
			times = append(times, float64(time.Since(start).Microseconds())/1e3)
		}
		medians = append(medians, median(times))
		slowest = append(slowest, times[len(times)*99/100])
	}
	return []figure{{Name: "loop_p50_ms", Value: median(medians), Unit: "ms", Must: 3,
		Others: map[string]float64{"p99 of the same": median(slowest)}}}
}

// caller is one browser.
type caller struct {
	base, token, id string
	surface         *ui.Surface
	n               int
}

func (c *caller) do(method, path string, body any) *http.Response {
	b, err := json.Marshal(body)
	must(err)
	req, err := http.NewRequest(method, c.base+path, bytes.NewReader(b))
	must(err)
	req.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := http.DefaultClient.Do(req)
	must(err)
	return resp
}

func (c *caller) json(method, path string, body, into any) {
	resp := c.do(method, path, body)
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		b, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
		panic(fmt.Sprintf("%s %s: %s %s", method, path, resp.Status, b))
	}
	must(json.NewDecoder(resp.Body).Decode(into))
}

func (c *caller) start() { c.startWith("new order", "form:order") }

// startWith makes a conversation and says the phrase that opens a form.
func (c *caller) startWith(phrase string, form ui.Name) {
	var made struct{ ID, Token string }
	c.json("POST", "/v1/conversations", nil, &made)
	c.id, c.token = made.ID, made.Token
	var out map[string]any
	c.json("POST", "/v1/conversations/"+c.id+"/messages", map[string]string{"text": phrase}, &out)
	var s ui.State
	c.json("GET", "/v1/conversations/"+c.id+"/state", nil, &s)
	c.surface = s.Surface(form)
	if c.surface == nil {
		panic("the form did not open")
	}
}

// submitEmpty posts a submit that is refused for its empty fields: a turn with
// a draft, errors and a sentence. It returns the seq of its frame.
func (c *caller) submitEmpty() uint64 {
	c.n++
	rev := c.surface.Rev
	var out struct{ Seq uint64 }
	c.json("POST", "/v1/conversations/"+c.id+"/events", map[string]any{"version": "v0.9", "action": map[string]any{
		"name": "limn.submit", "surfaceId": c.surface.WireID(), "sourceComponentId": "c#main/buttons/submit:Button",
		"timestamp": "2026-11-20T09:00:00Z",
		"context": map[string]any{"limn_nonce": c.surface.Nonce, "limn_rev": rev,
			"field_1": fmt.Sprintf("n%d", c.n)}}},
		&out)
	if out.Seq == 0 {
		panic("no frame")
	}
	return out.Seq
}

// follow yields the seq of every frame the stream delivers.
func (c *caller) follow() <-chan uint64 {
	resp := c.do("GET", "/v1/conversations/"+c.id+"/stream?format=limn&version=v0.9", nil)
	out := make(chan uint64, 64)
	go func() { // ends with the connection
		defer resp.Body.Close()
		in := bufio.NewReaderSize(resp.Body, 1<<20)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok {
				continue
			}
			var f struct{ Seq uint64 }
			if json.Unmarshal([]byte(data), &f) == nil && f.Seq > 0 { // not a delta
				out <- f.Seq
			}
		}
	}()
	return out
}
