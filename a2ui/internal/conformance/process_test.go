package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

func init() {
	register("process_messages", process)
	register("core/data_deletion:validate", process)
	register("core/data_model_pointers:validate", process)
}

// processor is a renderer with the product's validator before it. A batch is
// taken whole or not at all.
type processor struct {
	dialect  a2ui.Dialect
	catalogs []supplied
	strict   bool // components and topology are judged too
	drawn    bool // cases are about what is shown

	client   *client.Client
	accepted [][]a2ui.Message // batches
}

func newProcessor(c *testCase) (*processor, error) {
	d, err := c.reads()
	if err != nil {
		return nil, err
	}
	p := &processor{dialect: d}
	_ = json.Unmarshal(field(c.Raw, "strictMode"), &p.strict)
	p.client = renderer(d, !p.strict)
	p.catalogs, err = c.supplied(d)
	return p, err
}

// topology are the faults that only strict mode looks for; alwaysJudged those
// that every renderer reports, schema checks or not.
var (
	topology = []a2ui.Code{wire.BeginMissingRoot, wire.ComponentDangling, wire.ComponentCycle, wire.ComponentOrphan}

	alwaysJudged = []a2ui.Code{a2ui.EnvelopeInvalid, a2ui.EnvelopeClientMessage, wire.BeginSurfaceUnknown,
		wire.BeginSurfaceDuplicate, wire.BeginCatalog,
		wire.ComponentCatalog, wire.ComponentParent, wire.ComponentChild}

	// ofEnvelope are the members of a component that belong to no catalog.
	ofEnvelope = regexp.MustCompile(`^/components/\d+/@?(catalogId|metadata)(/|$)`)
)

// batch processes messages and lists what is wrong; then nothing changed.
func (p *processor) batch(raw json.RawMessage) ([]fault, error) {
	raws, msgs, faults, err := p.decode(raw)
	if err != nil || faults != nil {
		return faults, err
	}
	if faults := p.judge(raws, msgs); len(faults) > 0 {
		return faults, nil
	}
	return p.apply(raws, msgs), nil
}

// decode reads the messages of a batch. A text is what came over the wire.
func (p *processor) decode(raw json.RawMessage) (raws []json.RawMessage, msgs []a2ui.Message, _ []fault, err error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if _, _, err := a2ui.DecodeMessages([]byte(text)); err != nil {
			return nil, nil, []fault{errorFault(err, 0, nil)}, nil
		}
		raw = json.RawMessage(text)
	}
	if raws, err = split(raw); err != nil {
		return nil, nil, nil, err
	}
	if !p.strict {
		raws = p.typed(raws)
	}
	msgs = make([]a2ui.Message, len(raws))
	for i, b := range raws {
		if msgs[i], err = a2ui.DecodeMessageAs(p.dialect, b); err != nil {
			return nil, nil, []fault{errorFault(err, i, b)}, nil
		}
	}
	return raws, msgs, nil, nil
}

// typed gives the components of updates that name no type the one their id has:
// schemas ask for a type each time, renderers do not.
func (p *processor) typed(raws []json.RawMessage) []json.RawMessage {
	types := map[[2]string]json.RawMessage{} // by surface and id
	out := slices.Clone(raws)
	for i, raw := range raws {
		var message, body map[string]json.RawMessage
		var list []map[string]json.RawMessage
		if json.Unmarshal(raw, &message) != nil || json.Unmarshal(message["updateComponents"], &body) != nil ||
			json.Unmarshal(body["components"], &list) != nil {
			continue
		}
		changed := false
		for _, c := range list {
			key := [2]string{str(body["surfaceId"]), str(c["id"])}
			switch typ, known := types[key], c["component"] != nil; {
			case known:
				types[key] = c["component"]
			case typ != nil:
				c["component"], changed = typ, true
			default:
				held, _ := p.client.State(key[0])
				if at := slices.IndexFunc(held.Components, func(h a2ui.Component) bool { return h.ID == key[1] }); at >= 0 {
					c["component"], _ = json.Marshal(held.Components[at].Type)
					changed = true
				}
			}
		}
		if changed {
			body["components"], _ = json.Marshal(list)
			message["updateComponents"], _ = json.Marshal(body)
			out[i], _ = json.Marshal(message)
		}
	}
	return out
}

// apply gives the renderer a batch, whole or not at all.
func (p *processor) apply(raws []json.RawMessage, msgs []a2ui.Message) []fault {
	next := p.client.Clone()
	for i, m := range msgs {
		if err := next.Apply(m); err != nil {
			return []fault{errorFault(err, i, raws[i])}
		}
	}
	p.client, p.accepted = next, append(p.accepted, msgs)
	return nil
}

// judge asks the validator.
func (p *processor) judge(raws []json.RawMessage, msgs []a2ui.Message) []fault {
	before := slices.Concat(p.accepted...)
	all := slices.Concat(before, msgs)
	rules := rulesFor(p.dialect, p.catalogs, all)
	if !p.strict {
		// What schemas say is not asked, so earlier messages may have faults: all
		// of them are judged anew, and of the faults only the new ones count.
		return faultsOf(a2ui.Validate(rules, all), raws, len(before), func(problem a2ui.Problem) bool {
			return problem.Line > len(before) &&
				(slices.Contains(alwaysJudged, problem.Code) || ofEnvelope.MatchString(problem.Path))
		})
	}
	return slices.Concat(faultsOf(after(rules, p.accepted).Check(msgs), raws, 0, nil),
		orphans(rules, p.accepted, msgs, raws))
}

// after is a validator that has taken the batches before.
func after(rules a2ui.Rules, before [][]a2ui.Message) *a2ui.Validator {
	v := a2ui.NewValidator(rules)
	for _, batch := range before {
		v.Check(batch)
	}
	return v
}

// orphans asks the Safe profile for components that cannot be reached, on the
// surfaces that msgs create.
func orphans(rules a2ui.Rules, before [][]a2ui.Message, msgs []a2ui.Message, raws []json.RawMessage) []fault {
	rules.Profile = a2ui.Safe
	created := map[string]bool{}
	for _, m := range msgs {
		if m, ok := m.(*a2ui.CreateSurface); ok {
			created[m.SurfaceID] = true
		}
	}
	return faultsOf(after(rules, before).Check(msgs), raws, 0, func(problem a2ui.Problem) bool {
		return problem.Code == wire.ComponentOrphan && created[problem.Surface]
	})
}

func faultsOf(problems []a2ui.Problem, raws []json.RawMessage, before int,
	keep func(a2ui.Problem) bool) (faults []fault) {
	for i := range problems {
		problem := &problems[i]
		if keep != nil && !keep(*problem) {
			continue
		}
		index, raw := problem.Line-1-before, json.RawMessage(nil)
		if index >= 0 && index < len(raws) {
			raw = raws[index]
		}
		faults = append(faults, problemFault(problem, index, raw))
	}
	return faults
}

// renderer is a client that leaves the judgement of components to the validator.
func renderer(d a2ui.Dialect, forgiving bool) *client.Client {
	return client.With(client.Config{Dialect: d, Mode: client.Strict, AnyComponent: true, Forgiving: forgiving})
}

// process runs process_messages: batches, and what the surfaces then hold.
func process(c *testCase) error {
	if err := c.only(append([]string{"messages", "payload", "steps", "strictMode", "expect", "expectError"},
		catalogFields...)...); err != nil {
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
	return runSteps(steps, anyFails, func(s step) ([]fault, error) { return p.batch(s.messages) }, p.check)
}

// runSteps takes every step and compares errors and states. anyFails is an error
// that one of the steps must have.
func runSteps(steps []step, anyFails *wantError, take func(step) ([]fault, error),
	check func(expect json.RawMessage) error) error {
	var failed []fault
	for i, s := range steps {
		at := func(err error) error { return fmt.Errorf("step %d: %w", i+1, err) }
		faults, err := take(s)
		if err != nil {
			return at(err)
		}
		switch {
		case s.fail != nil || anyFails == nil:
			if err := s.fail.match(faults); err != nil {
				return at(err)
			}
		default:
			failed = append(failed, faults...)
		}
		if s.expect != nil {
			if err := check(s.expect); err != nil {
				return at(err)
			}
		}
	}
	if anyFails != nil {
		return anyFails.match(failed)
	}
	return nil
}

// check compares the surfaces with {"surfaces": {id: {…}}}.
func (p *processor) check(expect json.RawMessage) error {
	var want struct {
		Surfaces map[string]map[string]json.RawMessage `json:"surfaces"`
	}
	if err := decodeStrict(expect, &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	if want.Surfaces == nil {
		return errors.New("expect has no surfaces")
	}
	for id, members := range want.Surfaces {
		got, exists := p.state(id)
		got.verdict = func(component string) (map[string]any, error) { return p.verdict(id, component) }
		for name, raw := range members {
			if err := got.check(camel(name), raw, exists); err != nil {
				return fmt.Errorf("surface %s: %w", id, err)
			}
		}
	}
	return nil
}

// state reads what the product holds of one surface.
func (p *processor) state(id string) (state, bool) {
	held, ok := p.client.State(id)
	if !ok {
		return state{}, false
	}
	s := state{exactly: !p.drawn, catalog: held.CatalogID, theme: plain(held.Theme), send: held.SendDataModel, data: plain(held.Data),
		components: map[string][]map[string]any{}}
	for _, c := range held.Components {
		s.components[c.ID] = forms(p.dialect, c)
	}
	nodes, _ := p.client.Nodes(id)
	s.instances = map[string]map[string]any{}
	at := map[string]int{}
	for _, n := range nodes {
		if s.components[n.ID] == nil {
			continue // awaited
		}
		form := map[string]any{"id": n.ID, "component": n.Type, "drawn": true}
		for _, prop := range n.Props.Members {
			v := prop.Value
			if inner, ok := v.Get("value"); ok {
				v = inner
			}
			form[prop.Key] = plain(v)
		}
		s.components[n.ID] = append(s.components[n.ID], form)
		if n.Scope != "/" {
			s.instances[fmt.Sprintf("%s_%d", n.ID, at[n.ID])] = form
			at[n.ID]++
		}
	}
	return s, true
}

// verdict is what the first failing check of a component says.
func (p *processor) verdict(surface, component string) (map[string]any, error) {
	held, _ := p.client.State(surface)
	for _, c := range held.Components {
		at := slices.IndexFunc(c.Props, func(p a2ui.Prop) bool { return p.Name == "checks" })
		if c.ID != component || at < 0 {
			continue
		}
		checks, _ := c.Props[at].Value.(a2ui.Checks)
		for _, rule := range checks {
			got, err := p.client.Evaluate(surface, "", rule.Condition)
			if err != nil {
				return nil, err
			}
			out := map[string]any{"valid": got.Bool, "message": rule.Message}
			if got.Kind == jsonx.Object {
				members, _ := plain(got).(map[string]any)
				maps.Copy(out, members)
			}
			if out["valid"] != true {
				return out, nil
			}
		}
	}
	return map[string]any{"valid": true}, nil
}

// plain is a value as encoding/json has it.
func plain(v a2ui.Data) (out any) {
	_ = json.Unmarshal(jsonx.Append(nil, v), &out)
	return out
}

// state is what the product holds of one surface.
type state struct {
	catalog    string
	theme      any
	send       bool
	components map[string][]map[string]any // by id: the forms it can be compared in, as sent and as drawn
	instances  map[string]map[string]any   // as drawn, by the id of what a template repeats, and the number of the item
	exactly    bool                        // no other components are there
	verdict    func(component string) (map[string]any, error)
	data       any
}

func (s state) check(name string, raw json.RawMessage, exists bool) error {
	var want any
	if err := json.Unmarshal(raw, &want); err != nil {
		return err
	}
	if name == "exists" {
		return same(name, exists, want)
	}
	if !exists {
		return errors.New("it does not exist")
	}
	switch name {
	case "theme":
		return same(name, s.theme, want)
	case "sendDataModel":
		return same(name, s.send, want)
	case "dataModel":
		return same(name, s.data, want)
	case "catalogId":
		return same(name, s.catalog, want)
	case "components":
		return s.checkComponents(want)
	case "validationResult":
		return s.checkVerdicts(want)
	}
	return fmt.Errorf("the harness does not know the expectation %q", name)
}

func same(name string, got, want any) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s is %s, want %s", name, show(got), show(want))
	}
	return nil
}

func show(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// checkComponents wants of each component the properties that are named, and
// where messages are processed exactly the ids. Lists and maps by id occur.
func (s state) checkComponents(want any) error {
	byID := map[string]map[string]any{}
	switch want := want.(type) {
	case map[string]any:
		for id, v := range want {
			byID[id], _ = v.(map[string]any)
		}
	case []any:
		for _, v := range want {
			c, _ := v.(map[string]any)
			id, _ := c["id"].(string)
			byID[id] = c
		}
	}
	for id := range s.components {
		if byID[id] == nil && s.exactly {
			return fmt.Errorf("component %s is not wanted", id)
		}
	}
	for id, wanted := range byID {
		forms := s.components[id]
		if form := s.instances[id]; forms == nil && form != nil {
			forms = append(forms, form)
		}
		if forms == nil {
			return fmt.Errorf("component %s is missing", id)
		}
		fits := func(form map[string]any) bool {
			for name, v := range wanted {
				got, ok := form[name]
				if _, text := v.(string); text && form["drawn"] == true {
					got = texts(got)
				}
				if !ok && v != nil || !reflect.DeepEqual(got, v) {
					return false
				}
			}
			return true
		}
		if !slices.ContainsFunc(forms, fits) {
			return fmt.Errorf("component %s is %s, want %s", id, show(forms[0]), show(wanted))
		}
	}
	return nil
}

// texts is how a value is shown where a text belongs.
func texts(v any) any {
	if _, text := v.(string); text || v == nil {
		return v
	}
	return show(v)
}

// checkVerdicts compares what checks say. The text of a function is each SDK's
// own; that of a rule is not.
func (s state) checkVerdicts(want any) error {
	byID, _ := want.(map[string]any)
	for id, wanted := range byID {
		got, err := s.verdict(id)
		if err != nil {
			return err
		}
		members, _ := wanted.(map[string]any)
		for name, v := range members {
			if name == "message" && members["code"] != nil && got[name] == "" { // the function's
				continue
			}
			if !reflect.DeepEqual(got[name], v) {
				return fmt.Errorf("the checks of %s say %s, want %s", id, show(got), show(wanted))
			}
		}
	}
	return nil
}

// forms writes a component as its dialect has it and, where that cannot be, or
// names differ, as v0.9 has it; v0.8's wrapper around the properties is taken off.
func forms(d a2ui.Dialect, c a2ui.Component) (out []map[string]any) {
	for _, d := range []a2ui.Dialect{d, a2ui.V09} {
		b, err := a2ui.AppendMessage(nil, d, &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{c}})
		if err != nil {
			continue
		}
		var message map[string]any
		_ = json.Unmarshal(b, &message)
		for _, body := range message {
			item, _ := lookup(body, []string{"components", "0"})
			if form, ok := item.(map[string]any); ok {
				out = append(out, flat(form))
			}
		}
	}
	return out
}

func flat(form map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range form {
		out[strings.TrimPrefix(key, "@")] = v
	}
	if typed, ok := form["component"].(map[string]any); ok {
		for name, props := range typed {
			out["component"] = name
			members, _ := props.(map[string]any)
			maps.Copy(out, members)
		}
	}
	return out
}
