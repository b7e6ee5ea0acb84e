package v08

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// maxMapDepth is how deep valueMap may nest when read; clients read as deep.
const maxMapDepth = 5

func appendData(dst []byte, m *wire.UpdateData) ([]byte, *wire.Problem) {
	if m.Delete {
		return dst, wire.Bad(wire.DataValue, m.Path, "v0.8 cannot delete data")
	}
	if m.Value.Kind != jsonx.Object {
		p := wire.Bad(wire.DataValue, m.Path, "v0.8 data is a map of entries, not %s", m.Value.Kind)
		p.Hint = "send the map that holds the value"
		return dst, p
	}
	dst = wire.Text(append(dst, `{"dataModelUpdate":{`...), "surfaceId", m.SurfaceID)
	if m.Path != "" {
		dst = wire.Text(dst, "path", m.Path)
	}
	return appendEntries(append(dst, `,"contents":`...), m.Path, m.Value, 0)
}

func appendEntries(dst []byte, path string, v jsonx.Value, depth int) ([]byte, *wire.Problem) {
	dst = append(dst, '[')
	for i, m := range v.Members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(append(dst, `{"key":`...), m.Key)
		switch kind := m.Value.Kind; {
		case kind == jsonx.String:
			dst = append(dst, `,"valueString":`...)
		case kind == jsonx.Number:
			dst = append(dst, `,"valueNumber":`...)
		case kind == jsonx.Bool:
			dst = append(dst, `,"valueBoolean":`...)
		case kind == jsonx.Object && depth == 0:
			var err *wire.Problem
			if dst, err = appendEntries(append(dst, `,"valueMap":`...), path+"/"+m.Key, m.Value, 1); err != nil {
				return dst, err
			}
			dst = append(dst, '}')
			continue
		default:
			p := wire.Bad(wire.DataValue, path+"/"+m.Key, "v0.8 data cannot hold %s here", kind)
			p.Hint = "one update for each container; lists as maps with the keys 0, 1, …; no null"
			return dst, p
		}
		dst = append(jsonx.Append(dst, m.Value), '}')
	}
	return append(dst, ']'), nil
}

var dataFields = [...]wire.Field{wire.NeedText("surfaceId"), {Key: "path", Kind: jsonx.String},
	{Key: "contents", Kind: jsonx.Array, Required: true}}

func decodeData(body wire.Part) (wire.Message, error) {
	var got [len(dataFields)]jsonx.Node
	if err := wire.Fields(body, wire.EnvelopeInvalid, nil, dataFields[:], got[:]); err != nil {
		return nil, err
	}
	v, problem := decodeEntries(got[2], "/contents", 0)
	if problem != nil {
		problem.Surface = got[0].Text()
		return nil, problem
	}
	return &wire.UpdateData{SurfaceID: got[0].Text(), Path: got[1].Text(), Value: v}, nil
}

func decodeEntries(list jsonx.Node, path string, depth int) (jsonx.Value, *wire.Problem) {
	out := jsonx.Value{Kind: jsonx.Object, Members: make([]jsonx.Member, 0, list.Len())}
	if depth > maxMapDepth {
		return out, wire.Bad(wire.LimitDataDepth, path, "valueMap is nested more than %d deep", maxMapDepth)
	}
	seen := make(map[string]struct{}, list.Len())
	for e := list.Entries(); e.OK(); e = e.Next() {
		at := path + "/" + strconv.Itoa(len(out.Members))
		m, err := decodeEntry(e.Value(), at, depth)
		if err != nil {
			return out, err
		}
		if _, dup := seen[m.Key]; dup {
			return out, wire.Bad(wire.DataValue, at, "the key %q stands twice", m.Key)
		}
		seen[m.Key] = struct{}{}
		out.Members = append(out.Members, m)
	}
	return out, nil
}

func decodeEntry(item jsonx.Node, path string, depth int) (m jsonx.Member, err *wire.Problem) {
	key, ok := item.Get("key")
	if !ok || key.Kind() != jsonx.String || item.Len() != 2 {
		return m, wire.Bad(wire.DataValue, path, "an entry has a key and exactly one value")
	}
	m.Key = key.Text()
	for e := item.Entries(); e.OK(); e = e.Next() {
		var want jsonx.Kind
		name, value := e.Key(), e.Value()
		switch name {
		case "key":
			continue
		case "valueString":
			want = jsonx.String
		case "valueNumber":
			want = jsonx.Number
		case "valueBoolean":
			want = jsonx.Bool
		case "valueMap":
			want = jsonx.Array
		default:
			return m, wire.Bad(wire.DataValue, path+jsonptr.Join(name), "an entry has no member %q", name)
		}
		if value.Kind() != want {
			return m, wire.Bad(wire.DataValue, path+"/"+name, "%s must be of type %s, not %s", name, want, value.Kind())
		}
		if want == jsonx.Array {
			m.Value, err = decodeEntries(value, path+"/valueMap", depth+1)
			continue
		}
		m.Value = value.Value()
	}
	return m, err
}
