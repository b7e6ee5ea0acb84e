package datasync_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/ui"
)

const hlc = "2026-01-12T16:00:00.000Z:0001:"

// one is a message with an honest update and another one.
func one(path, value, hlc, versions string) string {
	return fmt.Sprintf(`{"surfaceId":"s","actorId":"b","updates":[{"path":"/fine","value":1,"hlc":`+
		`"2026-01-12T16:00:00.000Z:0000:b"},{"path":%q,"value":%s,"hlc":%q}],"versions":{%s}}`, path, value, hlc, versions)
}

// crowd is the members of a vector of n actors.
func crowd(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, `"a%d":"%sa%d",`, i, hlc, i)
	}
	return strings.TrimSuffix(out.String(), ",")
}

// hostile is messages that are made to do harm, and what they are refused with.
func hostile() map[string]badMessage {
	deep := strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000)
	return map[string]badMessage{
		"the last year":         {datasync.CodeAhead, one("/x", "1", "9999-12-31T23:59:59.999Z:9999:b", "")},
		"the first year":        {datasync.CodeStamp, one("/x", "1", "0000-01-01T00:00:00.000Z:0000:b", "")},
		"a millisecond more":    {datasync.CodeAhead, one("/x", "1", "2026-01-12T16:01:00.001Z:0000:b", "")},
		"a count of 10⁹":        {datasync.CodeStamp, one("/x", "1", "2026-01-12T16:00:00.000Z:1000000000:b", "")},
		"a colon in a name":     {datasync.CodeStamp, one("/x", "1", hlc+"a:b", "")},
		"a name in Greek":       {datasync.CodeStamp, one("/x", "1", hlc+"αβ", "")},
		"a name of 100 kB":      {datasync.CodeStamp, one("/x", "1", hlc+strings.Repeat("a", 100_000), "")},
		"a name of 1 MB":        {datasync.CodeBatch, one("/x", "1", hlc+strings.Repeat("a", 1<<20), "")},
		"the name of this one":  {datasync.CodeActor, one("/x", "1", hlc+"me", "")},
		"5,000 actors":          {datasync.CodeLimit, one("/x", "1", hlc+"b", crowd(5000))},
		"a million actors":      {datasync.CodeBatch, one("/x", "1", hlc+"b", crowd(1_000_000))},
		"a vector that lies":    {datasync.CodeStamp, one("/x", "1", hlc+"b", `"c":"`+hlc+`b"`)},
		"10,000 segments":       {datasync.CodeLimit, one(strings.Repeat("/x", 10_000), "1", hlc+"b", "")},
		"100 segments":          {datasync.CodePath, one(strings.Repeat("/x", 100), "1", hlc+"b", "")},
		"half a character":      {datasync.CodeBatch, one("/x", `"\ud800"`, hlc+"b", "")},
		"a value 1,000 deep":    {datasync.CodeBatch, one("/x", deep, hlc+"b", "")},
		"a list as a value":     {datasync.CodeValue, one("/x", "[1]", hlc+"b", "")},
		"a value of 300,000 B":  {datasync.CodeBatch, one("/x", `"`+strings.Repeat("x", 300_000)+`"`, hlc+"b", "")},
		"a path without slash":  {datasync.CodePath, one("x", "1", hlc+"b", "")},
		"a path of 2,000 bytes": {datasync.CodeLimit, one("/"+strings.Repeat("x", 2000), "1", hlc+"b", "")},
	}
}

type badMessage struct {
	code ui.Code
	body string
}

// TestHostile: a message that is made to do harm is refused as a whole, with its code, and an
// honest write of the same path counts after it. Names that are odd are names.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, tt := range hostile() {
		r := open(t, datasync.Options{Actor: "me"})
		b, err := datasync.ParseBatch([]byte(tt.body), datasync.Limits{})
		if err == nil {
			_, err = r.Receive(b, start)
		}
		if e := ui.AsError(err, "", ""); err == nil || e.Code != tt.code {
			t.Errorf("%s: %.100v, want %s", name, err, tt.code)
		}
		if string(r.Doc().JSON()) != "null" || len(r.Doc().Seen()) > 0 {
			t.Errorf("%s has changed something: %s", name, r.Doc().JSON())
		}
		edit(t, r, "/x", "2")
		if b := flush(t, r, start); b.Updates[0].Stamp.Time != start.UnixMilli() {
			t.Errorf("%s has set the clock to %v", name, b.Updates[0].Stamp)
		}
		shows(t, r, `{"x":2}`)
	}
	for path, want := range map[string]string{
		"/__proto__/x": `{"__proto__":{"x":1},"fine":1}`,
		"/a//b":        `{"a":{"":{"b":1}},"fine":1}`,
		"/~0~1":        `{"fine":1,"~/":1}`,
		"/0":           `{"0":1,"fine":1}`,
	} {
		b, err := datasync.ParseBatch([]byte(one(path, "1", hlc+"b", "")), datasync.Limits{})
		r := open(t, datasync.Options{Actor: "me"})
		if err == nil {
			_, err = r.Receive(b, start)
		}
		if err != nil || string(r.Doc().JSON()) != want {
			t.Errorf("%s: %v %s", path, err, r.Doc().JSON())
		}
	}
}

// TestSameStamp: an actor that gives one stamp to several writes, which an honest one never
// does, does not divide the others.
func TestSameStamp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		all := s.history()
		for range 1 + s(4) {
			all[s(len(all))].Stamp = all[s(len(all))].Stamp
		}
		a, b := datasync.New(datasync.Limits{}), datasync.New(datasync.Limits{})
		apply(t, a, all...)
		apply(t, b, rapid.Permutation(all).Draw(t, "order")...)
		if x, y := state(a), state(b); x != y {
			t.Fatalf("%v\none\n%s\nother\n%s", all, x, y)
		}
	})
}

// TestSameStampOften: greater and greater texts under one stamp are one write of each path, and not more in the log of
// their actor.
func TestSameStampOften(t *testing.T) {
	t.Parallel()
	d := datasync.New(datasync.Limits{})
	stamp := datasync.Stamp{Time: 1, Actor: "a"}
	for i := range 100_000 {
		if got, err := d.Apply(datasync.Batch{Actor: "a", Updates: []datasync.Update{{Path: "/" + strconv.Itoa(i%10), Value: strconv.Itoa(100_000 + i), Stamp: stamp}}}); err != nil || len(got.Paths) != 1 {
			t.Fatal(got, err)
		}
	}
	fresh := datasync.New(datasync.Limits{})
	if _, err := fresh.Apply(d.Delta("s", "a", nil)); err != nil || string(fresh.JSON()) != string(d.JSON()) || fresh.Held() != d.Held() {
		t.Errorf("%v %s: held %v, want %v", err, fresh.JSON(), d.Held(), fresh.Held())
	}
}

func opened(t *rapid.T, o datasync.Options) *datasync.Replica {
	r, err := datasync.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// meet hands batches to all places, to each in another order. All are the same then.
func meet(t *rapid.T, places []*datasync.Replica, sent []datasync.Batch) {
	for _, r := range places {
		for _, b := range rapid.Permutation(sent).Draw(t, "order") {
			if _, err := r.Receive(b, start); err != nil {
				t.Fatal(err)
			}
		}
	}
	rows := places[0].Doc().Order("/rows")
	for _, r := range places[1:] {
		x, y := state(places[0].Doc()), state(r.Doc())
		if x != y || !slices.Equal(rows, r.Doc().Order("/rows")) {
			t.Fatalf("%s\n%s", x, y)
		}
	}
}

// TestPersonWins: whatever the clocks are, within the bound: what a person writes after an
// agent has written counts, also while the agent thinks about an older document; and what is
// sent is what was seen.
func TestPersonWins(t *testing.T) {
	t.Parallel()
	writes := [][2]string{{"/user/name", `"wrote %d"`}, {"/user", `{"name":"wrote %d"}`},
		{"/", `{"user":{"name":"wrote %d"}}`}}
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		person := opened(t, datasync.Options{Actor: "r-1", Role: datasync.Renderer})
		agent := opened(t, datasync.Options{Actor: "a-1"})
		now, skew := start, time.Duration(s(120)-60)*time.Second // of the agent
		clock := func(r *datasync.Replica) time.Time {
			if r == agent {
				return now.Add(skew)
			}
			return now
		}
		send := func(from *datasync.Replica, update datasync.Update) datasync.Batch {
			if err := from.Edit(update); err != nil {
				t.Fatal(err)
			}
			seen := state(from.View())
			sent, err := from.Flush(clock(from), nil)
			if err != nil || state(from.Doc()) != seen {
				t.Fatalf("%v: sent %s, seen %s", err, state(from.Doc()), seen)
			}
			return sent
		}
		take := func(to *datasync.Replica, b datasync.Batch) {
			if _, err := to.Receive(b, clock(to)); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 1 + s(4) {
			now = now.Add(time.Duration(s(3)) * time.Millisecond)
			typed := datasync.Update{Path: "/user/name", Value: fmt.Sprintf(`"typed %d"`, i)}
			w := writes[s(len(writes))]
			wrote := datasync.Update{Path: w[0], Value: fmt.Sprintf(w[1], i)}
			switch s(2) {
			case 0: // the person has seen it
				take(person, send(agent, wrote))
				take(agent, send(person, typed))
			case 1: // both at once
				a, p := send(agent, wrote), send(person, typed)
				take(agent, p)
				take(person, a)
				again, err := person.Flush(now, nil)
				if err != nil {
					t.Fatal(err)
				}
				take(agent, again) // without updates it is a question
			}
			for _, r := range []*datasync.Replica{person, agent} {
				if got := string(r.View().JSON()); !strings.Contains(got, typed.Value) {
					t.Fatalf("the agent is %v ahead: %s, want %s", skew, got, typed.Value)
				}
			}
		}
	})
}

// TestSameGap: several put items between the same two at once: all are there, between those,
// in one order everywhere; and of one that is moved and edited at once both count.
func TestSameGap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		var places []*datasync.Replica
		var sent []datasync.Batch
		put := func(r *datasync.Replica, id, pos, value string) {
			if err := r.Edit(datasync.Update{Path: "/rows/" + id, Value: value, Pos: pos}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 2 + s(3) {
			places = append(places, opened(t, datasync.Options{Actor: fmt.Sprintf("p%d", i), Ahead: time.Hour}))
		}
		flush := func(r *datasync.Replica) {
			b, err := r.Flush(start.Add(time.Duration(s(40))*time.Second), nil)
			if err != nil {
				t.Fatal(err)
			}
			sent = append(sent, b)
		}
		share := func() { meet(t, places, sent) }
		put(places[0], "first", "a0", "{}")
		put(places[0], "last", "a1", "{}")
		flush(places[0])
		share()
		count := 2
		for i, r := range places {
			for j := range 1 + s(3) {
				pos, _ := datasync.KeyBetween("a0", "a1")
				put(r, fmt.Sprintf("n%d-%d", i, j), pos, fmt.Sprintf(`{"n":%d}`, i))
				count++
			}
			flush(r)
		}
		share()
		order := places[0].Doc().Order("/rows")
		if len(order) != count || order[0] != "first" || order[count-1] != "last" {
			t.Fatal(order)
		}
		put(places[0], "n1-0", "Zz", "")
		if err := places[1].Edit(datasync.Update{Path: "/rows/n1-0/n", Value: "77"}); err != nil {
			t.Fatal(err)
		}
		flush(places[0])
		flush(places[1])
		share()
		got := places[0].Doc()
		if got.Order("/rows")[0] != "n1-0" || !strings.Contains(string(got.JSON()), `"n1-0":{"n":77}`) {
			t.Fatalf("%v %s", got.Order("/rows"), got.JSON())
		}
	})
}
