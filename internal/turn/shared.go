package turn

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// stamps reports whether an application keeps when its drafts were written.
func stamps(a *app.App) bool { return a.Syncs() || a.Config().SendDataModel }

// drafts keeps the values that a client shows, before another event of it is decided. It never
// overwrites a value that the client cannot have seen: one of a later revision, or, with a blank,
// one that another person typed.
func drafts(env Env, s *ui.State, e *ui.Event) Plan {
	sent, warnings, err := ingress.Drafts(s, e.Model)
	if err != nil {
		return refused(env, err)
	}
	p := Plan{Ops: ingress.Models(s, e.Model), Outcome: ui.Outcome{Kind: ui.OutcomeDone}, Warnings: warnings}
	for _, one := range sent {
		var values []ui.Leaf
		for _, leaf := range one.Values {
			was, had := one.Surface.Get(leaf.Path)
			last := one.Surface.Stamps[leaf.Path]
			by := one.Surface.Actors[last.Actor()].By
			others := last.At != "" && by != e.Principal
			blank := leaf.Value.Empty() || leaf.Value.Kind() == ui.BoolValue && !leaf.Value.True()
			if had && was.Equal(leaf.Value) || others && (last.Rev > one.Rev || by != "" && blank) {
				continue
			}
			values = append(values, leaf)
		}
		if len(values) > 0 {
			p.Ops = append(p.Ops, &ui.Draft{Surface: one.Surface.Name, Values: values})
		}
	}
	return p
}

// shared merges the writes of a client of the extension data-sync.
func shared(env Env, s *ui.State, e *ui.Event) Plan {
	name, _, _ := ui.ParseWireID(e.Shared.Surface)
	if gateway.Owner(s.Surface(name)) != "" {
		return refused(env, &ui.Error{Code: recovery.CodeExtension, Path: "/dataModelChanged/surfaceId",
			Message: "the agent of this surface does not see what is typed there before it is sent",
			Hint:    "send the data of the surface beside the next message or action"})
	}
	if !env.App.Syncs() {
		return refused(env, NoExtension(env.App, "/dataModelChanged", app.DataSync))
	}
	m, err := ingress.Merge(s, e)
	if err != nil {
		return refused(env, err)
	}
	p := Plan{Outcome: ui.Outcome{Kind: ui.OutcomeDone, Surface: m.Surface.Name}}
	actor := ui.Actor{Last: m.Last, By: e.Principal, Name: e.User}
	if len(m.Wins) > 0 {
		p.Ops = ui.Ops{&ui.Draft{Surface: m.Surface.Name, Values: m.Wins}}
	}
	var late *ui.Patch
	if late, p.Outcome.Message = execute.Late(env.App.Config().Words, m.Surface, m.Gone); late != nil {
		p.Ops = append(p.Ops, late)
	}
	if len(m.Wins) > 0 || m.Last != m.Surface.Actors[e.Shared.Actor].Last {
		p.Ops = append(p.Ops, &ui.Stamp{Surface: m.Surface.Name, Writes: m.Writes,
			Actors: map[string]ui.Actor{e.Shared.Actor: actor}})
	}
	return p
}

// NoExtension answers the use of an extension that an application does not offer, or not
// for that drawing.
func NoExtension(a *app.App, path, name string) *ui.Error {
	e := &ui.Error{Code: recovery.CodeExtension, Path: path,
		Message: "there is no extension " + strconv.Quote(excerpt.Head(name, 64)) + " for this",
		Hint:    "the application offers none; its configuration can: extensions: [" + app.DataSync + "]"}
	if list := a.Config().Extensions; len(list) > 0 {
		if slices.Contains(list, name) {
			e.Message = name + " is not offered for this drawing"
		} else {
			e.Message += ", but " + strings.Join(list, ", ")
		}
		e.Hint = "it offers " + strings.Join(list, ", ") + " for html and for A2UI from v0.9"
	}
	return e
}

// userActor is the actor of a principal whose client does not use the extension.
func userActor(e *ui.Event) string {
	sum := sha256.Sum256([]byte(e.Principal))
	return builtin.ActorUser + hex.EncodeToString(sum[:6])
}

// stamp adds to a step when its drafts were written, and by whom: those that a client has
// stamped, and all others.
func stamp(env Env, step Step, e *ui.Event, p Plan) Step {
	if !stamps(env.App) {
		return step
	}
	server, more := builtin.ActorApp, ui.Ops(nil) // the actor of what no user typed
	if (e.Kind == ui.EventMessage || e.Kind == ui.EventReply) && !p.Called {
		server = builtin.ActorAgent
	}
	for _, c := range step.Frame.Changes {
		before, after := step.Before.Surface(c.Surface), step.After.Surface(c.Surface)
		if before == nil || after == nil || before.Epoch != after.Epoch {
			continue // a new surface begins without writes
		}
		if op := stampsOf(before, after, step.Frame, e, server); op != nil {
			more = append(more, op)
		}
	}
	if len(more) == 0 {
		return step
	}
	next, err := extend(env, step, more)
	if err != nil {
		env.Warn("writes are not stamped", "err", err)
		return step
	}
	return next
}

// wrote lists the leaves of inputs and cells whose values are others than before. Cells
// of a new row do not count: they have no earlier values. Those of one that is put back do.
func wrote(before, after *ui.Surface) iter.Seq[ui.Path] {
	return func(yield func(ui.Path) bool) {
		for n := range ui.All(after.Tree()) {
			if in := ui.InputOf(n); in != nil {
				was, _ := before.Get(in.Path)
				if is, ok := after.Get(in.Path); ok && !was.Equal(is) && !yield(in.Path) {
					return
				}
			}
			if rs := ui.RowsetOf(n); rs != nil && !cellsWritten(rs, before, after, yield) {
				return
			}
		}
	}
}

func cellsWritten(rs *ui.Rowset, before, after *ui.Surface, yield func(ui.Path) bool) bool {
	rows := map[string]ui.Value{}
	for _, r := range before.Rows(rs) {
		rows[r.ID] = r.Cells
	}
	removed, _ := before.Get(rs.RemovedPath())
	for _, r := range after.Rows(rs) {
		was, there := rows[r.ID]
		if _, back := removed.Record(r.ID); !there && !back || was.Equal(r.Cells) {
			continue
		}
		for _, c := range r.Cells.Pairs() {
			if v, _ := was.Get(c.Key); !v.Equal(c.Value) && !yield(rs.CellPath(r.ID, c.Key)) {
				return false
			}
		}
	}
	return true
}

// stampsOf is the op that stamps the writes of a frame on a surface; nil for nothing. server
// is the actor of those that the user did not type.
func stampsOf(before, after *ui.Surface, f *ui.Frame, e *ui.Event, server string) *ui.Stamp {
	own, typed := map[ui.Path]bool{}, map[ui.Path]bool{}
	last := datasync.Stamp{}
	for _, op := range f.Ops {
		switch op := op.(type) {
		case *ui.Stamp:
			for p := range op.Writes {
				own[p] = own[p] || op.Surface == after.Name
			}
		case *ui.Draft:
			for _, l := range op.Values {
				typed[l.Path] = typed[l.Path] || op.Surface == after.Name
			}
		}
	}
	for _, a := range after.Actors {
		if s, err := datasync.ParseStamp(a.Last); err == nil && s.After(last) {
			last = s
		}
	}
	for _, w := range after.Stamps { // of an actor whose writes have a gap
		if s, err := datasync.ParseStamp(w.At); err == nil && s.After(last) {
			last = s
		}
	}
	clock, err := datasync.NewClock(server, last)
	if err != nil {
		return nil
	}
	out := &ui.Stamp{Surface: after.Name, Writes: map[ui.Path]string{}, Actors: map[string]ui.Actor{}}
	for p := range wrote(before, after) {
		if own[p] {
			continue
		}
		s, err := clock.Tick(e.At)
		if err != nil {
			return nil
		}
		who := ui.Actor{}
		if s.Actor = server; typed[p] {
			s.Actor, who = userActor(e), ui.Actor{By: e.Principal, Name: e.User}
		}
		who.Last = s.String()
		out.Writes[p], out.Actors[s.Actor] = who.Last, who
	}
	if len(out.Writes) == 0 {
		return nil
	}
	return out
}
