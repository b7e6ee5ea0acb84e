package html

import (
	"strconv"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// frame writes the surface in its status. target="_top" makes a plain redirect
// load the page instead of looking for a frame that may be gone.
func (w *writer) frame() {
	w.str(`<turbo-frame id="`)
	w.wireID()
	w.str(`" target="_top"><section class="limn-surface limn-`)
	switch {
	case w.open:
		w.str("open")
	case w.s.Status == ui.StatusCanceled:
		w.str("canceled")
	case w.s.Stub():
		w.str("expired")
	default:
		w.str("submitted")
	}
	if !w.open {
		w.str(` limn-done" data-seq="`)
		w.b = strconv.AppendUint(w.b, w.s.Done.Seq, 10)
	}
	if w.s.Origin.Kind == builtin.OriginAgent {
		w.str(`" data-agent="`)
	}
	w.putOwn(`" aria-labelledby="`, idTitle, `"`)
	w.putOwn(`><h2 class="limn-title" id="`, idTitle, `">`)
	if w.s.Title != "" {
		w.esc(w.s.Title)
	} else {
		w.esc(string(w.s.Name))
	}
	w.str(`</h2>`)
	switch {
	case w.open:
		w.form()
	case w.s.Stub():
		w.stub()
	default:
		w.submitted()
	}
	w.str(`</section></turbo-frame>`)
}

func (w *output) wireID() {
	w.esc(string(w.s.Name))
	w.str("#e=")
	w.b = strconv.AppendUint(w.b, uint64(w.s.Epoch), 10)
}

func (w *writer) form() {
	tree := w.s.Tree()
	files, rows := contents(tree)
	w.formStart(files)
	w.defaultButton(tree, rows)
	w.putOwn(`<div class="limn-summary" role="alert" id="`, idSummary, `">`)
	w.summary()
	w.putWord(`</div><p class="limn-required-note" aria-hidden="true">* `, "required.mark", `</p>`)
	w.node(tree)
	w.rev()
	w.str(`</form>`)
}

func (w *writer) formStart(files bool) {
	w.put(`<form class="limn-form" method="post" action="`, w.o.Action, `"`)
	w.flag(` enctype="multipart/form-data"`, files)
	w.str(` accept-charset="utf-8" novalidate>`)
	w.identity()
}

// identity writes the hidden inputs that say which surface a post is about.
func (w *output) identity() {
	w.str(`<input type="hidden" name="` + builtin.FieldSurface + `" value="`)
	w.wireID()
	w.str(`"><input type="hidden" name="` + builtin.FieldNonce + `" value="`)
	w.esc(w.s.Nonce)
	w.str(`">`)
}

// rev writes the hidden rev. autocomplete is off because browsers restore even
// hidden inputs after a reload, and an old rev would be stale.
func (w *output) rev() {
	w.str(`<input type="hidden" autocomplete="off" name="` + builtin.FieldRev + `" id="`)
	w.ownID(idRev)
	w.str(`" value="`)
	w.b = strconv.AppendUint(w.b, w.s.Rev, 10)
	w.str(`">`)
}

// defaultButton writes what Enter presses: the first submit button of a form.
// It takes the place of the primary button, else for the one that submits, else for the
// first that ends nothing. With none, or with rows on the surface, a disabled one
// makes Enter do nothing: Enter in a cell neither removes a row nor checks.
func (w *writer) defaultButton(tree ui.Node, rows bool) {
	var found candidate
	if !rows {
		w.findButton(tree, &found)
	}
	if found.rank == 0 {
		w.str(`<button class="limn-default" type="submit" disabled tabindex="-1" aria-hidden="true"></button>`)
	}
}

// candidate is the best default button so far: where it starts in the output,
// and its rank, 3 for a primary button, 2 for one that submits, 1 for another, 0
// for none.
type candidate struct{ rank, at int }

func (w *writer) findButton(n ui.Node, found *candidate) {
	if n == nil || found.rank == 3 {
		return
	}
	mark := w.join(ui.NodeKey(n))
	switch n := n.(type) {
	case *ui.Button:
		if !n.Action.Masked && n.Action.Do == "" {
			w.offerButton(n, found)
		}
	default:
		for _, c := range ui.Children(n) {
			w.findButton(c, found)
		}
	}
	w.at = w.at[:mark]
}

// offerButton writes a button that is better than the candidate in its place.
func (w *writer) offerButton(n *ui.Button, found *candidate) {
	rank := 1
	switch name := n.Action.Name; {
	case name == builtin.ActionCancel, name == builtin.ActionConfirm,
		name == builtin.ActionAccept, name == builtin.ActionEdit:
		// Enter ends nothing
		rank = 0
	case n.Primary:
		rank = 3
	case name == builtin.ActionSubmit:
		rank = 2
	}
	if rank <= found.rank {
		return
	}
	if found.rank > 0 {
		w.b = w.b[:found.at]
	}
	*found = candidate{rank, len(w.b)}
	w.str(`<button class="limn-default" type="submit" tabindex="-1" aria-hidden="true"`)
	w.component("")
	w.str(`></button>`)
}

// component writes name and value of a button: the component id of key below
// the current node, or of the node itself.
func (w *output) component(key string) {
	w.str(` name="` + builtin.FieldComponent + `" value="c#`)
	w.b = appendEscaped(w.b, w.at)
	if key != "" {
		w.str("/")
		w.esc(key)
	}
	w.str(`:Button"`)
}

// stub writes the rest of a surface that is out of date or was canceled.
func (w *writer) stub() {
	text, button := w.s.StubWords()
	w.putWord(`<p class="limn-text" role="status">`, text, "")
	w.when()
	w.str(`</p>`)
	w.formStart(false)
	w.str(`<input type="hidden" name="` + builtin.FieldAction + `" value="` + builtin.ActionRegenerate + `">`)
	root := "main"
	if tree := w.s.Tree(); tree != nil {
		root = ui.NodeKey(tree)
	}
	mark := w.join(root)
	w.str(`<button class="limn-button limn-primary" type="submit"`)
	w.component(keyRegenerate)
	w.str(`>`)
	w.at = w.at[:mark]
	w.say(button)
	w.str(`</button>`)
	w.rev()
	w.str(`</form>`)
}
