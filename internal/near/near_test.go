package near

import "testing"

func TestName(t *testing.T) {
	t.Parallel()
	possible := []string{"json_schema", "json_object", "tools", "keys"}
	for name, want := range map[string]string{
		"jsonschema": "json_schema", "JSON_OBJECT": "json_object", "tolos": "tools", "tool": "tools", "ke": "keys", "streaming": "", "": "",
	} {
		if got := Name(name, possible); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
