package html

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/limn-ui/limn/ui"
)

// widget is a way of drawing a field.
type widget uint8

const (
	textWidget   widget = iota
	areaWidget          // textarea
	checkWidget         // one checkbox
	selectWidget        // select, one of many
	multiWidget         // select multiple, in cells
	radioWidget         // radios
	checksWidget        // checkboxes
	rangeWidget
	dateWidget
	tagsWidget
	fileWidget
)

// radioOptions is how many options are drawn as radios; more are a select.
const radioOptions = 5

// widgetOf returns how an input node is drawn.
func widgetOf(n ui.Node, f *ui.Field) widget {
	switch n.(type) {
	case *ui.Checkbox:
		return checkWidget
	case *ui.Choice:
		return choiceWidget(f)
	case *ui.Slider:
		return rangeWidget
	case *ui.DateTime:
		return dateWidget
	case *ui.Tags:
		return tagsWidget
	case *ui.Upload:
		return fileWidget
	}
	if f.Type == ui.TypeLongText {
		return areaWidget
	}
	return textWidget
}

// fieldWidget returns how a field of a step is drawn.
func fieldWidget(f *ui.Field) widget {
	switch f.Type {
	case ui.TypeLongText:
		return areaWidget
	case ui.TypeBoolean:
		return checkWidget
	case ui.TypeChoice, ui.TypeChoices:
		return choiceWidget(f)
	case ui.TypeSlider:
		return rangeWidget
	case ui.TypeDate, ui.TypeTime, ui.TypeDateTime:
		return dateWidget
	case ui.TypeTags:
		return tagsWidget
	case ui.TypeUpload:
		return fileWidget
	}
	return textWidget
}

// cellWidget returns how a field is drawn in a table: choices take one line.
func cellWidget(f *ui.Field) widget {
	switch k := fieldWidget(f); k {
	case radioWidget:
		return selectWidget
	case checksWidget:
		return multiWidget
	default:
		return k
	}
}

func choiceWidget(f *ui.Field) widget {
	switch {
	case f.Type == ui.TypeChoices:
		return checksWidget
	case len(f.Options) > radioOptions:
		return selectWidget
	}
	return radioWidget
}

// field draws a labelled control at the current path: label, help, the
// control in its wrapper, and the error slot.
func (w *inputs) field(k widget, f *ui.Field, v ui.Value) {
	if !w.open {
		w.closedField(f, v)
		return
	}
	switch k {
	case radioWidget, checksWidget:
		w.choiceGroup(k, f, v)
		return
	case checkWidget:
		w.str(`<div class="limn-field limn-check">`)
		w.wrapper(k, f, v)
		w.label(f)
		w.help(k, f)
	default:
		w.str(`<div class="limn-field">`)
		w.label(f)
		w.help(k, f)
		w.wrapper(k, f, v)
		if k == fileWidget {
			w.uploadLimit()
			w.stored(v)
		}
	}
	w.errorSlot(idInput)
	w.str(`</div>`)
}

func (w *inputs) label(f *ui.Field) {
	w.putID(`<label class="limn-label" for="`, idInput, `">`)
	w.title(f)
	w.str(`</label>`)
}

// title writes the label's text and, in words, that the field is required.
func (w *inputs) title(f *ui.Field) {
	w.esc(f.Title())
	if f.Required {
		w.putWord(` <span class="limn-required">(`, "required.mark", `)</span>`)
	}
}

func (w *inputs) help(k widget, f *ui.Field) {
	if f.Help == "" && k != tagsWidget {
		return
	}
	w.putID(`<p class="limn-help" id="`, idHelp, `">`)
	w.esc(f.Help)
	if k == tagsWidget {
		if f.Help != "" {
			w.str(` `)
		}
		w.say("tags.help")
	}
	w.str(`</p>`)
}

// wrapper draws a control inside the element that streams keep.
func (w *inputs) wrapper(k widget, f *ui.Field, v ui.Value) {
	w.str(`<div class="limn-input" data-turbo-permanent id="`)
	w.wrapperID(f)
	w.str(`">`)
	w.control(k, f, v)
	w.str(`</div>`)
}

// wrapperID names a control, its type, the values it takes and the rev at which the server last
// wrote its value: anything that must be rendered again when it changes.
func (w *inputs) wrapperID(f *ui.Field) {
	w.id(idWrapper)
	w.str("T")
	w.b = appendIdent(w.b, string(f.Type))
	if f.Obscured {
		w.str("P")
	}
	if f.Type == ui.TypeSlider {
		w.str("B")
		w.b = strconv.AppendUint(w.b, uint64(hash(hash(hash(fnvOffset, f.Min), f.Max), f.Step)), 36)
	}
	if len(f.Options) > 0 {
		w.str("O")
		w.b = strconv.AppendUint(w.b, uint64(hashOptions(f.Options)), 36)
	}
	w.str("N")
	w.b = strconv.AppendUint(w.b, w.wrote(), 10)
}

func hashOptions(options []ui.Option) uint32 {
	h := uint32(fnvOffset)
	for i := range options {
		h = hash(hash(h, options[i].Value), options[i].Label)
	}
	return h
}

const fnvOffset = 2166136261

// hash is FNV-1a over texts, each ended by a zero byte.
func hash(h uint32, s string) uint32 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h * 16777619
}

// control draws the element that takes the value.
func (w *inputs) control(k widget, f *ui.Field, v ui.Value) {
	switch k {
	case areaWidget:
		w.str(`<textarea`)
		w.attributes(k, f)
		w.placeholder(f)
		// The first line end inside a textarea is not part of its text.
		w.put(` rows="4">&#10;`, v.Text(), `</textarea>`)
	case checkWidget:
		w.companion("false")
		w.str(`<input type="checkbox"`)
		w.attributes(k, f)
		w.str(` value="true"`)
		w.flag(` checked`, v.True())
		w.str(`>`)
	case selectWidget, multiWidget:
		w.selectControl(k, f, v)
	case radioWidget, checksWidget:
		w.options(k, f, v)
	case rangeWidget:
		if v.IsNull() {
			v = f.Draft(v) // a range shows a number even when nothing was chosen
		}
		w.str(`<input type="range"`)
		w.attributes(k, f)
		w.bounds(f)
		w.rangeStep(f, v)
		w.put(` value="`, v.Text(), `"`)
		w.putID(`><output class="limn-output" for="`, idInput, `"`)
		w.put(`>`, v.Text(), `</output>`)
	case dateWidget:
		w.dateControl(f, v)
	case fileWidget:
		w.fileControl(f)
	default:
		w.textControl(k, f, v)
	}
}

// rangeStep writes the step of a range, so that it sends the value it has: the declared one if the
// value is on it, else one in the last decimal place of the bounds, the step and the value. Without
// a declared one a range up to 1 has hundredths.
func (w *inputs) rangeStep(f *ui.Field, v ui.Value) {
	var n [4]float64
	var buf [32]byte
	places := 0
	for i, text := range [...]string{f.Min, f.Max, f.Step, v.Text()} {
		if text == "" {
			continue
		}
		n[i], _ = strconv.ParseFloat(text, 64)
		_, fraction, _ := bytes.Cut(strconv.AppendFloat(buf[:0], n[i], 'f', -1, 64), []byte{'.'})
		places = max(places, len(fraction))
	}
	lo, hi, step := n[0], n[1], n[2]
	if steps := (n[3] - lo) / step; step > 0 && math.Abs(steps-math.Round(steps)) < 1e-9 {
		w.attr(` step="`, f.Step)
		return
	}
	if step == 0 && hi-lo <= 1 {
		places = max(places, 2)
	}
	if places > 0 { // else it is 1
		w.str(` step="`)
		w.b = append(strconv.AppendFloat(w.b, math.Pow10(-places), 'f', -1, 64), '"')
	}
}

// textControl draws one line of text. Numbers are text too: a number input sends
// nothing at all for text it cannot parse, so the user's typing would be lost.
func (w *inputs) textControl(k widget, f *ui.Field, v ui.Value) {
	switch {
	case k == tagsWidget:
		w.str(`<input type="text"`)
	case f.Type == ui.TypeEmail:
		w.str(`<input type="email"`)
	case f.Type == ui.TypeURL:
		w.str(`<input type="url"`)
	case f.Type == ui.TypeNumber:
		w.str(`<input type="text" inputmode="decimal"`)
	case f.Obscured:
		w.str(`<input type="password" autocomplete="off"`)
	default:
		w.str(`<input type="text"`)
	}
	w.attributes(k, f)
	w.placeholder(f)
	w.put(` value="`, v.Text(), `">`)
}

// dateControl draws a native picker, or a text input for a draft that the
// picker could not show and would therefore erase.
func (w *inputs) dateControl(f *ui.Field, v ui.Value) {
	text := v.Text()
	kind, layout := "date", "2006-01-02"
	switch f.Type {
	case ui.TypeTime:
		kind, layout = "time", "15:04"
	case ui.TypeDateTime:
		kind, layout = "datetime-local", "2006-01-02T15:04"
	}
	if f.Type != ui.TypeDate && len(text) > len(layout) {
		layout += ":05"
	}
	if text != "" {
		var buf [32]byte
		t, err := time.Parse(layout, text)
		if err != nil || string(t.AppendFormat(buf[:0], layout)) != text {
			kind = "text"
		}
	}
	w.str(`<input type="`)
	w.str(kind)
	w.str(`"`)
	w.attributes(dateWidget, f)
	w.bounds(f)
	w.put(` value="`, text, `">`)
}

// attributes writes what all controls have: id, name, and how they are named,
// described and judged.
func (w *inputs) attributes(k widget, f *ui.Field) {
	w.putID(` id="`, idInput, `" name="`)
	w.b = appendEscaped(w.b, w.path)
	w.str(`"`)
	if w.table > 0 {
		w.cellName()
	}
	w.describe(k, f)
	if f.Required && k != rangeWidget && k != fileWidget {
		w.str(` aria-required="true"`)
	}
	w.judge()
}

// judge marks the current path as invalid if it has an error, and gives the
// first one the focus.
func (w *inputs) judge() {
	if w.errs == nil || w.problem() == "" {
		return
	}
	w.str(` aria-invalid="true"`)
	if w.focus {
		w.focus = false
		w.str(` autofocus`)
	}
}

// describe points to the help and, on an open surface, to the error slot.
func (w *inputs) describe(k widget, f *ui.Field) {
	help := w.table == 0 && (f.Help != "" || k == tagsWidget)
	if !help && !w.open {
		return
	}
	w.str(` aria-describedby="`)
	if help {
		w.id(idHelp)
		if w.open {
			w.str(` `)
		}
	}
	if w.open {
		w.id(idError)
	}
	w.str(`"`)
}

func (w *inputs) placeholder(f *ui.Field) { w.attr(` placeholder="`, f.Placeholder) }

func (w *inputs) bounds(f *ui.Field) {
	w.attr(` min="`, f.Min)
	w.attr(` max="`, f.Max)
}

// attr writes an attribute unless it is empty; start ends in ="
func (w *output) attr(start, value string) {
	if value != "" {
		w.str(start)
		w.esc(value)
		w.str(`"`)
	}
}

func (w *output) flag(name string, on bool) {
	if on {
		w.str(name)
	}
}

// companion writes the hidden input that is sent when no box is checked.
func (w *output) companion(value string) {
	w.str(`<input type="hidden" name="`)
	w.b = appendEscaped(w.b, w.path)
	w.str(`" value="`)
	w.str(value)
	w.str(`">`)
}
