package inspect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// MaxSource bounds the text of a Source, in bytes.
const MaxSource = 256 << 10

// Kinds of a Source.
const (
	KindDirectives = "directives" // an envelope, as a model writes it
	KindApp        = "app"        // an application in YAML
	KindA2UI       = "a2ui"       // messages: one, an array, an example of the specification, or one a line
)

// Source is a text that a playground compiles.
type Source struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Show string `json:"show,omitempty"` // KindApp: the surface, such as form:customer; "": the first
}

// Story is a source with a name.
type Story struct {
	Group string `json:"group"`
	Name  string `json:"name"`
	Source
}

// Compiled is what became of a source.
type Compiled struct {
	Found      []Problem    `json:"found"`
	Surfaces   []ui.Name    `json:"surfaces,omitempty"` // KindApp: all there are
	Shown      ui.Name      `json:"shown,omitempty"`    // KindApp: the one that is rendered
	State      *jsonx.Value `json:"state,omitempty"`
	Renderings []Rendering  `json:"renderings"`
	HTML       string       `json:"html,omitempty"` // not of KindA2UI
	Cut        []string     `json:"cut,omitempty"`
}

// Nonce replaces a server's 128 random bits, so that the same input gives the same output.
const Nonce = "00000000000000000000000000000000"

// Directives carries out an envelope on an empty conversation. The warnings say what of it
// was changed or left out, also where there is an error.
func Directives(a *app.App, text string, strict bool) (s *ui.State, warnings []*ui.Error, err error) {
	registry := a.Registry()
	if strict {
		registry = registry.With(directive.Options{Strict: true})
	}
	envelope, err := registry.Read(text)
	if err != nil {
		return nil, envelope.Warnings, err
	}
	s = ui.NewState("")
	now := time.Unix(0, 0).UTC()
	env := execute.Env{App: a, Now: now, Nonce: func() string { return Nonce }, Strict: strict}
	ops, warnings := execute.Run(env, s, envelope.Directives)
	warnings = append(envelope.Warnings, warnings...)
	s, _, err = ui.Apply(s, &ui.Frame{Seq: 1, At: now, Ops: ops}, a.Config().Limits)
	return s, warnings, err
}

// Compile renders a source in all drawings. What is wrong with it is in the result.
func (env Env) Compile(src Source) (*Compiled, error) {
	if len(src.Text) > MaxSource {
		return nil, &ui.Error{Code: recovery.CodeBodyTooLarge, Path: "text",
			Message: fmt.Sprintf("the text has %d bytes, limit %d", len(src.Text), MaxSource)}
	}
	c := &compiler{Env: env, out: &Compiled{Found: []Problem{}, Renderings: []Rendering{}},
		w: writer{hide: hider{Replacer: strings.NewReplacer()}}}
	switch src.Kind {
	case KindDirectives:
		c.directives(src.Text)
	case KindApp:
		c.app(src)
	case KindA2UI:
		c.messages(src.Text)
	default:
		return nil, &ui.Error{Code: ingress.CodeEnvelope, Path: "kind", Message: "want directives, app or a2ui"}
	}
	c.out.Cut = c.w.cut
	return c.out, nil
}

type compiler struct {
	Env
	out *Compiled
	w   writer
}

func (c *compiler) found(p Problem) { c.out.Found = append(c.out.Found, p) }

func (c *compiler) directives(text string) {
	s, warnings, err := Directives(c.App, text, c.App.Config().Strict)
	for _, w := range warnings {
		c.found(placed(problemOf("warning", w), text))
	}
	if err != nil {
		p := problemOf("error", ui.AsError(err, "", err.Error()))
		var at *jsonx.Error
		if _, scan := jsonx.Scan([]byte(text), jsonx.Limits{}); errors.As(scan, &at) {
			p.Line, p.Column = position(text, at.Offset)
		}
		c.found(placed(p, text))
		return
	}
	c.render(c.App, s)
}

func (c *compiler) app(src Source) {
	const file = "app.yaml"
	a, err := app.Load(file, []byte(src.Text), app.AnyHandler(),
		app.Env(func(string) (string, bool) { return "x", true }))
	if err != nil {
		c.out.Found = append(c.out.Found, Faults(file, err)...)
		return
	}
	all := a.Openings()
	for _, o := range all {
		c.out.Surfaces = append(c.out.Surfaces, o.Surface)
	}
	if len(all) == 0 {
		return
	}
	at := max(0, slices.IndexFunc(all, func(o app.Opening) bool { return string(o.Surface) == src.Show }))
	s, _, err := ui.Apply(a.NewState(""), &ui.Frame{Seq: 1, At: time.Unix(0, 0).UTC(), Ops: ui.Ops{all[at].Op(Nonce)}},
		a.Config().Limits)
	if err != nil {
		c.found(problemOf("error", ui.AsError(err, "", err.Error())))
		return
	}
	c.out.Shown = all[at].Surface
	c.render(a, s)
}

// Faults lists the problems in an error of app.Load, in the order of the file.
func Faults(file string, err error) (list []Problem) {
	all := []error{err}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		all = many.Unwrap()
	}
	for _, one := range all {
		e := ui.AsError(one, app.CodeYAML, one.Error())
		p := problemOf("error", e)
		if e.Err != nil && e.Err != one {
			p.Message += ": " + e.Err.Error()
		}
		line, column, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(e.Path, file), ":"), ":")
		p.Line, _ = strconv.Atoi(line)
		p.Column, _ = strconv.Atoi(column)
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return list
}

// render renders a whole state.
func (c *compiler) render(a *app.App, s *ui.State) {
	whole := c.w.clip("state", c.w.json("state", s))
	c.out.State = &whole
	targets, err := c.Targets(a, c.Base, time.Unix(0, 0).UTC())
	if err != nil {
		c.found(Problem{Where: "error", Message: err.Error()})
		return
	}
	for _, t := range targets {
		if t.HTML != nil {
			c.out.HTML = c.w.upTo(maxHTML, "HTML", string(html.AppendSnapshot(nil, s, t.HTML(s))))
			continue
		}
		c.snapshot(t, s)
		if t.Own != nil && !t.A2UI.Dialect.Features().Inline { // of v1.0 there is no renderer that knows them
			t.Name += OwnSuffix
			c.snapshot(t.WithOwn(), s)
		}
	}
}

// OwnSuffix ends the name of a rendering with Limn's own components.
const OwnSuffix = " own"

// snapshot renders a state for clients of one version.
func (c *compiler) snapshot(t deliver.Target, s *ui.State) {
	batches, err := compile.Snapshot(t.A2UI, s)
	if err != nil {
		c.out.Found = append(c.out.Found, failures(t.Name, err)...)
	}
	for _, warning := range batches.Warnings() {
		c.found(Problem{Where: t.Name, Message: warning.String()})
	}
	c.out.Found = append(c.out.Found, invalid(t, batches.Messages())...)
	c.show(t.Name, t.A2UI.Dialect, batches.Messages())
}

// show renders messages of one version, and adds the problems that a renderer reports.
func (c *compiler) show(name string, d a2ui.Dialect, list []a2ui.Message) {
	one := Rendering{Target: name, Messages: []json.RawMessage{}}
	c.out.Found = append(c.out.Found, c.w.write(&one, d, list)...)
	shown := &screen{name: name, Client: client.With(client.Config{Dialect: d, AnyComponent: true, Forgiving: true})}
	shown.apply(list)
	one.Screen = c.w.text(name+" screen", shown.String())
	c.out.Renderings = append(c.out.Renderings, one)
	if !strings.HasSuffix(name, OwnSuffix) { // this renderer knows the basic catalog only
		c.out.Found = append(c.out.Found, shown.problems...)
	}
}
