package logs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/ui"
)

// spoken says itself what may be told.
type spoken struct{ error }

func (spoken) Quiet() string   { return "its own words" }
func (s spoken) Unwrap() error { return s.error }

func TestQuiet(t *testing.T) {
	t.Parallel()
	secret := errors.New("secret")
	for want, err := range map[string]error{
		"":                                 nil,
		"*errors.errorString":              secret,
		"LLM_TIMEOUT: *errors.errorString": &ui.Error{Code: "LLM_TIMEOUT", Message: "secret", Path: "/secret", Err: secret},
		"STORE_FAILED":                     fmt.Errorf("secret: %w", &ui.Error{Code: "STORE_FAILED"}),
		"STORE_FAILED: disk full":          &ui.Error{Code: "STORE_FAILED", Message: "x", Err: errors.New("disk full")},
		"*errors.errorString: A":           errors.Join(secret, &ui.Error{Code: "A"}),
		"Post: dial tcp: connect: connection refused": &url.Error{Op: "Post", URL: "https://secret", Err: &net.OpError{Op: "dial", Net: "tcp",
			Addr: &net.UnixAddr{Name: "secret"}, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}},
		"Post: dial tcp: no such host":             &url.Error{Op: "Post", URL: "https://secret", Err: &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Name: "secret", Err: "secret", IsNotFound: true}}},
		"the lookup of the host timed out":         &net.DNSError{Name: "secret", Err: "secret", IsTimeout: true},
		"the lookup of the host failed":            &net.DNSError{Name: "secret", Err: "secret"},
		"open: permission denied":                  &fs.PathError{Op: "open", Path: "/secret", Err: syscall.EACCES},
		"ACTION_FAILED: context deadline exceeded": &ui.Error{Code: "ACTION_FAILED", Err: fmt.Errorf("secret: %w", context.DeadlineExceeded)},
		"unexpected EOF":                           fmt.Errorf("secret: %w", io.ErrUnexpectedEOF),
		"no JSON at byte 1":                        json.Unmarshal([]byte("secret"), new(int)),
		"the document takes no string":             json.Unmarshal([]byte(`"secret"`), new(int)),
		"N takes no number":                        json.Unmarshal([]byte(`{"N":1000}`), new(struct{ N int8 })),
		"its own words: *errors.errorString":       fmt.Errorf("secret: %w", spoken{secret}),
		"*errors.errorString: *errors.errorString": fmt.Errorf("secret: %w %w", secret, secret),
	} {
		if got := logs.Quiet(err); got != want {
			t.Errorf("%q, want %q", got, want)
		} else if strings.Contains(got, "secret") {
			t.Errorf("%q tells", got)
		}
	}
}

func TestQuietPanic(t *testing.T) {
	t.Parallel()
	for want, fault := range map[string]func(){
		"string":              func() { panic("secret") },
		"*errors.errorString": func() { panic(errors.New("secret")) },
		"runtime error: index out of range [3] with length 0": func() { var s []int; i := 3; _ = s[i] },
	} {
		func() {
			defer func() {
				if got := logs.QuietPanic(recover()); got != want {
					t.Errorf("%q, want %q", got, want)
				}
			}()
			fault()
		}()
	}
}
