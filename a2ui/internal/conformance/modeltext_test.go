package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

func init() {
	register("parse_full", parseFull)
	register("fix_payload", fixPayload)
	register("has_parts", hasParts)
	register("process_chunk", processChunk)
	register("compile", compilePayload)
	register("compile_payload", compilePayload)
	register("decompile_payload", decompilePayload)
	register("unwrap_response", unwrapResponse)
	register("wrap_response", wrapResponse)
	register("parse_response", parseResponse)
	register("parse_chunk", parseChunk)
}

// textPart is a part as cases write it: text, messages, or both when the suite
// puts the text before a payload into the same part.
type textPart struct {
	Text  string            `json:"text,omitempty"`
	A2UI  []json.RawMessage `json:"a2ui,omitempty"`
	Raw   string            `json:"a2ui_raw,omitempty"`
	Final *bool             `json:"is_final,omitempty"`
	none  bool              // a payload without messages
}

// problemsOf turns what the product says into faults.
func problemsOf(err error) []fault {
	var list a2ui.Problems
	if !errors.As(err, &list) {
		if err == nil {
			return nil
		}
		return []fault{errorFault(err, 0, nil)}
	}
	var faults []fault
	for i := range list {
		faults = append(faults, problemFault(&list[i], 0, nil))
	}
	return faults
}

// messagesOf returns the parts as cases write them.
func messagesOf(parts []a2ui.Part) []textPart {
	var list []textPart
	for _, p := range parts {
		out := textPart{Text: p.Text}
		for _, m := range p.Messages {
			out.A2UI = append(out.A2UI, m.JSON)
		}
		list = append(list, out)
	}
	return list
}

// combine joins a text with the payload behind it, as the first SDKs did.
func combine(parts []textPart) []textPart {
	var list []textPart
	for _, p := range parts {
		if n := len(list); n > 0 && p.Text == "" && list[n-1].A2UI == nil && !list[n-1].none {
			list[n-1].A2UI, list[n-1].none = p.A2UI, p.none
			continue
		}
		list = append(list, p)
	}
	return list
}

// fold is what all parts of a stream come to: texts joined, the pieces of a
// message put together.
func fold(parts []a2ui.Part) []textPart {
	var list []textPart
	var last a2ui.Parsed
	for _, p := range parts {
		n := len(list)
		if p.Messages == nil {
			if n > 0 && list[n-1].A2UI == nil {
				list[n-1].Text += p.Text
			} else {
				list = append(list, textPart{Text: p.Text})
			}
			continue
		}
		if n == 0 || list[n-1].A2UI == nil {
			list, last = append(list, textPart{}), a2ui.Parsed{}
		}
		at := &list[len(list)-1]
		for _, m := range p.Messages {
			if k := len(at.A2UI); k > 0 && last.Number == m.Number && last.Early {
				at.A2UI[k-1] = m.JSON
			} else if k > 0 && last.Number == m.Number {
				at.A2UI[k-1] = joinPieces(at.A2UI[k-1], m.JSON)
			} else {
				at.A2UI = append(at.A2UI, m.JSON)
			}
			last = m
		}
	}
	return list
}

// joinPieces appends the components of b to those of a.
func joinPieces(a, b json.RawMessage) json.RawMessage {
	va, _ := value(a)
	vb, _ := value(b)
	for i, m := range va.Members {
		if m.Value.Kind != jsonx.Object {
			continue
		}
		more := vb.At(m.Key).At("components").Items
		for j, f := range m.Value.Members {
			if f.Key == "components" {
				va.Members[i].Value.Members[j].Value.Items = append(f.Value.Items, more...)
			}
		}
	}
	return jsonx.Append(nil, va)
}

// sameParts compares parts with those of a case, exactly.
func sameParts(got []textPart, want json.RawMessage) error {
	var list []textPart
	if want != nil {
		if err := decodeStrict(want, &list); err != nil {
			return err
		}
	}
	same := len(got) == len(list)
	for i := 0; same && i < len(got); i++ {
		g, w := got[i], list[i]
		same = g.Text == w.Text && g.Raw == w.Raw && len(g.A2UI) == len(w.A2UI) &&
			(w.Final == nil || g.Final != nil && *g.Final == *w.Final)
		for k := 0; same && k < len(g.A2UI); k++ {
			same = equalJSON(g.A2UI[k], w.A2UI[k])
		}
	}
	if !same {
		b, _ := json.Marshal(got)
		return fmt.Errorf("got  %s\nwant %s", b, want)
	}
	return nil
}

func equalJSON(a, b json.RawMessage) bool {
	va, errA := value(a)
	vb, errB := value(b)
	return errA == nil && errB == nil && bytes.Equal(jsonx.AppendCanonical(nil, va), jsonx.AppendCanonical(nil, vb))
}

// expectParts compares an outcome with what a case or a step expects.
func expectParts(fail *wantError, want json.RawMessage, got []textPart, err error) error {
	if fail != nil {
		return fail.match(problemsOf(err))
	}
	if err != nil {
		return err
	}
	return sameParts(got, want)
}

// parseFull reads a whole answer part by part. The suite wants at least one
// block.
func parseFull(c *testCase) error {
	if err := c.only("input", "expect", "expectError"); err != nil {
		return err
	}
	s, err := newStep(c.Raw)
	if err != nil {
		return err
	}
	input := []byte(c.text("input"))
	var parts []textPart
	err = nil
	if !a2ui.HasParts(input) {
		err = &a2ui.Problem{Code: wire.EnvelopeUnreadable, Message: "no A2UI"}
	}
	for _, b := range a2ui.Unwrap(input) {
		if !b.Tagged {
			parts = append(parts, textPart{Text: b.Text})
			continue
		}
		list, fixErr := a2ui.FixPayload([]byte(b.Payload))
		err = errors.Join(err, fixErr)
		parts = append(parts, textPart{A2UI: rawList(list), none: true})
	}
	return expectParts(s.fail, s.expect, combine(parts), err)
}

func rawList(list []a2ui.Data) []json.RawMessage {
	var out []json.RawMessage
	for _, v := range list {
		out = append(out, jsonx.Append(nil, v))
	}
	return out
}

func fixPayload(c *testCase) error {
	if err := c.only("input", "expect", "expectError"); err != nil {
		return err
	}
	s, err := newStep(c.Raw)
	if err != nil {
		return err
	}
	list, err := a2ui.FixPayload([]byte(c.text("input")))
	if s.fail != nil {
		return s.fail.match(problemsOf(err))
	}
	if err != nil {
		return err
	}
	return holds("payload", jsonx.OfArray(list...), s.expect)
}

func hasParts(c *testCase) error {
	if err := c.only("input", "expect"); err != nil {
		return err
	}
	if got, want := a2ui.HasParts([]byte(c.text("input"))), string(c.get("expect")) == "true"; got != want {
		return fmt.Errorf("got %v, want %v", got, want)
	}
	return nil
}

// processChunk streams through the mode of the first parsers.
func processChunk(c *testCase) error {
	if err := c.only("catalog", "disableValidation", "steps"); err != nil {
		return err
	}
	var inline struct {
		CustomCuttableKeys            []string
		Custom_cuttable_keys          []string
		CatalogSchema, Catalog_schema json.RawMessage
	}
	if err := json.Unmarshal(c.get("catalog"), &inline); err != nil {
		return err
	}
	d, err := c.reads()
	if err != nil {
		return err
	}
	o := a2ui.ParserOptions{Legacy: &a2ui.LegacyParser{
		CuttableKeys: append(inline.CustomCuttableKeys, inline.Custom_cuttable_keys...)}}
	schema := inline.CatalogSchema
	if schema == nil {
		schema = inline.Catalog_schema
	}
	var name string
	if json.Unmarshal(schema, &name) == nil && name != "" {
		if schema, err = c.file(name); err != nil {
			return err
		}
	}
	if o.Rules, err = textRules(d, schema); err != nil {
		return err
	}
	c.aliases(&o.Rules)
	switch {
	case string(field(c.Raw, "disableValidation")) == "true":
		o.Check = a2ui.CheckNothing
	case d == a2ui.V08: // the schema that the cases bring leaves values and data open
		o.Check = a2ui.CheckEnvelope
		if len(o.Rules.Catalog.Components) == 0 { // and types, without any in the catalog
			o.Rules.Catalog = nil
		}
	}
	return streamSteps(c, o, true)
}

// textRules are the rules for messages of a catalog.
func textRules(d a2ui.Dialect, doc json.RawMessage) (a2ui.Rules, error) {
	r := a2ui.Rules{Dialect: d}
	if doc == nil {
		return r, nil
	}
	compiled, err := catalog.Compile(doc, d)
	if err != nil {
		return r, err
	}
	copied := *compiled
	// A catalog without a theme: the schema of messages leaves it open.
	copied.ThemeOpen = copied.ThemeOpen || len(copied.Theme) == 0
	r.Catalog = &copied
	return r, nil
}

// aliases takes the ids that a model's text gives its catalog (README §1).
func (c *testCase) aliases(r *a2ui.Rules) {
	r.Aliases = map[string]string{}
	for _, raw := range []json.RawMessage{c.get("steps"), c.get("input")} {
		for _, m := range namedCatalog.FindAllSubmatch(raw, -1) {
			if id := string(m[1]); r.Catalog != nil && !unknownID(id) {
				r.Aliases[id] = r.Catalog.ID
			}
		}
	}
}

// streamSteps writes one step after the other.
func streamSteps(c *testCase, o a2ui.ParserOptions, together bool) error {
	steps, _, err := c.steps("input")
	if err != nil {
		return err
	}
	p := a2ui.NewParser(o)
	var all []a2ui.Part
	var input strings.Builder
	for i, s := range steps {
		in := str(field(s.raw, "input"))
		input.WriteString(in)
		parts, err := p.Write([]byte(in))
		all = append(all, parts...)
		got := messagesOf(parts)
		if together {
			got = combine(got)
		}
		if err := expectParts(s.fail, s.expect, got, err); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if string(field(c.Raw, "expectMatchesSingleShot")) != "true" {
		return nil
	}
	last, err := p.Close()
	if err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	once, err := a2ui.ParseText(o, []byte(input.String()))
	if err != nil {
		return fmt.Errorf("single shot: %w", err)
	}
	want, err := json.Marshal(fold(once))
	if err != nil {
		return err
	}
	return sameParts(fold(append(all, last...)), want)
}

// textArgs are the arguments of the suites of direct JSON.
type textArgs struct {
	Format           string
	Catalog          json.RawMessage
	Wrapped          *bool
	Progressive_keys []string
}

// options returns how a case of these suites reads.
func (c *testCase) options() (o a2ui.ParserOptions, err error) {
	var args textArgs
	if raw := c.get("args"); raw != nil {
		if err := decodeStrict(raw, &args); err != nil {
			return o, fmt.Errorf("args: %w", err)
		}
	}
	if args.Format != "direct_json" {
		return o, fmt.Errorf("the harness does not know the format %q", args.Format)
	}
	// The cases of the protocol's last version name keys of both dialects: each
	// message tells its own.
	d := a2ui.V10
	if c.text("dialect") == "v1.0-rc" {
		d = a2ui.V10RC
	}
	doc := args.Catalog
	var name string
	if json.Unmarshal(doc, &name) == nil && name != "" {
		if doc, err = c.file(name); err != nil {
			return o, err
		}
	}
	if args.Progressive_keys == nil { // cases turn them off with an empty list
		args.Progressive_keys = []string{"text", "label", "hint", "caption", "altText"}
	}
	o = a2ui.ParserOptions{Eager: true, DefaultCatalog: true, ProgressiveKeys: args.Progressive_keys,
		Unwrapped: args.Wrapped != nil && !*args.Wrapped}
	o.Rules, err = textRules(d, doc)
	c.aliases(&o.Rules)
	return o, err
}

// compilePayload reads what stands between the tags.
func compilePayload(c *testCase) error {
	if err := c.only("args", "input", "expect", "expectError"); err != nil {
		return err
	}
	s, err := newStep(c.Raw)
	if err != nil {
		return err
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	list, err := readPayload(o, []byte(c.text("input")))
	if s.fail != nil {
		return s.fail.match(problemsOf(err))
	}
	if err != nil {
		return err
	}
	return sameParts([]textPart{{A2UI: list}}, append(append([]byte(`[{"a2ui":`), s.expect...), "}]"...))
}

func readPayload(o a2ui.ParserOptions, payload []byte) (list []json.RawMessage, err error) {
	o.Unwrapped, o.Strict = true, true
	parts, err := a2ui.ParseText(o, payload)
	for _, p := range messagesOf(parts) {
		list = append(list, p.A2UI...)
	}
	return list, err
}

// decompilePayload writes messages as a payload.
func decompilePayload(c *testCase) error {
	if err := c.only("args", "messages", "expectContains", "expectRoundTrip"); err != nil {
		return err
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	_, msgs, err := a2ui.DecodeMessages(c.get("messages"))
	if err != nil {
		return err
	}
	block, err := a2ui.Wrap(o.Rules.Dialect, msgs...)
	if err != nil {
		return err
	}
	payload := a2ui.Unwrap(block)[0].Payload
	if err := contains(payload, field(c.Raw, "expectContains")); err != nil ||
		string(field(c.Raw, "expectRoundTrip")) != "true" {
		return err
	}
	list, err := readPayload(o, []byte(payload))
	if err != nil {
		return err
	}
	want, err := split(c.get("messages"))
	if err != nil || len(list) != len(want) {
		return fmt.Errorf("%d messages, want %d: %w", len(list), len(want), err)
	}
	for i := range list {
		if err := sameJSON(list[i], want[i]); err != nil {
			return err
		}
	}
	return nil
}

// contains looks for texts; white space that JSON does not need may differ.
func contains(text string, raw json.RawMessage) error {
	var list []string
	if raw != nil {
		if err := json.Unmarshal(raw, &list); err != nil {
			return err
		}
	}
	for _, want := range list {
		if !strings.Contains(text, want) {
			return fmt.Errorf("%q is not in %q", want, text)
		}
	}
	return nil
}

func blockParts(blocks []a2ui.Block) []textPart {
	var list []textPart
	for _, b := range blocks {
		p := textPart{Text: b.Text}
		if b.Tagged {
			p = textPart{Raw: b.Payload, Final: &b.Closed}
		}
		list = append(list, p)
	}
	return list
}

func unwrapResponse(c *testCase) error {
	if err := c.only("args", "input", "expect"); err != nil {
		return err
	}
	return sameParts(blockParts(a2ui.Unwrap([]byte(c.text("input")))), c.get("expect"))
}

// wrapResponse writes parts back as an answer.
func wrapResponse(c *testCase) error {
	if err := c.only("args", "parts", "expect", "expectContains", "expectRoundTrip", "expectOutput"); err != nil {
		return err
	}
	var parts []textPart
	if err := decodeStrict(c.get("parts"), &parts); err != nil {
		return err
	}
	var pieces []string
	for _, p := range parts {
		if p.Text != "" {
			pieces = append(pieces, p.Text)
			continue
		}
		pieces = append(pieces, a2ui.OpenTag+"\n"+string(p.Raw)+"\n"+a2ui.CloseTag)
	}
	text := strings.Join(pieces, "\n")
	if err := contains(text, field(c.Raw, "expectContains")); err != nil {
		return err
	}
	for _, raw := range []json.RawMessage{field(c.Raw, "expect"), field(c.Raw, "expectOutput")} {
		if raw != nil && str(raw) != text {
			return fmt.Errorf("got %q, want %s", text, raw)
		}
	}
	if string(field(c.Raw, "expectRoundTrip")) != "true" {
		return nil
	}
	return sameParts(blockParts(a2ui.Unwrap([]byte(text))), c.get("parts"))
}

// parseResponse reads a whole answer.
func parseResponse(c *testCase) error {
	if err := c.only("args", "input", "expect", "expectError"); err != nil {
		return err
	}
	s, err := newStep(c.Raw)
	if err != nil {
		return err
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	parts, err := a2ui.ParseText(o, []byte(c.text("input")))
	return expectParts(s.fail, s.expect, messagesOf(parts), err)
}

// parseChunk reads an answer as it streams.
func parseChunk(c *testCase) error {
	if err := c.only("args", "steps", "expectMatchesSingleShot"); err != nil {
		return err
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	return streamSteps(c, o, false)
}
