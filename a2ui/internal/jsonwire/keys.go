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
	// has what came with v1.0: inline surfaces, calls both ways, metadata, null deletes; no theme, no
	// returnType
	V1 bool
}

// V09, V10RC and V10 are the versions with their keys.
var (
	V09   = Keys{Versions: []string{"v0.9"}, Path: "path", Call: "call"}
	V091  = Keys{Versions: []string{"v0.9.1", "v0.9"}, Path: "path", Call: "call"}
	V10RC = Keys{Versions: []string{"v1.0"}, Path: "path", Call: "call", CatalogID: "catalogId", V1: true}
	V10   = Keys{Versions: []string{"1.0", "v1.0"}, Path: "@path", Call: "@call", CatalogID: "@catalogId", V1: true,
		Reserved: true}
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
	out.Component = func(v jsonx.Node) *wire.Problem {
		var m wire.Component
		d := decoder{codec: c}
		p := d.component(&m, v)
		if p != nil {
			p.Component = m.ID
		}
		return p
	}
	if k.Reserved { // between candidate and release the version and these members had their old form
		mid := *c
		mid.plainToo = true
		c.mid = &mid
		out.Names = c.names()
	}
	if !k.V1 { // v0.9.1 names both; its schema knows the first only
		out.Capabilities = slices.Sorted(slices.Values(k.Versions))
	}
	if k.V1 && !k.Reserved {
		out.PlainKeys = true
		out.Claims = func(v jsonx.Node) bool { return !reserves(v) }
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
	if !k.Reserved {
		return name, true
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

// reserves reports whether components or a call in a message use a reserved key.
func reserves(v jsonx.Node) bool {
	for e := v.Entries(); e.OK(); e = e.Next() {
		for part := e.Value().Entries(); part.OK(); part = part.Next() {
			if key := part.Key(); (key == "components" || key == "callFunction") && reserved(part.Value()) {
				return true
			}
		}
	}
	return false
}

func reserved(v jsonx.Node) bool {
	if !v.HasText("", "", '@') {
		return false
	}
	for e := v.Entries(); e.OK(); e = e.Next() {
		switch e.Key() {
		case "@path", "@call", "@catalogId", "@accessibility", "@metadata", "@checks":
			return true
		}
		if reserved(e.Value()) {
			return true
		}
	}
	return false
}
