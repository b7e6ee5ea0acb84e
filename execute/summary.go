package execute

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/route/prose"
	"github.com/limn-ui/limn/ui"
)

// maxFacts is how many columns a counted summary speaks of.
const maxFacts = 6

// Summary sums up by counting what was committed from a tool, for a reply
// where no model answers. "" if its surface is gone.
func Summary(env Env, s *ui.State, n ui.Name) string {
	sf := s.Surface(n)
	if sf == nil || !isTool(sf) {
		return ""
	}
	values, _ := s.Committed.Get(sf.Origin.Template)
	return captured(env, sf, values)
}

// summaryPrompt is what a model is asked after a submit (tool menu §6.1).
func summaryPrompt(s *ui.State, sf *ui.Surface) string {
	prompt := "Summarise the table in two sentences."
	if sf.Origin.Kind == "map" {
		prompt = "Summarise the process in two sentences."
	}
	if cp := s.Router.Checkpoint; cp != nil && cp.Surface == sf.Name {
		if p, err := route.ParamsOf(cp.Tool, cp.Payload); err == nil && p.Table != nil {
			prompt = cmp.Or(p.Table.SummaryPrompt, prompt)
		}
	}
	return prompt
}

// captured is what is said after a commit.
func captured(env Env, sf *ui.Surface, values ui.Value) string {
	word := "tool.captured"
	if v, _ := values.Get(KeyAccepted); v.True() {
		word = "tool.accepted"
	}
	return env.words().Say(word, "list", counted(env, sf, values))
}

// counted sums up what a tool holds: "20 stakeholders. Influence: 5 High, 9
// Medium, 6 Low."
func counted(env Env, sf *ui.Surface, values ui.Value) string {
	w, rs := env.words(), toolRows(sf)
	v, _ := values.Get(rs.Path.Segments()[1:]...)
	rows := v.Records()
	if sf.Origin.Kind == "map" {
		var edges ui.Value
		if at := edgesPath(sf); at != "" {
			edges, _ = values.Get(at.Segments()[1:]...)
		}
		return mapped(w, rows, edges.Records())
	}
	n := strconv.Itoa(len(rows))
	out := []string{w.Say("sum.of", "n", n, "label", sf.Title)}
	if noun := noun(env, sf, len(rows)); noun != "" {
		out[0] = w.Say("sum.rows", "n", n, "label", noun)
	}
	for _, c := range rs.Columns {
		if list := columnFact(w, c, rows); list != "" && len(out) <= maxFacts {
			out = append(out, w.Say("sum.column", "label", c.Title(), "list", list))
		}
	}
	return strings.Join(out, " ")
}

// noun is what the rows are called: a title of one word, else a noun the app
// declares; "" if there is neither.
func noun(env Env, sf *ui.Surface, n int) string {
	name := strings.ToLower(strings.TrimSpace(sf.Title))
	one := cmp.Or(prose.Singular(name), name)
	if strings.ContainsAny(name, " \t\n") {
		t, _ := env.App.Table(sf.Origin.Template)
		if len(t.Nouns) == 0 {
			return ""
		}
		one = cmp.Or(prose.Singular(t.Nouns[0]), t.Nouns[0])
		name = route.Decision{Subject: one}.Items()
	}
	if n == 1 {
		return one
	}
	return name
}

// columnFact counts the choices of a column, or the filled cells of an optional one.
func columnFact(w ui.Words, c ui.Field, rows []ui.Record) string {
	count, given := map[string]int{}, 0
	for _, r := range rows {
		if v, _ := r.Cells.Get(c.Name); !v.Empty() {
			count[v.Text()]++
			given++
		}
	}
	switch {
	case c.Type == ui.TypeChoice:
		var list []string
		for _, o := range c.Options {
			if n := count[o.Value]; n > 0 {
				list = append(list, strconv.Itoa(n)+" "+o.Text())
			}
		}
		return strings.Join(list, ", ")
	case c.Required || given == 0:
		return ""
	}
	return w.Say("sum.filled", "n", strconv.Itoa(given))
}

func mapped(w ui.Words, steps, edges []ui.Record) string {
	owners, approvals := map[string]bool{}, 0
	for _, r := range steps {
		if v, _ := r.Cells.Get("owner"); !v.Empty() {
			owners[strings.ToLower(strings.TrimSpace(v.Text()))] = true
		}
	}
	for _, r := range edges {
		if v, _ := r.Cells.Get("kind"); v.Text() == "approval" {
			approvals++
		}
	}
	out := []string{w.Say("sum.steps", "n", strconv.Itoa(len(steps))), w.Say("sum.owners", "n", strconv.Itoa(len(owners)))}
	if approvals > 0 {
		out = append(out, w.Say("sum.approvals", "n", strconv.Itoa(approvals)))
	}
	return strings.Join(out, " ")
}
