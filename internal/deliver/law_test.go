package deliver_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// TestCutStreams: a client that is cut off anywhere and resumes by its cursor
// gets each frame once, in order, byte for byte what one that was never cut off
// gets, and shows what a fresh client shows; also across restarts of the server,
// and where each reading and each event meets another node.
func TestCutStreams(t *testing.T) {
	for _, target := range []string{"v0.9", "v0.8", "v1.0", "html"} {
		t.Run(target, func(t *testing.T) {
			limntest.Bubble(t, func(t *testing.T) {
				rapid.Check(timeless{t}, func(rt *rapid.T) {
					node := ""
					if rapid.Bool().Draw(rt, "nodes") {
						node = "n"
					}
					w := newWorld(rt, func(c *session.Config) { c.Node = node })
					nodes := []*session.Service{w.svc}
					req := w.request(target, deliver.Limn)
					if target != "html" {
						req.Format = rapid.SampledFrom([]deliver.Format{deliver.Limn, deliver.A2UI}).Draw(rt, "format")
						req.PerMessage = req.Format == deliver.A2UI && rapid.Bool().Draw(rt, "per message")
						req.Rebuild = rapid.IntRange(0, 3).Draw(rt, "rebuild") == 0
					}
					req.Client = "mine"
					r, whole := newReader(rt, w, req), newReader(rt, w, req)
					whole.read(-1)
					rt.Repeat(map[string]func(*rapid.T){
						"frame": func(rt *rapid.T) { w.random(rt) },
						"restart": func(*rapid.T) {
							if node != "" && len(nodes) > 1 {
								w.svc = rapid.SampledFrom(nodes).Draw(rt, "node")
							} else {
								w.cfg.Node += node
								w.svc = w.start()
								nodes = append(nodes, w.svc)
							}
							w.deliver = w.deliverer(w.svc)
						},
						"read": func(rt *rapid.T) { r.read(rapid.IntRange(1, 6).Draw(rt, "chunks")) },
						"type": func(rt *rapid.T) { r.typeSomething(rt) },
					})
					r.read(rapid.IntRange(1, 6).Draw(rt, "chunks"))
					r.read(-1)
					whole.read(-1)
					fresh := newReader(rt, w, req)
					fresh.read(-1)
					same(rt, w, r, whole, fresh)
				})
			})
		})
	}
}

func same(rt *rapid.T, w *world, r, whole, fresh *reader) {
	rt.Helper()
	n := min(len(whole.bytes), len(r.bytes)) // a cut in a snapshot begins a newer one
	if diff := cmp.Diff(whole.bytes[len(whole.bytes)-n:], r.bytes[len(r.bytes)-n:]); n > 0 && diff != "" {
		rt.Errorf("bytes (-whole +cut):\n%s", diff)
	}
	if r.client == nil {
		return
	}
	if diff := cmp.Diff(fresh.client.Surfaces(), r.client.Surfaces()); diff != "" {
		rt.Errorf("surfaces (-fresh +cut):\n%s", diff)
	}
	for _, sf := range w.head().State.Surfaces {
		id := sf.WireID()
		ignore := r.client.Touched(id)
		if r.client.DetailedHash(id, ignore...) != fresh.client.DetailedHash(id, ignore...) {
			rt.Errorf("%s (-fresh +cut):\n%s", id, cmp.Diff(fresh.client.Dump(id), r.client.Dump(id)))
		}
	}
}

// random makes one frame.
func (w *world) random(rt *rapid.T) {
	s := w.head().State
	form, table := s.Surface("form:customer"), s.Surface("table:risks")
	value := rapid.SampledFrom([]string{"", "a", "Ada", "[x]"}).Draw(rt, "value")
	switch rapid.IntRange(0, 8).Draw(rt, "kind") {
	case 0:
		w.say("Only words.")
	case 1:
		w.say("Here.", showForm, showBoard)
	case 2:
		w.say("A list.", showTable)
	case 3:
		w.say("", patch("form:customer", "/draft/note", value), `{"type":"ui.toast","payload":{"text":"!"}}`)
	case 4:
		w.say("", closing(rapid.SampledFrom([]string{"form:customer", "table:risks", "view:board"}).Draw(rt, "name")))
	case 5, 6:
		if form != nil {
			w.submit(press(form, "main/buttons/submit", value))
		}
	case 7:
		if table != nil {
			w.submit(press(table, "main/rows/add", value))
		}
	case 8:
		w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X", Message: fmt.Sprint(s.Seq),
			Client: rapid.SampledFrom([]string{"mine", "other", ""}).Draw(rt, "client")}})
	}
}

func (r *reader) typeSomething(rt *rapid.T) {
	if r.client == nil {
		return
	}
	for _, id := range r.client.Surfaces() {
		view, err := r.client.Surface(id)
		if err != nil {
			continue
		}
		for s := range view.Root.All() {
			if s.Role == "textbox" && s.Bound != "" && rapid.Bool().Draw(rt, "here") {
				_ = r.client.Type(id, s.ID, "typed")
			}
		}
	}
}
