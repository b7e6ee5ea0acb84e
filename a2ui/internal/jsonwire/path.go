package jsonwire

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
)

// names are the words of a version with reserved keys.
func (c *codec) names() *wire.Names {
	return &wire.Names{
		Place: func(_, name string) []string { name, _ = c.swap(name); return []string{name} },
		Path:  c.wirePath,
	}
}

// wirePath turns a pointer into the body of m under neutral names into one under
// those of the wire.
func (c *codec) wirePath(m wire.Message, path string) string {
	steps, err := jsonptr.Split(path)
	if err != nil || len(steps) == 0 {
		return path
	}
	var list []wire.Component
	switch m := m.(type) {
	case *wire.CreateSurface:
		list = m.Components
	case *wire.UpdateComponents:
		list = m.Components
	}
	from := 1 // the first step that is a key of a literal
	if steps[0] == "components" {
		from = 3
		if len(steps) < from {
			return path
		}
		steps[2] = c.member(list, steps[1], steps[2])
	} else if steps[0] != "callFunction" {
		return path
	}
	for i := from; i < len(steps); i++ {
		if strings.HasPrefix(steps[i], "@") {
			steps[i] = "@" + steps[i]
		}
	}
	return jsonptr.Join(steps...)
}

// member is the key of a component's member that has a neutral name.
func (c *codec) member(list []wire.Component, index, name string) string {
	if name == "catalogId" {
		i, err := strconv.Atoi(index)
		if err == nil && i >= 0 && i < len(list) && list[i].CatalogID == "" {
			return name // a property of the component
		}
		return c.CatalogID
	}
	name, _ = c.swap(name)
	return name
}
