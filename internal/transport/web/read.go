package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/components"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// defaultTarget is the drawing of API clients that name none, if it is enabled;
// else the first is. It is the same at every address, so that cursors fit.
const defaultTarget = "v0.9"

// target looks up the drawing a request asks for, in the catalog that its client
// says it has.
func (s *answers) target(r *http.Request) (deliver.Target, error) {
	query, err := queryOf(r)
	if err != nil {
		return deliver.Target{}, err
	}
	name := query.Get("version")
	if name == "" {
		name = s.cfg.Targets[0].Name
		if _, ok := s.targets[defaultTarget]; ok {
			name = defaultTarget
		}
	}
	if name == textOnly {
		return deliver.Target{Name: textOnly, Page: s.prefix + "/c/" + r.PathValue("id")}, nil
	}
	t, err := s.targetNamed("version", name)
	for _, extension := range query["extension"] {
		if err == nil {
			t, err = s.extended(t, extension)
		}
	}
	if known := query["catalog"]; err == nil && len(known) > 0 && t.HTML == nil {
		if t, err = door.InCatalogs(t, known); err != nil {
			err = s.elsewhere(err, r.PathValue("id"))
		}
	}
	return t, err
}

// extended is a drawing for clients of an extension to A2UI.
func (s *answers) extended(t deliver.Target, extension string) (deliver.Target, error) {
	a := s.cfg.Service.App()
	if !slices.Contains(a.Config().Extensions, extension) || t.HTML == nil && !t.A2UI.Dialect.Features().BareValues {
		return t, turn.NoExtension(a, "extension", extension)
	}
	t.Syncs = true // the only one there is
	return t, nil
}

// queryOf reads the query of a request: all of it, where net/http leaves out what
// it cannot read, which may be a cursor.
func queryOf(r *http.Request) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, &ui.Error{Code: ingress.CodeEnvelope, Path: "query", Message: "the query cannot be read",
			Hint: "encode its values: % as %25, ; as %3B"}
	}
	return q, nil
}

// elsewhere is a hint for a client that lacks the catalog: the page for browsers.
func (s *answers) elsewhere(err error, conversation string) error {
	e, ok := errors.AsType[*ui.Error](err)
	if _, pages := s.targets["html"]; ok && pages && conversation != "" {
		said := *e
		said.Hint = "open /c/" + conversation + " in a browser, or stream with version=" + textOnly
		return &said
	}
	return err
}

// catalogDocument answers one of Limn's own catalogs, for clients and those who write them.
func (s *Server) catalogDocument(w http.ResponseWriter, r *http.Request) error {
	if c := components.Named(r.PathValue("name")); c != nil {
		w.Header().Set("Content-Type", "application/schema+json")
		w.Header().Set("Cache-Control", "public, max-age=3600")
		_, err := w.Write(a2ui.AppendData(nil, c.Document.Data()))
		return err
	}
	return &ui.Error{Code: recovery.CodeNotFound, Message: "no such catalog",
		Hint: "there are v0_9.json and v1_0.json"}
}

// targetNamed looks up a drawing by the value of a query parameter.
func (s *answers) targetNamed(parameter, name string) (deliver.Target, error) {
	if t, ok := s.targets[name]; ok {
		return t, nil
	}
	var names []string
	for _, t := range s.cfg.Targets {
		names = append(names, t.Name)
	}
	return deliver.Target{}, &ui.Error{Code: recovery.CodeTarget, Path: parameter,
		Message: "no such drawing is enabled", Hint: "enabled: " + strings.Join(names, ", ")}
}

// oneOf checks a query parameter against its values; the first is the default.
func oneOf(r *http.Request, parameter string, values ...string) (string, error) {
	v := r.URL.Query().Get(parameter)
	if v == "" {
		return values[0], nil
	}
	if !slices.Contains(values, v) {
		return "", &ui.Error{Code: recovery.CodeFormat, Path: parameter, Message: "there is no such " + parameter,
			Hint: "want " + strings.Join(values, " or ")}
	}
	return v, nil
}

func (s *readAPI) getA2UI(w http.ResponseWriter, r *http.Request, who string) error {
	t, err := s.target(r)
	if err != nil {
		return err
	}
	messages, cursor, err := s.cfg.Deliver.Snapshot(r.Context(), r.PathValue("id"), who, t)
	if err != nil {
		return err
	}
	w.Header().Set("Limn-Cursor", cursor)
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Cache-Control", "no-store")
	if t.HTML != nil { // the one message is the HTML itself
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var page string
		if err := json.Unmarshal(messages[0], &page); err != nil {
			return err
		}
		messages = [][]byte{[]byte(page)}
	}
	for _, m := range messages {
		if _, err := w.Write(append(m, '\n')); err != nil {
			return nil
		}
	}
	return nil
}

func (s *readAPI) getState(w http.ResponseWriter, r *http.Request, who string) error {
	return s.showState(w, r, who, func(st *ui.State) any {
		return struct {
			*ui.State
			Router routerState `json:"router"` // in place of the State's own
		}{st, routerOf(st.Router)}
	})
}

// showState answers something of the newest state, with its cursor.
func (s *readAPI) showState(w http.ResponseWriter, r *http.Request, who string, show func(*ui.State) any) error {
	t, err := s.target(r)
	if err != nil {
		return err
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	w.Header().Set("Limn-Cursor", s.cfg.Deliver.Cursor(h, t))
	return writeJSON(w, http.StatusOK, show(h.State))
}

// maxFrames is how many frames one answer lists.
const maxFrames = 100

func (s *readAPI) getFrames(w http.ResponseWriter, r *http.Request, who string) error {
	query, err := queryOf(r)
	if err != nil {
		return err
	}
	var after uint64
	if a := query.Get("after"); a != "" {
		if after, err = strconv.ParseUint(a, 10, 63); err != nil {
			return &ui.Error{Code: ingress.CodeEnvelope, Path: "after", Message: "not a frame number"}
		}
	}
	if _, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who); err != nil {
		return err
	}
	steps, err := s.cfg.Service.Steps(r.Context(), r.PathValue("id"), after, maxFrames)
	if ui.CodeOf(err) == conversation.CodeTrimmed {
		return &ui.Error{Code: conversation.CodeTrimmed, Path: "after", Message: "the frames after it were trimmed",
			Hint: "load the conversation as it is now, GET …/state, and go on after its seq", Err: err}
	}
	if err != nil {
		return err
	}
	frames := make([]*ui.Frame, len(steps))
	for i, st := range steps {
		frames[i] = st.Frame
	}
	return writeJSON(w, http.StatusOK, map[string]any{"frames": frames})
}
