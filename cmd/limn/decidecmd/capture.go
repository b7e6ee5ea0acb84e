package decidecmd

import (
	"errors"
	"path/filepath"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/capture/sheet"
	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/ui"
)

// Capture is the command "limn capture": it reads a paste or a process.
type Capture struct {
	File    string `arg:"" optional:"" help:"${decide_capture_file}"`
	Table   bool   `xor:"what" help:"Read a table, with --columns."`
	Map     bool   `xor:"what" help:"Read a process: its steps and edges."`
	Batch   string `xor:"what" placeholder:"FILE" help:"${decide_capture_batch}"`
	Sheet   string `placeholder:"NAME" help:"The sheet of a workbook. Default: the first that is not empty."`
	SVG     string `name:"svg" placeholder:"FILE" help:"Write the picture of the process to FILE, - for standard output."`
	Columns string `placeholder:"LIST" help:"${decide_capture_columns}"`
	JSON    bool   `name:"json" xor:"form" help:"Print one JSON object."`
	CSV     bool   `name:"csv" xor:"form" help:"${decide_capture_csv}"`
	Max     int    `default:"100" help:"Print at most so many rows for people and count the rest; 0 = all."`
}

// Help is shown below the options.
func (Capture) Help() string {
	return `Reads what people paste as the server does: a markdown table, CSV, text between tabs, bullets, "name
– role", "name (role)", "name: role", or a list in a sentence. Types come from the columns; what
does not fit is marked below its cell and kept as it was. Where two readings are possible the
likelier one is filled in, and the question is printed.

A process is read from arrows, numbered lines, "first … then …", "after … , …" and the like.

--batch prints one line for each of FILE, as score_capture.py reads it.

Exit status: 0 read, 1 the input could not be read, 2 a wrong command line.

Examples:
  limn capture --table --columns 'name!,role,influence:enum(High|Medium|Low),due:date' paste.txt
  pbpaste | limn capture --table --columns 'vendor!,cost:number' --csv > vendors.csv
  limn capture --table --columns 'vendor!,cost:number' --sheet 2026 book.xlsx
  echo "Finance reviews, then IT signs off" | limn capture --map --svg process.svg
  limn capture --batch capture.jsonl > predictions.jsonl`
}

// Run reads one input, or those of a file.
func (c Capture) Run(t term.Terminal) error {
	switch {
	case c.Batch != "" && (c.File != "" || c.Columns != "" || c.Sheet != "" || c.SVG != "" || c.JSON || c.CSV):
		return errors.New("--batch takes everything from its FILE and prints JSON lines; leave the rest out")
	case c.Batch != "":
		return batch(t, c.Batch, eval.CaptureCase.Capture)
	case c.Map && (c.Columns != "" || c.Sheet != "" || c.CSV):
		return errors.New("--columns, --sheet and --csv are for tables; a map has steps and edges")
	case c.Map:
		data, name, err := c.read(t)
		if err != nil {
			return err
		}
		return c.process(t, name, string(data))
	case !c.Table:
		return errors.New("say what to read: --table, --map or --batch FILE")
	case c.SVG != "":
		return errors.New("--svg is for maps")
	case c.Columns == "":
		return errors.New("a table has columns: --columns 'name!,role,due:date'")
	}
	columns, bad := parseColumns(c.Columns)
	if bad != nil {
		return refuse(t, "--columns", bad)
	}
	data, name, err := c.read(t)
	if err != nil {
		return err
	}
	text, info, err := sheet.Text(sheet.File{Name: filepath.Base(name), Data: data, Sheet: c.Sheet}, sheet.Limits{})
	var refused *ui.Error
	switch {
	case errors.As(err, &refused):
		return refuse(t, name, refused)
	case err != nil:
		return err
	}
	return c.table(t, name, text, columns, info.Notes(nil))
}

// read returns the input.
func (c Capture) read(t term.Terminal) ([]byte, string, error) {
	if c.File == "" {
		t.AskFor("the text")
	}
	return readFile(t, c.File)
}
