package html

import (
	"slices"
	"strconv"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/card"
	"github.com/limn-ui/limn/ui"
)

// A file input is part of its surface's form, which is then multipart: a chosen
// file goes with whatever button is pressed. Once a file is stored, the form
// sends its id under the same name, and no file means that it stays.

func (w *inputs) fileControl(f *ui.Field) {
	w.str(`<input type="file"`)
	w.attributes(fileWidget, f)
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
	w.attr(` data-uploads="`, w.o.Uploads)
	if w.o.MaxUpload > 0 {
		w.attr(` data-max="`, strconv.FormatInt(w.o.MaxUpload, 10))
		w.attr(` data-large="`, w.o.Words.Say("upload.large", "label", "{label}", "max", ui.Size(w.o.MaxUpload)))
	}
	w.attr(` data-empty="`, w.o.Words.Say("upload.empty", "label", "{label}"))
	w.str(`>`)
}

// stored writes the name of the file in the upload: an island outside the wrapper,
// because the server fills it in.
func (w *inputs) stored(v ui.Value) {
	id := v.Text()
	w.putID(`<p class="limn-stored" id="`, idStored, `">`)
	if id != "" {
		w.put(`<span class="limn-file">`, card.FileName(w.s, id), `</span>`)
	}
	w.str(`<input type="hidden" name="`)
	w.b = appendEscaped(w.b, w.path)
	w.put(`" value="`, id, `">`)
	if id != "" {
		w.detachButton(id)
	}
	w.str(`</p>`)
}

// detachButton removes the file. In a row the current node is the rowset, and
// the last two segments of the path are the row and the column.
func (w *inputs) detachButton(id string) {
	key := builtin.KeyDetach
	if w.rows > 0 {
		key = string(w.path[w.rows:])[1:] + "/" + key
	}
	w.str(`<button type="submit" class="limn-button limn-detach"`)
	w.component(key)
	w.putWord(`>`, "upload.remove", `<span class="limn-hidden"> `)
	w.esc(card.FileName(w.s, id))
	w.str(`</span></button>`)
}

// uploadLimit says how large a file can be.
func (w *inputs) uploadLimit() {
	if w.o.MaxUpload > 0 {
		w.str(`<p class="limn-help limn-limit">`)
		w.esc(w.o.Words.Say("upload.limit", "max", ui.Size(w.o.MaxUpload)))
		w.str(`</p>`)
	}
}

// contents reports whether a tree has uploads, also in rows, and whether it has rows.
func contents(tree ui.Node) (files, rows bool) {
	for n := range ui.All(tree) {
		if _, ok := n.(*ui.Upload); ok {
			files = true
		} else if rs := ui.RowsetOf(n); rs != nil {
			rows = true
			files = files || slices.ContainsFunc(rs.Columns, func(f ui.Field) bool { return f.Type == ui.TypeUpload })
		}
	}
	return files, rows
}
