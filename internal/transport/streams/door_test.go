package streams_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/transport/door"
	streamsdoor "github.com/limn-ui/limn/internal/transport/streams"
	"github.com/limn-ui/limn/internal/transport/web"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// site is a conversation on a server with the door.
type site struct {
	*limntest.Client
}

func start(t *testing.T) site {
	t.Helper()
	a := limntest.Must(app.New(app.Config{Name: "guests", Forms: []app.Form{{Name: "guest", Title: "Guests",
		Phrases: []string{"sign the guest book"}, Fields: []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText}}}}}))
	srv := limntest.Must(limn.New(limn.Config{App: a, Doors: []string{"streams"}}))
	return site{limntest.Serve(t, srv).Create()}
}

// item is one frame.
type item struct {
	Kind     string
	Seq      uint64
	Text     string
	Messages []json.RawMessage
	Ended    bool
}

// get reads a stream.
func (s site) get(query string) (limntest.Answer, []item) {
	s.Helper()
	got := s.Do("GET", "/v1/streams/"+s.ID+query, "")
	var items []item
	if got.StatusCode == http.StatusOK {
		got.Into(s.TB, &items)
	}
	return got, items
}

func next(a limntest.Answer) string { return a.Header.Get("Stream-Next-Offset") }

func (s site) say(text string) {
	s.Helper()
	if got := s.Say(text, "Prefer", "wait=10"); got.StatusCode != 200 {
		s.Fatalf("%d %s", got.StatusCode, got.Text)
	}
}

// TestStream: a conversation is read from the beginning, from an offset, by a long poll and
// over events, each frame once and in order, and is closed when it has ended.
func TestStream(t *testing.T) {
	t.Parallel()
	s := start(t)
	empty, none := s.get("")
	if len(none) != 0 || next(empty) == "" || empty.Header.Get("Stream-Up-To-Date") != "true" {
		t.Errorf("empty: %v %s", empty.Header, empty.Text)
	}
	s.say("hello")
	s.say("sign the guest book")
	all, items := s.get("?offset=-1")
	if len(items) != 2 || items[1].Seq != 2 || len(items[1].Messages) == 0 || all.Header.Get("Stream-Closed") != "" {
		t.Fatalf("%s", all.Text)
	}
	if again, _ := s.get("?offset=" + next(empty)); again.Text != all.Text || next(again) != next(all) {
		t.Errorf("from the empty stream on: %s", again.Text)
	}
	if tag := s.Do("GET", "/v1/streams/"+s.ID, "", "If-None-Match", all.Header.Get("ETag")); tag.StatusCode != 304 {
		t.Errorf("a known page: %d", tag.StatusCode)
	}
	polled := make(chan limntest.Answer, 1)
	go func() { // ends with its answer
		got, _ := s.Try("GET", "/v1/streams/"+s.ID+"?live=long-poll&offset="+next(all), "")
		polled <- got
	}()
	events := s.Open("/v1/streams/" + s.ID + "?live=sse&offset=" + next(all))
	if e := events.Must(); e.Name != "control" || !strings.Contains(e.Data[0], `"upToDate":true`) {
		t.Errorf("first %+v", e)
	}
	s.say("hello again")
	if got := <-polled; got.StatusCode != 200 || !strings.Contains(got.Text, `"seq":3`) || next(got) <= next(all) {
		t.Errorf("polled %d %s", got.StatusCode, got.Text)
	}
	data, control := events.Must(), events.Must()
	if data.Name != "data" || !strings.Contains(data.Data[0], `"seq":3`) || control.Name != "control" {
		t.Errorf("%+v %+v", data, control)
	}
	if got := s.Do("POST", "/v1/conversations/"+s.ID+"/end", ""); got.StatusCode != 204 {
		t.Fatal(got.Text)
	}
	if data, control = events.Must(), events.Must(); !strings.Contains(control.Data[0], `"streamClosed":true`) {
		t.Errorf("the end is %+v %+v", data, control)
	}
	if e, ok := events.Next(); ok {
		t.Errorf("after the end %+v", e)
	}
	last, items := s.get("?offset=" + next(all))
	if len(items) != 2 || !items[1].Ended || last.Header.Get("Stream-Closed") != "true" {
		t.Errorf("%v %s", last.Header, last.Text)
	}
	if over, _ := s.get("?live=long-poll&offset=" + next(last)); over.StatusCode != 204 ||
		over.Header.Get("Stream-Closed") != "true" {
		t.Errorf("after the end %d %v", over.StatusCode, over.Header)
	}
}

// TestPages: a long log is read in pages, and an offset among them resumes.
func TestPages(t *testing.T) {
	t.Parallel()
	s := start(t)
	for i := range 70 {
		s.say(fmt.Sprint("hello ", i))
	}
	at, seen := "-1", uint64(0)
	for pages := 0; ; pages++ {
		got, items := s.get("?offset=" + at)
		for _, one := range items {
			if seen++; one.Seq != seen {
				t.Fatalf("frame %d is %d", seen, one.Seq)
			}
		}
		if at = next(got); got.Header.Get("Stream-Up-To-Date") == "true" {
			if pages == 0 || seen != 70 {
				t.Errorf("%d frames in %d pages", seen, pages+1)
			}
			return
		}
	}
}

// TestRedrawn: an offset of another drawing goes on with all of this one.
func TestRedrawn(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.say("sign the guest book")
	got, _ := s.get("?version=v0.8")
	if _, items := s.get("?version=v0.9&offset=" + next(got)); len(items) != 1 || items[0].Kind != "snapshot" {
		t.Errorf("%+v", items)
	}
}

// TestBadInput: what is wrong has a code, and nobody reads what is another's.
func TestBadInput(t *testing.T) {
	t.Parallel()
	s, other := start(t), start(t)
	s.say("hello")
	first, _ := s.get("")
	foreign, _ := other.get("")
	for query, want := range map[string]int{
		"?offset=": 400, "?offset=yesterday": 400, "?offset=1,2": 400, "?offset=-1&offset=-1": 400,
		"?offset=" + strings.Repeat("1", 65): 400, "?offset=0123": 400, "?live=sse": 400, "?live=long-poll": 400,
		"?live=forever&offset=-1": 400, "?version=v7": 406, "?offset=" + next(foreign): 410,
		"?offset=" + strings.Replace(next(first), "_0", "_9", 1): 410,
	} {
		var p struct{ Code, Path, Hint string }
		got := s.Do("GET", "/v1/streams/"+s.ID+query, "")
		if err := json.Unmarshal([]byte(got.Text), &p); err != nil || got.StatusCode != want || p.Code == "" || p.Path == "" ||
			p.Hint == "" {
			t.Errorf("%s: %d %s", query, got.StatusCode, got.Text)
		}
	}
	mine := s.ID
	s.ID = other.ID
	if got, _ := s.get(""); got.StatusCode != 404 && got.StatusCode != 401 {
		t.Errorf("a foreign conversation: %d %s", got.StatusCode, got.Text)
	}
	s.ID = mine
	for _, method := range []string{"PUT", "POST", "DELETE"} {
		if got := s.Do(method, "/v1/streams/"+s.ID, `{"a":1}`, "Content-Type", "text/plain"); got.StatusCode != 405 {
			t.Errorf("%s: %d %s", method, got.StatusCode, got.Text)
		}
	}
	if got := s.Do("HEAD", "/v1/streams/"+s.ID, ""); got.StatusCode != 200 || next(got) != next(first) {
		t.Errorf("HEAD: %d %v", got.StatusCode, got.Header)
	}
}

// TestRevokedPoll: a guest whose link is revoked while they poll is answered as at any later
// request, and nothing is logged as a fault.
func TestRevokedPoll(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		logged := &limntest.Buffer{}
		srv := limntest.Must(limn.New(limn.Config{App: limntest.Must(app.New(app.Config{Name: "guests"})),
			Doors: []string{"streams"}, Log: slog.New(slog.NewTextHandler(logged, nil))}))
		defer srv.Close(context.Background())
		do := func(token, method, path, body string) *httptest.ResponseRecorder {
			w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/json")
			srv.Handler().ServeHTTP(w, r)
			return w
		}
		read := func(w *httptest.ResponseRecorder) (v struct{ ID, URL string }) {
			if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || w.Code > 201 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			return v
		}
		owner, guest := strings.Repeat("A", 43), strings.Repeat("B", 42)+"A"
		at := "/v1/conversations/" + read(do(owner, "POST", "/v1/conversations", "")).ID
		link := read(do(owner, "POST", at+"/shares", `{"access":"read"}`))
		read(do(guest, "POST", at+"/join", `{"token":"`+link.URL[strings.LastIndex(link.URL, "/")+1:]+`"}`))
		stream := strings.Replace(at, "conversations", "streams", 1)
		offset := do(guest, "GET", stream, "").Header().Get("Stream-Next-Offset")
		polled := make(chan *httptest.ResponseRecorder, 1)
		go func() { polled <- do(guest, "GET", stream+"?live=long-poll&offset="+offset, "") }() // ends with its answer
		synctest.Wait()
		if w := do(owner, "DELETE", at+"/shares/"+link.ID, ""); w.Code != 204 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if w := <-polled; w.Code != 404 || strings.Contains(logged.String(), "ERROR") {
			t.Errorf("%d %s\n%s", w.Code, w.Body, logged)
		}
	})
}

// cutting is a server whose streams cut a reader that is 64 KiB behind.
type cutting struct {
	*limn.Server
	web *web.Server
}

func (c cutting) Handler() http.Handler { return c.web }

func (c cutting) Close(ctx context.Context) error {
	c.web.Drain()
	return c.Server.Close(ctx)
}

func startCutting(t *testing.T) site {
	t.Helper()
	a, st := limntest.Must(app.New(app.Config{Name: "whales"})), memory.New()
	srv := limntest.Must(limn.New(limn.Config{App: a, Store: st, Model: singer{}}))
	streams := deliver.New(deliver.Config{Source: srv.Service(), App: a.Fingerprint(), Behind: 64 << 10})
	return site{limntest.Serve(t, cutting{srv, limntest.Must(web.New(web.Config{Service: srv.Service(), Deliver: streams,
		Targets: []deliver.Target{{Name: "v0.9", A2UI: compile.Target{Dialect: a2ui.V09,
			Rules: &compile.Rules{Allowed: a.Allowed}}}}, Blobs: st, Doors: map[string]door.Door{"streams": streamsdoor.New()},
		Allow: web.Quota{Rate: 10_000}}))}).Create()}
}

// singer is a model that says much.
type singer struct{}

func (singer) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return limntest.Reply(limntest.Envelope(strings.Repeat("They sing. ", 2900))), nil
}

// TestSlowReader: who does not read holds nobody up, is cut, and goes on at its offset: it has
// each frame once, and in order.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	s := startCutting(t)
	r := s.Request("GET", "/v1/streams/"+s.ID+"?live=sse&offset=-1", nil)
	conn := limntest.Must(net.Dial("tcp", r.URL.Host))
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(conn); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReaderSize(conn, 16)
	for line := ""; !strings.HasPrefix(line, "data:"); {
		line = limntest.Must(in.ReadString('\n'))
	}
	const frames = 20 // 1.2 MiB
	for i := range frames {
		s.say(fmt.Sprintf("tell me something about whale %d, please", i))
	}
	rest := string(limntest.Must(io.ReadAll(in))) // ends, because the stream was cut
	next := regexp.MustCompile(`"streamNextOffset":"([0-9a-f]+_(\d+)_[^"]+)"`).FindAllStringSubmatch(rest, -1)
	if len(next) == 0 {
		t.Fatalf("cut after %d bytes, before the first offset", len(rest))
	}
	last := next[len(next)-1]
	seq := limntest.Must(strconv.Atoi(last[2]))
	if seq >= frames {
		t.Fatalf("it was sent all %d frames", seq)
	}
	var before []item
	for _, one := range strings.Split(rest[:strings.LastIndex(rest, last[1])], "\n\n") {
		if data, ok := strings.CutPrefix(one, "event: data\n"); ok {
			var list []item
			if err := json.Unmarshal([]byte(strings.ReplaceAll(data, "data:", "")), &list); err != nil {
				t.Fatalf("%v: %.100s", err, data)
			}
			before = append(before, list...)
		}
	}
	for n, one := range before {
		if int(one.Seq) != n+1 || len(one.Text) < 30_000 {
			t.Fatalf("frame %d is %d, of %d bytes", n+1, one.Seq, len(one.Text))
		}
	}
	if len(before) != seq {
		t.Errorf("%d frames, up to the offset of %d", len(before), seq)
	}
	for at := last[1]; seq < frames; {
		got, items := s.get("?offset=" + at)
		for _, one := range items {
			if seq++; int(one.Seq) != seq || len(one.Text) < 30_000 {
				t.Fatalf("frame %d is %d, of %d bytes", seq, one.Seq, len(one.Text))
			}
		}
		if at = got.Header.Get("Stream-Next-Offset"); len(items) == 0 {
			t.Fatalf("nothing after frame %d", seq)
		}
	}
}
