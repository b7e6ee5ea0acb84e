// Package app holds the declaration of an application: the directives a model may
// use, its forms, tables, maps and views, its actions, limits and words.
//
// In: a [Config] written in Go, or one YAML file (see [Load] and docs/yaml.md);
// both give the same result. Out: a checked, immutable [App] that builds the
// opening of each declared surface, finds the form that a message asks for in so
// many words ([App.FormFor]), describes lists of records
// ([App.RecordLists]), and writes the script of a model-free demo
// ([App.Script]). A fault is a *ui.Error that names the member, and for YAML the
// file and line.
//
// Invariants:
//   - every declaration that New accepts can be opened and submitted within its
//     limits;
//   - names of forms, tables and maps are unique together, since submitted data
//     goes to /committed/<name>;
//   - the same declaration gives the same fingerprint, versions and script; parts
//     that only read messages (phrases, nouns) change no fingerprint.
//
// Callers: execute builds surfaces and looks actions up, appcall runs them,
// compile asks which actions are allowed, agent asks for the registry.
package app
