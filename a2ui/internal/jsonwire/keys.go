package jsonwire

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Keys is all in which the versions of the family differ.
type Keys struct {
	Versions  []string // the values of version that are read; the first is written
	Path      string   // key of a binding
	Call      string   // key of a function call
	CatalogID string   // member of a component that names its catalog; "" = none
	Reserved  bool     // keys with one leading @ are the protocol's; see the package comment
	Plain     bool     // but the members of every component have none
	// has what came with v1.0: inline surfaces, calls both ways, metadata, null deletes; no theme, no
	// returnType
	V1 bool
}

// The versions with their keys.
var (
	V09   = Keys{Versions: []string{"v0.9"}, Path: "path", Call: "call"}
	V091  = Keys{Versions: []string{"v0.9.1", "v0.9"}, Path: "path", Call: "call"}
	V10RC = Keys{Versions: []string{"v1.0"}, Path: "path", Call: "call", CatalogID: "catalogId", V1: true}
	V10   = Keys{Versions: []string{"1.0", "v1.0"}, Path: "@path", Call: "@call", CatalogID: "@catalogId", V1: true,
		Reserved: true}
	V10Oct = Keys{Versions: []string{"v1.0"}, Path: "@path", Call: "@call", CatalogID: "catalogId", V1: true,
		Reserved: true, Plain: true}
)

// Codec returns the codec of a version.
func Codec(k Keys) *wire.Codec {
	c := &codec{Keys: k, head: `{"version":"` + k.Versions[0] + `",`}
	out := &wire.Codec{
		Versions: k.Versions, Append: c.append, Decode: c.decode,
		AppendClient: c.client().appendClient, DecodeClient: c.client().decodeClient,
		Capabilities: k.Versions[:1],
	}
	out.Parts = c.parts()
	out.Component = func(m *wire.Component, v jsonx.Node) *wire.Problem { return (&decoder{codec: c}).component(m, v) }
	if k.Reserved {
		out.Names = c.names()
	}
	switch {
	case k.Plain:
		out.Claims = func(v jsonx.Node) bool { return reserves(v, "@path", "@call") && !reserves(v, ofEnvelope...) }
	case k.Reserved: // members of components are also read in their old form, where the version has its old one
		mid := *c
		mid.plainToo = true
		c.mid = &mid
		out.Claims = func(v jsonx.Node) bool {
			return v.At("version").Text() == k.Versions[0] || reserves(v, ofEnvelope...)
		}
	}
	if !k.V1 { // v0.9.1 names both; its schema knows the first only
		out.Capabilities = slices.Sorted(slices.Values(k.Versions))
	}
	if k.V1 && !k.Reserved {
		out.PlainKeys = true
		out.Claims = func(v jsonx.Node) bool { return !reserves(v, "@path", "@call") && !reserves(v, ofEnvelope...) }
	}
	return out
}

type codec struct {
	Keys
	head     string
	plainToo bool   // reads the members of every component without their @ too
	mid      *codec // what reads Versions[1] instead; nil = this
}

// The concerns.

func (c *codec) client() clientCodec { return clientCodec{c} }

// envelope are the members of a component that have an @ where keys are reserved.
var envelope = [...]struct{ plain, at string }{
	{"accessibility", "@accessibility"}, {"checks", "@checks"}, {"metadata", "@metadata"},
}

// swap turns the name of a member of a component into the neutral one and back;
// ok is false for a reserved key without meaning.
func (k *Keys) swap(name string) (_ string, ok bool) {
	switch {
	case !k.Reserved:
		return name, true
	case k.Plain:
		return name, !strings.HasPrefix(name, "@")
	}
	for _, e := range envelope {
		switch name {
		case e.plain:
			return e.at, true
		case e.at:
			return e.plain, true
		}
	}
	return name, !strings.HasPrefix(name, "@")
}

// unescape returns a key of a literal without the @ that guards another; ok is
// false for a key that is reserved.
func unescape(key string) (_ string, ok bool) {
	switch {
	case !strings.HasPrefix(key, "@"):
		return key, true
	case strings.HasPrefix(key, "@@"):
		return key[1:], true
	}
	return key, false
}

// appendKey writes a key of a literal.
func (k *Keys) appendKey(dst []byte, key string) []byte {
	if k.Reserved && strings.HasPrefix(key, "@") {
		key = "@" + key
	}
	return append(jsonx.AppendString(dst, key), ':')
}

// ofEnvelope are the reserved keys of V10 that the other spellings have without @.
var ofEnvelope = []string{"@catalogId", "@accessibility", "@metadata", "@checks"}

// reserves reports whether components or a call in a message use one of the keys.
func reserves(v jsonx.Node, keys ...string) bool {
	for e := v.Entries(); e.OK(); e = e.Next() {
		for part := e.Value().Entries(); part.OK(); part = part.Next() {
			if key := part.Key(); (key == "components" || key == "callFunction") && reserved(part.Value(), keys) {
				return true
			}
		}
	}
	return false
}

func reserved(v jsonx.Node, keys []string) bool {
	if !v.HasText("", "", '@') {
		return false
	}
	for e := v.Entries(); e.OK(); e = e.Next() {
		if slices.Contains(keys, e.Key()) || reserved(e.Value(), keys) {
			return true
		}
	}
	return false
}
