package datasync_test

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/datasync"
)

// BenchmarkApply is one update of a document of ten thousand paths.
func BenchmarkApply(b *testing.B) {
	from, _ := datasync.Open(datasync.Options{Surface: "s", Actor: "a"})
	to, _ := datasync.Open(datasync.Options{Surface: "s", Actor: "b"})
	var batches []datasync.Batch
	for n := range 10_000 {
		_ = from.Edit(datasync.Update{Path: fmt.Sprintf("/rows/r%d/c%d", n%1000, n%10), Value: fmt.Sprint(n)})
		if n%100 == 99 {
			batch, _ := from.Flush(start, nil)
			batches = append(batches, batch)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := to.Receive(batches[i%len(batches)], start); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(100*b.N), "ns/update")
}

// BenchmarkEdit is one edit with its share of a flush.
func BenchmarkEdit(b *testing.B) {
	r, _ := datasync.Open(datasync.Options{Surface: "s", Actor: "a"})
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		_ = r.Edit(datasync.Update{Path: fmt.Sprintf("/rows/r%d/c%d", n%1000, n%10), Value: fmt.Sprint(n)})
		if n%100 == 99 {
			_, _ = r.Flush(start, nil)
		}
	}
}

// BenchmarkDescending is updates, each earlier than all before, and a delta.
func BenchmarkDescending(b *testing.B) {
	for _, size := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d := datasync.New(datasync.Limits{})
				for i := range size {
					_, _ = d.Apply(datasync.Batch{Updates: []datasync.Update{{Path: fmt.Sprintf("/k%d", i), Value: "1",
						Stamp: datasync.Stamp{Time: start.UnixMilli() - int64(i), Actor: "a"}}}})
				}
				if n := len(d.Delta("s", "p", nil).Updates); n != size {
					b.Fatal(n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(size*b.N), "ns/update")
		})
	}
}
