package a2ui

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Capabilities are what a client says it can draw, for one version: the
// transport's metadata Features().CapabilitiesMember.
type Capabilities struct {
	Catalogs []string // supportedCatalogIds, in the client's order
	Inline   []Data   // inlineCatalogs: catalog documents, each an Object
	Extra    []Member // unknown members, kept
}

// ServerCapabilities are what an agent says it can send, for one version.
type ServerCapabilities struct {
	Catalogs      []string // supportedCatalogIds
	AcceptsInline bool     // acceptsInlineCatalogs
	Extra         []Member // unknown members, kept
}

// The members that are read.
var (
	clientFields = [...]wire.Field{{Key: "supportedCatalogIds", Kind: jsonx.Array, Required: true},
		{Key: "inlineCatalogs", Kind: jsonx.Array}}
	serverFields = [...]wire.Field{{Key: "supportedCatalogIds", Kind: jsonx.Array},
		{Key: "acceptsInlineCatalogs", Kind: jsonx.Bool}}
	modelFields = [...]wire.Field{wire.NeedText("version"), {Key: "surfaces", Kind: jsonx.Object, Required: true}}
)

// DecodeCapabilities reads a client's capabilities: an object with one member
// for each version, such as "v0.9" or "1.0", or the bare form of v0.8. Members
// of unknown versions are ignored; a client with none that we know
// yields an empty map. The error is a *Problem with ClientInvalid, or
// wire.ClientTooLarge above lim.
func DecodeCapabilities(b []byte, lim Limits) (map[Dialect]Capabilities, error) {
	return decodeCapabilities(b, lim, ClientInvalid, wire.ClientTooLarge,
		func(body wire.Part) (c Capabilities, err error) {
			var got [len(clientFields)]jsonx.Node
			err = wire.Fields(body, ClientInvalid, &c.Extra, clientFields[:], got[:])
			if err == nil {
				c.Catalogs, err = texts(got[0], "/supportedCatalogIds", ClientInvalid)
			}
			c.Inline = got[1].Value().Items
			for _, catalog := range c.Inline {
				if err == nil && catalog.Kind != jsonx.Object {
					err = wire.Bad(ClientInvalid, "/inlineCatalogs", "a catalog is an object, not %s", catalog.Kind)
				}
			}
			return c, err
		})
}

// DecodeServerCapabilities reads an agent's capabilities, in the same two forms;
// the parameters of an A2A agent card have the bare one in every version, which
// is found under V08. The error is a *Problem.
func DecodeServerCapabilities(b []byte, lim Limits) (map[Dialect]ServerCapabilities, error) {
	return decodeCapabilities(b, lim, EnvelopeInvalid, LimitBytes,
		func(body wire.Part) (c ServerCapabilities, err error) {
			var got [len(serverFields)]jsonx.Node
			err = wire.Fields(body, EnvelopeInvalid, &c.Extra, serverFields[:], got[:])
			if err == nil {
				c.Catalogs, err = texts(got[0], "/supportedCatalogIds", EnvelopeInvalid)
			}
			c.AcceptsInline = got[1].Bool()
			return c, err
		})
}

func decodeCapabilities[C any](b []byte, lim Limits, code, tooLarge Code,
	one func(wire.Part) (C, error)) (map[Dialect]C, error) {
	doc, err := jsonx.Scan(b, lim.WithDefaults().JSON())
	if err != nil {
		return nil, wire.FromJSON(err, b, code, tooLarge)
	}
	v := doc.Root()
	if v.Kind() != jsonx.Object {
		return nil, wire.Bad(code, "", "capabilities are an object, not %s", v.Kind())
	}
	out := make(map[Dialect]C)
	for d, c := range codecs {
		if c == nil {
			continue
		}
		body, has := wire.Part{Key: "capabilities", Value: v}, bare(v)
		prefix := ""
		if len(c.Versions) > 0 {
			body.Key = c.Versions[0]
			body.Value, has = v.Get(body.Key)
			prefix = "/" + body.Key
		}
		if !has {
			continue
		}
		if body.Value.Kind() != jsonx.Object {
			return nil, wire.Bad(code, prefix, "capabilities are an object, not %s", body.Value.Kind())
		}
		if out[Dialect(d)], err = one(body); err != nil {
			if p, ok := err.(*Problem); ok {
				p.Path = prefix + p.Path
			}
			return nil, err
		}
	}
	return out, nil
}

// bare reports whether capabilities have the form without versions.
func bare(v jsonx.Node) bool {
	_, ids := v.Get("supportedCatalogIds")
	_, accepts := v.Get("acceptsInlineCatalogs")
	return ids || accepts
}

func texts(list jsonx.Node, path string, code Code) ([]string, error) {
	out := make([]string, 0, list.Len())
	for e := list.Entries(); e.OK(); e = e.Next() {
		if e.Value().Kind() != jsonx.String {
			return nil, wire.Bad(code, path, "a catalog id is a text, not %s", e.Value().Kind())
		}
		out = append(out, e.Value().Text())
	}
	return out, nil
}

// AppendCapabilities writes the capabilities of a client that speaks d. A v0.9.1
// client says them under v0.9 too, whose messages it reads.
func AppendCapabilities(dst []byte, d Dialect, c Capabilities) ([]byte, error) {
	return appendCapabilities(dst, d, func(dst []byte) []byte {
		dst = jsonx.AppendStrings(wire.Key(append(dst, '{'), "supportedCatalogIds"), c.Catalogs)
		if c.Inline != nil {
			dst = jsonx.Append(wire.Key(dst, "inlineCatalogs"), jsonx.OfArray(c.Inline...))
		}
		return append(wire.AppendExtra(dst, c.Extra), '}')
	})
}

// AppendServerCapabilities writes the capabilities of an agent that speaks d.
func AppendServerCapabilities(dst []byte, d Dialect, c ServerCapabilities) ([]byte, error) {
	return appendCapabilities(dst, d, func(dst []byte) []byte {
		dst = jsonx.AppendStrings(wire.Key(append(dst, '{'), "supportedCatalogIds"), c.Catalogs)
		dst = jsonx.Append(wire.Key(dst, "acceptsInlineCatalogs"), jsonx.OfBool(c.AcceptsInline))
		return append(wire.AppendExtra(dst, c.Extra), '}')
	})
}

func appendCapabilities(dst []byte, d Dialect, one func([]byte) []byte) ([]byte, error) {
	c := d.codec()
	if c == nil {
		return dst, d.unknown(EnvelopeInvalid)
	}
	keys := c.Capabilities
	if keys == nil {
		return one(dst), nil
	}
	dst = append(dst, '{')
	for _, key := range keys {
		dst = one(wire.Key(dst, key))
	}
	return append(dst, '}'), nil
}

// DecodeClientData reads the data models that a client sends along with its
// messages ({version, surfaces}; the transport's metadata
// Features().DataModelMember): the members are surface ids and models, each an
// Object. The error is a *Problem with ClientInvalid, or wire.ClientTooLarge above
// lim.
func DecodeClientData(b []byte, lim Limits) (Dialect, []Member, error) {
	doc, err := jsonx.Scan(b, lim.WithDefaults().JSON())
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
	for _, m := range models {
		if m.Value.Kind != jsonx.Object {
			return d, nil, wire.Bad(ClientInvalid, "/surfaces", "the data model of %q is an object, not %s", m.Key,
				m.Value.Kind)
		}
	}
	return d, models, nil
}

// AppendClientData writes the data models of surfaces, as a client sends them.
func AppendClientData(dst []byte, d Dialect, surfaces []Member) ([]byte, error) {
	c := d.codec()
	if c == nil || d.Features().DataModelMember == "" {
		return dst, wire.Bad(ClientInvalid, "", "%s has no data model to send", d)
	}
	for _, m := range surfaces {
		if m.Value.Kind != jsonx.Object {
			return dst, wire.Bad(ClientInvalid, "/surfaces", "the data model of %q is an object, not %s", m.Key,
				m.Value.Kind)
		}
	}
	dst = wire.Text(append(dst, '{'), "version", c.Versions[0])
	dst = jsonx.Append(wire.Key(dst, "surfaces"), jsonx.OfObject(surfaces...))
	return append(dst, '}'), nil
}
