// Package logs makes log lines that hold nothing a user wrote, and that name the
// request they belong to.
package logs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/limn-ui/limn/ui"
)

// storeFailed is conversation.CodeStore.
const storeFailed ui.Code = "STORE_FAILED"

// Quiet describes an error for a log: its codes, the system's text for faults of
// networks, files and deadlines, and the types of the other causes, outermost first.
// Other texts of errors stay out: they may quote the words of a user, of a server or of
// an app's handler; so do names of hosts and files. Errors of a store describe the
// store and are logged in full. An error with a method Quiet provides its own text.
func Quiet(err error) string {
	var parts []string
	add := func(part string) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	for ; err != nil; err = errors.Unwrap(err) {
		switch e := err.(type) {
		case *ui.Error:
			add(string(e.Code))
			if e.Code == storeFailed && e.Err != nil {
				return strings.Join(append(parts, e.Err.Error()), ": ")
			}
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				add(Quiet(one))
			}
		default:
			add(cause(err))
		}
	}
	return strings.Join(parts, ": ")
}

// plain are errors whose texts are always the same.
var plain = []error{context.Canceled, context.DeadlineExceeded, os.ErrDeadlineExceeded, io.EOF, io.ErrUnexpectedEOF,
	io.ErrClosedPipe, net.ErrClosed,
	fs.ErrExist, fs.ErrNotExist, fs.ErrPermission, fs.ErrClosed}

// cause is what may be said of one error, without those it wraps; "" where it
// only wraps.
func cause(err error) string {
	switch e := err.(type) {
	case interface{ Quiet() string }:
		return e.Quiet()
	case *url.Error:
		return e.Op
	case *net.OpError:
		return e.Op + " " + e.Net
	case *net.DNSError:
		switch {
		case e.IsNotFound:
			return "no such host"
		case e.IsTimeout:
			return "the lookup of the host timed out"
		}
		return "the lookup of the host failed"
	case *os.SyscallError:
		return e.Syscall
	case *fs.PathError:
		return e.Op
	case syscall.Errno:
		return e.Error()
	case *json.SyntaxError:
		return fmt.Sprintf("no JSON at byte %d", e.Offset)
	case *json.UnmarshalTypeError: // Field is of the Go type; after "number" Value may have the number
		kind, _, _ := strings.Cut(e.Value, " ")
		return cmp.Or(e.Field, "the document") + " takes no " + kind
	}
	if slices.ContainsFunc(plain, func(p error) bool { return p == err }) {
		return err.Error()
	}
	name := fmt.Sprintf("%T", err)
	if name == "*fmt.wrapError" {
		return ""
	}
	return name
}

// QuietPanic describes the value of a panic: a fault of the program in full, anything
// else by its type.
func QuietPanic(p any) string {
	if e, ok := p.(runtime.Error); ok {
		return e.Error()
	}
	return fmt.Sprintf("%T", p)
}
