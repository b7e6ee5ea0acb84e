package execute

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/tool"
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
	if at == tool.ImportPath && tool.Rows(sf) != nil {
		return step.imported(env, sf, c)
	}
	if !accepts(field.Accept, text("type")) {
		wrong := typeError(env, at, field)
		step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: append(errorsOutside(sf, at), wrong)})
		step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: wrong.Code, Surface: sf.Name, Path: at, Message: wrong.Text}
		return step
	}
	step.Ops = append(step.Ops, stored(sf.Name, at, text("id"), text("name")),
		&ui.Errors{Surface: sf.Name, Errors: errorsOutside(sf, at)})
	step.Outcome.Message = env.words().Say("upload.done", "label", text("name"))
	return step
}

// unattached finds upload fields that say which types they take and hold the id
// of a file that was attached nowhere on the surface: its type was never looked at.
func unattached(env Env, sf *ui.Surface) (errs []ui.FieldError) {
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		up, ok := n.(*ui.Upload)
		if !ok || len(up.Accept) == 0 {
			return true
		}
		id, _ := sf.Get(up.Path)
		if _, known := sf.UIState.Get("uploads", id.Text()); id.Text() != "" && !known {
			errs = append(errs, typeError(env, up.Path, &up.Field))
		}
		return true
	})
	return errs
}

func typeError(env Env, at ui.Path, field *ui.Field) ui.FieldError {
	list := cmp.Or(strings.Join(field.Accept, ", "), "*, not HTML, SVG, XML")
	return ui.FieldError{Path: at, Code: ui.CodeFieldType, Text: env.words().Say("field.accept", "label", field.Title(), "list", list)}
}

// imported reads a file for a tool, which came with its text, or with the code
// of why it has none.
func (step Step) imported(env Env, sf *ui.Surface, c Click) Step {
	text := func(key string) string { v, _ := c.Context.Get(key); return v.Text() }
	if code := text("code"); code != "" {
		say := env.words().Say("paste.unreadable", "label", text("name"), "list", text("why"))
		return step.ask(sf, &ui.FieldError{Path: tool.ImportPath, Code: ui.Code(code), Text: say})
	}
	step = step.paste(env, sf, tool.Source{Text: text("text"), File: text("name"), Notes: text("notes")}, "paste.look")
	if step.Outcome.Kind == ui.OutcomeDone {
		step.Ops = append(step.Ops, stored(sf.Name, tool.ImportPath, text("id"), text("name")))
	}
	return step
}

// stored writes the id of an uploaded file where it was uploaded, and its name
// for people.
func stored(name ui.Name, at ui.Path, id, file string) *ui.Patch {
	return &ui.Patch{Surface: name, Changes: []ui.PatchOne{
		{Do: ui.PatchSet, Path: at, Value: ui.String(id)},
		{Do: ui.PatchSet, Path: ui.PathOf(ui.UIStateRoot, "uploads", id), Value: ui.String(file)}}}
}

// active are the types that a browser runs: a field takes them only by name.
var active = []string{"text/html", "image/svg+xml", "text/xml", "application/xml", "application/xhtml+xml"}

// accepts reports a media type that a field takes: one of its list, or of a
// family such as image/*.
func accepts(list []string, typ string) bool {
	typ, _, _ = strings.Cut(strings.ToLower(typ), ";")
	typ = strings.TrimSpace(typ)
	if slices.Contains(active, typ) {
		return slices.ContainsFunc(list, func(a string) bool { return strings.ToLower(a) == typ })
	}
	return len(list) == 0 || slices.ContainsFunc(list, func(a string) bool {
		a = strings.ToLower(a)
		family, isFamily := strings.CutSuffix(a, "*")
		return a == typ || isFamily && strings.HasSuffix(family, "/") && strings.HasPrefix(typ, family) || a == "*/*"
	})
}
