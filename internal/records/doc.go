// Package records keeps the records of an application in the store, finds them, and
// decides who may use them.
//
//	a commit of a turn ─ Of ─▶ store.Commit.Records
//	a principal ─ Book.For ─▶ app.Records ─▶ store.Records
//
// A record is found by terms. Each field of a form has a term with its value in a form
// that sorts as the values do: numbers by size, dates by time, texts without regard to
// case. For searches, the words of all texts are also terms of one extra field.
//
// Callers: session writes the records of a turn and hands app.Records to actions; the
// web server and embedders use a Book.
package records
