package turntrace_test

import (
	"slices"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/ui"
)

func encoded(t testing.TB, turn *turntrace.Turn) []byte {
	t.Helper()
	b, err := turn.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// No byte of a trace can be changed, left out or added unnoticed.
func TestTurnSum(t *testing.T) {
	t.Parallel()
	turn := &turntrace.Turn{Source: turntrace.Source{Conversation: "c", Index: 3, Kind: ui.EventAction},
		Times: turntrace.Times{Received: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}, Base: "https://desk.example",
		Frame:    turntrace.Hash([]byte("frame")),
		Snapshot: turntrace.Hash([]byte("snapshot")), Drawings: []turntrace.Drawing{{Target: "v0.9", Hash: turntrace.Hash(nil)}}}
	b := encoded(t, turn)
	if back, err := turntrace.DecodeTurn(b); err != nil || back.Frame != turn.Frame || back.Sum == "" {
		t.Fatalf("%+v %v", back, err)
	}
	if again := encoded(t, turn); string(again) != string(b) {
		t.Errorf("written twice it is\n%s\n%s", again, b)
	}
	for i := range b {
		for _, flip := range []byte{1, 0x20, 0x80} {
			changed := slices.Clone(b)
			changed[i] ^= flip
			if _, err := turntrace.DecodeTurn(changed); err == nil {
				t.Errorf("byte %d: %q instead of %q is not noticed", i, changed[i], b[i])
			}
		}
		if _, err := turntrace.DecodeTurn(slices.Delete(slices.Clone(b), i, i+1)); err == nil {
			t.Errorf("byte %d: without %q nothing is noticed", i, b[i])
		}
		if _, err := turntrace.DecodeTurn(slices.Insert(slices.Clone(b), i, ' ')); err == nil {
			t.Errorf("byte %d: a space is not noticed", i)
		}
	}
	// A program that left no hash left no sum.
	if _, err := turntrace.DecodeTurn([]byte(`{"trace_version":1,"turn_index":3}`)); err != nil {
		t.Error(err)
	}
}

func FuzzDecodeTurn(f *testing.F) {
	f.Add(encoded(f, &turntrace.Turn{Source: turntrace.Source{Index: 1}, Frame: "0"}))
	f.Add([]byte(`{"trace_version":2,"sum":""}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if turn, err := turntrace.DecodeTurn(b); err == nil && turn.Version < 1 {
			t.Errorf("%+v", turn)
		}
	})
}
