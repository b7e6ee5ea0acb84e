package web

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/components"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/transport/door"
)

// textOnly is the version of clients that can show no catalog of ours: their frames have
// words, and the address of the page.
const textOnly = "text"

// speaks holds the capabilities of a client; nil: it sends none.
type speaks = map[a2ui.Dialect]a2ui.Capabilities

// spoken says how a client that sent its capabilities sees the conversation: in the newest
// version and the catalog that both have, or else in words.
type spoken struct {
	Version string   `json:"version"`
	Catalog string   `json:"catalog,omitempty"`
	Stream  string   `json:"stream"` // the address of its stream
	Problem *Problem `json:"problem,omitempty"`
}

type spokenKey struct{}

// spokenOf is what hear found for a request, or nil.
func spokenOf(r *http.Request) *spoken {
	out, _ := r.Context().Value(spokenKey{}).(*spoken)
	return out
}

// hear reads the capabilities in the body of a post. From then on the request is one for the
// drawing that was found.
func (s *eventAPI) hear(r *http.Request, body []byte) error {
	if !bytes.Contains(body, []byte("Capabilities")) {
		return nil
	}
	heard, err := ingress.Capabilities(body, s.cfg.Limits)
	if err != nil {
		return err
	}
	out, err := s.speaking(r, heard)
	if out != nil {
		*r = *r.WithContext(context.WithValue(r.Context(), spokenKey{}, out))
	}
	return err
}

// speaking chooses the drawing for a client and puts it into the query of its request. A
// version in the query is the client's choice, of which the capabilities name the catalog.
func (s *answers) speaking(r *http.Request, heard speaks) (*spoken, error) {
	if heard == nil {
		return nil, nil
	}
	query, err := queryOf(r)
	if err != nil {
		return nil, err
	}
	targets := s.cfg.Targets
	if name := query.Get("version"); name != "" {
		targets = slices.DeleteFunc(slices.Clone(targets), func(t deliver.Target) bool { return t.Name != name })
	}
	t, err := door.Choose(targets, heard)
	if err == nil {
		t, err = door.Speaks(s.cfg.Service.App(), t, heard)
	}
	query.Del("catalog")
	out := &spoken{Version: t.Name, Catalog: t.A2UI.Catalog}
	if err != nil {
		p := s.problemOf(r, s.elsewhere(err, r.PathValue("id")))
		out = &spoken{Version: textOnly, Problem: &p}
	} else {
		if t.Syncs {
			query.Set("extension", app.DataSync)
		}
		for _, id := range heard[t.A2UI.Dialect].Catalogs {
			if s.knows(t, id) {
				query.Add("catalog", id)
			}
		}
	}
	query.Set("version", out.Version)
	at := *r.URL
	at.RawQuery = query.Encode()
	r.URL = &at
	link := url.Values{"version": {out.Version}, "catalog": query["catalog"], "extension": query["extension"]}
	out.Stream = s.prefix + "/v1/conversations/" + r.PathValue("id") + "/stream?" + link.Encode()
	return out, nil
}

// knows reports a catalog that a drawing has.
func (s *answers) knows(t deliver.Target, id string) bool {
	d := t.A2UI.Dialect
	basic := a2ui.CatalogID(d)
	return id == basic || a2ui.Aliases()[id] == basic || id == components.ID(d) || slices.Contains(door.Catalogs(t), id)
}

// emptyBody refuses a body with members where none are taken.
func emptyBody(r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	switch string(bytes.TrimSpace(body)) {
	case "", "{}", "null":
		return nil
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return readMembers(r, &struct{}{}, "this address takes no body")
}

// unspoken is a message of a socket that has capabilities and no event.
type unspoken struct {
	A2UI *spoken `json:"a2ui"`
}
