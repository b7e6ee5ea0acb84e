package svg

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/limn-ui/limn/ui"
)

// process reads "name | owner" lines and "from>to kind ?" edges by number.
func process(steps []string, edges ...string) Process {
	var p Process
	for i, s := range steps {
		name, owner := s, ""
		for j := range s {
			if s[j] == '|' {
				name, owner = s[:j], s[j+1:]
			}
		}
		p.Steps = append(p.Steps, Step{ID: fmt.Sprint("s", i), N: i + 1, Name: shownText(name), Owner: shownText(owner)})
	}
	for _, e := range edges {
		var from, to int
		var kind, cond string
		fmt.Sscanf(e, "%d>%d %s %s", &from, &to, &kind, &cond)
		k := Sequence
		if kind == "approval" || kind == "parallel" {
			k = EdgeKind(kind)
		}
		p.Edges = append(p.Edges, Edge{From: from - 1, To: to - 1, Kind: k, Conditional: cond == "?" || kind == "?"})
	}
	return p
}

var samples = map[string]Process{
	"chain":    process([]string{"Receive invoice|Finance", "Check amounts|Finance", "Pay|Bank"}, "1>2", "2>3"),
	"approval": process([]string{"Draft contract|Legal", "Review contract|Procurement", "Rework the draft|Legal", "Sign off|Chief Financial Officer", "Archive|Office"}, "1>2", "2>3 ?", "3>2", "2>4 approval", "4>5"),
	"parallel": process([]string{"Kick-off|PM", "Order hardware|IT", "Train staff|HR", "Inform customers and suppliers about the new addresses|Marketing", "Migrate data|IT", "Go live|PM"}, "1>2 parallel", "1>3 parallel", "1>4 parallel", "1>5 parallel", "2>6", "3>6", "4>6", "5>6"),
	"loop":     process([]string{"Plan", "Do", "Check", "Act"}, "1>2", "2>3", "3>4", "4>1", "3>2 ?", "2>2 ?"),
	"lone":     process([]string{"First thing|A", "Second thing that has a much longer name than the others|B", "Third", "Fourth|D", "Fifth"}),
	"mixed":    process([]string{"A", "B", "C", "Alone|x", "D", "E"}, "1>2", "2>3 approval ?", "5>6", "1>3"),
	"hire": process([]string{"Open position|Hiring manager", "Approve budget|Finance", "Publish ad|HR", "Screen CVs|HR", "Phone interview|Recruiter", "Technical interview|Team", "Culture interview|Team", "Debrief|Hiring manager", "Offer|HR", "Reject politely|HR", "Onboard|Office"},
		"1>2 approval", "2>3", "3>4", "4>5", "4>10 ?", "5>6 parallel", "5>7 parallel", "6>8", "7>8", "8>9 approval", "8>10 ?", "9>11", "9>3 ?", "5>10 ?"),
	"long": process([]string{"Start", "a", "b", "c", "d", "e", "End"}, "1>2", "2>3", "3>4", "4>5", "5>6", "6>7", "1>7 ?", "2>6", "7>1 approval", "1>4"),
	"cjk":  process([]string{"请求审批采购订单并附上所有必要的文件|财务部门", "Überprüfungsausschusssitzungsprotokollgenehmigung|Geschäftsführung", "موافقة المدير|الإدارة", "👩‍👩‍👧 Familie informieren"}, "1>2 approval", "2>3", "3>4 parallel ?"),
	"dense": func() Process {
		var names []string
		for i := range 16 {
			names = append(names, fmt.Sprintf("Task %d|Team %c", i+1, 'A'+i%5))
		}
		var edges []string
		for i := 1; i <= 16; i++ {
			for _, k := range []int{i + 1, i + 3, i*2 + 1} {
				if k <= 16 {
					edges = append(edges, fmt.Sprintf("%d>%d", i, k))
				}
			}
		}
		return process(names, edges...)
	}(),
}

func series(name string, values ...float64) ui.Series { return ui.Series{Name: name, Values: values} }

func months(n int) (out []string) {
	for i := range n {
		out = append(out, []string{"January", "February", "March", "April", "May", "June", "July", "August",
			"September", "October", "November", "December"}[i%12])
	}
	return out
}

func wave(n int, f func(i int) float64) (out []float64) {
	for i := range n {
		out = append(out, f(i))
	}
	return out
}

var charts = map[string]*ui.Chart{
	"one":      {Kind: ui.ChartBar, Label: "Open tickets", Labels: []string{"Mon", "Tue", "Wed", "Thu", "Fri"}, Series: []ui.Series{series("", 4, 7, 12, 0, 3.5)}},
	"bars":     {Kind: ui.ChartBar, Label: "Result", Unit: "thousand €", Labels: months(6), Series: []ui.Series{series("North and the islands", 12, -4, 7.5, 20, 3, -11), series("South", 8, 3, -2, 14, 5, 9), series("West", 1, 2, 3, 4, 5, 6), series("East", 9, 9, 9, 9, 9, 9)}},
	"negative": {Kind: ui.ChartBar, Label: "Loss", Labels: []string{"A long name of a department", "B", "C"}, Series: []ui.Series{series("", -1500000, -320000, -70)}},
	"line":     {Kind: ui.ChartLine, Label: "Visitors", Unit: "people", Labels: months(24), Series: []ui.Series{series("2025", wave(24, func(i int) float64 { return float64(i*i%17) * 1000 })...), series("2026", wave(24, func(i int) float64 { return float64(40*i + 3000) })...)}},
	"close":    {Kind: ui.ChartLine, Label: "Pressure", Unit: "hPa", Labels: months(12), Series: []ui.Series{series("", wave(12, func(i int) float64 { return 1013 + float64(i*7%5)*0.3 })...)}},
	"many":     {Kind: ui.ChartBar, Label: "Many", Labels: months(60), Series: []ui.Series{series("", wave(60, func(i int) float64 { return float64(i*37%101) - 30 })...)}},
	"pie":      {Kind: ui.ChartPie, Label: "Budget", Unit: "€", Labels: []string{"Salaries", "Rent", "Travel and accommodation", "IT", "Other"}, Series: []ui.Series{series("", 640, 200, 80, 75, 5)}},
	"slices":   {Kind: ui.ChartPie, Label: "Votes", Labels: months(20), Series: []ui.Series{series("", wave(20, func(i int) float64 { return float64(i * i % 23) })...)}},
}

func TestLook(t *testing.T) {
	dir := os.Getenv("LIMN_PICTURES")
	if dir == "" {
		t.Skip("set LIMN_PICTURES to a folder to look at the samples")
	}
	for name, c := range charts {
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), ChartSVG(c, ui.Words{}, Alone), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range samples {
		for style, suffix := range map[Style]string{Alone: "", Inline: "-inline"} {
			b, err := p.SVG(name, ui.Words{}, style)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+suffix+".svg"), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
