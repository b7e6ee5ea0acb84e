package ui

import (
	"fmt"
	"strings"
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
	for _, bad := range []*Mark{{Surface: "A", Print: "x"}, {Surface: "a"},
		{Surface: "a", Print: string(make([]byte, 65))}} {
		if _, _, err := Apply(s, frameOf(s, bad), Limits{}); CodeOf(err) != codeValueInvalid {
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

// What is typed on an expired surface is kept for the one drawn anew; on an
// answered one nothing is.
func TestDraftAfterwards(t *testing.T) {
	t.Parallel()
	draft := &Draft{Surface: "form:a", Values: []Leaf{{"/draft/name", String("Ada")}}}
	s := mustApply(faulty(), &Expire{Surface: "form:a"}, draft)
	if v, _ := s.Surface("form:a").Get("/draft/name"); v.Text() != "Ada" ||
		s.Surface("form:a").Status != StatusExpired {
		t.Errorf("%v %v", s.Surface("form:a"), v.Text())
	}
	if _, _, err := Apply(faulty(), frameOf(faulty(), &Lock{Surface: "form:a"}, draft), Limits{}); CodeOf(err) != codeSurfaceNotOpen {
		t.Errorf("draft of an answered one: %v", err)
	}
}

func TestWebURL(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"http://a", "https://example.com/x?y=1#z", "HTTPS://a.b", "https://[::1]:8080/",
		"https://münchen.example/ü"} {
		if !WebURL(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{"", "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)",
		"java\nscript:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)",
		"data:text/html,<script>1</script>", "vbscript:x", "file:///etc/passwd", "blob:https://a/1", "//evil.example", "/path", "http:", "http://", "https:///x", "https:evil.example",
		"https://good.example@evil.example/", "https://user:secret@evil.example", "https://a\\@evil.example",
		"https://a b", " https://a", "https://a\n", "https://a\x00", "https://a\x7f", "https://\xff", "https://a%zz"} {
		if WebURL(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzWebURL(f *testing.F) {
	f.Add("https://a")
	f.Fuzz(func(t *testing.T, s string) {
		if WebURL(s) && !strings.HasPrefix(strings.ToLower(s), "http") {
			t.Fatal(s)
		}
	})
}

func TestMapNodes(t *testing.T) {
	t.Parallel()
	root := Nodes{everything()}
	before := string(bytesOf(t, root))
	n := 0
	out := MapNodes(root, func(n1 Node) Node {
		n++
		if b, ok := n1.(*Button); ok {
			c := *b
			c.Action.Masked = true
			return &c
		}
		return n1
	})
	want := 0
	Walk(root[0], func(KeyPath, Node) bool { want++; return true })
	if string(bytesOf(t, root)) != before || !strings.Contains(string(bytesOf(t, out)), `"masked":true`) {
		t.Error("the tree was changed, or the copy was not")
	}
	same := MapNodes(root, func(n Node) Node { return n })
	if string(bytesOf(t, same)) != before || n == 0 || n > want {
		t.Errorf("%d of %d nodes", n, want)
	}
}
