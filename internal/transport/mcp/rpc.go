package mcp

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// Versions of the protocol, the newest last.
const (
	v202506 = "2025-06-18"
	v202511 = "2025-11-25"
	v202607 = "2026-07-28" // without sessions
)

var versions = []string{v202506, v202511, v202607}

// The codes of JSON-RPC and of MCP.
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
	internalError  = -32603
	serverError    = -32000
	noResource     = -32002
	headerMismatch = -32020
	badVersion     = -32022
)

// fault is an error with its code in JSON-RPC, and its status of HTTP; 0: the status of its
// code decides.
type fault struct {
	rpc    int
	status int
	err    error
	data   any // instead of the description of the error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// wrong is a fault of a request at a path.
func wrong(rpc int, path, message, hint string) error {
	return &fault{rpc: rpc, err: &ui.Error{Code: ingress.CodeEnvelope, Path: path, Message: message, Hint: hint}}
}

// unsupported is the fault of a version that is not spoken here.
func unsupported(version string) error {
	return &fault{badVersion, http.StatusBadRequest, &ui.Error{Code: ingress.CodeEnvelope,
		Path: "MCP-Protocol-Version", Message: "this version of MCP is not spoken here",
		Hint: "ask with server/discover, or initialize"},
		map[string]any{"supported": versions, "requested": version[:min(len(version), maxID)]}}
}

// maxID bounds the id of a request, which its answer repeats, and names in it.
const maxID = 256

// message is the message of a post: a request, a notification, or the answer to a question.
type message struct {
	id     []byte // as JSON; nil: a notification
	method string
	params jsonx.Value

	answers string      // the id of the question that it answers
	result  jsonx.Value // Null: an error
}

// decode reads a message. With an error it has what could be read before that.
func decode(body []byte, lim ingress.Limits) (m message, err error) {
	v, err := jsonx.Parse(body, door.JSON(lim))
	if err != nil {
		if e, _ := err.(*jsonx.Error); e != nil && e.Reason >= jsonx.TooLarge {
			return m, &fault{invalidRequest, http.StatusRequestEntityTooLarge,
				&ui.Error{Code: ingress.CodeTooLarge, Message: err.Error(), Hint: "send less at once"}, nil}
		}
		return m, malformed(parseError, "", err.Error(), "send one JSON object")
	}
	if v.Kind == jsonx.Array {
		return m, malformed(invalidRequest, "", "a batch of messages", "send one message in each post")
	}
	if v.Kind != jsonx.Object {
		return m, malformed(invalidRequest, "", "not an object", `send {"jsonrpc":"2.0","id":1,"method":…}`)
	}
	id, has := v.Get("id")
	if legal := (id.Kind == jsonx.String || id.Kind == jsonx.Number) && len(id.Str) <= maxID; legal {
		m.id = jsonx.Append(nil, id)
	} else if has {
		return m, malformed(invalidRequest, "/id", "an id is a string or a number of at most 256 bytes",
			"number the requests")
	}
	if v.At("jsonrpc").Text() != "2.0" {
		return m, malformed(invalidRequest, "/jsonrpc", `want "2.0"`, "this is JSON-RPC 2.0")
	}
	m.method, m.params = v.At("method").Text(), v.At("params")
	_, failed := v.Get("error")
	result, answered := v.Get("result")
	switch {
	case m.method == "" && has && (failed || answered):
		m.answers, m.result, m.id = id.Str, result, nil
		return m, nil
	case m.method == "" || len(m.method) > maxID:
		return m, malformed(invalidRequest, "/method", "there is no method", "tools/list is one")
	case m.params.Kind != jsonx.Object && m.params.Kind != jsonx.Null:
		return m, wrong(invalidParams, "/params", "not an object", "the parameters of a method have names")
	}
	return m, nil
}

// malformed is the fault of a body that is not a message of JSON-RPC.
func malformed(rpc int, path, message, hint string) error {
	f := wrong(rpc, path, message, hint).(*fault)
	f.status = http.StatusBadRequest
	return f
}

// unserved is the fault of a request that nothing answers, with its status of HTTP.
func unserved(status int, code ui.Code, path, message, hint string) error {
	return &fault{serverError, status, &ui.Error{Code: code, Path: path, Message: message, Hint: hint}, nil}
}

// failure is an error as it is answered.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data"`
}

// about says in data what code, place and remedy an error of this server has.
type about struct {
	Code ui.Code `json:"code"`
	Path string  `json:"path,omitempty"`
	Hint string  `json:"hint,omitempty"`
}

// refused is an error as it is answered, with its status of HTTP.
func (d *agent) refused(r *http.Request, modern bool, err error) (status, after int, out failure) {
	f, _ := err.(*fault)
	said := d.Refusal(r, err)
	status, out.Code = http.StatusOK, internalError
	switch {
	case f != nil:
		out.Code = f.rpc
		if status = http.StatusOK; f.status != 0 {
			status = f.status
		}
	case said.Status == http.StatusUnauthorized, said.Status == http.StatusForbidden,
		said.Status == http.StatusTooManyRequests, said.Status == http.StatusServiceUnavailable:
		status, out.Code = said.Status, serverError
	case said.Code == recovery.CodeMediaType, said.Code == recovery.CodeBodyTooLarge:
		status, out.Code = said.Status, invalidRequest
	case said.Code == conversation.CodeNotFound:
		out.Code = noResource
	case said.Status < http.StatusInternalServerError:
		out.Code = invalidParams
	}
	if modern && status == http.StatusOK { // which say it in HTTP, too
		switch out.Code {
		case methodNotFound:
			status = http.StatusNotFound
		case noResource:
			status, out.Code = http.StatusBadRequest, invalidParams
		case invalidParams, invalidRequest:
			status = http.StatusBadRequest
		}
	}
	out.Message, out.Data = said.Message, about{said.Code, said.Path, said.Hint}
	if f != nil && f.data != nil {
		out.Data = f.data
	}
	return status, said.After, out
}

// fail answers with an error.
func (d *agent) fail(w http.ResponseWriter, r *http.Request, id []byte, modern bool, err error) error {
	status, after, out := d.refused(r, modern, err)
	door.RefusalHeaders(w.Header(), status, after)
	object, _ := json.Marshal(out) // strings and numbers
	return door.WriteJSON(w, status, append(append(door.Reply(nil, id, "error"), object...), '}'))
}

// encode is JSON of ours.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers, and JSON of ours
	}
	return b
}

// spoken reports a version of the protocol.
func spoken(version string) bool { return slices.Contains(versions, version) }
