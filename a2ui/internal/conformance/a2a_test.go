package conformance

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/jsonx"
)

// extensions/a2a. extensions/adk is about another SDK's events: all optional.
func init() {
	const suite = "extensions/a2a/a2a_integration:"
	register(suite+"try_activate_extension", runTryExtension)
	register(suite+"try_activate", runTryActivate)
	register(suite+"select_newest", runNewest)
	register(suite+"get_extension", runGetExtension)
	register(suite+"create_a2ui_part", runCreatePart)
	register(suite+"is_a2ui_part", runIsPart)
	register(suite+"handle_rpc", runHandler)
}

// ownExtensions are the addresses that an agent of ours can advertise.
func ownExtensions() (uris []string) {
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10} {
		uris = append(uris, a2a.ExtensionURI(d))
	}
	return uris
}

func runTryExtension(c *testCase) error {
	if err := c.only("args", "expect"); err != nil {
		return err
	}
	args, err := c.args("uris", "requested", "advertised")
	if err != nil {
		return err
	}
	uris, advertised, want := []string{}, ownExtensions(), false
	err = errors.Join(into(args, "uris", &uris), into(args, "requested", &uris), into(args, "advertised", &advertised),
		into(c.Raw, "expect", &want))
	if err != nil {
		return err
	}
	if got := a2a.Activate(uris, advertised); (got != "") != want {
		return fmt.Errorf("activated %q, want %v", got, want)
	}
	return nil
}

// sides reads who requests and who advertises.
func (c *testCase) sides() (requested, advertised []string, err error) {
	args, err := c.args("requested", "advertised")
	if err != nil {
		return nil, nil, err
	}
	return requested, advertised, errors.Join(into(args, "requested", &requested),
		into(args, "advertised", &advertised))
}

func runTryActivate(c *testCase) error {
	if err := c.only("args", "expect"); err != nil {
		return err
	}
	requested, advertised, err := c.sides()
	if err != nil {
		return err
	}
	var want struct {
		Activated *string `json:"activated"`
		Version   *string `json:"version"`
	}
	if err := decodeStrict(c.get("expect"), &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	got := a2a.Activate(requested, advertised)
	version, _ := a2a.Version(got)
	if got != deref(want.Activated) || want.Version != nil && version != *want.Version {
		return fmt.Errorf("activated %q, version %q", got, version)
	}
	return nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func runNewest(c *testCase) error {
	if err := c.only("args", "expect"); err != nil {
		return err
	}
	requested, advertised, err := c.sides()
	if err != nil {
		return err
	}
	var want struct {
		Newest *string `json:"newest"`
	}
	if err := decodeStrict(c.get("expect"), &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	if advertised == nil {
		advertised = requested
	}
	if got := a2a.Activate(requested, advertised); got != deref(want.Newest) {
		return fmt.Errorf("newest %q, want %q", got, deref(want.Newest))
	}
	return nil
}

func runGetExtension(c *testCase) error {
	if err := c.only("args", "expect"); err != nil {
		return err
	}
	args, err := c.args("version", "acceptsInlineCatalogs", "supportedCatalogIds")
	if err != nil {
		return err
	}
	var version string
	var caps a2ui.ServerCapabilities
	err = errors.Join(into(args, "version", &version), into(args, "acceptsInlineCatalogs", &caps.AcceptsInline),
		into(args, "supportedCatalogIds", &caps.Catalogs))
	if err != nil {
		return err
	}
	d, err := dialectNamed(version)
	if err != nil {
		return err
	}
	e := a2a.NewExtension(d, caps)
	v, err := jsonx.Parse(a2a.AppendExtension(nil, e), jsonx.Limits{})
	if err != nil {
		return err
	}
	var want map[string]a2ui.Data
	if err := into(c.Raw, "expect", &want); err != nil {
		return err
	}
	for key, w := range want {
		switch key {
		case "uri", "params", "required":
			err = sameData(w, v.At(key))
		case "description": // the text is each SDK's own
		default:
			err = fmt.Errorf("the harness does not know the expectation %q", key)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// dialectNamed is the dialect of a version, v0.8 if the case names none.
func dialectNamed(version string) (a2ui.Dialect, error) {
	if version == "" {
		return a2ui.V08, nil
	}
	return a2ui.ParseDialect(withV(version))
}

func runCreatePart(c *testCase) error {
	if err := c.only("args", "expect"); err != nil {
		return err
	}
	args, err := c.args("data", "a2uiData", "version", "mimeType")
	if err != nil {
		return err
	}
	var version, mime string
	var data a2ui.Data
	err = errors.Join(into(args, "version", &version), into(args, "mimeType", &mime), into(args, "data", &data),
		into(args, "a2uiData", &data))
	if err != nil {
		return err
	}
	d, err := dialectNamed(version)
	if err != nil {
		return err
	}
	if mime == "" {
		mime = d.Features().MediaType
	}
	given := wantPart(c.get("expect"), a2a.Part{Kind: a2a.DataKind, Data: data, MediaType: mime})
	if given == nil || data.Kind != jsonx.Object {
		return given
	}
	wrapped := a2a.Wrap(d, data)[0] // a list since v0.9
	wrapped.MediaType = mime
	return wantPart(c.get("expect"), wrapped)
}

// wantPart compares a part with the expected members; cases write its media type
// as mimeType beside the kind, or in metadata.
func wantPart(raw json.RawMessage, p a2a.Part) error {
	var want map[string]a2ui.Data
	if err := json.Unmarshal(raw, &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	got, err := jsonx.Parse(a2a.AppendPart(nil, p), jsonx.Limits{})
	if err != nil {
		return err
	}
	for key, w := range want {
		switch key {
		case "kind", "text", "data", "metadata":
			err = sameData(w, got.At(key))
		case "mimeType", "mime_type":
			err = sameData(w, got.At("metadata").At("mimeType"))
		default:
			err = fmt.Errorf("the harness does not know the expectation %q", key)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func runIsPart(c *testCase) error {
	if err := c.only("args", "expect"); err != nil {
		return err
	}
	args, err := c.args("part", "kind", "data", "text", "mimeType", "metadata")
	if err != nil {
		return err
	}
	if raw := field(args, "part"); raw != nil {
		args = nil
		if err := json.Unmarshal(raw, &args); err != nil {
			return err
		}
	}
	if raw := field(args, "root"); raw != nil { // Python wraps a part in a root
		if err := json.Unmarshal(raw, &args); err != nil {
			return err
		}
	}
	if mime := field(args, "mimeType"); mime != nil && args["metadata"] == nil {
		args["metadata"] = json.RawMessage(`{"mimeType":` + string(mime) + `}`)
	}
	b, err := json.Marshal(args)
	if err != nil {
		return err
	}
	var want bool
	if err := into(c.Raw, "expect", &want); err != nil {
		return err
	}
	p, err := a2a.DecodePart(b, a2ui.Limits{})
	if got := err == nil && p.IsA2UI(); got != want {
		return fmt.Errorf("IsA2UI %v, want %v (%w)", got, want, err)
	}
	return nil
}

// runHandler turns what a model wrote into the parts of an answer. The cases bring
// no catalog, so no message is judged; and they want the newer media type on v0.8
// too (README §3.11), which is the handler's to choose.
func runHandler(c *testCase) error {
	if err := c.only("args", "expect"); err != nil {
		return err
	}
	args, err := c.args("request", "runnerOutput")
	if err != nil {
		return err
	}
	var output string
	var request struct {
		Params struct {
			Message struct{ Metadata json.RawMessage }
		}
	}
	if err := errors.Join(into(args, "runnerOutput", &output), into(args, "request", &request)); err != nil {
		return err
	}
	if metadata := request.Params.Message.Metadata; metadata != nil {
		if _, err := a2a.DecodeMetadata(metadata, a2ui.Limits{}); err != nil {
			return err
		}
	}
	parts, _ := a2a.Answer(a2a.AnswerOptions{Parser: a2ui.ParserOptions{Check: a2ui.CheckNothing, Strict: true},
		MediaType: a2a.MediaType}, output)
	var want struct {
		Parts []json.RawMessage `json:"parts"`
	}
	if err := decodeStrict(c.get("expect"), &want); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	if len(parts) != len(want.Parts) {
		return fmt.Errorf("%d parts, want %d: %+v", len(parts), len(want.Parts), parts)
	}
	for i, p := range parts {
		if err := wantPart(want.Parts[i], p); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
	}
	return nil
}
