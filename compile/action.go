package compile

import (
	"net/url"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/card"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/local"
	"github.com/limn-ui/limn/ui"
)

// actionMaker makes buttons, their actions and links.
type actionMaker struct{ *drawing }

// pending is a button whose action waits until every input has its data: only
// then is known what its context binds.
type pending struct {
	comp   int
	at     ui.KeyPath
	action ui.Action
}

// button draws a Button with its label.
func (d actionMaker) button(at ui.KeyPath, label string, primary bool, a ui.Action) string {
	if !d.rules.allowed(a.Name) {
		d.fail(CodeActionForbidden, string(at), "the application does not allow the action %q", a.Name)
	}
	i, id := d.open(), at.ComponentID("Button")
	child := d.texts().text(at.Join(keyLabel), "body", label)
	variant := "default"
	if primary {
		variant = "primary"
	}
	d.set(i, id, "Button", prop("child", a2ui.Ref(child)), prop("variant", a2ui.String(variant)),
		prop("action", a2ui.Event{Name: a.Name}))
	d.buttons = append(d.buttons, pending{comp: i, at: at, action: a})
	return id
}

// fillContexts fills in the contexts of the buttons' events.
func (d actionMaker) fillContexts() {
	if d.err != nil {
		return
	}
	for _, b := range d.buttons {
		props := d.comps[b.comp].Props
		for i := range props {
			if props[i].Name == "action" {
				props[i].Value = a2ui.Event{Name: b.action.Name, Context: d.context(&b)}
			}
		}
	}
}

func (d actionMaker) context(b *pending) []a2ui.Prop {
	out := make([]a2ui.Prop, 0, len(b.action.Context)+2)
	for _, c := range b.action.Context {
		if strings.HasPrefix(c.Key, "limn_") {
			d.warn(codeContextKey, string(b.at),
				"context keys that start with limn_ are reserved; the entry is not sent")
			continue
		}
		if slices.ContainsFunc(out, func(p a2ui.Prop) bool { return p.Name == c.Key }) {
			d.warn(codeContextKey, string(b.at), "the context has a key twice; the first entry is sent")
			continue
		}
		if !d.rules.allowed(b.action.Name, c.Key) {
			d.fail(CodeActionForbidden, string(b.at), "the action %q declares no context key %q", b.action.Name, c.Key)
		}
		v := a2ui.Value(nil)
		if c.Path != "" {
			v = d.contextPath(c.Path, b.at)
		} else {
			v = d.fixed(c.Value, b.at)
		}
		out = append(out, prop(c.Key, v))
	}
	return append(out, prop(builtin.FieldNonce, a2ui.String(d.surface.Nonce)),
		prop(builtin.FieldRev, d.texts().bind(revPath)))
}

// contextPath binds a context entry: to a container whole, to a leaf.
func (d actionMaker) contextPath(p ui.Path, at ui.KeyPath) a2ui.Value {
	n := d.data.at(p)
	if n == nil || n.kids == nil && n.leaf.shape == shapeContainer {
		n = d.values().putRaw(p, d.value(p, string(at)))
	}
	switch {
	case n == nil: // below a leaf: nothing can be there
		return a2ui.String("")
	case n.kids != nil:
		return a2ui.Path(p)
	case n.leaf.shape == shapeShown: // the data hold the escaped text
		return d.fixed(d.value(p, string(at)), at)
	}
	return d.texts().bind(p)
}

// fixed is a literal of a context. No client takes null or an object there.
func (d actionMaker) fixed(v ui.Value, at ui.KeyPath) a2ui.Value {
	switch v.Kind() {
	case ui.BoolValue:
		return a2ui.Bool(v.True())
	case ui.NumberValue:
		return a2ui.Literal{Data: a2ui.Data{Kind: kindNumber, Str: v.Text()}}
	case ui.StringsValue:
		list := v.List()
		if d.f.FlatData {
			return a2ui.String(v.Text())
		}
		out := a2ui.Data{Kind: kindArray, Items: make([]a2ui.Data, len(list))}
		for i := range list {
			out.Items[i] = jsonx.Of(list[i])
		}
		return a2ui.Literal{Data: out}
	case ui.MapValue, ui.RowsValue:
		d.warn(CodeNotShown, string(at), "an action's context cannot hold an object; its JSON text is sent")
		return a2ui.String(v.AppendJSON(nil))
	case ui.NullValue:
		d.warn(codeNull, string(at), "a null value is drawn as an empty one")
	}
	return a2ui.String(v.Text())
}

// node draws a button of a view.
func (d actionMaker) node(at ui.KeyPath, n *ui.Button, kids []string) []string {
	if n.Action.Do != "" {
		return d.local(at, n, kids)
	}
	return append(kids, d.button(at, n.Label, n.Primary, n.Action))
}

// functions are what clients have for local actions, if their catalog does.
var functions = map[string]string{builtin.DoOpen: "openUrl", builtin.DoCopy: "copyText"}

// local draws a button that runs on the client. Where there is no such function, an address
// is a link, a text is shown, and the button is left out.
func (d actionMaker) local(at ui.KeyPath, n *ui.Button, kids []string) []string {
	a := n.Action
	name := a.Do
	if known := functions[a.Do]; known != "" {
		name = known
	}
	address, text := local.Address(a), local.Text(a)
	switch has := d.f.Calls && d.catalog.Functions[name] != nil; {
	case a.Do == builtin.DoOpen && address == "":
		d.warn(CodeNotShown, string(at), "the button opens no address of the web")
		return kids
	case !has && address != "":
		return append(kids, d.texts().textValue(at.Join(keyText), "body", d.texts().verbatim(d.link(n.Label, address))))
	case !has && text != "":
		return append(kids, d.texts().text(at.Join(keyText), "body", n.Label+": "+text))
	case !has:
		d.warn(CodeNotShown, string(at), "the catalog has no function "+name)
		return kids
	}
	i, id := d.open(), at.ComponentID("Button")
	child := d.texts().text(at.Join(keyLabel), "body", n.Label)
	variant := "default"
	if n.Primary {
		variant = "primary"
	}
	call := a2ui.Call{Func: name}
	for _, c := range a.Context {
		v := a2ui.Value(nil)
		if c.Path != "" {
			v = d.contextPath(c.Path, at)
		} else {
			v = d.fixed(c.Value, at)
		}
		call.Args = append(call.Args, prop(c.Key, v))
	}
	d.set(i, id, "Button", prop("child", a2ui.Ref(child)), prop("variant", a2ui.String(variant)),
		prop("action", a2ui.Local{Call: call}))
	return append(kids, id)
}

// upload draws the way to the page that takes the file: a button that opens it,
// or where there are no local actions, its address.
func (d actionMaker) upload(at ui.KeyPath, in *ui.Input, label string) string {
	i := d.open()
	kids := []string{d.texts().text(at.Join(keyLabel), "body", label)}
	page := strings.TrimSuffix(d.rules.Base, "/") + "/c/" + url.PathEscape(d.state.ID) + "/upload?surface=" +
		url.QueryEscape(d.id) + "&path=" + url.QueryEscape(string(in.Path))
	d.values().putInput(in.Path, &in.Field)
	v, _ := d.get(in.Path)
	if !v.Empty() {
		name := card.FileName(d.surface, v.Text())
		kids = append(kids, d.content().iconText(at.Join(keyFile), "attachFile", "body", name))
	}
	if !v.Empty() {
		kids = append(kids, d.button(at.Join(builtin.KeyDetach), d.say("upload.remove"), false,
			ui.DetachAction(in.Path)))
	}
	if ui.WebURL(page) {
		kids = append(kids, d.page(at, at.Join(keyText), d.say("upload.open"), page))
	} else {
		d.warn(CodeNotShown, string(at), "an upload needs the public address of this server")
	}
	return d.setBox(i, at.Join(keyField).ComponentID("Column"), "Column", kids)
}

// page draws the way to a page of this server: a button, or where there are no local
// actions a link as text.
func (d actionMaker) page(at, text ui.KeyPath, label, address string) string {
	if !d.f.Calls || d.catalog.Functions["openUrl"] == nil {
		return d.texts().textValue(text, "body", d.texts().verbatim(d.link(label, address)))
	}
	b := d.open()
	child := d.texts().text(text, "body", label)
	id := at.ComponentID("Button")
	d.set(b, id, "Button", prop("child", a2ui.Ref(child)), prop("variant", a2ui.String("default")),
		prop("action", a2ui.Local{Call: a2ui.Call{Func: "openUrl",
			Args: []a2ui.Prop{{Name: "url", Value: a2ui.String(address)}}}}))
	return id
}

// link is a link in Markdown, which a Text's body is; where a client does not
// read it, the address can still be copied.
func (d actionMaker) link(label, address string) string {
	label = strings.NewReplacer(`\\`, `\\`, `\[`, `\[`, `\]`, `\]`, "[", `\[`, "]", `\]`).Replace(
		d.texts().escape("Text", "body", "text", label)) // some of them are escaped already
	return "[" + label + "](" + strings.NewReplacer("(", "%28", ")", "%29").Replace(address) + ")"
}
