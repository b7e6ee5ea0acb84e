package a2ui_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/official"
)

// seeds are one message of every kind and shape.
func seeds(f *testing.F) {
	for _, d := range dialects {
		for _, m := range form(d, 3) {
			b, err := a2ui.AppendMessage(nil, d, m)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	for _, c := range faults {
		for _, line := range c.lines {
			f.Add([]byte(line))
		}
	}
	for _, file := range official.Files("v0_9/catalogs/basic/examples/0*.json") {
		if b, err := os.ReadFile(file); err == nil {
			f.Add(b)
		}
	}
}

// FuzzDecodeMessage: what is read is written and read again the same; the
// validator takes it without panic, and what Spec lets through can be written.
func FuzzDecodeMessage(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		d, m, err := a2ui.DecodeMessage(in)
		if err != nil {
			var p *a2ui.Problem
			if !errors.As(err, &p) || p.Code == "" || p.Message == "" {
				t.Fatalf("an error without a code: %v", err)
			}
			all := new(a2ui.Decoder).Inspect(in, 0)
			if len(all) == 0 || all[0] != *p {
				t.Fatalf("refused, and yet: %v", all)
			}
			for _, p := range all {
				if at := a2ui.Locate(in, p); at < 0 || at > len(in)+1 {
					t.Fatalf("%v is at %d", &p, at)
				}
			}
			return
		}
		problems := a2ui.Validate(a2ui.Rules{Dialect: d, Partial: true}, []a2ui.Message{m})
		a2ui.Validate(a2ui.Rules{Dialect: d, Partial: true, Profile: a2ui.Safe}, []a2ui.Message{m, m})
		out, err := a2ui.AppendMessage(nil, d, m)
		if err != nil {
			if len(problems) == 0 {
				t.Fatalf("valid, and yet: %v", err)
			}
			return
		}
		again, err := a2ui.DecodeMessageAs(d, out)
		if err != nil {
			if len(out) > 512<<10 || strings.Contains(err.Error(), "above") {
				return // escapes made it longer than a message may be
			}
			t.Fatalf("own output %s: %v", out, err)
		}
		if diff := cmp.Diff(m, again, sameMessage); diff != "" {
			t.Fatalf("%s (-first +second)\n%s", out, diff)
		}
	})
}

func FuzzDecodeClient(f *testing.F) {
	f.Add([]byte(`{"userAction":{"name":"a","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":{"k":[1]}}}`))
	f.Add([]byte(`{"version":"v0.9","error":{"code":"VALIDATION_FAILED","surfaceId":"s","path":"/p","message":"m"}}`))
	f.Add([]byte(`{"error":{"a":{}}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		d, m, err := a2ui.DecodeClient(in, a2ui.Limits{})
		if err != nil {
			var p *a2ui.Problem
			if !errors.As(err, &p) || a2ui.Family(p.Code) == "A2UI_S2C_" {
				t.Fatalf("not a client's problem: %v", err)
			}
			return
		}
		out, err := a2ui.AppendClient(nil, d, m)
		if err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		if _, again, err := a2ui.DecodeClient(out, a2ui.Limits{MessageBytes: 8 << 20, String: 8 << 20}); err != nil ||
			!cmp.Equal(m, again, sameMessage) {
			t.Fatalf("%s: %v", out, err)
		}
	})
}

// FuzzLines: the lines are those of bytes.Split, whatever the limit.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\n{}\r\nlong line"), 5)
	f.Fuzz(func(t *testing.T, in []byte, most int) {
		most = 1 + (most&0x7fffffff)%100
		var want [][]byte
		for _, line := range bytes.Split(in, []byte("\n")) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				want = append(want, line)
			}
		}
		i := 0
		for line, err := range a2ui.ReadLines(bytes.NewReader(in), a2ui.Limits{MessageBytes: most}) {
			if err != nil {
				// A long line is named, also one that is long for its blanks.
				if i < len(want) && bytes.Equal(bytes.TrimSpace(bytes.Split(in, []byte("\n"))[line.Number-1]),
					want[i]) {
					i++
				}
				continue
			}
			if i >= len(want) || !bytes.Equal(line.Bytes, want[i]) || len(line.Bytes) > most {
				t.Fatalf("line %d is %q", line.Number, line.Bytes)
			}
			i++
		}
		if i != len(want) {
			t.Fatalf("%d lines, want %d", i, len(want))
		}
	})
}

// FuzzDecodeMessages: a list is its messages, each of which decodes alone.
func FuzzDecodeMessages(f *testing.F) {
	f.Add([]byte(`[{"version":"v0.9","deleteSurface":{"surfaceId":"a"}},{"version":"v0.9.1","deleteSurface":{"surfaceId":"b"}}]`))
	f.Add([]byte(`{"messages":[{"deleteSurface":{"surfaceId":"a"}}]}`))
	f.Add([]byte(`[{"version":"v1.0","updateComponents":{"surfaceId":"s","components":[{"id":"a","component":"T","@checks":[]}]}},{"version":"1.0","deleteSurface":{"surfaceId":"a"}}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		d, msgs, err := a2ui.DecodeMessages(in)
		if err != nil {
			var p *a2ui.Problem
			if !errors.As(err, &p) || p.Code == "" {
				t.Fatalf("an error without a code: %v", err)
			}
			return
		}
		for _, m := range msgs {
			if out, err := a2ui.AppendMessage(nil, d, m); err == nil && len(out) < 100_000 {
				if _, err := a2ui.DecodeMessageAs(d, out); err != nil {
					t.Fatalf("%s: %v", out, err)
				}
			}
		}
		_, _, _ = a2ui.DecodeClientMessages(in, a2ui.Limits{})
	})
}

// FuzzDecodeCapabilities: what is read is written and read again the same.
func FuzzDecodeCapabilities(f *testing.F) {
	f.Add([]byte(`{"v0.9":{"supportedCatalogIds":["a"],"inlineCatalogs":[{}]},"1.0":{"supportedCatalogIds":[]}}`))
	f.Add([]byte(`{"supportedCatalogIds":["a"],"acceptsInlineCatalogs":true}`))
	f.Add([]byte(`{"version":"v0.9","surfaces":{"s":{"a":1}}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		caps, _ := a2ui.DecodeCapabilities(in, a2ui.Limits{})
		for d, c := range caps {
			out, err := a2ui.AppendCapabilities(nil, d, c)
			if err != nil {
				t.Fatal(err)
			}
			again, err := a2ui.DecodeCapabilities(out, a2ui.Limits{MessageBytes: 8 << 20, String: 8 << 20})
			if err != nil || !cmp.Equal(again[d], c, sameMessage) {
				t.Fatalf("%s: %+v, %v", out, again, err)
			}
		}
		if d, surfaces, err := a2ui.DecodeClientData(in, a2ui.Limits{}); err == nil {
			if _, err := a2ui.AppendClientData(nil, d, surfaces); err != nil {
				t.Fatal(err)
			}
		}
	})
}
