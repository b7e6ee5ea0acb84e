package deliver_test

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// pipe is a connection in memory that takes room bytes without waiting.
type pipe struct {
	mu       sync.Mutex
	room     int
	got      []byte
	deadline time.Time
	gone     bool
	closed   bool
}

func (p *pipe) with(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *pipe) Try(b []byte) (n int, err error) {
	p.with(func() { n = min(p.room, len(b)); p.got = append(p.got, b[:n]...) })
	return n, nil
}

func (p *pipe) Write(b []byte) (n int, err error) {
	p.with(func() {
		if !p.deadline.IsZero() && !time.Now().Before(p.deadline) {
			err = os.ErrDeadlineExceeded
			return
		}
		n = len(b)
		p.got = append(p.got, b...)
	})
	return n, err
}

func (p *pipe) SetWriteDeadline(t time.Time) error { p.with(func() { p.deadline = t }); return nil }
func (p *pipe) Gone() (gone bool)                  { p.with(func() { gone = p.gone }); return gone }
func (p *pipe) Close() error                       { p.with(func() { p.closed = true }); return nil }

// chunks takes what came, without heartbeats.
func (p *pipe) chunks() (out []deliver.Chunk, beats int) {
	p.with(func() {
		for _, c := range chunksOf(p.got) {
			if c.Beat {
				beats++
			} else {
				out = append(out, c)
			}
		}
	})
	return out, beats
}

// TestHand: whatever a connection takes at once, it gets everything, whole and
// in order, heartbeats too; who has gone is let go.
func TestHand(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		for _, room := range []int{0, 1, 7, 1 << 20} {
			w := newWorld(t)
			s, err := w.deliver.Open(t.Context(), w.request("v0.9", deliver.Limn))
			if err != nil {
				t.Fatal(err)
			}
			p := &pipe{room: room}
			if err := s.Hand(t.Context(), p, nil); err != nil {
				t.Fatal(err)
			}
			for range 20 {
				w.say("Words.")
				time.Sleep(10 * time.Second)
			}
			synctest.Wait()
			got, beats := p.chunks()
			for i, c := range got {
				if at, _ := deliver.ParseCursor(c.ID); at.Seq != uint64(i) {
					t.Errorf("room for %d: %d is %s", room, i, c.ID)
				}
			}
			if len(got) != 21 || beats < 3 || beats > 8 { // one that falls due while a frame waits is left out
				t.Errorf("room for %d: %d frames, %d heartbeats", room, len(got), beats)
			}
			p.with(func() { p.gone = true })
			time.Sleep(time.Minute)
			if n := w.deliver.Stats().Streams; n != 0 || !p.closed {
				t.Errorf("room for %d: %d streams are left, closed %v", room, n, p.closed)
			}
		}
	})
}

// TestTextsOfEntries: of a long conversation the newest texts are read as Markdown, whether or not
// anything in them is.
func TestTextsOfEntries(t *testing.T) {
	t.Parallel()
	entry := func(text string) *ui.Entry { return &ui.Entry{Role: ui.RoleAssistant, Text: text} }
	list := append([]*ui.Entry{entry("*old*" + strings.Repeat(" and more", 1000))}, slices.Repeat([]*ui.Entry{entry(strings.Repeat("a-b ", 4000))}, 17)...)
	out := deliver.Entries(append(list, entry("*new*")))
	if out[0].HTML != "" || out[18].HTML != "<p><em>new</em></p>" {
		t.Errorf("the oldest is %.40q, the newest %q", out[0].HTML, out[18].HTML)
	}
}
