package translate

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// direct translates between dialects that create a surface first, message by
// message; what it keeps is the catalog of each surface.
func (j *job) direct(m wire.Message) {
	switch m := m.(type) {
	case *wire.CreateSurface:
		j.directCreate(m)
	case *wire.UpdateComponents:
		j.s = j.surfaces[m.SurfaceID]
		j.directComponents(m.SurfaceID, m.Components)
		j.extra(m.Extra)
	case *wire.UpdateData:
		j.s = j.surfaces[m.SurfaceID]
		next := *m
		if next.Extra = nil; !m.Delete && m.Value.Kind == jsonx.Null && j.to.Features.Inline {
			j.lose(Data, m.Path, "null deletes the key")
			next.Delete = true
		}
		j.extra(m.Extra)
		j.emit(&next)
	case *wire.DeleteSurface:
		j.close(m.SurfaceID)
		j.extra(m.Extra)
		j.emit(&wire.DeleteSurface{SurfaceID: m.SurfaceID})
	default:
		if j.to.Features.Remote {
			j.emit(m)
			return
		}
		j.lose(Message, "", "function calls have no message")
	}
}

func (j *job) directCreate(m *wire.CreateSurface) {
	s := j.open(m.SurfaceID)
	s.create = &wire.CreateSurface{CatalogID: m.CatalogID}
	out := &wire.CreateSurface{SurfaceID: m.SurfaceID, CatalogID: j.catalog(m.CatalogID), Root: m.Root,
		Theme: j.theme(m.Theme), SendDataModel: m.SendDataModel}
	j.emit(out)
	j.extra(m.Extra)
	if j.to.Features.Inline {
		out.Data, out.Metadata = m.Data, m.Metadata
		for i := range m.Components {
			out.Components = append(out.Components, j.component(&comp{Component: m.Components[i]})...)
		}
		return
	}
	if m.Metadata.Kind != jsonx.Null {
		j.lose(Metadata, "/metadata", "there is no metadata")
	}
	if m.Data.Kind != jsonx.Null {
		j.emit(&wire.UpdateData{SurfaceID: m.SurfaceID, Path: "/", Value: m.Data})
	}
	if len(m.Components) > 0 {
		j.directComponents(m.SurfaceID, m.Components)
	}
}

func (j *job) directComponents(id string, list []wire.Component) {
	out := &wire.UpdateComponents{SurfaceID: id}
	for i := range list {
		out.Components = append(out.Components, j.component(&comp{Component: list[i]})...)
	}
	j.emit(out)
}
