package ingress

import (
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Names of what clients send beside an event: the data models of surfaces that were
// created with sendDataModel, as v0.9 and as v1.0 spell it, and where A2A has them.
const (
	memberModel   = "a2uiClientDataModel"
	memberModelV1 = "a2uiRendererDataModel"
	memberBeside  = "metadata"
)

const modelHint = `send {"version":"v0.9","surfaces":{"form:guest#e=1":{…}}}, as the renderer makes it`

// Model reads the data models in the metadata of a message: surface ids and what each
// shows. It has the kind Null if there are none. Other members of metadata belong to
// others. Errors are CodeEnvelope.
func Model(metadata jsonx.Value) (jsonx.Value, error) {
	var found jsonx.Value
	for _, name := range []string{memberModel, memberModelV1} {
		sent, ok := metadata.Get(name)
		if !ok {
			continue
		}
		wrong := func(path, message string) (jsonx.Value, error) {
			return jsonx.Value{}, &ui.Error{Code: CodeEnvelope, Path: "/" + name + path, Message: message,
				Hint: modelHint}
		}
		surfaces := sent.At("surfaces")
		d, err := a2ui.ParseDialect(sent.At("version").Text())
		switch {
		case found.Kind != jsonx.Null:
			return wrong("", "the data models are there twice")
		case err != nil || d.Features().DataModelMember == "":
			return wrong("/version", "want a version of A2UI in which clients send data models")
		case surfaces.Kind != jsonx.Object:
			return wrong("/surfaces", "want an object of surface ids and their data models")
		}
		for _, m := range surfaces.Members {
			if m.Value.Kind != jsonx.Object {
				return wrong("/surfaces/"+excerpt.Head(m.Key, 64), "a data model is an object")
			}
		}
		found = surfaces
	}
	return found, nil
}

// takeModel removes from a message what its client sends beside the event, and returns
// the data models in it.
func takeModel(v *jsonx.Value) (jsonx.Value, error) {
	if v.Kind != jsonx.Object {
		return jsonx.Value{}, nil
	}
	beside, rest := jsonx.Value{Kind: jsonx.Object}, make([]jsonx.Member, 0, len(v.Members))
	for _, m := range v.Members {
		switch m.Key {
		case memberModel, memberModelV1:
			beside.Members = append(beside.Members, m)
		case memberBeside:
			if m.Value.Kind != jsonx.Object {
				return jsonx.Value{}, &ui.Error{Code: CodeEnvelope, Path: "/" + memberBeside,
					Message: "metadata is an object", Hint: `send {"metadata":{"a2uiClientDataModel":{…}}}`}
			}
			beside.Members = append(beside.Members, m.Value.Members...)
		default:
			rest = append(rest, m)
		}
	}
	v.Members = rest
	return Model(beside)
}

// Sent has the values of the inputs of one surface, as a client shows it.
type Sent struct {
	Surface *ui.Surface
	Rev     uint64 // that the client has seen
	Values  []ui.Leaf
}

// Drafts reads the data models that a client sends. What is no surface of this state,
// and what takes no input any more, is left out, and so are values that no input has:
// the warnings name them.
func Drafts(s *ui.State, model jsonx.Value) (out []Sent, warnings []*ui.Error) {
	warn := func(path, message string) {
		if len(warnings) < maxWarnings {
			warnings = append(warnings, ui.Errorf(CodeEnvelope, excerpt.Head(path, 256), "%s", message))
		}
	}
	for _, m := range model.Members {
		name, epoch, err := ui.ParseWireID(m.Key)
		sf := s.Surface(name)
		if err != nil || sf == nil || sf.Epoch != epoch || sf.Status == ui.StatusSubmitted {
			warn("/"+m.Key, "no surface that takes input; its data are left out")
			continue
		}
		adm, owners := Admitted{Surface: sf}, ownersOf(sf)
		drafts := make(map[string]jsonx.Value)
		for _, one := range m.Value.At(ui.DraftRoot).Members {
			drafts[one.Key] = one.Value
		}
		for _, p := range slices.Sorted(maps.Keys(owners)) {
			keys := p.Segments()[1:]
			raw, ok := drafts[keys[0]]
			for _, key := range keys[1:] {
				raw, ok = raw.Get(key)
			}
			if !ok {
				continue
			}
			bound := ui.Context{Key: string(p[1:]), Path: p}
			if err := adm.value(owners[p], bound, raw, true, true, false); err != nil {
				e := ui.AsError(err, CodeEnvelope, "")
				warn("/"+m.Key+strings.TrimPrefix(e.Path, "/context"), e.Message)
			}
		}
		rev, _ := revOf(unwrap(m.Value.At(ui.UIStateRoot).At("rev")))
		out = append(out, Sent{Surface: sf, Rev: rev, Values: adm.Values})
	}
	return out, warnings
}
