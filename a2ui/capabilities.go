package a2ui

import (
	"maps"
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Capabilities are the catalogs that a client can draw, for one version: the
// transport's metadata Features().CapabilitiesMember.
type Capabilities struct {
	Catalogs []string // supportedCatalogIds, in the client's order
	Inline   []Data   // inlineCatalogs: catalog documents, each an Object
	Extra    []Member // unknown members, kept
}

// ServerCapabilities are what an agent says it can send, for one version, as its
// agent card has them; see package a2a.
type ServerCapabilities struct {
	Catalogs      []string // supportedCatalogIds
	AcceptsInline bool     // acceptsInlineCatalogs
	Extra         []Member // unknown members, kept
}

// The members that are read.
var (
	clientFields = [...]wire.Field{{Key: "supportedCatalogIds", Kind: jsonx.Array, Required: true},
		{Key: "inlineCatalogs", Kind: jsonx.Array}}
	modelFields = [...]wire.Field{wire.NeedText("version"), {Key: "surfaces", Kind: jsonx.Object, Required: true}}
)

// DecodeCapabilities reads a client's capabilities: an object with one member
// for each version, such as "v0.8", "v0.9" or "1.0", or the bare form of v0.8.
// Members of unknown versions are ignored; a client with none that we know
// yields an empty map. The error is a *Problem with ClientInvalid, or
// wire.ClientTooLarge above lim.
func DecodeCapabilities(b []byte, lim Limits) (map[Dialect]Capabilities, error) {
	doc, err := jsonx.Scan(b, wire.JSONLimits(lim.WithDefaults()))
	if err != nil {
		return nil, wire.FromJSON(err, b, ClientInvalid, wire.ClientTooLarge)
	}
	v := doc.Root()
	if v.Kind() != jsonx.Object {
		return nil, wire.Bad(ClientInvalid, "", "capabilities are an object, not %s", v.Kind())
	}
	out := make(map[Dialect]Capabilities)
	for d, c := range codecs {
		if c == nil {
			continue
		}
		key := capabilityKey(Dialect(d), c)
		body := wire.Part{Key: key}
		prefix, has := "/"+key, false
		if body.Value, has = v.Get(key); len(c.Versions) == 0 && bare(v) {
			body, prefix, has = wire.Part{Key: "capabilities", Value: v}, "", true
		}
		if !has {
			continue
		}
		if body.Value.Kind() != jsonx.Object {
			return nil, wire.Bad(ClientInvalid, prefix, "capabilities are an object, not %s", body.Value.Kind())
		}
		if out[Dialect(d)], err = readCapabilities(body); err != nil {
			if p, ok := err.(*Problem); ok {
				p.Path = prefix + p.Path
			}
			return nil, err
		}
	}
	return out, nil
}

// capabilityKey is the member under which capabilities of several versions have
// those of d.
func capabilityKey(d Dialect, c *wire.Codec) string {
	if len(c.Versions) > 0 {
		return c.Versions[0]
	}
	return "v" + d.Protocol()
}

// readCapabilities reads those of one version.
func readCapabilities(body wire.Part) (c Capabilities, err error) {
	var got [len(clientFields)]jsonx.Node
	if err := wire.Fields(body, ClientInvalid, &c.Extra, clientFields[:], got[:]); err != nil {
		return c, err
	}
	c.Catalogs = make([]string, 0, got[0].Len())
	for e := got[0].Entries(); e.OK(); e = e.Next() {
		if e.Value().Kind() != jsonx.String {
			return c, wire.Bad(ClientInvalid, "/supportedCatalogIds", "a catalog id is a text, not %s",
				e.Value().Kind())
		}
		c.Catalogs = append(c.Catalogs, e.Value().Text())
	}
	c.Inline = got[1].Value().Items
	for _, catalog := range c.Inline {
		if catalog.Kind != jsonx.Object {
			return c, wire.Bad(ClientInvalid, "/inlineCatalogs", "a catalog is an object, not %s", catalog.Kind)
		}
	}
	return c, nil
}

// bare reports whether capabilities have the form without versions.
func bare(v jsonx.Node) bool {
	_, ids := v.Get("supportedCatalogIds")
	_, accepts := v.Get("acceptsInlineCatalogs")
	return ids || accepts
}

// AppendCapabilities writes the capabilities of a client that speaks d. A v0.9.1
// client says them under v0.9 too, whose messages it reads.
func AppendCapabilities(dst []byte, d Dialect, c Capabilities) ([]byte, error) {
	codec := d.codec()
	if codec == nil {
		return dst, d.unknown(EnvelopeInvalid)
	}
	if codec.Capabilities == nil {
		return c.append(dst), nil
	}
	return AppendAllCapabilities(dst, map[Dialect]Capabilities{d: c})
}

// AppendAllCapabilities writes the capabilities of a client that speaks several
// versions: one member for each, for v0.8 too, which AppendCapabilities writes bare.
func AppendAllCapabilities(dst []byte, byVersion map[Dialect]Capabilities) ([]byte, error) {
	start := len(dst)
	written := map[string]bool{}
	dst = append(dst, '{')
	for _, d := range slices.Sorted(maps.Keys(byVersion)) {
		codec := d.codec()
		if codec == nil {
			return dst[:start], d.unknown(EnvelopeInvalid)
		}
		keys := codec.Capabilities
		if keys == nil {
			keys = []string{capabilityKey(d, codec)}
		}
		for _, key := range keys {
			if !written[key] {
				written[key] = true
				dst = byVersion[d].append(wire.Key(dst, key))
			}
		}
	}
	return append(dst, '}'), nil
}

func (c Capabilities) append(dst []byte) []byte {
	dst = jsonx.AppendStrings(wire.Key(append(dst, '{'), "supportedCatalogIds"), c.Catalogs)
	if c.Inline != nil {
		dst = jsonx.Append(wire.Key(dst, "inlineCatalogs"), jsonx.OfArray(c.Inline...))
	}
	return append(wire.AppendExtra(dst, c.Extra), '}')
}

// DecodeClientData reads the data models that a client sends along with its
// messages ({version, surfaces}; the transport's metadata
// Features().DataModelMember): the members are surface ids and models, each an
// Object. The error is a *Problem with ClientInvalid, or wire.ClientTooLarge above
// lim.
func DecodeClientData(b []byte, lim Limits) (Dialect, []Member, error) {
	doc, err := jsonx.Scan(b, wire.JSONLimits(lim.WithDefaults()))
	if err != nil {
		return 0, nil, wire.FromJSON(err, b, ClientInvalid, wire.ClientTooLarge)
	}
	v := doc.Root()
	d, problem := detect(v, 0, ClientInvalid)
	if problem != nil {
		return d, nil, problem
	}
	if d.Features().DataModelMember == "" {
		return d, nil, wire.Bad(ClientInvalid, "/version", "%s has no data model to send", d)
	}
	var got [len(modelFields)]jsonx.Node
	part := wire.Part{Key: "the data model", Value: v}
	if err := wire.Fields(part, ClientInvalid, nil, modelFields[:], got[:]); err != nil {
		return d, nil, err
	}
	models := got[1].Value().Members
	if problem := checkModels(models); problem != nil {
		return d, nil, problem
	}
	return d, models, nil
}

// checkModels reports a data model that is no object.
func checkModels(models []Member) *Problem {
	for _, m := range models {
		if m.Value.Kind != jsonx.Object {
			return wire.Bad(ClientInvalid, "/surfaces", "the data model of %q is an object, not %s",
				m.Key, m.Value.Kind)
		}
	}
	return nil
}

// AppendClientData writes the data models of surfaces, as a client sends them.
func AppendClientData(dst []byte, d Dialect, surfaces []Member) ([]byte, error) {
	c := d.codec()
	if c == nil || d.Features().DataModelMember == "" {
		return dst, wire.Bad(ClientInvalid, "", "%s has no data model to send", d)
	}
	if problem := checkModels(surfaces); problem != nil {
		return dst, problem
	}
	dst = wire.Text(append(dst, '{'), "version", c.Versions[0])
	dst = jsonx.Append(wire.Key(dst, "surfaces"), jsonx.OfObject(surfaces...))
	return append(dst, '}'), nil
}
