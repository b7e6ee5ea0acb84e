package official

import "slices"

// What names the version, before and after.
const published, wanted = "v1.0", "1.0"

// release rewrites a file of the release candidate of v1.0 as v1.0 has it: the
// version is "1.0", and bindings, calls and the members of every component have
// reserved keys. No newer files were ever published as a whole.
func release(m map[string]any, envelope bool) {
	if envelope {
		version(m)
	}
	for name, def := range member(m, "$defs") {
		switch {
		case name == "DataBinding":
			rename(def, "path")
		case name == "FunctionCommon" || name == "IndexSystemFunction":
			rename(def, "call")
		case name == "ComponentCommon" && envelope:
			rename(def, "catalogId", "accessibility", "metadata")
		case name == "Checkable" && envelope:
			rename(def, "checks")
		case name == "DynamicValue":
			literals(def)
		}
	}
	rename(m["functions"], "call")
}

// version replaces what names the version: a constant and, in capabilities, a key.
func version(v any) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			if version(v[i]); v[i] == published {
				v[i] = wanted
			}
		}
	case map[string]any:
		if body, has := v[published]; has {
			delete(v, published)
			v[wanted] = body
		}
		for k := range v {
			if version(v[k]); v[k] == published {
				v[k] = wanted
			}
		}
	}
}

// rename puts an @ before keys, wherever v has properties.
func rename(v any, keys ...string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			rename(item, keys...)
		}
	case map[string]any:
		for _, key := range keys {
			if properties := member(v, "properties"); properties[key] != nil {
				properties["@"+key] = properties[key]
				delete(properties, key)
			}
			if required, _ := v["required"].([]any); slices.Contains(required, any(key)) {
				required[slices.Index(required, any(key))] = "@" + key
			}
		}
		for _, item := range v {
			rename(item, keys...)
		}
	}
}

// literals lets every object be one whose keys have no single @ before them.
func literals(def any) {
	m, _ := def.(map[string]any)
	forms, _ := m["oneOf"].([]any)
	for _, form := range forms {
		if form, _ := form.(map[string]any); form["type"] == "object" {
			delete(form, "not")
			form["patternProperties"] = map[string]any{"^@([^@]|$)": false}
		}
	}
}
