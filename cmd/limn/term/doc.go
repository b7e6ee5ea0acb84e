// Package term has the common parts of the commands of limn: where they read and write,
// how they report that something is wrong, and text that is safe and aligned on
// a terminal.
//
// Whatever comes from a stranger goes through Clean before it is printed;
// colours are used only where a person looks (StyleOf).
package term
