package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// tester is what testing.T and rapid.T share.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// element is one element of a parsed picture.
type element struct {
	name string
	attr map[string]string
	text string
}

func (e element) num(t tester, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(e.attr[name], 64)
	if err != nil {
		t.Fatalf("%s %s=%q", e.name, name, e.attr[name])
	}
	return v
}

func (e element) is(class string) bool {
	return slices.Contains(strings.Fields(e.attr["class"]), class)
}

// parse reads a picture strictly and holds it to what a picture may contain.
func parse(t tester, svg []byte) []element {
	t.Helper()
	allowed := map[string]string{"svg": "xmlns role class width height viewBox direction font-family color", "title": "",
		"desc": "",
		"rect": "class x y width height rx fill fill-opacity stroke stroke-opacity stroke-width",
		"path": "class d fill stroke stroke-opacity stroke-width stroke-dasharray stroke-linecap stroke-linejoin fill-opacity",
		"text": "class x y font-size text-anchor fill fill-opacity", "line": "class x1 y1 x2 y2 stroke stroke-opacity stroke-width stroke-dasharray",
		"circle": "class cx cy r fill stroke", "g": "data-step"}
	if strings.ContainsAny(string(svg), "\n\r") {
		t.Errorf("a picture is on one line: %q", svg)
	}
	var out []element
	dec := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			attrs, ok := allowed[token.Name.Local]
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
				ok = ok && strings.Contains(" "+attrs+" ", " "+a.Name.Local+" ")
			}
			if !ok {
				t.Fatalf("<%s %v> does not belong into a picture", e.name, e.attr)
			}
			out = append(out, e)
		case xml.CharData:
			if len(out) > 0 {
				out[len(out)-1].text += string(token)
			}
		case xml.EndElement:
		default:
			t.Fatalf("%T in a picture", token)
		}
	}
}

type rect struct{ x, y, w, h float64 }

func (r rect) within(o rect, slack float64) bool {
	return r.x >= o.x-slack && r.y >= o.y-slack && r.x+r.w <= o.x+o.w+slack && r.y+r.h <= o.y+o.h+slack
}

func (r rect) meets(o rect) bool {
	return r.x < o.x+o.w && o.x < r.x+r.w && r.y < o.y+o.h && o.y < r.y+r.h
}

func (r rect) holds(x, y float64) bool {
	const edge = 1
	return x > r.x+edge && x < r.x+r.w-edge && y > r.y+edge && y < r.y+r.h-edge
}

// points samples a path of M, L, C and Z.
func points(t tester, d string) (out [][2]float64) {
	t.Helper()
	d = strings.NewReplacer("M", " M ", "L", " L ", "C", " C ", "Z", " ").Replace(d)
	words := strings.Fields(d)
	var x, y float64
	next := func() float64 {
		v, err := strconv.ParseFloat(words[0], 64)
		if err != nil {
			t.Fatalf("path %q: %v", d, err)
		}
		words = words[1:]
		return v
	}
	for len(words) > 0 {
		command := words[0]
		words = words[1:]
		switch command {
		case "M":
			x, y = next(), next()
		case "L":
			toX, toY := next(), next()
			for i := range 9 {
				k := float64(i) / 8
				out = append(out, [2]float64{x + (toX-x)*k, y + (toY-y)*k})
			}
			x, y = toX, toY
		case "C":
			ax, ay, bx, by, toX, toY := next(), next(), next(), next(), next(), next()
			for i := range 17 {
				k := float64(i) / 16
				j := 1 - k
				out = append(out, [2]float64{j*j*j*x + 3*j*j*k*ax + 3*j*k*k*bx + k*k*k*toX,
					j*j*j*y + 3*j*j*k*ay + 3*j*k*k*by + k*k*k*toY})
			}
			x, y = toX, toY
		default:
			t.Fatalf("path %q: command %q", d, command)
		}
	}
	return out
}

// check holds a picture of a process to what makes it legible: boxes apart from
// each other and inside, no edge through a box, texts inside theirs.
func check(t tester, p Process, style Style) []byte {
	t.Helper()
	b, err := p.SVG("The process", ui.Words{}, style)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if b == nil && len(p.Steps) == 0 {
		return nil
	}
	all := parse(t, b)
	page := rect{0, 0, all[0].num(t, "width"), all[0].num(t, "height")}
	var boxes, steps []rect
	for _, e := range all {
		switch {
		case e.name == "rect" && e.is("limn-step-box"):
			r := rect{e.num(t, "x"), e.num(t, "y"), e.num(t, "width"), e.num(t, "height")}
			boxes, steps = append(boxes, r), append(steps, r)
		case e.is("limn-edge-label") && e.name == "rect":
			boxes = append(boxes, rect{e.num(t, "x"), e.num(t, "y"), e.num(t, "width"), e.num(t, "height")})
		case e.is("limn-edge-label"):
			r := rect{page.w, page.h, 0, 0}
			for _, at := range points(t, e.attr["d"]) {
				if at[0] < r.x {
					r.x = at[0]
				}
				if at[1] < r.y {
					r.y = at[1]
				}
				r.w, r.h = max(r.w, at[0]), max(r.h, at[1])
			}
			r.w, r.h = r.w-r.x, r.h-r.y
			boxes = append(boxes, r)
		}
	}
	if len(steps) != len(p.Steps) {
		t.Errorf("%d boxes for %d steps", len(steps), len(p.Steps))
	}
	for i, a := range boxes {
		if !a.within(page, 0) {
			t.Errorf("box %+v is off the page %+v", a, page)
		}
		for _, b := range boxes[:i] {
			if a.meets(b) {
				t.Errorf("boxes overlap: %+v and %+v", a, b)
			}
		}
	}
	texts := 0
	for _, e := range all {
		switch {
		case e.is("limn-edge"):
			for _, at := range points(t, e.attr["d"]) {
				if !page.holds(at[0], at[1]) {
					t.Errorf("an edge leaves the page at %v", at)
				}
				for _, r := range boxes {
					if r.holds(at[0], at[1]) {
						t.Fatalf("an edge runs through the box %+v at %v", r, at)
					}
				}
			}
		case e.name == "text":
			texts++
			size := int(e.num(t, "font-size") * px)
			w := float64(width(e.text, size)) / px
			r := rect{e.num(t, "x") - w/2, e.num(t, "y") - float64(size)/px, w, float64(size) / px}
			inside := false
			for _, box := range boxes {
				inside = inside || r.within(box, 0.5)
			}
			if !inside {
				t.Errorf("the text %q at %+v is in no box", e.text, r)
			}
		}
	}
	if texts < len(p.Steps) {
		t.Errorf("%d texts for %d steps", texts, len(p.Steps))
	}
	return b
}

func TestSamplesAreLegible(t *testing.T) {
	t.Parallel()
	for name, p := range samples {
		t.Run(name, func(t *testing.T) { check(t, p, Alone) })
	}
}

// TestDeterminismOfProcesses and legibility, of any process.
func TestDeterminismOfProcesses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		p := randomProcess(rt)
		first := check(rt, p, Inline)
		again, err := p.SVG("The process", ui.Words{}, Inline)
		if err != nil || string(again) != string(first) {
			rt.Errorf("drawn again it differs: %v", err)
		}
	})
}

func randomProcess(rt *rapid.T) Process {
	words := rapid.SampledFrom([]string{"", "Review", "Sign off", "Überprüfungsausschusssitzungsprotokollgenehmigung",
		"Inform customers and suppliers about everything that is new", "请求审批采购订单并附上所有必要的文件", "W",
		"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW"})
	var p Process
	n := rapid.IntRange(0, 14).Draw(rt, "steps")
	for i := range n {
		p.Steps = append(p.Steps, Step{ID: fmt.Sprint("s", i), N: i + 1, Name: words.Draw(rt, "name"),
			Owner: words.Draw(rt, "owner")})
	}
	for range rapid.IntRange(0, 2*n).Draw(rt, "edges") {
		p.Edges = append(p.Edges, Edge{From: rapid.IntRange(0, n-1).Draw(rt, "from"),
			To:          rapid.IntRange(0, n-1).Draw(rt, "to"),
			Kind:        rapid.SampledFrom([]EdgeKind{Sequence, Sequence, Approval, Parallel}).Draw(rt, "kind"),
			Conditional: rapid.Bool().Draw(rt, "if")})
	}
	return p
}

// TestLargeProcess draws what is just allowed, and refuses one more.
func TestLargeProcess(t *testing.T) {
	t.Parallel()
	var p Process
	for i := range builtin.MaxDiagramSteps {
		p.Steps = append(p.Steps, Step{ID: fmt.Sprint("s", i), N: i + 1, Name: "A step of some length",
			Owner: "Somebody"})
	}
	for i := range 2 * builtin.MaxDiagramSteps {
		from := i % builtin.MaxDiagramSteps
		p.Edges = append(p.Edges, Edge{From: from, To: (from + 1 + i/builtin.MaxDiagramSteps) % builtin.MaxDiagramSteps,
			Kind: Sequence})
	}
	check(t, p, Alone)
	for name, more := range map[string]Process{
		"steps": {Steps: append(p.Steps, Step{Name: "One more"})},
		"edges": {Steps: p.Steps[:2], Edges: slices.Repeat([]Edge{{To: 1}}, 29)},
	} {
		if _, err := more.SVG("", ui.Words{}, Alone); ui.CodeOf(err) != ui.CodeLimit {
			t.Errorf("too many %s: %v", name, err)
		}
	}
	far := chain(builtin.MaxDiagramSteps, 0) // many edges over many ranks
	for i := range 16 {
		far.Edges = append(far.Edges, Edge{From: i, To: 183 + i})
	}
	if _, err := far.SVG("", ui.Words{}, Alone); ui.CodeOf(err) != ui.CodeLimit {
		t.Errorf("bends: %v", err)
	}
}

// chain is a process of n steps, one after the other, and that many returns to its start.
func chain(n, returns int) (p Process) {
	for i := range n {
		p.Steps = append(p.Steps, Step{ID: fmt.Sprint("s", i), N: i + 1, Name: "A step"})
		if i > 0 {
			p.Edges = append(p.Edges, Edge{From: i - 1, To: i, Kind: Sequence})
		}
	}
	for i := range returns {
		p.Edges = append(p.Edges, Edge{From: n - 1 - i*n/returns/2, To: i % 3, Kind: Sequence})
	}
	return p
}

// TestReturns: a long process with returns to its start is drawn.
func TestReturns(t *testing.T) {
	t.Parallel()
	for n, returns := range map[int]int{200: 15, 150: 12, 100: 30, 60: 60} {
		if _, err := chain(n, returns).SVG("", ui.Words{}, Alone); err != nil {
			t.Errorf("%d steps, %d returns: %v", n, returns, err)
		}
	}
}

// FuzzProcess: whatever the cells hold, the picture is well-formed, and holds
// nothing but shapes and text.
func FuzzProcess(f *testing.F) {
	for _, x := range []string{"Review", `"><script>alert(1)</script>`, `' onload='x`, "]]>", "<!--", "&lt;",
		"a\x00b\x1f\u0085\ufffe\uffff", "\xff\xfe\xed\xa0\x80", "\u202eabc\u2066", "\u200d\u200d",
		strings.Repeat("\u0301", 500), strings.Repeat("long ", 200)} {
		f.Add(x, x, "approval")
	}
	f.Fuzz(func(t *testing.T, name, owner, kind string) {
		row := func(id string, pairs ...ui.Pair) ui.Record {
			return ui.Record{ID: id, Order: id, Cells: ui.Map(pairs...)}
		}
		steps := ui.Rows(row("s1", ui.Pair{Key: "name", Value: ui.String(name)},
			ui.Pair{Key: "owner", Value: ui.String(owner)}),
			row("s2", ui.Pair{Key: "name", Value: ui.Strings(owner, name)}))
		edges := ui.Rows(row("e1", ui.Pair{Key: "from", Value: ui.String("s1")},
			ui.Pair{Key: "to", Value: ui.String("s2")}, ui.Pair{Key: "kind", Value: ui.String(kind)}),
			row("e2", ui.Pair{Key: "from", Value: ui.String(name)}, ui.Pair{Key: "to", Value: ui.Int(3)}))
		p := Read(steps, edges, false)
		b, err := p.SVG(name, ui.Words{"edge.approval": owner}, Inline)
		if err != nil {
			t.Fatal(err)
		}
		if b != nil {
			parse(t, b)
		}
		for _, line := range p.Words(ui.Words{}) {
			if strings.ContainsAny(line, "\n\r\x00\u202e") {
				t.Errorf("line %q", line)
			}
		}
	})
}

func TestWords(t *testing.T) {
	t.Parallel()
	p := process([]string{"Review invoice|finance", "Sign off|IT", "", "Archive"}, "2>4 parallel ?", "1>2 approval",
		"2>1 ?")
	want := []string{"Review invoice (finance) → Sign off (IT) [approval]",
		"Sign off (IT) → Archive [parallel, conditional]", "Sign off (IT) → Review invoice (finance) [conditional]",
		"Step 3"}
	if diff := cmp.Diff(want, p.Words(ui.Words{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestRead leaves out what is about to be filled in, and nothing else.
func TestRead(t *testing.T) {
	t.Parallel()
	step := func(id, name, owner string) ui.Record {
		return ui.Record{ID: id, Order: id, Cells: ui.Map(ui.Pair{Key: "name", Value: ui.String(name)},
			ui.Pair{Key: "owner", Value: ui.String(owner)})}
	}
	edge := func(id, from, to, kind string) ui.Record {
		return ui.Record{ID: id, Order: id, Cells: ui.Map(ui.Pair{Key: "from", Value: ui.String(from)},
			ui.Pair{Key: "to", Value: ui.String(to)},
			ui.Pair{Key: "kind", Value: ui.String(kind)}, ui.Pair{Key: "conditional", Value: ui.Bool(id == "e2")})}
	}
	steps := ui.Rows(step("a", "Ask\n now", ""), step("b", " ", ""), step("c", "", "Bo"), step("d", "", ""))
	edges := ui.Rows(edge("e1", "a", "c", "approval"), edge("e2", "c", "d", "other"), edge("e3", "a", "", "sequence"),
		edge("e4", "a", "gone", ""), edge("e5", "a", "c", "approval"))
	value := func(p ui.Path) ui.Value {
		return map[ui.Path]ui.Value{"/draft/steps": steps, "/draft/edges": edges}[p]
	}
	wantSteps := []Step{{"a", 1, "Ask now", ""}, {"c", 3, "", "Bo"}, {"d", 4, "", ""}}
	wantEdges := []Edge{{0, 1, Approval, false}, {1, 2, Sequence, true}}
	both := Process{wantSteps, wantEdges}
	for name, c := range map[string]struct {
		node *ui.Diagram
		want Process
	}{
		"paths": {&ui.Diagram{Steps: "/draft/steps", Edges: "/draft/edges"}, both},
		"chain": {&ui.Diagram{Steps: "/draft/steps"}, Process{wantSteps[:2], []Edge{{0, 1, Sequence, false}}}},
		"data":  {&ui.Diagram{Data: ui.Map(ui.Pair{Key: "steps", Value: steps}, ui.Pair{Key: "edges", Value: edges})}, both},
		"none":  {&ui.Diagram{Steps: "/draft/other"}, Process{}},
	} {
		if diff := cmp.Diff(c.want, Of(c.node, value)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		lines int
		want  []string
	}{
		{"", 3, nil}, {"Pay", 3, []string{"Pay"}}, {"Check the amounts twice", 3, []string{"Check the", "amounts twice"}},
		{"Check the amounts twice", 1, []string{"Check the…"}}, {"Donaudampfschiffahrtsgesellschaft", 9, []string{"Donaudampfs", "chiffahrtsgesell", "schaft"}},
		{"👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 9, []string{"👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"}},
	} {
		if diff := cmp.Diff(c.want, wrap(c.text, nameSize, 100*px, c.lines)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", c.text, diff)
		}
	}
}
