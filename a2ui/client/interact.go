package client

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
)

// Type replaces the text of a text box. Like every interaction it names what it
// acts on by component id, or by Key where a template repeats it; it writes to
// the data model at once and sends nothing. Errors are *Error.
func (c *Client) Type(surface, componentID, text string) error {
	return c.input(surface, componentID, TextBox, func(Shown) (a2ui.Data, error) { return dataText(text), nil })
}

// Tick sets a check box.
func (c *Client) Tick(surface, componentID string, on bool) error {
	return c.input(surface, componentID, CheckBox, func(Shown) (a2ui.Data, error) {
		return a2ui.Data{Kind: truth, Bool: on}, nil
	})
}

// Choose replaces the selection of a choice, in the order given.
func (c *Client) Choose(surface, componentID string, values ...string) error {
	return c.input(surface, componentID, Choice, func(s Shown) (a2ui.Data, error) {
		many := slices.Contains(s.Details, Detail{"variant", "multipleSelection"})
		if len(values) > 1 && !many {
			return a2ui.Data{}, fmt.Errorf("%d values where one is allowed", len(values))
		}
		list := a2ui.Data{Kind: array}
		for _, v := range values {
			if !slices.ContainsFunc(s.Options, func(o Option) bool { return o.Value == v }) {
				return a2ui.Data{}, fmt.Errorf("%q is no option", v)
			}
			list.Items = append(list.Items, dataText(v))
		}
		return list, nil
	})
}

// Slide sets a slider.
func (c *Client) Slide(surface, componentID string, n float64) error {
	return c.input(surface, componentID, Slider, func(Shown) (a2ui.Data, error) { return numberData(n), nil })
}

// SetDate sets a date, a time or both: an ISO 8601 text as a browser's input
// gives it ("2026-05-01", "10:30", "2026-05-01T10:30"), or "" to clear.
func (c *Client) SetDate(surface, componentID, iso string) error {
	return c.input(surface, componentID, DateTime, func(Shown) (a2ui.Data, error) {
		_, isTime := time.Parse("15:04", iso)
		_, isSeconds := time.Parse("15:04:05", iso)
		_, isDate := parseTime(dataText(iso))
		if iso != "" && !isDate && isTime != nil && isSeconds != nil {
			return a2ui.Data{}, fmt.Errorf("%q is neither a date nor a time", iso)
		}
		return dataText(iso), nil
	})
}

// input writes what make returns to where the input is bound.
func (c *Client) input(surface, key string, role Role, make func(Shown) (a2ui.Data, error)) error {
	s, shown, err := c.find(surface, key, role)
	if err != nil {
		return err
	}
	fail := func(code Code, message string) error {
		return &Error{Code: code, Surface: surface, Component: key, Message: message}
	}
	if shown.Bound == "" {
		return fail(StateError, "the input is not bound to data: renderers lose what is entered")
	}
	value, wrong := make(shown)
	if wrong != nil {
		return fail(ValidationError, wrong.Error())
	}
	segs, bad := c.rules.split(shown.Bound)
	if bad == nil {
		var next a2ui.Data
		if next, bad = c.rules.put(s.data, segs, value, false); bad == nil {
			s.data = next
			s.touched[jsonptr.Join(segs...)] = true
			return nil
		}
	}
	return fail(bad.Code, bad.Message)
}

// find returns the one thing of that role that is on the screen under key.
func (c *Client) find(id, key string, role Role) (*surface, Shown, error) {
	view, err := c.Surface(id)
	if err != nil {
		return nil, Shown{}, err
	}
	found := view.find(key)
	var wrong string
	switch {
	case len(found) == 0:
		wrong = "not on the screen"
	case len(found) > 1:
		wrong = fmt.Sprintf("on the screen %d times; name one, such as %s", len(found), found[0].Key())
	case found[0].Role != role:
		wrong = fmt.Sprintf("a %s, not a %s", found[0].Role, role)
	default:
		return c.surfaces[id], found[0], nil
	}
	return nil, Shown{}, &Error{Code: StateError, Surface: id, Component: key, Message: wrong}
}

// Click presses a button and returns what the renderer sends: the event with
// its context resolved, keys whose path holds nothing left out, without a
// timestamp (there is no clock here). A local action runs and returns the zero
// Action; see Opened.
func (c *Client) Click(surface, componentID string) (a2ui.Action, error) {
	s, shown, err := c.find(surface, componentID, Button)
	if err != nil {
		return a2ui.Action{}, err
	}
	fail := func(code Code, message string) (a2ui.Action, error) {
		return a2ui.Action{}, &Error{Code: code, Surface: surface, Component: componentID, Message: message}
	}
	if shown.Disabled {
		return fail(StateError, "the button is disabled: "+strings.Join(shown.Errors, "; "))
	}
	d := newDrawing(c.rules, s, s.data)
	d.at, d.rules.reportMissing = shown.ID, false
	sc := scopeOf(shown)
	switch a := prop(s.comps[shown.ID], "action").(type) {
	case a2ui.Event:
		context := d.context(a, sc)
		for _, m := range context.Members {
			if m.Value.Kind == null && c.rules.nullContext {
				return fail(ValidationError, "context key "+m.Key+" is null: renderers drop the whole action")
			}
		}
		if len(d.problems) > 0 {
			return a2ui.Action{}, d.problems[0]
		}
		return a2ui.Action{Name: a.Name, SurfaceID: surface, Component: shown.ID, Context: context}, nil
	case a2ui.Local:
		v, ok := d.call(a.Call, sc, 0)
		if !ok {
			return a2ui.Action{}, d.problems[0]
		}
		if a.Call.Func == "openUrl" {
			c.opened = append(c.opened, v.Str)
		}
		return a2ui.Action{}, nil
	}
	return fail(ValidationError, "the button has no action")
}

// context resolves the context of an event.
func (d *drawing) context(a a2ui.Event, sc scope) a2ui.Data {
	out := a2ui.Data{Kind: object}
	for _, p := range a.Context {
		if v, ok := d.deep(p.Value, sc, 0); ok {
			out = setMember(out, p.Name, v, false)
		}
	}
	return out
}

// scopeOf is the scope that a thing on the screen was drawn in.
func scopeOf(s Shown) scope {
	if s.Scope == "" {
		return scope{}
	}
	i, _ := index(s.Scope[strings.LastIndexByte(s.Scope, '/')+1:])
	return scope{in: true, index: i, path: s.Scope}
}
