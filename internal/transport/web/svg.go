package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/svg"
	"github.com/limn-ui/limn/ui"
)

// longest is how far ahead an address may end: addresses signed by the server end
// within two days, and a client that can act on a surface could also sign.
const longest = 49 * time.Hour

// getSVG serves the picture of a Diagram or Chart to clients that load it as an image.
// They send no cookie and no token: the signature gives access.
func (s *readAPI) getSVG(w http.ResponseWriter, r *http.Request) error {
	a, err := address(r)
	if err != nil {
		return err
	}
	left := time.Until(time.Unix(a.Until, 0))
	if left <= 0 {
		return &ui.Error{Code: recovery.CodeGone, Path: "until", Message: "the address has expired"}
	}
	// Without a signature that fits, what exists is answered like what does not.
	unsigned := &ui.Error{Code: recovery.CodeNotFound, Message: "this server signed no such address"}
	head, err := s.cfg.Service.Head(r.Context(), a.Conversation, "")
	switch {
	case ui.CodeOf(err) == recovery.CodeNotFound:
		return unsigned
	case err != nil:
		return err
	}
	sf := head.State.Surface(a.Surface)
	if sf == nil || sf.Epoch != a.Epoch || left > longest || !a.Signed(sf.Nonce, r.URL.Query().Get("sig")) {
		return unsigned
	}
	return writeSVG(w, head.State, sf, a, s.said(head.State.Router.Language).words, left)
}

func writeSVG(w http.ResponseWriter, st *ui.State, sf *ui.Surface, a svg.Address, words ui.Words,
	left time.Duration) error {
	value := func(p ui.Path) ui.Value { v, _ := st.Shown(sf, p); return v }
	var rendered []byte
	var err error
	ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if at == a.Node && svg.Content(n, value) == a.Content {
			rendered, err = svg.Render(n, value, words, svg.Alone)
		}
		return rendered == nil && err == nil
	})
	if err != nil {
		return err
	}
	if rendered == nil {
		return &ui.Error{Code: recovery.CodeGone, Path: "h", Message: "something else is rendered there now"}
	}
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // renderers are on pages of other sites
	h.Set("Cache-Control", "private, immutable, max-age="+strconv.Itoa(int(left.Seconds())))
	_, _ = w.Write(rendered) // the client is gone
	return nil
}

// address reads the address of a picture; the signature is looked at later.
func address(r *http.Request) (a svg.Address, err error) {
	q := r.URL.Query()
	epoch, e1 := strconv.ParseUint(r.PathValue("epoch"), 10, 32)
	until, e2 := strconv.ParseInt(q.Get("until"), 10, 64)
	a = svg.Address{Conversation: r.PathValue("id"), Surface: ui.Name(r.PathValue("surface")), Epoch: uint32(epoch),
		Node: svg.NodeOf(r.PathValue("file")), Content: q.Get("h"), Until: until}
	if e1 != nil || e2 != nil || a.File() != r.PathValue("file") || a.Content == "" {
		return a, &ui.Error{Code: recovery.CodeNotFound, Message: "no address of a picture"}
	}
	return a, nil
}
