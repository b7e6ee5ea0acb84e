package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// deciding measures package route and package capture on one core.
func deciding(count int) []figure {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	out := decisions(count)
	return append(out, guardrails(count), message64k(count), table10k(count))
}

// sentences are of every kind the router knows, in the length people write them.
var sentences = []string{
	"Hi there, good morning!", "Thanks, that helps a lot.", "What does the influence column mean?",
	"Can you explain how approvals usually work in a company of our size?",
	"We have 17 suppliers that need a new contract before the end of the year.",
	"There are about two dozen risks on the old register, most of them from last year.",
	"I need to enter 40 cost centres, can I paste them from Excel?",
	"Our team: Ana (lead), Bruno (design), Chidi (backend), Dee (QA).",
	"First the clerk scans the letter, then the team lead assigns it, after that a case worker answers and " +
		"finally it is archived.",
	"Once legal has signed off, procurement places the order and the supplier confirms.",
	"draft -> review -> sign -> publish",
	"We should talk about the hiring process some time.", "Some issues came up in the workshop.",
	"Sales, legal and finance are all part of that workflow.",
	"Please don't open another table.", "No more process maps from now on.", "ok, show me the table again", "yes", "no",
	"7", "about fifteen",
	"Change the owner of the third risk to Maria.",
	"Let's meet at 10:30 on 4 March, it takes 45 minutes and costs 300 euros.", "Give me five ideas for the kick-off.",
	"The tender is 120 pages long, version 2.3, and was sent to 4 addresses in 2 countries last week.",
	"Tenemos unos veinte proveedores en tres países y hay que registrarlos todos.",
	"Zuerst prüft die Buchhaltung die Rechnung, dann gibt die Leitung sie frei.",
	"Nous avons une douzaine de risques à saisir avant vendredi.", "Abbiamo 12 fornitori da inserire.",
	"Temos 30 clientes para cadastrar.", "We hebben 25 leveranciers.",
	"リスクが12件あります。", "我们有十五个供应商需要登记。", "위험 요소가 14개 있습니다.",
	"- rent a room\n- invite the speakers\n- print the badges\n- open the doors",
	"Name\tRole\nAnn\tSponsor\nBob\tLead\nCleo\tBuyer",
	"Honestly, it was a long week; we moved the office, two laptops broke, the train was late every single day, " +
		"and nobody knew where the keys were, but in the end the customer signed, the party was great, and I " +
		"would do it all again tomorrow if they asked me to.",
}

// states are memories a conversation may have.
var states = []ui.Router{
	{},
	{LastTool: ui.ToolTable, LastStatus: ui.StatusCompleted},
	{LastTool: ui.ToolMap, LastStatus: ui.StatusToolOpen},
	{Pending: &ui.Pending{Tool: ui.ToolTable, Subject: "risk"}},
	{OptOut: ui.OptOut{Tools: []string{ui.ToolMap}}},
}

// asked is one decision to take.
type asked struct {
	message string
	state   ui.Router
	prefs   route.Prefs
}

// mixed is every sentence in every state, and the shared labelled messages if
// they are there, shuffled.
func mixed() (list []asked, labelled int) {
	for _, s := range sentences {
		for _, state := range states {
			list = append(list, asked{message: s, state: state})
		}
	}
	if f, err := os.Open("../../shared/eval/router.jsonl"); err == nil {
		defer f.Close()
		cases, _, err := eval.ReadAll[eval.RouteCase](f, nil)
		must(err)
		for _, c := range cases { // the session compiles the user's rules once
			list = append(list, asked{*c.Message, c.State.Router,
				route.Prefs{Guardrails: route.CompileGuardrails(c.State.Guardrails)}})
		}
		labelled = len(cases)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list, labelled
}

// decisions times each decision of the mixed corpus by itself.
func decisions(count int) []figure {
	list, labelled := mixed()
	const rounds = 200
	var means, p50s, p99s []float64
	for range count {
		each := make([]float64, 0, rounds*len(list))
		for range rounds {
			for i := range list {
				a := &list[i]
				start := time.Now()
				route.Decide(a.message, a.state, a.prefs, time.Time{})
				each = append(each, float64(time.Since(start).Nanoseconds())/1e3)
			}
		}
		sum := 0.0
		for _, t := range each {
			sum += t
		}
		slices.Sort(each)
		means, p50s, p99s = append(means, sum/float64(len(each))), append(p50s, each[len(each)/2]),
			append(p99s, each[len(each)*99/100])
	}
	return []figure{
		{Name: "decide_mean_us", Value: median(means), Unit: "µs", Must: 20, Aim: 5,
			Others: map[string]float64{"median": median(p50s), "messages": float64(len(list)),
				"labelled ones": float64(labelled)}},
		{Name: "decide_p99_us", Value: median(p99s), Unit: "µs", Must: 100, Aim: 25},
	}
}

// guardrails matches fifty rules against messages of 200 characters that none of
// them fits; the worse one counts.
func guardrails(count int) figure {
	var rules []ui.Guardrail
	topics := []string{"vendor", "invoice", "headcount", "budget", "onboarding", "warehouse", "compliance", "travel",
		"payroll", "facility"}
	shapes := []string{"%s lists?", `\b%s\b.*\b(table|sheet)\b`, "(all|every|each) %ss", "^%s",
		"%s +(approval|review) +process(es)?"}
	for i, topic := range topics {
		for k, shape := range shapes {
			action := []string{route.SuppressTool, route.ForceTool}[(i+k)%2]
			rules = append(rules, ui.Guardrail{ID: fmt.Sprintf("g%d", len(rules)+1), Pattern: fmt.Sprintf(shape, topic),
				Action: action, Tool: ui.ToolTable, Enabled: true})
		}
	}
	state, prefs := ui.Router{Guardrails: rules}, route.Prefs{Guardrails: route.CompileGuardrails(rules)}
	plain := []rune(strings.Repeat("we spoke at length about where the garden party should be and who brings what, ",
		4))[:200]
	accents := []rune(
		strings.Repeat("où étions-nous déjà allés l'été dernier, et qui a payé le café près de l'hôtel ? ", 4))[:200]
	run := func(message string) func() {
		if d := route.Decide(message, state, prefs, time.Time{}); len(d.Ignored) > 0 ||
			strings.HasPrefix(d.Rationale, "guardrail") {
			panic("a rule cannot be used, or fits: " + d.Rationale)
		}
		return func() { route.Decide(message, state, prefs, time.Time{}) }
	}
	t := alternate(count, run(string(plain)), run(string(accents)))
	return figure{Name: "guardrails50_us", Value: max(t[0], t[1]), Unit: "µs", Must: 300, Aim: 150,
		Others: map[string]float64{"ASCII": t[0], "with accents": t[1]}}
}

// message64k decides messages of 64 KB of every kind; the worst one counts.
func message64k(count int) figure {
	kinds := map[string]string{
		"prose":    strings.Join(sentences[:24], " ") + " ",
		"numbers":  "we have 12 of 15, 3,000 to 4 k, twenty two and 7-9 more; ",
		"lines":    "- call the customer\n",
		"clauses":  "first the clerk signs, then the lead approves, after that it is sent, ",
		"arrows":   "a -> b -> ",
		"quotes":   "\"it's 'so' `and` “so” ",
		"brackets": "((((((((((",
		"one word": "vendorvendorvendor",
		"Japanese": "リスクが12件あります。",
	}
	worst, others := 0.0, map[string]float64{}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		text := strings.Repeat(kinds[kind], 64<<10/len(kinds[kind])+1)[:64<<10]
		text = strings.ToValidUTF8(text, "")
		ms := micros(count, func() { route.Decide(text, ui.Router{}, route.Prefs{}, time.Time{}) }) / 1e3
		others[kind], worst = ms, max(worst, ms)
	}
	return figure{Name: "message64k_ms", Value: worst, Unit: "ms", Must: 10, Aim: 3, Others: others}
}

// table10k reads and validates a paste of 10,000 rows and 6 typed columns; the
// worse of CSV and tabs counts.
func table10k(count int) figure {
	columns := []ui.Field{
		{Name: "name", Label: "Name", Type: ui.TypeText, Required: true},
		{Name: "role", Label: "Role", Type: ui.TypeText},
		{Name: "cost", Label: "Cost", Type: ui.TypeNumber}, {Name: "due", Label: "Due", Type: ui.TypeDate},
		{Name: "site", Label: "Site", Type: ui.TypeURL},
		{Name: "level", Label: "Level", Type: ui.TypeChoice,
			Options: []ui.Option{{Value: "High"}, {Value: "Medium"}, {Value: "Low"}}},
	}
	var csv, tabs strings.Builder
	csv.WriteString("Name,Role,Cost,Due,Site,Level\n")
	tabs.WriteString("Name\tRole\tCost\tDue\tSite\tLevel\n")
	for i := range 10_000 {
		cost, due, level := fmt.Sprintf("%d.%02d", i*7%9000, i%100), fmt.Sprintf("2026-%02d-%02d", i%12+1, i%28+1),
			[]string{"High", "medium", "LOW"}[i%3]
		fmt.Fprintf(&csv, "\"Supplier %d, Inc.\",Team %d,\"%s\",%s,shop%d.example.com,%s\n", i, i%40, cost, due, i,
			level)
		fmt.Fprintf(&tabs, "Supplier %d\tTeam %d\t%s\t%s\thttps://shop%d.example.com/a\t%s\n", i, i%40, cost, due, i,
			level)
	}
	run := func(text string) func() {
		return func() {
			rows := capture.Table(text, columns)
			found := capture.Validate(capture.Submission{Columns: columns, Rows: rows.Value(), Stated: 10_000})
			if len(rows.Rows) != 10_000 || len(rows.Errors) > 0 || len(capture.Shown(found)) > 0 {
				panic(fmt.Sprint(len(rows.Rows), " rows, ", len(rows.Errors), " errors, ", len(found), " warnings"))
			}
		}
	}
	t := alternate(count, run(csv.String()), run(tabs.String()))
	_, bytes := allocations(run(csv.String()))
	return figure{Name: "table10k_ms", Value: max(t[0], t[1]) / 1e3, Unit: "ms", Must: 100, Aim: 40,
		Others: map[string]float64{"CSV": t[0] / 1e3, "tabs": t[1] / 1e3, "MB allocated": bytes / 1e6}}
}
