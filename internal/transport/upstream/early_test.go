package upstream_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
)

// until returns once a stream of the conversation, with a query, has sent the text.
func (d *desk) until(query, text string) {
	d.t.Helper()
	srv := httptest.NewServer(d.handler)
	defer srv.Close()
	ctx, cancel := context.WithCancel(d.t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", srv.URL+"/v1/conversations/"+d.id+"/stream?"+query, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), text) {
			return
		}
	}
	d.t.Errorf("the stream ended before %s", text)
}

// TestEarly: a surface is shown, and takes clicks, while its agent still answers. What is not whole waits. The end of
// the answer brings the rest.
func TestEarly(t *testing.T) {
	t.Parallel()
	seen := make(chan struct{})
	release := sync.OnceFunc(func() { close(seen) })
	f := speaks(t, func(w http.ResponseWriter, body string) {
		if strings.Contains(body, `"action"`) {
			says(`{"text":"Clicked."}`)(w, body)
			return
		}
		w.Header().Set("Content-Type", "application/jsonl")
		half := strings.Replace(create, `"main"`, `"half"`, 1)
		io.WriteString(w, strings.Join(append(surface("First", "Oslo"), half, `{"text":"Wait."}`), "\n")+"\n")
		w.(http.Flusher).Flush()
		<-seen
		io.WriteString(w, fmt.Sprintf(data, "Rome")+"\n")
		io.WriteString(w, strings.Replace(fmt.Sprintf(components, "Second"), `"main"`, `"half"`, 1)+"\n")
		io.WriteString(w, `{"text":" Done."}`+"\n")
	})
	d := one(t, f, "")
	defer release() // before the agent is closed
	answered := make(chan string)
	go func() { answered <- d.say("begin") }()
	d.until("format=a2ui&version=v0.9", `"weather:main#e=1"`)
	if d.state().Surface("weather:half") != nil {
		t.Error("a surface without components is shown")
	}
	if w := d.press(a2ui.V09, d.shown(a2ui.V09), "weather:main#e=1"); w.Code != 200 {
		t.Errorf("a click meanwhile: %d %s", w.Code, w.Body)
	}
	release()
	if said := <-answered; !strings.Contains(said, "Weather: Wait. Done.") || strings.Contains(said, "left out") {
		t.Errorf("said %q", said)
	}
	c := d.shown(a2ui.V09)
	for id, want := range map[string]string{"weather:main#e=1": "Rome", "weather:half#e=1": ""} {
		view, err := c.Surface(id)
		if data, _ := c.Data(id); err != nil || !view.Ready || data.At("city").Text() != want {
			t.Errorf("%s: %v %v", id, err, data)
		}
	}
}

// TestEarlyAgain: an agent that is asked again, since its answer was cut off after something was shown, shows its
// surface again: there is one, and the user reads no complaint.
func TestEarlyAgain(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	shown := make(chan struct{})
	f := speaks(t, func(w http.ResponseWriter, body string) {
		says(surface("First", "Oslo")...)(w, body)
		if w.(http.Flusher).Flush(); tries.Add(1) == 1 {
			<-shown
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, `{"text":"Here."}`+"\n")
	})
	d := one(t, f, ", idempotent: true")
	answered := make(chan string)
	go func() { answered <- d.say("begin") }()
	d.until("format=a2ui&version=v0.9", `"weather:main#e=1"`)
	close(shown)
	if said := <-answered; said != "Weather: Here." || tries.Load() != 2 {
		t.Errorf("said %q after %d tries", said, tries.Load())
	}
	if s := d.state(); len(s.Surfaces) != 1 {
		t.Errorf("surfaces %v", s.Surfaces)
	}
}

// TestRetryKnowsWhatWasShown: a later try of an idempotent agent goes on with the surfaces that an earlier one has shown.
func TestRetryKnowsWhatWasShown(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	shown := make(chan struct{})
	f := speaks(t, func(w http.ResponseWriter, _ string) {
		if tries.Add(1) > 1 {
			says(`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/city","value":"Rome"}}`)(w, "")
			return
		}
		says(surface("Sun", "Oslo")...)(w, "")
		w.(http.Flusher).Flush()
		<-shown
		panic(http.ErrAbortHandler)
	})
	d := one(t, f, ", idempotent: true")
	go func() { // ends with the first surface
		d.until("format=a2ui&version=v0.9", `"Sun"`)
		close(shown)
	}()
	said := d.say("sun?")
	if n := d.state().Surface("weather:main"); said != "" || n == nil || foreign.Of(n).Data.At("city").Text() != "Rome" {
		t.Errorf("said %q after %d tries; %v", said, tries.Load(), n)
	}
}
