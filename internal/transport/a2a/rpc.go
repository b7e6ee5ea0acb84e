package a2a

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// wire is the protocol that is written.
type wire uint8

const (
	v03 wire = iota // kind members, names in kebab case
	v10             // the JSON of protocol buffers
)

// op is the effect of a method.
type op uint8

const (
	opSend op = iota + 1
	opStream
	opGet
	opCancel
	opSubscribe
	opPush // all that is about push notifications, which are refused
	opList
	opCard
)

// method is one method of one protocol.
type method struct {
	wire wire
	op   op
}

var methods = map[string]method{
	"message/send": {v03, opSend}, "SendMessage": {v10, opSend},
	"message/stream": {v03, opStream}, "SendStreamingMessage": {v10, opStream},
	"tasks/get": {v03, opGet}, "GetTask": {v10, opGet},
	"tasks/cancel": {v03, opCancel}, "CancelTask": {v10, opCancel},
	"tasks/resubscribe": {v03, opSubscribe}, "SubscribeToTask": {v10, opSubscribe},
	"tasks/list": {v03, opList}, "ListTasks": {v10, opList},
	"agent/getAuthenticatedExtendedCard": {v03, opCard}, "GetExtendedAgentCard": {v10, opCard},

	"tasks/pushNotificationConfig/set":    {v03, opPush},
	"tasks/pushNotificationConfig/get":    {v03, opPush},
	"tasks/pushNotificationConfig/list":   {v03, opPush},
	"tasks/pushNotificationConfig/delete": {v03, opPush},
	"CreateTaskPushNotificationConfig":    {v10, opPush},
	"GetTaskPushNotificationConfig":       {v10, opPush},
	"ListTaskPushNotificationConfigs":     {v10, opPush},
	"DeleteTaskPushNotificationConfig":    {v10, opPush},
}

// The codes of JSON-RPC and of A2A.
const (
	parseError        = -32700
	invalidRequest    = -32600
	methodNotFound    = -32601
	invalidParams     = -32602
	internalError     = -32603
	serverError       = -32000
	taskNotFound      = -32001
	taskNotCancelable = -32002
	noPush            = -32003
	unsupported       = -32004
	badContent        = -32005
	noExtendedCard    = -32007
	badVersion        = -32009
)

// fault is an error with its code in JSON-RPC; 0: the status of its code decides.
type fault struct {
	rpc int
	err error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// wrong is a fault of a request at a path.
func wrong(rpc int, path, message, hint string) error {
	return &fault{rpc, &ui.Error{Code: ingress.CodeEnvelope, Path: path, Message: message, Hint: hint}}
}

// maxID bounds the id of a request, which every answer repeats.
const maxID = 256

// request is one call.
type request struct {
	id   []byte // as JSON
	name string // of the method
	method
	params jsonx.Value
}

// decode reads a call. With an error the request has what could be read before it.
func decode(body []byte, lim ingress.Limits) (req request, err error) {
	req.id = []byte("null")
	v, err := jsonx.Parse(body, door.JSON(lim))
	if err != nil {
		e, _ := err.(*jsonx.Error)
		if e != nil && e.Reason >= jsonx.TooLarge {
			return req, &fault{invalidRequest, &ui.Error{Code: ingress.CodeTooLarge, Message: err.Error(),
				Hint: "send less at once"}}
		}
		return req, wrong(parseError, "", err.Error(), "send one JSON object")
	}
	if v.Kind == jsonx.Array {
		return req, wrong(invalidRequest, "", "a batch of requests", "send one request in each post")
	}
	if v.Kind != jsonx.Object {
		return req, wrong(invalidRequest, "", "not an object", `send {"jsonrpc":"2.0","id":1,"method":…,"params":{…}}`)
	}
	id, has := v.Get("id")
	if has && (id.Kind == jsonx.String || id.Kind == jsonx.Number) && len(id.Str) <= maxID {
		req.id = jsonx.Append(nil, id)
	}
	req.name = v.At("method").Text()
	known := false
	if req.method, known = methods[req.name]; !known && req.name != "" && !strings.Contains(req.name, "/") {
		req.wire = v10 // its names have no slash
	}
	switch {
	case string(req.id) == "null":
		return req, wrong(invalidRequest, "/id", "a request needs an id: a string or a number, of at most 256 bytes",
			"every method answers")
	case v.At("jsonrpc").Text() != "2.0":
		return req, wrong(invalidRequest, "/jsonrpc", `want "2.0"`, "this is JSON-RPC 2.0")
	case req.name == "":
		return req, wrong(invalidRequest, "/method", "there is no method", "message/send is one, or SendMessage of A2A 1.0")
	case !known:
		return req, wrong(methodNotFound, "/method", "there is no such method", "message/send, or SendMessage of A2A 1.0")
	}
	if req.params = v.At("params"); req.params.Kind != jsonx.Object && req.op != opCard {
		return req, wrong(invalidParams, "/params", "not an object", "the parameters of a method have names")
	}
	return req, nil
}

// spoken are the protocols; a client that names none speaks the first one.
var spoken = map[string]bool{"": true, "0.3": true, "1.0": true}

// checkVersion reports a protocol that is not spoken here. Its third number does not count.
func checkVersion(r *http.Request) error {
	version := r.Header.Get("A2A-Version")
	if p := strings.SplitN(version, ".", 3); len(p) == 3 {
		version = p[0] + "." + p[1]
	}
	if spoken[version] {
		return nil
	}
	return wrong(badVersion, "A2A-Version", "this version of A2A is not spoken here", "0.3 and 1.0 are")
}

// refused is a fault as it is answered: its status of HTTP, and the error object.
func refused(d door.Host, r *http.Request, w wire, err error) (status int, after int, object []byte) {
	f, _ := err.(*fault)
	said := d.Refusal(r, err)
	status, code := http.StatusOK, internalError
	switch {
	case f != nil && f.rpc != 0:
		code = f.rpc
	case said.Status == http.StatusUnauthorized, said.Status == http.StatusForbidden,
		said.Status == http.StatusTooManyRequests, said.Status == http.StatusServiceUnavailable:
		status, code = said.Status, serverError
	case said.Code == recovery.CodeMediaType:
		status, code = said.Status, badContent
	case said.Code == recovery.CodeBodyTooLarge:
		status, code = said.Status, invalidRequest
	case said.Status < http.StatusInternalServerError:
		code = invalidParams
	}
	var data any = map[string]string{"error": said.Message, "code": string(said.Code), "path": said.Path,
		"hint": said.Hint}
	if w == v10 {
		data = []any{map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": said.Code,
			"domain": "limn", "metadata": map[string]string{"path": said.Path, "hint": said.Hint}}}
	}
	object, _ = json.Marshal(struct { // strings and numbers
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data"`
	}{code, said.Message, data})
	return status, said.After, object
}

// fail answers a call with an error; one that asked for a stream gets it there, where its
// client reads.
func (d *server) fail(w http.ResponseWriter, r *http.Request, req request, err error) error {
	status, after, object := refused(d.Host, r, req.wire, err)
	door.RefusalHeaders(w.Header(), status, after)
	line := append(append(door.Reply(nil, req.id, "error"), object...), '}')
	if status == http.StatusOK && (req.op == opStream || req.op == opSubscribe) {
		return sse.Answer(w, door.Event(nil, "", line))
	}
	return door.WriteJSON(w, status, line)
}
