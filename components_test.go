package limn

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/components"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

const orders = `name: t
tables:
  - name: order
    title: Order
    nouns: [parts]
    columns: [{name: item, label: Item, required: true}, {name: n, label: How many, type: number}]
`

// TestComponentsOfClients: a client that says it knows Limn's catalog gets a table as one
// component, and edits it by the actions of that; others get the basic catalog, as before.
func TestComponentsOfClients(t *testing.T) {
	t.Parallel()
	a := limntest.Must(app.Load("t.yaml", []byte(orders)))
	c := limntest.Serve(t, limntest.Must(New(Config{App: a, Targets: []string{"html", "v0.9", "v0.8", "v1.0"}}))).Create()
	c.Say("We have 12 parts to order.")
	sf := c.State().Surfaces[0]
	table := sf.Tree()
	var rs *ui.Rowset
	at := ui.KeyPath("")
	ui.Walk(table, func(here ui.KeyPath, n ui.Node) bool {
		if found := ui.RowsetOf(n); found != nil {
			rs, at = found, here
		}
		return true
	})
	get := func(query string) string {
		t.Helper()
		answer := c.Do("GET", "/v1/conversations/"+c.ID+"/a2ui?"+query, "")
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", query, answer.StatusCode, answer.Text)
		}
		return answer.Text
	}
	for query, own := range map[string]bool{
		"version=v0.9": false, "version=v0.9&catalog=" + a2ui.CatalogID(a2ui.V09): false,
		"version=v0.9&catalog=" + components.ID(a2ui.V09):                                          true,
		"version=v0.9&catalog=" + a2ui.CatalogID(a2ui.V09) + "&catalog=" + components.ID(a2ui.V09): true,
		"version=v1.0&catalog=" + components.ID(a2ui.V10):                                          true,
		"version=v0.8&catalog=" + a2ui.CatalogID(a2ui.V08) + "&catalog=" + components.ID(a2ui.V09): false,
	} {
		text := get(query)
		if strings.Contains(text, `"DataGrid"`) != own || strings.Contains(text, "TextField") && own && rs == nil {
			t.Errorf("%s: with a grid %t, want %t", query, !own, own)
		}
	}
	if bad := c.Do("GET", "/v1/conversations/"+c.ID+"/a2ui?version=v1.0&catalog="+components.ID(a2ui.V09), ""); bad.StatusCode !=
		http.StatusNotAcceptable {
		t.Errorf("the catalog of another version: %d", bad.StatusCode)
	}
	rows := sf.Rows(rs)
	act := func(name string, more map[string]any) *ui.Surface {
		t.Helper()
		now := c.State().Surfaces[0]
		context := map[string]any{"table": rs.Path, "limn_nonce": now.Nonce, "limn_rev": now.Rev,
			"rows": map[string]any{rows[1].ID: map[string]any{"item": "Nut", "n": "3"}}}
		for key, v := range more {
			context[key] = v
		}
		body := limntest.Must(json.Marshal(map[string]any{"version": "v0.9", "action": map[string]any{"name": name,
			"surfaceId": now.WireID(), "sourceComponentId": at.ComponentID("DataGrid"),
			"timestamp": "2026-11-27T00:00:00Z", "context": context}}))
		if answer := c.Post("/v1/conversations/"+c.ID+"/events", string(body)); answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", name, answer.StatusCode, answer.Text)
		}
		return c.State().Surfaces[0]
	}
	order := func(s *ui.Surface) (out string) {
		for _, r := range s.Rows(rs) {
			item, _ := r.Cells.Get("item")
			out += r.ID + "=" + item.Text() + " "
		}
		return out
	}
	want := ""
	for _, r := range rows {
		item := ""
		if r.ID == rows[1].ID {
			item = "Nut"
		}
		want += r.ID + "=" + item + " "
	}
	added := order(act(builtin.ActionAddRow, map[string]any{"count": 2}))
	if !strings.HasPrefix(added, want) || strings.Count(added, "=") != len(rows)+2 {
		t.Errorf("two rows more: %s", added)
	}
	if got := order(act(builtin.ActionMoveRow, map[string]any{"row": rows[1].ID, "before": rows[0].ID})); !strings.HasPrefix(got,
		rows[1].ID+"=Nut "+rows[0].ID) {
		t.Errorf("moved: %s", got)
	}
	if got := order(act(builtin.ActionRemoveRow, map[string]any{"row": rows[0].ID})); strings.Contains(got, rows[0].ID+"=") {
		t.Errorf("removed: %s", got)
	}
	now := c.State().Surfaces[0]
	stale := fmt.Sprintf(`{"version":"v0.9","action":{"name":"limn.submit","surfaceId":%q,"sourceComponentId":%q,"timestamp":"2026-11-27T00:00:00Z","context":{"table":%q,"limn_nonce":%q,"limn_rev":%d}}}`,
		now.WireID(), at.ComponentID("DataGrid"), rs.Path, now.Nonce, now.Rev)
	if answer := c.Do("POST", "/v1/conversations/"+c.ID+"/events", stale, "Idempotency-Key", "x"); strings.Contains(answer.Text, `"done"`) {
		t.Errorf("a grid submits: %s", answer.Text)
	}
	doc := c.Do("GET", "/v1/catalogs/v0_9.json", "")
	if !strings.Contains(doc.Text, `"catalogId":"`+components.ID(a2ui.V09)+`"`) || !strings.Contains(doc.Text, "ProcessMap") {
		t.Errorf("the document: %d %.200s", doc.StatusCode, doc.Text)
	}
	if none := c.Do("GET", "/v1/catalogs/v0_8.json", ""); none.StatusCode != http.StatusNotFound {
		t.Errorf("a catalog of v0.8: %d", none.StatusCode)
	}
}

// TestComponentsBesideOwnCatalogs: a surface with a catalog of the application keeps it; a
// client has to know both.
func TestComponentsBesideOwnCatalogs(t *testing.T) {
	t.Parallel()
	a := limntest.Must(app.Load("f.yaml", []byte(twoForms)))
	c := limntest.Serve(t, limntest.Must(New(Config{App: a, Catalogs: []*a2ui.Catalog{brand()}}))).Create()
	own := "version=v0.9&catalog=" + url.QueryEscape(components.ID(a2ui.V09))
	for query, want := range map[string]int{own: http.StatusNotAcceptable, own + "&catalog=" + brandID: http.StatusOK} {
		if got := c.Do("GET", "/v1/conversations/"+c.ID+"/a2ui?"+query, ""); got.StatusCode != want {
			t.Errorf("%s: %d, want %d", query, got.StatusCode, want)
		}
	}
}
