//go:build race

package main

// Under the race detector the real servers have it too: what it finds fails the test.
func init() {
	raced, buildFlags = true, []string{"-race"}
}
