package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	render "github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// The most rows that one answer has: those that follow each other, and those asked
// for by their ids.
const (
	rowsAtOnce = 500
	rowsByID   = 500
)

// rowsPart answers rows of a table as the HTML drawing has them: those around the
// user's position, and those with values the user typed. The header Limn-Seq is the
// number of their frame, Limn-Rows the number of rows in the table.
func (s *host) rowsPart(w http.ResponseWriter, r *http.Request, who string) error {
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	ask, err := rowsOf(query)
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(query.Get("surface"), "#")
	sf := h.State.Surface(ui.Name(name))
	t, drawn := s.targets["html"]
	if sf == nil || sf.WireID() != query.Get("surface") || !drawn || t.HTML == nil {
		return &ui.Error{Code: recovery.CodeNotFound, Path: "surface", Message: "no such surface is open"}
	}
	rows, count, ok := render.AppendRows(nil, sf, t.HTML(h.State), ask)
	if !ok {
		return &ui.Error{Code: recovery.CodeNotFound, Path: "path", Message: "the surface has no table there"}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Limn-Seq", strconv.FormatUint(h.State.Seq, 10))
	w.Header().Set("Limn-Rows", strconv.Itoa(count))
	_, _ = w.Write(rows) // the client is gone
	return nil
}

// rowsOf reads which rows are asked for.
func rowsOf(query url.Values) (ask render.Rows, err error) {
	ask.Path = ingress.Path(query.Get("path"))
	if ids := query.Get("row"); ids != "" {
		ask.Also = strings.Split(ids, ",")
	}
	if len(ask.Also) > rowsByID {
		return ask, &ui.Error{Code: ingress.CodeEnvelope, Path: "row",
			Message: "want at most " + strconv.Itoa(rowsByID) + " rows by their ids"}
	}
	for _, n := range []struct {
		key  string
		to   *int
		most int
	}{{"first", &ask.First, 1 << 20}, {"count", &ask.Count, rowsAtOnce}} {
		v, bad := strconv.Atoi(query.Get(n.key))
		if bad != nil || v < 0 || v > n.most {
			return ask, &ui.Error{Code: ingress.CodeEnvelope, Path: n.key,
				Message: "want a number from 0 to " + strconv.Itoa(n.most)}
		}
		*n.to = v
	}
	return ask, nil
}
