package door

import (
	"errors"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/a2a"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Metadata describes the A2UI of a client.
type Metadata struct {
	Speaks map[a2ui.Dialect]a2ui.Capabilities // nil: nothing
	Model  jsonx.Value                        // of the client, as ui.Event.Model
}

// AsGiven is the remedy for metadata that cannot be read.
const AsGiven = "send what the renderer gives, under its name"

// ReadMetadata adds the members of an object. The error is the beginning of a sentence on a wrong one.
func (m *Metadata) ReadMetadata(v jsonx.Value, lim ingress.Limits) error {
	if v.Kind != jsonx.Object {
		return nil
	}
	said, err := a2a.DecodeMetadata(jsonx.Append(nil, v), lim.A2UI())
	if err != nil {
		return errors.New(excerpt.Head(err.Error(), 256))
	}
	if said.Capabilities != nil {
		m.Speaks = said.Capabilities
	}
	if said.DataModels != nil {
		m.Model = jsonx.OfObject(said.DataModels...)
	}
	return nil
}
