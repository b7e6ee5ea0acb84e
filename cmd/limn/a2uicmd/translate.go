package a2uicmd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// Translate is the command "limn translate": it turns a stream into another version.
type Translate struct {
	File     string `arg:"" optional:"" help:"A2UI messages. Default: standard input."`
	From     string `default:"auto" enum:"auto,${versions}" help:"The version of the input: ${enum}; auto reads it off the messages."`
	To       string `required:"" enum:"${versions}" help:"The version to write: ${enum}."`
	Report   string `placeholder:"FILE" help:"${a2ui_translate_report}"`
	Lossless bool   `help:"A loss is a problem, too: exit with status 1."`
	Turns    bool   `help:"A blank line ends a turn, and is passed on."`
	Max      int    `default:"100" help:"Print at most so many losses and problems and count the rest; 0 = all."`
}

// Help is shown below the options.
func (Translate) Help() string {
	return `Writes a stream in another version, one message a line, as it comes. What a client sends is
translated, too. The input is read as validate reads it and may change its version.

What cannot be carried is named on standard error, or in a report. A message that cannot be read is
a problem there, and the translation goes on. v0.8 wants a surface whole before it is shown: what
waits for a component that has not come is sent at the end of the turn.

Exit status: 0 every message was translated, 1 some could not be read, 2 a wrong command line.

Examples:
  limn translate --to v0.9 old.jsonl > new.jsonl
  agent | limn translate --to v1.0 --report losses.jsonl
  limn translate --to v0.8 stream.jsonl | limn validate`
}

// Run translates message by message.
func (c Translate) Run(t term.Terminal) error {
	to, err := a2ui.ParseDialect(c.To)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(t.Out, 32<<10)
	defer out.Flush()
	s, name, in, err := openStream(c.File, c.From, t, out)
	if err != nil {
		return err
	}
	defer in.Close()
	losses, err := c.losses(t, name)
	if err != nil {
		return err
	}
	w := &translation{stream: s, out: out, to: to, translator: a2ui.NewTranslator(a2ui.TranslatorOptions{To: to}),
		losses: losses}
	r := newFindings(losses.words, name, c.Max, losses.style, false)
	for p, err := range s.pieces() {
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		r.messages++
		if c.Turns && p.turn {
			if err := w.endTurn(); err != nil {
				return err
			}
			out.WriteByte('\n')
		}
		bad, err := w.message(p)
		if err != nil {
			return err
		}
		if bad != nil {
			r.now(p, *bad)
		}
		if err := losses.words.Flush(); err != nil {
			return err
		}
	}
	if err := w.endTurn(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := losses.close(); err != nil {
		return err
	}
	if r.found > 0 || r.messages == 0 {
		if err := r.close(s.dialect); err != nil {
			return err
		}
	}
	if n := r.found; n > 0 || c.Lossless && losses.n > 0 {
		return term.Problems{N: n}
	}
	return nil
}

// translation writes the translator's output.
type translation struct {
	*stream
	out        *bufio.Writer
	to         a2ui.Dialect
	translator *a2ui.Translator
	losses     *losses
	buf        []byte
}

// message translates one piece; a problem is one of the piece.
func (w *translation) message(p piece) (*a2ui.Problem, error) {
	d, m, bad := w.decodeAny(p)
	switch {
	case bad == nil:
		msgs, lost := w.translator.Message(d, m)
		return nil, w.write(p.line, msgs, lost)
	case bad.Code != a2ui.EnvelopeClientMessage:
		return bad, nil
	}
	d, sent, err := a2ui.DecodeClient(p.raw, a2ui.Limits{})
	if err != nil {
		return asProblem(err), nil
	}
	sent, lost := a2ui.TranslateClient(d, w.to, sent)
	w.losses.add(p.line, lost)
	if sent == nil {
		return nil, nil
	}
	if w.buf, err = a2ui.AppendClient(w.buf[:0], w.to, sent); err != nil {
		return asProblem(err), nil
	}
	_, err = w.out.Write(append(w.buf, '\n'))
	return nil, err
}

// endTurn sends what waits.
func (w *translation) endTurn() error {
	msgs, lost := w.translator.Flush()
	return w.write(0, msgs, lost)
}

func (w *translation) write(line int, msgs []a2ui.Message, lost []a2ui.Loss) error {
	w.losses.add(line, lost)
	for _, m := range msgs {
		var err error
		if w.buf, err = a2ui.AppendMessage(w.buf[:0], w.to, m); err != nil {
			return err
		}
		if _, err = w.out.Write(append(w.buf, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// losses reports what could not be carried, in words or as JSON lines.
type losses struct {
	words *bufio.Writer // standard error
	json  *bufio.Writer // nil = in words
	file  io.Closer
	style style
	name  string
	most  int
	n     int
	kinds map[a2ui.LossKind]int
}

func (c Translate) losses(t term.Terminal, name string) (*losses, error) {
	l := &losses{words: bufio.NewWriter(t.Err), style: styleOf(t.Err, t.Env), name: name, most: c.Max,
		kinds: map[a2ui.LossKind]int{}}
	switch c.Report {
	case "":
	case "-":
		l.json = l.words
	default:
		f, err := os.Create(c.Report)
		if err != nil {
			return nil, err
		}
		l.file, l.json = f, bufio.NewWriter(f)
	}
	return l, nil
}

// shownLoss is a loss as --report writes it.
type shownLoss struct {
	Line      int           `json:"line,omitempty"` // 0: at the end of a turn
	What      a2ui.LossKind `json:"what"`
	Shown     bool          `json:"shown"` // a user notices
	Surface   string        `json:"surface,omitempty"`
	Component string        `json:"component,omitempty"`
	Path      string        `json:"path,omitempty"`
	Message   string        `json:"message"`
}

func (l *losses) add(line int, lost []a2ui.Loss) {
	for _, x := range lost {
		l.n++
		l.kinds[x.What]++
		if l.json != nil {
			b, err := json.Marshal(shownLoss{line, x.What, x.What.Shown(), x.Surface, x.Component, x.Path, x.Message})
			if err == nil { // texts always marshal
				l.json.Write(append(b, '\n'))
			}
			continue
		}
		if l.most > 0 && l.n > l.most {
			continue
		}
		head := l.name
		if line > 0 {
			head += fmt.Sprintf(":%d", line)
		}
		fmt.Fprintf(l.words, "%s lost %s: %s\n", l.style.Paint(term.Bold, head+":"), x.What, term.Clean(x.Message))
		if about := aboutOf(a2ui.Problem{Surface: x.Surface, Component: x.Component, Path: x.Path}); about != "" {
			fmt.Fprintf(l.words, "    %s\n", about)
		}
	}
}

// close sums up.
func (l *losses) close() error {
	if l.n > 0 {
		var parts []string
		for _, kind := range slices.Sorted(maps.Keys(l.kinds)) {
			parts = append(parts, fmt.Sprintf("%d %s", l.kinds[kind], kind))
		}
		if l.json == nil {
			fmt.Fprintf(l.words, "%s: lost: %s\n", l.name, strings.Join(parts, ", "))
		}
	}
	if l.file != nil {
		if err := l.json.Flush(); err != nil {
			return err
		}
		if err := l.file.Close(); err != nil {
			return err
		}
	}
	return l.words.Flush()
}
