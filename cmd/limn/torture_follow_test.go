package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/jsonx"
)

// follower is a renderer at the end of a stream that is cut again and again.
type follower struct {
	tr      *torture
	tk      *talk
	dialect string
	query   string
	bare    bool // format a2ui, message by message
	client  *client.Client
	cursor  string
	fresh   bool // what comes belongs to a snapshot
	part    int  // messages of the frame after seq
	cuts    int
	frames  int

	mu      sync.Mutex // guards what follows
	seq     uint64     // the last whole frame
	wanted  uint64
	reached chan struct{} // closed at wanted, or when there is no hope
	once    sync.Once     // of its closing
}

// newFollower makes a follower; the number chooses how it listens.
func (tr *torture) newFollower(tk *talk, n int) *follower {
	f := &follower{tr: tr, tk: tk, dialect: []string{"v0.9", "v0.8"}[n%2]}
	f.query = "version=" + f.dialect
	if n%3 == 0 {
		f.bare, f.query = true, f.query+"&format=a2ui&framing=message"
	}
	f.wanted, f.reached = math.MaxUint64, make(chan struct{})
	f.clear()
	return f
}

// clear throws the renderer away.
func (f *follower) clear() {
	f.cursor, f.fresh, f.part = "", true, 0
	d, err := a2ui.ParseDialect(f.dialect)
	if err != nil {
		panic(err) // one of ours
	}
	f.client = client.New(d, client.Strict)
}

// follow listens until ctx ends, at some node, after each cut at another one.
func (f *follower) follow(ctx context.Context) {
	for ctx.Err() == nil {
		if base := f.tr.base(); base != "" {
			f.cuts++
			if err := f.listen(ctx, base); err != nil {
				f.tr.fault("stream of %s (%s) after %q: %v", f.tk.id, f.query, f.cursor, err)
				f.at(math.MaxUint64)
				return
			}
		}
		rest(ctx, 50*time.Millisecond)
	}
}

// listen reads one connection. That it is cut is no error.
func (f *follower) listen(ctx context.Context, base string) error {
	req, err := http.NewRequestWithContext(ctx, "GET", base+"/v1/conversations/"+f.tk.id+"/stream?"+f.query, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+f.tk.token)
	if f.cursor != "" {
		req.Header.Set("Last-Event-ID", f.cursor)
	}
	resp, err := f.tr.http.Do(req)
	if err != nil {
		return nil //nolint:nilerr // the node is gone
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		if resp.StatusCode == 503 || resp.StatusCode == 429 {
			return nil
		}
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	in := bufio.NewReader(resp.Body)
	var id, event string
	var data [][]byte
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil //nolint:nilerr // cut: what was not ended by an empty line counts for nothing
		}
		line = bytes.TrimRight(line, "\r\n")
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "id":
			id = string(value)
		case "event":
			event = string(value)
		case "data":
			data = append(data, bytes.Clone(value))
		}
		if len(line) > 0 {
			continue
		}
		switch {
		case event == "reset" && f.fresh && f.cursor != "": // cut amid a snapshot: it begins anew
			f.clear()
		case event != "" && event != "message":
			return fmt.Errorf("an event %s: %s", event, data)
		case id != "":
			if err := f.take(id, data); err != nil {
				return err
			}
		}
		id, event, data = "", "", nil
	}
}

// take is one event with a cursor: exactly the one after the last.
func (f *follower) take(id string, data [][]byte) error {
	at, ok := deliver.ParseCursor(id)
	if !ok {
		return fmt.Errorf("id %q is no cursor", id)
	}
	fresh := f.fresh
	switch {
	case fresh && at.Part <= 0 && (f.cursor == "" || at.Seq == f.seq):
		f.fresh = at.Part == 0
	case !fresh && at.Part < 0 && at.Seq == f.seq+1:
		f.frames, f.part = f.frames+1, 0
	case !fresh && at.Part == f.part+1 && at.Seq == f.seq+1:
		f.part = at.Part
	default:
		return fmt.Errorf("%s came", id)
	}
	f.cursor = id
	if !f.bare {
		var b struct {
			Kind     string
			Seq      uint64
			Messages []json.RawMessage
		}
		if len(data) != 1 || json.Unmarshal(data[0], &b) != nil {
			return fmt.Errorf("data %s", data)
		}
		if b.Seq != at.Seq || (b.Kind == "snapshot") != fresh {
			return fmt.Errorf("%s %d under %s", b.Kind, b.Seq, id)
		}
		data = nil
		for _, m := range b.Messages {
			data = append(data, m)
		}
	}
	for _, m := range data {
		if err := f.client.Feed(m); err != nil {
			return fmt.Errorf("%s cannot be drawn: %w\n%s", id, err, m)
		}
	}
	if at.Part <= 0 {
		f.at(at.Seq)
	}
	return nil
}

// at says that the stream has reached a frame.
func (f *follower) at(seq uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seq = seq
	f.look()
}

// look says so when the stream is where somebody waits for it to be. It is called
// with mu held.
func (f *follower) look() {
	if f.seq == math.MaxUint64 || f.seq >= f.wanted && !f.fresh {
		f.wanted = math.MaxUint64
		f.once.Do(func() { close(f.reached) })
	}
}

// until returns a channel that is closed when the stream has reached a frame.
func (f *follower) until(seq uint64) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = seq
	f.look()
	return f.reached
}

// compare holds what the follower shows against what a renderer shows that comes
// new. What users typed does not count: other clients are not told.
func (f *follower) compare(ctx context.Context) error {
	status, body, err := f.tr.do(ctx, "GET", f.tk.token, "/v1/conversations/"+f.tk.id+"/a2ui?version="+f.dialect, "",
		nil)
	if err != nil || status != 200 {
		return fmt.Errorf("GET a2ui: %d %v", status, err)
	}
	fresh := f.tr.newFollower(f.tk, 0)
	fresh.dialect = f.dialect
	fresh.clear()
	for line := range bytes.Lines(body) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := fresh.client.Feed(line); err != nil {
			return err
		}
	}
	if got, want := f.client.Surfaces(), fresh.client.Surfaces(); fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("shows %v, a new client %v", got, want)
	}
	for _, id := range fresh.client.Surfaces() {
		ignore := append(drafts(f.client, id), drafts(fresh.client, id)...)
		if f.client.ShownHash(id, ignore...) != fresh.client.ShownHash(id, ignore...) {
			return fmt.Errorf("%s of %s is stale: shows\n%s\na new client shows\n%s", id, f.tk.id, f.client.Dump(id),
				fresh.client.Dump(id))
		}
	}
	return nil
}

// drafts lists the leaves that users type into.
func drafts(c *client.Client, surface string) (paths []string) {
	data, ok := c.Data(surface)
	if !ok {
		return nil
	}
	var walk func(at string, v jsonx.Value)
	walk = func(at string, v jsonx.Value) {
		if len(v.Members) == 0 {
			paths = append(paths, at)
		}
		for _, m := range v.Members {
			walk(at+"/"+m.Key, m.Value)
		}
	}
	walk("/draft", data.At("draft"))
	return paths
}
