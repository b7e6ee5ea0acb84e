package conformance

import (
	"strings"
	"testing"
)

// TestKinds: cases of our own, of kinds of which the published suites show few. Each
// passes; where a second text is given, the case with that in the place of the first
// must not, so that it looks at what it is about.
func TestKinds(t *testing.T) {
	t.Parallel()
	const (
		old   = `{"beginRendering":{"surfaceId":"old","root":"r"}}`
		v09   = `{"version":"v0.9","createSurface":{"surfaceId":"mid","catalogId":"c","sendDataModel":true}}`
		v091  = `{"version":"v0.9.1","createSurface":{"surfaceId":"mid1","catalogId":"c","sendDataModel":true}}`
		v10   = `{"version":"v1.0","createSurface":{"surfaceId":"new","sendDataModel":true,"dataModel":{"a":1}}}`
		quiet = `{"version":"v1.0","createSurface":{"surfaceId":"quiet","dataModel":{"b":2}}}`
		fill  = `{"version":"v0.9","updateDataModel":{"surfaceId":"mid","value":{"c":3}}}`
		all   = `"action":"get_renderer_data_model","messages":[` + old + `,` + v09 + `,` + v10 + `,` + quiet + `,` + fill + `],`
	)
	for name, c := range map[string]struct{ suite, text, is, not string }{
		"the data models of v1.0": {"core/message_processor_v1_0", all +
			`"args":{"version":"v1.0"},"expect":{"version":"v1.0","surfaces":{"new":{"a":1}}}`, `{"a":1}`, `{"a":2}`},
		"of v0.9": {"core/message_processor_v0_9", all +
			`"args":{"version":"v0.9"},"expect":{"version":"v0.9","surfaces":{"mid":{"c":3}}}`, `"mid"`, `"new"`},
		"of v0.9, which is v0.9.1": {"core/message_processor_v0_9", `"action":"get_renderer_data_model","messages":[` + v091 + `],` +
			`"args":{"version":"v0.9"},"expect":{"version":"v0.9","surfaces":{"mid1":{}}}`, `"mid1":{}`, ``},
		"of v0.8, which has none": {"core/message_processor_v0_8", all +
			`"args":{"version":"v0.8"},"expect":null`, `null`, `{"version":"v0.8","surfaces":{}}`},
		"none of a version": {"core/message_processor_v1_0", `"action":"get_renderer_data_model","messages":[` + v09 + `],` +
			`"args":{"version":"v1.0"},"expect":null`, ``, ``},
		"none that is asked for": {"core/message_processor_v1_0", `"action":"get_renderer_data_model","messages":[` + quiet + `],` +
			`"args":{"version":"v1.0"},"expect":null`, ``, ``},

		"capabilities of v0.8 under their version": {"core/message_processor_v0_8", `"action":"get_renderer_capabilities",` +
			`"catalogs":[{"catalogId":"c1","components":{}}],"args":{"version":"v0.8"},"expect":{"v0.8":{"supportedCatalogIds":["c1"]}}`, `["c1"]`, `["c2"]`},
		"bare": {"core/message_processor_v0_8", `"action":"get_renderer_capabilities",` +
			`"catalogs":[{"catalogId":"c1","components":{}}],"args":{"version":"v0.8"},"expect":{"supportedCatalogIds":["c1"]}`, `["c1"]`, `[]`},
		"capabilities of v0.9": {"core/message_processor_v0_9", `"action":"get_renderer_capabilities",` +
			`"catalogs":[{"catalogId":"c1","components":{}}],"args":{"version":"v0.9"},"expect":{"v0.9":{"supportedCatalogIds":["c1"]}}`, `"v0.9":{`, `"v1.0":{`},

		"a v0.9 message on a v0.8 surface": {"core/message_processor_v0_8", `"action":"process_messages","messages":[` + old +
			`,{"version":"v0.9","updateDataModel":{"surfaceId":"old","value":{"a":1}}}],"expectError":{"category":"ValidationError"}`, `Validation`, `Integrity`},
		"a v0.9 message on it, its version alone": {"core/message_processor_v0_8", `"action":"process_messages","protocolVersion":"v0.8","messages":[` + old +
			`,{"version":"v0.9","updateComponents":{"surfaceId":"old","components":[{"id":"r","component":"Text","text":"x"}]}}],` +
			`"expectError":{"category":"ValidationError","message":"action 'updateComponents' is not supported in protocol version v0.8"}`, `is not supported in protocol version v0.8`, `Surface not found`},
		"a v0.8 message on a v0.9 surface": {"core/message_processor_v0_9", `"action":"process_messages","messages":[` + v09 +
			`,{"surfaceUpdate":{"surfaceId":"mid","components":[{"id":"root","component":{"Divider":{}}}]}}],"expectError":{"category":"ValidationError"}`, `"expectError"`, `"comment"`},
		"a v1.0 message on a v0.9 surface": {"core/message_processor_v0_9", `"action":"process_messages","messages":[` + v09 +
			`,{"version":"v1.0","updateDataModel":{"surfaceId":"mid","value":1}}],"expectError":{"category":"ValidationError","message":"version"}`, `"expectError"`, `"comment"`},

		"an action that is its name": {"core/actions", `"action":"dispatch_action","actionPayload":"save","expectDispatched":{"name":"save","context":{}}`, `{"name":"save"`, `{"name":"load"`},
		"an event that is its name":  {"core/actions", `"action":"dispatch_action","actionPayload":{"event":"save"},"expectDispatched":{"name":"save"}`, `{"name":"save"`, `{"name":"load"`},
		"and a context beside it": {"core/actions", `"action":"dispatch_action","dataModel":{"id":7},"actionPayload":{"event":"save","context":{"id":{"path":"/id"},"k":"v"}},` +
			`"expectDispatched":{"name":"save","context":{"id":7,"k":"v"}}`, `"id":7,"k"`, `"id":8,"k"`},
		"a name and a context": {"core/actions", `"action":"dispatch_action","scope":"/l/1","dataModel":{"l":[{"n":"a"},{"n":"b"}]},"actionPayload":{"name":"pick","context":{"n":{"path":"n"}}},` +
			`"expectDispatched":{"name":"pick","context":{"n":"b"}}`, `{"n":"b"}}`, `{"n":"a"}}`},
		"in v1.0": {"core/actions", `"action":"dispatch_action","protocolVersion":"v1.0","dataModel":{"id":7},"actionPayload":{"event":"save","context":{"id":{"@path":"/id"}}},` +
			`"expectDispatched":{"name":"save","context":{"id":7}}`, `{"id":7}}`, `{"id":8}}`},

		"a scope with a slash at its end":  {"core/data_context", `"action":"resolve_path","args":{"path":"a/b","contextPath":"/x/y/"},"expect":"/x/y/a/b"`, `"/x/y/a/b"`, `"/x/y//a/b"`},
		"the scope itself":                 {"core/data_context", `"action":"resolve_path","args":{"path":".","contextPath":"/x/"},"expect":"/x"`, `"/x"`, `"/x/."`},
		"the root as scope":                {"core/data_context", `"action":"resolve_path","args":{"path":"a","contextPath":"/"},"expect":"/a"`, `"/a"`, `"//a"`},
		"a path with a slash at its end":   {"core/data_context", `"action":"resolve_path","args":{"path":"a/","contextPath":"/x"},"expect":"/x/a/"`, `"/x/a/"`, `"/x/a"`},
		"an absolute path stays":           {"core/data_context", `"action":"resolve_path","args":{"path":"/a//b/","contextPath":"/x/"},"expect":"/a//b/"`, `"expect":"/a//b/"`, `"expect":"/a/b"`},
		"escapes stay":                     {"core/data_context", `"action":"resolve_path","args":{"path":"a~1b/~0","contextPath":"/x~0/"},"expect":"/x~0/a~1b/~0"`, `"/x~0/a~1b/~0"`, `"/x~/a/b/~"`},
		"empty segments are keys, newly":   {"core/data_model", `"action":"data_model","initial":{"a":{"":{"b":1}}},"steps":[{"op":"get","path":"/a//b","expect":1},{"op":"set","path":"/a/","value":2},{"op":"get","path":"/a","expect":{"":2}}]`, `{"":2}`, `2`},
		"~ and / in keys":                  {"core/data_model", `"action":"data_model","initial":{},"steps":[{"op":"set","path":"/a~1b~0","value":{"c":1}},{"op":"get","path":"","expect":{"a/b~":{"c":1}}}]`, `"a/b~"`, `"a~1b~0"`},
		"a malformed escape, in a binding": {"core/validator_v0_9", deep(`{"path":"/a/~"}`, `"Invalid path syntax: '/a/~'"`), `"expectError"`, `"comment"`},
		"~0 and ~1 and what follows":       {"core/validator_v0_9", deep(`{"path":"/a~01/~1~0//"}`, ``), ``, ``},

		"five calls":                   {"core/validator_v0_9", deep(nested("call", 5), ``), ``, ``},
		"six calls":                    {"core/validator_v0_9", deep(nested("call", 6), `"Recursion limit exceeded: functionCall depth > 5"`), `"expectError"`, `"comment"`},
		"no argument":                  {"core/validator_v0_9", deep(`{"call":"shout","args":{}}`, `{"category":"ValidationError","details":[{"path":"text.args.v","code":"missing_field"}]}`), `missing_field`, `type_mismatch`},
		"one too many":                 {"core/validator_v0_9", deep(`{"call":"shout","args":{"v":"x","w":1}}`, `{"details":[{"path":"args.w","code":"extra_field"}]}`), `args.w`, `args.v`},
		"one of another type":          {"core/validator_v0_9", deep(`{"call":"shout","args":{"v":7}}`, `{"details":[{"path":"text.args.v","code":"type_mismatch"}]}`), `type_mismatch`, `missing_field`},
		"one of another type, inside":  {"core/validator_v0_9", deep(`{"call":"shout","args":{"v":{"call":"shout","args":{"v":[]}}}}`, `{"details":[{"path":"text.args.v.args.v","code":"type_mismatch"}]}`), `v.args.v`, `v.args.w`},
		"a call of nothing, inside":    {"core/validator_v0_9", deep(`{"call":"shout","args":{"v":{"call":"none","args":{}}}}`, `"Unknown function: none"`), `none"`, `shouts"`},
		"args that are no object":      {"core/validator_v0_9", deep(`{"call":"shout","args":["x"]}`, `{"category":"ValidationError"}`), `"expectError"`, `"comment"`},
		"a member that no call has":    {"core/validator_v0_9", deep(`{"call":"shout","args":{"v":"x"},"then":1}`, `{"category":"ValidationError"}`), `"expectError"`, `"comment"`},
		"a path as argument":           {"core/validator_v0_9", deep(`{"call":"shout","args":{"v":{"path":"/x"}}}`, ``), ``, ``},
		"a malformed path, inside":     {"core/validator_v0_9", deep(`{"call":"shout","args":{"v":{"path":"/x/~3"}}}`, `"Invalid path syntax"`), `"expectError"`, `"comment"`},
		"v0.8, six calls in an action": {"core/validator_v0_8", nestedOld(6, `"expectError":"Recursion limit exceeded: functionCall depth > 5",`), `"expectError"`, `"comment"`},
		"v0.8, five":                   {"core/validator_v0_8", nestedOld(5, ``), ``, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := `{"name":"x",` + c.text + `}`
			if err := caseOf(t, c.suite, text).run(); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			if c.is == "" {
				return
			}
			other := replaceLast(text, c.is, c.not)
			if err := caseOf(t, c.suite, other).run(); err == nil {
				t.Errorf("this passes, too: %s", other)
			}
		})
	}
}

// deep is a case about a Text whose text is given; want is the error, "" = none.
func deep(text, want string) string {
	fail := ""
	if want != "" {
		fail = `"expectError":` + want + `,`
	}
	return `"action":"validate","protocolVersion":"v0.9",` + fail + `"catalog":{"catalogId":"c","components":{"Text":{"type":"object",` +
		`"properties":{"component":{"const":"Text"},"text":{"$ref":"common_types.json#/$defs/DynamicString"}},"required":["component","text"]}},` +
		`"functions":{"shout":{"type":"object","returnType":"string","properties":{"call":{"const":"shout"},"args":{"type":"object",` +
		`"properties":{"v":{"$ref":"common_types.json#/$defs/DynamicString"}},"required":["v"],"additionalProperties":false}},"required":["call","args"]}}},` +
		`"messages":[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}},` +
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":` + text + `}]}}]`
}

// nested is a call of a call of a call.
func nested(key string, n int) string {
	if n == 0 {
		return `"x"`
	}
	return `{"` + key + `":"shout","args":{"v":` + nested(key, n-1) + `}}`
}

// nestedOld is a case with calls in an action of v0.8, as custom catalogs have them.
func nestedOld(n int, fail string) string {
	call := `{}`
	for range n {
		call = `{"functionCall":{"name":"f","args":[` + call + `]}}`
	}
	return `"action":"validate",` + fail + `"protocolVersion":"v0.8","catalog":{"catalogId":"c","components":{"Tap":{"type":"object",` +
		`"properties":{"run":{"type":"object"}}}}},"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[` +
		`{"id":"r","component":{"Tap":{"run":` + call + `}}}]}}]`
}

// replaceLast replaces what is last in a text.
func replaceLast(text, is, not string) string {
	at := strings.LastIndex(text, is)
	return text[:at] + not + text[at+len(is):]
}
