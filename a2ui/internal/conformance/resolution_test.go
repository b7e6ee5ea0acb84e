package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/internal/jsonx"
)

// agent/catalog_resolution, and what agent/inference_format says of catalogs.
func init() {
	register("resolve_catalogs", runResolve)
	register("agent/inference_format:select_catalog", runSelectLegacy)
	register("load_catalog", runLoadCatalog)
}

// host reads the catalogs that the agent of a case registered: documents or the
// paths of them, each with its transformers.
func (c *testCase) host(raw json.RawMessage, accepts bool) (catalog.Host, error) {
	h := catalog.Host{AcceptsInline: accepts}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); raw != nil && err != nil {
		return h, fmt.Errorf("catalogs: %w", err)
	}
	for _, item := range list {
		if err := known(item, "catalog", "transformers"); err != nil {
			return h, err
		}
		var doc a2ui.Data
		if err := c.readMember(field(item, "catalog"), &doc); err != nil {
			return h, err
		}
		d, err := catalog.NewDocument(doc, catalog.Options{})
		if err != nil {
			return h, err
		}
		if d, err = transform(d, field(item, "transformers")); err != nil {
			return h, err
		}
		h.Catalogs = append(h.Catalogs, d)
	}
	return h, nil
}

// transform applies the transformers of a registration in their order.
func transform(d *catalog.Document, raw json.RawMessage) (*catalog.Document, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); raw != nil && err != nil {
		return nil, fmt.Errorf("transformers: %w", err)
	}
	for _, item := range list {
		var name string
		var args map[string][]string
		if json.Unmarshal(item, &name) != nil {
			if err := json.Unmarshal(item, &args); err != nil || len(args) != 1 {
				return nil, fmt.Errorf("the harness does not know the transformer %s", item)
			}
		}
		for key := range args {
			name = key
		}
		switch name {
		case "component_pruning", "componentPruning":
			d = d.Prune(args[name], nil)
		case "function_pruning", "functionPruning":
			d = d.Prune(nil, args[name])
		case "remove_strict_validation", "removeStrictValidation":
			d = d.Lenient()
		default:
			return nil, fmt.Errorf("the harness does not know the transformer %q", name)
		}
	}
	return d, nil
}

// capabilities reads what the renderer of a case says for v1.0: nil when it says
// nothing at all.
func capabilities(raw json.RawMessage) (*a2ui.Capabilities, error) {
	if raw == nil || string(raw) == "null" || string(raw) == "{}" {
		return nil, nil
	}
	byVersion, err := a2ui.DecodeCapabilities(raw, a2ui.Limits{})
	if err != nil {
		return nil, err
	}
	for _, d := range []a2ui.Dialect{a2ui.V10, a2ui.V10Oct, a2ui.V10RC} {
		if caps, ok := byVersion[d]; ok {
			return &caps, nil
		}
	}
	return &a2ui.Capabilities{}, nil
}

// resolve negotiates for a case with args catalogs, accepts_inline_catalogs and
// renderer_capabilities.
func (c *testCase) resolve(args map[string]json.RawMessage) ([]*catalog.Document, error) {
	var accepts bool
	if err := into(args, "acceptsInlineCatalogs", &accepts); err != nil {
		return nil, err
	}
	h, err := c.host(field(args, "catalogs"), accepts)
	if err != nil {
		return nil, err
	}
	caps, err := capabilities(field(args, "rendererCapabilities"))
	if err != nil {
		return nil, err
	}
	return h.Resolve(caps)
}

func runResolve(c *testCase) error {
	if err := c.only("args", "expect", "expectError"); err != nil {
		return err
	}
	args, err := c.args("catalogs", "acceptsInlineCatalogs", "rendererCapabilities")
	if err != nil {
		return err
	}
	active, err := c.resolve(args)
	if raw := c.get("expectError", "expect_error"); raw != nil || err != nil {
		return wantCatalogError(raw, err)
	}
	var want map[string]json.RawMessage
	if err := into(c.Raw, "expect", &want); err != nil {
		return err
	}
	if err := known(want, "activeCatalogIds", "catalogs"); err != nil {
		return err
	}
	return wantActive(want, active, false)
}

// wantActive compares the active catalogs with the ids that are expected, in
// their order or in any, and with what is expected of some.
func wantActive(want map[string]json.RawMessage, active []*catalog.Document, ordered bool) error {
	got := []string{}
	for _, d := range active {
		got = append(got, d.ID())
	}
	if raw := field(want, "activeCatalogIds"); raw != nil {
		ids := []string{}
		if err := json.Unmarshal(raw, &ids); err != nil {
			return err
		}
		sorted := slices.Clone(got)
		if !ordered {
			slices.Sort(sorted)
			slices.Sort(ids)
		}
		if !slices.Equal(sorted, ids) {
			return fmt.Errorf("active catalogs %q, want %q", got, ids)
		}
	}
	var each []struct {
		CatalogID  string    `json:"catalog_id"`
		Components *[]string `json:"components"`
		Functions  *[]string `json:"functions"`
	}
	if raw := field(want, "catalogs"); raw != nil {
		if err := decodeStrict(raw, &each); err != nil {
			return fmt.Errorf("catalogs: %w", err)
		}
	}
	for _, w := range each {
		i := slices.Index(got, w.CatalogID)
		if i < 0 {
			return fmt.Errorf("no active catalog %q", w.CatalogID)
		}
		err := errors.Join(wantNames("components", w.Components, active[i].Components()),
			wantNames("functions", w.Functions, active[i].Functions()))
		if err != nil {
			return fmt.Errorf("%s: %w", w.CatalogID, err)
		}
	}
	return nil
}

// wantNames compares the names of members with the expected ones, in any order.
func wantNames(what string, want *[]string, members []a2ui.Member) error {
	if want == nil {
		return nil
	}
	names := []string{}
	for _, m := range members {
		names = append(names, m.Key)
	}
	slices.Sort(names)
	if !slices.Equal(names, slices.Sorted(slices.Values(*want))) {
		return fmt.Errorf("%s %q, want %q", what, names, *want)
	}
	return nil
}

func runSelectLegacy(c *testCase) error {
	if err := c.only("args", "expect", "expectError", "expectSelected"); err != nil {
		return err
	}
	args, err := c.args("supportedCatalogs", "clientCapabilities", "acceptsInlineCatalogs")
	if err != nil {
		return err
	}
	var h catalog.Host
	var docs []a2ui.Data
	if err := errors.Join(into(args, "supportedCatalogs", &docs),
		into(args, "acceptsInlineCatalogs", &h.AcceptsInline)); err != nil {
		return err
	}
	for _, doc := range docs {
		d, err := catalog.NewDocument(doc, catalog.Options{})
		if err != nil {
			return err
		}
		h.Catalogs = append(h.Catalogs, d)
	}
	caps, err := legacyCapabilities(field(args, "clientCapabilities"))
	if err != nil {
		return err
	}
	selected, err := h.Select(caps)
	if raw := c.get("expectError", "expect_error"); raw != nil || err != nil {
		return wantCatalogError(raw, err)
	}
	if raw := field(c.Raw, "expectSelected"); raw != nil {
		var id string
		if err := json.Unmarshal(raw, &id); err != nil || id != selected.ID() {
			return fmt.Errorf("selected %q, want %s", selected.ID(), raw)
		}
	}
	if raw := field(c.Raw, "expect"); raw != nil {
		var want a2ui.Data
		if err := json.Unmarshal(raw, &want); err != nil {
			return err
		}
		return sameData(want, selected.Data())
	}
	return nil
}

// legacyCapabilities reads capabilities without a version, of which the cases
// leave out members that the specification requires.
func legacyCapabilities(raw json.RawMessage) (*a2ui.Capabilities, error) {
	if raw == nil || string(raw) == "null" {
		return nil, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	caps := &a2ui.Capabilities{}
	return caps, errors.Join(known(members, "supportedCatalogIds", "inlineCatalogs"),
		into(members, "supportedCatalogIds", &caps.Catalogs), into(members, "inlineCatalogs", &caps.Inline))
}

func runLoadCatalog(c *testCase) error {
	if err := c.only("args", "catalogConfigs", "modifiers", "schemaModifiers", "version", "expect", "expectError"); err != nil {
		return err
	}
	args, err := c.args("catalogConfigs", "modifiers", "schemaModifiers", "version")
	if err != nil {
		return err
	}
	both := func(name string) json.RawMessage {
		if raw := field(args, name); raw != nil {
			return raw
		}
		return field(c.Raw, name)
	}
	var configs []map[string]json.RawMessage
	if err := json.Unmarshal(both("catalogConfigs"), &configs); err != nil {
		return fmt.Errorf("catalogConfigs: %w", err)
	}
	modifiers := both("modifiers")
	if modifiers == nil {
		modifiers = both("schemaModifiers")
	}
	var docs []*catalog.Document
	for _, config := range configs {
		var path string
		if err := errors.Join(known(config, "name", "path", "examplesPath"), into(config, "path", &path)); err != nil {
			return err
		}
		d, err := c.loadCatalog(path, modifiers)
		if err != nil {
			return wantCatalogError(c.get("expectError", "expect_error"), err)
		}
		docs = append(docs, d)
	}
	if raw := c.get("expectError", "expect_error"); raw != nil {
		return wantCatalogError(raw, nil)
	}
	return wantLoaded(c.get("expect"), docs)
}

func (c *testCase) loadCatalog(path string, modifiers json.RawMessage) (*catalog.Document, error) {
	b, err := os.ReadFile(c.path(path))
	if err != nil {
		return nil, err
	}
	d, err := catalog.DecodeDocument(b, catalog.Options{})
	if err != nil {
		return nil, err
	}
	return transform(d, modifiers)
}

// wantLoaded compares what was loaded: the ids in order, one document or all.
func wantLoaded(raw json.RawMessage, docs []*catalog.Document) error {
	var want map[string]json.RawMessage
	if err := json.Unmarshal(raw, &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	for key, w := range want {
		var got any
		ids, all := []string{}, []a2ui.Data{}
		for _, d := range docs {
			ids, all = append(ids, d.ID()), append(all, d.Data())
		}
		switch camel(key) {
		case "supportedCatalogIds":
			got = ids
		case "catalogSchemas":
			got = jsonx.OfArray(all...)
		case "catalogSchema":
			got = all[0]
		default:
			return fmt.Errorf("the harness does not know the expectation %q", key)
		}
		g, _ := json.Marshal(got)
		var a, b a2ui.Data
		if err := errors.Join(json.Unmarshal(w, &a), json.Unmarshal(g, &b)); err != nil {
			return err
		}
		if err := sameData(a, b); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}
