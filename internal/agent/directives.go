package agent

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// FormatName is the name of the JSON Schema sent with structured requests.
const FormatName = "limn_envelope"

// Codes of a directives run, beside those of packages llm and directive.
const (
	CodeRequired  ui.Code = "DIRECTIVE_REQUIRED"   // the answer has no directive that Config.Require names
	CodeToolCalls ui.Code = "DIRECTIVE_TOOL_CALLS" // the answer calls a tool that was not offered
)

// Directives asks for an envelope. The error, if any, is an outage with a code
// of package llm and comes with the attempts made, or a Config.Require that no
// declared directive satisfies; an answer that cannot be used is no error but a
// Result that says so in Text and Warnings.
func Directives(ctx context.Context, m llm.Model, c Config, in Input) (Result, error) {
	c = c.withDefaults()
	if c.Registry == nil {
		c.Registry = plainReader
	}
	var required []string
	for _, name := range c.Require {
		t, ok := c.Registry.Canonical(name)
		if !ok {
			return Result{}, ui.Errorf(directive.CodeUnknownType, "/require",
				"a directive is required that the app does not declare")
		}
		required = append(required, t)
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	d := &dialogue{run: start(ctx, m, c, directiveSystem(c), in), required: required, key: modelKey(m), in: in}
	d.base = d.req.Messages
	d.stream()
	// what saying something without a model takes, so that the run ends before its caller's deadline
	end, _ := d.ctx.Deadline()
	d.until = end.Add(-min(2*time.Second, time.Until(end)/20))
	d.restoreLadder(ladder(capabilities(m)))
	for n := c.spent; n < MaxAttempts && (n == c.spent || time.Until(d.until) > 0); n++ {
		done, err := d.step()
		if err != nil {
			return d.failed(err)
		}
		if done {
			return d.result, nil
		}
	}
	if d.fault != nil {
		return d.finishWithWords(), nil
	}
	// all went into finding a request the server takes
	return d.result, ui.Errorf(llm.CodeUnsupported, "", "no request that the server takes in %d attempts",
		len(d.result.Attempts))
}

// ladder lists the rungs a model has, best first; prompt_only is always there.
func ladder(c llm.Capabilities) []Mode {
	var out []Mode
	if c.JSONSchema {
		out = append(out, ModeSchema)
	}
	if c.JSONObject {
		out = append(out, ModeObject)
	}
	return append(out, ModePrompt)
}

// format is how a request of that mode names the form of its answer.
func (m Mode) format(name string, schema []byte) *llm.Format {
	switch m {
	case ModeSchema:
		return &llm.Format{Name: name, Schema: schema}
	case ModeObject:
		return &llm.Format{Name: name}
	}
	return nil
}

// dialogue is a run for an envelope.
type dialogue struct {
	*run
	base     []llm.Message // the request without repairs
	required []string
	key      string // of the model in Config.Ladders
	ladder   []Mode
	known    ladderEntry // what Config.Ladders knows, and what this run adds
	learned  bool        // known has something new
	repaired bool        // on this rung
	demanded bool        // the semantic repair was made
	asked    bool        // about JSON among words, or with an undeclared key
	doubt    doubt
	in       Input
	best     *directive.Envelope
	fault    *ui.Error // of the last answer
}

// restoreLadder starts the run where the last one with this model arrived.
func (d *dialogue) restoreLadder(rungs []Mode) {
	d.ladder = rungs
	d.known = d.cfg.Ladders.lookup(d.key, d.cfg.Now)
	if i := slices.Index(rungs, d.known.mode); i > 0 {
		d.ladder = rungs[i:]
	}
	for _, path := range d.known.refused {
		d.dropParam(&ui.Error{Path: path})
	}
}

// step makes one attempt and judges it. done: result.Envelope is set.
func (d *dialogue) step() (done bool, outage *ui.Error) {
	mode := d.ladder[0]
	d.req.Format = mode.format(FormatName, d.cfg.Registry.Schema())
	d.deltas.reset(len(d.result.Attempts))
	d.deltas.read = d.cfg.Registry.NewStream().Write
	reply, fault := d.ask(mode, len(d.req.Messages) > len(d.base))
	if fault != nil && d.retryWhole(fault) {
		return false, nil
	}
	if fault != nil {
		return false, d.handleRefusal(fault)
	}
	if d.learned {
		d.known.mode, d.known.learned = mode, d.cfg.Now()
		d.cfg.Ladders.store(d.key, d.known)
		d.learned = false
	}
	if e := reply.Check(); e != nil && e.Code == llm.CodeRefused {
		d.note(e.Code)
		d.warn(e)
		d.result.Envelope.Text = d.plainText(reply.Text)
		return true, nil
	}
	env, fault := d.judge(reply)
	d.doubt = doubt{}
	if fault == nil {
		d.accept(env)
		return true, nil
	}
	d.note(fault.Code)
	d.fault = fault
	// before, the words may announce what did not run
	if env.Text != "" && (fault.Code != directive.CodeAmbiguous || d.asked) {
		env.Directives = nil
		d.best = &env
	}
	if !d.prepareNext(reply) {
		d.finishWithWords()
		return true, nil
	}
	return false, nil
}

// prepareNext writes the request after an answer with d.fault, or reports that
// none may help.
func (d *dialogue) prepareNext(reply llm.Reply) bool {
	switch code := d.fault.Code; {
	case code == directive.CodeAmbiguous && !d.asked:
		d.asked = true
		d.doubt = d.newDoubt(reply)
	case code == CodeRequired && !d.demanded:
		d.demanded = true
	case code == directive.CodeAmbiguous || code == CodeRequired:
		return false
	case !d.repaired:
		d.repaired = true
	case len(d.ladder) > 1:
		d.nextMode()
		return true
	default:
		return false
	}
	d.repair(reply.Text)
	return true
}

// nextMode leaves a rung: the next one starts with a clean request.
func (d *dialogue) nextMode() {
	d.ladder, d.repaired, d.req.Messages = d.ladder[1:], false, d.base
}

// judge reads an answer. A repair names the fault, if any; the
// envelope with it may still have words.
func (d *dialogue) judge(reply llm.Reply) (directive.Envelope, *ui.Error) {
	cut := reply.Check()
	env, err := d.read(reply)
	if cut != nil && err != nil {
		return env, cut // the cause of whatever Read says
	}
	if cut != nil {
		d.warn(cut)
	}
	if e := droppedAll(env); e != nil {
		return env, e
	}
	if err != nil {
		return env, asError(err)
	}
	if w := env.Undeclared(); w != nil {
		return env, &ui.Error{Code: directive.CodeAmbiguous, Path: w.Path, Message: w.Message}
	}
	if len(d.required) > 0 && !slices.ContainsFunc(env.Directives,
		func(v directive.Directive) bool { return slices.Contains(d.required, v.Type) }) {
		return env, ui.Errorf(CodeRequired, "/directives", "want a directive of type %s",
			strings.Join(d.required, " or "))
	}
	return env, nil
}

// read takes the envelope out of the text of an answer, or out of the calls of
// a model that takes directives for tools.
func (d *dialogue) read(reply llm.Reply) (directive.Envelope, error) {
	if len(reply.Calls) == 0 {
		if env, ok := d.doubt.resolve(d.cfg.Registry, reply.Text); ok {
			return env, nil
		}
		env, err := d.cfg.Registry.Read(reply.Text)
		env.Text = d.doubt.hide(env.Text)
		return env, err
	}
	unexpected := ui.Errorf(CodeToolCalls, "", "a call of a tool nobody offered")
	var said directive.Envelope
	if strings.TrimSpace(reply.Text) != "" {
		var err error
		said, err = d.cfg.Registry.Read(reply.Text)
		if err != nil || !slices.ContainsFunc(said.Warnings,
			func(w *ui.Error) bool { return w.Code == directive.CodeNone }) {
			said.Directives = nil
			return said, unexpected // an envelope and calls: one of them too many
		}
	}
	text := reply.Calls[0].Arguments // of a call that is named like the envelope's schema: the envelope
	if len(reply.Calls) > 1 || reply.Calls[0].Name != FormatName {
		calls := jsonx.OfArray()
		for _, c := range reply.Calls {
			calls.Items = append(calls.Items, jsonx.OfObject(jsonx.Member{Key: "type", Value: jsonx.Of(c.Name)},
				jsonx.Member{Key: "payload", Value: jsonx.Of(c.Arguments)}))
		}
		text = string(jsonx.Append(nil, jsonx.OfObject(jsonx.Member{Key: "directives", Value: calls})))
	}
	env, err := d.cfg.Registry.Read(text)
	if err != nil || len(env.Directives) == 0 && env.Text == "" {
		return said, unexpected
	}
	if env.Text == "" {
		env.Text = excerpt.Runes(said.Text, maxGarbage)
	}
	env.Warnings = append(env.Warnings, unexpected)
	return env, nil
}

// retryWhole reports an error that streaming may be the reason of: then the same
// is asked once more, and from there on answers come whole. A refusal that names
// another parameter has another reason.
func (d *dialogue) retryWhole(fault *ui.Error) bool {
	named := fault.Path != "" && !strings.HasPrefix(fault.Path, "/stream")
	broken := d.deltas.received && fault.Code == llm.CodeUnavailable || fault.Code == llm.CodeReplyInvalid
	if !d.req.Stream || d.ctx.Err() != nil || !broken && (!refusesForm(fault) || named) {
		return false
	}
	d.whole(fault)
	return true
}

// handleRefusal decides what an error means: the next rung, the same without a
// parameter, or an outage.
func (d *dialogue) handleRefusal(fault *ui.Error) *ui.Error {
	unsupported := refusesForm(fault)
	answerFault := fault.Code == llm.CodeReplyInvalid || fault.Code == llm.CodeReplyTooLarge
	switch {
	case unsupported && d.dropParam(fault):
		if d.learned = true; len(d.known.refused) < maxDropKeys {
			d.known.refused = append(slices.Clip(d.known.refused), fault.Path)
		}
		return nil
	case unsupported && len(d.ladder) > 1:
		d.learned = true
		d.nextMode()
		return nil
	case answerFault:
		d.fault = fault
		if d.repaired && len(d.ladder) > 1 {
			d.nextMode()
			return nil
		}
		if !d.repaired {
			d.repaired = true
			d.repair("")
			return nil
		}
	}
	return fault
}

// droppedAll returns the reason why an envelope lost every directive it had.
func droppedAll(env directive.Envelope) *ui.Error {
	i := slices.IndexFunc(env.Warnings, func(w *ui.Error) bool {
		return w.Code == directive.CodeUnknownType || w.Code == directive.CodePayloadInvalid
	})
	if i < 0 || len(env.Directives) > 0 {
		return nil
	}
	return env.Warnings[i]
}

// repair asks once more and names the fault by its class, never in the server's
// or the user's words.
func (d *dialogue) repair(answer string) {
	msgs := slices.Clip(d.req.Messages)
	if strings.TrimSpace(answer) != "" {
		msgs = append(msgs, llm.Message{Role: llm.RoleAssistant, Text: fence.Unmark(excerpt.Runes(answer, maxGarbage))})
	}
	text := "Your answer could not be used: " + string(d.fault.Code)
	if at := ownPath(d.fault.Path); at != "" && d.fault.Code != llm.CodeReplyInvalid {
		text += " at " + at
	}
	text += ". " + d.advice() +
		" Answer again with exactly one JSON object {\"assistant_text\": …, \"directives\": […]} and nothing around it."
	d.req.Messages = append(msgs, llm.Message{Role: llm.RoleUser, Text: text})
}

// ownPath keeps the segments of a path that are keys or indexes: others may be
// words of the user's that a model took for a key.
func ownPath(path string) string {
	segs := strings.Split(excerpt.Of(path, 120), "/")
	for i, s := range segs {
		if s != "" && !ui.ValidKey(s) && strings.Trim(s, "0123456789") != "" {
			segs[i] = "?"
		}
	}
	return strings.Join(segs, "/")
}

// onlyShown keeps a model that explained an envelope from sending its example.
const onlyShown = "If you only showed or explained it, put your words into assistant_text and leave directives empty."

func (d *dialogue) advice() string {
	switch e := d.fault; e.Code {
	case llm.CodeTruncated, directive.CodeTooLarge, llm.CodeReplyTooLarge:
		return "It was too long: say less."
	case directive.CodeUnknownType:
		return "Use only the declared directive types."
	case directive.CodePayloadInvalid:
		return "Use only the declared payload keys and values: " + oneLine(e.Message, 120) + "."
	case directive.CodeEmpty:
		return "It said nothing."
	case CodeToolCalls:
		return "There are no tools: write the directives into the JSON object."
	case directive.CodeAmbiguous:
		if d.undeclared() {
			return "Was it meant? Then leave out what is not declared: " + oneLine(e.Message, 120) + ". " + onlyShown
		}
		if d.doubt.mark != "" {
			return "Was the JSON meant, or only shown? If it was meant and you cannot leave out other words, " +
				"write the same JSON object between <" + d.doubt.mark + "> and </" + d.doubt.mark + ">. " + onlyShown
		}
		return "Was the JSON meant, or only shown? Send the JSON object alone, or words alone. " + onlyShown
	case CodeRequired:
		return "It must hold at least one directive of type " + strings.Join(d.required, " or ") + "."
	}
	return "It was not valid JSON of that form, or a sentence about one. " + onlyShown
}

// accept accepts an envelope as the result.
func (d *dialogue) accept(env directive.Envelope) {
	for _, w := range env.Warnings {
		if w.Code == directive.CodeNone {
			env.Text = excerpt.Runes(env.Text, maxGarbage)
		}
		d.warn(w)
	}
	d.result.Envelope = env
}

// finishWithWords ends a run without a clean answer: the best words so far, else a
// sentence; never a directive.
func (d *dialogue) finishWithWords() Result {
	env := directive.Envelope{Text: d.cfg.Words.Say("turn.failed")}
	if d.best != nil {
		env = *d.best
	}
	d.accept(env)
	if d.fault != nil {
		d.warn(d.fault)
	}
	if d.undeclared() { // the words may say that it was done
		d.warn(&ui.Error{Code: directive.CodePayloadInvalid, Path: d.fault.Path, Message: d.fault.Message})
	}
	return d.result
}

// undeclared reports that the last answer was an envelope with an undeclared key.
func (d *dialogue) undeclared() bool {
	return d.fault != nil && d.fault.Code == directive.CodeAmbiguous && d.fault.Message != "" && d.fault.Hint == ""
}

// failed ends a run with an outage; an answer that already says something
// outweighs it.
func (d *dialogue) failed(e *ui.Error) (Result, error) {
	if d.best != nil || e.Code == llm.CodeReplyInvalid || e.Code == llm.CodeReplyTooLarge {
		d.warn(e)
		return d.finishWithWords(), nil
	}
	return d.result, e
}

// plainText returns the part of an answer without an envelope that can be shown.
func (d *dialogue) plainText(s string) string {
	env, err := plainReader.Read(s)
	if err != nil || env.Text == "" {
		return d.cfg.Words.Say("turn.failed")
	}
	return excerpt.Runes(env.Text, maxGarbage)
}
