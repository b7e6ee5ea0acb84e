package a2uicmd

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// Parse is the command "limn parse": it takes A2UI messages out of the text of a model.
type Parse struct {
	File      string   `arg:"" optional:"" help:"What a model wrote. Default: standard input."`
	Version   string   `default:"auto" enum:"auto,${versions}" help:"The A2UI version: ${enum}; auto reads it off each message."`
	Text      bool     `help:"${a2ui_parse_text}"`
	Chunk     int      `placeholder:"N" help:"Read N bytes at a time. Default: what is there."`
	Eager     bool     `help:"Let each component leave as soon as it is complete, for the price of more bytes."`
	Check     string   `default:"rules" enum:"rules,envelope,nothing" help:"${a2ui_parse_check}"`
	Catalog   []string `placeholder:"FILE" help:"${a2ui_parse_catalog}"`
	Unwrapped bool     `help:"The whole input is A2UI, without text or tags around it."`
	Strict    bool     `help:"Report what ends too early instead of closing it."`
	Max       int      `default:"100" help:"Print at most so many problems and count the rest; 0 = all."`
}

// Help is shown below the options.
func (Parse) Help() string {
	return `Takes A2UI out of what a model writes, while it streams: <a2ui-json> blocks, fenced blocks, JSON
lines, arrays. Brackets left open, commas too many, curly quotes and the like are healed. Messages
are printed one a line when they are complete, and a long list of components in pieces: in how many
depends on how the input comes, what is in them and its order do not.

A message that does not pass is left out and named on standard error.

Exit status: 0 ok, 1 some messages did not pass, 2 a wrong command line.

Examples:
  limn parse answer.txt > stream.jsonl
  curl -sN "$MODEL" | limn parse --text
  limn parse --chunk 1 answer.txt | limn replay`
}

// maxText is how much text is put into one line {"text":…}.
const maxText = 64 << 10

// Run feeds the parser until the input ends.
func (c Parse) Run(t term.Terminal) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	in, name, err := term.Open(c.File, t)
	if err != nil {
		return err
	}
	defer in.Close()
	a := &answer{
		out: bufio.NewWriterSize(t.Out, 32<<10), errs: bufio.NewWriter(t.Err), inline: c.Text,
		name: name, style: styleOf(t.Err, t.Env), most: c.Max,
	}
	r := bufio.NewReaderSize(term.Flushing{In: in, Out: a.flush}, 32<<10)
	p := a2ui.NewParser(options)
	size := c.Chunk
	if size <= 0 {
		size = r.Size()
	}
	buf := make([]byte, size)
	for {
		n, err := r.Read(buf)
		if parts, problems := p.Write(buf[:n]); err == nil || n > 0 {
			a.take(parts, problems)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	a.take(p.Close())
	return a.close()
}

// options are those of the parser.
func (c Parse) options() (a2ui.ParserOptions, error) {
	o := a2ui.ParserOptions{
		Eager: c.Eager, Unwrapped: c.Unwrapped, Strict: c.Strict, KeepSpace: true,
		Check: map[string]a2ui.CheckLevel{"envelope": a2ui.CheckEnvelope, "nothing": a2ui.CheckNothing}[c.Check],
	}
	if c.Version == autoVersion {
		if len(c.Catalog) > 0 {
			return o, errors.New("--catalog needs --version: a catalog is made for one")
		}
		for _, d := range a2ui.Dialects() { // each message takes those of its version
			if a2ui.Minimal(d) != nil {
				o.Rules.Catalogs = append(o.Rules.Catalogs, a2ui.Minimal(d))
			}
		}
		return o, nil
	}
	d, err := a2ui.ParseDialect(c.Version)
	if err != nil {
		return o, err
	}
	known, err := catalogs(d, c.Catalog)
	if err != nil {
		return o, err
	}
	o.Rules = a2ui.Rules{Dialect: d, Catalog: known[0], Catalogs: known[1:]}
	return o, nil
}

// answer prints the findings of a parser.
type answer struct {
	out, errs *bufio.Writer
	inline    bool // text goes to out
	text      []byte
	name      string
	style     style
	most      int
	midline   bool // errs does not end with a line end
	messages  int
	found     int
}

func (a *answer) take(parts []a2ui.Part, err error) {
	for _, part := range parts {
		if part.Messages == nil {
			a.write(part.Text)
			continue
		}
		a.endText()
		for _, m := range part.Messages {
			a.messages = max(a.messages, m.Number)
			a.out.Write(m.JSON)
			a.out.WriteByte('\n')
		}
	}
	var list a2ui.Problems
	errors.As(err, &list)
	for _, p := range list {
		a.problem(p)
	}
}

// write prints text: at once on standard error, and in the output when a message
// follows, the input makes us wait or it is long.
func (a *answer) write(text string) {
	if text == "" {
		return
	}
	if !a.inline {
		a.errs.WriteString(printable(text))
		a.midline = !strings.HasSuffix(text, "\n")
		return
	}
	if a.text = append(a.text, text...); len(a.text) > maxText {
		a.endText()
	}
}

func (a *answer) endText() {
	if len(a.text) == 0 {
		return
	}
	b, err := json.Marshal(map[string]string{"text": string(a.text)})
	if a.text = a.text[:0]; err == nil { // texts always marshal
		a.out.Write(append(b, '\n'))
	}
}

func (a *answer) problem(p a2ui.Problem) {
	if a.found++; a.most > 0 && a.found > a.most {
		return
	}
	a.endLine()
	name := a.name
	if p.Line > 0 {
		name += fmt.Sprintf(": message %d", p.Line)
	}
	a.style.problem(a.errs, name, place{}, p)
}

// endLine ends a line of text on standard error.
func (a *answer) endLine() {
	if a.midline {
		a.errs.WriteByte('\n')
	}
	a.midline = false
}

// flush shows all that is known so far.
func (a *answer) flush() error {
	a.endText()
	return errors.Join(a.out.Flush(), a.errs.Flush())
}

// close sums up.
func (a *answer) close() error {
	a.endLine()
	if a.messages == 0 && a.found == 0 {
		fmt.Fprintf(a.errs, "%s: no messages\n", a.name)
	}
	if a.most > 0 && a.found > a.most {
		fmt.Fprintf(a.errs, "%s: %s not printed; --max 0 prints all\n", a.name,
			term.Count(a.found-a.most, "more problem"))
	}
	if err := a.flush(); err != nil {
		return err
	}
	if a.found > 0 {
		return term.Problems{N: a.found}
	}
	return nil
}

// printable is clean for text of several lines.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = term.Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}
