//go:build race

package main

// Under the race detector the real servers have it too: what it finds fails the test.
// Of the scripts only those whose commands work in several goroutines run with it:
// the others start a process a line, and run in full without it.
func init() {
	buildFlags = []string{"-race"}
	scripts = []string{"testdata/script/backup.txtar", "testdata/script/evaldirectives.txtar"}
}
