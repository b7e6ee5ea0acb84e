package translate

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// directMapper keeps the message structure: source and target are of one family.
type directMapper struct{ *job }

// message translates between dialects that create a surface first, message by
// message. Where they read different texts as Markdown, it keeps the components
// and the data, to find the texts that will look different.
func (j directMapper) message(m wire.Message) {
	switch m := m.(type) {
	case *wire.CreateSurface:
		j.directCreate(m)
	case *wire.UpdateComponents:
		j.s = j.surfaces[m.SurfaceID]
		j.directComponents(m.SurfaceID, m.Components)
		j.extra(m.Extra)
	case *wire.UpdateData:
		j.s = j.surfaces[m.SurfaceID]
		j.trackData(m.Path, m.Value, m.Delete)
		next := *m
		if next.Extra = nil; !m.Delete && m.Value.Kind == jsonx.Null && j.to.Features.NullDeletes {
			j.lose(Data, m.Path, "null deletes the key")
			next.Delete = true
		}
		j.extra(m.Extra)
		j.emit(&next)
	case *wire.DeleteSurface:
		delete(j.surfaces, m.SurfaceID)
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

func (j directMapper) directCreate(m *wire.CreateSurface) {
	s := j.open(m.SurfaceID)
	s.create, s.root = &wire.CreateSurface{CatalogID: m.CatalogID}, j.from.Features.RootID
	s.reach(s.root, "")
	out := &wire.CreateSurface{SurfaceID: m.SurfaceID, CatalogID: j.catalog(m.CatalogID), Root: m.Root,
		Theme: j.theme(m.Theme), SendDataModel: m.SendDataModel}
	j.emit(out)
	j.extra(m.Extra)
	if m.Data.Kind != jsonx.Null {
		j.trackData("", m.Data, false)
	}
	if j.to.Features.Inline {
		out.Data, out.Metadata = m.Data, m.Metadata
		j.track(m.Components)
		for i := range m.Components {
			out.Components = append(out.Components, j.components().component(&comp{Component: m.Components[i]})...)
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

func (j directMapper) directComponents(id string, list []wire.Component) {
	j.track(list)
	out := &wire.UpdateComponents{SurfaceID: id}
	for i := range list {
		out.Components = append(out.Components, j.components().component(&comp{Component: list[i]})...)
	}
	j.emit(out)
}

// tracks reports whether the surface is kept.
func (j directMapper) tracks() bool {
	return j.s != nil && j.from.Features.MarkdownText != j.to.Features.MarkdownText
}

func (j directMapper) track(list []wire.Component) {
	if !j.tracks() {
		return
	}
	s := j.s
	s.upsert(list)
	for _, pattern := range s.fresh {
		s.matches(pattern, func(segs []string) { j.looked(segs, s.data.find(segs), s.at(segs)) })
	}
	s.fresh = nil
}

func (j directMapper) trackData(path string, v jsonx.Value, deleted bool) {
	segs, err := split(path)
	if err != nil || !j.tracks() {
		return
	}
	s := j.s
	if deleted {
		s.data = s.data.drop(segs)
		return
	}
	if j.write(segs, v, false) == nil {
		j.lookInto(segs, s.data.find(segs), s.at(segs))
	}
}

// lookInto looks at everything below that something reads.
func (j directMapper) lookInto(segs []string, n *node, m marks) {
	if len(m) == 0 {
		return
	}
	j.looked(segs, n, m)
	n.each(func(key string, kid *node) {
		j.lookInto(append(segs[:len(segs):len(segs)], key), kid, m.kid(key))
	})
}
