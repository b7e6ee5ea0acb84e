package backup_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/backup"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

// drawn draws a conversation that is whole, with bytes of every kind.
func drawn(t *rapid.T, id string) store.Dump {
	some := rapid.OneOf(
		rapid.SliceOfN(rapid.Byte(), 1, 12),
		rapid.SampledFrom([][]byte{[]byte(`{"a":"<&>\u2028"}`), []byte("line\nbreak\r"), []byte("ü\x00"), {0xff, 0xfe},
			[]byte("\u2028")}),
	)
	word := func(what string) string { return string(some.Draw(t, what)) }
	moment := func() time.Time { return time.UnixMicro(rapid.Int64Range(-1<<50, 1<<52).Draw(t, "time")).UTC() }
	w := store.Dump{
		Conversation: store.Conversation{ID: id, Log: "0123456789abcdef", Owner: word("owner"), Created: moment()},
		Floor:        rapid.Uint64Range(0, 3).Draw(t, "floor"), Notes: map[string][][]byte{},
	}
	w.Seq = w.Floor + rapid.Uint64Range(0, 4).Draw(t, "frames")
	if w.Floor > 0 {
		w.Snapshots = append(w.Snapshots, store.Frame{Seq: w.Floor, Body: some.Draw(t, "snapshot")})
	}
	for seq := w.Floor + 1; seq <= w.Seq; seq++ {
		w.Frames = append(w.Frames, store.Frame{Seq: seq, Body: some.Draw(t, "frame")})
		if rapid.Bool().Draw(t, "traced") {
			w.Traces = append(w.Traces, store.Frame{Seq: seq, Body: some.Draw(t, "trace")})
		}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "records") {
		r := store.Event{
			ID: fmt.Sprint(i, word("event")), Key: fmt.Sprint(i, word("key")), Hash: word("hash"), Body: some.Draw(t, "body"),
			At: moment(), Starts: rapid.IntRange(0, 3).Draw(t, "starts"),
		}
		if w.Seq > 0 && rapid.Bool().Draw(t, "done") {
			r.Done, r.Seq, r.Answer = true, w.Seq, some.Draw(t, "answer")
		}
		for range rapid.IntRange(0, 2).Draw(t, "notes") {
			w.Notes[r.ID] = append(w.Notes[r.ID], some.Draw(t, "note"))
		}
		w.Events = append(w.Events, r)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "rest") {
		w.Jobs = append(w.Jobs, store.Job{
			Conversation: id, ID: fmt.Sprint(i), Event: word("event"), Kind: word("kind"), Body: some.Draw(t, "body"),
			Due: moment(), Tries: i, Why: strings.Repeat(word("why"), i),
		})
		w.Blobs = append(w.Blobs, store.Blob{ID: fmt.Sprint(i), Name: word("name"), Type: word("type"),
			Body: some.Draw(t, "file"), At: moment()})
	}
	return w
}

func imported(t *testing.T, all []store.Dump) store.Store {
	t.Helper()
	s := memory.New()
	for _, w := range all {
		if err := s.Import(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func written(t *testing.T, all []store.Dump) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := backup.Write(t.Context(), &b, imported(t, all), at, nil)
	if err != nil || n.Conversations != len(all) || !n.At.Equal(at) {
		t.Fatalf("Write = %+v, %v", n, err)
	}
	return b.Bytes()
}

func read(b []byte) (all []store.Dump, n backup.Count, err error) {
	n, err = backup.Read(bytes.NewReader(b), func(w store.Dump) error { all = append(all, w); return nil })
	return all, n, err
}

// What is read is what was written, whatever bytes it is made of.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var all []store.Dump
		frames := 0
		for i := range rapid.IntRange(0, 3).Draw(rt, "conversations") {
			all = append(all, drawn(rt, fmt.Sprint(i, "\xff")))
			frames += len(all[i].Frames)
		}
		got, n, err := read(written(t, all))
		if err != nil {
			rt.Fatal(err)
		}
		if want := (backup.Count{At: at, Conversations: len(all), Frames: frames}); n != want {
			rt.Errorf("count %+v, want %+v", n, want)
		}
		if d := cmp.Diff(all, got, cmpopts.EquateEmpty()); d != "" {
			rt.Errorf("(-want +got)\n%s", d)
		}
	})
}

// sample is two conversations with something of everything.
func sample(t *testing.T) []byte {
	t.Helper()
	return written(t, rapid.Custom(func(rt *rapid.T) []store.Dump {
		w := drawn(rt, "a")
		w.Frames = append(w.Frames, store.Frame{Seq: w.Seq + 1, Body: []byte("last")})
		w.Seq++
		return []store.Dump{w, drawn(rt, "b")}
	}).Example(7))
}

// A file that was cut off anywhere, or has a bit turned anywhere, is refused.
func TestDamagedFileIsRefused(t *testing.T) {
	whole := sample(t)
	if _, _, err := read(whole); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if _, _, err := read(whole[:n]); err == nil {
			t.Fatalf("cut off after %d of %d bytes: accepted", n, len(whole))
		}
	}
	const mtimeToOS = 4 // bytes 4 to 9 of gzip's header say when and where; they are no part of the content
	for n := range whole {
		if n >= mtimeToOS && n < 10 {
			continue
		}
		b := bytes.Clone(whole)
		b[n] ^= 1 << (n % 8)
		if _, _, err := read(b); err == nil {
			t.Fatalf("bit %d of byte %d of %d turned: accepted", n%8, n, len(whole))
		}
	}
	for _, more := range [][]byte{whole, {0}, []byte("\n"), bytes.Repeat([]byte("x"), 1<<17), whole[:len(whole)/2]} {
		want := fmt.Sprintf("the backup is whole, but %d bytes follow it", len(more))
		if _, _, err := read(append(bytes.Clone(whole), more...)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d bytes more: %v", len(more), err)
		}
	}
}

// unpacked and packed are the lines of a file, for somebody who edits them.
func unpacked(t *testing.T, b []byte) []string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(plain), "\n")
	return lines[:len(lines)-1] // after the last one nothing comes
}

func packed(lines ...string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, strings.Join(lines, ""))
	z.Close()
	return b.Bytes()
}

// Every fault is named, with its line.
func TestErrorsNameFaultAndLine(t *testing.T) {
	lines := unpacked(t, sample(t))
	first, conv, frame, last := lines[0], lines[1], lines[2], lines[len(lines)-1]
	cases := []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "not a backup"},
		{"no gzip", []byte("SQLite format 3\x00"), "not a backup"},
		{"nothing in it", packed(), "line 1: the file ends here"},
		{"something else", packed(`{"conversation":{"id":"x","log":"y","created":1,"seq":0}}` + "\n"), "line 1: not a backup"},
		{"only an end", packed(last), "line 1: not a backup"},
		{"newer", packed(`{"limn":{"version":2,"at":1}}` + "\n"), "line 1: made by a newer program: the file has version 2"},
		{"older than the first", packed(`{"limn":{"version":0,"at":1}}` + "\n"), "there is none"},
		{"empty line", packed(first, "\n"), "line 2: unexpected end"},
		{"no JSON", packed(first, "{\n"), "line 2: unexpected"},
		{"two values", packed(first, "{}{}\n"), "line 2: more than one JSON value"},
		{"nothing said", packed(first, "{}\n"), "line 2: it says 0 things"},
		{"two things said", packed(first, `{"frame":{"seq":1,"body":"x"},"snapshot":{"seq":1,"body":"x"}}`+"\n"), "line 2: it says 2 things"},
		{"unknown", packed(first, `{"dream":{}}`+"\n"), `line 2: json: unknown field "dream"`},
		{"first line twice", packed(first, first), "line 2: a second first line"},
		{"orphan", packed(first, frame), "line 2: it belongs to a conversation"},
		{"cut off", packed(lines[:3]...), `line 4, conversation "a": the file ends here, before its closing line`},
		{"incomplete", packed(first, conv, lines[len(lines)-1]), `line 3, conversation "a": up to here: conversation "a": invalid`},
		{"edited", packed(append([]string{strings.Replace(first, `"at":`, `"at":1`, 1)}, lines[1:]...)...), "the checksum is wrong"},
		{"miscounted", packed(first, last), "the closing line counts 2 conversations"},
		{"more", packed(append(lines, "x")...), "something comes after the closing line, beginning with 'x'"},
		{"bad bytes", packed(first, `{"conversation":{"id":{"base64":"!"},"log":"y","created":1,"seq":0}}`+"\n"), "line 2: illegal base64"},
		{"no bytes", packed(first, `{"conversation":{"id":{},"log":"y","created":1,"seq":0}}`+"\n"), "line 2: want a string or"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := read(c.file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	if _, _, err := read(cases[5].file); !errors.Is(err, backup.ErrNewer) {
		t.Errorf("%v is not ErrNewer", err)
	}
}

func TestReadStopsAtCallersError(t *testing.T) {
	enough := errors.New("enough")
	n, err := backup.Read(bytes.NewReader(sample(t)), func(store.Dump) error { return enough })
	if err != enough || n.Conversations != 1 {
		t.Errorf("Read = %+v, %v; want the caller's own error after one", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := imported(t, []store.Dump{rapid.Custom(func(rt *rapid.T) store.Dump { return drawn(rt, "a") }).Example(1)})
	cancel()
	if _, err := backup.Write(ctx, io.Discard, s, at, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Write = %v, want context.Canceled", err)
	}
}

// FuzzRead: whatever bytes come, reading ends with an error or with conversations
// that a store takes.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"limn":{"version":1,"at":0}}` + "\n" + `{"end":{"conversations":0,"lines":1,"sha256":""}}` + "\n"))
	f.Add([]byte(`{"limn":{"version":1,"at":0}}` + "\n" +
		`{"conversation":{"id":"a","log":"0123456789abcdef","created":1,"seq":1}}` + "\n" +
		`{"frame":{"seq":1,"body":{"base64":"/w=="},"trace":"t"}}` + "\n" +
		`{"record":{"event":"e","at":1,"seq":1,"notes":["n"]}}` + "\n" +
		`{"job":{"id":"j","due":1,"why":"w"}}` + "\n" + `{"file":{"id":"f","at":1}}` + "\n"))
	f.Fuzz(func(t *testing.T, plain []byte) {
		for _, b := range [][]byte{plain, packed(string(plain))} {
			s := memory.New()
			backup.Read(bytes.NewReader(b), func(w store.Dump) error {
				if err := s.Import(t.Context(), w); err != nil && !errors.Is(err, store.ErrExists) {
					t.Fatal(err)
				}
				return nil
			})
		}
	})
}
