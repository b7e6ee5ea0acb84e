package a2a

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/components"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport/door"
)

// Addresses of the door.
const (
	cardPath = "/.well-known/agent-card.json"
	rpcPath  = "/a2a"
)

// server is the door.
type server struct {
	door.Host
	extensions []json.RawMessage
	advertised []string // their addresses
}

// New is the door.
func New() door.Door {
	return func(h door.Host) door.Routes {
		d := &server{Host: h}
		for _, t := range door.Newest(h.Targets()) {
			e := extension(t)
			if !slices.Contains(d.advertised, e.URI) {
				d.advertised = append(d.advertised, e.URI)
				d.extensions = append(d.extensions, a2a.AppendExtension(nil, e))
			}
		}
		return door.Routes{"GET " + cardPath: d.card, "POST " + rpcPath: d.call}
	}
}

// extension is the entry of a drawing in the card.
func extension(t deliver.Target) a2a.Extension {
	ids := append(door.Catalogs(t), a2ui.CatalogID(t.A2UI.Dialect))
	if t.Own != nil {
		ids = append(ids, components.ID(t.A2UI.Dialect))
	}
	e := a2a.NewExtension(t.A2UI.Dialect, a2ui.ServerCapabilities{Catalogs: ids})
	e.Description = "Draws its answers as user interfaces in A2UI " + t.A2UI.Dialect.Protocol() + "."
	return e
}

// skill is one thing that the application can do.
type skill struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Examples    []string `json:"examples,omitempty"`
}

// skills lists talking, the forms and tables of the application, and the agents of a gateway.
func (d *server) skills() []skill {
	cfg := d.Service().App().Config()
	out := []skill{{ID: "talk", Name: cfg.Title, Tags: []string{"chat", "a2ui"},
		Description: "Answers what is asked, and opens what is needed for it.", Examples: cfg.Suggestions}}
	for _, a := range cfg.Agents {
		out = append(out, skill{ID: "agent." + a.Name, Name: a.Title, Tags: []string{"agent", "a2ui"},
			Description: cmp.Or(a.About, a.Title)})
	}
	for _, f := range cfg.Forms {
		out = append(out, skill{ID: "form." + f.Name, Name: f.Title, Tags: []string{"form", "a2ui"},
			Description: "Takes the fields of a form: " + f.Title, Examples: f.Phrases})
	}
	for _, t := range cfg.Tables {
		out = append(out, skill{ID: "table." + t.Name, Name: t.Title, Tags: []string{"table", "a2ui"},
			Description: "Takes the rows of a table: " + t.Title})
	}
	return out
}

// card answers the agent card, for clients of both protocols.
func (d *server) card(w http.ResponseWriter, r *http.Request) error {
	cfg := d.Service().App().Config()
	at := d.Address(r, rpcPath)
	modes := []string{"text/plain", a2a.MediaType, a2ui.V08.Features().MediaType}
	card := map[string]any{
		"name": cfg.Title, "description": cfg.Title + ", with user interfaces in A2UI.",
		"version":         d.Service().App().Fingerprint(),
		"protocolVersion": "0.3.0", "url": at, "preferredTransport": "JSONRPC",
		"supportedInterfaces": []any{
			map[string]string{"url": at, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
			map[string]string{"url": at, "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}},
		"capabilities":      map[string]any{"streaming": true, "pushNotifications": false, "extensions": d.extensions},
		"defaultInputModes": modes, "defaultOutputModes": modes, "skills": d.skills(),
	}
	if d.Anonymous() {
		card["securitySchemes"] = map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer",
			"httpAuthSecurityScheme": map[string]string{"scheme": "bearer"},
			"description":            "32 random bytes as base64url, which the client chooses and keeps"}}
	}
	b, err := json.Marshal(card)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=60")
	_, _ = w.Write(b) // a client that is gone reads nothing
	return nil
}
