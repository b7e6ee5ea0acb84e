package directive

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// place is how JSON stands in an answer; the freer it stands, the more
// spellings of an envelope are taken.
type place uint8

const (
	inline place = iota // inside a sentence
	apart               // on lines of its own
	whole               // nothing else in the answer
)

// shape is how an envelope was written.
type shape struct {
	text jsonx.Value
	list jsonx.Value    // the directives, or the one value of the member "directives"
	at   string         // where that member stands; "" = no envelope around the directives
	bent string         // what is not as asked for
	rest []jsonx.Member // members of an envelope that mean nothing
}

var errShape = errors.New("no envelope")

// Further names of the members of an envelope, squashed.
var (
	textNames = []string{"text", "message", "reply", "response", "content", "answer", "output", "assistant", "assistantmessage", "assistantreply", "assistantresponse", "say", "speech"}
	listNames = []string{"actions", "action", "commands", "command", "toolcalls", "functioncalls", "uidirectives", "uiactions"}
	harmless  = []string{"role", "language", "lang", "locale", "thought", "thoughts", "thinking", "reasoning", "confidence", "format", "id"}
	faultKeys = []string{"error", "errors", "code", "status", "statuscode", "detail"}
	nameKeys  = []string{"name", "directive", "action", "command", "tool", "toolname", "function", "functionname", "kind", "directivetype", "actiontype"}
	callNames = []string{"arguments", "parameters", "params", "args"}
	// members that hold an envelope; others hold one that is talked about
	wrapNames = []string{"result", "results", "envelope", "limnenvelope", "json", "function", "final", "finalanswer", "finalresponse", "assistantanswer", "structuredoutput", "structuredresponse", "return", "value", "object", "toolcall", "functioncall"}
	// members that may hold back what stands beside them
	gateNames = []string{"if", "when", "unless", "until", "condition", "conditions", "enabled", "disabled", "active", "execute", "executed", "run", "dryrun", "simulate", "simulation", "preview", "test", "example", "isexample", "draft", "confirm", "confirmed", "confirmation", "approved", "pending", "delay", "schedule", "after", "cancelled", "canceled", "rejected", "skip", "skipped", "ignore", "ignored", "onlyif", "hypothetical"}
	failNames = []string{"error", "failed", "failure", "invalid", "rejected", "refused", "denied", "cancelled", "canceled", "pending", "draft", "skipped"}
	gateParts = regexp.MustCompile(`^(?:donot|dont|await)|(?:requir|need|await|pending|must|wait|until|before|after|only|if|ask)\w*(?:confirm|approv|consent|permission)|(?:confirm|approv|consent|permission)\w*(?:requir|need|await|pending|first)`)
	// members of a directive beside its payload that change nothing
	noteNames    = []string{"id", "callid", "toolcallid", "index", "title", "label", "description", "comment", "note", "reason", "reasoning", "rationale", "explanation", "thought", "confidence", "version", "kind", "namespace", "type"}
	payloadNames = []string{"payload", "params", "parameters", "arguments", "args", "input", "data", "props", "properties", "attributes", "options", "body"}
)

// gate reports a squashed key that may hold back what stands beside it.
func gate(key string) bool { return slices.Contains(gateNames, key) || gateParts.MatchString(key) }

// failed reports a member that says that what stands beside it does not count.
func failed(key string, v jsonx.Value) bool {
	switch key {
	case "success", "ok", "valid", "isvalid", "allowed", "permitted":
		return v.Kind == jsonx.Bool && !v.Bool
	case "error", "errors":
		return v.Bool || v.Kind == jsonx.String && v.Str != "" || len(v.Items)+len(v.Members) > 0
	case "status", "state", "outcome":
		return slices.Contains(failNames, squash(v.Text()))
	}
	return false
}

// shape recognises an envelope, a list of directives or a single directive.
// The error is errShape, or a *ui.Error that says why it is ambiguous.
func (r *reading) shape(v jsonx.Value, where place, depth int) (shape, error) {
	switch v.Kind {
	case jsonx.Array:
		return r.listShape(v, where, depth)
	case jsonx.Object:
		return r.objectShape(v, where, depth)
	}
	return shape{}, errShape
}

func (r *reading) listShape(v jsonx.Value, where place, depth int) (shape, error) {
	bare := len(v.Items) > 0
	for _, item := range v.Items {
		bare = bare && r.isDirective(item, true)
	}
	switch {
	case bare:
		return shape{list: v}, nil
	case len(v.Items) == 1 && v.Items[0].Kind == jsonx.Object && depth < 3:
		sh, err := r.objectShape(v.Items[0], where, depth+1)
		sh.bent = "a list around the envelope"
		return sh, err
	case len(v.Items) > 1:
		for _, item := range v.Items {
			if sh, err := r.shape(item, inline, 3); err == nil && sh.at != "" {
				return shape{}, ui.Errorf(CodeMultiple, "", "a list of several envelopes")
			}
		}
	}
	return shape{}, errShape
}

func (r *reading) objectShape(v jsonx.Value, where place, depth int) (shape, error) {
	var canonText, canonList, aliasText, aliasList, rest []jsonx.Member
	for _, m := range v.Members {
		switch key := squash(m.Key); {
		case key == "assistanttext":
			canonText = append(canonText, m)
		case key == "directives" || key == "directive" && m.Value.Kind >= jsonx.Array:
			canonList = append(canonList, m)
		case slices.Contains(textNames, key):
			aliasText = append(aliasText, m)
		case slices.Contains(listNames, key) && m.Value.Kind != jsonx.String:
			aliasList = append(aliasList, m)
		default:
			rest = append(rest, m)
		}
	}
	if role := v.At("role").Text(); role != "" && role != "assistant" && role != "model" {
		return shape{}, invalid("an answer of somebody else", nil)
	}
	canonical := len(canonText)+len(canonList) > 0
	switch {
	case len(canonText) > 1 || len(canonList) > 1:
		return shape{}, invalid("a member of the envelope stands twice", nil)
	case !canonical && r.isDirective(v, false):
		if w, _ := r.split(v); !r.known(w.name) { // or a call whose arguments are the envelope
			if sh, err := r.inner(v, inline, depth); err == nil && sh.at != "" {
				return sh, nil
			}
		}
		return shape{list: jsonx.OfArray(v)}, nil
	case !canonical && r.aliased(where, aliasText, aliasList, rest):
	case !canonical:
		return r.inner(v, where, depth)
	}
	held := false
	for _, m := range rest {
		key := squash(m.Key)
		if gate(key) || key == "type" && slices.Contains(gateNames, squash(m.Value.Text())) {
			return shape{}, invalid("an envelope under a condition", nil)
		}
		held = held || failed(key, m.Value)
	}
	sh := shape{at: "/directives", rest: rest}
	for i := range aliasList {
		if k := aliasList[i].Value.Kind; k < jsonx.Array || len(aliasList[i].Value.Items)+len(aliasList[i].Value.Members) == 0 {
			continue
		}
		if canonList = append(canonList, aliasList[i]); len(canonList) > 1 {
			return shape{}, invalid("two lists of directives", nil)
		}
	}
	if len(canonText) == 0 {
		canonText = aliasText
	}
	if len(canonText) > 1 {
		return shape{}, invalid("two texts", nil)
	}
	if len(canonText) == 1 {
		sh.text = canonText[0].Value
		sh.bent = r.respelled(sh.bent, canonText[0].Key, "assistant_text")
	}
	if len(canonList) == 1 {
		sh.list = canonList[0].Value
		sh.bent = r.respelled(sh.bent, canonList[0].Key, "directives")
	}
	if held && acts(sh.list) {
		return shape{}, invalid("an envelope that is said to have failed", nil)
	}
	return sh, nil
}

// acts reports that a list of directives may hold one.
func acts(list jsonx.Value) bool {
	return len(list.Items)+len(list.Members) > 0 || len(list.Str) > 2
}

func (r *reading) respelled(bent, key, name string) string {
	if key != name {
		return "other names for the members of the envelope"
	}
	return bent
}

// aliased reports an envelope under other names only. A list has to hold
// declared directives; a text alone has to be all there is.
func (r *reading) aliased(where place, texts, lists, rest []jsonx.Member) bool {
	if len(texts)+len(lists) == 0 {
		return false
	}
	for _, m := range lists {
		items := m.Value.Items
		if m.Value.Kind == jsonx.Object {
			items = []jsonx.Value{m.Value}
		}
		for _, item := range items {
			if !r.isDirective(item, true) {
				return false
			}
		}
		if len(items) > 0 {
			return true
		}
	}
	for _, m := range rest {
		switch key := squash(m.Key); {
		case slices.Contains(faultKeys, key):
			return false
		case len(texts) == 1 && len(lists) == 1 || slices.Contains(harmless, key):
		case key != "type" || !slices.Contains(textNames, squash(m.Value.Text())):
			return false
		}
	}
	return where != inline && len(texts) == 1 && texts[0].Value.Kind == jsonx.String
}

// inner looks for an envelope that something was put around: {"response":{…}},
// or the arguments of a call.
func (r *reading) inner(v jsonx.Value, where place, depth int) (shape, error) {
	var found []jsonx.Value
	gated, held := false, false
	for _, m := range v.Members {
		in, key := m.Value, squash(m.Key)
		gated, held = gated || gate(key), held || failed(key, in)
		if in.Kind >= jsonx.Array && !slices.Contains(wrapNames, key) && !slices.Contains(textNames, key) && !slices.Contains(payloadNames, key) {
			return shape{}, errShape // {"example":{…}}
		}
		if in.Kind == jsonx.String && slices.Contains(payloadNames, key) && strings.HasPrefix(strings.TrimSpace(in.Str), "{") {
			if parsed, err := r.parse(in.Str, ""); err == nil {
				in = parsed
			}
		}
		switch in.Kind {
		case jsonx.Object:
			found = append(found, in)
		case jsonx.Array:
			return shape{}, errShape
		}
	}
	if len(found) != 1 || depth >= 3 {
		return shape{}, errShape
	}
	sh, err := r.objectShape(found[0], inline, depth+1)
	if err == nil && sh.at == "" && (len(v.Members) > 1 || where != whole) {
		return shape{}, errShape // a directive inside something else
	}
	if err == nil && (gated || held && acts(sh.list)) {
		return shape{}, invalid("an envelope under a condition, or said to have failed", nil)
	}
	sh.bent = "something around the envelope"
	return sh, err
}

// isDirective reports what can only be a directive: a type with a payload under
// any of their names, or a declared type. Outside a list (listed is false) a
// type without the word payload has to be written in full.
func (r *reading) isDirective(v jsonx.Value, listed bool) bool {
	if v.Kind != jsonx.Object {
		return false
	}
	d, ok := r.split(v)
	if !ok {
		return false
	}
	known := r.known(d.name)
	switch d.form {
	case formPayload:
		return true
	case formCall:
		return known || d.typed
	}
	return known && (listed || r.inFull(d.name))
}

func (r *reading) known(name string) bool {
	_, ok := r.reg.lookup(name)
	return ok
}

// inFull reports the spelling of a type with its namespace.
func (r *reading) inFull(name string) bool {
	i, ok := r.reg.lookup(name)
	return ok && squash(name) == squash(r.reg.defs[i].Type)
}

// form is how one directive was written.
type form uint8

const (
	formPayload form = iota // {"type":…,"payload":…}
	formCall                // a type and its payload under other names
	formFlat                // {"type":…} with the payload beside it
	formKey                 // {"ui.toast":{…}}
)

// written is a directive as it was written.
type written struct {
	name    string
	payload jsonx.Value
	form    form
	typed   bool   // the keys are those of a call: name or type, and arguments
	twice   bool   // two types or two payloads
	respelt bool   // the key is not "type" itself
	beside  string // a member that is neither, and may be a condition
}

// split tells the type of a directive from its payload.
func (r *reading) split(v jsonx.Value) (w written, ok bool) {
	if f := v.At("function"); f.Kind == jsonx.Object && (v.At("type").Text() == "function" || len(v.Members) == 1) { // OpenAI's calls
		w, ok = r.split(f)
		w.form = max(w.form, formCall)
		return w, ok
	}
	var typ, named jsonx.Value
	pay := -1
	for i, m := range v.Members {
		key := squash(m.Key)
		switch {
		case key == "type" && m.Value.Kind == jsonx.String:
			w.twice = w.twice || typ.Kind == jsonx.String // beside Type
			typ, w.respelt = m.Value, m.Key != "type"
		case m.Key == "payload":
			if pay >= 0 {
				w.twice = true
			}
			pay = i
		case m.Value.Kind == jsonx.Object || m.Value.Kind == jsonx.String || m.Value.Kind == jsonx.Null:
			if slices.Contains(payloadNames, key) && (m.Value.Kind != jsonx.String || strings.HasPrefix(strings.TrimSpace(m.Value.Str), "{")) {
				if pay >= 0 {
					w.twice = true
				} else {
					pay = i
				}
			}
			if m.Value.Kind == jsonx.String && slices.Contains(nameKeys, key) && (named.Kind == jsonx.Null || key == "name") {
				named = m.Value
			}
		}
		if key != "payload" && key != "type" && !slices.Contains(nameKeys, key) && !slices.Contains(payloadNames, key) && !slices.Contains(noteNames, key) {
			w.beside = m.Key
		}
	}
	w.name = typ.Str
	if _, known := r.reg.lookup(typ.Str); typ.Kind == jsonx.Null || !known && (typ.Str == "function" || typ.Str == "directive" || typ.Str == "tool_call" || typ.Str == "tool_use") {
		w.name = named.Str
	}
	switch {
	case w.name != "" && pay >= 0:
		if other, ok := r.reg.Canonical(named.Str); ok && w.name == typ.Str {
			mine, _ := r.reg.Canonical(w.name)
			w.twice = w.twice || mine != other
		}
		w.payload, w.form = v.Members[pay].Value, formCall
		w.typed = (named.Kind == jsonx.Null || v.At("name").Kind == jsonx.String) && slices.Contains(callNames, squash(v.Members[pay].Key))
		if typ.Kind == jsonx.String && v.Members[pay].Key == "payload" && !w.respelt {
			w.form = formPayload
		}
		return w, true
	case typ.Kind == jsonx.String && w.name == typ.Str:
		w.form, w.payload = formFlat, jsonx.Value{Kind: jsonx.Object}
		for _, m := range v.Members {
			if squash(m.Key) != "type" || m.Value.Kind != jsonx.String {
				w.payload.Members = append(w.payload.Members, m)
			}
		}
		return w, true
	case len(v.Members) == 1 && (v.Members[0].Value.Kind == jsonx.Object || v.Members[0].Value.Kind == jsonx.Null):
		if _, known := r.reg.lookup(v.Members[0].Key); known {
			return written{name: v.Members[0].Key, payload: v.Members[0].Value, form: formKey}, true
		}
	}
	return w, false
}
