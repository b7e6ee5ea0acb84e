package trace_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

func TestQuiet(t *testing.T) {
	t.Parallel()
	secret := errors.New("secret")
	for want, err := range map[string]error{
		"":                                 nil,
		"*errors.errorString":              secret,
		"LLM_TIMEOUT: *errors.errorString": &ui.Error{Code: "LLM_TIMEOUT", Message: "secret", Path: "/secret", Err: secret},
		"*fmt.wrapError: STORE_FAILED":     fmt.Errorf("secret: %w", &ui.Error{Code: "STORE_FAILED"}),
		"STORE_FAILED: disk full":          &ui.Error{Code: "STORE_FAILED", Message: "x", Err: errors.New("disk full")},
		"*errors.errorString: A":           errors.Join(secret, &ui.Error{Code: "A"}),
	} {
		if got := trace.Quiet(err); got != want {
			t.Errorf("%q, want %q", got, want)
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
				if got := trace.QuietPanic(recover()); got != want {
					t.Errorf("%q, want %q", got, want)
				}
			}()
			fault()
		}()
	}
}
