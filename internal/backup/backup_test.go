package backup_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
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
		Conversation: store.Conversation{ID: id, Log: "0123456789abcdef", Owner: word("owner"), Created: moment(),
			Title: word("title"), First: word("first"), Archived: rapid.Bool().Draw(t, "archived")},
		Floor: rapid.Uint64Range(0, 3).Draw(t, "floor"), Notes: map[string][][]byte{},
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

// drawnRecord draws the versions of a record, with bytes of every kind.
func drawnRecord(t *rapid.T, name, id string) (versions []store.Record) {
	word := func(what string) string {
		return string(rapid.SliceOfN(rapid.Byte(), 1, 12).Draw(t, what))
	}
	moment := func() time.Time { return time.UnixMicro(rapid.Int64Range(-1<<50, 1<<52).Draw(t, "time")).UTC() }
	owner, created := word("owner"), moment()
	for i := range rapid.IntRange(1, 3).Draw(t, "versions") {
		versions = append(versions, store.Record{
			Name: name, ID: id, Version: uint64(i + 1), Owner: owner, Created: created, Author: word("author"),
			Conversation: word("conversation"), Event: word("event"), At: moment(), Body: []byte(word("body")),
		})
	}
	newest := &versions[len(versions)-1]
	for range rapid.IntRange(0, 3).Draw(t, "terms") {
		newest.Terms = append(newest.Terms, store.Term{Field: word("field"),
			Text: rapid.SampledFrom([]string{"", "ü", "<&>\u2028", "a\nb"}).Draw(t, "text")})
	}
	newest.Terms = store.SortTerms(newest.Terms)
	return versions
}

// content is what a store keeps, or a file.
type content struct {
	Conversations []store.Dump
	Records       [][]store.Record
}

// sink collects.
func (c *content) sink() backup.Sink {
	return backup.Sink{
		Conversation: func(w store.Dump) error { c.Conversations = append(c.Conversations, w); return nil },
		Record:       func(versions []store.Record) error { c.Records = append(c.Records, versions); return nil },
	}
}

func imported(t *testing.T, all content) store.Store {
	t.Helper()
	s := memory.New()
	for _, w := range all.Conversations {
		if err := s.Import(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	for _, versions := range all.Records {
		if err := s.ImportRecord(t.Context(), versions); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func written(t *testing.T, all content) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := backup.Write(t.Context(), &b, imported(t, all), at, nil)
	if err != nil || n.Conversations != len(all.Conversations) || n.Records != len(all.Records) || !n.At.Equal(at) {
		t.Fatalf("Write = %+v, %v", n, err)
	}
	return b.Bytes()
}

func read(b []byte) (all content, n backup.Count, err error) {
	n, err = backup.Read(bytes.NewReader(b), all.sink())
	return all, n, err
}

// What is read is what was written, whatever bytes it is made of.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var all content
		frames := 0
		for i := range rapid.IntRange(0, 3).Draw(rt, "conversations") {
			all.Conversations = append(all.Conversations, drawn(rt, fmt.Sprint(i, "\xff")))
			frames += len(all.Conversations[i].Frames)
		}
		for i := range rapid.IntRange(0, 3).Draw(rt, "saved") {
			all.Records = append(all.Records, drawnRecord(rt, "\xff", fmt.Sprint(i, "\x00")))
		}
		got, n, err := read(written(t, all))
		if err != nil {
			rt.Fatal(err)
		}
		if want := (backup.Count{At: at, Conversations: len(all.Conversations), Frames: frames,
			Records: len(all.Records)}); n != want {
			rt.Errorf("count %+v, want %+v", n, want)
		}
		if d := cmp.Diff(all, got, cmpopts.EquateEmpty()); d != "" {
			rt.Errorf("(-want +got)\n%s", d)
		}
	})
}

// sample is two conversations and two records with something of everything.
func sample(t *testing.T) []byte {
	t.Helper()
	return written(t, rapid.Custom(func(rt *rapid.T) content {
		w := drawn(rt, "a")
		w.Frames = append(w.Frames, store.Frame{Seq: w.Seq + 1, Body: []byte("last")})
		w.Seq++
		return content{[]store.Dump{w, drawn(rt, "b")},
			[][]store.Record{drawnRecord(rt, "n", "a"), drawnRecord(rt, "n", "b")}}
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
		_, _, err := read(b)
		if err == nil && n == len(whole)-13 && slices.Equal(unpacked(t, b), unpacked(t, whole)) {
			continue // the last block of deflate, 5 bytes before the 8 of gzip's end, begins at a whole byte
		}
		if err == nil {
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
	rec := func(id string, version int) string {
		return fmt.Sprintf(`{"app_record":{"name":"n","id":%q,"version":%d,"created":1,"at":1,"body":"x"}}`+"\n", id, version)
	}
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
		{"newer", packed(`{"limn":{"version":3,"at":1}}` + "\n"), "line 1: made by a newer program: the file has version 3"},
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
		{"miscounted", packed(first, last), "the closing line counts 2 conversations and 2 records"},
		{"record of no name", packed(first, `{"app_record":{"name":"","id":"a","version":1,"created":1,"at":1,"body":"x"}}`+"\n", last), "line 3, record \"a\": up to here: invalid: record name"},
		{"a version is missing", packed(first, rec("a", 1), rec("a", 3), rec("b", 1)), "line 4, record \"a\": up to here: invalid: version 3"},
		{"record in parts", packed(first, rec("a", 1), rec("b", 1), rec("a", 2), last), "line 5, record \"a\": up to here: invalid: version 2"},
		{"cut off in a record", packed(first, rec("a", 1)), `line 3, record "a": the file ends here, before its closing line`},
		{"frame of a record", packed(first, rec("a", 1), frame), `line 3, record "a": it belongs to a conversation`},
		{"records miscounted", packed(first, rec("a", 1), `{"end":{"conversations":0,"lines":2,"sha256":""}}`+"\n"), "counts 0 conversations and 0 records in 2 lines, but there are 0 and 1"},
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
	to := backup.Sink{Conversation: func(store.Dump) error { return enough }}
	n, err := backup.Read(bytes.NewReader(sample(t)), to)
	if err != enough || n.Conversations != 1 {
		t.Errorf("Read = %+v, %v; want the caller's own error after one", n, err)
	}
	to.Conversation = func(store.Dump) error { return nil }
	to.Record = func([]store.Record) error { return enough }
	n, err = backup.Read(bytes.NewReader(sample(t)), to)
	if err != enough || n.Conversations != 2 || n.Records != 1 {
		t.Errorf("Read = %+v, %v; want the caller's own error after one record", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	one := rapid.Custom(func(rt *rapid.T) store.Dump { return drawn(rt, "a") }).Example(1)
	s := imported(t, content{Conversations: []store.Dump{one}})
	cancel()
	if _, err := backup.Write(ctx, io.Discard, s, at, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Write = %v, want context.Canceled", err)
	}
}

// A file of version 1, which had no records, is read.
func TestVersion1(t *testing.T) {
	lines := []string{`{"limn":{"version":1,"at":1}}`,
		`{"conversation":{"id":"a","log":"0123456789abcdef","created":1,"seq":1}}`, `{"frame":{"seq":1,"body":"f"}}`}
	text := strings.Join(lines, "\n") + "\n"
	end := fmt.Sprintf(`{"end":{"conversations":1,"lines":3,"sha256":"%x"}}`+"\n", sha256.Sum256([]byte(text)))
	all, n, err := read(packed(text, end))
	if err != nil || n.Conversations != 1 || n.Frames != 1 || n.Records != 0 || len(all.Conversations) != 1 {
		t.Errorf("%+v, %v", n, err)
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
	f.Add([]byte(`{"limn":{"version":2,"at":0}}` + "\n" +
		`{"app_record":{"name":"n","id":"a","version":1,"created":1,"at":1,"body":"x"}}` + "\n" +
		`{"app_record":{"name":"n","id":"a","version":2,"created":1,"at":1,"body":"x","terms":[{"field":"f","text":"t"}]}}` +
		"\n" + `{"app_record":{"name":"n","id":"b","version":1,"created":1,"at":1,"body":"x"}}` + "\n"))
	f.Fuzz(func(t *testing.T, plain []byte) {
		for _, b := range [][]byte{plain, packed(string(plain))} {
			s := memory.New()
			takes := func(err error) error {
				if err != nil && !errors.Is(err, store.ErrExists) {
					t.Fatal(err)
				}
				return nil
			}
			backup.Read(bytes.NewReader(b), backup.Sink{
				Conversation: func(w store.Dump) error { return takes(s.Import(t.Context(), w)) },
				Record:       func(versions []store.Record) error { return takes(s.ImportRecord(t.Context(), versions)) },
			})
		}
	})
}
