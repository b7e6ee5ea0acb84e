package webhook

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// StatusError is an answer outside 2xx.
type StatusError struct {
	status int
	after  time.Duration
}

func statusError(resp *http.Response, now time.Time) *StatusError {
	e := &StatusError{status: resp.StatusCode}
	sent := resp.Header.Get("Retry-After")
	if n, err := strconv.Atoi(sent); err == nil && n > 0 {
		e.after = time.Duration(min(n, 7*24*3600)) * time.Second
	} else if at, err := http.ParseTime(sent); err == nil && at.After(now) {
		e.after = at.Sub(now)
	}
	return e
}

func (e *StatusError) Error() string { return fmt.Sprintf("webhook answered %d", e.status) }

// Quiet is the text for logs.
func (e *StatusError) Quiet() string { return fmt.Sprintf("HTTP %d", e.status) }

// StatusCode is the status of the answer.
func (e *StatusError) StatusCode() int { return e.status }

// RetryAfter is how long the endpoint asks to be left alone (RFC 9110 §10.2.3); 0: it does not say.
func (e *StatusError) RetryAfter() time.Duration { return e.after }

// Final reports an endpoint that is gone for good (Standard Webhooks: 410 Gone).
func (e *StatusError) Final() bool { return e.status == http.StatusGone }

// sizeError is an answer above the limit, which it is.
type sizeError int64

func (e sizeError) Error() string { return fmt.Sprintf("webhook answer above %d bytes", int64(e)) }

// Quiet is the text for logs.
func (e sizeError) Quiet() string { return e.Error() }

// TooLarge marks the error for package session.
func (e sizeError) TooLarge() bool { return true }

// targetError is why an address is not called: asking again cannot help.
type targetError struct{ why string }

func (targetError) Error() string   { return "not a target of webhooks" }
func (targetError) Final() bool     { return true }
func (e targetError) Quiet() string { return e.why } // of an address that the application declares
func (targetError) Is(err error) bool {
	_, ok := err.(targetError)
	return ok
}
