package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
)

func init() { register("core/rpc_functions:handle_rpc", handleRPC) }

// rpcArgs is what handle_rpc is given. The functions named in the metadata stand
// in the catalog that the message names, unless its id means an unknown one.
type rpcArgs struct {
	Message              json.RawMessage `json:"message"`
	UserActivation       bool            `json:"userActivationPresent"`
	OutboundCall         json.RawMessage `json:"outboundCall"`
	SecondOutboundCall   json.RawMessage `json:"secondOutboundCall"`
	CatalogID            string          `json:"catalogId"`      // of the catalog with the functions
	CatalogVersion       string          `json:"catalogVersion"` // and its version
	InboundResponse      json.RawMessage `json:"inboundResponse"`
	RegisteredCatalogIDs []string        `json:"registeredCatalogIds"`
	FunctionMetadata     map[string]struct {
		AllowedCallers string          `json:"allowedCallers"`
		Activation     bool            `json:"requiresUserActivation"`
		Parameters     json.RawMessage `json:"parameters"`
	} `json:"functionMetadata"`
}

type rpcExpect struct {
	Response         json.RawMessage `json:"response"`
	Error            *wantError      `json:"error"`
	CorrelatedCallID string          `json:"correlatedCallId"`
	Result           json.RawMessage `json:"result"`
}

func handleRPC(c *testCase) error {
	if err := c.only("catalog", "args", "expect", "expectError"); err != nil {
		return err
	}
	d, err := c.reads()
	if err != nil {
		return err
	}
	var args rpcArgs
	var want rpcExpect
	if err := decodeStrict(c.get("args"), &args); err != nil {
		return fmt.Errorf("args: %w", err)
	}
	if raw := c.get("expect"); raw != nil {
		if err := decodeStrict(raw, &want); err != nil {
			return fmt.Errorf("expect: %w", err)
		}
	}
	if raw := c.get("expectError", "expect_error"); raw != nil {
		if want.Error, err = parseWant(raw); err != nil {
			return err
		}
	}
	if args.OutboundCall != nil {
		return correlate(d, args, want)
	}
	m, err := a2ui.DecodeMessageAs(d, args.Message)
	if want.Error != nil {
		return wantFault(want.Error, err, args.Message)
	}
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case *a2ui.CallRenderer:
		host, err := newHost(d, args, m, want.Response)
		if err != nil {
			return err
		}
		return sameResponse(d, host.Run(m, args.UserActivation), want.Response)
	case *a2ui.Reply:
		host, err := newHost(d, args, nil, nil)
		if err != nil {
			return err
		}
		_ = host.Apply(m) // nobody waits for it
		if sent := len(host.Replies()) + len(host.Calls()); sent > 0 {
			return fmt.Errorf("a reply is answered with %d messages", sent)
		}
		if string(want.Response) != "null" {
			return fmt.Errorf("no response is made to a reply, want %s", want.Response)
		}
		return nil
	}
	return fmt.Errorf("%T is no function call", m)
}

// wantFault compares an error of the envelope; its message is the name of the
// member at fault.
func wantFault(want *wantError, err error, raw json.RawMessage) error {
	if err == nil {
		return fmt.Errorf("no error, want %s", want)
	}
	f := errorFault(err, 0, raw)
	if f.code != string(a2ui.EnvelopeInvalid) || !strings.Contains(f.text, want.Message) {
		return fmt.Errorf("want %s: %s", want, f)
	}
	return nil
}

// newHost makes a renderer with the functions of the case. What a function returns
// is the host's business, so the stub returns what the case expects of it: the
// renderer decides whether it runs.
func newHost(d a2ui.Dialect, args rpcArgs, m *a2ui.CallRenderer, response json.RawMessage) (*client.Client, error) {
	var want struct {
		Reply struct {
			Value json.RawMessage
			Error *struct{ Code string }
		} `json:"rendererFunctionResponse"`
	}
	_ = json.Unmarshal(response, &want)
	stub := func(a2ui.Data) (a2ui.Data, error) {
		if e := want.Reply.Error; e != nil && e.Code == "EXECUTION_ERROR" {
			return a2ui.Data{}, errors.New("stub")
		}
		if want.Reply.Value == nil {
			return a2ui.Data{}, nil
		}
		return a2ui.ParseData(want.Reply.Value)
	}
	cfg := client.Config{Dialect: d, Functions: map[string]client.Func{}}
	catalog := &a2ui.Catalog{ID: "basic", Functions: map[string]*a2ui.FunctionDef{}}
	if m != nil && !unknownID(m.Call.CatalogID) {
		catalog.ID = m.Call.CatalogID
	}
	if args.CatalogID != "" {
		catalog.ID, catalog.Protocol = args.CatalogID, strings.TrimPrefix(args.CatalogVersion, "v")
	}
	for name, meta := range args.FunctionMetadata {
		def := &a2ui.FunctionDef{Name: name, Open: true, Activation: meta.Activation}
		switch meta.AllowedCallers {
		case "agentOnly":
			def.Callers = a2ui.AgentOnly
		case "rendererOrAgent":
			def.Callers = a2ui.RendererOrAgent
		}
		if meta.Parameters != nil {
			compiled, err := compile(fmt.Appendf(nil, `{"functions":{%q:{"parameters":%s}}}`, name, meta.Parameters), d)
			if err != nil {
				return nil, err
			}
			def.Open, def.Args = false, compiled.Functions[name].Args
		}
		catalog.Functions[name], cfg.Functions[name] = def, stub
	}
	cfg.Catalogs = []*a2ui.Catalog{catalog}
	for _, id := range args.RegisteredCatalogIDs {
		cfg.Catalogs = append(cfg.Catalogs, &a2ui.Catalog{ID: id, Functions: catalog.Functions})
	}
	return client.With(cfg), nil
}

// sameResponse compares what would be sent with the response of the case. Of an
// error the code counts: the text is the other SDK's.
func sameResponse(d a2ui.Dialect, reply *a2ui.Reply, want json.RawMessage) error {
	b, err := a2ui.AppendClient(nil, d, reply)
	if err != nil {
		return err
	}
	var gotResponse, wantResponse any
	if err := errors.Join(json.Unmarshal(b, &gotResponse), json.Unmarshal(want, &wantResponse)); err != nil {
		return err
	}
	for _, r := range []any{gotResponse, wantResponse} {
		normalVersion(r)
		if e, ok := lookup(r, []string{"rendererFunctionResponse", "error"}); ok {
			if e, ok := e.(map[string]any); ok && e["message"] != "" {
				delete(e, "message")
			}
		}
	}
	if !reflect.DeepEqual(gotResponse, wantResponse) {
		return fmt.Errorf("the response is %s, want %s", b, want)
	}
	return nil
}

// outbound reads a call to the agent and how long its host waits: 0 = for good.
func outbound(raw json.RawMessage) (call *a2ui.CallAgent, timeout int, err error) {
	var body map[string]json.RawMessage
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, 0, err
	}
	_ = json.Unmarshal(body["timeoutMs"], &timeout)
	delete(body, "timeoutMs")
	raw, _ = json.Marshal(body)
	_, sent, err := a2ui.DecodeClient(envelope(raw, "callAgentFunction"), a2ui.Limits{})
	if err != nil {
		return nil, 0, err
	}
	call, ok := sent.(*a2ui.CallAgent)
	if !ok {
		return nil, 0, fmt.Errorf("it is a %T", sent)
	}
	return call, timeout, nil
}

// correlate sends calls to the agent and takes its reply.
func correlate(d a2ui.Dialect, args rpcArgs, want rpcExpect) error {
	host, err := newHost(d, args, nil, nil)
	if err != nil {
		return err
	}
	for _, raw := range []json.RawMessage{args.OutboundCall, args.SecondOutboundCall} {
		if raw == nil {
			continue
		}
		call, wait, err := outbound(raw)
		if err != nil {
			return fmt.Errorf("outboundCall: %w", err)
		}
		if err := host.Ask(call); err != nil {
			if want.Error == nil || !strings.Contains(err.Error(), want.Error.Code) {
				return err
			}
			return nil
		}
		if args.InboundResponse == nil && wait > 0 { // the host ends the wait
			want.CorrelatedCallID = call.CallID
			args.InboundResponse = fmt.Appendf(nil, `{"functionCallId":%q,"error":{"code":"TIMEOUT","message":"no answer"}}`, call.CallID)
		}
	}
	m, err := a2ui.DecodeMessageAs(d, envelope(args.InboundResponse, "agentFunctionResponse"))
	if err != nil {
		return fmt.Errorf("inboundResponse: %w", err)
	}
	reply, ok := m.(*a2ui.Reply)
	if !ok {
		return fmt.Errorf("inboundResponse is a %T", m)
	}
	belongs := host.Waiting(reply.CallID)
	if belongs == nil || belongs.CallID != want.CorrelatedCallID {
		return fmt.Errorf("the reply belongs to %v, want %s", belongs, want.CorrelatedCallID)
	}
	if err := host.Apply(reply); err != nil {
		return err
	}
	if host.Waiting(reply.CallID) != nil {
		return errors.New("the call still waits for its reply")
	}
	if want.Response != nil && string(want.Response) != "null" {
		return errors.New("nothing is sent when a reply comes")
	}
	if want.Error != nil || reply.Err != nil {
		if want.Error == nil || reply.Err == nil || want.Error.Code != "" && want.Error.Code != reply.Err.Code {
			return fmt.Errorf("the reply has the error %v, want %s", reply.Err, want.Error)
		}
		return nil
	}
	var result any
	_ = json.Unmarshal(want.Result, &result)
	return same("result", plain(reply.Value), result)
}

// envelope puts the body of a message into one: the body alone, or a message
// without its version. A body may hold the call itself, and tells no surface when
// it is only about a call.
func envelope(raw json.RawMessage, key string) []byte {
	var m, body map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return raw
	}
	if body = m; m[key] != nil {
		if body = nil; json.Unmarshal(m[key], &body) != nil {
			return raw
		}
	}
	if key == "callAgentFunction" {
		if body["surfaceId"] == nil {
			body["surfaceId"] = json.RawMessage(`"s"`)
		}
		if body["callFunction"] == nil {
			call := map[string]json.RawMessage{}
			for _, name := range []string{"call", "@call", "args", "catalogId"} {
				if body[name] != nil {
					call[name] = body[name]
					delete(body, name)
				}
			}
			body["callFunction"], _ = json.Marshal(call)
		}
	}
	version := json.RawMessage(`"v1.0"`)
	if m["version"] != nil {
		version = m["version"]
	}
	out, _ := json.Marshal(map[string]any{"version": version, key: body})
	return out
}
