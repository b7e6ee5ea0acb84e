package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the stored form of this version to testdata: only before it is released")

// golden compares what is written today with what version 1 wrote.
func golden(t *testing.T, name string, got []byte, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	file := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// again reads a fixture and writes it again.
func again(t *testing.T, name string, decode func([]byte) (any, error)) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := decode(b)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out, err := Encode(v)
	if err != nil || !bytes.Equal(out, bytes.TrimSpace(b)) {
		t.Errorf("%s: read and written again it is\n%s\n%v", name, out, err)
	}
}

func TestStoredVersion1(t *testing.T) {
	t.Parallel()
	b, err := Encode(state())
	golden(t, "state-v1", b, err)
	again(t, "state-v1", func(b []byte) (any, error) { return DecodeState(b) })
	b, err = Encode(faulty())
	golden(t, "state-v1-faults", b, err)
	again(t, "state-v1-faults", func(b []byte) (any, error) { return DecodeState(b) })
	b, err = Encode(frame())
	golden(t, "frame-v1", b, err)
	again(t, "frame-v1", func(b []byte) (any, error) { return DecodeFrame(b) })
	rebuild := frameOf(NewState("x"))
	rebuild.Rebuild = &Rebuild{Client: "tab-1", Principal: "p1"}
	b, err = Encode(rebuild)
	golden(t, "frame-v1-rebuild", b, err)
	again(t, "frame-v1-rebuild", func(b []byte) (any, error) { return DecodeFrame(b) })
	for kind, e := range events() {
		b, err = Encode(e)
		golden(t, "event-v1-"+kind, b, err)
		again(t, "event-v1-"+kind, func(b []byte) (any, error) { return DecodeEvent(b) })
	}
	seen := map[string]int{}
	for _, n := range nodes() {
		seen[nodeTypes.name(n)]++
		name := "node-v1-" + nodeTypes.name(n)
		if seen[nodeTypes.name(n)] > 1 {
			name += "-" + strconv.Itoa(seen[nodeTypes.name(n)])
		}
		b, err = nodeTypes.marshal(n)
		golden(t, name, b, err)
		again(t, name, func(b []byte) (any, error) {
			n, err := nodeTypes.unmarshal(b)
			raw, _ := nodeTypes.marshal(n)
			return json.RawMessage(raw), err
		})
	}
	b, err = nodeTypes.marshal(&Button{Key: "approve", Label: "Approve", Action: Action{Name: "approve", Masked: true}})
	golden(t, "node-v1-Button-2", b, err)
	again(t, "node-v1-Button-2", func(b []byte) (any, error) {
		n, err := nodeTypes.unmarshal(b)
		raw, _ := nodeTypes.marshal(n)
		return json.RawMessage(raw), err
	})
	for _, name := range nodeTypes.names {
		if seen[name] == 0 {
			t.Errorf("no fixture of node %s: add one to nodes in fixture_test.go, and run with -update", name)
		}
	}
	written := map[string]bool{}
	for _, op := range ops() {
		name := opTypes.name(op)
		written[name] = true
		b, err = Encode(Ops{op})
		golden(t, "op-v1-"+name, b, err)
		again(t, "op-v1-"+name, func(b []byte) (any, error) {
			var ops Ops
			return &ops, json.Unmarshal(b, &ops)
		})
	}
	for _, name := range opTypes.names {
		if !written[name] {
			t.Errorf("no fixture of op %s", name)
		}
	}
}

// The upcaster opens what was stored before the first release.
func TestStoredVersion0(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/state-v0.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := DecodeState(b)
	if err != nil {
		t.Fatal(err)
	}
	sf := s.Surface("form:customer")
	if s.V != Version || s.Seq != 3 || sf == nil || sf.Rev != 2 {
		t.Fatalf("state = %+v", s)
	}
	if v, _ := sf.Get("/ui_state/progress"); v.Text() != "40" {
		t.Errorf("progress = %q, want 40", v.Text())
	}
	if v, _ := sf.Get("/draft/name"); v.Text() != "Ada" {
		t.Errorf("name = %q, want Ada", v.Text())
	}
	if _, _, err := Apply(s, frameOf(s, &Close{Surface: "form:customer"}), Limits{}); err != nil {
		t.Errorf("the conversation does not go on: %v", err)
	}
	f, err := DecodeFrame(
		[]byte(`{"seq":1,"event":"e","at":"2026-01-01T00:00:00Z","ops":[{"op":"Open","surface":"a","nonce":"n","origin":{"kind":"","template":""},"title":"","root":[{"node":"Divider","key":"d"}],"ui":{"x":1}}],"outcome":{"kind":"done"}}`))
	if err != nil || f.V != Version {
		t.Fatal(err)
	}
	if v, _ := f.Ops[0].(*Open).UIState.Get("x"); v.Text() != "1" {
		t.Errorf("ui_state of an old Open = %v", v)
	}
}

func TestDecodeFaults(t *testing.T) {
	t.Parallel()
	frame := func(op string) string {
		return `{"v":1,"seq":1,"event":"e","at":"2026-01-01T00:00:00Z","outcome":{"kind":"done"},"ops":[` + op + `]}`
	}
	for _, c := range []struct{ name, in string }{
		{"newer version", `{"v":2}`}, {"negative version", `{"v":-1}`}, {"no version number", `{"v":"1"}`},
		{"null", `null`}, {"list", `[]`}, {"cut off", `{"v":1`}, {"more behind it", `{"v":1} {}`},
		{"unknown member", `{"v":1,"seq":1,"colour":"red"}`},
		{"unknown op", frame(`{"op":"Explode"}`)}, {"no op", frame(`{}`)}, {"null op", frame(`null`)},
		{"member of another op", frame(`{"op":"Lock","surface":"a","nonce":"n"}`)},
		{"unknown node", frame(`{"op":"Update","surface":"a","root":[{"node":"Blink","key":"k"}]}`)},
		{"unknown member of a node", frame(`{"op":"Update","surface":"a","root":[{"node":"Divider","key":"k","x":1}]}`)},
		{"list of numbers", frame(`{"op":"Commit","form":"f","values":[1]}`)},
		{"row without id", frame(`{"op":"Commit","form":"f","values":{"$rows":[{"cells":{}}]}}`)},
		{"row twice", frame(`{"op":"Commit","form":"f","values":{"$rows":[{"id":"a","cells":{}},{"id":"a","cells":{}}]}}`)},
		{"order without room", frame(`{"op":"Commit","form":"f","values":{"$rows":[{"id":"a","order":"ba","cells":{}}]}}`)},
		{"rows beside keys", frame(`{"op":"Commit","form":"f","values":{"$rows":[],"a":1}}`)},
		{"rows that are none", frame(`{"op":"Commit","form":"f","values":{"$rows":1}}`)},
	} {
		_, err := DecodeFrame([]byte(c.in))
		if CodeOf(err) != codeRecordInvalid {
			t.Errorf("%s: %v, want %s", c.name, err, codeRecordInvalid)
		}
	}
	for _, in := range []string{`{"v":1,"surfaces":[null]}`, `{"v":1,"failed":[null]}`,
		`{"v":1,"failed":[{"name":"a"}]}`, `{"v":1,"surfaces":[{"name":"a"}]}`, `{"v":1,"transcript":[null]}`,
		`{"v":9}`} {
		if _, err := DecodeState([]byte(in)); CodeOf(err) != codeRecordInvalid {
			t.Errorf("state %s: %v", in, err)
		}
	}
	_, err := DecodeEvent([]byte(`{"v":2}`))
	var e *Error
	if !errors.As(err, &e) || e.Hint == "" || !errors.Is(err, &Error{Code: codeRecordInvalid}) {
		t.Errorf("a newer event: %#v", err)
	}
}

// stable holds decode∘encode to a fixed point.
func stable[T any](t *testing.T, in []byte, decode func([]byte) (T, error)) {
	v, err := decode(in)
	if err != nil {
		return
	}
	once, err := Encode(v)
	if err != nil {
		t.Fatalf("decoded and not to be encoded: %v", err)
	}
	w, err := decode(once)
	if err != nil {
		t.Fatalf("%s\nis not read back: %v", once, err)
	}
	if twice, _ := Encode(w); !bytes.Equal(once, twice) {
		t.Fatalf("written twice:\n%s\n%s", once, twice)
	}
}

func seed(f *testing.F, pattern string) {
	files, _ := filepath.Glob(filepath.Join("testdata", pattern))
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	f.Add([]byte("null"))
	f.Add([]byte(`{"v":-1}`))
}

func FuzzDecodeFrame(f *testing.F) {
	seed(f, "frame-*.json")
	f.Fuzz(func(t *testing.T, in []byte) {
		stable(t, in, DecodeFrame)
		if fr, err := DecodeFrame(in); err == nil { // what is stored may not fit, but never panics
			s := NewState("x")
			fr.Seq = 1
			_, _, _ = Apply(s, fr, Limits{})
			_, _, _ = Apply(state(), &Frame{Seq: 3, Ops: fr.Ops}, Limits{})
		}
	})
}

func FuzzDecodeState(f *testing.F) {
	seed(f, "state-*.json")
	f.Fuzz(func(t *testing.T, in []byte) { stable(t, in, DecodeState) })
}

func FuzzDecodeEvent(f *testing.F) {
	seed(f, "event-*.json")
	f.Fuzz(func(t *testing.T, in []byte) { stable(t, in, DecodeEvent) })
}

// TestEncodeFrame: a frame is written as encoding/json would, whatever is in it.
func TestEncodeFrame(t *testing.T) {
	t.Parallel()
	tricky := `","at":"x","ops":[ <&>` + "\u2028\x00\xff"
	for _, f := range []*Frame{
		{},
		{V: 1, Seq: 1, Event: EventID(tricky), At: time.Unix(1, 2).UTC()},
		{V: 1, Seq: 1, Event: EventID(tricky), At: time.Unix(1, 0).UTC(), Text: tricky, Ops: Ops{&Say{Role: RoleUser, Text: tricky}, &End{}}},
		{Ops: Ops{&Commit{Form: "f", Values: Map(Pair{Key: tricky, Value: String(tricky)})}}},
	} {
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Encode(f)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v\n%s\nwant\n%s", err, got, want)
		}
	}
}
