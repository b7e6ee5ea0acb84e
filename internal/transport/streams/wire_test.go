package streams

import (
	"net/url"
	"testing"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

func FuzzQuery(f *testing.F) {
	for _, q := range []string{"offset=-1", "offset=now&live=sse", "offset=0_0_0&cursor=1", "live=long-poll"} {
		f.Add(q)
	}
	f.Fuzz(checkQuery)
}

// checkQuery holds the reader of queries to its word.
func checkQuery(t *testing.T, raw string) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return
	}
	q, err := parse(values)
	switch {
	case err != nil && ui.CodeOf(err) != ingress.CodeEnvelope:
		t.Errorf("%q: %v", raw, err)
	case err == nil && (q.offset == "" || len(q.offset) > maxOffset):
		t.Errorf("%q has the offset %q", raw, q.offset)
	}
}
