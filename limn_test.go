package limn_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/store/sqlite"
)

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

// BenchmarkLoop is the way of a message from a POST over the disk to a stream,
// on loopback. Its p50-ms is the figure in the documentation.
func BenchmarkLoop(b *testing.B) {
	for _, name := range []string{"memory", "sqlite"} {
		b.Run(name, func(b *testing.B) {
			var st store.Store = memory.New()
			if name == "sqlite" {
				db, err := sqlite.Open(filepath.Join(b.TempDir(), "limn.db"))
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { db.Close() })
				st = db
			}
			c := limntest.Serve(b, limntest.Must(limn.New(limn.Config{App: limntest.Must(desk.App()), Store: st}))).Create()
			c.Say("add a customer")
			stream := c.Open("/v1/-/stream?format=limn&version=v0.9")
			stream.Must() // the snapshot
			var took []time.Duration
			for b.Loop() {
				began, posted := time.Now(), make(chan error, 1)
				text := fmt.Sprintf("no thanks %d", len(took))
				go func() { // ends below
					a, err := c.Try("POST", "/v1/-/messages", fmt.Sprintf(`{"text":%q}`, text), "Prefer", "wait=10")
					if err == nil && a.StatusCode != http.StatusOK {
						err = errors.New(a.Status)
					}
					posted <- err
				}()
				stream.Must()
				took = append(took, time.Since(began))
				if err := <-posted; err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
