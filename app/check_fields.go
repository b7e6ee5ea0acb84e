package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// columnTypes are the types of a table's cells: one line of typed text, a
// switch or a choice.
var columnTypes = []ui.FieldType{ui.TypeText, ui.TypeNumber, ui.TypeEmail, ui.TypeURL, ui.TypeDate, ui.TypeTime,
	ui.TypeDateTime, ui.TypeChoice, ui.TypeBoolean}

// checkFields checks a list of fields, or of the columns of a table.
func checkFields(lim ui.Limits, at string, fields []ui.Field, columns bool) error {
	seen := map[string]bool{}
	return checkAll(fields, func(i int, f ui.Field) error {
		here := fmt.Sprintf("%s[%d]", at, i)
		if !ui.ValidKey(f.Name) || reserved(f.Name) {
			return ui.Errorf(CodeInvalid, here+".name", "field name %q: %s, and not a reserved one", clip(f.Name),
				wantKey)
		}
		if seen[f.Name] {
			return ui.Errorf(CodeDuplicate, here+".name", "two fields are named %q", f.Name)
		}
		seen[f.Name] = true
		if err := checkField(here, f); err != nil {
			return err
		}
		if columns && !slices.Contains(columnTypes, f.Type) {
			return ui.Errorf(CodeInvalid, here+".type", "a table column cannot be of type %s: want one of %v", f.Type,
				columnTypes)
		}
		if columns && f.Obscured {
			return ui.Errorf(CodeInvalid, here+".obscured", "a table column cannot be obscured")
		}
		if limit := lim.WithDefaults().Options; len(f.Options) > limit {
			return ui.Errorf(ui.CodeLimit, here+".options", "more than %d options", limit)
		}
		return nil
	})
}

// reserved reports names that cannot be keys of data: Limn's own, and the two
// that every JavaScript object inherits.
func reserved(name string) bool {
	return strings.HasPrefix(name, "limn_") || name == "constructor" || name == "prototype"
}

func checkField(at string, f ui.Field) error {
	if !slices.Contains(ui.FieldTypes(), f.Type) {
		return unknownType(at+".type", f.Type)
	}
	if err := f.Validate(); err != nil {
		var e *ui.Error
		if errors.As(err, &e) && e.Path != "" {
			at += "." + e.Path
		}
		return &ui.Error{Code: CodeInvalid, Path: at, Message: fmt.Sprintf("field %q", f.Name), Err: err}
	}
	if len(f.Accept) > 0 && f.Type != ui.TypeUpload {
		return ui.Errorf(CodeInvalid, at+".accept", "accept belongs to upload")
	}
	return nil
}

func unknownType(at string, t ui.FieldType) error {
	var all []string
	for _, known := range ui.FieldTypes() {
		all = append(all, string(known))
	}
	return suggest(ui.Errorf(CodeInvalid, at, "unknown field type %q", clip(string(t))), string(t), all)
}

// checkOpenings opens every form, table and map once, so that a declaration
// that is accepted can be drawn.
func checkOpenings(a *App) error {
	lim := a.cfg.Limits
	try := func(at string, o Opening) error {
		s := ui.NewState("check")
		if _, _, err := ui.Apply(s, &ui.Frame{Seq: 1, Ops: ui.Ops{o.Op("")}}, lim); err != nil {
			return &ui.Error{Code: CodeInvalid, Path: at, Message: string(o.Surface) + " cannot be opened", Err: err}
		}
		return nil
	}
	for i, f := range a.cfg.Forms {
		if err := try(fmt.Sprintf("forms[%d]", i), a.OpenForm(f, ui.Map())); err != nil {
			return err
		}
	}
	for i, t := range a.cfg.Tables {
		if err := try(fmt.Sprintf("tables[%d]", i), a.OpenTable(t, TableSpec{})); err != nil {
			return err
		}
	}
	for i, m := range a.cfg.Maps {
		if err := try(fmt.Sprintf("maps[%d]", i), a.OpenMap(m, MapSpec{})); err != nil {
			return err
		}
	}
	for i, v := range a.cfg.Views {
		if v.Build != nil {
			continue // drawn from a state that is not known yet
		}
		if err := try(fmt.Sprintf("views[%d]", i), a.OpenView(v, nil)); err != nil {
			return err
		}
	}
	return nil
}
