package ingress

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// memberBeside is where A2A has the data that clients send beside a message.
const memberBeside = "metadata"

// modelMembers are the names of data models, as v0.9 and as v1.0 spell them, and
// capabilityMembers those of capabilities.
var (
	modelMembers      = []string{a2ui.V09.Features().DataModelMember, a2ui.V10.Features().DataModelMember}
	capabilityMembers = []string{a2ui.V09.Features().CapabilitiesMember, a2ui.V10.Features().CapabilitiesMember}
)

// Capabilities reads the capabilities of the client from the body of an event, beside the event
// or in its metadata, under any of their names: nil if there are none. Errors are CodeEnvelope.
func Capabilities(body []byte, lim Limits) (speaks map[a2ui.Dialect]a2ui.Capabilities, err error) {
	lim = lim.withDefaults()
	v, err := jsonx.Parse(body, lim.withModels())
	if err != nil {
		return nil, jsonError(err)
	}
	sources := [...]jsonx.Value{v, v.At(memberBeside)}
	for _, name := range capabilityMembers {
		for _, of := range sources {
			one, ok := of.Get(name)
			if !ok {
				continue
			}
			byVersion, err := a2ui.DecodeCapabilities(jsonx.Append(nil, one), lim.A2UI())
			if err != nil {
				return nil, wrongBeside(name, err, `send {"v0.9":{"supportedCatalogIds":["https://…"]}}`)
			}
			if speaks == nil {
				speaks = byVersion
			}
			maps.Copy(speaks, byVersion)
		}
	}
	return speaks, nil
}

// hasCapabilities reports whether a message says what its client can show.
func hasCapabilities(v jsonx.Value) bool {
	return slices.ContainsFunc(capabilityMembers, func(name string) bool {
		_, beside := v.Get(name)
		_, within := v.At(memberBeside).Get(name)
		return beside || within
	})
}

// takeModel removes from a message the members that its client sends beside the event,
// and returns the data models in them: surface ids and their data. It has the kind Null if
// there are none. Capabilities reads the others. Errors are CodeEnvelope.
func takeModel(v *jsonx.Value, lim Limits) (found jsonx.Value, err error) {
	if v.Kind != jsonx.Object {
		return found, nil
	}
	var beside, rest []jsonx.Member
	for _, m := range v.Members {
		switch {
		case slices.Contains(modelMembers, m.Key), slices.Contains(capabilityMembers, m.Key):
			beside = append(beside, m)
		case m.Key != memberBeside:
			rest = append(rest, m)
		case m.Value.Kind != jsonx.Object:
			return found, &ui.Error{Code: CodeEnvelope, Path: "/" + memberBeside, Message: "metadata is an object",
				Hint: `send {"metadata":{"a2uiClientDataModel":{…}}}`}
		default:
			beside = append(beside, m.Value.Members...)
		}
	}
	v.Members = rest
	for _, m := range beside {
		if slices.Contains(capabilityMembers, m.Key) {
			continue
		}
		if !slices.Contains(modelMembers, m.Key) {
			return found, &ui.Error{Code: CodeEnvelope, Path: "/" + memberBeside + "/" + excerpt.Head(m.Key, 64),
				Message: "a member that is not known",
				Hint: "metadata has " + strings.Join(modelMembers, " or ") + ", and " +
					strings.Join(capabilityMembers, " or ")}
		}
		if found.Kind != jsonx.Null {
			return found, wrongModel(m.Key, errors.New("the data models are there twice"))
		}
		_, models, err := a2ui.DecodeClientData(jsonx.Append(nil, m.Value), lim.A2UI())
		if err != nil {
			return found, wrongModel(m.Key, err)
		}
		found = jsonx.OfObject(models...)
	}
	return found, nil
}

func wrongModel(member string, err error) error {
	return wrongBeside(member, err,
		`send {"version":"v0.9","surfaces":{"form:guest#e=1":{…}}}, as the renderer makes it`)
}

func wrongBeside(member string, err error, hint string) error {
	e := &ui.Error{Code: CodeEnvelope, Path: "/" + member, Message: excerpt.Head(err.Error(), 256), Err: err,
		Hint: hint}
	if p, ok := errors.AsType[*a2ui.Problem](err); ok {
		e.Path, e.Message = e.Path+excerpt.Head(p.Path, 256), excerpt.Head(p.Message, 256)
	}
	return e
}

// Sent has the values of the inputs of one surface, as a client shows it.
type Sent struct {
	Surface *ui.Surface
	Rev     uint64 // that the client has seen
	Values  []ui.Leaf
}

// Drafts reads the data models that a client sends. What is no surface of this state,
// and what takes no input any more, is left out: the warnings name them. A value that its
// input cannot take is the error, with the codes of Admit: its user decides by it.
func Drafts(s *ui.State, model jsonx.Value) (out []Sent, warnings []*ui.Error, err error) {
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
		if foreign.Of(sf) != nil {
			continue // see Models
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
				e := *ui.AsError(err, CodeEnvelope, "")
				e.Path = "/surfaces/" + excerpt.Head(m.Key, 128) + strings.TrimPrefix(e.Path, "/context")
				return nil, nil, &e
			}
		}
		rev, _ := revOf(unwrap(m.Value.At(ui.UIStateRoot).At("rev")))
		out = append(out, Sent{Surface: sf, Rev: rev, Values: adm.Values})
	}
	return out, warnings, nil
}
