package compile

import (
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/card"
	"github.com/limn-ui/limn/internal/draft"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// inputMaker draws inputs with their labels, help and errors.
type inputMaker struct{ *drawing }

// input draws an input with its help and its error. In a Column both follow the input;
// in a Row a separate Column keeps the three together.
func (d inputMaker) input(at ui.KeyPath, in *ui.Input, inRow bool, kids []string) []string {
	if !inRow || d.locked {
		return d.inputParts(at, in, kids)
	}
	i := d.open()
	parts := d.inputParts(at, in, make([]string, 0, 3))
	return append(kids, d.setBox(i, at.Join(keyField).Join(keyBody).ComponentID("Column"), "Column", parts))
}

func (d inputMaker) inputParts(at ui.KeyPath, in *ui.Input, kids []string) []string {
	title := d.title(&in.Field, in.Title())
	switch {
	case d.locked:
		if text := d.answerText(&in.Field, d.value(in.Path, string(at))); text != "" {
			kids = append(kids, d.texts().text(at, "body", d.withLabel(in.Title(), text)))
		}
		return kids
	case in.Type == ui.TypeUpload:
		kids = append(kids, d.actions().upload(at, in, title))
	default:
		kids = append(kids, d.control(at, in.Path, &in.Field, title, d.value(in.Path, string(at)), false))
	}
	kids = d.errorText(at, in.Path, kids)
	if help := d.help(&in.Field); help != "" {
		kids = append(kids, d.texts().text(at.Join(keyHelp), "caption", help))
	}
	return kids
}

// errorText draws the error at a path, if there is one, with an icon: nothing
// else separates it from help where a client has no colors for it.
func (d inputMaker) errorText(at ui.KeyPath, p ui.Path, kids []string) []string {
	if len(d.surface.Errors) == 0 {
		return kids
	}
	if e := d.surface.ErrorAt(p); e != "" {
		kids = append(kids, d.content().iconText(at.Join(builtin.KeyError), "error", "caption", e))
	}
	return kids
}

// title is a label with the mark of a required field.
func (d inputMaker) title(f *ui.Field, label string) string {
	if f.Required {
		return label + " (" + d.say("required.mark") + ")"
	}
	return label
}

// help joins what explains a field; a placeholder is help where inputs have none.
func (d inputMaker) help(f *ui.Field) string {
	parts := make([]string, 0, 3)
	if f.Help != "" {
		parts = append(parts, f.Help)
	}
	if f.Type == ui.TypeTags {
		parts = append(parts, d.say("tags.help"))
	}
	if f.Placeholder != "" && !d.has("TextField", "placeholder") {
		parts = append(parts, f.Placeholder)
	}
	return strings.Join(parts, " ")
}

// withLabel is what replaces an input once it is answered.
func (d *drawing) withLabel(label, text string) string {
	return d.say("list.cell", "label", label, "other", text)
}

// answerText returns a value as people read it, "" for an empty one.
func (d inputMaker) answerText(f *ui.Field, v ui.Value) string {
	switch {
	case f.Type != ui.TypeBoolean:
		return card.Shown(d.surface, d.words, f, v)
	case v.True():
		return "✓"
	}
	return ""
}

// control draws the component of a field bound to p and returns its id. In a
// cell it takes little room.
func (d inputMaker) control(at ui.KeyPath, p ui.Path, f *ui.Field, label string, v ui.Value, cell bool) string {
	d.values().putCell(p, f, v)
	switch f.Type {
	case ui.TypeBoolean:
		return d.add(at.ComponentID("CheckBox"), "CheckBox",
			prop("label", d.texts().literal("CheckBox", "", "label", label)),
			prop("value", d.texts().bind(p)), prop("checks", noChecks))
	case ui.TypeSlider:
		return d.labelled(!d.f.SliderUnnamed, at, label, func() string { return d.slider(at, p, f, label) })
	case ui.TypeDate, ui.TypeTime, ui.TypeDateTime:
		return d.labelled(d.has("DateTimeInput", "label"), at, label,
			func() string { return d.dateTime(at, p, f, label) })
	case ui.TypeChoice:
		return d.labelled(d.has("ChoicePicker", "label"), at, label,
			func() string { return d.picker(at, p, f, label, "mutuallyExclusive", cell) })
	case ui.TypeChoices:
		if !d.f.ManyChoice {
			return d.boxes(at, p, f, label)
		}
		return d.labelled(d.has("ChoicePicker", "label"), at, label,
			func() string { return d.picker(at, p, f, label, "multipleSelection", cell) })
	}
	return d.textField(at, p, f, label)
}

// textField draws an input of text. A number is short text too: official clients drop
// "1e3" from an input of numbers. Its form is checked in the client, its bounds on the
// server.
func (d inputMaker) textField(at ui.KeyPath, p ui.Path, f *ui.Field, label string) string {
	variant := vShort // of a number too
	switch {
	case f.Type == ui.TypeLongText:
		variant = vLong
	case f.Obscured:
		variant = vDots
	}
	props := make([]a2ui.Prop, 0, 5)
	props = append(props, prop("label", d.texts().literal("TextField", "", "label", label)),
		prop("value", d.texts().bind(p)), prop("variant", variant))
	if d.f.Checks {
		props = append(props, prop("checks", d.checks().checks(p, f, at)))
	} else {
		props = append(props, prop("validationRegexp", a2ui.String(d.checks().regexp(f, at))))
	}
	if d.has("TextField", "placeholder") {
		props = append(props, prop("placeholder", d.texts().literal("TextField", "", "placeholder", f.Placeholder)))
	}
	return d.add(at.ComponentID("TextField"), "TextField", props...)
}

// labelled draws a control; unless it shows its label itself, a Text is
// above it.
func (d inputMaker) labelled(itself bool, at ui.KeyPath, label string, control func() string) string {
	if itself {
		return control()
	}
	i := d.open()
	text := d.texts().text(at.Join(keyLabel), "body", label)
	return d.setBox(i, at.Join(keyField).ComponentID("Column"), "Column", []string{text, control()})
}

// Bounds that represent none: a property that was sent cannot be taken back.
var noBounds = map[ui.FieldType][2]string{
	ui.TypeDate:     {"0001-01-01", "9999-12-31"},
	ui.TypeTime:     {"00:00:00Z", "23:59:59Z"},
	ui.TypeDateTime: {"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"},
}

func (d inputMaker) dateTime(at ui.KeyPath, p ui.Path, f *ui.Field, label string) string {
	bounds := noBounds[f.Type]
	for i, declared := range [...]string{f.Min, f.Max} {
		if declared == "" {
			continue
		}
		if f.Type != ui.TypeDate && strings.Count(declared, ":") == 1 { // RFC 3339 wants seconds and a zone
			declared += ":00Z"
		}
		bounds[i] = declared
	}
	date, clock := vTrue, vTrue
	if f.Type == ui.TypeDate {
		clock = vFalse
	} else if f.Type == ui.TypeTime {
		date = vFalse
	}
	return d.add(at.ComponentID("DateTimeInput"), "DateTimeInput",
		prop("label", d.texts().literal("DateTimeInput", "", "label", label)), prop("value", d.texts().bind(p)),
		prop("enableDate", date), prop("enableTime", clock),
		prop("min", a2ui.String(bounds[0])), prop("max", a2ui.String(bounds[1])), prop("checks", noChecks))
}

func (d inputMaker) slider(at ui.KeyPath, p ui.Path, f *ui.Field, label string) string {
	lo, hi := numberOr(f.Min, "0"), numberOr(f.Max, "100")
	props := make([]a2ui.Prop, 0, 6)
	if !d.f.SliderUnnamed { // else a client that shows it after all would show it twice
		props = append(props, prop("label", d.texts().literal("Slider", "", "label", label)))
	}
	return d.add(at.ComponentID("Slider"), "Slider", append(props, prop("value", d.texts().bind(p)),
		prop("min", lo), prop("max", hi), prop("steps", stepsOf(f)), prop("checks", noChecks))...)
}

func numberOr(text, byDefault string) a2ui.Value {
	if _, ok := ui.Number(text); !ok {
		text = byDefault
	}
	return a2ui.Literal{Data: jsonx.OfNumber(text)}
}

// stepsOf is the number of steps of a slider: its range by its step, else 100.
func stepsOf(f *ui.Field) a2ui.Value {
	lo, _ := ui.Number(f.Min)
	hi, _ := ui.Number(f.Max)
	step, _ := ui.Number(f.Step)
	from, _ := lo.Float()
	to, _ := hi.Float()
	by, _ := step.Float()
	n := int64(100)
	if by > 0 && to > from && (to-from)/by < 1e6 {
		n = max(1, int64((to-from)/by))
	}
	return a2ui.Literal{Data: jsonx.OfInt(n)}
}

// filterFrom is the number of options from which a picker can be searched.
const filterFrom = 12

func (d inputMaker) picker(at ui.KeyPath, p ui.Path, f *ui.Field, label, variant string, cell bool) string {
	options := make(a2ui.Options, 0, len(f.Options)+1)
	if f.Type == ui.TypeChoice && !f.Required { // an answer can be taken back
		options = append(options, a2ui.Option{
			Label: d.texts().literal("ChoicePicker", "", "options", d.say("choice.none"))})
	}
	for _, o := range f.Options {
		if d.f.LiteralsAreRefs && strings.HasPrefix(o.Value, idPrefix) {
			d.warn(CodeNotShown, string(at), "an option whose value starts with c# cannot be offered")
			continue
		}
		options = append(options, a2ui.Option{Label: d.texts().literal("ChoicePicker", "", "options", o.Text()),
			Value: o.Value})
	}
	filter, style := vFalse, "checkbox"
	if len(options) >= filterFrom {
		filter = vTrue
	}
	if cell { // one beside the other
		style = "chips"
	}
	props := []a2ui.Prop{{Name: "label", Value: d.texts().literal("ChoicePicker", "", "label", label)},
		{Name: "value", Value: d.texts().bind(p)}, {Name: "options", Value: options},
		{Name: "variant", Value: a2ui.String(variant)}}
	if d.f.ChoiceLooks {
		props = append(props, prop("displayStyle", a2ui.String(style)), prop("filterable", filter))
	}
	return d.add(at.ComponentID("ChoicePicker"), "ChoicePicker", append(props, prop("checks", noChecks))...)
}

// boxes draws choices as one CheckBox for each option.
func (d inputMaker) boxes(at ui.KeyPath, p ui.Path, f *ui.Field, label string) string {
	i := d.open()
	kids := append(make([]string, 0, len(f.Options)+1), d.texts().text(at.Join(keyLabel), "body", label))
	seen := map[string]bool{}
	for _, o := range f.Options {
		key := draft.OptionKey(o.Value)
		if seen[key] {
			continue
		}
		seen[key] = true
		kids = append(kids, d.add(at.Join("!"+key).ComponentID("CheckBox"), "CheckBox",
			prop("label", d.texts().literal("CheckBox", "", "label", o.Text())),
			prop("value", d.texts().bind(p.Join(key)))))
	}
	return d.setBox(i, at.Join(keyField).ComponentID("Column"), "Column", kids)
}
