package gateway

import (
	"fmt"
	"maps"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// folded is a surface while messages of its agent are applied to it.
type folded struct {
	*foreign.Surface
	data, client *client.Model // its Data and ClientData; nil before the first write
	faults       []error       // of writes that do not apply
}

// foldOn returns the surface to apply messages to: a copy of was, which may be nil.
func foldOn(was *foreign.Surface) *folded {
	if was == nil {
		return nil
	}
	next := *was
	if next.Writes = maps.Clone(was.Writes); next.Writes == nil {
		next.Writes = map[string]uint64{}
	}
	return &folded{Surface: &next}
}

// fold is f after a message of its agent: nil before the surface is begun, and after it is
// deleted. A message that does not apply changes nothing.
func (f *folded) fold(d a2ui.Dialect, m a2ui.Message) *folded {
	switch m := m.(type) {
	case *a2ui.DeleteSurface:
		return nil
	case *a2ui.CreateSurface:
		if f == nil {
			return &folded{Surface: foreign.Open(d, m)}
		}
		f.Begin(m)
		return f
	}
	if f == nil && d.Features().CreateLast {
		f = &folded{Surface: foreign.Open(d, &a2ui.CreateSurface{SurfaceID: m.Surface()})}
	}
	if f == nil {
		return nil
	}
	switch m := m.(type) {
	case *a2ui.UpdateComponents:
		f.Put(m.Components)
	case *a2ui.UpdateData:
		f.write(m)
	}
	return f
}

// write applies a write to the data, and to those that a client last showed.
func (f *folded) write(m *a2ui.UpdateData) {
	if f.data == nil {
		f.data = client.NewModel(f.Dialect, client.Strict, f.Data)
		if f.ClientData.Kind == jsonx.Object {
			f.client = client.NewModel(f.Dialect, client.Strict, f.ClientData)
		}
	}
	if err := writeTo(f.data, m); err != nil {
		f.faults = append(f.faults, err)
		return
	}
	f.Write(m.Path)
	if f.client != nil && writeTo(f.client, m) != nil {
		f.ClientData, f.client = jsonx.Value{}, nil // a client that sent something else starts from the agent's data
		f.Write("/")
	}
}

func writeTo(model *client.Model, m *a2ui.UpdateData) error {
	switch {
	case m.Delete:
		return model.Delete(m.Path)
	case (m.Path == "" || m.Path == "/") && m.Value.Kind != jsonx.Object:
		return fmt.Errorf("all data at once are an object, not %s", m.Value.Kind)
	}
	return model.Set(m.Path, m.Value)
}

// surface ends the fold; nil stays nil.
func (f *folded) surface() *foreign.Surface {
	if f == nil {
		return nil
	}
	if f.data != nil {
		f.Data = whole(f.data)
	}
	if f.client != nil {
		f.ClientData = whole(f.client)
	}
	f.data, f.client = nil, nil
	return f.Surface
}

// node ends the fold: the surface as a State keeps it.
func (f *folded) node() (*ui.Foreign, error) {
	s := f.surface()
	return s.Node(text(s))
}

// complete reports a surface of which nothing is missing that it shows.
func (f *folded) complete() bool {
	view, err := screen(f.surface())
	for n := range view.Root.All() {
		if n.Role == "pending" {
			return false
		}
	}
	return err == nil && view.Ready
}

// screen is a surface as a client shows it.
func screen(s *foreign.Surface) (client.View, error) {
	c := client.With(client.Config{Dialect: s.Dialect, AnyComponent: true, Forgiving: true})
	c.ApplyAll(s.Source(s.Data))
	return c.Surface(s.ID)
}

func whole(m *client.Model) a2ui.Data {
	v, _, err := m.Get("")
	if err != nil || v.Kind != jsonx.Object {
		return jsonx.OfObject()
	}
	return v
}

// maxText bounds the text of a surface, in bytes.
const maxText = 4 << 10

// text returns the words of a surface, as a client draws them.
func text(s *foreign.Surface) string {
	view, err := screen(s)
	if err != nil {
		return ""
	}
	var b strings.Builder
	last := ""
	for n := range view.Root.All() {
		line := strings.TrimSpace(n.Text)
		if line == "" || line == last || b.Len()+len(line) > maxText {
			continue
		}
		if last = line; b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}
