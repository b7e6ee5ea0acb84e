package execute

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// fitting returns the declared table whose columns the header of a pasted text
// names best: at least half of the pasted columns, and one of them exactly. Of
// two that fit alike the one the message names counts, which is chosen.
func fitting(a *app.App, text, chosen string) (found app.Table, ok bool) {
	best := 0
	for _, t := range a.Config().Tables {
		score := fit(capture.Look(text, t.Columns))
		if score > 0 && t.Title == chosen {
			score++
		}
		if score > best {
			best, found, ok = score, t, true
		}
	}
	return found, ok
}

// fit says how well columns fit a pasted text; 0 is not.
func fit(p capture.Preview) int {
	if !p.Form.Delimited() || !p.Header || p.Rows == 0 {
		return 0
	}
	exact, guessed := 0, 0
	for _, c := range p.Columns {
		switch {
		case c.Guessed:
			guessed++
		case c.Column != "":
			exact++
		}
	}
	if exact == 0 || 2*(exact+guessed) < len(p.Columns) {
		return 0
	}
	return 4*exact + 2*guessed
}

// builtColumns are the columns of a table made for a pasted text, or nil. The proposed
// ones serve if each pasted column is one of them.
func builtColumns(w ui.Words, text string, proposed []ui.Field) []ui.Field {
	p := capture.Look(text, proposed)
	if fit(p) > 0 && !slices.Contains(p.Mapping(), "") {
		return nil
	}
	columns := capture.Columns(text)
	for i := range columns {
		if columns[i].Label == "" {
			columns[i].Label = w.Say("paste.column", "n", strconv.Itoa(i+1))
		}
	}
	return columns
}

// delimited reports at least two rows of cells.
func delimited(text string, columns []ui.Field) bool {
	p := capture.Look(text, columns)
	return p.Form.Delimited() && p.Rows >= 2
}

// boxed puts a text into the box of a worksheet and shows the rows it would add, as
// if it had been pasted there and read.
func boxed(env Env, s *ui.State, n ui.Name, text string) ui.Ops {
	ops := ui.Ops{&ui.Patch{Surface: n, Changes: []ui.PatchOne{
		{Do: ui.PatchSet, Path: worksheet.PastePath, Value: ui.String(text)}}}}
	next, err := env.look(s, ops)
	if err != nil {
		return nil
	}
	return append(ops, Step{}.paste(env, next.Surface(n), worksheet.Box(next.Surface(n)), "paste.look").Ops...)
}

// PasteInto puts a message that is a pasted list into the box of the open table
// it fits, with the preview of its rows. Nothing is lost by that, so no other open
// worksheet prevents it. ok is false if no table fits, or another text waits there.
func PasteInto(env Env, s *ui.State, d route.Decision, message string) (ops ui.Ops, n ui.Name, ok bool) {
	if d.Params == nil || d.Params.Table == nil {
		return nil, "", false
	}
	t, fits := fitting(env.App, message, d.Params.Table.Title)
	sf := s.Surface(ui.Name("table:" + t.Name))
	if !fits || sf == nil || sf.Status != ui.StatusOpen || s.Router.Open(sf.Name) == nil || worksheet.Waits(sf) ||
		worksheet.Part(sf.Root, "paste") == nil {
		return nil, "", false
	}
	step := Step{}.captureAgain(env, sf)
	now, err := env.look(s, step.Ops)
	if err != nil {
		return nil, "", false
	}
	more := boxed(env, now, sf.Name, message)
	text := env.words().Say("paste.into", "label", sf.Title)
	return slices.Concat(step.Ops, more, ui.Ops{say(text)}), sf.Name, more != nil
}
