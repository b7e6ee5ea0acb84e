package datasync_test

import (
	"bytes"
	"testing"

	"github.com/limn-ui/limn/datasync"
)

var small = datasync.Limits{Actors: 8, Writes: 100, Bytes: 10_000, Depth: 8, Updates: 50}

// FuzzBatch: whatever a message holds, it is refused with a code, or read, written and
// read again as the same.
func FuzzBatch(f *testing.F) {
	f.Add([]byte(`{"surfaceId":"s","actorId":"a","updates":[{"path":"/a/b","value":{"pos":"a0"},` +
		`"hlc":"2026-01-12T16:34:29.000Z:0001:a"},{"path":"","hlc":"2026-01-12T16:34:29Z:2:b","pos":""}],` +
		`"versions":{"a":"2026-01-12T16:34:29.000Z:0000:a"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		b, err := datasync.ParseBatch(body, small)
		if err != nil {
			return
		}
		text := b.AppendJSON(nil)
		again, err := datasync.ParseBatch(text, small)
		if err != nil || !bytes.Equal(again.AppendJSON(nil), text) {
			t.Fatalf("%v\n%s", err, text)
		}
		packed, err := b.AppendBinary(nil)
		var c datasync.Batch
		if err != nil || c.UnmarshalBinary(packed) != nil || !bytes.Equal(c.AppendJSON(nil), text) {
			t.Fatalf("%v\n%s\n%s", err, c.AppendJSON(nil), text)
		}
		d := datasync.New(small)
		if _, err := d.Apply(b); err != nil && len(d.Seen())+len(d.JSON()) > len("null") {
			t.Fatalf("refused with %v, but applied: %s", err, d.JSON())
		}
		e, err := datasync.Load(d.Snapshot(), small)
		if err != nil || state(d) != state(e) {
			t.Fatalf("%v %s", err, d.JSON())
		}
	})
}

// FuzzBinary: bytes that are no snapshot or batch are refused, and cost no more than they
// are long.
func FuzzBinary(f *testing.F) {
	d := datasync.New(small)
	b, _ := datasync.ParseBatch([]byte(`{"surfaceId":"s","actorId":"a","updates":[{"path":"/a/b","value":1,"pos":"a0",`+
		`"hlc":"2026-01-12T16:34:29.000Z:0001:a"}],"versions":{}}`), small)
	_, _ = d.Apply(b)
	packed, _ := b.AppendBinary(nil)
	f.Add(d.Snapshot())
	f.Add(packed)
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := datasync.Load(data, small); err == nil {
			e, err := datasync.Load(d.Snapshot(), small)
			if err != nil || state(d) != state(e) {
				t.Fatalf("%v %s", err, d.JSON())
			}
		}
		var b datasync.Batch
		if b.UnmarshalBinary(data) == nil {
			if _, err := b.AppendBinary(nil); err != nil {
				t.Fatal(err)
			}
			_, _ = datasync.New(small).Apply(b)
		}
	})
}

func FuzzStamp(f *testing.F) {
	f.Add("2026-01-12T16:34:29.000Z:0001:agent-1")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := datasync.ParseStamp(text)
		if err != nil {
			return
		}
		if again, err := datasync.ParseStamp(s.String()); err != nil || again != s {
			t.Fatalf("%q %v %v", text, again, err)
		}
	})
}
