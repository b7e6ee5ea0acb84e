// Package app holds what an application declares: which directives a model may
// use, its forms, tables, maps and views, its actions, limits and words.
//
// In: a [Config] written in Go, or one YAML file (see [Load]); both give the
// same result. Out: a checked, immutable [App] that builds the opening of each
// declared surface, knows which form a message asks for in so many words
// ([App.FormFor]), and writes the script of a model-free demo ([App.Script]).
// A fault is a *ui.Error that names the member, and for YAML the file and line.
//
// Invariants: what New accepts can be opened and submitted within its limits;
// names of forms, tables and maps are unique together, since submitted data
// goes to /committed/<name>; the same declaration gives the same fingerprint,
// versions and script; what only reads messages (phrases, nouns) changes no
// fingerprint.
//
// # YAML
//
// Members are those of Config in lower case with underscores. Lists of texts
// may be one text. Only name is required.
//
//	name, title, instructions, suggestions, directives, aliases {name: type}
//	forms:      [{name, title, help, phrases, fields, submit, done, on_submit}]
//	tables:     [{name, title, help, nouns, columns, min_rows, on_submit}]
//	maps:       [{name, title, help, on_submit}]
//	views:      [{name, title, nodes}]
//	actions:    [{name, label, reply | run: directives, chat, tools or hybrid |
//	              webhook: {url, secret} | handler,
//	              context: [{key, type}], repeat, idempotent,
//	              after: [form], until: [form]}]
//	model_tools: [{name, description, schema, handler | webhook: {url, secret} |
//	              mcp: {server, tool}, idempotent, repeat, after: [form], until: [form]}]
//	messages:   [{phrases, run: directives, chat, tools or hybrid | action: name}]
//	guardrails: [{id, pattern, action, tool, enabled: true}]
//	tools:      {max_iterations: {request_data_table: 2, request_process_map: 2}, preferred_ui}
//	limits:     {surfaces, nodes, depth, rows, options, string_size, draft_size,
//	             transcript, text_size, committed}
//	words:      {key: text}, keys of ui.DefaultWords
//	recovery:   {CODE or FAMILY_*: {status, do: soft | surface_fail | reset, title}}
//
// An action with after is for now once all those forms, tables or maps were
// submitted, one with until as long as none was: else its buttons are in no
// drawing and clicks on them are refused.
//
// The schema of a model tool is a JSON Schema, written as YAML. A path into it
// follows the member's: model_tools[0].schema/properties/city/type.
//
// A field or column is {name, label, type: text, required, min, max, step,
// pattern, options: [a, {value, label}], help, placeholder, default, clear,
// accept}. A node is its kind with its members, or with its main one alone:
//
//	heading {text, level: 2}   text {text, path, small}   stat {label, value, path, note}
//	progress {label, percent, path}   notice {text, tone: info}   image {url, alt}
//	icon {name, label}   divider   row, column, card {children}   section {title, children}
//	tabs {tabs: [{title, children}]}
//	button {action, label, primary, repeat, context: [{key, value | path}]}
//
// Each may have a key; without one it is the kind, numbered among its siblings.
// A path is under /committed, /draft or /ui_state. The nodes of a view are in
// one column; a view in YAML shows, it has no inputs.
//
// Callers: execute builds surfaces and looks actions up, session runs them,
// compile asks which actions are allowed, agent asks for the registry.
package app
