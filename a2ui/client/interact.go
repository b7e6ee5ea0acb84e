package client

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/function"
	"github.com/limn-ui/limn/internal/jsonptr"
)

// screen draws surfaces, finds the components the user acts on and runs functions.
type screen struct{ *Client }

// Type replaces the text of a text box. Like every interaction it names its component
// by id, or by Key where a template repeats it; it writes to the data model at once and
// sends nothing. Errors are *Error.
func (c *Client) Type(surface, componentID, text string) error {
	return c.screen().input(surface, componentID, roleTextBox,
		func(Shown) (a2ui.Data, error) { return dataText(text), nil })
}

// Tick sets a check box.
func (c *Client) Tick(surface, componentID string, on bool) error {
	return c.screen().input(surface, componentID, roleCheckBox, func(Shown) (a2ui.Data, error) {
		return a2ui.Data{Kind: truth, Bool: on}, nil
	})
}

// Choose replaces the selection of a choice, in the order given.
func (c *Client) Choose(surface, componentID string, values ...string) error {
	return c.screen().input(surface, componentID, roleChoice, func(s Shown) (a2ui.Data, error) {
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
	return c.screen().input(surface, componentID, roleSlider,
		func(Shown) (a2ui.Data, error) { return numberData(n), nil })
}

// SetDate sets a date, a time or both: an ISO 8601 text as a browser's input
// gives it ("2026-05-01", "10:30", "2026-05-01T10:30"), or "" to clear.
func (c *Client) SetDate(surface, componentID, iso string) error {
	return c.screen().input(surface, componentID, roleDateTime, func(Shown) (a2ui.Data, error) {
		_, isTime := time.Parse("15:04", iso)
		_, isSeconds := time.Parse("15:04:05", iso)
		_, isDate := function.ParseTime(dataText(iso))
		if iso != "" && !isDate && isTime != nil && isSeconds != nil {
			return a2ui.Data{}, fmt.Errorf("%q is neither a date nor a time", iso)
		}
		return dataText(iso), nil
	})
}

// input writes what make returns to where the input is bound.
func (c screen) input(surface, key string, role string, make func(Shown) (a2ui.Data, error)) error {
	s, shown, err := c.find(surface, key, role)
	if err != nil {
		return err
	}
	fail := func(code Code, message string) error {
		return &Error{Code: code, Surface: surface, Component: key, Message: message}
	}
	if shown.Bound == "" {
		return fail(stateError, "the input is not bound to data: renderers lose what is entered")
	}
	value, wrong := make(shown)
	if wrong != nil {
		return fail(validationError, wrong.Error())
	}
	if bad := c.write(s, shown.Bound, value); bad != nil {
		return fail(bad.Code, bad.Message)
	}
	return nil
}

// write puts a user's input where an input is bound.
func (c screen) write(s *surface, path string, value a2ui.Data) *Error {
	segs, err := c.rules.split(path)
	if err != nil {
		return err
	}
	if err := c.rules.put(&s.data, s.wide, segs, value, false); err != nil {
		return err
	}
	s.touched[jsonptr.Join(segs...)] = true
	return nil
}

// find returns the one thing of that role that is on the screen under key, in one place or in several.
func (c screen) find(id, key string, role string) (*surface, Shown, error) {
	view, err := c.Surface(id)
	if err != nil {
		return nil, Shown{}, err
	}
	found, same := view.find(key)
	var wrong string
	switch {
	case len(found) == 0:
		wrong = "not on the screen"
	case !same:
		wrong = fmt.Sprintf("on the screen %d times; name one, such as %s", len(found), found[0].Key())
	case found[0].Role != role && !(role == roleButton && found[0].Role == roleUnknown):
		wrong = fmt.Sprintf("a %s, not a %s", found[0].Role, role)
	default:
		return c.surfaces[id], found[0], nil
	}
	return nil, Shown{}, &Error{Code: stateError, Surface: id, Component: key, Message: wrong}
}

// Click presses a button and returns the renderer's message: the event with its context
// resolved, keys whose path holds nothing left out, without a timestamp (there is no
// clock here). A local action runs and returns the zero Action; see Opened, and Calls
// for a function that only the agent has.
func (c *Client) Click(surface, componentID string) (a2ui.Action, error) {
	s, shown, err := c.screen().find(surface, componentID, roleButton)
	if err != nil {
		return a2ui.Action{}, err
	}
	fail := func(code Code, message string) (a2ui.Action, error) {
		return a2ui.Action{}, &Error{Code: code, Surface: surface, Component: componentID, Message: message}
	}
	if shown.Disabled {
		return fail(stateError, "the button is disabled: "+strings.Join(shown.Errors, "; "))
	}
	a := actionOf(s.comps[shown.ID])
	if a == nil {
		return fail(validationError, "the button has no action")
	}
	action, problems := c.screen().act(s, shown.ID, scopeAt(shown.Scope), a)
	if len(problems) > 0 {
		return a2ui.Action{}, problems[0]
	}
	for _, m := range action.Context.Members {
		if m.Value.Kind == null && c.rules.nullContext {
			return fail(validationError, "context key "+m.Key+" is null: renderers drop the whole action")
		}
	}
	return action, nil
}

// Dispatch runs an action, Event or Local, as a component of a surface at a scope (the
// pointer of a template's item, "" outside) would when it is used. It returns the
// renderer's message, the zero Action for a Local, and the errors on the way: a context
// key that fails is left out.
func (c *Client) Dispatch(surface, component, scope string, action a2ui.Value) (a2ui.Action, []*Error) {
	s, ok := c.surfaces[surface]
	if !ok {
		return a2ui.Action{}, []*Error{{Code: stateError, Surface: surface, Message: "the surface does not exist"}}
	}
	return c.screen().act(s, component, scopeAt(scope), action)
}

// shortEvent reads the short forms of an event that some agents write: its name
// alone, as a text or under event, and name and context without the word event.
// Validators refuse them.
func shortEvent(action a2ui.Value) (e a2ui.Event, ok bool) {
	if name, isText := action.(a2ui.String); isText {
		return a2ui.Event{Name: string(name)}, name != ""
	}
	for _, p := range membersOf(action) {
		name, isText := p.Value.(a2ui.String)
		switch {
		case (p.Name == "name" || p.Name == "event") && isText && !ok:
			e.Name, ok = string(name), name != ""
		case p.Name == "context":
			e.Context = membersOf(p.Value)
		default:
			return e, false
		}
	}
	return e, ok
}

// membersOf are those of an object, none of another value.
func membersOf(v a2ui.Value) a2ui.Object {
	switch v := v.(type) {
	case a2ui.Literal:
		return objectOf(v.Data)
	case a2ui.Object:
		return v
	}
	return nil
}

func objectOf(v a2ui.Data) (out a2ui.Object) {
	for _, m := range v.Members {
		if m.Value.Kind == text {
			out = append(out, a2ui.Prop{Name: m.Key, Value: a2ui.String(m.Value.Str)})
		} else {
			out = append(out, a2ui.Prop{Name: m.Key, Value: a2ui.Literal{Data: m.Value}})
		}
	}
	return out
}

func (c screen) act(s *surface, component string, sc scope, action a2ui.Value) (a2ui.Action, []*Error) {
	d := c.newDrawing(s, s.data)
	d.at, d.rules.reportMissing, d.clicked = component, false, true
	if e, ok := shortEvent(action); ok {
		action = e
	}
	switch a := action.(type) {
	case a2ui.Event:
		out := a2ui.Action{Name: a.Name, SurfaceID: s.id, Component: component, Context: c.keep.data(d.context(a, sc))}
		if a.UserMessage != nil {
			if v, ok := d.value(a.UserMessage, sc, 0); ok {
				out.UserMessage = show(v)
			}
		}
		return out, d.problems
	case a2ui.Local:
		v, ok := d.call(a.Call, sc, 0)
		if ok && a.Call.Func == "openUrl" {
			c.opened = append(c.opened, show(v))
		}
		for _, remote := range d.remotes { // the result of a click is not drawn
			ask := *remote.ask
			ask.Call = c.keep.call(ask.Call)
			_ = c.Ask(&ask) // it gets a new id
			c.callTable.queue = append(c.callTable.queue, &ask)
		}
	default:
		d.report(validationError, "an action is an event or a function call")
	}
	return a2ui.Action{}, d.problems
}

// Evaluate resolves a value as a component of a surface at a scope (the pointer of a
// template's item, "" outside) would draw it. The error is the first fault, or that
// only the agent can compute the value; a missing value is Null.
func (c *Client) Evaluate(surface, scope string, v a2ui.Value) (a2ui.Data, error) {
	s, ok := c.surfaces[surface]
	if !ok {
		return a2ui.Data{}, &Error{Code: stateError, Surface: surface, Message: "the surface does not exist"}
	}
	d := c.screen().newDrawing(s, s.data)
	d.rules.reportMissing = false
	out, _ := d.value(v, scopeAt(scope), 0)
	if len(d.problems) > 0 {
		return a2ui.Data{}, d.problems[0]
	}
	if d.awaited > 0 {
		return a2ui.Data{}, &Error{Code: expressionError, Surface: surface,
			Message: "only the agent can compute it: no catalog of this renderer has the function"}
	}
	return c.keep.data(out), nil
}

// context resolves the context of an event.
func (d *drawing) context(a a2ui.Event, sc scope) a2ui.Data {
	out := a2ui.Data{Kind: object}
	for _, p := range a.Context {
		if v, ok := d.deep(p.Value, sc, 0); ok {
			out.Members = slices.DeleteFunc(out.Members, func(m a2ui.Member) bool { return m.Key == p.Name })
			out.Members = append(out.Members, a2ui.Member{Key: p.Name, Value: v})
		}
	}
	return out
}

// scopeAt is the scope of the pointer of a template's item.
func scopeAt(path string) scope {
	path = strings.TrimSuffix(path, "/")
	if path == "" {
		return scope{}
	}
	i, _ := jsonptr.Index(path[strings.LastIndexByte(path, '/')+1:])
	return scope{in: true, index: i, path: path}
}
