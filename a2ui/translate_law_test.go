package a2ui_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
	"pgregory.net/rapid"
)

// turnGen draws the turns of a server that knows what it does: a surface whose
// components form a tree, whose bindings have data of the right kind, and
// updates of both.
type turnGen struct {
	*gen
	flat  bool
	root  string
	comps map[string]a2ui.Component
	n     int
}

func newTurns(t *rapid.T, d a2ui.Dialect) *turnGen {
	s := &turnGen{gen: newGen(t, d), flat: d.Features().FlatData, root: "root", comps: map[string]a2ui.Component{}}
	if s.flat {
		s.root = rapid.SampledFrom([]string{"top", "root", "c#root"}).Draw(t, "root")
	}
	return s
}

// turns returns a few batches; the first shows the surface.
func (s *turnGen) turns() [][]a2ui.Message {
	first := s.tree(s.root, 3, false)
	if s.flip("stray") && s.flat {
		first = append(first, a2ui.Component{ID: "root", Type: "Divider"}) // drawn by nobody, unless it is the root
		first = slices.CompactFunc(first, func(a, b a2ui.Component) bool { return a.ID == b.ID })
	}
	ids := map[string]bool{}
	first = slices.DeleteFunc(first, func(c a2ui.Component) bool { dup := ids[c.ID]; ids[c.ID] = true; return dup })
	var batch []a2ui.Message
	for len(first) > 0 {
		n := 1 + s.pick(len(first))
		batch = append(batch, &a2ui.UpdateComponents{SurfaceID: "s", Components: first[:n:n]})
		first = first[n:]
	}
	data := s.model()
	if s.flip("data first") {
		batch = append(data, batch...)
	} else {
		batch = append(batch, data...)
	}
	create := &a2ui.CreateSurface{SurfaceID: "s", CatalogID: s.cat.ID, Root: s.root}
	if s.d.Features().CreateLast {
		batch = append(batch, create)
	} else {
		batch = append([]a2ui.Message{create}, batch...)
	}
	turns := [][]a2ui.Message{batch}
	for range s.pick(4) {
		turns = append(turns, s.turn())
	}
	return turns
}

// turn changes something of what is there.
func (s *turnGen) turn() []a2ui.Message {
	switch s.pick(5) {
	case 0:
		return s.model()
	case 1:
		return []a2ui.Message{s.patch()}
	case 2, 3:
		var ids []string
		for id := range s.comps {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		id := ids[s.pick(len(ids))]
		list := s.component(id, 2, strings.HasPrefix(id, "in"))
		if s.comps[id].Type != "" && s.flip("split") {
			return []a2ui.Message{&a2ui.UpdateComponents{SurfaceID: "s", Components: list[1:]},
				&a2ui.UpdateComponents{SurfaceID: "s", Components: list[:1]}}[min(1, max(0, 2-len(list))):]
		}
		return []a2ui.Message{&a2ui.UpdateComponents{SurfaceID: "s", Components: list}}
	}
	return []a2ui.Message{s.patch(), s.patch()}
}

func (s *turnGen) id(inside bool) string {
	s.n++
	if inside {
		return fmt.Sprint("in", s.n)
	}
	return fmt.Sprint("out", s.n)
}

// tree is a component and all below it, the parent first.
func (s *turnGen) tree(id string, depth int, inside bool) []a2ui.Component {
	return s.component(id, depth, inside)
}

func (s *turnGen) component(id string, depth int, inside bool) []a2ui.Component {
	containers := []string{"Column", "Row", "List", "Card", "Tabs", "Modal"}
	leaves := []string{"Text", "Text", "Image", "Icon", "Video", "AudioPlayer", "Divider", "Button", "TextField",
		"CheckBox", "ChoicePicker", "Slider", "DateTimeInput"}
	typ := leaves[s.pick(len(leaves))]
	if depth > 0 && (id == s.root || s.flip("container")) {
		typ = containers[s.pick(len(containers))]
	}
	if old := s.comps[id]; id == s.root && old.Type != "" {
		typ = old.Type
	}
	def := s.cat.Components[typ]
	c := a2ui.Component{ID: id, Type: typ}
	var below []a2ui.Component
	child := func(inside bool) string {
		kid := s.id(inside)
		below = append(below, s.component(kid, depth-1, inside)...)
		return kid
	}
	for _, p := range def.Props {
		if p.Name == "maxAllowedSelections" || !p.Required && !s.flip(p.Name) {
			continue
		}
		var v a2ui.Value
		switch p.Kind {
		case wire.Child:
			v = a2ui.Ref(child(inside))
		case wire.Children:
			refs := a2ui.Refs{}
			if !inside && s.flip("template") {
				v = a2ui.Template{Component: child(true), Path: s.one("/rows", "/none", "/empty")}
				break
			}
			for range s.pick(4) {
				refs = append(refs, child(inside))
			}
			v = refs
		case wire.TabList:
			v = a2ui.Tabs{{Title: s.dynamic(wire.DynString, inside), Child: child(inside)}}
		default:
			v = s.property(p, inside)
		}
		c.Props = append(c.Props, a2ui.Prop{Name: p.Name, Value: v})
	}
	c = s.canonical(c)
	s.comps[id] = c
	return append([]a2ui.Component{c}, below...)
}

func (s *turnGen) one(from ...string) string { return rapid.SampledFrom(from).Draw(s.T, s.name("one")) }

// property draws what a property may hold.
func (s *turnGen) property(p a2ui.PropDef, inside bool) a2ui.Value {
	switch p.Kind {
	case wire.DynString, wire.DynNumber, wire.DynBool, wire.DynStrings:
		return s.dynamic(p.Kind, inside)
	case wire.IconName:
		if s.flip("bound") {
			return a2ui.Path("/text")
		}
		return a2ui.String(p.Enum[s.pick(len(p.Enum))])
	case wire.OptionList:
		return a2ui.Options{{Label: s.dynamic(wire.DynString, inside), Value: "a"},
			{Label: a2ui.String("B"), Value: "b"}}
	case wire.ActionValue:
		e := a2ui.Event{Name: "go", Context: []a2ui.Prop{{Name: "k", Value: s.dynamic(wire.DynString, inside)},
			{Name: "n", Value: literal(s.num())},
			{Name: "p", Value: a2ui.Path(s.one("/rows", "/list", "/deep", "/nul", "/empty"))}}}

		if !s.flat && s.flip("local") {
			return a2ui.Local{Call: a2ui.Call{Func: "openUrl", ReturnType: s.returns("void"),
				Args: []a2ui.Prop{{Name: "url", Value: a2ui.String("https://x.test/")}}}}
		}
		return e
	case wire.CheckList:
		list := a2ui.Checks{{Condition: a2ui.Call{Func: "required", ReturnType: s.returns("boolean"),
			Args: []a2ui.Prop{{Name: "value", Value: s.dynamic(wire.DynString, inside)}}}, Message: "Needed."}}
		if !s.d.Features().VerdictChecks && s.flip("constant") {
			list = append(list, a2ui.Check{Condition: a2ui.Bool(s.flip("true")), Message: "Always."})
		}
		return list
	case wire.A11y:
		return literal(jsonx.OfObject(a2ui.Member{Key: "label", Value: jsonx.Of("L")}))
	case wire.PlainNumber:
		return literal(jsonx.OfInt(int64(1 + s.pick(9))))
	}
	if p.Name == "metadata" {
		return literal(jsonx.OfObject(a2ui.Member{Key: "extensions", Value: jsonx.OfObject()}))
	}
	return s.value(p, 1)
}

func (s *turnGen) returns(typ string) string {
	if s.d.Features().OwnCatalogs {
		return ""
	}
	return typ
}

// dynamic draws a literal, a binding to data of the kind, or a call.
func (s *turnGen) dynamic(kind a2ui.Kind, inside bool) a2ui.Value {
	bound := s.flip("bound")
	switch kind {
	case wire.DynNumber:
		if bound && inside {
			return a2ui.Path(s.one("n", "/num"))
		} else if bound {
			return a2ui.Path("/num")
		}
		return literal(s.num())
	case wire.DynBool:
		if bound {
			return a2ui.Path("/flag")
		}
		return a2ui.Bool(s.flip("b"))
	case wire.DynStrings:
		if bound && inside {
			return a2ui.Path("tags")
		} else if bound {
			return a2ui.Path(s.one("/list", "/none"))
		}
		return literal(jsonx.OfArray(jsonx.Of(s.one("a", "b"))))
	}
	paths := []string{"/text", "/num", "/deep/a/b/c", "/odd.key/~1x", "/none"}
	if s.flat {
		paths = []string{"/text", "/num", "/deep/a", "/none", "text"}
	}
	if inside {
		paths = append(paths, "name", "n")
	}
	switch {
	case bound && !s.flat && s.flip("call"):
		if inside && s.flip("item") {
			template := s.one("<${name}>", "${n} of ${/num}", "${formatNumber(value: ${n})}", "${tags/0}")
			return a2ui.Call{Func: "formatString", ReturnType: s.returns("string"),
				Args: []a2ui.Prop{{Name: "value", Value: a2ui.String(template)}}}
		}
		template := s.one("a ${/text} b", "${/text}", `\${x} 'q'`, "${formatNumber(value: ${/num}, decimals: 2)} mi",
			"", "## ${/num}")
		return a2ui.Call{Func: "formatString", ReturnType: s.returns("string"),
			Args: []a2ui.Prop{{Name: "value", Value: a2ui.String(template)}}}
	case bound:
		return a2ui.Path(paths[s.pick(len(paths))])
	}
	return a2ui.String(s.one("", "x", "Größe <b>", `a\*b`, "# h", "c#root", "two\nlines", " edge ", "[1]", "root",
		"${/text}"))
}

// model writes the whole data model.
func (s *turnGen) model() []a2ui.Message {
	text := jsonx.Of(s.one("", "hello", "[x]", "[1]", `a\_b`, "{}"))
	tags := []string{`[]`, `["a"]`, `["a","b"]`}[s.pick(3)]
	if !s.flat {
		rows := ""
		for i := range s.pick(3) {
			rows += fmt.Sprintf(`%s{"name":"row %d","n":%d,"tags":%s}`, strings.Repeat(",", min(i, 1)), i, i*2, tags)
		}
		doc := fmt.Sprintf(
			`{"text":%s,"num":%d,"flag":%t,"list":%s,"rows":[%s],"deep":{"a":{"b":{"c":"c"}}},"odd.key":{"/x":"odd"},"empty":[],"nul":null}`,
			jsonx.Append(nil, text), s.pick(5), s.flip("flag"), tags, rows)
		v, err := jsonx.Parse([]byte(doc), jsonx.Limits{})
		if err != nil {
			panic(err)
		}
		return []a2ui.Message{&a2ui.UpdateData{SurfaceID: "s", Path: s.one("", "/"), Value: v}}
	}
	member := func(key string, v jsonx.Value) a2ui.Member { return a2ui.Member{Key: key, Value: v} }
	if text.Str == "{}" || text.Str == "[1]" {
		text = jsonx.Of(text.Str + "\u200b")
	}
	out := []a2ui.Message{&a2ui.UpdateData{SurfaceID: "s", Path: s.one("", "/"),
		Value: jsonx.OfObject(member("text", text), member("num", jsonx.OfInt(int64(s.pick(5)))),
			member("flag", jsonx.OfBool(s.flip("flag"))), member("list", jsonx.Of(tags)), member("rows", jsonx.OfObject()),
			member("deep", jsonx.OfObject(member("a", jsonx.Of("a")))), member("empty", jsonx.OfObject()))}}
	rows := jsonx.OfObject()
	for i := range s.pick(3) {
		key := fmt.Sprint(i)
		if s.flip("named") {
			key = "row" + key
		}
		rows.Members = append(rows.Members, member(key,
			jsonx.OfObject(member("name", jsonx.Of("row "+key)), member("n", jsonx.OfInt(int64(i))),
				member("tags", jsonx.Of(tags)))))
	}
	return append(out, &a2ui.UpdateData{SurfaceID: "s", Path: "/rows", Value: rows})
}

// patch writes a part of the data.
func (s *turnGen) patch() a2ui.Message {
	m := &a2ui.UpdateData{SurfaceID: "s"}
	member := func(key string, v jsonx.Value) a2ui.Member { return a2ui.Member{Key: key, Value: v} }
	row := jsonx.OfObject(member("name", jsonx.Of("new")), member("n", jsonx.OfInt(7)))
	switch s.pick(6) {
	case 0:
		m.Path, m.Value = "/deep", jsonx.OfObject(member("a", jsonx.Of("A")))
	case 1:
		m.Path, m.Value = "/rows/0", row
	case 2:
		m.Path, m.Value = "/rows", jsonx.OfObject(member("0", row), member("1", row))
		if !s.flat {
			m.Value = jsonx.OfArray(row, row, row)
		}
	case 3:
		m.Path, m.Value = "/extra", jsonx.OfObject(member("x", jsonx.Of("y")))
	default:
		m.Path, m.Value = s.one("/text", "/rows/0/name", "/deep/a/b/c", "/list"), jsonx.Of("patched")
		if m.Path == "/list" {
			m.Value = jsonx.OfArray(jsonx.Of("b"))
		}
		if s.flat {
			m.Path, m.Value = "/rows/0", row
		} else if s.flip("delete") {
			m.Delete, m.Value = true, a2ui.Data{}
		}
	}
	return m
}

// TestTranslateLaw: on generated streams, after every turn, the translation shows
// what the original shows, unless a loss was reported; renderers in use refuse
// nothing of it, and it is valid.
func TestTranslateLaw(t *testing.T) {
	t.Parallel()
	var same, lossy, harmless, invalid int
	kinds := map[a2ui.LossKind]int{} // of losses that changed nothing
	defer func() {
		t.Logf("turns: %d the same without loss, %d differ with a loss, %d the same with a loss %v, %d invalid", same,
			lossy, harmless, kinds, invalid)
	}()
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(allDialects).Draw(t, "from")
		to := rapid.SampledFrom(allDialects).Draw(t, "to")
		tr := a2ui.NewTranslator(a2ui.TranslatorOptions{To: to})
		var in, out []a2ui.Message
		var losses []a2ui.Loss
		for i, turn := range newTurns(t, from).turns() {
			for _, m := range turn {
				msgs, l := tr.Message(from, m)
				out, losses = append(out, msgs...), append(losses, l...)
			}
			msgs, l := tr.Flush()
			in, out, losses = append(in, turn...), append(out, msgs...), append(losses, l...)
			for k, m := range out {
				b, err := a2ui.AppendMessage(nil, to, m)
				if err != nil {
					t.Fatalf("%v", err)
				}
				if out[k], err = a2ui.DecodeMessageAs(to, b); err != nil {
					t.Fatalf("%v in %s", err, b)
				}
			}
			a, wrong := rendered(from, client.Strict, in)
			b, bad := rendered(to, client.Strict, out)
			if len(bad) > 0 && len(wrong) == 0 {
				t.Fatalf("turn %d: refused: %v\n%s", i, errors.Join(asErrors(bad)...), dump(b))
			}
			equal := shownHashes(a) == shownHashes(b)
			switch {
			case len(wrong) > 0:
				invalid++
			case equal && !seen(losses):
				same++
			case !equal:
				lossy++
			default:
				harmless++
				for _, l := range losses {
					if l.What.Shown() {
						kinds[l.What]++
					}
				}
			}
			if len(wrong) == 0 && !seen(losses) && !equal {
				t.Fatalf("%s → %s turn %d shows something else\n%s\n%s\n%v\n%s", from, to, i, dump(a), dump(b), losses,
					onWire(from, in))
			}
		}
		a, wrong := rendered(from, client.Strict, in)
		b, _ := rendered(to, client.Strict, out)
		// they disable buttons
		checks := slices.ContainsFunc(losses, func(l a2ui.Loss) bool { return l.What == "check" })
		if len(wrong) == 0 && !seen(losses) && !checks {
			if was, is := sameUse(t, tr, from, to, a, b); was != is || shownHashes(a) != shownHashes(b) {
				t.Fatalf("%s → %s: sent\n%swant\n%s\n%s\n%s\n%v\n%s", from, to, is, was, dump(a), dump(b), losses,
					onWire(from, in))
			}
		}
		if a2ui.Validate(a2ui.Rules{Dialect: from}, in) == nil {
			if p := a2ui.Validate(a2ui.Rules{Dialect: to}, out); p != nil {
				t.Fatalf("%s → %s: Spec complains:%s", from, to, list(p))
			}
		}
		if _, wrong := rendered(from, client.LikeWebCore, in); len(wrong) == 0 {
			if c, bad := rendered(to, client.LikeWebCore, out); len(bad) > 0 {
				t.Fatalf("%s → %s: renderers refuse: %v\n%s", from, to, errors.Join(asErrors(bad)...), dump(c))
			}
		}
	})
}

// wire is a stream as it travels.
func onWire(d a2ui.Dialect, msgs []a2ui.Message) string {
	var b []byte
	for _, m := range msgs {
		b, _ = a2ui.AppendMessage(b, d, m)
		b = append(b, '\n')
	}
	return string(b)
}
