package sheet

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// The codes of errors.
const (
	CodeTooLarge   ui.Code = "SHEET_TOO_LARGE"  // more bytes, rows, columns or cells than Limits
	CodeUnreadable ui.Code = "SHEET_UNREADABLE" // damaged, or locked with a password
	CodeType       ui.Code = "SHEET_TYPE"       // no kind of file this package reads
	CodeNoSheet    ui.Code = "SHEET_NOT_FOUND"  // the workbook has no sheet of that name
	CodeEmpty      ui.Code = "SHEET_EMPTY"      // nothing in it
	CodeTooSlow    ui.Code = "SHEET_TOO_SLOW"   // reading it took longer than Limits.Stop allowed
)

// File is an upload. Its content decides its Kind; the name and the media type only
// distinguish CSV, TSV and plain text.
type File struct {
	Name, MediaType string
	Data            []byte
	Sheet           string // of a workbook; "" = the first that is not empty
}

// Limits bound the bytes read. Zero members have the default beside them.
type Limits struct {
	Bytes    int // of the file: 10 MiB
	Unpacked int // of the parts of a workbook together: 64 MiB
	Rows     int // 20,000, as capture.MaxRows
	Columns  int // 200
	Cells    int // 400,000
	Text     int // bytes of the text that is returned: 8 MiB

	// Stop is called while a file is read; an error of it ends the reading with
	// CodeTooSlow. Callers give the Err of a context. nil: nothing stops it.
	Stop func() error
}

func (l Limits) withDefaults() Limits {
	set := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	set(&l.Bytes, 10<<20)
	set(&l.Unpacked, 64<<20)
	set(&l.Rows, 20_000)
	set(&l.Columns, 200)
	set(&l.Cells, 400_000)
	set(&l.Text, 8<<20)
	if l.Stop == nil {
		l.Stop = func() error { return nil }
	}
	return l
}

// Kind is the kind of a File.
type Kind string

// The kinds of a File.
const (
	Workbook  Kind = "xlsx"
	Separated Kind = "csv" // any separator
	Plain     Kind = "text"
)

// Info is what Text found out beside the text.
type Info struct {
	Kind          Kind
	Encoding      string   // of text: utf-8, utf-16 or windows-1252
	Sheet         string   // the sheet that was read
	Sheets        []string // all sheets of the workbook
	Rows, Columns int      // rows that hold something, cells of the widest (0 for plain text)
	HiddenRows    int      // hidden rows among them
	Merged        int      // ranges merged over several rows
	NoValue       int      // formulas stored without a result: their cells are empty
}

// Notes describes the facts about the file that its text does not show.
func (i Info) Notes(words ui.Words) []string {
	var out []string
	if len(i.Sheets) > 1 {
		out = append(out, words.Say("sheet.one", "label", i.Sheet, "n", strconv.Itoa(len(i.Sheets))))
	}
	count := func(n int, key string) {
		if n == 1 {
			out = append(out, words.Say(key+".one"))
		} else if n > 1 {
			out = append(out, words.Say(key, "n", strconv.Itoa(n)))
		}
	}
	count(i.HiddenRows, "sheet.hidden")
	count(i.Merged, "sheet.merged")
	count(i.NoValue, "sheet.empty")
	return out
}

// Text returns the cells of a file as text for capture.Table.
func Text(f File, lim Limits) (text string, info Info, err error) {
	lim = lim.withDefaults()
	defer func() {
		if err == nil && len(text) > lim.Text {
			text, info, err = "", Info{}, tooMuchText(lim)
		}
	}()
	if len(f.Data) > lim.Bytes {
		return "", Info{}, tooLarge("file", "bytes", lim.Bytes)
	}
	switch {
	case bytes.HasPrefix(f.Data, []byte("PK\x03\x04")), bytes.HasPrefix(f.Data, []byte("PK\x05\x06")):
		return workbook(f, lim)
	case bytes.HasPrefix(f.Data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		// a compound file: XLS, or XLSX with a password
		if bytes.Contains(f.Data,
			[]byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e")) {
			return "", Info{}, &ui.Error{Code: CodeUnreadable, Message: "the workbook is locked with a password",
				Hint: "save it without a password and try again"}
		}
		return "", Info{}, &ui.Error{Code: CodeType, Message: "this is a workbook of the old kind (.xls)",
			Hint: "open it, save it as .xlsx and try again"}
	}
	return plain(f, lim)
}

// separatorOf returns the separator a name or media type promises: '\t', or
// ',' for any; 0 for plain text.
func separatorOf(f File) byte {
	media, _, _ := strings.Cut(strings.ToLower(f.MediaType), ";")
	switch ext := strings.ToLower(path.Ext(f.Name)); {
	case ext == ".tsv" || ext == ".tab" || strings.TrimSpace(media) == "text/tab-separated-values":
		return '\t'
	case ext == ".csv" || ext != ".txt" && ext != ".md" &&
		(strings.HasSuffix(strings.TrimSpace(media), "/csv") || strings.Contains(media, "ms-excel")):
		return ','
	}
	return 0
}

func tooLarge(what, unit string, limit int) *ui.Error {
	return &ui.Error{Code: CodeTooLarge, Message: "the " + what + " has more than " + strconv.Itoa(limit) + " " + unit,
		Hint: "split it, or paste the part you need"}
}

func tooMuchText(lim Limits) *ui.Error {
	return tooLarge("file", "KiB of text", lim.Text>>10)
}

func cellTooLong() *ui.Error {
	return tooLarge("file", "characters in a cell", maxCell)
}

func tooSlow(cause error) *ui.Error {
	return &ui.Error{Code: CodeTooSlow, Message: "the file takes too long to read",
		Hint: "split it, or paste the part you need", Err: cause}
}

func unreadable(cause error) *ui.Error {
	return &ui.Error{Code: CodeUnreadable, Message: "the file is damaged or not what its name says",
		Hint: "open it, save it again as .xlsx or .csv and try again", Err: cause}
}

func noType() *ui.Error {
	return &ui.Error{Code: CodeType, Message: "only .xlsx, .csv, .tsv and plain text can be read",
		Hint: "save the table as .xlsx or .csv and try again"}
}

func empty() *ui.Error {
	return &ui.Error{Code: CodeEmpty, Message: "there is nothing in the file",
		Hint: "choose a file, or a sheet, with rows in it"}
}
