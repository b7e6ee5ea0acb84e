package inspect_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// opened writes the file of a conversation, reads it again and imports it.
func (w *world) opened(r *inspect.Redactor) (*world, []byte) {
	w.Helper()
	b := limntest.Must(limntest.Must(w.env.NewFile(w.dump(conversation.Span{}), r)).Encode())
	f := limntest.Must(inspect.DecodeFile(b))
	d, err := f.Dump()
	if err != nil {
		w.Fatal(err)
	}
	other := &world{Talk: &limntest.Talk{TB: w.TB, ID: w.ID}, store: memory.New(), env: w.env}
	if err := other.store.Import(w.TB.(*testing.T).Context(), d); err != nil {
		w.Fatal(err)
	}
	return other, b
}

// A file that is not redacted replays to the same turns, byte for byte.
func TestFileReplays(t *testing.T) {
	t.Parallel()
	w := story(t)
	other, b := w.opened(nil)
	for n := uint64(1); n <= 4; n++ {
		a, b := limntest.Must(json.Marshal(w.turn(n))), limntest.Must(json.Marshal(other.turn(n)))
		if diff := cmp.Diff(string(a), string(b)); diff != "" {
			t.Errorf("turn %d (-store +file):\n%s", n, diff)
		}
	}
	if strings.Contains(string(b), "margaret") || strings.Contains(string(b), w.dump(conversation.Span{}).Owner) {
		t.Error("the file names its user")
	}
	for _, bad := range []string{"{}", `{"limn_report":2}`, "[", ""} {
		if _, err := inspect.DecodeFile([]byte(bad)); err == nil {
			t.Errorf("%q is a report", bad)
		}
	}
}

// A redacted file replays to turns of the same shape: all that changed, and nothing that
// somebody wrote but what is kept.
func TestFileRedacted(t *testing.T) {
	t.Parallel()
	w := story(t)
	sf := w.Open("table:risks")
	rows, _ := sf.Draft.Get("risks")
	w.Submit(limntest.Press(sf, "main/buttons/submit", jsonx.Member{Key: "risks", Value: cells(rows, "Fire at Bletchley")}))
	r := &inspect.Redactor{Key: []byte("k"), Keep: []string{"phone"}}
	other, b := w.opened(r)
	_, plain := w.opened(nil)
	for _, secret := range []string{"Acme", "Bletchley", "hello there", "We have 4", "Here.", sf.Nonce} {
		if strings.Contains(string(b), secret) || !strings.Contains(string(plain), secret) {
			t.Errorf("the file has %q, or it is not in a file without redaction", secret)
		}
	}
	if !strings.Contains(string(b), "0123456789") || r.Hidden["company"] == 0 || r.Hidden["words"] == 0 {
		t.Errorf("kept %v, hidden %v", r.Keep, r.Hidden)
	}
	if draft := other.turn(2).State.At("surfaces").Items[0].At("draft"); draft.At("phone").Str != "0123456789" {
		t.Errorf("the kept value in the state: %v", draft)
	}
	d := w.dump(conversation.Span{})
	for n := uint64(1); n <= d.Seq; n++ {
		was, is := w.turn(n), other.turn(n)
		if a, b := shape(was), shape(is); !slices.Equal(a, b) {
			t.Errorf("turn %d changed\n%q, redacted\n%q", n, a, b)
		}
		if len(is.Found) != len(was.Found) {
			t.Errorf("turn %d: found %+v, redacted %+v", n, was.Found, is.Found)
		}
		if is.Decision != nil {
			t.Errorf("turn %d: decided by a hidden text: %+v", n, is.Decision)
		}
	}
}

// A redacted file names none of those who took part, and has no ids of them.
func TestFileRedactedPeople(t *testing.T) {
	t.Parallel()
	w := crowd(t)
	other, b := w.opened(&inspect.Redactor{Key: []byte("k")})
	for _, secret := range people() {
		if strings.Contains(string(b), secret) {
			t.Errorf("the file has %q: %s", secret, b)
		}
	}
	n := w.State().Seq
	if a, b := shape(w.turn(n)), shape(other.turn(n)); !slices.Equal(a, b) {
		t.Errorf("turn %d changed\n%q, redacted\n%q", n, a, b)
	}
}

// TestFileRedactedAgents: of a surface of an agent neither its data nor the words with these in them are in a redacted
// file, nor what a function returned to a client. That stays JSON.
func TestFileRedactedAgents(t *testing.T) {
	t.Parallel()
	w := story(t)
	d := w.dump(conversation.Span{})
	d.Seq++
	data := jsonx.OfObject(jsonx.Member{Key: "sum", Value: jsonx.Of("4711 crowns")})
	b, err := ui.Encode(&ui.Frame{V: ui.Version, Seq: d.Seq, Event: "e", At: time.Unix(1, 0).UTC(),
		Ops: ui.Ops{&ui.Open{Surface: "bank:main", Nonce: strings.Repeat("0", 32), Origin: foreign.Origin("bank", ""),
			Root: ui.Nodes{&ui.Foreign{Key: "foreign", ID: "main", Version: "v0.9", Messages: jsonx.OfArray(), Data: data,
				Text: "Your balance: 4711 crowns"}}}},
		Outcome: ui.Outcome{Kind: ui.OutcomeDone, Value: `{"iban":"NO9386011117947","to":[12.5,true]}`}})
	if err != nil {
		t.Fatal(err)
	}
	d.Frames = append(d.Frames, store.Frame{Seq: d.Seq, Body: b})
	plain := limntest.Must(limntest.Must(w.env.NewFile(d, nil)).Encode())
	file := limntest.Must(w.env.NewFile(d, &inspect.Redactor{Key: []byte("k")}))
	redacted := limntest.Must(file.Encode())
	for _, secret := range []string{"4711", "balance", "NO9386011117947", "12.5"} {
		if strings.Contains(string(redacted), secret) || !strings.Contains(string(plain), secret) {
			t.Errorf("the file has %q, or it is not in a file without redaction", secret)
		}
	}
	f, err := ui.DecodeFrame(file.Frames[len(file.Frames)-1])
	if err != nil || !json.Valid([]byte(f.Outcome.Value)) || !strings.Contains(f.Outcome.Value, `"iban":"•`) {
		t.Errorf("%v: returned %q", err, f.Outcome.Value)
	}
}

// cells is a table with a text in its first row, as a client sends it.
func cells(rows ui.Value, text string) (v jsonx.Value) {
	v.Kind = jsonx.Object
	for i, row := range rows.Records() {
		if i > 0 {
			text = ""
		}
		v.Members = append(v.Members, jsonx.Member{Key: row.ID, Value: jsonx.OfObject(limntest.Input("risk", text))})
	}
	return v
}

func shape(t *inspect.Turn) (list []string) {
	for _, d := range t.Diff {
		list = append(list, d.Op+" "+d.Path)
	}
	return list
}
