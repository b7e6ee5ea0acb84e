package execute

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// attach writes the id of an uploaded file into the draft, if the field takes
// files of that type.
func (step Step) attach(env Env, sf *ui.Surface, c Click) Step {
	text := func(key string) string { v, _ := c.Context.Get(key); return v.Text() }
	f := ui.FormFile{Path: ui.Path(text("path")), ID: text("id"), Name: text("name"), Type: text("type"),
		Text: text("text"), Notes: text("notes"), Code: ui.Code(text("code")), Why: text("why")}
	switch {
	case sf.UploadAt(f.Path) == nil:
		step.Outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: CodeUnknown, Surface: sf.Name, Path: f.Path}
		return step
	case imports(sf, f):
		return step.imported(env, sf, f)
	}
	if wrong := fileError(env, sf, f); wrong != nil {
		return step.ask(sf, wrong)
	}
	step.Ops = append(step.Ops, stored(sf.Name, f), &ui.Errors{Surface: sf.Name, Errors: errorsOutside(sf, f.Path)})
	step.Outcome.Message = env.words().Say("upload.done", "label", f.Name)
	return step
}

// files attaches the files that came with a form, before its action. The action
// waits, and done is true, where a field takes its file not, or a table shows what
// it reads from one.
func (step Step) files(env Env, sf *ui.Surface, c Click) (out Step, done bool) {
	errs := slices.Clone(sf.Errors)
	var first *ui.FieldError
	var table *ui.FormFile
	for i, f := range c.Files {
		errs = slices.DeleteFunc(errs, func(e ui.FieldError) bool { return e.Path == f.Path })
		if imports(sf, f) {
			table = &c.Files[i]
			continue
		}
		if wrong := fileError(env, sf, f); wrong != nil {
			errs = append(errs, *wrong)
			first = cmp.Or(first, wrong)
			continue
		}
		step.Ops = append(step.Ops, stored(sf.Name, f))
	}
	step.Ops = append(step.Ops, &ui.Errors{Surface: sf.Name, Errors: errs})
	switch {
	case first != nil:
		step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: first.Code, Surface: sf.Name, Path: first.Path,
			Message: first.Text}
		return step, true
	case table == nil:
		return step, false
	}
	step = step.imported(env, sf, *table)
	if step.Outcome.Kind == ui.OutcomeDone && sends(c.Action.Name) {
		step.Outcome = ui.Outcome{Kind: ui.OutcomeAsked, Code: worksheet.CodeWaits, Surface: sf.Name, Path: table.Path,
			Message: env.words().Say("paste.waits")}
	}
	return step, true
}

func sends(action string) bool {
	return action == builtin.ActionSubmit || action == builtin.ActionConfirm || action == builtin.ActionAccept
}

// KeepFiles returns what keeps the files of an action that does not count
// otherwise: those that their fields take.
func KeepFiles(sf *ui.Surface, files []ui.FormFile) (ops ui.Ops) {
	for _, f := range files {
		if field := sf.UploadAt(f.Path); f.Code == "" && field != nil && !imports(sf, f) &&
			accepts(field.Accept, f.Name, f.Type) {
			ops = append(ops, stored(sf.Name, f))
		}
	}
	return ops
}

// detach removes the file of an upload field.
func (step Step) detach(env Env, sf *ui.Surface, c Click) Step {
	v, _ := c.Context.Get("path")
	at := ui.Path(v.Text())
	if src, _ := worksheet.Kept(sf); at == worksheet.ImportPath && worksheet.Rows(sf) != nil && src.File != "" {
		return step.drop(env, sf)
	}
	step.Ops = append(step.Ops, &ui.Patch{Surface: sf.Name,
		Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: at, Value: ui.String("")}}},
		&ui.Errors{Surface: sf.Name, Errors: errorsOutside(sf, at)})
	return step
}

// imports reports a file whose rows a table reads.
func imports(sf *ui.Surface, f ui.FormFile) bool {
	return f.Path == worksheet.ImportPath && worksheet.Rows(sf) != nil
}

// fileError returns the fault of a file for its field, or nil.
func fileError(env Env, sf *ui.Surface, f ui.FormFile) *ui.FieldError {
	field := sf.UploadAt(f.Path)
	ext := strings.ToLower(path.Ext(f.Name))
	switch {
	case f.Code != "":
		return &ui.FieldError{Path: f.Path, Code: f.Code, Text: f.Why}
	case accepts(field.Accept, f.Name, f.Type):
		return nil
	case slices.ContainsFunc(field.Accept, func(a string) bool {
		return ext != "" &&
			(a == ext || strings.HasSuffix(a, "/"+ext[1:]))
	}):
		text := env.words().Say("upload.invalid", "label", f.Name, "form", strings.ToUpper(ext[1:]))
		return &ui.FieldError{Path: f.Path, Code: ui.CodeFieldType, Text: text}
	}
	wrong := typeError(env, f.Path, field)
	return &wrong
}

// unattached finds upload fields that say which types they take and hold the id
// of a file that was attached nowhere on the surface: its type was never looked at.
func unattached(env Env, sf *ui.Surface) (errs []ui.FieldError) {
	for n := range ui.All(sf.Tree()) {
		up, ok := n.(*ui.Upload)
		if !ok || len(up.Accept) == 0 {
			continue
		}
		id, _ := sf.Get(up.Path)
		if _, known := sf.UIState.Get("uploads", id.Text()); id.Text() != "" && !known {
			errs = append(errs, typeError(env, up.Path, &up.Field))
		}
	}
	return errs
}

func typeError(env Env, at ui.Path, field *ui.Field) ui.FieldError {
	list := cmp.Or(strings.Join(field.Accept, ", "), "*, not HTML, SVG, XML")
	return ui.FieldError{Path: at, Code: ui.CodeFieldType,
		Text: env.words().Say("field.accept", "label", field.Title(), "list", list)}
}

// imported reads a file for a worksheet, which came with its text, or with the code
// of why it has none.
func (step Step) imported(env Env, sf *ui.Surface, f ui.FormFile) Step {
	if f.Code != "" {
		say := env.words().Say("paste.unreadable", "label", f.Name, "list", f.Why)
		return step.ask(sf, &ui.FieldError{Path: worksheet.ImportPath, Code: f.Code, Text: say})
	}
	step = step.paste(env, sf, worksheet.Source{Text: f.Text, File: f.Name, Notes: f.Notes}, "paste.look")
	if step.Outcome.Kind == ui.OutcomeDone {
		step.Ops = append(step.Ops, stored(sf.Name, f))
	}
	return step
}

// stored writes the id of an uploaded file where it was uploaded, and its name
// for people.
func stored(name ui.Name, f ui.FormFile) *ui.Patch {
	return &ui.Patch{Surface: name, Changes: []ui.PatchOne{
		{Do: ui.PatchSet, Path: f.Path, Value: ui.String(f.ID)},
		{Do: ui.PatchSet, Path: ui.PathOf(ui.UIStateRoot, "uploads", f.ID), Value: ui.String(f.Name)}}}
}

// active are the types that a browser runs: a field takes them only by name.
var active = []string{"text/html", "image/svg+xml", "text/xml", "application/xml", "application/xhtml+xml"}

// textual are media types that differ from plain text by name only.
var textual = map[string]string{".csv": "text/csv", ".tsv": "text/tab-separated-values", ".md": "text/markdown"}

// accepts reports a file that a field takes: of a media type of its list, of a
// family such as image/*, or with an extension such as .csv, which the file's
// content was held against before.
func accepts(list []string, name, typ string) bool {
	typ, _, _ = strings.Cut(strings.ToLower(typ), ";")
	typ = strings.TrimSpace(typ)
	if slices.Contains(active, typ) {
		return slices.ContainsFunc(list, func(a string) bool { return strings.ToLower(a) == typ })
	}
	return len(list) == 0 || slices.ContainsFunc(list, func(a string) bool {
		a = strings.ToLower(a)
		if strings.HasPrefix(a, ".") {
			return a == strings.ToLower(path.Ext(name))
		}
		family, isFamily := strings.CutSuffix(a, "*")
		return a == typ || isFamily && strings.HasSuffix(family, "/") && strings.HasPrefix(typ, family) || a == "*/*" ||
			a == textual[strings.ToLower(path.Ext(name))] && (typ == "text/plain" || typ == "application/json")
	})
}
