package conformance

import (
	"encoding/json"
	"slices"

	"github.com/limn-ui/limn/a2ui"
)

func init() { register("validate", validate) }

// validate judges the steps of a case with one validator. Components are always
// judged. Topology is judged in strict mode, and always by the cases that bring
// their schemas (catalog.version), whose steps know nothing of one another.
func validate(c *testCase) error {
	fields := append([]string{"messages", "payload", "steps", "strictMode", "expect", "expectError"}, catalogFields...)
	if err := c.only(fields...); err != nil {
		return err
	}
	steps, anyFails, err := c.steps()
	if err != nil {
		return err
	}
	p, err := newProcessor(c)
	if err != nil {
		return err
	}
	p.drawn = true
	var legacy struct{ Version string }
	_ = json.Unmarshal(c.get("catalog"), &legacy)
	j := judge{processor: p, alone: legacy.Version != "", topology: p.strict || legacy.Version != "",
		shows: slices.ContainsFunc(steps, func(s step) bool { return s.expect != nil })}
	return runSteps(steps, anyFails, j.step, p.check)
}

type judge struct {
	*processor
	alone    bool // every step stands for itself
	topology bool
	shows    bool // the case asks what is shown then
}

// step judges one batch of messages, on top of the accepted ones. A step that
// creates a surface again begins anew.
func (j *judge) step(s step) ([]fault, error) {
	raws, msgs, faults, err := j.decode(s.messages)
	if err != nil || faults != nil {
		return faults, err
	}
	if j.alone || recreates(slices.Concat(j.accepted...), msgs) {
		j.accepted, j.client = nil, renderer(j.dialect, !j.topology)
	}
	rules := rulesFor(j.dialect, j.catalogs, slices.Concat(slices.Concat(j.accepted...), msgs))
	rules.Partial = true
	j.named(msgs, rules.Catalog.ID)
	faults = faultsOf(after(rules, j.accepted).Check(msgs), raws, 0, func(p a2ui.Problem) bool {
		return j.topology || !slices.Contains(topology, p.Code)
	})
	if j.topology {
		faults = append(faults, orphans(rules, j.accepted, msgs, raws)...)
	}
	if len(faults) > 0 {
		return faults, nil
	}
	if !j.shows {
		j.accepted = append(j.accepted, msgs)
		return nil, nil
	}
	if faults := j.apply(raws, msgs); len(faults) > 0 {
		return faults, nil
	}
	for _, id := range j.client.Surfaces() {
		if _, problems := j.client.Nodes(id); len(problems) > 0 {
			return []fault{errorFault(problems[0], 0, nil)}, nil
		}
	}
	return nil, nil
}

// named gives the surfaces that name no catalog the one of a case that has none
// to name.
func (j *judge) named(msgs []a2ui.Message, id string) {
	if slices.ContainsFunc(j.catalogs, func(one supplied) bool { return field(members(one.doc), "catalogId") != nil }) {
		return
	}
	for _, m := range msgs {
		if create, ok := m.(*a2ui.CreateSurface); ok && create.CatalogID == "" {
			create.CatalogID = id
		}
	}
}

func members(raw json.RawMessage) (out map[string]json.RawMessage) {
	_ = json.Unmarshal(raw, &out)
	return out
}

// recreates tells whether msgs create a surface that is open after before.
func recreates(before, msgs []a2ui.Message) bool {
	open := map[string]bool{}
	follow := func(m a2ui.Message) bool {
		switch m := m.(type) {
		case *a2ui.CreateSurface:
			if open[m.SurfaceID] {
				return true
			}
			open[m.SurfaceID] = true
		case *a2ui.DeleteSurface:
			delete(open, m.SurfaceID)
		}
		return false
	}
	for _, m := range before {
		follow(m)
	}
	for id := range open {
		for _, m := range msgs {
			if m.Surface() == id && follow(m) {
				return true
			}
		}
	}
	return false
}
