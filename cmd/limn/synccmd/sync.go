// Package synccmd has the command "limn datasync": what package datasync makes of
// batches of updates, so that others can try it and compare.
package synccmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/ui"
)

// DataSync is the command "limn datasync".
type DataSync struct {
	Apply Apply `cmd:"" help:"Apply batches of updates, and print the document they make."`
	Merge Merge `cmd:"" help:"Join documents, and print the one they make."`
	Delta Delta `cmd:"" help:"Print the updates that a place lacks."`
	Show  Show  `cmd:"" help:"Say what a document holds: values, order of lists, who wrote."`
}

// Help is shown below the commands.
func (DataSync) Help() string {
	return `Documents that several people and agents write at once, as package datasync keeps them.

FILE has batches as JSON, one a line: the body of the message updateDataModel or dataModelChanged, or
the message with it. Or it is a document that --out has written. - is standard input.

Examples:
  limn datasync apply batches.jsonl
  limn datasync apply --shuffle 7 --twice batches.jsonl     # the same document
  limn datasync apply --out a.doc a.jsonl
  limn datasync merge a.doc b.doc
  limn datasync delta --seen '{"agent-1":"2026-01-12T16:34:29.000Z:0001:agent-1"}' a.doc
  limn datasync show a.doc`
}

// Apply is the command "limn datasync apply".
type Apply struct {
	Files   []string `arg:"" name:"file" help:"Files of batches, applied in this order."`
	Shuffle uint64   `placeholder:"SEED" help:"Apply the updates one by one, in an order that SEED chooses."`
	Twice   bool     `help:"Apply everything once more, in another order with --shuffle."`
	Out     string   `placeholder:"FILE" help:"Write the document to FILE as well, for the other commands."`
}

// Run prints the document.
func (c Apply) Run(t term.Terminal) error {
	d := datasync.New(datasync.Limits{})
	var all []datasync.Batch
	for _, file := range c.Files {
		list, err := batches(t, file)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	if c.Shuffle != 0 {
		all = shuffled(all, c.Shuffle)
	}
	if c.Twice {
		again := all
		if c.Shuffle != 0 {
			again = shuffled(all, c.Shuffle+1)
		}
		all = append(slices.Clone(all), again...)
	}
	for _, b := range all {
		if _, err := d.Apply(b); err != nil {
			return err
		}
	}
	return finish(t, d, c.Out)
}

// shuffled puts each update in a separate batch, and the batches in the order of seed.
func shuffled(list []datasync.Batch, seed uint64) (out []datasync.Batch) {
	for _, b := range list {
		for _, u := range b.Updates {
			one := b
			one.Updates = []datasync.Update{u}
			out = append(out, one)
		}
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// Merge is the command "limn datasync merge".
type Merge struct {
	Files []string `arg:"" name:"file" help:"Documents, or files of batches."`
	Out   string   `placeholder:"FILE" help:"Write the document to FILE as well, for the other commands."`
}

// Run prints the document that all of them make.
func (c Merge) Run(t term.Terminal) error {
	d := datasync.New(datasync.Limits{})
	for _, file := range c.Files {
		other, err := document(t, file)
		if err != nil {
			return err
		}
		if _, err := d.Merge(other); err != nil {
			return err
		}
	}
	return finish(t, d, c.Out)
}

// Delta is the command "limn datasync delta".
type Delta struct {
	File    string `arg:"" help:"A document, or a file of batches."`
	Seen    string `placeholder:"JSON" help:"What the place has seen: an object of actors and stamps. Default: nothing."`
	Surface string `default:"surface" help:"The surface that the batch names."`
	Actor   string `default:"limn" help:"The actor that the batch names as its sender."`
}

// Run prints one batch.
func (c Delta) Run(t term.Terminal) error {
	d, err := document(t, c.File)
	if err != nil {
		return err
	}
	seen := datasync.Vector{}
	if c.Seen != "" {
		var texts map[string]string
		if err := json.Unmarshal([]byte(c.Seen), &texts); err != nil {
			return fmt.Errorf("--seen is no JSON object of actors and stamps: %w", err)
		}
		for actor, text := range texts {
			s, err := datasync.ParseStamp(text)
			if err != nil || s.Actor != actor {
				return fmt.Errorf("--seen: %q has no stamp of its own", actor)
			}
			seen[actor] = s
		}
	}
	_, err = fmt.Fprintf(t.Out, "%s\n", d.Delta(c.Surface, c.Actor, seen).AppendJSON(nil))
	return err
}

// Show is the command "limn datasync show".
type Show struct {
	File string `arg:"" help:"A document, or a file of batches."`
}

// Run prints the document for people.
func (c Show) Run(t term.Terminal) error {
	d, err := document(t, c.File)
	if err != nil {
		return err
	}
	all := d.Delta("", "", nil).Updates
	var text bytes.Buffer
	if err := json.Indent(&text, d.JSON(), "", "  "); err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "%s\n", term.Clean(text.String()))
	for _, path := range lists(all) {
		fmt.Fprintf(t.Out, "order of %s: %s\n", term.Clean(path), term.Clean(strings.Join(d.Order(path), ", ")))
	}
	count := map[string]int{}
	for _, u := range all {
		count[u.Stamp.Actor]++
	}
	seen := d.Seen()
	for _, actor := range slices.Sorted(maps.Keys(seen)) {
		fmt.Fprintf(t.Out, "%s: seen up to %s, %s in the document\n", actor, seen[actor], term.Count(count[actor], "write"))
	}
	return nil
}

// lists are the paths below which something has a position.
func lists(all []datasync.Update) (paths []string) {
	for _, u := range all {
		if u.Pos != "" {
			paths = append(paths, u.Path[:max(strings.LastIndexByte(u.Path, '/'), 0)])
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	for i, p := range paths {
		if p == "" {
			paths[i] = "/"
		}
	}
	return paths
}

// finish prints a document, and writes it.
func finish(t term.Terminal, d *datasync.Doc, out string) error {
	if out != "" {
		if err := os.WriteFile(out, d.Snapshot(), 0o644); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(t.Out, "%s\n", d.JSON())
	return err
}

// document reads one that --out has written, or makes one of batches.
func document(t term.Terminal, file string) (*datasync.Doc, error) {
	data, name, err := read(t, file)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 && data[0] < ' ' && data[0] != '\n' {
		d, err := datasync.Load(data, datasync.Limits{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return d, nil
	}
	list, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	d := datasync.New(datasync.Limits{})
	for i, b := range list {
		if _, err := d.Apply(b); err != nil {
			return nil, fmt.Errorf("%s: batch %d: %w", name, i+1, err)
		}
	}
	return d, nil
}

func batches(t term.Terminal, file string) ([]datasync.Batch, error) {
	data, name, err := read(t, file)
	if err != nil {
		return nil, err
	}
	return parse(name, data)
}

func read(t term.Terminal, file string) ([]byte, string, error) {
	in, name, err := term.Open(file, t)
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, term.MaxInput+1))
	if err == nil && len(data) > term.MaxInput {
		err = fmt.Errorf("%s has more than %d bytes", name, term.MaxInput)
	}
	return data, name, err
}

// parse reads one batch a line, as a body or as a message with it.
func parse(name string, data []byte) (list []datasync.Batch, err error) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var message struct {
			Update  json.RawMessage `json:"updateDataModel"`
			Changed json.RawMessage `json:"dataModelChanged"`
		}
		body := line
		if json.Unmarshal(line, &message) == nil {
			if message.Update != nil {
				body = message.Update
			} else if message.Changed != nil {
				body = message.Changed
			}
		}
		b, err := datasync.ParseBatch(body, datasync.Limits{})
		if err != nil {
			e := ui.AsError(err, datasync.CodeBatch, "")
			return nil, &ui.Error{Code: e.Code, Path: fmt.Sprintf("%s:%d%s", name, n, e.Path), Message: e.Message,
				Hint: e.Hint, Err: e.Err}
		}
		list = append(list, b)
	}
	if len(list) == 0 {
		return nil, errors.New(name + " has no batches")
	}
	return list, nil
}
