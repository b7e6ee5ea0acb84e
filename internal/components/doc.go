// Package components is Limn's own catalog: the basic catalog of a version of A2UI, and
// DataGrid, ProcessMap and Chart.
//
// In: a dialect. Out: the catalog as a document, for clients, and as the tables that the
// compiler and the validator use. The components are declared once, in limn.json; the
// packages below web that draw them are held to the same file.
//
// Invariants: the catalog of each version has a different id, like the basic catalogs; the
// returned catalogs are shared and never change.
//
// Called by package limn, which offers the catalog to clients that know it, by the HTTP
// API, which publishes the document, and by limn catalog. Pure.
package components
