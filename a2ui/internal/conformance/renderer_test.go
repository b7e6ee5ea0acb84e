package conformance

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
)

func init() {
	register("get_renderer_data_model", rendererDataModel)
	register("get_renderer_capabilities", rendererCapabilities)
	register("resolve_path", resolvePath)
}

// rendererDataModel asks for what a renderer sends along with its messages.
func rendererDataModel(c *testCase) error {
	if err := c.only(append([]string{"messages", "payload", "strictMode", "args", "expect"}, catalogFields...)...); err != nil {
		return err
	}
	var args struct {
		Version string `json:"version"`
	}
	if raw := c.get("args"); raw != nil {
		if err := decodeStrict(raw, &args); err != nil {
			return fmt.Errorf("args: %w", err)
		}
	}
	if args.Version == "" {
		if args.Version = c.version(); args.Version == "" {
			args.Version = c.messageVersion()
		}
	}
	d, err := spokenAs(args.Version, c.text("dialect"))
	if err != nil {
		return err
	}
	// A renderer of several versions sends the models of the surfaces of one.
	raws, err := c.spoken(d, field(c.Raw, "messages", "payload"))
	if err != nil {
		return err
	}
	p, err := newProcessor(c)
	if err != nil {
		return err
	}
	if len(raws) > 0 {
		if p.dialect.Protocol() != d.Protocol() && (p.dialect != a2ui.V091 || d != a2ui.V09) {
			p.dialect, p.client = d, renderer(d, !p.strict)
			if p.catalogs, err = c.supplied(d); err != nil {
				return err
			}
		}
		all, err := json.Marshal(raws)
		if err != nil {
			return err
		}
		faults, err := p.batch(all)
		if err != nil || len(faults) > 0 {
			return fmt.Errorf("messages: %w %v", err, faults)
		}
	}
	models := p.client.DataModels()
	if want := c.get("expect"); string(want) == "null" {
		return same("the number of data models", len(models), 0)
	}
	b, err := a2ui.AppendClientData(nil, d, models)
	if err != nil {
		return err
	}
	return sameJSON(b, c.get("expect"))
}

// spoken are the messages of a batch that have the version of a dialect; v0.9.1 is
// v0.9. Those that say none have that of the case.
func (c *testCase) spoken(d a2ui.Dialect, messages json.RawMessage) (raws []json.RawMessage, err error) {
	if messages == nil {
		return nil, nil
	}
	all, err := split(messages)
	for _, raw := range all {
		var head struct{ Version string }
		_ = json.Unmarshal(raw, &head)
		own, unknown := a2ui.V08, error(nil)
		if head.Version != "" {
			own, unknown = dialectOf(withV(head.Version), c.text("dialect"))
		} else if c.version() != "" {
			own, unknown = c.reads()
		}
		if unknown != nil {
			return nil, unknown
		}
		if own.Protocol() == d.Protocol() || own == a2ui.V091 && d == a2ui.V09 {
			raws = append(raws, raw)
		}
	}
	return raws, err
}

// spokenAs is the dialect in which something is written: v0.9 and v0.9.1 apart.
func spokenAs(version, dialect string) (a2ui.Dialect, error) {
	d, err := dialectOf(withV(version), dialect)
	if withV(version) == "v0.9" {
		d = a2ui.V09
	}
	return d, err
}

// sameJSON compares what is written with what a case expects, as JSON; versions
// are those of the case (normalVersion).
func sameJSON(got []byte, want json.RawMessage) error {
	var g, w any
	if err := errors.Join(json.Unmarshal(got, &g), json.Unmarshal(want, &w)); err != nil {
		return err
	}
	for _, v := range []any{g, w} {
		normalVersion(v)
		if m, ok := v.(map[string]any); ok && m["1.0"] != nil {
			m["v1.0"] = m["1.0"]
			delete(m, "1.0")
		}
	}
	return same("the result", g, w)
}

// normalVersion writes the version of v1.0 as the cases do: they say "v1.0" where
// its last form is "1.0".
func normalVersion(v any) {
	if m, ok := v.(map[string]any); ok {
		if version, ok := m["version"].(string); ok {
			m["version"] = withV(version)
		}
	}
}

// rendererCapabilities asks what a renderer with the catalogs of the case tells
// agents.
func rendererCapabilities(c *testCase) error {
	if err := c.only(append([]string{"args", "expect"}, catalogFields...)...); err != nil {
		return err
	}
	var args struct {
		Inline  bool   `json:"includeInlineCatalogs"`
		Version string `json:"version"`
	}
	if raw := c.get("args"); raw != nil {
		if err := decodeStrict(raw, &args); err != nil {
			return fmt.Errorf("args: %w", err)
		}
	}
	if args.Version == "" {
		if args.Version = c.version(); args.Version == "" {
			args.Version = "v0.9"
		}
	}
	d, err := spokenAs(args.Version, c.text("dialect"))
	if err != nil {
		return err
	}
	list, err := c.supplied(d)
	if err != nil {
		return err
	}
	says := a2ui.Capabilities{Catalogs: []string{}}
	if cfg := (client.Config{Dialect: d}); len(list) > 0 {
		for _, s := range list {
			cfg.Catalogs = append(cfg.Catalogs, s.Catalog)
		}
		says.Catalogs = client.With(cfg).Capabilities().Catalogs
	}
	if args.Inline {
		says.Inline = []a2ui.Data{}
		for _, s := range list {
			inline, err := inlineForm(s.doc, d)
			if err != nil {
				return err
			}
			says.Inline = append(says.Inline, inline)
		}
	}
	b, err := a2ui.AppendCapabilities(nil, d, says)
	if _, versioned := members(c.get("expect"))["v0.8"]; versioned && d == a2ui.V08 {
		b, err = a2ui.AppendAllCapabilities(nil, map[a2ui.Dialect]a2ui.Capabilities{d: says})
	}
	if err != nil {
		return err
	}
	return sameJSON(oneKey(b, c.get("expect")), c.get("expect"))
}

// oneKey keeps of the keys that say the same (v0.9 and v0.9.1, see package a2ui)
// the wanted ones.
func oneKey(got, want []byte) []byte {
	var g, w map[string]json.RawMessage
	if json.Unmarshal(got, &g) != nil || json.Unmarshal(want, &w) != nil || string(g["v0.9"]) != string(g["v0.9.1"]) {
		return got
	}
	for _, key := range []string{"v0.9", "v0.9.1"} {
		if w[key] == nil {
			delete(g, key)
		}
	}
	b, _ := json.Marshal(g)
	return b
}

// resolvePath resolves a path inside a scope, the same in every version.
func resolvePath(c *testCase) error {
	if err := c.only("catalog", "args", "expect"); err != nil {
		return err
	}
	var args struct {
		Path        string `json:"path"`
		ContextPath string `json:"contextPath"`
	}
	if err := decodeStrict(c.get("args"), &args); err != nil {
		return fmt.Errorf("args: %w", err)
	}
	var want any
	if err := json.Unmarshal(c.get("expect"), &want); err != nil {
		return err
	}
	return same("the path", client.ResolvePath(args.Path, args.ContextPath), want)
}
