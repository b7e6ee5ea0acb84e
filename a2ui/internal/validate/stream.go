package validate

import "github.com/limn-ui/limn/a2ui/internal/wire"

// A turn can be judged message by message. It has the rules of Check, but what
// has been judged is done: problems take nothing back, so that one fault does
// not make the rest of a stream wrong, and memory holds the surfaces that are
// open, however long the turn is.
//
// A surface that is deleted is forgotten at once, and its components are not
// looked at again.

// CheckMessage judges one message of the open turn; its problems have that line.
func (v *Validator) CheckMessage(line int, m wire.Message) []wire.Problem {
	r := &v.run
	if !v.open {
		v.open = true
		r.reset(v)
		r.places = map[string]int{}
	}
	r.line, r.tries = line, 0
	r.serial++
	r.message(m)
	if r.st != nil {
		r.keep()
	}
	problems := r.problems
	r.problems = nil
	return problems
}

// EndTurn judges what only the end of a turn shows; problems have the line of
// the message that sent the component, or 0.
func (v *Validator) EndTurn() []wire.Problem {
	if !v.open {
		return nil
	}
	v.open = false
	r := &v.run
	r.line = 0
	var problems []wire.Problem
	for i := range r.touched {
		r.trees().finish(&r.touched[i]) // lists at most maxProblems of each surface
		problems = append(problems, r.problems...)
		r.problems = nil
	}
	v.end(r, true)
	return problems
}

// keep makes the changes of the message to its surface final.
func (r *run) keep() {
	st := r.st
	if st.alive {
		st.graph.settle()
		st.dropLists()
		return
	}
	r.v.retire(st.before.graph)
	delete(r.v.surfaces, st.id)
	last, at := len(r.touched)-1, r.places[st.id]
	delete(r.places, st.id)
	if at != last {
		r.touched[at] = r.touched[last]
		r.places[r.touched[at].id] = at
	}
	r.touched[last] = staged{}
	r.touched, r.st = r.touched[:last], nil
}

// dropLists forgets lists that were written over, once they may be many.
func (st *staged) dropLists() {
	if len(st.lists) < 2*st.kept+64 {
		return
	}
	last := make(map[string]int, len(st.lists))
	for i, l := range st.lists {
		last[l.path] = i
	}
	kept := st.lists[:0]
	for i, l := range st.lists {
		if last[l.path] == i {
			kept = append(kept, l)
		}
	}
	clear(st.lists[len(kept):])
	st.lists, st.kept = kept, len(kept)
}
