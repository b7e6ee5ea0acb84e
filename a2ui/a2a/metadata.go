package a2a

import (
	"fmt"
	"maps"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Metadata is the part of the metadata of a request (message.metadata) about A2UI.
type Metadata struct {
	// Capabilities are the catalogs the client can draw, by version; nil without them.
	// To send them is as good as asking for the extension in Header.
	Capabilities map[a2ui.Dialect]a2ui.Capabilities
	// DataModels are the models of the surfaces that send theirs along, under the ids
	// of the surfaces; DataDialect is their dialect.
	DataModels  []a2ui.Member
	DataDialect a2ui.Dialect
}

// metadataMembers are the names under which versions send both.
var metadataMembers = func() (capabilities, models []string) {
	seen := map[string]bool{"": true}
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		f := d.Features()
		if !seen[f.CapabilitiesMember] {
			capabilities = append(capabilities, f.CapabilitiesMember)
		}
		if !seen[f.DataModelMember] {
			models = append(models, f.DataModelMember)
		}
		seen[f.CapabilitiesMember], seen[f.DataModelMember] = true, true
	}
	return capabilities, models
}

// DecodeMetadata reads the metadata of a request; members of others are passed
// over. The error is that of a2ui.DecodeCapabilities or a2ui.DecodeClientData.
func DecodeMetadata(b []byte, lim a2ui.Limits) (m Metadata, err error) {
	v, err := jsonx.Parse(b, wire.JSONLimits(lim.WithDefaults()))
	if err != nil {
		return m, fmt.Errorf("a2a metadata: %w", err)
	}
	if v.Kind != jsonx.Object {
		return m, fmt.Errorf("a2a metadata: an object, not %s", v.Kind)
	}
	capabilities, models := metadataMembers()
	for _, name := range capabilities {
		one, ok := v.Get(name)
		if !ok {
			continue
		}
		byVersion, err := a2ui.DecodeCapabilities(jsonx.Append(nil, one), lim)
		if err != nil {
			return m, fmt.Errorf("a2a metadata: %s: %w", name, err)
		}
		if m.Capabilities == nil {
			m.Capabilities = byVersion
		}
		maps.Copy(m.Capabilities, byVersion)
	}
	for _, name := range models {
		one, ok := v.Get(name)
		if !ok {
			continue
		}
		if m.DataDialect, m.DataModels, err = a2ui.DecodeClientData(jsonx.Append(nil, one), lim); err != nil {
			return m, fmt.Errorf("a2a metadata: %s: %w", name, err)
		}
	}
	return m, nil
}
