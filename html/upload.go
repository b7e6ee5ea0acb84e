package html

import "github.com/limn-ui/limn/ui"

// An upload needs a multipart form of its own, and forms cannot nest: the file
// input and its button stand among the other inputs and belong, by their form
// attribute, to a hidden form behind the surface's own. The main form sends the
// id of the stored upload.

func (w *writer) fileControl(f *ui.Field) {
	w.str(`<input type="file"`)
	w.attributes(fileWidget, f)
	if w.open {
		w.str(` form="`)
		w.id(idUpload)
		w.str(`"`)
	}
	if len(f.Accept) > 0 {
		w.str(` accept="`)
		for i, a := range f.Accept {
			if i > 0 {
				w.str(`,`)
			}
			w.esc(a)
		}
		w.str(`"`)
	}
	w.str(`>`)
}

// stored writes what the upload holds: an island outside the wrapper, because
// the server fills it in.
func (w *writer) stored(v ui.Value) {
	id := v.Text()
	w.str(`<p class="limn-stored" id="`)
	w.id(idStored)
	w.str(`">`)
	if id != "" {
		w.esc(w.uploadName(id))
	}
	if w.open {
		w.str(`<input type="hidden" name="`)
		w.b = appendEscaped(w.b, w.path)
		w.str(`" value="`)
		w.esc(id)
		w.str(`">`)
	}
	w.str(`</p>`)
}

// uploadName returns the file name kept at /ui_state/uploads/<id>, else the id.
func (w *writer) uploadName(id string) string {
	if v, ok := w.s.UIState.Get("uploads", id); ok && v.Text() != "" {
		return v.Text()
	}
	return id
}

func (w *writer) uploadButton(f *ui.Field) {
	if !w.open {
		return
	}
	w.uploads = true
	w.str(`<button type="submit" class="limn-button limn-upload" form="`)
	w.id(idUpload)
	w.str(`">`)
	if text := w.o.Words["upload.send"]; text != "" {
		w.esc(text)
	} else {
		w.str(`Upload`)
	}
	w.str(`<span class="limn-hidden"> `)
	w.esc(f.Title())
	w.str(`</span></button>`)
}

// uploadForms writes the hidden forms of all uploads of the surface.
func (w *writer) uploadForms() {
	w.str(`<div class="limn-uploads" hidden id="`)
	w.ownID(idForms)
	w.str(`">`)
	w.uploadsBelow(w.s.Tree())
	w.str(`</div>`)
}

func (w *writer) uploadsBelow(n ui.Node) {
	switch n := n.(type) {
	case *ui.Upload:
		w.setPath(n.Path)
		w.uploadForm()
	case *ui.Table:
		w.uploadCells(&n.Rowset)
	case *ui.Steps:
		w.uploadCells(&n.Rowset)
	case nil:
	default:
		for _, c := range ui.Children(n) {
			w.uploadsBelow(c)
		}
	}
}

func (w *writer) uploadCells(rs *ui.Rowset) {
	if !holdsUploads(rs) {
		return
	}
	w.setPath(rs.Path)
	rows, _ := w.value(rs.Path)
	for _, rec := range rows.Records() {
		path, enc := w.joinPath(rec.ID)
		for i := range rs.Columns {
			if rs.Columns[i].Type == ui.TypeUpload {
				p, e := w.joinPath(rs.Columns[i].Name)
				w.uploadForm()
				w.cutPath(p, e)
			}
		}
		w.cutPath(path, enc)
	}
}

func holdsUploads(rs *ui.Rowset) bool {
	for i := range rs.Columns {
		if rs.Columns[i].Type == ui.TypeUpload {
			return true
		}
	}
	return false
}

func (w *writer) uploadForm() {
	w.str(`<form method="post" enctype="multipart/form-data" action="`)
	w.esc(w.o.Uploads)
	w.str(`" id="`)
	w.id(idUpload)
	w.str(`">`)
	w.identity()
	w.str(`<input type="hidden" name="` + FieldPath + `" value="`)
	w.b = appendEscaped(w.b, w.path)
	w.str(`"></form>`)
}
