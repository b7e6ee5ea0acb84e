// Package docsite makes the documentation a site of plain files: a page for each
// document of the repository, and reference pages that are generated from code.
//
// In: the folder of the repository. Out: the files of the site by their paths, the
// same bytes for the same sources. docs/README.md is the table of contents: each of
// its sections is a part of the navigation, each document that a section links to is
// a page of it, and a linked README.md brings the other documents of its folder.
//
//	site.go        what pages there are, in which order; Build
//	markdown.go    a document to HTML; its links, headings and texts
//	reference.go   app.yaml, codes, HTTP and directives as documents
//	packages.go    the Go packages that programs import, as documents
//	assets/        the template, the look, the search
//
// A link to a document, file or heading that is not there fails the build, as does a
// document that no page leads to. A page needs no script; the search does.
//
// Callers: internal/docsite/cmd, which writes the files.
package docsite
