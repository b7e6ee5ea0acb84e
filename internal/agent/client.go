package agent

import (
	"fmt"
	"strconv"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/ui"
)

// A client may offer tools, too: functions of its page. A run that calls some ends, the router
// state keeps the calls, and their results are an event that the model answers in another run.

// Bounds of the tools that a client offers with one event, and of the results it sends back.
const (
	MaxClientTools  = 32
	MaxClientSchema = 32 << 10 // bytes of all names, descriptions and schemas
	MaxClientResult = 32 << 10 // bytes of the result of one call
)

// ClientCall is a call of a tool that the client carries out.
type ClientCall struct {
	ID        string `json:"id,omitempty"` // unique in its conversation
	Tool      string `json:"tool"`
	Arguments string `json:"arguments"` // JSON, an object
}

// ClientTools reads a list of objects with the members name, description and parameters, a
// JSON Schema. Errors have a path into the list.
func ClientTools(list jsonx.Value) (tools []Tool, err error) {
	if len(list.Items) > MaxClientTools {
		return nil, ui.Errorf(CodeToolLimit, "", "more than %d tools", MaxClientTools)
	}
	names, size := map[string]bool{}, 0
	for i, v := range list.Items {
		at := "/" + strconv.Itoa(i)
		t := Tool{Name: v.At("name").Text(), Description: v.At("description").Text(), Client: true}
		if !callable.MatchString(t.Name) {
			return nil, ui.Errorf(CodeToolUnknown, at+"/name", "a tool has a name of 1 to 64 letters, digits, _ and -")
		}
		if names[t.Name] {
			return nil, ui.Errorf(CodeToolUnknown, at+"/name", "two tools are named %q", t.Name)
		}
		names[t.Name] = true
		raw := []byte(schema.None)
		if p, ok := v.Get("parameters"); ok && p.Kind == jsonx.Object && len(p.Members) > 0 {
			raw = jsonx.Append(nil, p)
		}
		if size += len(t.Name) + len(t.Description) + len(raw); size > MaxClientSchema {
			return nil, ui.Errorf(CodeToolLimit, at, "the tools have more than %d bytes", MaxClientSchema)
		}
		if t.Arguments, err = schema.CompileObject(raw); err != nil {
			e := *ui.AsError(err, schema.CodeInvalid, "no schema")
			e.Path = at + "/parameters" + e.Path
			return nil, &e
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// Keys of Router.ToolCalls.
const (
	waitsEvent = "event"
	waitsRun   = "run"
	waitsFound = "found"
)

// Wait is the value of Router.ToolCalls after a run of an event that ended with calls: the calls, how
// the model is to be asked with their results, and the results of other tools before them.
func Wait(event ui.EventID, run string, r *Reply) ui.Value {
	list := []ui.Pair{{Key: waitsEvent, Value: ui.String(string(event))}, {Key: waitsRun, Value: ui.String(run)}}
	if !r.Found.IsNull() {
		list = append(list, ui.Pair{Key: waitsFound, Value: r.Found})
	}
	for i, c := range r.Calls {
		list = append(list, ui.Pair{Key: callKey(i), Value: ui.Map(ui.Pair{Key: "tool", Value: ui.String(c.Tool)},
			ui.Pair{Key: "arguments", Value: ui.String(c.Arguments)})})
	}
	return ui.Map(list...)
}

func callKey(i int) string { return "call_" + strconv.Itoa(i+1) }

// Waits lists the calls that wait for their results, and how the model is asked with them.
func Waits(r *ui.Router) (calls []ClientCall, run string) {
	event, _ := r.ToolCalls.Get(waitsEvent)
	kept, _ := r.ToolCalls.Get(waitsRun)
	for i := 0; ; i++ {
		c, ok := r.ToolCalls.Get(callKey(i))
		if !ok {
			return calls, kept.Text()
		}
		tool, _ := c.Get("tool")
		arguments, _ := c.Get("arguments")
		calls = append(calls, ClientCall{ID: fmt.Sprintf("%s.%d", event.Text(), i+1), Tool: tool.Text(),
			Arguments: arguments.Text()})
	}
}

// CheckResults reports results that are not those of the calls that a conversation waits for:
// a list of objects with the members id and content.
func CheckResults(r *ui.Router, results jsonx.Value) *ui.Error {
	calls, _ := Waits(r)
	left := map[string]bool{}
	for _, c := range calls {
		left[c.ID] = true
	}
	for _, v := range results.Items {
		id := v.At("id").Text()
		if !left[id] {
			return &ui.Error{Code: CodeToolUnknown, Path: "results", Message: "no call with that id waits for a result",
				Hint: "it has one, or the user went on without it"}
		}
		delete(left, id)
	}
	if len(left) > 0 {
		return &ui.Error{Code: CodeToolUnknown, Path: "results", Message: "a call is left without a result",
			Hint: "send the results of all calls of a run at once, of one that failed what went wrong"}
	}
	return nil
}

// ResultsAsked is the beginning of a prompt about results.
const ResultsAsked = foundNotice

// WithResults is the data of a prompt about results: those of other tools before, and each call
// with its result.
func WithResults(r *ui.Router, results jsonx.Value) ui.Value {
	var list []ui.Pair
	if found, ok := r.ToolCalls.Get(waitsFound); ok {
		list = append(list, ui.Pair{Key: waitsFound, Value: found})
	}
	calls, _ := Waits(r)
	named := map[string]ClientCall{}
	for _, c := range calls {
		named[c.ID] = c
	}
	share := maxData / (len(results.Items) + 2)
	for i, v := range results.Items {
		c := named[v.At("id").Text()]
		list = append(list, found(i, c.Tool, c.Arguments, v.At("content").Text(), share))
	}
	return ui.Map(list...)
}

// found is one call and its result, in about so many bytes.
func found(i int, tool, arguments, result string, share int) ui.Pair {
	text := func(key, s string) ui.Pair { return ui.Pair{Key: key, Value: ui.String(s)} }
	return ui.Pair{Key: callKey(i), Value: ui.Map(text("tool", tool), text("arguments", excerpt.Of(arguments, share/4)),
		text("result", excerpt.Of(result, share/2)))}
}
