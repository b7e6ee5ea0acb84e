package modeltext

import (
	"bytes"
	"strings"
)

// graph knows which components of a surface its root reaches. Components are
// only added: one that was shown stays so.
type graph struct {
	old     bool   // v0.8: the root is not called "root"
	notes   []byte // not in the maps yet: most surfaces are complete before the maps are needed
	shown   map[string]bool
	waiting map[string][]string // references of components that are not reached yet
	stack   []string
}

// A note is a component's id and its references, each after a refMark, as they
// are in JSON: a string there holds no control character.
const (
	refMark = 0
	noteEnd = 1
)

func noteID(note []byte) []byte { return note[:bytes.IndexAny(note, "\x00\x01")] }

const (
	// maxGraph bounds the ids that are remembered, of one surface and in number of
	// surfaces; beyond it components wait for the end of their message.
	maxGraph = 1 << 16
	maxNotes = 64 << 10
)

// graph returns that of the surface of the message.
func (r *reader) graph() *graph {
	g := r.graphs[r.surface]
	if g == nil {
		g = &graph{old: r.old}
		if len(r.graphs) < maxGraph {
			r.graphs[r.surface] = g
		}
	}
	return g
}

// note keeps notes for later.
func (g *graph) note(notes []byte) {
	if g.notes = append(g.notes, notes...); len(g.notes) > maxNotes {
		g.learn()
	}
}

// learn brings the notes into the maps.
func (g *graph) learn() {
	if g.shown == nil {
		g.shown, g.waiting = map[string]bool{}, map[string][]string{}
		if !g.old {
			g.show("root")
		}
	}
	notes := string(g.notes)
	g.notes = g.notes[:0]
	for notes != "" {
		end := strings.IndexByte(notes, noteEnd)
		note := notes[:end]
		notes = notes[end+1:]
		id, refs, _ := strings.Cut(note, "\x00")
		var list []string
		if refs != "" {
			list = strings.Split(refs, "\x00")
		}
		g.define(id, list)
	}
}

// define notes the references of a component.
func (g *graph) define(id string, refs []string) {
	if !g.shown[id] {
		if len(refs) > 0 && len(g.waiting) < maxGraph {
			g.waiting[id] = refs
		}
		return
	}
	for _, ref := range refs {
		g.show(ref)
	}
}

// show marks a component and all that it leads to.
func (g *graph) show(id string) {
	g.stack = append(g.stack[:0], id)
	for len(g.stack) > 0 {
		last := len(g.stack) - 1
		id := g.stack[last]
		g.stack = g.stack[:last]
		if g.shown[id] || len(g.shown) >= maxGraph {
			continue
		}
		g.shown[id] = true
		if refs := g.waiting[id]; refs != nil {
			delete(g.waiting, id)
			g.stack = append(g.stack, refs...)
		}
	}
}
