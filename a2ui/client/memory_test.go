package client

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

// TestMemoryIsBounded: a client holds what is on its surfaces and not the lines
// that brought it: each line here is long, and one short text of it stays. It is
// not parallel, so that the heap is its own.
func TestMemoryIsBounded(t *testing.T) {
	c := New(a2ui.V09, Strict)
	apply(t, c, create("s"))
	padding := strings.Repeat("long ", 12<<10)
	var wide strings.Builder
	for i := range 40 {
		fmt.Fprintf(&wide, `"k%d":1,`, i)
	}
	for i := range 300 {
		for _, line := range []string{
			fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/k%d","value":{"stays":"v%d","goes":%q}}}`, i, i, padding),
			fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/k%d/goes"}}`, i),
			fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/wide","value":{%s"goes":%q}}}`, wide.String(), padding),
			`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/wide/k1","value":2}}`,
			fmt.Sprintf(`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"c%d","component":"Text","text":"t%d"},{"id":"big","component":"Text","text":%q}]}}`, i, i, padding),
		} {
			if err := c.Feed([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if limit := uint64(8 << 20); m.HeapAlloc > limit {
		t.Errorf("the heap has %d bytes after 1500 lines of up to %d, want less than %d", m.HeapAlloc, len(padding),
			limit)
	}
	runtime.KeepAlive(c)
}

// BenchmarkFeed is what one small update of a large surface costs, decoding
// included.
func BenchmarkFeed(b *testing.B) {
	c := New(a2ui.V09, Strict)
	ids := make([]string, 2000)
	list := []a2ui.Component{}
	for i := range ids {
		ids[i] = fmt.Sprint("c", i)
		list = append(list, comp(ids[i], "Text", "text", a2ui.Path("/rows/"+ids[i]+"/name")))
	}
	apply(b, c, create("s"), comps("s", append(list, comp("root", "Column", "children", ids))...))
	lines := make([][]byte, len(ids))
	for i, id := range ids {
		lines[i] = fmt.Appendf(nil,
			`{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/rows/%s","value":{"name":"row","tags":["a","b"],"n":%d}}}`, id, i)
		if i%2 == 1 {
			lines[i] = fmt.Appendf(nil,
				`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"%s","component":"Text","text":"row %d","variant":"caption"}]}}`, id, i)
		}
	}
	b.SetBytes(int64(len(lines[0])))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := c.Feed(lines[i%len(lines)]); err != nil {
			b.Fatal(err)
		}
	}
}
