package client

import (
	"slices"

	"github.com/limn-ui/limn/a2ui"
)

func (p *pen) textField(s *Shown) {
	s.Role = roleTextBox
	s.label(p, "label")
	if v, ok := p.input(s, "value"); ok {
		s.Value = dataText(p.show(v))
	}
	s.detail("variant", p.fixed("variant"), "shortText")
	p.details(s, "", "placeholder")
	if pattern := p.fixed("validationRegexp"); pattern != "" && s.Value.Str != "" {
		if ok, err := p.budget.Match(pattern, s.Value.Str); err != nil {
			p.report(expressionError, err.Error())
		} else if !ok {
			s.Errors = []string{"does not match " + pattern}
		}
	}
	failing, _ := p.checks()
	s.Errors = append(s.Errors, failing...)
}

func (p *pen) checkBox(s *Shown) {
	s.Role = roleCheckBox
	s.label(p, "label")
	v, ok := p.input(s, "value")
	if ok && v.Kind != truth {
		p.report(validationError, "value is a "+v.Kind.String()+", not a boolean")
	}
	s.Value = a2ui.Data{Kind: truth, Bool: p.rules.functions.Truthy(v)}
	s.Errors, _ = p.checks()
}

func (p *pen) choice(s *Shown) {
	s.Role = roleChoice
	p.optionalLabel(s)
	v, ok := p.input(s, "value")
	s.Value = p.selection(v, ok)
	options, isOptions := prop(p.comp, "options").(a2ui.Options)
	if !isOptions {
		p.report(validationError, "options is no list of options")
	}
	p.left -= len(options) / 10 // ten options take about as much memory as a node
	for _, o := range options {
		s.Options = append(s.Options, Option{Label: p.string(o.Label), Value: o.Value,
			Selected: holds(s.Value, o.Value)})
	}
	s.detail("variant", p.fixed("variant"), "mutuallyExclusive")
	s.Errors, _ = p.checks()
}

// selection reads the value of a choice as a list of strings.
func (p *pen) selection(v a2ui.Data, ok bool) a2ui.Data {
	out := a2ui.Data{Kind: array}
	if v.Kind == text && p.rules.ListText {
		v = parseText(v)
	}
	p.left -= (len(v.Items) + len(v.Members)) / 10 // as in choice
	switch {
	case !ok:
	case v.Kind == array:
		out.Items = slices.Clone(v.Items)
	case v.Kind == object && len(v.Members) == 0 && p.rules.ListText: // an empty list, see data.go
	case p.rules.listOnly:
		p.report(validationError, "the value of a choice is a "+v.Kind.String()+", not a list: nothing is selected")
	case v.Kind == object:
		for _, m := range v.Members {
			out.Items = append(out.Items, m.Value)
		}
	case show(v) != "":
		out.Items = []a2ui.Data{v}
	}
	return out
}

func holds(list a2ui.Data, value string) bool {
	return slices.ContainsFunc(list.Items, func(v a2ui.Data) bool { return v.Kind == text && v.Str == value })
}

func (p *pen) slider(s *Shown) {
	s.Role = roleSlider
	p.optionalLabel(s)
	if v, ok := p.input(s, "value"); ok {
		if v.Kind != number {
			p.report(validationError, "value is a "+v.Kind.String()+", not a number")
		}
		s.Value = v
	}
	p.details(s, "", "min", "max", "steps")
	s.Errors, _ = p.checks()
}

func (p *pen) dateTime(s *Shown) {
	s.Role = roleDateTime
	p.optionalLabel(s)
	if v, ok := p.input(s, "value"); ok {
		s.Value = dataText(p.show(v))
	}
	for _, name := range []string{"enableDate", "enableTime"} {
		if prop(p.comp, name) == nil && p.rules.DateAndTime {
			s.detail(name, "true", "false")
		}
	}
	p.details(s, "false", "enableDate", "enableTime", "min", "max")
	s.Errors, _ = p.checks()
}

func (p *pen) optionalLabel(s *Shown) {
	if prop(p.comp, "label") != nil {
		s.label(p, "label")
	}
}

// details notes the properties that the component has, unless at their default.
func (p *pen) details(s *Shown, byDefault string, names ...string) {
	for _, name := range names {
		if v := prop(p.comp, name); v != nil {
			s.detail(name, p.string(v), byDefault)
		}
	}
}

// input resolves the value of an input and notes where it writes.
func (p *pen) input(s *Shown, name string) (a2ui.Data, bool) {
	v := prop(p.comp, name)
	if path, ok := v.(a2ui.Path); ok {
		s.Bound = p.absolute(string(path), p.scope)
	}
	if v == nil {
		return a2ui.Data{}, false
	}
	data, ok := p.value(v, p.scope, 0)
	return data, ok && data.Kind != null
}

// checks returns the messages of the checks that fail, and whether one of them
// is an error and not a warning or a piece of information. A condition that
// cannot be computed fails; one that waits for the agent does not. Ten checks cost as much as a node; those that the
// drawing cannot pay fail together.
func (p *pen) checks() (failing []string, wrong bool) {
	list, _ := prop(p.comp, "checks").(a2ui.Checks)
	p.left -= len(list) / 10
	for _, c := range list {
		if p.left < 0 {
			p.reportEndless()
			return failing, true
		}
		awaited := p.awaited
		v, ok := p.value(c.Condition, p.scope, 0)
		switch {
		case ok && p.rules.functions.Truthy(v), !ok && p.awaited > awaited:
			continue
		case !ok || !p.rules.VerdictChecks:
			v = a2ui.Data{}
		}
		message := c.Message
		if own := v.At("message").Text(); own != "" { // the check's is for a result without one
			message = own
		}
		if message == "" {
			message = "invalid"
		}
		failing = append(failing, message)
		if severity := v.At("severity").Text(); severity != "warning" && severity != "info" {
			wrong = true
		}
	}
	return failing, wrong
}
