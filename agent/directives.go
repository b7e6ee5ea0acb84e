package agent

import (
	"context"
	"strings"

	"github.com/limn-ui/limn/directive"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// FormatName is the name of the JSON Schema sent with structured requests.
const FormatName = "limn_envelope"

// Directives asks for an envelope. The error, if any, is an outage with a code
// of package llm and comes with the attempts made; an answer that cannot be
// used is no error but a Result that says so in Text and Warnings.
func Directives(ctx context.Context, m llm.Model, c Config, in Input) (Result, error) {
	c = c.withDefaults()
	if c.Registry == nil {
		c.Registry = plainReader
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	d := &dialogue{run: start(ctx, m, c, directiveSystem(c, in), in), ladder: ladder(capabilities(m))}
	for len(d.result.Attempts) < MaxAttempts {
		done, err := d.step()
		if err != nil {
			return d.failed(err)
		}
		if done {
			return d.result, nil
		}
	}
	if d.fault == nil { // every attempt went into finding a request the server takes
		return d.result, ui.Errorf(llm.CodeUnsupported, "", "no request that the server takes in %d attempts", MaxAttempts)
	}
	return d.settle(), nil
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

// dialogue is a run for an envelope.
type dialogue struct {
	*run
	ladder   []Mode
	repaired bool
	best     *directive.Envelope // says something, but lost all its directives
	fault    *ui.Error           // what was wrong with the last answer
}

// step makes one attempt and judges it. done: result.Envelope is set.
func (d *dialogue) step() (done bool, outage *ui.Error) {
	mode := d.ladder[0]
	d.req.Format = nil
	switch mode {
	case ModeSchema:
		d.req.Format = &llm.Format{Name: FormatName, Schema: d.cfg.Registry.Schema()}
	case ModeObject:
		d.req.Format = &llm.Format{Name: FormatName}
	}
	reply, fault := d.ask(mode, d.repaired)
	if fault != nil {
		return false, d.refused(fault)
	}
	cut := reply.Check()
	if cut != nil && cut.Code == llm.CodeRefused {
		d.note(cut.Code)
		d.warn(cut)
		d.result.Envelope.Text = d.speakable(reply.Text)
		return true, nil
	}
	env, err := d.cfg.Registry.Read(reply.Text)
	switch {
	case err != nil && cut != nil:
		d.fault = cut // the cause of whatever Read says
	case err != nil:
		d.fault = asError(err)
		if e := droppedAll(env); e != nil {
			d.fault = e
		}
	default:
		if cut != nil {
			d.warn(cut)
		}
		if d.fault = droppedAll(env); d.fault == nil || d.repaired {
			d.take(env)
			if d.fault != nil {
				d.note(d.fault.Code)
			}
			return true, nil
		}
		d.best = &env
	}
	d.note(d.fault.Code)
	if d.repaired {
		d.settle()
		return true, nil
	}
	d.repair(reply.Text)
	return false, nil
}

// refused decides what an error means: the next rung, the same without a
// parameter, or an outage.
func (d *dialogue) refused(fault *ui.Error) *ui.Error {
	answerFault := fault.Code == llm.CodeReplyInvalid || fault.Code == llm.CodeReplyTooLarge
	switch {
	case fault.Code == llm.CodeUnsupported && d.dropParam(fault):
		return nil
	case fault.Code == llm.CodeUnsupported && len(d.ladder) > 1:
		d.ladder = d.ladder[1:]
		return nil
	case answerFault && !d.repaired:
		d.fault = fault
		d.repair("")
		return nil
	case answerFault:
		d.fault = fault
	}
	return fault
}

// droppedAll returns the reason why an envelope lost every directive it had.
func droppedAll(env directive.Envelope) *ui.Error {
	if len(env.Directives) > 0 {
		return nil
	}
	for _, w := range env.Warnings {
		if w.Code == directive.CodeUnknownType || w.Code == directive.CodePayloadInvalid {
			return w
		}
	}
	return nil
}

// repair asks once more and names the fault by its class, never in the server's
// or the user's words.
func (d *dialogue) repair(answer string) {
	d.repaired = true
	if strings.TrimSpace(answer) != "" {
		d.req.Messages = append(d.req.Messages, llm.Message{Role: llm.RoleAssistant, Text: clipRunes(answer, maxGarbage)})
	}
	text := "Your answer could not be used: " + string(d.fault.Code)
	if d.fault.Path != "" && d.fault.Code != llm.CodeReplyInvalid {
		text += " at " + oneLine(d.fault.Path, 120)
	}
	text += ". " + advice(d.fault) + " Answer again with exactly one JSON object {\"assistant_text\": …, \"directives\": […]} and nothing around it."
	d.req.Messages = append(d.req.Messages, llm.Message{Role: llm.RoleUser, Text: text})
}

func advice(e *ui.Error) string {
	switch e.Code {
	case llm.CodeTruncated, directive.CodeTooLarge, llm.CodeReplyTooLarge:
		return "It was too long: say less."
	case directive.CodeUnknownType:
		return "Use only the declared directive types."
	case directive.CodePayloadInvalid:
		return "Use only the declared payload keys and values: " + oneLine(e.Message, 120) + "."
	case directive.CodeEmpty:
		return "It said nothing."
	}
	return "It was not valid JSON of that form."
}

// take accepts an envelope as the result.
func (d *dialogue) take(env directive.Envelope) {
	for _, w := range env.Warnings {
		if w.Code == directive.CodeNone {
			env.Text = clipRunes(env.Text, maxGarbage)
		}
		d.warn(w)
	}
	d.result.Envelope = env
}

// settle ends a run without a clean answer: the best one so far, else a sentence.
func (d *dialogue) settle() Result {
	if d.best != nil {
		d.take(*d.best)
		return d.result
	}
	if d.fault != nil {
		d.warn(d.fault)
	}
	d.result.Envelope = directive.Envelope{Text: d.cfg.Words.Say("turn.failed")}
	return d.result
}

// failed ends a run with an outage; an answer that already says something
// outweighs it.
func (d *dialogue) failed(e *ui.Error) (Result, error) {
	if d.best != nil || e.Code == llm.CodeReplyInvalid || e.Code == llm.CodeReplyTooLarge {
		d.warn(e)
		return d.settle(), nil
	}
	return d.result, e
}

// speakable is what is shown of an answer that is no envelope.
func (d *dialogue) speakable(s string) string {
	env, err := plainReader.Read(s)
	if err != nil || env.Text == "" {
		return d.cfg.Words.Say("turn.failed")
	}
	return clipRunes(env.Text, maxGarbage)
}
