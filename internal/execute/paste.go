package execute

import (
	"strconv"

	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// paste reads the text of the box or of a file, and shows the rows it would add;
// word is the key of the sentence about them.
func (step Step) paste(env Env, sf *ui.Surface, src worksheet.Source, word string) Step {
	found, changes, ask := worksheet.Read(env.words(), sf, src, env.room(sf))
	if ask != nil {
		return step.ask(sf, ask)
	}
	return step.within(env, sf, src, env.words().Say(word),
		&ui.Update{Surface: sf.Name, Root: worksheet.ShowFound(sf.Root, env.words(), found)},
		&ui.Patch{Surface: sf.Name, Changes: changes},
		&ui.Errors{Surface: sf.Name, Errors: errorsOutside(sf, src.Path())})
}

// room is the most rows with entries that a worksheet may have.
func (e Env) room(sf *ui.Surface) int {
	if rs := ui.RowsetOf(worksheet.Filled(sf.Root)); rs != nil {
		return e.mostRows(rs)
	}
	return 0
}

// apply adds the rows of the preview. If the text has changed since, it is read
// again instead.
func (step Step) apply(env Env, sf *ui.Surface) Step {
	src, same := worksheet.Kept(sf)
	if !same {
		return step.paste(env, sf, src, "paste.changed")
	}
	taken, ask := worksheet.Take(env.words(), sf, src, env.room(sf))
	if ask != nil {
		return step.ask(sf, ask)
	}
	if taken.Over > 0 && !taken.Cut {
		return step.ask(sf, &ui.FieldError{Path: src.Path(), Code: ui.CodeLimit,
			Text: worksheet.Count(env.words(), "paste.over", taken.Rows, "max", strconv.Itoa(taken.Fits))})
	}
	changes := append(taken.Changes, worksheet.Forget(src)...)
	if src.File == "" && !taken.Cut { // text that was left out stays in the box, for another table
		changes = append(changes, ui.PatchOne{Do: ui.PatchSet, Path: worksheet.PastePath, Value: ui.String("")})
	}
	step = step.within(env, sf, src, taken.Said, &ui.Patch{Surface: sf.Name, Changes: changes},
		&ui.Update{Surface: sf.Name, Root: worksheet.HideFound(sf.Root)},
		&ui.Errors{Surface: sf.Name, Errors: taken.Errors}, say(taken.Said))
	if step.Outcome.Kind == ui.OutcomeDone {
		step.Outcome.Path = taken.Look
	}
	return step
}

// drop forgets the preview; the text stays in the box.
func (step Step) drop(env Env, sf *ui.Surface) Step {
	src, _ := worksheet.Kept(sf)
	step.Ops = append(step.Ops, &ui.Update{Surface: sf.Name, Root: worksheet.HideFound(sf.Root)},
		&ui.Patch{Surface: sf.Name, Changes: worksheet.Forget(src)})
	step.Outcome.Message = env.words().Say("paste.dropped")
	return step
}

// pasteWaits answers a submit while pasted text waits: it is shown, or still
// shown, and the user says whether it is to be added.
func (step Step) pasteWaits(env Env, sf *ui.Surface) (Step, bool) {
	if worksheet.Rows(sf) == nil || !worksheet.Waits(sf) {
		return step, false
	}
	src, shown := worksheet.Kept(sf)
	if !shown {
		if step = step.paste(env, sf, src, "paste.waits"); step.Outcome.Kind == ui.OutcomeAsked {
			return step, true
		}
	}
	step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: worksheet.CodeWaits, Surface: sf.Name, Path: src.Path(),
		Message: env.words().Say("paste.waits")}
	return step, true
}

// within adds ops, unless the surface is too large with them: then the user is
// asked for less, and nothing typed is lost.
func (step Step) within(env Env, sf *ui.Surface, src worksheet.Source, message string, ops ...ui.Op) Step {
	if _, err := env.look(&ui.State{Surfaces: []*ui.Surface{sf}}, ops); ui.CodeOf(err) == ui.CodeLimit {
		return step.ask(sf, &ui.FieldError{Path: src.Path(), Code: ui.CodeLimit, Text: env.words().Say("paste.large")})
	}
	step.Ops = append(step.Ops, ops...)
	step.Outcome.Message = message
	return step
}

// ask puts a question at a field.
func (step Step) ask(sf *ui.Surface, e *ui.FieldError) Step {
	step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: append(errorsOutside(sf, e.Path), *e)})
	step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: e.Code, Surface: sf.Name, Path: e.Path, Message: e.Text}
	return step
}
