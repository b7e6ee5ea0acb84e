package worksheet

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/ui"
)

// Codes of the questions at a cell.
const (
	CodeGuess ui.Code = "FIELD_GUESS" // filled in with the likelier of two readings
	CodeExtra ui.Code = "FIELD_EXTRA" // more was pasted than there are columns
	CodeWaits ui.Code = "FIELD_WAITS" // at the box: its text is not added yet
)

// Source is a text to read: that of the box, or that of a file.
type Source struct {
	Text  string
	File  string // its name; "" = the box
	Notes string // what there is to know about the file
}

// Box is the source in the box of a surface.
func Box(sf *ui.Surface) Source { return Source{Text: textAt(sf, PastePath)} }

// Kept is the source whose preview a surface shows; ok is false where the box
// holds another text by now.
func Kept(sf *ui.Surface) (src Source, ok bool) {
	src = Box(sf)
	if file := textAt(sf, ReadPath.Join("file")); file != "" {
		src = Source{Text: textAt(sf, ReadPath.Join("text")), File: file}
	}
	return src, src.mark() == textAt(sf, ReadPath.Join("mark"))
}

// Path is the field a source comes from.
func (src Source) Path() ui.Path {
	if src.File != "" {
		return ImportPath
	}
	return PastePath
}

// mark identifies a text, so that Take adds exactly the text whose preview was shown.
func (src Source) mark() string {
	h := fnv.New64a()
	h.Write([]byte(src.Text))
	return strconv.FormatUint(h.Sum64(), 36)
}

func textAt(sf *ui.Surface, p ui.Path) string {
	v, _ := sf.Get(p)
	return v.Text()
}

// Read analyses a source and returns the rows it would add to a worksheet with room for
// most rows, or a question about it at its field. Nothing is added yet: show Found with
// ShowFound, and keep the changes, which hold the mark of the source and the guess
// which column is which.
func Read(w ui.Words, sf *ui.Surface, src Source, most int) (Found, []ui.PatchOne, *ui.FieldError) {
	ask := func(code ui.Code, text string) (Found, []ui.PatchOne, *ui.FieldError) {
		return Found{}, nil, &ui.FieldError{Path: src.Path(), Code: code, Text: text}
	}
	of := Filled(sf.Root)
	rs := ui.RowsetOf(of)
	switch {
	case rs == nil || pasteOf(sf.Root) == nil:
		return ask(ui.CodeFieldType, w.Say("paste.none"))
	case strings.TrimSpace(src.Text) == "":
		return ask(ui.CodeFieldRequired, w.Say("paste.empty"))
	case len(src.Text) > MaxPaste:
		return ask(ui.CodeLimit, w.Say("paste.large"))
	}
	found, guess := Found{File: src.File, Notes: src.Notes, Most: most,
		Fits: most - len(FilledRows(sf, rs).Records())}, ui.Map()
	if m := processIn(of, src.Text, rs.Columns); m != nil {
		if len(m.Steps) == 0 {
			return ask(ui.CodeFieldType, w.Say("paste.none.map"))
		}
		for _, id := range known(sf, rs, m) {
			if id != "" { // it is there already and takes no room
				found.Fits++
			}
		}
		found.Map = m
	} else {
		p := capture.Look(src.Text, rs.Columns)
		if n := len(p.Columns) + p.MoreColumns; n > MaxColumns {
			return ask(ui.CodeLimit, Count(w, "paste.columns", n, "max", strconv.Itoa(MaxColumns)))
		}
		if p.Rows == 0 {
			return ask(ui.CodeFieldType, w.Say("paste.none"))
		}
		found.Table, guess = &p, mappingOf(p)
		found.First = capture.Reader{DecimalComma: w.DecimalComma()}.TableWith(src.Text, rs.Columns, p.Mapping()).Rows
	}
	kept := ui.Map(ui.Pair{Key: "mark", Value: ui.String(src.mark())})
	if src.File != "" {
		kept, _ = kept.With(ui.String(src.File), "file")
		kept, _ = kept.With(ui.String(src.Text), "text")
	}
	return found, []ui.PatchOne{{Do: ui.PatchSet, Path: ReadPath, Value: kept},
		{Do: ui.PatchSet, Path: MappingPath, Value: guess}}, nil
}

// Waits reports a source that was neither added nor dropped.
func Waits(sf *ui.Surface) bool {
	src, _ := Kept(sf)
	return strings.TrimSpace(src.Text) != "" && src.mark() != textAt(sf, ReadPath.Join("dropped"))
}

// Forget are the changes that drop a source: for a file also its name, while the box
// keeps its text.
func Forget(src Source) []ui.PatchOne {
	dropped := ui.Map(ui.Pair{Key: "dropped", Value: ui.String(src.mark())})
	list := []ui.PatchOne{{Do: ui.PatchSet, Path: ReadPath, Value: dropped},
		{Do: ui.PatchSet, Path: MappingPath, Value: ui.Map()}}
	if src.File != "" {
		list = append(list, ui.PatchOne{Do: ui.PatchSet, Path: ImportPath, Value: ui.String("")})
	}
	return list
}

// processIn reads a text for a map as a process, unless it is a table whose
// header names the columns of steps; nil for tables.
func processIn(of ui.Node, text string, columns []ui.Field) *capture.Map {
	if _, ok := of.(*ui.Steps); !ok {
		return nil
	}
	if p := capture.Look(text, columns); p.Header && p.Rows > 0 && p.Form.Tabular() {
		return nil
	}
	m := capture.Process(text)
	return &m
}

// CellLabel names a cell as ui.CheckSurface does.
func CellLabel(w ui.Words, c ui.Field, row int) string {
	return w.Say("row.label", "label", c.Title(), "n", strconv.Itoa(row))
}
