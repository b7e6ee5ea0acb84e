package agui

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/ui"
)

// entry is a surface in the state of the protocol.
type entry struct {
	ID     string    `json:"id"`
	Name   ui.Name   `json:"name"`
	Title  string    `json:"title"`
	Status ui.Status `json:"status"`
}

func entries(s *ui.State) []entry {
	out := []entry{}
	for _, sf := range s.Surfaces {
		out = append(out, entry{sf.WireID(), sf.Name, sf.Title, sf.Status})
	}
	return out
}

// state sends which surfaces there are: all of them at first, and then what has changed. A
// run that is over has all of them, at its end.
func (r *run) state(dst []byte, s *ui.State) []byte {
	now := entries(s)
	if r.known == nil {
		r.known = now
		return emit(dst, "", map[string]any{"type": "STATE_SNAPSHOT", "snapshot": map[string]any{"surfaces": now}})
	}
	delta := patch(r.known, now)
	r.known = now
	if len(delta) == 0 {
		return dst
	}
	return emit(dst, "", map[string]any{"type": "STATE_DELTA", "delta": delta})
}

// change is one operation of a JSON Patch (RFC 6902).
type change struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// patch is the changes from one list of surfaces to another: those that are gone, the last one
// first, then from the first one on those that are new or differ.
func patch(before, after []entry) (out []change) {
	at := func(i int) string { return "/surfaces/" + strconv.Itoa(i) }
	index := func(list []entry, e entry) int {
		return slices.IndexFunc(list, func(o entry) bool { return o.ID == e.ID })
	}
	list := slices.Clone(before)
	for i, e := range slices.Backward(before) {
		if index(after, e) < 0 {
			out, list = append(out, change{"remove", at(i), nil}), slices.Delete(list, i, i+1)
		}
	}
	for i, e := range after {
		switch was := index(list, e); {
		case was < 0:
			out, list = append(out, change{"add", at(i), e}), slices.Insert(list, i, e)
		case was != i: // they never change places, but if they did
			return []change{{"replace", "/surfaces", after}}
		case list[i] != e:
			out = append(out, change{"replace", at(i), e})
		}
	}
	return out
}
