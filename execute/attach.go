package execute

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// attach writes the id of an uploaded file into the draft, if the field takes
// files of that type.
func (step Step) attach(env Env, sf *ui.Surface, c Click) Step {
	text := func(key string) string { v, _ := c.Context.Get(key); return v.Text() }
	at := ui.Path(text("path"))
	field := sf.UploadAt(at)
	if field == nil {
		step.Outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: CodeUnknown, Surface: sf.Name, Path: at}
		return step
	}
	if !accepts(field.Accept, text("type")) {
		wrong := ui.FieldError{Path: at, Code: ui.CodeFieldType, Text: env.words().Say("field.accept", "label", field.Title(), "list", strings.Join(field.Accept, ", "))}
		step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: append(errorsOutside(sf, at), wrong)})
		step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: wrong.Code, Surface: sf.Name, Path: at, Message: wrong.Text}
		return step
	}
	step.Ops = append(step.Ops, &ui.Patch{Surface: sf.Name, Changes: []ui.PatchOne{
		{Do: ui.PatchSet, Path: at, Value: ui.String(text("id"))},
		{Do: ui.PatchSet, Path: ui.PathOf(ui.UIStateRoot, "uploads", text("id")), Value: ui.String(text("name"))}}},
		&ui.Errors{Surface: sf.Name, Errors: errorsOutside(sf, at)})
	step.Outcome.Message = env.words().Say("upload.done", "label", text("name"))
	return step
}

// accepts reports a media type that a field takes: one of its list, or of a
// family such as image/*.
func accepts(list []string, typ string) bool {
	typ, _, _ = strings.Cut(strings.ToLower(typ), ";")
	typ = strings.TrimSpace(typ)
	return len(list) == 0 || slices.ContainsFunc(list, func(a string) bool {
		a = strings.ToLower(a)
		family, isFamily := strings.CutSuffix(a, "*")
		return a == typ || isFamily && strings.HasSuffix(family, "/") && strings.HasPrefix(typ, family) || a == "*/*"
	})
}
