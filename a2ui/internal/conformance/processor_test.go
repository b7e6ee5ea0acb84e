package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
)

// agent/request_processor: negotiation, prompt and parser in one; and the prompts
// of agent/inference_format.
func init() {
	register("create_format", runCreateFormat)
	register("create_processor", runCreateProcessor)
	register("generate_prompt", runGeneratePrompt)
	register("agent/inference_format:process_chunk", runAnswer)
}

// format makes a format for the active catalogs of a case.
func (c *testCase) format(args map[string]json.RawMessage, active []*catalog.Document) (*catalog.Format, error) {
	format := "direct_json"
	if err := errors.Join(into(args, "format", &format), into(args, "formatOverride", &format)); err != nil {
		return nil, err
	}
	if format != "direct_json" {
		return nil, fmt.Errorf("there is no format %q", format)
	}
	var paths []string
	if err := into(args, "examples", &paths); err != nil {
		return nil, err
	}
	cfg := catalog.FormatConfig{Catalogs: active, Parser: a2ui.ParserOptions{DefaultCatalog: true}}
	for _, path := range paths {
		examples, err := catalog.LoadExamples(os.DirFS(c.root()), nil, path)
		if err != nil || len(examples) == 0 {
			return nil, fmt.Errorf("the example %s: %w", path, err)
		}
		cfg.Examples = append(cfg.Examples, examples...)
	}
	return catalog.NewFormat(cfg)
}

// processorFault files an error of the facade: that of a catalog, or of messages.
func processorFault(raw json.RawMessage, err error) error {
	var e *catalog.Error
	if raw == nil || err == nil || errors.As(err, &e) {
		return wantCatalogError(raw, err)
	}
	w, wantErr := parseWant(raw)
	if wantErr != nil {
		return wantErr
	}
	return w.match(problemsOf(err))
}

func runCreateFormat(c *testCase) error {
	if err := c.only("args", "expect", "expectError"); err != nil {
		return err
	}
	args, err := c.args("format", "catalogs", "examples", "probeChunks")
	if err != nil {
		return err
	}
	h, err := c.host(field(args, "catalogs"), false)
	if err != nil {
		return err
	}
	f, err := c.format(args, h.Catalogs)
	if raw := c.get("expectError", "expect_error"); raw != nil || err != nil {
		return processorFault(raw, err)
	}
	var want map[string]json.RawMessage
	if err := into(c.Raw, "expect", &want); err != nil {
		return err
	}
	if err := known(want, "promptSnippetContains", "promptSnippetAbsent", "parsersAreDistinct", "parserStateIsolated"); err != nil {
		return err
	}
	var distinct, isolated *bool
	var chunks []string
	err = errors.Join(wantPrompt(want, f), into(want, "parsersAreDistinct", &distinct),
		into(want, "parserStateIsolated", &isolated), into(args, "probeChunks", &chunks))
	if err != nil {
		return err
	}
	if one, other := f.NewParser(), f.NewParser(); distinct != nil && (one != other) != *distinct {
		return errors.New("two calls of NewParser return one parser")
	}
	if isolated != nil {
		return wantIsolated(f, chunks, *isolated)
	}
	return nil
}

func wantPrompt(want map[string]json.RawMessage, f *catalog.Format) error {
	var contains, absent []string
	if err := errors.Join(into(want, "promptSnippetContains", &contains), into(want, "promptSnippetAbsent", &absent)); err != nil {
		return err
	}
	if f == nil && (contains != nil || absent != nil) {
		return errors.New("no prompt")
	}
	for _, s := range contains {
		if !strings.Contains(f.Prompt(), s) {
			return fmt.Errorf("the prompt has no %q", s)
		}
	}
	for _, s := range absent {
		if strings.Contains(f.Prompt(), s) {
			return fmt.Errorf("the prompt has %q", s)
		}
	}
	return nil
}

// feed gives a parser all chunks of an answer and returns what it reads.
func feed(p *a2ui.Parser, chunks []string) ([]a2ui.Part, error) {
	var all []a2ui.Part
	var errs []error
	for _, chunk := range chunks {
		parts, err := p.Write([]byte(chunk))
		all, errs = append(all, parts...), append(errs, err)
	}
	parts, err := p.Close()
	return append(all, parts...), errors.Join(append(errs, err)...)
}

// wantIsolated stops one parser inside a message and sees whether another one
// minds.
func wantIsolated(f *catalog.Format, chunks []string, want bool) error {
	if len(chunks) < 2 {
		return errors.New("the case has nothing to stop in")
	}
	first, err := feed(f.NewParser(), chunks)
	if err != nil {
		return err
	}
	if _, err := f.NewParser().Write([]byte(chunks[0])); err != nil {
		return err
	}
	second, err := feed(f.NewParser(), chunks)
	if err != nil {
		return err
	}
	a, _ := json.Marshal(fold(first))
	b, _ := json.Marshal(fold(second))
	if len(first) == 0 || (string(a) == string(b)) != want {
		return fmt.Errorf("read %s, and then %s", a, b)
	}
	return nil
}

func runCreateProcessor(c *testCase) error {
	if err := c.only("args", "expect", "expectError", "thenParse"); err != nil {
		return err
	}
	args, err := c.args("format", "formatOverride", "catalogs", "examples", "acceptsInlineCatalogs",
		"rendererCapabilities")
	if err != nil {
		return err
	}
	active, err := c.resolve(args)
	var f *catalog.Format
	if err == nil && len(active) > 0 {
		f, err = c.format(args, active)
	}
	if raw := c.get("expectError", "expect_error"); raw != nil || err != nil {
		return processorFault(raw, err)
	}
	var want map[string]json.RawMessage
	if err := into(c.Raw, "expect", &want); err != nil {
		return err
	}
	err = errors.Join(known(want, "activeCatalogIds", "catalogs", "promptSnippetContains", "promptSnippetAbsent"),
		wantActive(want, active, true), wantPrompt(want, f))
	if raw := field(c.Raw, "thenParse"); raw != nil && err == nil {
		return thenParse(f, raw)
	}
	return err
}

// thenParse reads an answer with the format that was made.
func thenParse(f *catalog.Format, raw json.RawMessage) error {
	var then map[string]json.RawMessage
	if err := json.Unmarshal(raw, &then); err != nil {
		return fmt.Errorf("thenParse: %w", err)
	}
	var input string
	chunks := []string{}
	err := errors.Join(known(then, "input", "chunks", "expect", "expectError"), into(then, "input", &input),
		into(then, "chunks", &chunks))
	if err != nil {
		return err
	}
	if f == nil {
		return errors.New("no parser")
	}
	if field(then, "chunks") == nil {
		chunks = []string{input}
	}
	parts, err := feed(f.NewParser(), chunks)
	s, wantErr := newStep(then)
	if wantErr != nil {
		return wantErr
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(s.expect, &object) == nil && object["parts"] != nil {
		s.expect = object["parts"]
	}
	got := fold(parts)
	if failed := expectParts(s.fail, s.expect, got, err); failed != nil {
		if s.fail == nil && err == nil && sameParts(combine(got), s.expect) == nil {
			return nil // text and payload in one part
		}
		return failed
	}
	return nil
}

func runGeneratePrompt(c *testCase) error {
	if err := c.only("args", "expectContains"); err != nil {
		return err
	}
	args, err := c.args("version", "roleDescription", "workflowDescription", "uiDescription", "includeSchema",
		"includeExamples", "examplesPath")
	if err != nil {
		return err
	}
	cfg, version, examples := catalog.FormatConfig{}, "", ""
	err = errors.Join(into(args, "version", &version), into(args, "roleDescription", &cfg.Role),
		into(args, "workflowDescription", &cfg.Workflow),
		into(args, "uiDescription", &cfg.UI), into(args, "examplesPath", &examples))
	if err != nil {
		return err
	}
	d, err := dialectNamed(version)
	if err != nil {
		return err
	}
	cfg.Catalogs = []*catalog.Document{catalog.Describe(a2ui.Basic(d), d)}
	if cfg.Examples, err = catalog.LoadExamples(os.DirFS(c.root()), nil, examples); err != nil {
		return err
	}
	f, err := catalog.NewFormat(cfg)
	if err != nil {
		return err
	}
	return c.wantText(f.Prompt())
}

var namedCatalog = regexp.MustCompile(`"catalogId\\*"\s*:\s*\\*"([^"\\]+)`)

// runAnswer reads an answer as it streams; ids of catalogs that it names and
// nobody supplies are those of the basic one (README §1).
func runAnswer(c *testCase) error {
	if err := c.only("catalog", "disableValidation", "steps"); err != nil {
		return err
	}
	var inline map[string]json.RawMessage
	if err := into(c.Raw, "catalog", &inline); err != nil {
		return err
	}
	d, err := c.reads()
	if err != nil {
		return err
	}
	rules, err := textRules(d, field(inline, "catalogSchema"))
	if err != nil {
		return err
	}
	if rules.Catalog == nil {
		rules.Catalog = a2ui.Basic(d)
	}
	rules.Aliases = map[string]string{}
	for _, m := range namedCatalog.FindAllSubmatch(c.get("steps"), -1) {
		if id := string(m[1]); id != rules.Catalog.ID && !unknownID(id) {
			rules.Aliases[id] = rules.Catalog.ID
		}
	}
	o := a2ui.ParserOptions{Rules: rules, Legacy: &a2ui.LegacyParser{}}
	if string(field(c.Raw, "disableValidation")) == "true" {
		o.Check = a2ui.CheckNothing
	}
	steps, _, err := c.steps("input")
	if err != nil {
		return err
	}
	p := a2ui.NewParser(o)
	for i, s := range steps {
		parts, err := p.Write([]byte(str(field(s.raw, "input"))))
		parts = slices.DeleteFunc(parts, func(p a2ui.Part) bool { // text without a character is no part here
			return p.Messages == nil && strings.TrimSpace(p.Text) == ""
		})
		if err := expectParts(s.fail, s.expect, combine(messagesOf(parts)), err); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}
