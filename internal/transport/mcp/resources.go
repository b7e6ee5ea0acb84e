package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

func jsonRaw(b []byte) json.RawMessage { return b }

// resources lists the app, and the surfaces of the conversation.
func (v *visit) resources() error {
	list := []any{}
	if v.html != nil {
		list = append(list, map[string]any{"uri": appURI, "name": "app", "title": "The surfaces as HTML",
			"mimeType": appType, "_meta": appMeta})
	}
	if id := v.known(); id != "" {
		t, err := v.open(id)
		if err != nil {
			return err
		}
		for _, sf := range t.now.Surfaces {
			one := map[string]any{"uri": t.uri(sf), "name": string(sf.Name), "title": sf.Title,
				"description": "This surface is " + string(sf.Status) + "."}
			if t.target.Name != "" {
				one["mimeType"] = t.target.A2UI.Dialect.Features().MediaType
			}
			list = append(list, one)
		}
	}
	return v.result(map[string]any{"resources": list})
}

// read answers a surface as it is now, or the app.
func (v *visit) read() error {
	uri := v.params.At("uri").Text()
	if uri == appURI && v.html != nil {
		return v.result(map[string]any{"contents": []any{map[string]any{"uri": uri, "mimeType": appType,
			"text": string(v.page()), "_meta": appMeta}}})
	}
	unknown := &fault{noResource, 0, &ui.Error{Code: conversation.CodeNotFound, Path: "/params/uri",
		Message: "there is no such resource", Hint: "resources/list has those there are"}, nil}
	if v.modern {
		unknown.rpc, unknown.status = invalidParams, http.StatusBadRequest
	}
	conv, id, ok := parseURI(uri)
	if !ok || v.who == "" {
		return unknown
	}
	t, err := v.open(conv)
	if ui.CodeOf(err) == conversation.CodeNotFound {
		return unknown
	}
	if err != nil {
		return err
	}
	sf := surface(t.now, id)
	if sf == nil {
		return unknown
	}
	if t.target.Name == "" || t.mark == nothing {
		return wrong(invalidParams, "/params/uri", "no catalog in common", "send a2uiClientCapabilities in _meta")
	}
	messages, err := v.drawn(t.target, t.now, sf)
	if err != nil {
		return err
	}
	return v.result(map[string]any{"contents": []any{map[string]any{"uri": uri,
		"mimeType": t.target.A2UI.Dialect.Features().MediaType, "text": string(messages)}}})
}

// subscribe takes a subscription to a resource, which may come later: the stream of the
// session reports on all.
func (v *visit) subscribe() error {
	if uri := v.params.At("uri").Text(); uri == "" || len(uri) > 512 {
		return wrong(invalidParams, "/params/uri", "want an address of at most 512 bytes",
			"resources/list has those there are")
	}
	return v.result(map[string]any{})
}

// mostValues is how many values a completion has at most, by the protocol.
const mostValues = 100

// complete answers which values an argument of the template can have.
func (v *visit) complete() error {
	values := []string{}
	argument := v.params.At("argument")
	if id := v.known(); id != "" && v.params.At("ref").At("uri").Text() == template {
		t, err := v.open(id)
		if err != nil {
			return err
		}
		all := []string{id}
		if argument.At("name").Text() != "conversation" {
			all = nil
			for _, sf := range t.now.Surfaces {
				all = append(all, sf.WireID())
			}
		}
		for _, s := range all {
			if strings.HasPrefix(s, argument.At("value").Text()) && len(values) < mostValues {
				values = append(values, s)
			}
		}
	}
	return v.result(map[string]any{"completion": map[string]any{"values": values, "hasMore": false,
		"total": len(values)}})
}

// listen streams the notifications of a session.
func (d *agent) listen(w http.ResponseWriter, r *http.Request) error {
	v := &visit{agent: d, w: w, r: r}
	err := v.enter()
	switch {
	case err != nil:
	case v.modern:
		w.Header().Set("Allow", "POST")
		err = unserved(http.StatusMethodNotAllowed, recovery.CodeMethod, "",
			"this version of MCP has no stream of a session", "post subscriptions/listen")
	case !strings.Contains(r.Header.Get("Accept"), "text/event-stream"):
		err = unserved(http.StatusNotAcceptable, ingress.CodeEnvelope, "Accept", "this address answers with a stream",
			"accept text/event-stream")
	default:
		err = v.stream(&watch{uris: nil, resources: true}, r.Header.Get("Last-Event-ID"))
	}
	if err != nil {
		return d.fail(w, r, nil, v.modern, err)
	}
	return nil
}

// maxURIs bounds the subscriptions of one stream.
const maxURIs = 64

// listenTo streams the notifications that a client of the version without sessions asks for.
func (v *visit) listenTo() error {
	want := v.params.At("notifications")
	if want.Kind != jsonx.Object {
		return wrong(invalidParams, "/params/notifications", "not an object", "say what to be told of")
	}
	s := &watch{rpc: v.id, uris: []string{}, resources: want.At("resourcesListChanged").Bool}
	for _, uri := range want.At("resourceSubscriptions").Items {
		if _, _, ok := parseURI(uri.Text()); ok {
			s.uris = append(s.uris, uri.Text())
		}
	}
	if len(s.uris) > maxURIs {
		return wrong(invalidParams, "/params/notifications/resourceSubscriptions", "more than 64 addresses",
			"there are never as many surfaces")
	}
	return v.stream(s, "")
}

// stream answers with a stream of notifications about the conversation.
func (v *visit) stream(s *watch, after string) error {
	id, err := v.begin()
	if err != nil {
		return err
	}
	h, err := v.Service().Head(v.r.Context(), id, v.who)
	if err != nil {
		return err
	}
	s.conversation = id
	target := v.Targets()[0]
	print := v.Deliver().Fingerprint(target)
	if c, ok := deliver.ParseCursor(after); !ok || c.Log != h.Log || c.Fingerprint != print {
		after = deliver.Cursor{Log: h.Log, Seq: h.State.Seq, Part: -1, Fingerprint: print}.String()
	}
	hello := ":\n\n"
	if s.rpc != nil {
		agreed := map[string]any{"resourcesListChanged": s.resources, "resourceSubscriptions": s.uris}
		hello = string(s.notify(nil, "notifications/subscriptions/acknowledged", map[string]any{"notifications": agreed}))
	}
	sse.Headers(v.w.Header())
	err = v.Stream(v.w, v.r, deliver.Request{Conversation: id, Principal: v.who, Target: target, After: after,
		Framing: deliver.Framing{Name: "mcp"}, Private: s}, hello)
	if errors.Is(err, deliver.ErrEnded) {
		_, _ = v.w.Write([]byte(hello)) // a client that is gone reads nothing
		return nil
	}
	return err
}

// watch writes notifications about the surfaces of a conversation: deliver.Private.
type watch struct {
	conversation string
	rpc          []byte   // the id of the request, of a stream that one asked for
	uris         []string // to report on; nil: all
	resources    bool     // report surfaces that open and close
}

// notify writes a notification.
func (s *watch) notify(dst []byte, method string, params map[string]any) []byte {
	if s.rpc != nil {
		params["_meta"] = map[string]any{metaSubscription: json.RawMessage(s.rpc)}
	}
	return door.Event(dst, "", encode(map[string]any{"jsonrpc": "2.0", "method": method, "params": params}))
}

// Start notifies a client of all surfaces, because its place is no longer in the log.
func (s *watch) Start(st *ui.State, _ [][]byte, cursor string) ([]byte, bool) {
	var out []byte
	for _, sf := range st.Surfaces {
		out = s.updated(out, sf)
	}
	return s.changed(out, cursor), false
}

// Frame notifies a client of the surfaces that a frame changed.
func (s *watch) Frame(st conversation.Step, _ [][]byte, cursor string) (out []byte, _ bool) {
	listed := false
	for _, c := range st.Frame.Changes {
		was, is := st.Before.Surface(c.Surface), st.After.Surface(c.Surface)
		listed = listed || was == nil || is == nil || was.Epoch != is.Epoch
		if is != nil {
			out = s.updated(out, is)
		}
		if was != nil && (is == nil || is.Epoch != was.Epoch) {
			out = s.updated(out, was)
		}
	}
	if listed {
		return s.changed(out, cursor), false
	}
	return withCursor(out, cursor), false
}

func (s *watch) updated(dst []byte, sf *ui.Surface) []byte {
	uri := uriOf(s.conversation, sf)
	if s.uris != nil && !slices.Contains(s.uris, uri) {
		return dst
	}
	return s.notify(dst, "notifications/resources/updated", map[string]any{"uri": uri})
}

func (s *watch) changed(dst []byte, cursor string) []byte {
	if s.resources {
		dst = s.notify(dst, "notifications/resources/list_changed", map[string]any{})
	}
	return withCursor(dst, cursor)
}

// withCursor gives the last event of a frame its place.
func withCursor(out []byte, cursor string) []byte {
	i := bytes.LastIndex(out, []byte("data: "))
	if i < 0 || cursor == "" {
		return out
	}
	return slices.Insert(out, i, []byte("id: "+cursor+"\n")...)
}

// Delta sends nothing.
func (*watch) Delta(conversation.Delta, int) []byte { return nil }
