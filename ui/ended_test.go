package ui

import (
	"fmt"
	"testing"
	"time"
)

func TestEnd(t *testing.T) {
	t.Parallel()
	s := mustApply(faulty(), &End{})
	if !s.Ended || len(s.Surfaces)+len(s.Faults)+len(s.Failed) > 0 || s.Epochs["form:a"] != 2 {
		t.Fatalf("ended: %+v", s)
	}
	for _, op := range ops() {
		if _, _, err := Apply(s, frameOf(s, op), Limits{}); CodeOf(err) != CodeEnded {
			t.Errorf("%T after the end: %v", op, err)
		}
	}
	if _, _, err := Apply(s, frameOf(s), Limits{}); err != nil {
		t.Errorf("an answer that changes nothing: %v", err)
	}
	_, changes, err := Apply(faulty(), frameOf(faulty(), &End{}), Limits{})
	if err != nil || len(changes) != 1 || changes[0].Kind != ChangedClosed || changes[0].Epoch != 2 {
		t.Errorf("changes %+v, %v", changes, err)
	}
	if _, _, err := Apply(faulty(), frameOf(faulty(), &End{}, &Toast{Text: "x"}), Limits{}); CodeOf(err) != CodeEnded {
		t.Errorf("an op behind the end: %v", err)
	}
}

func TestMark(t *testing.T) {
	t.Parallel()
	s := faulty()
	if f := s.Fault("form:a", "9f"); f.Count != 2 || f.Epoch != 1 || !f.At.Equal(noon) {
		t.Errorf("a fault seen twice: %+v", f)
	}
	if f := s.Fault("form:b", "9f"); f.Count != 0 {
		t.Errorf("another surface's: %+v", f)
	}
	at := func(d time.Duration, ops ...Op) {
		f := frameOf(s, ops...)
		f.At = noon.Add(d)
		next, _, err := Apply(s, f, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	for i := range 3 * maxFaults { // whoever reports without end fills a bounded list, and no reset goes
		at(time.Minute, &Mark{Surface: "form:a", Epoch: 2, Print: fmt.Sprint("p", i)})
	}
	if len(s.Faults) != maxFaults || s.Fault("form:a", FaultReset).Count != 1 || s.Fault("form:a", "9f").Count != 0 {
		t.Errorf("%d faults, reset %+v", len(s.Faults), s.Fault("form:a", FaultReset))
	}
	at(time.Hour+time.Minute, &Mark{Surface: "form:a", Epoch: 2, Print: "new"})
	if s.Fault("form:a", FaultReset).Count != 0 {
		t.Error("a reset is remembered for more than an hour")
	}
	at(3*time.Hour, &Mark{Surface: "form:a", Epoch: 2, Print: "new"})
	if len(s.Faults) != 1 || s.Faults[0].Count != 1 {
		t.Errorf("after hours: %+v", s.Faults)
	}
	for _, bad := range []*Mark{{Surface: "A", Print: "x"}, {Surface: "a"}, {Surface: "a", Print: string(make([]byte, 65))}} {
		if _, _, err := Apply(s, frameOf(s, bad), Limits{}); CodeOf(err) != CodeValueInvalid {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestFailed(t *testing.T) {
	t.Parallel()
	root := Nodes{&Column{Key: "main", Children: Nodes{}}}
	s := faulty()
	if sf := s.FailedSurface("form:b"); sf == nil || sf.Title != "B" || s.Surface("form:b") != nil {
		t.Fatalf("failed: %+v", s.Failed)
	}
	s = mustApply(s, &Open{Surface: "form:b", Nonce: "n", Root: root})
	if s.FailedSurface("form:b") != nil || s.Surface("form:b").Epoch != 2 {
		t.Errorf("opened again: %+v", s)
	}
	for i := range 2 * maxFailed {
		n := Name(fmt.Sprint("form:f", i))
		s = mustApply(s, &Open{Surface: n, Nonce: "n", Root: root}, &Close{Surface: n, Failed: true})
	}
	if len(s.Failed) != maxFailed || s.FailedSurface("form:f7") == nil {
		t.Errorf("%d failed surfaces are kept", len(s.Failed))
	}
	before := bytesOf(t, s)
	_ = mustApply(s, &Open{Surface: "form:f6", Nonce: "n", Root: root}, &Close{Surface: "form:f6", Failed: true})
	if string(bytesOf(t, s)) != string(before) {
		t.Error("Apply changed its input")
	}
}
