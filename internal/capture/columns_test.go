package capture_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/capture"
)

// TestColumns: a table is proposed for delimited text only, named by its header
// where it has one, and typed by its cells.
func TestColumns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Host,IP,CPU,Installed\nsrv1,10.0.0.1,4,2026-01-05\nsrv2,10.0.0.2,8,2026-02-06":          "host:Host:text ip:IP:text cpu:CPU:number installed:Installed:date",
		"Here are our servers:\nHost;CPU\na;1,5\nb;2,5":                                          "host:Host:text cpu:CPU:number",
		"| City | Site |\n|---|---|\n| Bonn | https://a.example |\n| Rome | https://b.example |": "city:City:text site:Site:url",
		"Mail\tPhone\na@x.example\t0151 1\nb@x.example\t0152 2":                                  "mail:Mail:email phone:Phone:text",
		"Ann\tOps\tlow\nBob\tIT\thigh\nCy\tOps\tlow":                                             "c1::text c2::text c3::text",
		"City\tArea\nBonn\tWest\nKiel\tNorth\nEssen\tWest\nBochum\tWest":                         "city:City:text area:Area:text",
		"名前\t数\n東京\t1\n大阪\t2":                                                                    "c1:名前:text c2:数:number",
		"Name\tRole\tTown\nAnn\tCFO\tBonn\nBob\tIT\tKiel":                                        "name:Name:text role:Role:text town:Town:text",
		"C3\tC2\tGröße\nx\t1\ta\ny\t2\tb":                                                        "c3:C3:text c2:C2:number c4:Größe:text",
		"Issue\tId\nFire\tF-1\nFlood\tB-2":                                                       "issue:Issue:text id:Id:text",
		"Host\tSeen\na\t2026-01-05 00:00:00\nb\t2026-01-06 00:00:00":                             "host:Host:text seen:Seen:date",
		"Host\tSeen\na\t2026-01-05T00:00:00Z\nb\t2026-01-06T00:00:00Z":                           "host:Host:text seen:Seen:date",
		"Host\tSeen\na\t2026-01-05T10:00:00Z\nb\t2026-01-06T00:30:00Z":                           "host:Host:text seen:Seen:text",
		"Host\tCPU\tSeen\na\t1\t05.01.2026 08:30\nb\t2\t06.01.2026 09:00":                        "host:Host:text cpu:CPU:number seen:Seen:text",
		"Produit\tQté\tPrix HT\nVis\t1 200\t0,08 €\nÉcrou\t1 200\t0,05 €":                        "produit:Produit:text c2:Qté:number prix_ht:Prix HT:number",
		"See:\n[{\"Host\":\"srv1\",\"CPU\":4},{\"Host\":\"srv2\",\"CPU\":8}]":                    "host:Host:text cpu:CPU:number",
		"<table><tr><th>City<th>Size<tr><td>Bonn<td>3<tr><td>Rome<td>9</table>":                  "city:City:text size:Size:number",
		"- Ann\n- Bob\n- Cy":        "",
		"Ann, Bob and Cy":           "",
		"We have a list of things.": "",
		"":                          "",
		strings.Repeat("a\t", 60) + "\n" + strings.Repeat("b\t", 60): "",
	} {
		var got []string
		for _, f := range capture.Columns(text) {
			got = append(got, f.Name+":"+f.Label+":"+string(f.Type))
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%.60q:\n%s, want\n%s", text, g, want)
		}
	}
}
