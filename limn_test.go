package limn_test

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/store/memory"
)

// broken is a file system that cannot be read.
type broken struct{}

func (broken) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

// TestNewFails: nothing runs of a server that is not made.
func TestNewFails(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) { // which fails if a goroutine is left
		srv, err := limn.New(limn.Config{App: limntest.Must(desk.App()), Node: "a", Assets: broken{}})
		if srv != nil || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%v", err)
		}
	})
}

// TestPostToStream follows a message from a POST to a stream, over net/http on
// a listener in memory, and the server through its drain.
func TestPostToStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := limntest.Must(limn.New(limn.Config{App: limntest.Must(desk.App()), Store: memory.New()}))
		l := limntest.Listen()
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- srv.Serve(ctx, l) }()
		transport := &http.Transport{DialContext: l.Dial}
		c := (&limntest.Client{TB: t, HTTP: &http.Client{Transport: transport}, URL: "http://limn.test"}).Create()
		stream := c.Open("/v1/-/stream?format=a2ui&version=v0.9")
		stream.Must() // nothing yet but a cursor
		c.Say("add a customer")
		if e := strings.Join(stream.Must().Data, ""); !strings.Contains(e, "createSurface") ||
			!strings.Contains(e, "form:customer#e=1") {
			t.Errorf("event %s", e)
		}
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		if _, ok := stream.Next(); ok {
			t.Error("the stream goes on")
		}
		transport.CloseIdleConnections()
	})
}
