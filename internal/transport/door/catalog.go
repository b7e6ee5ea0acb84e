package door

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/components"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// mostCatalogs bounds how many catalogs a client may list.
const mostCatalogs = 32

// InCatalogs is a drawing in the catalogs that a client says it has, by the ids it knows
// them by. A client that lacks one gets an error that names it.
func InCatalogs(t deliver.Target, known []string) (deliver.Target, error) {
	d := t.A2UI.Dialect
	known = known[:min(len(known), mostCatalogs)]
	var err error
	if slices.Contains(known, components.ID(d)) && t.Own != nil {
		t = t.WithOwn()
	} else if t.A2UI.Catalog, err = negotiate(a2ui.CatalogID(d), known); err != nil {
		return t, err
	}
	for _, own := range Catalogs(t) {
		if _, err := negotiate(own, known); err != nil {
			return t, err
		}
	}
	return t, nil
}

func negotiate(pinned string, known []string) (id string, err error) {
	id, err = a2ui.Negotiate(pinned, a2ui.Aliases(), a2ui.Capabilities{Catalogs: known})
	if err != nil {
		return "", &ui.Error{Code: recovery.CodeCatalog, Path: "catalog", Err: err,
			Message: "the client does not list the catalog " + pinned}
	}
	return id, nil
}

// Catalogs lists the catalogs of surfaces that do not have the basic one.
func Catalogs(t deliver.Target) (ids []string) {
	if t.A2UI.Rules != nil {
		for _, c := range t.A2UI.Rules.Catalogs {
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Newest lists the A2UI drawings among targets, the newest version first.
func Newest(targets []deliver.Target) []deliver.Target {
	var out []deliver.Target
	for _, t := range targets {
		if t.HTML == nil {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b deliver.Target) int { return cmp.Compare(b.A2UI.Dialect, a.A2UI.Dialect) })
	return out
}

// Choose is the newest drawing that a client can show, by the capabilities it sent. The
// error names the catalog that the client lacks for the newest version that it speaks.
func Choose(targets []deliver.Target, caps map[a2ui.Dialect]a2ui.Capabilities) (t deliver.Target, err error) {
	for _, one := range Newest(targets) {
		c, ok := caps[one.A2UI.Dialect]
		if !ok {
			continue
		}
		fits, lacks := InCatalogs(one, c.Catalogs)
		if lacks == nil {
			return fits, nil
		}
		if err == nil {
			err = lacks
		}
	}
	if err == nil {
		err = &ui.Error{Code: recovery.CodeTarget, Path: "capabilities",
			Message: "no version of A2UI that the client names is enabled"}
	}
	return t, err
}

// own marks, in the mark of a drawing, that it has Limn's own components.
const own = "own"

// Mark names a drawing that InCatalogs or Choose made of one of targets, for as long as that
// is enabled: also after the application has changed.
func Mark(targets []deliver.Target, t deliver.Target) string {
	for _, one := range targets {
		if one.Name == t.Name && one.Own != nil && one.Own.Rules == t.A2UI.Rules {
			return t.Name + "-" + own
		}
	}
	if t.A2UI.Catalog == "" {
		return t.Name
	}
	return t.Name + "-" + brief(t.A2UI.Catalog)
}

// brief is a text in 8 characters.
func brief(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// Marked finds the drawing with a mark.
func Marked(targets []deliver.Target, mark string) (deliver.Target, bool) {
	for _, t := range Newest(targets) {
		rest, ok := strings.CutPrefix(mark, t.Name)
		pinned := a2ui.CatalogID(t.A2UI.Dialect)
		switch {
		case !ok:
			continue
		case rest == "":
			return t, true
		case rest == "-"+own && t.Own != nil:
			return t.WithOwn(), true
		case rest == "-"+brief(pinned):
			t.A2UI.Catalog = pinned
			return t, true
		}
		for id, known := range a2ui.Aliases() {
			if known == pinned && rest == "-"+brief(id) {
				t.A2UI.Catalog = id
				return t, true
			}
		}
	}
	return deliver.Target{}, false
}
