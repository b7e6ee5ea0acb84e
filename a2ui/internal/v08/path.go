package v08

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// wirePath turns a pointer into the body of m under neutral names into one under
// the names of v0.8.
func wirePath(m wire.Message, path string) string {
	steps, err := jsonptr.Split(path)
	if err != nil || len(steps) == 0 {
		return path
	}
	switch m := m.(type) {
	case *wire.CreateSurface:
		if steps[0] == "theme" {
			steps[0] = "styles"
		}
	case *wire.UpdateComponents:
		if len(steps) < 3 || steps[0] != "components" {
			break
		}
		if i, err := strconv.Atoi(steps[1]); err == nil && i >= 0 && i < len(m.Components) {
			steps = append(steps[:2], below(&m.Components[i], steps[2:])...)
		}
	case *wire.UpdateData:
		if steps[0] == "value" {
			steps = append([]string{"contents"}, entries(m.Value, steps[1:])...)
		}
	}
	return jsonptr.Join(steps...)
}

// below leads from a component to one of its properties and into it.
func below(c *wire.Component, steps []string) []string {
	switch steps[0] {
	case "id", "weight", "component":
		return steps
	}
	name, rest := steps[0], steps[1:]
	out := place(c.Type, name)
	if len(rest) == 0 {
		return out
	}
	switch v := wire.Get(c.Props, name).(type) {
	case wire.Refs:
		return append(append(out, "explicitList"), rest...)
	case wire.Template:
		if rest[0] == "path" {
			rest = []string{"dataBinding"}
		}
		return append(append(out, "template"), rest...)
	case wire.Event:
		if len(rest) < 2 || rest[0] != "event" {
			break
		}
		if rest = rest[1:]; rest[0] != "context" || len(rest) < 2 {
			return append(out, rest...)
		}
		for i := range v.Context {
			if v.Context[i].Name == rest[1] {
				return append(out, "context", strconv.Itoa(i), "value")
			}
		}
		return append(out, "context")
	}
	return append(out, rest...)
}

// entries leads through typed entries to the one that steps name.
func entries(v jsonx.Value, steps []string) (out []string) {
	for n, key := range steps {
		found := false
		for i := range v.Members {
			if v.Members[i].Key != key {
				continue
			}
			if n > 0 {
				out = append(out, "valueMap")
			}
			out = append(out, strconv.Itoa(i))
			v, found = v.Members[i].Value, true
			break
		}
		if !found {
			break
		}
	}
	return out
}

// place leads from a component to one of its properties.
func place(typ, name string) []string {
	return []string{"component", wireType(typ), wireProp(typ, name)}
}

// wireType is what v0.8 calls a component type.
func wireType(name string) string {
	if def := byName[name]; def != nil {
		return def.wire
	}
	return name
}

// wireProp is what v0.8 calls a property.
func wireProp(typ, name string) string {
	if def := byName[typ]; def != nil {
		if row := def.named(name); row != nil {
			return row.wire
		}
	}
	return name
}

// wireEnum is how v0.8 writes a listed value of a property.
func wireEnum(typ, name, value string) string {
	def := byName[typ]
	if def == nil || def.named(name) == nil {
		return value
	}
	row := def.named(name)
	dst, ok := appendProperty(nil, def, wire.Prop{Name: name, Value: wire.String(value)})
	_, written, found := strings.Cut(string(dst), ":")
	if ok == nil && found && (row.form == plain || row.form == primary || row.form == single) {
		return strings.Trim(written, `"`)
	}
	return value
}
