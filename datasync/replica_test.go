package datasync_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/ui"
)

func open(t *testing.T, o datasync.Options) *datasync.Replica {
	t.Helper()
	o.Surface = "s"
	r, err := datasync.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func edit(t *testing.T, r *datasync.Replica, path, value string) {
	t.Helper()
	if err := r.Edit(datasync.Update{Path: path, Value: value}); err != nil {
		t.Fatal(err)
	}
}

func flush(t *testing.T, r *datasync.Replica, now time.Time) datasync.Batch {
	t.Helper()
	b, err := r.Flush(now, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func receive(t *testing.T, r *datasync.Replica, b datasync.Batch, now time.Time) datasync.Received {
	t.Helper()
	got, err := r.Receive(b, now)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func shows(t *testing.T, r *datasync.Replica, want string) {
	t.Helper()
	if got := string(r.View().JSON()); got != want {
		t.Errorf("shows %s, want %s", got, want)
	}
}

// TestTypedStays: what a person types and has not sent is not overwritten by what arrives,
// even from a clock that is ahead, and wins once it is sent.
func TestTypedStays(t *testing.T) {
	t.Parallel()
	person := open(t, datasync.Options{Actor: "r-1", Role: datasync.Renderer})
	agent := open(t, datasync.Options{Actor: "a-1"})
	edit(t, person, "/name", `"An"`)
	edit(t, agent, "/name", `"Bob"`)
	receive(t, person, flush(t, agent, start.Add(30*time.Second)), start)
	shows(t, person, `{"name":"An"}`)
	edit(t, person, "/name", `"Ann"`)
	receive(t, agent, flush(t, person, start), start)
	shows(t, agent, `{"name":"Ann"}`)
	shows(t, person, `{"name":"Ann"}`)
}

// TestEditTimeStamps: with stamps from the time of the edit, not of the flush, TestTypedStays
// fails: the mistake costs the person a word.
func TestEditTimeStamps(t *testing.T) {
	t.Parallel()
	person := open(t, datasync.Options{Actor: "r-1"})
	agent := open(t, datasync.Options{Actor: "a-1"})
	edit(t, person, "/name", `"An"`)
	late := flush(t, person, start) // stamped now, sent later
	edit(t, agent, "/name", `"Bob"`)
	receive(t, person, flush(t, agent, start.Add(30*time.Second)), start)
	shows(t, person, `{"name":"Bob"}`)
	receive(t, agent, late, start)
	shows(t, agent, `{"name":"Bob"}`)
}

// TestUnseenWriteGivesWay: an agent that wrote while the person's words were on their way
// does not take them away; one that has seen them may.
func TestUnseenWriteGivesWay(t *testing.T) {
	t.Parallel()
	person := open(t, datasync.Options{Actor: "r-1", Role: datasync.Renderer})
	agent := open(t, datasync.Options{Actor: "a-1"})
	edit(t, person, "/name", `"Ann"`)
	typed := flush(t, person, start)
	edit(t, agent, "/name", `"Bob"`)
	wrote := flush(t, agent, start.Add(time.Second))
	got := receive(t, person, wrote, start)
	if fmt.Sprint(got.Kept) != "[/name]" {
		t.Error(got)
	}
	receive(t, agent, typed, start)
	receive(t, agent, flush(t, person, start.Add(time.Second)), start)
	shows(t, agent, `{"name":"Ann"}`)
	edit(t, agent, "/name", `"Anna"`)
	if got := receive(t, person, flush(t, agent, start.Add(2*time.Second)), start); len(got.Kept) > 0 {
		t.Error(got)
	}
	shows(t, person, `{"name":"Anna"}`)
}

// TestUnseenWriteAround: the person's words also stay if what had not seen them was
// written above them, or named the whole document "", or comes while their row waits to be
// moved. Newer words that wait are not replaced by those that were sent.
func TestUnseenWriteAround(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typed   datasync.Update
		waits   datasync.Update
		comes   datasync.Update
		kept    string
		want    string
		pending int
	}{
		"above": {datasync.Update{Path: "/user/name", Value: `"Ann"`}, datasync.Update{},
			datasync.Update{Path: "/user", Value: `{"city":"Bern"}`}, "[/user/name]",
			`{"user":{"city":"Bern","name":"Ann"}}`, 1},
		"whole": {datasync.Update{Path: "/", Value: `{"name":"Ann"}`}, datasync.Update{},
			datasync.Update{Path: "", Value: `{"name":"Bob"}`}, "[/]", `{"name":"Ann"}`, 1},
		"move": {datasync.Update{Path: "/r1", Value: `"Ann"`}, datasync.Update{Path: "/r1", Pos: "a0"},
			datasync.Update{Path: "/r1", Value: `"Bob"`}, "[/r1]", `{"r1":"Ann"}`, 1},
		"newer": {datasync.Update{Path: "/user/name", Value: `"Ann"`},
			datasync.Update{Path: "/user", Value: `{"name":"Anna"}`},
			datasync.Update{Path: "/user/name", Value: `"Bob"`}, "[]", `{"user":{"name":"Anna"}}`, 1},
	} {
		person := open(t, datasync.Options{Actor: "r-1", Role: datasync.Renderer})
		if err := person.Edit(tt.typed); err != nil {
			t.Fatal(err)
		}
		flush(t, person, start)
		if tt.waits.Path != "" {
			if err := person.Edit(tt.waits); err != nil {
				t.Fatal(err)
			}
		}
		tt.comes.Stamp = datasync.Stamp{Time: start.UnixMilli() + 1000, Actor: "a-1"}
		got := receive(t, person, datasync.Batch{Actor: "a-1", Updates: []datasync.Update{tt.comes}}, start)
		if fmt.Sprint(got.Kept) != tt.kept || person.Pending() != tt.pending {
			t.Errorf("%s: %v, %d edits wait", name, got.Kept, person.Pending())
		}
		shows(t, person, tt.want)
	}
}

// TestEditSince: what a model decides with an old document leaves out what people have
// changed since, at the path, above it and below it.
func TestEditSince(t *testing.T) {
	t.Parallel()
	person, agent := open(t, datasync.Options{Actor: "r-1"}), open(t, datasync.Options{Actor: "a-1"})
	edit(t, agent, "/user", `{"name":"Ann","city":"Bern"}`)
	receive(t, person, flush(t, agent, start), start)
	seen := agent.Doc().Seen()
	edit(t, person, "/user/name", `"Anna"`)
	receive(t, agent, flush(t, person, start), start)
	for path, want := range map[string]bool{"/user/name": false, "/user": false, "/user/name/first": false,
		"/user/city": true, "/username": true} {
		if done, err := agent.EditSince(datasync.Update{Path: path, Value: "1"}, seen); done != want || err != nil {
			t.Errorf("%s: %v %v", path, done, err)
		}
	}
}

// TestItems: a list of two people who add, move and delete at once.
func TestItems(t *testing.T) {
	t.Parallel()
	a, b := open(t, datasync.Options{Actor: "a"}), open(t, datasync.Options{Actor: "b"})
	for i, pos := range datasync.Keys("", "", 3) {
		if err := a.Edit(datasync.Update{Path: fmt.Sprintf("/rows/r%d", i), Value: `{"n":1}`, Pos: pos}); err != nil {
			t.Fatal(err)
		}
	}
	receive(t, b, flush(t, a, start), start)
	edit(t, a, "/rows/r1", "null")
	edit(t, b, "/rows/r1/n", "7") // into what is deleted at the same time
	first, _ := datasync.KeyBetween("", "a0")
	if err := b.Edit(datasync.Update{Path: "/rows/r2", Pos: first}); err != nil {
		t.Fatal(err)
	}
	fromA, fromB := flush(t, a, start.Add(time.Second)), flush(t, b, start.Add(2*time.Second))
	receive(t, b, fromA, start)
	receive(t, a, fromB, start)
	for _, r := range []*datasync.Replica{a, b} {
		if got := fmt.Sprint(r.View().Order("/rows")); got != "[r2 r0]" {
			t.Error(got)
		}
	}
	if x, y := state(a.Doc()), state(b.Doc()); x != y {
		t.Errorf("%s\n%s", x, y)
	}
}

// TestGapIsAsked: a message is lost; the next one shows that, and Hello brings it.
func TestGapIsAsked(t *testing.T) {
	t.Parallel()
	a, b := open(t, datasync.Options{Actor: "a"}), open(t, datasync.Options{Actor: "b"})
	edit(t, a, "/x", "1")
	flush(t, a, start) // lost
	edit(t, a, "/y", "2")
	got := receive(t, b, flush(t, a, start), start)
	shows(t, b, `{"y":2}`)
	if !got.Ask {
		t.Fatal("no gap found")
	}
	answer := receive(t, a, b.Hello(), start)
	if len(answer.Answer) != 1 || answer.Ask {
		t.Fatal(answer)
	}
	receive(t, b, answer.Answer[0], start)
	shows(t, b, `{"x":1,"y":2}`)
	if again := receive(t, a, b.Hello(), start); again.Answer != nil || again.Ask {
		t.Errorf("still sending: %v", again)
	}
}

// TestQuestionsEnd: two places that have each seen a write of which nothing is left do
// not ask each other for ever.
func TestQuestionsEnd(t *testing.T) {
	t.Parallel()
	a, b := open(t, datasync.Options{Actor: "a"}), open(t, datasync.Options{Actor: "b"})
	last := open(t, datasync.Options{Actor: "last"})
	edit(t, last, "/x", "3")
	final := flush(t, last, start.Add(time.Second))
	for r, name := range map[*datasync.Replica]string{a: "c", b: "d"} {
		other := open(t, datasync.Options{Actor: name})
		edit(t, other, "/x", "1")
		receive(t, r, flush(t, other, start), start)
		receive(t, r, final, start)
	}
	places := []*datasync.Replica{a, b}
	for asks := 0; ; asks++ {
		if asks > 5 {
			t.Fatal("still asking")
		}
		if got := receive(t, places[(asks+1)%2], places[asks%2].Hello(), start); !got.Ask {
			break
		}
	}
	if got := receive(t, a, b.Hello(), start.Add(time.Minute)); !got.Ask {
		t.Error("not asked again, although the answer may be lost")
	}
}

// TestRefused: what cannot be is refused with its code, and changes nothing.
func TestRefused(t *testing.T) {
	t.Parallel()
	small := datasync.Limits{Actors: 3, Writes: 6, Bytes: 720, Depth: 4, Path: 40, Value: 60, Pos: 8, Updates: 4}
	at := func(seconds int, actor string) datasync.Stamp {
		return datasync.Stamp{Time: start.Add(time.Duration(seconds) * time.Second).UnixMilli(), Actor: actor}
	}
	ok := datasync.Update{Path: "/fine", Value: "1", Stamp: at(0, "b")}
	for name, tt := range map[string]struct {
		code ui.Code
		list []datasync.Update
	}{
		"future":      {datasync.CodeAhead, []datasync.Update{{Path: "/x", Value: "1", Stamp: at(61, "b")}}},
		"own name":    {datasync.CodeActor, []datasync.Update{{Path: "/x", Value: "1", Stamp: at(1, "me")}}},
		"no stamp":    {datasync.CodeStamp, []datasync.Update{{Path: "/x", Value: "1"}}},
		"bad actor":   {datasync.CodeStamp, []datasync.Update{{Path: "/x", Value: "1", Stamp: at(0, "a:b")}}},
		"no slash":    {datasync.CodePath, []datasync.Update{{Path: "x", Value: "1", Stamp: at(0, "b")}}},
		"bad escape":  {datasync.CodePath, []datasync.Update{{Path: "/~2", Value: "1", Stamp: at(0, "b")}}},
		"deep":        {datasync.CodePath, []datasync.Update{{Path: "/a/b/c/d/e", Value: "1", Stamp: at(0, "b")}}},
		"long path":   {datasync.CodeLimit, []datasync.Update{{Path: "/" + strings.Repeat("x", 60), Value: "1", Stamp: at(0, "b")}}},
		"array":       {datasync.CodeValue, []datasync.Update{{Path: "/x", Value: "[1]", Stamp: at(0, "b")}}},
		"no JSON":     {datasync.CodeValue, []datasync.Update{{Path: "/x", Value: "{", Stamp: at(0, "b")}}},
		"twice a key": {datasync.CodeValue, []datasync.Update{{Path: "/x", Value: `{"a":1,"a":2}`, Stamp: at(0, "b")}}},
		"surrogate":   {datasync.CodeValue, []datasync.Update{{Path: "/x", Value: `"\ud800"`, Stamp: at(0, "b")}}},
		"nothing":     {datasync.CodeValue, []datasync.Update{{Path: "/x", Stamp: at(0, "b")}}},
		"long value": {datasync.CodeValue,
			[]datasync.Update{{Path: "/x", Value: `"` + strings.Repeat("x", 80) + `"`, Stamp: at(0, "b")}}},
		"long position": {datasync.CodeLimit, []datasync.Update{{Path: "/x", Pos: "a12345678", Stamp: at(0, "b")}}},
		"many updates":  {datasync.CodeLimit, make([]datasync.Update, 5)},
		"many actors": {datasync.CodeLimit, []datasync.Update{{Path: "/x", Value: "1", Stamp: at(0, "c")},
			{Path: "/x", Value: "1", Stamp: at(0, "d")}, {Path: "/x", Value: "1", Stamp: at(0, "e")}}},
		"many writes": {datasync.CodeLimit, []datasync.Update{{Path: "/x1", Value: "1", Pos: "a0", Stamp: at(0, "b")},
			{Path: "/x2", Value: "null", Stamp: at(1, "b")}, {Path: "/x3", Value: "null", Stamp: at(2, "b")}}},
		"many bytes": {datasync.CodeLimit, []datasync.Update{
			{Path: "/x1", Value: `"` + strings.Repeat("x", 50) + `"`, Stamp: at(0, "b")},
			{Path: "/x2", Value: `"` + strings.Repeat("x", 50) + `"`, Stamp: at(1, "b")},
			{Path: "/x3", Value: `"` + strings.Repeat("x", 50) + `"`, Stamp: at(2, "b")},
			{Path: "/x4", Value: `"` + strings.Repeat("x", 50) + `"`, Stamp: at(3, "b")}}},
	} {
		r := open(t, datasync.Options{Actor: "me", Limits: small})
		receive(t, r, datasync.Batch{Actor: "b", Updates: []datasync.Update{ok}}, start)
		before := string(r.Doc().Snapshot())
		_, err := r.Receive(datasync.Batch{Actor: "b", Updates: tt.list}, start)
		if e := ui.AsError(err, "", ""); err == nil || e.Code != tt.code {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
		if string(r.Doc().Snapshot()) != before || r.Last().Actor != "me" {
			t.Errorf("%s has changed something", name)
		}
	}
}

// TestFullStillWrites: at its limit a document takes what replaces something.
func TestFullStillWrites(t *testing.T) {
	t.Parallel()
	r := open(t, datasync.Options{Actor: "me", Limits: datasync.Limits{Writes: 2}})
	edit(t, r, "/a", "1")
	edit(t, r, "/b", "1")
	flush(t, r, start)
	edit(t, r, "/a", "2")
	flush(t, r, start)
	edit(t, r, "/", `{"a":3}`)
	if _, err := r.Flush(start, nil); err == nil {
		t.Error("a third write fits into two")
	}
	shows(t, r, `{"a":3}`) // still waits
	if r.Pending() != 1 || string(r.Doc().JSON()) != `{"a":2,"b":1}` {
		t.Errorf("%d %s", r.Pending(), r.Doc().JSON())
	}
}

// TestParts: what has replaced a write may be in a later part of an answer, so a vector takes
// the parts when all are there: in order, of one answer and with none left out.
func TestParts(t *testing.T) {
	t.Parallel()
	small := datasync.Limits{Updates: 1}
	x := open(t, datasync.Options{Actor: "x"})
	edit(t, x, "/a/b", "1")
	lost := flush(t, x, start)
	edit(t, x, "/c", "2")
	second := flush(t, x, start)
	full := open(t, datasync.Options{Actor: "y", Limits: small})
	receive(t, full, lost, start)
	edit(t, full, "/a", "{}") // replaces the first
	receive(t, full, second, start)
	flush(t, full, start)

	to := open(t, datasync.Options{Actor: "z", Limits: small})
	before := to.Hello()
	answer := receive(t, full, before, start).Answer
	if len(answer) != 2 {
		t.Fatalf("%d parts", len(answer))
	}
	covers := func() bool { return to.Doc().Seen().Covers(lost.Updates[0].Stamp) }
	if got := receive(t, to, answer[0], start); got.Gap || covers() {
		t.Errorf("after the first part: a gap %v, covers %v", got.Gap, covers())
	}
	if got := receive(t, to, answer[0], start); got.Gap || covers() {
		t.Errorf("after the first part once more: a gap %v, covers %v", got.Gap, covers())
	}
	edit(t, full, "/d", "3")
	flush(t, full, start)
	other := receive(t, full, before, start).Answer
	if got := receive(t, to, other[1], start); !got.Gap || covers() {
		t.Errorf("after a part of another answer: a gap %v, covers %v", got.Gap, covers())
	}
	for i, b := range other {
		b, err := datasync.ParseBatch(b.AppendJSON(nil), small)
		if err != nil {
			t.Fatal(err)
		}
		if got := receive(t, to, b, start); got.Gap || covers() != (i == len(other)-1) {
			t.Errorf("after part %d of %d: a gap %v, covers %v", i, len(other), got.Gap, covers())
		}
	}
	if again := receive(t, full, to.Hello(), start); again.Answer != nil || again.Ask {
		t.Errorf("and once more %v", again)
	}
	named := datasync.Update{Path: "/p", Value: "1", Stamp: datasync.Stamp{Time: 1, Actor: datasync.PartOf}}
	if _, err := to.Receive(datasync.Batch{Actor: "x", Updates: []datasync.Update{named}}, start); err == nil {
		t.Error("the mark of a part is an actor")
	}
}

// TestPartOfFull: a part of an answer of as many actors as may be can be read.
func TestPartOfFull(t *testing.T) {
	t.Parallel()
	limits := datasync.Limits{Actors: 2, Updates: 1}
	x, z := open(t, datasync.Options{Actor: "x", Limits: limits}), open(t, datasync.Options{Actor: "z", Limits: limits})
	to := open(t, datasync.Options{Actor: "y", Limits: limits})
	for i, path := range []string{"/a", "/b"} {
		for _, r := range []*datasync.Replica{x, z} {
			edit(t, r, path+"-"+r.Hello().Actor, "1")
			sent := flush(t, r, start)
			if r == z {
				receive(t, x, sent, start)
			}
			if i == 0 {
				receive(t, to, sent, start)
			}
		}
	}
	for _, b := range receive(t, x, to.Hello(), start).Answer {
		b, err := datasync.ParseBatch(b.AppendJSON(nil), limits)
		if err != nil {
			t.Fatal(err)
		}
		receive(t, to, b, start)
	}
	shows(t, to, `{"a-x":1,"a-z":1,"b-x":1,"b-z":1}`)
}

// TestForgotten: after GC neither a message that comes late nor a place that was away
// brings back what was deleted.
func TestForgotten(t *testing.T) {
	t.Parallel()
	a, b := open(t, datasync.Options{Actor: "a"}), open(t, datasync.Options{Actor: "b"})
	away := open(t, datasync.Options{Actor: "c"})
	edit(t, b, "/x", `{"y":1}`)
	old := flush(t, b, start)
	receive(t, a, old, start)
	edit(t, away, "/x/z", "3")
	stale := flush(t, away, start)
	edit(t, a, "/x", "null")
	receive(t, b, flush(t, a, start.Add(time.Second)), start)
	if n := a.Collect(datasync.Vector{}); n != 0 {
		t.Errorf("%d forgotten that a place has not seen", n)
	}
	if n := a.Collect(b.Doc().Seen()); n != 1 || string(a.Doc().JSON()) != "null" {
		t.Errorf("%d %s", n, a.Doc().JSON())
	}
	receive(t, a, old, start)
	shows(t, a, "null")
	if _, err := a.Receive(stale, start); !errors.Is(err, &ui.Error{Code: datasync.CodeSnapshot}) {
		t.Error(err)
	}
	again := open(t, datasync.Options{Actor: "c2", Snapshot: a.Doc().Snapshot()})
	edit(t, again, "/x", "4")
	receive(t, a, flush(t, again, start.Add(-time.Hour)), start)
	shows(t, a, `{"x":4}`)
}

// TestForgottenMembers: what was deleted out of a value that was written whole does not
// come back when the deletion is forgotten.
func TestForgottenMembers(t *testing.T) {
	t.Parallel()
	a := open(t, datasync.Options{Actor: "a"})
	edit(t, a, "/", `{"x":{"y":1,"k":2},"z":3}`)
	whole := flush(t, a, start)
	edit(t, a, "/x/y", "null")
	edit(t, a, "/z", "null")
	flush(t, a, start)
	if n := a.Collect(); n != 2 {
		t.Errorf("%d forgotten", n)
	}
	shows(t, a, `{"x":{"k":2}}`)
	receive(t, a, whole, start)
	shows(t, a, `{"x":{"k":2}}`)
}

func TestWatches(t *testing.T) {
	t.Parallel()
	var w datasync.Watches
	if err := w.Set([]datasync.Watch{{Path: "/", Mode: datasync.OnAction},
		{Path: "/user", Mode: datasync.OnChanged, Quiet: 100 * time.Millisecond},
		{Path: "/user/secret", Mode: datasync.Never}, {Path: "/now", Mode: datasync.OnChanged}}); err != nil {
		t.Fatal(err)
	}
	ms := func(n int) time.Time { return start.Add(time.Duration(n) * time.Millisecond) }
	w.Changed("/other", ms(0))
	w.Changed("/user/secret/x", ms(0))
	w.Changed("/username", ms(0))
	if at, ok := w.Next(); ok {
		t.Error(at)
	}
	for n := range 9 { // typing, which does not stop
		w.Changed("/user/name", ms(60*n))
		if at, ok := w.Next(); !ok || at.After(ms(500)) {
			t.Error(n, at)
		}
	}
	if send := w.Due(ms(499)); send != nil {
		t.Error("before its time")
	}
	send := w.Due(ms(500))
	if send == nil || !send("/user/name") || send("/user/secret") || send("/username") {
		t.Error("not what is due")
	}
	w.Changed("/user/name", ms(600))
	w.Changed("/now", ms(600))
	if at, ok := w.Next(); !ok || !at.Equal(ms(600)) {
		t.Error(at)
	}
	if send := w.Action(); !send("/user/name") || !send("/username") || send("/user/secret/x") {
		t.Error("not what an action takes along")
	}
	if at, ok := w.Next(); ok {
		t.Error(at)
	}
	if err := w.Set([]datasync.Watch{{Path: "x"}}); err == nil {
		t.Error("a path without a slash")
	}
}

// TestManyWrites: a place that joins gets more writes than a batch may have, in several
// answers, of which a lost one is a gap; documents of so many merge.
func TestManyWrites(t *testing.T) {
	t.Parallel()
	from, to := open(t, datasync.Options{Actor: "a"}), open(t, datasync.Options{Actor: "b"})
	const most, writes = 10_000, 10_001
	for n := range writes {
		edit(t, from, fmt.Sprintf("/k%d", n), "1")
		if n%100 == 0 || n == writes-1 {
			flush(t, from, start)
		}
	}
	answer := receive(t, from, to.Hello(), start).Answer
	if len(answer) != 2 || len(answer[0].Updates) != most || len(answer[1].Updates) != writes-most {
		t.Fatalf("%d answers", len(answer))
	}
	if got := receive(t, to, answer[1], start); !got.Gap || !got.Ask {
		t.Errorf("the first answer is lost, and the gap is not seen: %v %v", got.Gap, got.Ask)
	}
	for _, b := range receive(t, from, to.Hello(), start).Answer {
		receive(t, to, b, start)
	}
	if again := receive(t, from, to.Hello(), start); again.Answer != nil || again.Ask {
		t.Error("still answering")
	}
	merged := datasync.New(datasync.Limits{})
	if done, err := merged.Merge(from.Doc()); err != nil || len(done.Paths) != writes {
		t.Fatal(len(done.Paths), err)
	}
	want := string(from.Doc().Snapshot())
	if string(to.Doc().Snapshot()) != want || string(merged.Snapshot()) != want {
		t.Error("the documents differ")
	}
	full := datasync.New(datasync.Limits{Writes: writes - 1})
	if _, err := full.Merge(from.Doc()); ui.AsError(err, "", "").Code != datasync.CodeLimit || len(full.Seen()) > 0 {
		t.Errorf("%v, and has seen %v", err, full.Seen())
	}
}

// TestDeepPaths: paths count for more than their keys, so that many deep ones do not fill the
// memory. What updates have in common counts once.
func TestDeepPaths(t *testing.T) {
	t.Parallel()
	at := func(i int) datasync.Stamp { return datasync.Stamp{Time: start.UnixMilli(), Count: i, Actor: "a"} }
	deep := func(i int) string { return fmt.Sprintf("/%x", i) + strings.Repeat("/x", 63) }
	const most = 1 << 20
	d := datasync.New(datasync.Limits{Bytes: most})
	var code ui.Code
	written := 0
	for ; code == "" && written < 200; written++ {
		_, err := d.Apply(datasync.Batch{Updates: []datasync.Update{{Path: deep(written), Value: "1", Stamp: at(written)}}})
		code = ui.AsError(err, "", "").Code
	}
	if code != datasync.CodeLimit || written < most/64/140 {
		t.Errorf("%d paths, then %q", written, code)
	}
	if _, err := datasync.Load(d.Snapshot(), datasync.Limits{Bytes: most * 9 / 10}); err == nil {
		t.Error("a snapshot counts for less")
	}
	if _, err := datasync.Load(d.Snapshot(), datasync.Limits{Bytes: most}); err != nil {
		t.Error(err)
	}
	apply(t, d, datasync.Update{Path: "/", Value: "null", Stamp: datasync.Stamp{Time: start.UnixMilli() + 1, Actor: "a"}})
	if n := d.Bytes(); n != len("null") {
		t.Errorf("%d bytes are left", n)
	}
	e := datasync.New(datasync.Limits{Bytes: 100_000})
	var list []datasync.Update
	for i := range 500 {
		list = append(list, datasync.Update{Path: fmt.Sprintf("%s/%x", deep(0)[:120], i), Value: "1", Stamp: at(i)})
	}
	apply(t, e, list...)
	before := e.Bytes()
	merged := datasync.New(datasync.Limits{Bytes: before})
	if _, err := merged.Merge(e); err != nil || merged.Bytes() != before {
		t.Errorf("%v: %d bytes, want %d", err, merged.Bytes(), before)
	}
}

// TestDescending: writes that come in the wrong order are sent in the right one.
func TestDescending(t *testing.T) {
	t.Parallel()
	d := datasync.New(datasync.Limits{})
	for i := range 1000 {
		apply(t, d, datasync.Update{Path: fmt.Sprintf("/k%d", i), Value: "1",
			Stamp: datasync.Stamp{Time: start.UnixMilli(), Count: 999 - i, Actor: "a"}})
	}
	half := datasync.Vector{"a": {Time: start.UnixMilli(), Count: 499, Actor: "a"}}
	list := d.Delta("s", "p", half).Updates
	if len(list) != 500 || list[0].Stamp.Count != 500 || list[499].Stamp.Count != 999 {
		t.Errorf("%d updates: %v", len(list), list)
	}
}

// TestHistoryIsFree: what is kept after GC does not grow with what was written and deleted.
func TestHistoryIsFree(t *testing.T) {
	t.Parallel()
	a, b := open(t, datasync.Options{Actor: "a"}), open(t, datasync.Options{Actor: "b"})
	edit(t, a, "/kept", "1")
	held := func(rounds int) string {
		for n := range rounds {
			path := fmt.Sprintf("/list/k%d", n)
			for _, value := range []string{`{"name":"x"}`, "null"} {
				edit(t, a, path, value)
				edit(t, a, "/kept", fmt.Sprint(1000+n))
				receive(t, b, flush(t, a, start), start)
			}
			for _, r := range []*datasync.Replica{a, b} {
				r.Collect(a.Doc().Seen(), b.Doc().Seen())
			}
		}
		return fmt.Sprint(a.Doc().Held(), b.Doc().Held())
	}
	if few, many := held(100), held(1000); few != many {
		t.Errorf("%s after 100 rounds, %s after 1000", few, many)
	}
}
