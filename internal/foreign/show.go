package foreign

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// As is how one surface of a conversation is shown.
type As struct {
	ID      string // the surface's on the wire
	Nonce   string
	Rev     uint64
	To      a2ui.Dialect
	Catalog string // the id that the client knows the catalog by; "": as it is translated
	Agent   string // the name of the agent, that users read
	Icon    string // the address of its icon
}

// Create returns the messages that show the surface to a client that does not have it.
func (s *Surface) Create(as As) ([]a2ui.Message, []a2ui.Loss) {
	t := a2ui.NewTranslator(a2ui.TranslatorOptions{To: as.To})
	comps, data := s.healed(as, s.Model())
	return as.translate(t, s, s.source(comps, data))
}

// Since returns the messages that bring a client from an older state of the surface, of the same
// epoch, to the current one. Values that only the user wrote are not sent.
func (s *Surface) Since(was *Surface, before, now As) ([]a2ui.Message, []a2ui.Loss) {
	oldComps, oldData := was.healed(before, was.Data)
	comps, data := s.healed(now, s.Data)
	old := make(map[string]a2ui.Component, len(oldComps))
	for _, c := range oldComps {
		old[c.ID] = c
	}
	d := diff{id: s.ID, to: now.To.Features()}
	both := s.Dialect.Features().FlatData && now.To.Features().FlatData // a leaf cannot be sent by itself
	wrote := was.Data
	if both {
		wrote = oldData // with the numbers of items
	}
	d.object("", wrote, oldData, data)
	model := oldData // on the screens of clients, as far as that is known
	if was.ClientData.Kind == jsonx.Object {
		_, model = was.healed(before, was.ClientData)
	}
	for _, path := range s.wroteSince(was) {
		v, ok := below(data, path)
		if old, had := below(oldData, path); ok && had {
			d.unchanged(path, old, v)
		}
	}
	again := func() ([]a2ui.Message, []a2ui.Loss) {
		made, losses := s.Create(now)
		return append([]a2ui.Message{&a2ui.DeleteSurface{SurfaceID: now.ID}}, made...), losses
	}
	if now.To.Features().FlatData && len(d.set)+len(d.gone) > maxLevels { // each brings its whole level
		return again()
	}
	if s.Catalog != was.Catalog || s.root != was.root || !s.sameTypes(was) ||
		dropped(old, comps, now.To.Features().KeepsOmitted) || both && len(d.set)+len(d.gone) > 0 {
		return again()
	}
	msgs := d.set
	if changed := s.changed(old, comps); len(changed) > 0 {
		if both { // a message has all that it refers to
			changed = slices.Clone(comps)
			slices.Reverse(changed)
		}
		msgs = append(msgs, &a2ui.UpdateComponents{SurfaceID: s.ID, Components: changed})
	}
	msgs = append(msgs, d.gone...)
	if len(msgs) == 0 {
		return nil, nil
	}
	t := a2ui.NewTranslator(a2ui.TranslatorOptions{To: now.To})
	drawn, _ := before.translate(t, was, was.source(oldComps, model)) // a leaf may be sent with those beside it
	out, losses := now.translate(t, s, msgs)
	if retyped(drawn, out) {
		return again()
	}
	return out, losses
}

// maxLevels bounds the writes of an update where each has the values beside it as well.
const maxLevels = 16

// sameTypes reports that no component has another type. Clients keep also those that are not drawn any more.
func (s *Surface) sameTypes(was *Surface) bool {
	for i, c := range was.comps {
		if i < len(s.comps) && s.comps[i].ID == c.ID && s.comps[i].Type != c.Type {
			return false
		}
	}
	return true
}

// retyped reports that a component has another type in later messages, which clients take in a new surface only.
func retyped(was, is []a2ui.Message) bool {
	types := map[string]string{}
	for _, c := range components(is) {
		types[c.ID] = c.Type
	}
	if len(types) == 0 {
		return false
	}
	for _, c := range components(was) {
		if now, sent := types[c.ID]; sent && now != c.Type {
			return true
		}
	}
	return false
}

// components are those that messages have.
func components(list []a2ui.Message) (out []a2ui.Component) {
	for _, m := range list {
		if u, ok := m.(*a2ui.UpdateComponents); ok {
			out = append(out, u.Components...)
		}
	}
	return out
}

// In returns the messages that create the surface in another version, under its id.
func (s *Surface) In(d a2ui.Dialect) []a2ui.Message {
	out, _ := As{ID: s.ID, To: d}.translate(a2ui.NewTranslator(a2ui.TranslatorOptions{To: d}), s, s.Source(s.Data))
	return out
}

// translate carries messages of the surface to the version of the client, under its id there.
func (as As) translate(t *a2ui.Translator, s *Surface, msgs []a2ui.Message) (out []a2ui.Message, losses []a2ui.Loss) {
	for _, m := range msgs {
		made, lost := t.Message(s.Dialect, renamed(m, as.ID))
		out, losses = append(out, made...), append(losses, lost...)
	}
	made, lost := t.Flush()
	out, losses = append(out, made...), append(losses, lost...)
	for i, m := range out {
		if c, ok := m.(*a2ui.CreateSurface); ok && c.CatalogID == a2ui.CatalogID(as.To) {
			next := *c
			next.CatalogID, next.Theme = cmp.Or(as.Catalog, c.CatalogID), as.named(c.Theme)
			out[i] = &next
		}
	}
	return out, losses
}

// named is a theme with the agent that the surface is from, if the version of the client has a place for that.
func (as As) named(theme a2ui.Data) a2ui.Data {
	for _, p := range a2ui.Basic(as.To).Theme {
		value := map[string]string{"agentDisplayName": as.Agent, "iconUrl": as.Icon}[p.Name]
		if _, has := theme.Get(p.Name); value != "" && !has {
			members := slices.Clone(theme.Members)
			theme = jsonx.OfObject(append(members, a2ui.Member{Key: p.Name, Value: jsonx.Of(value)})...)
		}
	}
	return theme
}

// renamed is a message about another surface.
func renamed(m a2ui.Message, id string) a2ui.Message {
	switch m := m.(type) {
	case *a2ui.CreateSurface:
		next := *m
		next.SurfaceID = id
		return &next
	case *a2ui.UpdateComponents:
		next := *m
		next.SurfaceID = id
		return &next
	case *a2ui.UpdateData:
		next := *m
		next.SurfaceID = id
		return &next
	}
	return m
}

// dropped reports a component that leaves out a property, where clients keep it as it was.
func dropped(was map[string]a2ui.Component, is []a2ui.Component, keeps bool) bool {
	if !keeps {
		return false
	}
	for _, c := range is {
		for _, p := range was[c.ID].Props {
			if !slices.ContainsFunc(c.Props, func(q a2ui.Prop) bool { return q.Name == p.Name }) {
				return true
			}
		}
	}
	return false
}

// changed lists the components that differ, children first.
func (s *Surface) changed(was map[string]a2ui.Component, is []a2ui.Component) (out []a2ui.Component) {
	for _, c := range slices.Backward(is) {
		if o, ok := was[c.ID]; !ok || !s.same(o, c) {
			out = append(out, c)
		}
	}
	return out
}

// same reports two components that are written alike.
func (s *Surface) same(a, b a2ui.Component) bool {
	write := func(c a2ui.Component) string {
		out, err := a2ui.AppendMessage(nil, s.Dialect, &a2ui.UpdateComponents{SurfaceID: "s",
			Components: []a2ui.Component{c}})
		if err != nil {
			return ""
		}
		return string(out)
	}
	x := write(a)
	return x != "" && x == write(b)
}

// diff is the data messages between two models.
type diff struct {
	id        string
	to        a2ui.Features
	set, gone []a2ui.Message
}

// object adds what differs of an object; wrote is the older one as its agent wrote it.
func (d *diff) object(path string, wrote, was, is a2ui.Data) {
	inWrote, inWas, inIs := getter(wrote), getter(was), getter(is)
	for _, m := range is.Members {
		at := string(jsonptr.AppendSegment([]byte(path), m.Key))
		old, had := inWas(m.Key)
		if !had {
			d.write(at, m.Value)
			continue
		}
		first, _ := inWrote(m.Key)
		d.value(at, first, old, m.Value)
	}
	for _, m := range was.Members {
		at := string(jsonptr.AppendSegment([]byte(path), m.Key))
		_, has := inIs(m.Key)
		if _, written := inWrote(m.Key); !has && written { // an empty value that was given to an input stays
			d.gone = append(d.gone, &a2ui.UpdateData{SurfaceID: d.id, Path: at, Delete: true})
		}
	}
}

// getter is data.Get, which takes as long for a wide object as for a narrow one.
func getter(data a2ui.Data) func(key string) (a2ui.Data, bool) {
	if len(data.Members) < wide {
		return data.Get
	}
	at := placesOf(data.Members)
	return func(key string) (a2ui.Data, bool) {
		if i, ok := at[key]; ok {
			return data.Members[i].Value, true
		}
		return a2ui.Data{}, false
	}
}

// value adds what differs of a value. A list that became shorter is sent whole: its agent wrote it so.
func (d *diff) value(at string, wrote, old, is a2ui.Data) {
	switch {
	case old.Kind == jsonx.Object && is.Kind == jsonx.Object:
		d.object(at, wrote, old, is)
	case old.Kind == jsonx.Array && is.Kind == jsonx.Array && len(is.Items) >= len(old.Items) &&
		len(old.Items) > 0 && !d.nullsIn(old) && !d.nullsIn(is):
		for i, item := range is.Items {
			if path := at + "/" + strconv.Itoa(i); i < len(old.Items) {
				var first a2ui.Data
				if i < len(wrote.Items) {
					first = wrote.Items[i]
				}
				d.value(path, first, old.Items[i], item)
			} else {
				d.write(path, item)
			}
		}
	case !jsonx.Equal(old, is):
		d.write(at, is)
	}
}

// nullsIn reports a list whose items cannot be written one by one: no item of it can be deleted, or it is a map whose
// order is that of the writes.
func (d *diff) nullsIn(list a2ui.Data) bool {
	null := func(v a2ui.Data) bool { return v.Kind == jsonx.Null }
	return (d.to.NullDeletes || d.to.FlatData) && slices.ContainsFunc(list.Items, null)
}

func (d *diff) write(path string, v a2ui.Data) {
	deleted := d.to.NullDeletes && v.Kind == jsonx.Null // there null deletes
	d.set = append(d.set, &a2ui.UpdateData{SurfaceID: d.id, Path: path, Value: v, Delete: deleted})
}

// unchanged adds the values below a path that are as they were: clients may show typed text there.
func (d *diff) unchanged(path string, was, is a2ui.Data) {
	if jsonx.Equal(was, is) {
		d.write(path, is)
		return
	}
	if was.Kind == jsonx.Array && is.Kind == jsonx.Array && !d.nullsIn(is) {
		for i := range min(len(was.Items), len(is.Items)) {
			d.unchanged(path+"/"+strconv.Itoa(i), was.Items[i], is.Items[i])
		}
	}
	if was.Kind != jsonx.Object || is.Kind != jsonx.Object {
		return // it is sent as a change
	}
	inWas := getter(was)
	for _, m := range is.Members {
		if old, had := inWas(m.Key); had {
			at := jsonptr.AppendSegment([]byte(strings.TrimSuffix(path, "/")), m.Key)
			d.unchanged(string(at), old, m.Value)
		}
	}
}

// below is the value that a path leads to, through objects and lists.
func below(v a2ui.Data, path string) (_ a2ui.Data, ok bool) {
	if path == "/" {
		return v, true
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		key, err := jsonptr.Unescape(segment)
		if err != nil {
			return v, false
		}
		if i, err := strconv.Atoi(key); v.Kind == jsonx.Array && err == nil && i >= 0 && i < len(v.Items) {
			v = v.Items[i]
		} else if v, ok = v.Get(key); !ok {
			return v, false
		}
	}
	return v, true
}

// healed returns the components of a surface that are drawn, in drawing order, and its data.
func (s *Surface) healed(as As, data a2ui.Data) ([]a2ui.Component, a2ui.Data) {
	data = withNames(data)
	h := healer{s: s, data: data, index: map[string]int{}, seen: map[string]bool{}, as: as}
	flat := s.Dialect.Features().FlatData && as.To.Features().FlatData
	if flat {
		h.in = &h.named
	}
	for i, c := range s.comps {
		h.index[c.ID] = i
	}
	h.draw(s.root, false)
	h.keep()
	if h.wrote {
		data = h.data
	}
	if flat {
		data = h.named.numbered(data)
	}
	return h.out, data
}

// spot is a part of the data, with those below it that drawn components name.
type spot struct {
	keys map[string]*spot
	item *spot // each item of a list that is drawn
}

// at is the part that a path leads to.
func (p *spot) at(path string) *spot {
	keys, err := jsonptr.Split("/" + strings.Trim(path, "/"))
	if err != nil {
		return &spot{}
	}
	for _, key := range keys {
		next := p.keys[key]
		if next == nil {
			if p.keys == nil {
				p.keys = map[string]*spot{}
			}
			next = &spot{}
			p.keys[key] = next
		}
		p = next
	}
	return p
}

// numbered is data in which the items of drawn lists have the keys 0, 1, and so on. Those that have other keys get
// these in their order, but not if a component names one by its key.
func (p *spot) numbered(data a2ui.Data) a2ui.Data {
	if p == nil || p.item == nil && len(p.keys) == 0 || len(data.Members) == 0 {
		return data
	}
	data.Members = slices.Clone(data.Members)
	number := p.item != nil && len(p.keys) == 0 && !hasNumbers(data.Members)
	for i := range data.Members {
		m := &data.Members[i]
		m.Value = p.keys[m.Key].numbered(p.item.numbered(m.Value))
		if number {
			m.Key = strconv.Itoa(i)
		}
	}
	return data
}

// hasNumbers reports members with the keys 0, 1, and so on, in any order.
func hasNumbers(list []a2ui.Member) bool {
	met := make([]bool, len(list))
	for _, m := range list {
		i, err := strconv.Atoi(m.Key)
		if err != nil || i < 0 || i >= len(list) || met[i] || strconv.Itoa(i) != m.Key {
			return false
		}
		met[i] = true
	}
	return true
}

// keep gives data to components that are not drawn now: a step of a form that is shown again holds the typed text.
func (h *healer) keep() {
	for _, c := range h.s.comps {
		if h.seen[c.ID] {
			continue
		}
		for _, p := range c.Props {
			if path, bound := p.Value.(a2ui.Path); bound {
				h.fill(string(path), blank(h.s.Dialect, c.Type, p.Name))
			}
		}
	}
}

// healer collects the components of a surface that are drawn.
type healer struct {
	s     *Surface
	as    As
	data  a2ui.Data
	owned owned
	index map[string]int
	seen  map[string]bool
	out   []a2ui.Component
	wrote bool
	named spot
	in    *spot // where relative paths begin; nil where lists need no numbers
}

// draw adds a component and those below it. item says that it is drawn for each item of a
// list.
func (h *healer) draw(id string, item bool) {
	i, ok := h.index[id]
	if !ok || h.seen[id] {
		return
	}
	h.seen[id] = true
	c := h.s.comps[i]
	c.Props = slices.Clone(c.Props)
	at := len(h.out)
	h.out = append(h.out, c)
	for k := range c.Props {
		c.Props[k].Value = h.value(c.Type, c.Props[k].Name, c.Props[k].Value, item)
	}
	h.out[at] = c
}

// value heals one value, and draws the components that it refers to.
func (h *healer) value(typ, name string, v a2ui.Value, item bool) a2ui.Value {
	switch v := v.(type) {
	case a2ui.String:
		return h.text(typ, name, v)
	case a2ui.Path:
		h.at(string(v))
		return h.path(v, blank(h.s.Dialect, typ, name))
	case a2ui.Ref:
		h.draw(string(v), item)
	case a2ui.Refs:
		kept := make(a2ui.Refs, 0, len(v))
		for _, id := range v {
			if _, ok := h.index[id]; ok {
				kept = append(kept, id)
			}
		}
		for _, id := range kept {
			h.draw(id, item)
		}
		return kept
	case a2ui.Template:
		if !h.fill(v.Path, noItems(h.s.Dialect)) {
			return a2ui.Refs{}
		}
		before, list := h.in, h.at(v.Path)
		if list.item == nil {
			list.item = &spot{}
		}
		if before != nil {
			h.in = list.item
		}
		h.draw(v.Component, true)
		h.in = before
	case a2ui.Tabs:
		v = slices.Clone(v)
		for i, t := range v {
			v[i].Title = h.value(typ, "", t.Title, item)
			h.draw(t.Child, item)
		}
		return v
	case a2ui.Event:
		v.Context = h.props(v.Context, item)
		for i, p := range v.Context {
			v.Context[i].Name = Key(p.Name)
		}
		v.Context = append(v.Context, a2ui.Prop{Name: builtin.FieldNonce, Value: a2ui.String(h.as.Nonce)},
			a2ui.Prop{Name: builtin.FieldRev, Value: a2ui.Literal{Data: jsonx.OfInt(int64(h.as.Rev))}})
		return v
	}
	return h.inner(v, item)
}

// at is the part of the data that a drawn component names by its path. In an item some clients read absolute paths as
// relative ones.
func (h *healer) at(path string) *spot {
	if h.in == nil {
		return &spot{}
	}
	if strings.HasPrefix(path, "/") {
		h.named.at(path)
	}
	return h.in.at(path)
}

// text keeps clients from drawing a component in place of a text that is its id.
func (h *healer) text(typ, name string, v a2ui.String) a2ui.Value {
	_, id := h.index[string(v)]
	if id && h.as.To == h.s.Dialect && h.as.To.Features().LiteralsAreRefs &&
		kindOf(h.as.To, typ, name) == kindOf(h.as.To, "Text", "text") {
		return v + "\u200b"
	}
	return v
}

// Key is how a key of the context of an action is shown to clients: those of an agent that is Limn
// itself are not taken for this server's.
func Key(name string) string {
	rest := name
	for strings.HasPrefix(rest, agentKey) {
		rest = rest[len(agentKey):]
	}
	if strings.HasPrefix(rest, "limn_") {
		return agentKey + name
	}
	return name
}

const agentKey = "agent_"

// inner heals the parts of a value.
func (h *healer) inner(v a2ui.Value, item bool) a2ui.Value {
	switch v := v.(type) {
	case a2ui.Call:
		v.Args = h.props(v.Args, item)
		return v
	case a2ui.Local:
		v.Call.Args = h.props(v.Call.Args, item)
		return v
	case a2ui.Object:
		return a2ui.Object(h.props(v, item))
	case a2ui.List:
		v = slices.Clone(v)
		for i, one := range v {
			v[i] = h.value("", "", one, item)
		}
		return v
	case a2ui.Options:
		v = slices.Clone(v)
		for i, o := range v {
			v[i].Label = h.value("", "", o.Label, item)
		}
		return v
	case a2ui.Checks:
		v = slices.Clone(v)
		for i, c := range v {
			v[i].Condition = h.value("", "", c.Condition, item)
		}
		return v
	}
	return v
}

func (h *healer) props(list []a2ui.Prop, item bool) []a2ui.Prop {
	list = slices.Clone(list)
	for i, p := range list {
		list[i].Value = h.value("", "", p.Value, item)
	}
	return list
}

// path gives a binding data, if there are none. Where there cannot be any, it is the empty value itself.
func (h *healer) path(p a2ui.Path, empty a2ui.Data) a2ui.Value {
	switch {
	case h.fill(string(p), empty):
		return p
	case empty.Kind == jsonx.String:
		return a2ui.String(empty.Str)
	case empty.Kind == jsonx.Bool:
		return a2ui.Bool(empty.Bool)
	}
	return a2ui.Literal{Data: empty}
}

// fill gives an absolute path data, if it has none, and reports whether it has some then.
func (h *healer) fill(path string, v a2ui.Data) bool {
	if !strings.HasPrefix(path, "/") || path == "/" {
		return true
	}
	keys := strings.Split(path[1:], "/")
	for i := range keys {
		var err error
		if keys[i], err = jsonptr.Unescape(keys[i]); err != nil || keys[i] == "" {
			return false
		}
	}
	missing, there := h.owned.look(h.data, keys)
	if missing {
		h.owned.put(&h.data, keys, v)
		h.wrote = true
	}
	return missing || there
}

// owned are the objects and lists that a healer has copied, and may change: others share the rest of its data. An
// object is known by its first member, a list by its first item.
type owned struct {
	members map[*a2ui.Member]memberAt
	items   map[*a2ui.Data]bool
}

// memberAt is where the keys of a wide object are; nil of another.
type memberAt map[string]int

func placesOf(members []a2ui.Member) memberAt {
	at := make(memberAt, len(members))
	for i, m := range slices.Backward(members) { // of a key that appears twice the first counts
		at[m.Key] = i
	}
	return at
}

// wide is the width from which an object that was copied has a memberAt.
const wide = 32

// find is where an object has a key, or -1.
func (o *owned) find(data a2ui.Data, key string) int {
	if len(data.Members) >= wide {
		if at := o.members[&data.Members[0]]; at != nil {
			if i, ok := at[key]; ok {
				return i
			}
			return -1
		}
	}
	return slices.IndexFunc(data.Members, func(m a2ui.Member) bool { return m.Key == key })
}

// look reports whether keys lead through objects and items of lists to nothing, or to something. It is neither where
// something is in the way.
func (o *owned) look(data a2ui.Data, keys []string) (missing, there bool) {
	for _, key := range keys {
		switch data.Kind {
		case jsonx.Object:
			i := o.find(data, key)
			if i < 0 {
				return true, false
			}
			data = data.Members[i].Value
		case jsonx.Array:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(data.Items) {
				return false, false
			}
			data = data.Items[i]
		default:
			return false, false
		}
		if data.Kind == jsonx.Null { // versions without null leave it out
			return true, false
		}
	}
	return false, true
}

// put puts v where keys lead to nothing. It copies each object and list on the way once.
func (o *owned) put(at *a2ui.Data, keys []string, v a2ui.Data) {
	for _, key := range keys {
		if at.Kind == jsonx.Array {
			i, _ := strconv.Atoi(key) // see look
			at = o.item(at, i)
			continue
		}
		if at.Kind == jsonx.Null {
			*at = jsonx.OfObject()
		}
		at = o.member(at, key)
	}
	*at = v
}

func (o *owned) item(list *a2ui.Data, i int) *a2ui.Data {
	if !o.items[&list.Items[0]] {
		list.Items = slices.Clone(list.Items)
		if o.items == nil {
			o.items = map[*a2ui.Data]bool{}
		}
		o.items[&list.Items[0]] = true
	}
	return &list.Items[i]
}

// member is the member of an object with a key, which it adds.
func (o *owned) member(object *a2ui.Data, key string) *a2ui.Data {
	i, own := o.find(*object, key), false
	var at memberAt
	if len(object.Members) > 0 {
		at, own = o.members[&object.Members[0]]
	}
	if own && i >= 0 {
		return &object.Members[i].Value
	}
	if own {
		delete(o.members, &object.Members[0])
	} else {
		object.Members = slices.Clone(object.Members)
	}
	if i < 0 {
		i = len(object.Members)
		object.Members = append(object.Members, a2ui.Member{Key: key})
	}
	if at != nil {
		at[key] = i
	} else if len(object.Members) >= wide {
		at = placesOf(object.Members)
	}
	if o.members == nil {
		o.members = map[*a2ui.Member]memberAt{}
	}
	o.members[&object.Members[0]] = at
	return &object.Members[i].Value
}

// withNames is data without members that have no name, which clients drop.
func withNames(data a2ui.Data) a2ui.Data {
	own := false
	for i, item := range data.Items {
		if next := withNames(item); !shared(next, item) {
			if !own {
				data.Items, own = slices.Clone(data.Items), true
			}
			data.Items[i] = next
		}
	}
	nameless := func(m a2ui.Member) bool { return m.Key == "" }
	if slices.ContainsFunc(data.Members, nameless) {
		data.Members, own = slices.DeleteFunc(slices.Clone(data.Members), nameless), true
	}
	for i, m := range data.Members {
		if next := withNames(m.Value); !shared(next, m.Value) {
			if !own {
				data.Members, own = slices.Clone(data.Members), true
			}
			data.Members[i].Value = next
		}
	}
	return data
}

// shared reports values that share their parts.
func shared(a, b a2ui.Data) bool {
	return len(a.Items) == len(b.Items) && len(a.Members) == len(b.Members) &&
		(len(a.Items) == 0 || &a.Items[0] == &b.Items[0]) && (len(a.Members) == 0 || &a.Members[0] == &b.Members[0])
}

// blank is what an empty input of a property holds.
func blank(d a2ui.Dialect, typ, name string) a2ui.Data {
	of := kindOf(d, typ, name)
	switch {
	case of == 0:
	case of == kindOf(d, "CheckBox", "value"):
		return jsonx.OfBool(false)
	case of == kindOf(d, "Slider", "value"):
		return jsonx.OfInt(0)
	case of == kindOf(d, "ChoicePicker", "value"):
		return noItems(d)
	}
	return jsonx.Of("")
}

// kindOf is the kind of a property in the basic catalog, or 0.
func kindOf(d a2ui.Dialect, typ, name string) a2ui.Kind {
	if c := a2ui.Basic(d).Components[typ]; c != nil {
		if p, _ := c.Find(name); p != nil {
			return p.Kind
		}
	}
	return 0
}

// noItems is a list without items: one of flat data is a map with the keys 0, 1, and so on.
func noItems(d a2ui.Dialect) a2ui.Data {
	if d.Features().FlatData {
		return jsonx.OfObject()
	}
	return jsonx.OfArray()
}
