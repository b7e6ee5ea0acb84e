package sqlite

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/storetest"
)

// BenchmarkAppend: durable appends of a frame of 1 KiB, each writer on a
// conversation of its own. "turn" also records and answers an event.
//
//	go test ./store/sqlite -run '^$' -bench Append -benchtime 2s
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprintf("frame/writers=%d", writers), func(b *testing.B) { benchAppend(b, writers, false) })
		b.Run(fmt.Sprintf("turn/writers=%d", writers), func(b *testing.B) { benchAppend(b, writers, true) })
	}
}

// BenchmarkPages counts what reaches the disk for a turn: pages of the log, syncs,
// and pages that checkpoints write. It goes by the number of turns, not by time.
//
//	go test ./store/sqlite -run '^$' -bench Pages -benchtime 12800x
func BenchmarkPages(b *testing.B) {
	s, d := openOn(b)
	appendAll(b, s, 64, true)
	var pages, syncs, moved float64
	for _, a := range d.log {
		switch {
		case a.kind == "sync" && a.file == "-wal":
			syncs++
		case a.kind != "write" || len(a.data) < 4096: // the heads of pages
		case a.file == "-wal":
			pages++
		default:
			moved++
		}
	}
	b.ReportMetric(pages/float64(b.N), "pages/op")
	b.ReportMetric(moved/float64(b.N), "moved/op")
	b.ReportMetric(syncs/float64(b.N), "syncs/op")
}

func benchAppend(b *testing.B, writers int, turn bool) {
	appendAll(b, openTest(b, file(b)), writers, turn)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

func appendAll(b *testing.B, s *driver, writers int, turn bool) {
	for w := range writers {
		create(b, s, fmt.Sprint(w))
	}
	body := make([]byte, 1024)
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for w := range writers {
		wg.Go(func() { // Wait below
			id := fmt.Sprint(w)
			for seq := uint64(0); next.Add(1) <= int64(b.N); seq++ {
				c := store.Commit{Expect: seq, Frame: body}
				if turn {
					event := fmt.Sprintf("01890a5d-ac96-774b-bcce-%012d", seq)
					c.Record = &store.Event{ID: event, Key: event, Hash: event, Body: body[:256]}
					c.Answer = body[:64]
				}
				if err := s.Append(b.Context(), id, c); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
}

// BenchmarkFrames: the read of a client that resumes 20 frames behind.
func BenchmarkFrames(b *testing.B) {
	s := openTest(b, file(b))
	create(b, s, "c")
	for seq := range uint64(200) {
		if err := s.Append(b.Context(), "c", store.Commit{Expect: seq, Frame: make([]byte, 1024)}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if got, err := s.Frames(b.Context(), "c", 180, 50); err != nil || len(got) != 20 {
			b.Fatal(len(got), err)
		}
	}
}

// BenchmarkStart: to open a file with 100,000 conversations, each with a frame, an
// answered event and a snapshot, and to look for orphans; 20 of them are.
//
//	go test ./store/sqlite -run '^$' -bench Start -benchtime 20x
func BenchmarkStart(b *testing.B) {
	const stored, pending = 100_000, 20
	path := file(b)
	s := openTest(b, path)
	var wg sync.WaitGroup
	for w := range 64 {
		wg.Go(func() { // Wait below
			for i := w; i < stored; i += 64 {
				whole := store.Dump{
					Conversation: store.Conversation{ID: fmt.Sprintf("01890a5d-ac96-774b-bcce-%012d", i), Log: "0123456789abcdef"},
					Seq:          1, Frames: []store.Frame{{Seq: 1, Body: make([]byte, 512)}},
					Snapshots: []store.Frame{{Seq: 1, Body: make([]byte, 2048)}},
					Events:    []store.Event{{ID: "e", Key: "k", Body: make([]byte, 256), Done: true, Seq: 1}},
				}
				if i < pending {
					whole.Events[0].Done, whole.Events[0].Seq = false, 0
				}
				if err := s.Import(b.Context(), whole); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	s.Close()
	for b.Loop() {
		s, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if ids, err := s.Orphans(b.Context(), 0); err != nil || len(ids) != pending {
			b.Fatal(len(ids), err)
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
}

// BenchmarkFindRecords: a page of 50 records, by all kinds of questions.
//
//	LIMN_RECORDS=1000000 go test ./store/sqlite -run '^$' -bench FindRecords -benchtime 20x
func BenchmarkFindRecords(b *testing.B) {
	s := openTest(b, file(b))
	storetest.BenchmarkFind(b, s, func(sql string, args ...any) error {
		return s.writer.do(b.Context(), func(t *txn) error { return t.exec(sql, args...) })
	})
}

// BenchmarkSaid asks which of 1,000 conversations of 50 frames have a word that none has.
//
//	go test ./internal/driver/sqlite -run '^$' -bench Said
func BenchmarkSaid(b *testing.B) {
	s := openTest(b, file(b))
	var ids []string
	for i := range store.Page {
		w := store.Dump{Seq: 50, Conversation: store.Conversation{ID: fmt.Sprint("c", i), Log: "0123456789abcdef"}}
		for seq := uint64(1); seq <= w.Seq; seq++ {
			w.Frames = append(w.Frames, store.Frame{Seq: seq, Body: make([]byte, 1024)})
			w.Said = append(w.Said, store.Frame{Seq: seq, Body: bytes.Repeat([]byte("a word "), 30)})
		}
		if err := s.Import(b.Context(), w); err != nil {
			b.Fatal(err)
		}
		ids = append(ids, w.ID)
	}
	for b.Loop() {
		if found, err := s.Said(b.Context(), ids, []string{"shoes"}); err != nil || len(found) > 0 {
			b.Fatal(found, err)
		}
	}
}
