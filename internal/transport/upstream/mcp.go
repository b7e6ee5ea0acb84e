package upstream

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
)

// mcpVersion is the version of MCP that is asked for. A server may speak an older one.
const mcpVersion = "2025-06-18"

// noSession is the context of a conversation with a server that gives sessions no id.
const noSession = "-"

// threadOf is the address of a conversation with a server of MCP: a server that knows senders by their token
// alone can distinguish conversations.
func threadOf(q gateway.Question) string {
	u, err := url.Parse(q.Agent.URL)
	if err != nil {
		return q.Agent.URL
	}
	query := u.Query()
	query.Set("thread", q.Conversation)
	u.RawQuery = query.Encode()
	return u.String()
}

// mcpHeader names the session, and the version that was agreed on.
func mcpHeader(q gateway.Question) http.Header {
	session, version := parts(q.Context)
	h := http.Header{"Mcp-Protocol-Version": {cmp.Or(version, mcpVersion)}}
	if session != "" && session != noSession {
		h.Set("Mcp-Session-Id", session)
	}
	return h
}

// begin begins a session, and finds the tool of a click. The tools are listed again where that tool is not among those
// that are known. Whatever fails, nothing was done.
func (g *Agents) begin(ctx context.Context, q *gateway.Question, in *intake) error {
	if err := g.open(ctx, q, in); err != nil || q.Client == nil {
		return err
	}
	known, listed := g.tools.Load(q.Agent.Name)
	q.Tools, _ = known.([]string)
	if listed && hasTool(*q) {
		return nil
	}
	err := g.list(ctx, q, in)
	if isGone(err) { // the session is over
		q.Context = ""
		if err = g.open(ctx, q, in); err == nil {
			err = g.list(ctx, q, in)
		}
	}
	if err != nil {
		return away("its tools could not be listed", err)
	}
	g.tools.Store(q.Agent.Name, q.Tools)
	if !hasTool(*q) {
		return refusal{error: away("it refuses", agent.Reason("it has no tool for that action"))}
	}
	return nil
}

// Of the tools of a server these are read.
const (
	maxPages = 20
	maxTools = 1000
)

// list asks for the tools.
func (g *Agents) list(ctx context.Context, q *gateway.Question, in *intake) error {
	q.Tools = nil
	params := jsonx.OfObject()
	for range maxPages {
		list, _, err := g.call(ctx, *q, in, "tools/list", params)
		if err != nil {
			return err
		}
		for _, one := range list.At("tools").Items {
			q.Tools = append(q.Tools, one.At("name").Text())
		}
		next := list.At("nextCursor")
		if q.Tools = q.Tools[:min(len(q.Tools), maxTools)]; next.Text() == "" || len(q.Tools) == maxTools {
			break
		}
		params = jsonx.OfObject(member("cursor", next))
	}
	return nil
}

// hasTool reports that the server has the tool of a click. A report of an error needs none.
func hasTool(q gateway.Question) bool {
	tool, _ := toolOf(q)
	return tool == "" || slices.Contains(q.Tools, tool)
}

// open begins a session, unless the conversation has one.
func (g *Agents) open(ctx context.Context, q *gateway.Question, in *intake) error {
	if q.Context != "" {
		return nil
	}
	params := jsonx.OfObject(member("protocolVersion", jsonx.Of(mcpVersion)), member("capabilities", jsonx.OfObject()),
		member("clientInfo", jsonx.OfObject(member("name", jsonx.Of("limn")), member("version", jsonx.Of("1")))))
	made, header, err := g.call(ctx, *q, in, "initialize", params)
	if err != nil {
		return away("no session could begin", err)
	}
	q.Context = cmp.Or(header.Get("Mcp-Session-Id"), noSession)
	if version := made.At("protocolVersion").Text(); version != "" {
		q.Context += "\n" + version
	}
	in.Context(q.Context)
	told := *q
	told.Key = "" // as in call
	resp, err := g.send(ctx, told, http.MethodPost, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`), nil)
	if err != nil {
		return away("no session could begin", err)
	}
	resp.Body.Close()
	return nil
}

// call sends a request that changes nothing, and returns its result.
func (g *Agents) call(ctx context.Context, q gateway.Question, in *intake, method string, params jsonx.Value) (
	out jsonx.Value, header http.Header, err error) {
	q.Key = ""
	resp, err := g.send(ctx, q, http.MethodPost, request(method, params), nil)
	if err != nil {
		return out, nil, err
	}
	a := g.answer(q, in, nil)
	err = a.read(ctx, resp, protocol{ends: true, line: func(a *answer, b []byte) (err error) {
		out, err = a.result(b)
		return err
	}})
	return out, resp.Header, err
}

// requestID is the id of each request, which is alone on its connection.
const requestID = 1

// request is a request of JSON-RPC.
func request(method string, params jsonx.Value) []byte {
	return jsonx.Append(nil, jsonx.OfObject(member("jsonrpc", jsonx.Of("2.0")), member("id", jsonx.OfInt(requestID)),
		member("method", jsonx.Of(method)), member("params", params)))
}

// result reads one message of a server. Its own requests and notifications are passed over, but that its tools have
// changed, and answers to others.
func (a *answer) result(b []byte) (out jsonx.Value, err error) {
	v, err := parse(b)
	if err != nil {
		return out, err
	}
	if method, asks := v.Get("method"); asks {
		if method.Text() == "notifications/tools/list_changed" {
			a.changed()
		}
		return out, nil
	}
	if n, ok := v.At("id").Int(); v.At("id").Kind != jsonx.Null && (!ok || n != requestID) {
		return out, nil
	}
	a.ended = true
	if e, failed := v.Get("error"); failed {
		return out, rpcError(e, false, false)
	}
	return v.At("result"), nil
}

// mcpBody is the question as the call of a tool.
func mcpBody(q gateway.Question) []byte {
	tool, arguments := toolOf(q)
	meta := metadata(q)
	meta.Members = append(meta.Members, member("limn_key", jsonx.Of(q.Key)))
	return request("tools/call", jsonx.OfObject(member("name", jsonx.Of(tool)), member("arguments", arguments),
		member("_meta", meta)))
}

// toolOf is the tool that takes the question, and its arguments. What a client sent is for one that takes all
// actions, or for the one that the action is named after. No tool takes the result of a client's function.
func toolOf(q gateway.Question) (tool string, arguments jsonx.Value) {
	if q.Client == nil {
		return q.Agent.Tool, jsonx.OfObject(member("text", jsonx.Of(q.Text)))
	}
	for _, m := range parsed(q.Client).Members {
		general, inner := []string(nil), m.Value
		switch m.Key {
		case "action", "userAction":
			general = []string{"a2ui_action", "action"}
		case "error":
			general = []string{"a2ui_error", "error"}
		default:
			continue
		}
		for _, name := range general {
			if slices.Contains(q.Tools, name) {
				return name, inner
			}
		}
		return inner.At("name").Text(), inner.At("context")
	}
	return "", jsonx.OfObject()
}

// mcp reads the result of a tool. Words of a result that is an error are the reason.
func (a *answer) mcp(b []byte) error {
	r, err := a.result(b)
	if err != nil || !a.ended {
		return err
	}
	failed, why := r.At("isError").Bool, ""
	a.in.MayReplace() // a resource is a surface as it is now
	for i, one := range r.At("content").Items {
		switch one.At("type").Text() {
		case "text":
			switch {
			case failed:
				why += one.At("text").Text() + " "
			case forUser(one):
				a.say(strconv.Itoa(i), one.At("text").Text())
			}
		case "resource":
			res := one.At("resource")
			media, _, _ := strings.Cut(res.At("mimeType").Text(), ";")
			if media == a2ui.V10.Features().MediaType || media == a2ui.V08.Features().MediaType {
				blob, _ := base64.StdEncoding.DecodeString(res.At("blob").Text())
				a.resource(cmp.Or(res.At("text").Text(), string(blob)))
			}
		}
	}
	if data := r.At("structuredContent"); len(data.Members) > 0 && len(r.At("content").Items) == 0 {
		if why = wordsOf(data); !failed {
			a.say("", why)
		}
	}
	if failed {
		return refusal{error: away("it refuses", reason(why))}
	}
	return nil
}

// wordsOf is data of a server that gives no words with them: its only text, or JSON.
func wordsOf(data jsonx.Value) string {
	if len(data.Members) == 1 && data.Members[0].Value.Kind == jsonx.String {
		return data.Members[0].Value.Text()
	}
	return string(jsonx.Append(nil, data))
}

// resource takes A2UI: one text of JSON, or lines.
func (a *answer) resource(text string) {
	if json.Valid([]byte(text)) {
		a.in.Take([]byte(text), time.Now())
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			a.in.Take([]byte(line), time.Now())
		}
	}
}

// forUser reports content that is not for the model alone.
func forUser(content jsonx.Value) bool {
	list := content.At("annotations").At("audience").Items
	return len(list) == 0 || slices.ContainsFunc(list, func(v jsonx.Value) bool { return v.Text() == "user" })
}
