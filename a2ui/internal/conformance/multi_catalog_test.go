package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

func init() { register("core/multi_catalog:select_catalog", selectCatalog) }

// selectArgs is a surface with the catalogs it may use, and what looks for its
// catalog there.
type selectArgs struct {
	Surface struct {
		ID        string   `json:"id"`
		Default   string   `json:"defaultCatalogId"`
		Supported []string `json:"supportedCatalogIds"`
		Version   string   `json:"protocolVersion"` // that of the case
	} `json:"surface"`
	Components   map[string]map[string]json.RawMessage `json:"components"`
	FunctionCall map[string]json.RawMessage            `json:"functionCall"`
	Catalogs     map[string]struct {
		ProtocolVersion string `json:"protocolVersion"`
	} `json:"catalogs"`
}

// selectCatalog asks the validator which catalog a component or a call belongs
// to: the one without which it is refused.
func selectCatalog(c *testCase) error {
	if err := c.only("catalog", "args", "expectSelected", "expectError"); err != nil {
		return err
	}
	d, err := c.reads()
	if err != nil {
		return err
	}
	var args selectArgs
	if err := decodeStrict(c.get("args"), &args); err != nil {
		return fmt.Errorf("args: %w", err)
	}
	var want *wantError
	if raw := field(c.Raw, "expectError"); raw != nil {
		if want, err = parseWant(raw); err != nil {
			return err
		}
	}
	users, own := args.users()
	var selected []string
	for i, user := range users {
		id, faults, err := args.selects(d, user)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return want.match(faults)
		}
		if own[i] || !slices.Contains(own, true) {
			selected = append(selected, id)
		}
	}
	if want != nil {
		return want.match(nil)
	}
	expected := c.text("expectSelected", "expect_selected")
	if expected == "" || !slices.Contains(selected, expected) {
		return fmt.Errorf("selected %q, want %q", selected, expected)
	}
	return nil
}

// user is a component that belongs to a catalog, or the call in one.
type user struct {
	component, function, catalog string
}

// users are the components and the call of the case; own marks those that name a
// catalog which is not the surface's. Without any, every catalog of the surface is
// used once.
func (args *selectArgs) users() (list []user, own []bool) {
	read := func(m map[string]json.RawMessage, key string) (s string) {
		_ = json.Unmarshal(field(m, key), &s)
		return s
	}
	for _, id := range sortedKeys(args.Components) {
		list = append(list, user{component: read(args.Components[id], "component"),
			catalog: read(args.Components[id], "catalogId")})
	}
	if args.FunctionCall != nil {
		name := read(args.FunctionCall, "call")
		if name == "" {
			name = read(args.FunctionCall, "@call")
		}
		list = append(list, user{function: name, catalog: read(args.FunctionCall, "catalogId")})
	}
	if len(list) == 0 {
		for _, id := range args.Surface.Supported {
			list = append(list, user{component: "Probe", catalog: id})
		}
	}
	for _, u := range list {
		own = append(own, u.component != "Probe" && u.catalog != "" && u.catalog != args.Surface.Default)
	}
	return list, own
}

// selects finds the catalog of a user, or the faults it has with every catalog.
func (args *selectArgs) selects(d a2ui.Dialect, u user) (string, []fault, error) {
	var last []fault
	for _, has := range args.Surface.Supported {
		rules := a2ui.Rules{Dialect: d}
		for _, id := range args.Surface.Supported {
			rules.Catalogs = append(rules.Catalogs, args.catalog(id, u, id == has))
		}
		rules.Catalog, rules.Catalogs = rules.Catalogs[0], rules.Catalogs[1:]
		root := a2ui.Component{ID: "root", Type: u.component, CatalogID: u.catalog}
		if u.function != "" {
			root = a2ui.Component{ID: "root", Type: "Holder", Props: []a2ui.Prop{
				{Name: "value", Value: a2ui.Call{Func: u.function, CatalogID: u.catalog}}}}
		}
		last = faultsOf(a2ui.Validate(rules, []a2ui.Message{
			&a2ui.CreateSurface{SurfaceID: args.Surface.ID, CatalogID: args.Surface.Default, Root: "root",
				Components: []a2ui.Component{root}}}), nil, 0, nil)
		if len(last) == 0 {
			return has, nil, nil
		}
	}
	if len(last) == 0 {
		return "", nil, errors.New("the surface supports no catalog")
	}
	return "", last, nil
}

// catalog is one that a surface supports, with the user's component or function
// or without.
func (args *selectArgs) catalog(id string, u user, has bool) *a2ui.Catalog {
	out := &a2ui.Catalog{ID: id, Components: map[string]*a2ui.ComponentDef{}, Functions: map[string]*a2ui.FunctionDef{}}
	out.Protocol = strings.TrimPrefix(args.Catalogs[id].ProtocolVersion, "v")
	out.Components["Holder"] = &a2ui.ComponentDef{Name: "Holder",
		Props: []a2ui.PropDef{{Name: "value", Kind: wire.DynValue}}}
	if has && u.component != "" {
		out.Components[u.component] = &a2ui.ComponentDef{Name: u.component, Open: true}
	}
	if has && u.function != "" {
		out.Functions[u.function] = &a2ui.FunctionDef{Name: u.function, Open: true, Returns: "any"}
	}
	return out
}
