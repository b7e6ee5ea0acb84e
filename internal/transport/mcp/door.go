package mcp

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// path is the address of the door.
const path = "/mcp"

// agent is the door.
type agent struct {
	door.Host
	html *deliver.Target // nil: there are no apps
	page func() []byte   // of the app
	list struct {
		sync.Mutex
		app  string // its fingerprint
		json []byte // the tools of it
	}
}

// New is the door.
func New() door.Door {
	return func(h door.Host) door.Routes {
		d := &agent{Host: h, page: sync.OnceValue(appPage)}
		for _, t := range h.Targets() {
			if t.HTML != nil {
				d.html = &t
			}
		}
		return door.Routes{"POST " + path: d.post, "GET " + path: d.listen, "DELETE " + path: d.end}
	}
}

// visit is one request and who sends it.
type visit struct {
	*agent
	w http.ResponseWriter
	r *http.Request
	message
	client

	modern  bool // of the version without sessions
	said    metadata
	who     string // "": a stranger
	name    string // of the conversation
	newborn string // the token that a stranger was given
}

// post answers a message.
func (d *agent) post(w http.ResponseWriter, r *http.Request) error {
	v := &visit{agent: d, w: w, r: r}
	body, err := d.Body(r)
	if err == nil {
		v.message, err = decode(body, d.Limits())
	}
	if err == nil {
		err = v.enter()
	}
	if err == nil {
		err = v.answer()
	}
	if err != nil {
		return d.fail(w, r, v.id, v.modern, err)
	}
	return nil
}

// enter finds out which version a request has, what its client can do, and who sends it.
func (v *visit) enter() (err error) {
	if err := v.checkHost(); err != nil {
		return err
	}
	meta, version := v.params.At("_meta"), v.r.Header.Get("MCP-Protocol-Version")
	inBody := meta.At(metaVersion).Text()
	v.modern = version >= v202607 || inBody != ""
	switch {
	case v.method == "initialize":
		v.modern = false
	case version != "" && !spoken(version) && version != "2025-03-26": // sent by those that know of none
		return unsupported(version)
	case v.modern && v.id != nil:
		if err := v.checkHeaders(version, inBody); err != nil {
			return err
		}
	}
	capabilities := jsonx.Value{}
	v.client = client{mark: unsaid}
	switch session := v.r.Header.Get("Mcp-Session-Id"); {
	case v.method == "initialize":
		capabilities = v.params.At("capabilities")
		v.client = abilities(capabilities)
	case v.modern:
		capabilities = meta.At(metaCapabilities)
		v.client = abilities(capabilities)
	case session != "":
		ok := false
		if v.client, ok = parseSession(session); !ok || v.token != "" && v.r.Header.Get("Authorization") != "" {
			return &fault{serverError, http.StatusNotFound, &ui.Error{Code: conversation.CodeNotFound,
				Path: "Mcp-Session-Id", Message: "there is no such session", Hint: "initialize begins one"}, nil}
		}
	}
	if v.said, err = readMetadata(meta, capabilities, v.Limits()); err != nil {
		return err
	}
	return v.identify()
}

// identify finds out who sends a request. Strangers may ask what there is.
func (v *visit) identify() (err error) {
	if v.name, err = threadOf(v.r); err != nil {
		return err
	}
	if v.token != "" {
		v.r = v.r.Clone(v.r.Context())
		v.r.Header.Set("Authorization", "Bearer "+v.token)
	}
	v.who, err = v.Sender(v.r)
	if ui.CodeOf(err) == recovery.CodeUnauthorized && v.Anonymous() && v.r.Header.Get("Authorization") == "" {
		return nil
	}
	return err
}

// threadOf is the name of the conversation that an address of the door is about.
func threadOf(r *http.Request) (string, error) {
	thread := r.URL.Query().Get("thread")
	if len(thread) > maxID {
		return "", wrong(invalidParams, "thread", "longer than 256 bytes", "a few letters will do")
	}
	return "mcp " + thread, nil
}

// checkHeaders holds a request without a session to its headers.
func (v *visit) checkHeaders(version, inBody string) error {
	mismatch := func(header, message string) error {
		return &fault{headerMismatch, http.StatusBadRequest, &ui.Error{Code: ingress.CodeEnvelope, Path: header,
			Message: message, Hint: "send in the header what the body says"}, nil}
	}
	switch {
	case version != "" && inBody == "":
		return wrong(invalidParams, "/params/_meta/"+metaVersion, "the request names no version", "want "+v202607)
	case version != inBody:
		return mismatch("MCP-Protocol-Version", "the header is not the version of the body")
	case !spoken(version):
		return unsupported(version)
	case v.r.Header.Get("Mcp-Method") != v.method:
		return mismatch("Mcp-Method", "the header is not the method of the body")
	}
	of := ""
	switch v.method {
	case "tools/call":
		of = v.params.At("name").Text()
	case "resources/read":
		of = v.params.At("uri").Text()
	}
	if of != "" && headerText(v.r.Header.Get("Mcp-Name")) != of {
		return mismatch("Mcp-Name", "the header is not the name in the body")
	}
	return nil
}

// headerText reads a header that may be in Base64.
func headerText(s string) string {
	if in, ok := strings.CutPrefix(s, "=?base64?"); ok {
		b, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(in, "?="))
		if err == nil {
			return string(b)
		}
	}
	return s
}

// checkHost refuses a request to this machine under a name of elsewhere, which a page of that
// name may have sent.
func (v *visit) checkHost() error {
	local, ok := v.r.Context().Value(http.LocalAddrContextKey).(interface{ String() string })
	if !ok || !loopback(local.String()) || loopback(v.r.Host) {
		return nil
	}
	other := *v.r
	other.Host = "localhost"
	if u, err := url.Parse(v.Address(&other, "")); err == nil && u.Host == v.r.Host { // the base that is configured
		return nil
	}
	return &ui.Error{Code: recovery.CodeForbidden, Path: "Host", Message: "this is not the name of this server",
		Hint: "call it localhost, or say with --base how it is called behind a proxy"}
}

// loopback reports a host, with a port or without one, of this machine.
func loopback(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	addr, err := netip.ParseAddr(name)
	return strings.EqualFold(name, "localhost") || err == nil && addr.IsLoopback()
}

// answer handles a message.
func (v *visit) answer() error {
	switch {
	case v.answers != "":
		return v.answered()
	case v.id == nil:
		return v.notified()
	case strings.HasSuffix(v.method, "/list") && v.params.At("cursor").Str != "":
		return wrong(invalidParams, "/params/cursor", "there is no such cursor", "ask without one: lists are whole")
	}
	switch v.method {
	case "initialize":
		return v.initialize()
	case "server/discover":
		return v.discover()
	case "ping":
		return v.result(map[string]any{})
	case "tools/list":
		return v.tools()
	case "tools/call":
		return v.call()
	case "resources/list":
		return v.resources()
	case "resources/templates/list":
		return v.result(map[string]any{"resourceTemplates": []any{map[string]string{"uriTemplate": template,
			"name": "surface", "title": "A surface as it is now", "description": "A surface of a conversation, as A2UI"}}})
	case "resources/read":
		return v.read()
	case "resources/subscribe", "resources/unsubscribe":
		return v.subscribe()
	case "subscriptions/listen":
		return v.listenTo()
	case "completion/complete":
		return v.complete()
	}
	return wrong(methodNotFound, "/method", "there is no such method", "tools/list and tools/call are what most need")
}

// result answers a request.
func (v *visit) result(r map[string]any) error {
	if v.modern {
		if r["resultType"] == nil {
			r["resultType"] = "complete"
		}
		if v.method != "tools/call" && v.method != "ping" { // nothing of it stays true for long
			r["ttlMs"], r["cacheScope"] = 0, "private"
		}
	}
	return door.WriteJSON(v.w, http.StatusOK, append(append(door.Reply(nil, v.id, "result"), encode(r)...), '}'))
}

// offers are the capabilities of this server.
func (v *visit) offers() map[string]any {
	return map[string]any{"tools": struct{}{}, "completions": struct{}{},
		"resources":  map[string]bool{"subscribe": true, "listChanged": true},
		"extensions": map[string]any{appsExtension: struct{}{}}}
}

func (v *visit) about() map[string]string {
	cfg := v.Service().App().Config()
	return map[string]string{"name": cfg.Name, "title": cfg.Title, "version": v.Service().App().Fingerprint()}
}

// instructions explain to a model how to use the tools.
const instructions = "The tools show_… open forms, tables and views for the user, who fills them in and submits " +
	"them. What is open is kept: show it again instead of asking in text. The tool say passes on what the user says."

// initialize begins a session. A client that sends no token gets one in the id of it.
func (v *visit) initialize() error {
	version := v.params.At("protocolVersion").Text()
	if version == "" {
		return wrong(invalidParams, "/params/protocolVersion", "the request names no version", "want "+v202511)
	}
	if version != v202506 {
		version = v202511
	}
	g, err := v.chosen()
	if err != nil {
		return err
	}
	v.mark = g.mark
	if v.who == "" {
		var b [32]byte
		rand.Read(b[:]) //nolint:errcheck // never fails, crypto/rand
		v.token = base64.RawURLEncoding.EncodeToString(b[:])
	}
	v.w.Header().Set("Mcp-Session-Id", v.session())
	return v.result(map[string]any{"protocolVersion": version, "capabilities": v.offers(), "serverInfo": v.about(),
		"instructions": instructions})
}

// discover says what there is to a client without a session.
func (v *visit) discover() error {
	return v.result(map[string]any{"supportedVersions": versions, "capabilities": v.offers(),
		"instructions": instructions, "_meta": map[string]any{metaPrefix + "serverInfo": v.about()}})
}

// notified takes a notification. One that a request is canceled stops what models do in the
// conversation, which need not be the one that the address names.
func (v *visit) notified() error {
	if v.method == "notifications/cancelled" && v.who != "" {
		id := cmp.Or(v.byID(), v.Named(v.who, v.name))
		if _, err := v.Service().Access(v.r.Context(), id, v.who); err == nil {
			if _, err := v.Take(v.w, v.r, id, v.who, &ui.Event{Kind: ui.EventCancel}); err != nil {
				return err
			}
		}
	}
	v.w.WriteHeader(http.StatusAccepted)
	return nil
}

// end refuses to end a session: there is nothing of it to take away.
func (d *agent) end(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Allow", "GET, POST")
	return d.fail(w, r, nil, false, unserved(http.StatusMethodNotAllowed, recovery.CodeMethod, "",
		"sessions are not ended", "nothing is kept for a session: leave it"))
}

// begin finds the conversation of a request, or begins it.
func (v *visit) begin() (id string, err error) {
	if v.who != "" {
		id = v.Named(v.who, v.name)
		if _, err := v.Service().Access(v.r.Context(), id, v.who); err == nil {
			return id, nil
		}
	} else if !v.modern { // a stranger is known by the session, which has not begun
		return "", &fault{serverError, http.StatusBadRequest, &ui.Error{Code: recovery.CodeUnauthorized,
			Path: "Mcp-Session-Id", Message: "no session and no bearer token", Hint: "initialize begins a session"}, nil}
	}
	begun, err := v.Begin(v.w, v.r, v.name)
	v.who, v.newborn = begun.Who, begun.Token
	return begun.ID, err
}

// byID is the conversation that the metadata of a request names, "" if it names none.
func (v *visit) byID() string {
	return v.params.At("_meta").At("limn_conversation").Text()
}

// known is the conversation of a request, "" if it has not begun.
func (v *visit) known() string {
	if v.who == "" {
		return ""
	}
	id := v.Named(v.who, v.name)
	if _, err := v.Service().Access(v.r.Context(), id, v.who); err != nil {
		return ""
	}
	return id
}

// waitTurn is how long a call waits for its turn.
const waitTurn = 60 * time.Second
