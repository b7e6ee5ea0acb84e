package wire

import "github.com/limn-ui/limn/internal/jsonx"

// Members writes an object from keys and values in turn.
func Members(pairs ...any) Data {
	v := jsonx.OfObject()
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Members = append(v.Members, Member{Key: pairs[i].(string), Value: pairs[i+1].(Data)})
	}
	return v
}

// Typed writes the JSON Schema of a type.
func Typed(name string) Data { return Members("type", jsonx.Of(name)) }

// Texts writes a list of texts.
func Texts(list []string) Data {
	out := jsonx.OfArray()
	for _, s := range list {
		out.Items = append(out.Items, jsonx.Of(s))
	}
	return out
}
