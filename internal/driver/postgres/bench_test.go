package postgres

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn/internal/pgtest"
	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/storetest"
)

// BenchmarkAppend: durable appends of a frame of 1 KiB, each writer on a
// conversation of its own. "turn" also records and answers an event.
//
//	go test ./store/postgres -run '^$' -bench Append -benchtime 2s
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 32, 64} {
		b.Run(fmt.Sprintf("frame/writers=%d", writers), func(b *testing.B) { benchAppend(b, writers, false) })
		b.Run(fmt.Sprintf("turn/writers=%d", writers), func(b *testing.B) { benchAppend(b, writers, true) })
	}
}

func benchAppend(b *testing.B, writers int, turn bool) {
	s := openTest(b, pgtest.DSN(b))
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
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

// BenchmarkFrames: the read of a client that resumes 20 frames behind.
func BenchmarkFrames(b *testing.B) {
	s := openTest(b, pgtest.DSN(b))
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

// BenchmarkFindRecords: a page of 50 records, by all kinds of questions.
//
//	LIMN_RECORDS=1000000 go test ./store/postgres -run '^$' -bench FindRecords -benchtime 20x
func BenchmarkFindRecords(b *testing.B) {
	s := openTest(b, pgtest.DSN(b))
	exec := func(sql string, args ...any) error {
		_, err := s.pool.Exec(b.Context(), sqlstore.Numbered(sql), args...)
		return err
	}
	storetest.BenchmarkFind(b, s, func(sql string, args ...any) error {
		err := exec(sql, args...)
		if err == nil && strings.HasPrefix(sql, "CREATE INDEX") { // the last one; a server does it by itself
			err = exec(`VACUUM ANALYZE app_record, app_term`)
		}
		return err
	})
}

// BenchmarkSaid asks which of 1,000 conversations of 50 frames have a word that none has.
//
//	go test ./internal/driver/postgres -run '^$' -bench Said
func BenchmarkSaid(b *testing.B) {
	s := openTest(b, pgtest.DSN(b))
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
