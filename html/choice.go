package html

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/ui"
)

// choiceGroup draws radios or checkboxes in a fieldset. A fieldset of radios is invalid
// or required as a whole; for checkboxes, the first box carries these marks for all.
// Errors link to the first radio or box.
func (w *inputs) choiceGroup(k widget, f *ui.Field, v ui.Value) {
	w.str(`<fieldset class="limn-field limn-choice"`)
	owner := byte(idInput)
	if k == radioWidget {
		owner = idCaption
		w.putID(` role="radiogroup" id="`, idCaption, `"`)
		w.flag(` aria-required="true"`, f.Required)
		w.flag(` aria-invalid="true"`, w.problem() != "")
	}
	w.describe(k, f)
	w.str(`><legend class="limn-label">`)
	w.title(f)
	w.str(`</legend>`)
	w.help(k, f)
	w.wrapper(k, f, v)
	w.errorSlot(owner)
	w.str(`</fieldset>`)
}

// options draws the radios or checkboxes themselves. An optional choice has a
// radio for "none"; a hidden companion sends "nothing checked".
func (w *inputs) options(k widget, f *ui.Field, v ui.Value) {
	var chosen []string
	if k == checksWidget {
		chosen = listOf(v)
		w.companion("")
	}
	text := v.Text()
	n := 0
	if k == radioWidget && !f.Required {
		w.option(k, &n, "", w.o.Words.Say("choice.none"), text == "")
	}
	for i := range f.Options {
		o := &f.Options[i]
		on := o.Value == text
		if k == checksWidget {
			on = slices.Contains(chosen, o.Value)
		}
		w.option(k, &n, o.Value, o.Text(), on)
	}
}

// option draws one radio or checkbox with its label; the first has the id of
// the path, the others count on.
func (w *inputs) option(k widget, n *int, value, text string, on bool) {
	w.str(`<label class="limn-option">`)
	if k == radioWidget {
		w.str(`<input type="radio" id="`)
	} else {
		w.str(`<input type="checkbox" id="`)
	}
	w.id(idInput)
	if *n > 0 {
		w.str("O")
		w.b = strconv.AppendInt(w.b, int64(*n), 10)
	}
	w.str(`" name="`)
	w.b = appendEscaped(w.b, w.path)
	w.put(`" value="`, value, `"`)
	w.flag(` checked`, on)
	if *n == 0 && w.problem() != "" {
		w.flag(` aria-invalid="true"`, k == checksWidget)
		w.flag(` autofocus`, w.focus)
		w.focus = false
	}
	w.put(`><span>`, text, `</span></label>`)
	*n++
}

// selectControl draws a select. One that takes a single option offers "none"
// unless the field is required and holds one of its options: a browser would
// otherwise pretend the first had been chosen.
func (w *inputs) selectControl(k widget, f *ui.Field, v ui.Value) {
	var chosen []string
	if k == multiWidget {
		chosen = listOf(v)
		w.companion("")
	}
	w.str(`<select`)
	w.attributes(k, f)
	w.flag(` multiple`, k == multiWidget)
	w.str(`>`)
	text := v.Text()
	if k == selectWidget {
		known := text != "" && slices.ContainsFunc(f.Options, func(o ui.Option) bool { return o.Value == text })
		if !known || !f.Required {
			w.selectOption("", w.o.Words.Say("choice.none"), !known)
		}
	}
	for i := range f.Options {
		o := &f.Options[i]
		on := text != "" && o.Value == text
		if k == multiWidget {
			on = slices.Contains(chosen, o.Value)
		}
		w.selectOption(o.Value, o.Text(), on)
	}
	w.str(`</select>`)
}

func (w *inputs) selectOption(value, text string, on bool) {
	w.put(`<option value="`, value, `"`)
	w.flag(` selected`, on)
	w.put(`>`, text, `</option>`)
}

// listOf returns the chosen options of a list; a lone string is a list of one.
func listOf(v ui.Value) []string {
	if v.Kind() == ui.StringValue && !v.Empty() {
		return []string{v.Text()}
	}
	return v.List()
}
