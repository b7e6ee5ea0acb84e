// Package app holds what an application declares: which directives a model may
// use, its forms, tables, maps and views, its actions, limits and words.
//
// In: a [Config] written in Go, or one YAML file (see [Load]); both give the
// same result. Out: a checked, immutable [App] that knows how to build the
// opening of each declared surface. A fault is a *ui.Error that names the
// field, and for YAML the file and line.
//
// Callers: execute builds surfaces and looks actions up, session runs them,
// compile asks which actions are allowed, agent asks for the registry.
package app
