package datasync_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/ui"
)

var update = flag.Bool("update", false, "write web/datasync/test/vectors.json anew")

const vectorsFile = "../web/datasync/test/vectors.json"

// vectors are histories with what this package makes of them, for the replica of the
// browser: web/datasync has to make the same bytes.
type vectors struct {
	Stamps   [][2]string     `json:"stamps"`   // a text, and the stamp that it is; "" none
	Values   [][2]string     `json:"values"`   // a text, and its canonical form; "" none
	Keys     [][3]string     `json:"keys"`     // two positions and one between them; "" none
	Rows     []rowsVector    `json:"rows"`     // many positions between two
	Docs     []docVector     `json:"docs"`     // batches in some order
	Places   []placeVector   `json:"places"`   // what one place of a network did and saw
	Watches  []watchVector   `json:"watches"`  // rules, changes and what was due
	Messages []messageVector `json:"messages"` // bodies that are read and written again, or refused
}

type rowsVector struct {
	A, B string
	Keys []string
}

type messageVector struct {
	Body string
	Want string  `json:",omitempty"`
	Code ui.Code `json:",omitempty"`
}

type docVector struct {
	Writes, Bytes, Actors int      // limits
	Batches               []string // JSON bodies
	Results               []string // of each: the paths that are others, gap, or a code
	State                 string   // JSON and the orders of lists
	Snapshot              []byte
	All, Seen, Delta      string // updates that are written; a stamp; those after it
}

type placeVector struct {
	Actor string
	Steps []placeStep
	State string
}

// placeStep is one call and its result.
type placeStep struct {
	Do     string // edit, flush, hello, receive, restart
	Now    int64  `json:",omitempty"`
	In     string `json:",omitempty"` // an update, a batch, a prefix of paths, or a snapshot
	Out    string `json:",omitempty"`
	Last   string // the clock
	Shows  string // the view
	Stored []byte `json:",omitempty"`
}

type watchVector struct{ Steps []watchStep }

type watchStep struct {
	Do    string // set, changed, next, due, action
	Now   int64  `json:",omitempty"`
	In    string `json:",omitempty"`
	Rules []watchRule
	Out   string `json:",omitempty"`
}

type watchRule struct {
	Path  string `json:"path"`
	Mode  string `json:"mode"`
	Quiet int64  `json:"quiet"`
}

func codeOf(err error) string { return string(ui.AsError(err, "NONE", "").Code) }

// TestVectors: web/datasync/test/vectors.json is what this package makes. With
// LIMN_VECTORS=FILE it writes LIMN_VECTORS_RUNS other histories to FILE instead.
func TestVectors(t *testing.T) {
	t.Parallel()
	if file := os.Getenv("LIMN_VECTORS"); file != "" {
		runs, err := strconv.Atoi(os.Getenv("LIMN_VECTORS_RUNS"))
		if err != nil {
			t.Fatal("LIMN_VECTORS_RUNS is no number")
		}
		if err := os.WriteFile(file, makeVectors(t, uint64(time.Now().UnixNano()), runs), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got := makeVectors(t, 18, 12)
	if *update {
		if err := os.WriteFile(vectorsFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(vectorsFile)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the file differs (%v): run 'go test ./datasync -run Vectors -update', read the difference, and "+
			"run 'npm run unit --prefix web'", err)
	}
}

// makeVectors writes one case a line.
func makeVectors(t *testing.T, seed uint64, runs int) []byte {
	t.Helper()
	s := source(rand.New(rand.NewPCG(seed, 1)).IntN)
	var v vectors
	for range runs {
		for range 8 {
			v.Stamps = append(v.Stamps, s.stampVector())
			v.Values = append(v.Values, s.valueVector())
			v.Messages = append(v.Messages, s.messageVector())
		}
		v.keyVectors(s)
		v.Docs = append(v.Docs, s.docVectors()...)
		place, err := s.placeVector()
		if err != nil {
			t.Fatal(err)
		}
		v.Places = append(v.Places, place)
		v.Watches = append(v.Watches, s.watchVector())
	}
	all, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var parts map[string][]json.RawMessage
	if err := json.Unmarshal(all, &parts); err != nil {
		t.Fatal(err)
	}
	out := []byte("{\n")
	for i, name := range []string{"stamps", "values", "messages", "keys", "rows", "docs", "places", "watches"} {
		if i > 0 {
			out = append(out, ",\n"...)
		}
		out = fmt.Appendf(out, "%q: [\n", name)
		for j, one := range parts[name] {
			if j > 0 {
				out = append(out, ",\n"...)
			}
			out = append(out, one...)
		}
		out = append(out, "\n]"...)
	}
	return append(out, "\n}\n"...)
}

// pick is one of a list.
func (s source) pick(list ...string) string { return list[s(len(list))] }

// spoil changes a text a little, mostly not.
func (s source) spoil(text string) string {
	if text == "" || s(3) > 0 {
		return text
	}
	runes := []rune(text)
	at := s(len(runes))
	return string(runes[:at]) + s.pick("", "0", ":", "\"", "-", "é", "\\", " ", ",", "9") + string(runes[at+s(2):])
}

func (s source) stampVector() [2]string {
	zone := s.pick("Z", "Z", "+00:00", "-01:30", "+14:00", "+24:00", "z", "-24:60", "")
	text := fmt.Sprintf("%s-%s-%sT%s:%s:%s%s%s:%s:%s",
		s.pick("2026", "1970", "9999", "0000", "1969", "2024", "1900"), s.pick("01", "02", "12", "13", "00", "06"),
		s.pick("01", "28", "29", "30", "31", "00", "32"), s.pick("00", "23", "24", "5", "16"), s.pick("00", "59", "60"),
		s.pick("00", "59", "60"), s.pick("", ".000", ".5", ".12", ".123456789", ",25", ".9999", "."), zone,
		s.pick("0000", "0001", "9999", "10000", "1", "", "-1", "+1", "000001", "0x1"),
		s.pick("a", "agent-1", "r_1.x~y", "", "a b", "é", strings.Repeat("x", 64), strings.Repeat("x", 65)))
	text = s.spoil(text)
	stamp, err := datasync.ParseStamp(text)
	if err != nil {
		return [2]string{text}
	}
	return [2]string{text, stamp.String()}
}

// json draws a JSON text, some with what is unusual.
func (s source) json(depth int) string {
	switch n := s(12); {
	case n < 3 && depth < 4:
		var out []string
		for range s(4) {
			out = append(out, fmt.Sprintf("%s:%s", s.key(), s.json(depth+1)))
		}
		return "{" + strings.Join(out, s.pick(",", " , ")) + "}"
	case n == 3 && depth > 0 && depth < 4:
		var out []string
		for range s(3) {
			out = append(out, s.json(depth+1))
		}
		return "[" + strings.Join(out, ",") + "]"
	case n < 7:
		return s.pick("0", "-0", "1.50", "1e3", "1E+3", "123456789012345678901", "0.1", "01", "-", "1.", "42", "7", "7")
	case n < 9:
		return s.pick("true", "false", "null", "nul")
	}
	return s.pick(`"Ann"`, `"<b>&"`, `"é😀\u00e9"`, `"\ud83d\ude00"`, `"\ud800"`, "\"\u2028\u2029\"",
		`"a\/b\\\"\b\f\n\r\t"`,
		`"\u0001\u001f"`, "\"\x7f\"", `"`, `""`, "\"\uE000\"", "\"\uFFFD\"", `"\u12"`, "\"\t\"")
}

func (s source) key() string {
	return s.pick(`"a"`, `"b"`, `"c"`, `"pos"`, `"__proto__"`, `"é"`, `"😀"`, "\"\uE000\"", `"a\u0062"`, `"~/"`, `""`)
}

func (s source) valueVector() [2]string {
	text := s.spoil(s.json(0))
	d := datasync.New(datasync.Limits{})
	stamp := datasync.Stamp{Time: 1, Actor: "a"}
	if _, err := d.Apply(datasync.Batch{Updates: []datasync.Update{{Path: "/", Value: text, Stamp: stamp}}}); err != nil ||
		text == "null" {
		return [2]string{text}
	}
	return [2]string{text, string(d.JSON())}
}

func (s source) messageVector() messageVector {
	var updates []string
	for range s(3) {
		u := fmt.Sprintf(`"path":"%s","hlc":"2026-01-12T16:00:0%dZ:%d:%s"`, s.pick("/", "", "/a", "/a/b", "a", "/~2", "/~01"),
			s(10), s(20), s.pick("p", "q"))
		if s(3) > 0 {
			u += `,"value":` + s.json(0)
		}
		if s(3) == 0 {
			u += `,"pos":` + s.pick(`"a0"`, `""`, `"a1"`, "3")
		}
		updates = append(updates, "{"+u+"}")
	}
	body := s.spoil(fmt.Sprintf(`{"surfaceId":"s","actorId":"%s","updates":[%s],"versions":{%s}}`, s.pick("p", "q", "a b"),
		strings.Join(updates, ","), s.pick("", `"p":"2026-01-12T16:00:00Z:0:p"`, `"p":"2026-01-12T16:00:00Z:0:q"`, `"p":1`)))
	b, err := datasync.ParseBatch([]byte(body), datasync.Limits{})
	if err != nil {
		return messageVector{Body: body, Code: ui.Code(codeOf(err))}
	}
	d := datasync.New(datasync.Limits{})
	want := string(b.AppendJSON(nil))
	if _, err := d.Apply(b); err != nil {
		return messageVector{Body: body, Want: want, Code: ui.Code(codeOf(err))}
	}
	return messageVector{Body: body, Want: want + "\n" + state(d)}
}

func (v *vectors) keyVectors(s source) {
	list := datasync.Keys("", "", s(4))
	for range 12 {
		at := s(len(list) + 1)
		a, b := "", ""
		if at > 0 {
			a = list[at-1]
		}
		if at < len(list) {
			b = list[at]
		}
		key, _ := datasync.KeyBetween(a, b)
		v.Keys = append(v.Keys, [3]string{a, b, key})
		list = append(list[:at:at], append([]string{key}, list[at:]...)...)
	}
	odd := []string{"", "a0", "a", "an", "A00000000000000000000000000", "A00000000000000000000000001", "a00", "Zz",
		"Y00", "Zzz", "zzzzzzzzzzzzzzzzzzzzzzzzzzz", "é", "bzz", "a0V"}
	a, b := s.pick(odd...), s.pick(odd...)
	key, _ := datasync.KeyBetween(a, b)
	v.Keys = append(v.Keys, [3]string{a, b, key})
	v.Rows = append(v.Rows, rowsVector{"a0", "a1", datasync.Keys("a0", "a1", s(80))},
		rowsVector{"", "", datasync.Keys("", "", s(5))})
}

// docVectors is one history in three orders, and as an answer in parts.
func (s source) docVectors() (out []docVector) {
	all := s.history()
	for i := range all {
		if s(4) == 0 && all[i].Value != "" && all[i].Value != "null" {
			all[i].Value = s.pick(`"é"`, `{"😀":1,"\uE000":{"b":2}}`, "1.50", `{"pos":"a0","list":[1,{"b":2}]}`)
		}
	}
	seen := all[0].Stamp
	for range 3 {
		var list []datasync.Batch
		for i := 0; i < len(all); {
			b := datasync.Batch{Surface: "s", Actor: "p", Versions: datasync.Vector{}}
			for range 1 + s(3) {
				b.Updates = append(b.Updates, all[i])
				if s(3) == 0 {
					b.Versions[all[i].Stamp.Actor] = datasync.Stamp{Time: start.UnixMilli() + int64(s(4)), Count: s(12),
						Actor: all[i].Stamp.Actor}
				}
				if i++; i == len(all) {
					break
				}
			}
			list = append(list, b)
		}
		l := datasync.Limits{Writes: 10 + s(20), Bytes: 600 + s(2000), Actors: 2 + s(3)}
		out = append(out, docVectorOf(l, list, seen))
		for i := range all {
			j := s(i + 1)
			all[i], all[j] = all[j], all[i]
		}
	}
	return append(out, docVectorOf(datasync.Limits{Writes: 1000, Bytes: 100_000, Actors: 10}, s.parts(all), seen))
}

// parts are what comes of an answer that is cut: some late, twice or not at all.
func (s source) parts(all []datasync.Update) []datasync.Batch {
	from, err := datasync.Open(datasync.Options{Surface: "s", Actor: "a", Limits: datasync.Limits{Updates: 1 + s(3)}})
	if err != nil {
		panic(err)
	}
	for _, u := range all {
		if s(3) > 0 {
			_, _ = from.Receive(datasync.Batch{Actor: "p", Updates: []datasync.Update{u}}, start)
		}
	}
	got, _ := from.Receive(datasync.Batch{Actor: "p"}, start)
	list := got.Answer
	for range s(3) {
		if n := len(list); n > 0 {
			i := s(n)
			list = slices.Insert(list, s(n), list[i])
		}
	}
	if n := len(list); n > 0 && s(3) == 0 {
		list = slices.Delete(list, n-1, n)
	}
	return list
}

// docVectorOf is what a document makes of batches.
func docVectorOf(l datasync.Limits, list []datasync.Batch, seen datasync.Stamp) docVector {
	d := datasync.New(l)
	one := docVector{Writes: l.Writes, Bytes: l.Bytes, Actors: l.Actors, Batches: []string{}, Results: []string{}}
	for _, b := range list {
		body := b.AppendJSON(nil)
		one.Batches = append(one.Batches, string(body))
		b, err := datasync.ParseBatch(body, datasync.Limits{})
		if err != nil {
			one.Results = append(one.Results, codeOf(err))
			continue
		}
		done, err := d.Apply(b)
		if err != nil {
			one.Results = append(one.Results, codeOf(err))
			continue
		}
		one.Results = append(one.Results, fmt.Sprint(done.Paths, done.Gap))
	}
	one.State, one.Snapshot = state(d), d.Snapshot()
	one.Seen = seen.String()
	one.All = string(d.Delta("s", "p", nil).AppendJSON(nil))
	one.Delta = string(d.Delta("s", "p", datasync.Vector{seen.Actor: seen}).AppendJSON(nil))
	return one
}

// placeVector is what a renderer did among agents that lose, repeat and forget.
func (s source) placeVector() (placeVector, error) {
	agents := []*datasync.Replica{}
	for _, name := range []string{"a-1", "a-2"} {
		r, err := datasync.Open(datasync.Options{Surface: "s", Actor: name})
		if err != nil {
			return placeVector{}, err
		}
		agents = append(agents, r)
	}
	me := datasync.Options{Surface: "s", Actor: "r-1", Role: datasync.Renderer}
	r, err := datasync.Open(me)
	if err != nil {
		return placeVector{}, err
	}
	v := placeVector{Actor: me.Actor}
	now := start
	note := func(step placeStep) {
		step.Now = now.UnixMilli()
		step.Last, step.Shows = r.Last().String(), state(r.View())
		v.Steps = append(v.Steps, step)
	}
	receive := func(b datasync.Batch) {
		got, err := r.Receive(b, now)
		out := codeOf(err)
		if err == nil {
			out = fmt.Sprint(got.Paths, got.Gap, got.Ask, got.Kept)
			for _, answer := range got.Answer {
				out += string(answer.AppendJSON(nil))
				_, _ = agents[s(2)].Receive(answer, now)
			}
		}
		note(placeStep{Do: "receive", In: string(b.AppendJSON(nil)), Out: out})
	}
	var wire []datasync.Batch // to the renderer
	for range 30 {
		now = now.Add(time.Duration(s(3)) * time.Millisecond)
		agent := agents[s(2)]
		switch s(11) {
		case 0, 1, 2:
			u := s.write()
			in, _ := json.Marshal(map[string]string{"path": u.Path, "value": u.Value, "pos": u.Pos})
			note(placeStep{Do: "edit", In: string(in), Out: codeOf(r.Edit(u))})
		case 3, 4:
			prefix := s.pick("", "", "/a", "/b")
			b, err := r.Flush(now, func(path string) bool { return strings.HasPrefix(path, prefix) })
			if err != nil {
				return v, err
			}
			note(placeStep{Do: "flush", In: prefix, Out: string(b.AppendJSON(nil))})
			for _, a := range agents {
				if len(b.Updates) > 0 && s(2) == 0 {
					_, _ = a.Receive(b, now)
				}
			}
		case 5, 6:
			_ = agent.Edit(s.write())
			b, err := agent.Flush(now.Add(time.Duration(s(90))*time.Second*time.Duration(s(2))), nil)
			if err != nil {
				return v, err
			}
			wire = append(wire, b)
			if s(2) == 0 {
				_, _ = agents[0].Receive(b, now)
			}
		case 7, 8:
			if len(wire) > 0 {
				receive(wire[s(len(wire))])
			}
		case 9:
			if s(2) == 0 {
				receive(agent.Hello())
				break
			}
			b := r.Hello()
			note(placeStep{Do: "hello", Out: string(b.AppendJSON(nil))})
			if got, err := agent.Receive(b, now); err == nil {
				for _, answer := range got.Answer {
					receive(answer)
				}
			}
		case 10:
			if s(3) > 0 {
				break
			}
			if s(2) == 0 {
				r.Collect(r.Doc().Seen())
			}
			me.Snapshot, me.Last = r.Doc().Snapshot(), r.Last()
			if r, err = datasync.Open(me); err != nil {
				return v, err
			}
			note(placeStep{Do: "restart", In: base64.StdEncoding.EncodeToString(me.Snapshot), Out: me.Last.String()})
		}
	}
	v.State = state(r.View())
	return v, nil
}

func (s source) watchVector() (v watchVector) {
	var w datasync.Watches
	now := start
	paths := []string{"/", "/a", "/a/b", "/ab", "", "/c", "x"}
	all := func(send func(string) bool) string {
		if send == nil {
			return "nothing"
		}
		out := ""
		for _, path := range []string{"/", "/a", "/a/b", "/a/b/c", "/ab", "/c/d"} {
			if send(path) {
				out += path + " "
			}
		}
		return out
	}
	for range 20 {
		now = now.Add(time.Duration(s(200)) * time.Millisecond)
		step := watchStep{Now: now.UnixMilli()}
		switch s(8) {
		case 0:
			step.Do = "set"
			var rules []datasync.Watch
			for range 1 + s(4) {
				n := s(3)
				rule := datasync.Watch{Path: s.pick(paths[:6]...), Mode: datasync.Mode(n), Quiet: time.Duration(s(5)*100) *
					time.Millisecond}
				rules = append(rules, rule)
				step.Rules = append(step.Rules, watchRule{rule.Path, []string{"never", "onAction", "onChanged"}[n],
					rule.Quiet.Milliseconds()})
			}
			if err := w.Set(rules); err != nil {
				step.Out = codeOf(err)
			}
		case 1, 2, 3:
			step.Do, step.In = "changed", s.pick("/a", "/a/b", "/a/b/c", "/ab", "/c/d")
			w.Changed(step.In, now)
		case 4, 5:
			step.Do, step.Out = "next", "nothing"
			if at, ok := w.Next(); ok {
				step.Out = fmt.Sprint(at.UnixMilli())
			}
		case 6:
			step.Do, step.Out = "due", all(w.Due(now))
		case 7:
			step.Do, step.Out = "action", all(w.Action())
		}
		v.Steps = append(v.Steps, step)
	}
	return v
}
