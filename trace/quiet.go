package trace

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// storeFailed is session.CodeStore.
const storeFailed ui.Code = "STORE_FAILED"

// Quiet describes an error for a log: its codes, and the types of what caused
// it, outermost first. The texts of errors stay out: they may quote what a user
// wrote, or what a server or an app's handler made of it. What a store says is
// about the store, and told in full.
func Quiet(err error) string {
	var parts []string
	for ; err != nil; err = errors.Unwrap(err) {
		switch e := err.(type) {
		case *ui.Error:
			parts = append(parts, string(e.Code))
			if e.Code == storeFailed && e.Err != nil {
				return strings.Join(append(parts, e.Err.Error()), ": ")
			}
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				parts = append(parts, Quiet(one))
			}
		default:
			parts = append(parts, fmt.Sprintf("%T", err))
		}
	}
	return strings.Join(parts, ": ")
}

// QuietPanic describes what a program panicked with: a fault of the program in
// full, anything else by its type.
func QuietPanic(p any) string {
	if e, ok := p.(runtime.Error); ok {
		return e.Error()
	}
	return fmt.Sprintf("%T", p)
}
