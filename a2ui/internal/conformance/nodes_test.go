package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/jsonx"
)

func init() { register("resolve_nodes", resolveNodes) }

// nodeWant is what a case says of the tree after a step.
type nodeWant struct {
	Nodes map[string]struct {
		ComponentID string                     `json:"component_id"`
		Type        string                     `json:"type"`
		State       string                     `json:"state"`
		DataPath    string                     `json:"data_path"`
		Props       map[string]json.RawMessage `json:"props"`
	} `json:"nodes"`
	Data          map[string]json.RawMessage `json:"data"`
	Emissions     map[string]int             `json:"emissions"`
	SameNodes     []string                   `json:"same_nodes"`
	ReplacedNodes []string                   `json:"replaced_nodes"`
	Destroyed     map[string]int             `json:"destroyed"`
	Events        []map[string]any           `json:"events"`
	Functions     []map[string]any           `json:"functions"`
}

// tree is a renderer whose nodes a case follows.
type tree struct {
	dialect       a2ui.Dialect
	client        *client.Client
	before, after []client.Node
	events        []map[string]any
	functions     []map[string]any
	disposed      bool
}

func resolveNodes(c *testCase) error {
	if err := c.only("fixture", "steps", "expect", "catalog"); err != nil {
		return err
	}
	d, err := c.renders()
	if err != nil {
		return err
	}
	raw, err := c.file(c.text("fixture"))
	if err != nil {
		return err
	}
	var fixture struct {
		Catalog    string
		Data       json.RawMessage
		Components json.RawMessage
	}
	if err := json.Unmarshal(raw, &fixture); err != nil {
		return err
	}
	t := &tree{dialect: d}
	t.client = t.renderer()
	data, err := value(fixture.Data)
	if err != nil {
		return err
	}
	if err := t.apply(&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(d)},
		&a2ui.UpdateData{SurfaceID: "s", Path: "/", Value: data}); err != nil {
		return err
	}
	if err := t.update(fixture.Components); err != nil {
		return err
	}
	t.look()
	if err := t.judge(c.get("expect")); err != nil {
		return err
	}
	var steps []map[string]json.RawMessage
	if raw := c.get("steps"); raw != nil {
		if err := json.Unmarshal(raw, &steps); err != nil {
			return err
		}
	}
	for i, step := range steps {
		if err := known(step, "op", "node", "property", "value", "path", "components", "componentId", "expect",
			"description"); err != nil {
			return err
		}
		t.events, t.functions = nil, nil
		if err := t.step(step); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		t.look()
		if err := t.judge(step["expect"]); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// renderer is a client that notes the functions of actions.
func (t *tree) renderer() *client.Client {
	note := func(args a2ui.Data) (a2ui.Data, error) {
		t.functions = append(t.functions, map[string]any{"name": "openUrl", "args": plain(args)})
		return args.At("url"), nil
	}
	return client.With(client.Config{Dialect: t.dialect, AnyComponent: true,
		Functions: map[string]client.Func{"openUrl": note}})
}

func (t *tree) apply(msgs ...a2ui.Message) error {
	if failed := t.client.ApplyAll(msgs); failed != nil {
		return failed[0]
	}
	return nil
}

// update sends components, if there are any.
func (t *tree) update(raw json.RawMessage) error {
	list, err := value(raw)
	if err != nil || len(list.Items) == 0 {
		return err
	}
	body := jsonx.OfObject(a2ui.Member{Key: "surfaceId", Value: jsonx.Of("s")},
		a2ui.Member{Key: "components", Value: list})
	version := map[a2ui.Dialect]string{a2ui.V091: "v0.9", a2ui.V10RC: "v1.0", a2ui.V10Oct: "v1.0", a2ui.V10: "1.0"}[t.dialect]
	m, err := a2ui.DecodeMessageAs(t.dialect,
		jsonx.Append(nil, jsonx.OfObject(a2ui.Member{Key: "version", Value: jsonx.Of(version)},
			a2ui.Member{Key: "updateComponents", Value: body})))
	if err != nil {
		return err
	}
	return t.apply(m)
}

// remove takes a component away, which no message can: the surface is built anew.
func (t *tree) remove(id string) error {
	s, _ := t.client.State("s")
	t.client = t.renderer()
	turn := []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "s", CatalogID: s.CatalogID},
		&a2ui.UpdateData{SurfaceID: "s", Path: "/", Value: s.Data}}
	left := slices.DeleteFunc(s.Components, func(c a2ui.Component) bool { return c.ID == id })
	if len(left) > 0 {
		turn = append(turn, &a2ui.UpdateComponents{SurfaceID: "s", Components: left})
	}
	return t.apply(turn...)
}

func (t *tree) look() {
	t.before = t.after
	if t.after = nil; !t.disposed {
		t.after, _ = t.client.Nodes("s")
	}
}

func (t *tree) step(step map[string]json.RawMessage) error {
	v, err := value(step["value"])
	if err != nil {
		return err
	}
	switch op := str(step["op"]); op {
	case "set_data":
		return t.apply(&a2ui.UpdateData{SurfaceID: "s", Path: str(step["path"]), Value: v,
			Delete: step["value"] == nil})
	case "update_components":
		return t.update(step["components"])
	case "remove_component":
		return t.remove(str(field(step, "componentId")))
	case "dispose":
		t.disposed = true
		return nil
	case "write", "invoke":
		n, ok := byPath(t.after, str(step["node"]))
		if !ok {
			return fmt.Errorf("no node %s", step["node"])
		}
		i := slices.IndexFunc(n.Component.Props, func(p a2ui.Prop) bool { return p.Name == str(step["property"]) })
		if i < 0 {
			return fmt.Errorf("%s has no %s", n.Path, step["property"])
		}
		if op == "invoke" {
			return t.invoke(n, n.Component.Props[i].Value)
		}
		path, ok := n.Component.Props[i].Value.(a2ui.Path)
		if !ok {
			return errors.New("it cannot be written")
		}
		return t.client.Write("s", client.ResolvePath(string(path), n.Scope), v)
	default:
		return fmt.Errorf("unknown op %q", op)
	}
}

func (t *tree) invoke(n client.Node, action a2ui.Value) error {
	sent, problems := t.client.Dispatch("s", n.ID, n.Scope, action)
	if len(problems) > 0 {
		return problems[0]
	}
	if sent.Name != "" {
		t.events = append(t.events, map[string]any{"name": sent.Name, "source_component_id": sent.Component,
			"context": plain(sent.Context)})
	}
	return nil
}

func byPath(nodes []client.Node, path string) (client.Node, bool) {
	i := slices.IndexFunc(nodes, func(n client.Node) bool { return n.Path == path })
	if i < 0 {
		return client.Node{}, false
	}
	return nodes[i], true
}

// lives tells whether two nodes of one path are one: same component, same place
// in the data, and both or none of them resolved.
func lives(a, b client.Node) bool {
	return a.ID == b.ID && a.Type == b.Type && a.Scope == b.Scope && a.State == b.State
}

// judge compares the tree, and what became of the nodes before, with a case.
func (t *tree) judge(raw json.RawMessage) error {
	if raw == nil {
		return nil
	}
	var want nodeWant
	if err := decodeStrict(raw, &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	if want.Nodes != nil && len(want.Nodes) != len(t.after) {
		return fmt.Errorf("%d nodes, want %d", len(t.after), len(want.Nodes))
	}
	for path, w := range want.Nodes {
		n, ok := byPath(t.after, path)
		if !ok {
			return fmt.Errorf("no node %s", path)
		}
		for _, pair := range [][2]string{{n.ID, w.ComponentID}, {n.Type, w.Type}, {string(n.State), w.State},
			{n.Scope, w.DataPath}} {
			if pair[1] != "" && pair[0] != pair[1] {
				return fmt.Errorf("node %s: %s, want %s", path, pair[0], pair[1])
			}
		}
		for name, prop := range w.Props {
			if err := holds("node "+path+" "+name, n.Props.At(name), prop); err != nil {
				return err
			}
		}
	}
	data, _ := t.client.Data("s")
	for path, w := range want.Data {
		got, _ := lookup(plain(data), splitPointer(path))
		var value any
		if err := json.Unmarshal(w, &value); err != nil {
			return err
		}
		if err := same("data at "+path, got, value); err != nil {
			return err
		}
	}
	if want.Events != nil || len(t.events) > 0 {
		if err := same("events", t.events, want.Events); err != nil {
			return err
		}
	}
	if want.Functions != nil || len(t.functions) > 0 {
		if err := same("functions", t.functions, want.Functions); err != nil {
			return err
		}
	}
	return t.fates(want)
}

func splitPointer(path string) []string {
	var out []string
	for i, at := 1, 1; i <= len(path); i++ {
		if i == len(path) || path[i] == '/' {
			out, at = append(out, path[at:i]), i+1
		}
	}
	return out
}

// fates compares which nodes emit, stay, are replaced and are destroyed.
func (t *tree) fates(want nodeWant) error {
	emissions, destroyed := map[string]int{}, map[string]int{}
	dead := map[string]bool{} // what hangs below a node that goes away goes too
	for _, old := range t.before {
		n, ok := byPath(t.after, old.Path)
		if !ok || !lives(old, n) || dead[parentOf(t.before, old.Path)] {
			destroyed[old.Path], dead[old.Path] = 1, true
		}
	}
	for _, n := range t.after {
		old, ok := byPath(t.before, n.Path)
		if ok && !dead[n.Path] && emits(old, n, dead) {
			emissions[n.Path] = 1
		}
	}
	if want.Emissions != nil {
		if err := same("emissions", emissions, want.Emissions); err != nil {
			return err
		}
	}
	if want.Destroyed != nil {
		if err := same("destroyed", destroyed, want.Destroyed); err != nil {
			return err
		}
	}
	for _, path := range want.SameNodes {
		if dead[path] {
			return fmt.Errorf("node %s is another one", path)
		}
	}
	for _, path := range want.ReplacedNodes {
		if _, ok := byPath(t.after, path); !ok || !dead[path] {
			return fmt.Errorf("node %s is the same", path)
		}
	}
	return nil
}

// parentOf is the path of the node that another hangs on: the longest prefix.
func parentOf(nodes []client.Node, path string) (parent string) {
	for _, n := range nodes {
		if len(n.Path) < len(path) && path[:len(n.Path)] == n.Path && path[len(n.Path)] == '/' &&
			len(n.Path) > len(parent) {
			parent = n.Path
		}
	}
	return parent
}

// emits tells whether a node that lives on shows something new: its values, its
// actions, or a child that is another node now.
func emits(old, n client.Node, dead map[string]bool) bool {
	if !reflect.DeepEqual(plain(old.Props), plain(n.Props)) || !slices.Equal(old.Errors, n.Errors) {
		return true
	}
	for _, p := range n.Component.Props {
		switch p.Value.(type) {
		case a2ui.Event, a2ui.Local:
			i := slices.IndexFunc(old.Component.Props, func(o a2ui.Prop) bool { return o.Name == p.Name })
			if i < 0 || !reflect.DeepEqual(old.Component.Props[i].Value, p.Value) {
				return true
			}
		}
	}
	return holdsDead(n.Props, dead)
}

func holdsDead(v a2ui.Data, dead map[string]bool) bool {
	if path := v.At("node").Text(); path != "" && dead[path] {
		return true
	}
	return slices.ContainsFunc(v.Items, func(item a2ui.Data) bool { return holdsDead(item, dead) }) ||
		slices.ContainsFunc(v.Members, func(m a2ui.Member) bool { return holdsDead(m.Value, dead) })
}
