package door

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// This file writes for the doors of JSON-RPC.

// Reply begins the answer to a request, up to its result or error; an id of nil is null.
func Reply(dst, id []byte, member string) []byte {
	if id == nil {
		id = []byte("null")
	}
	dst = append(append(dst, `{"jsonrpc":"2.0","id":`...), id...)
	return append(append(append(dst, `,"`...), member...), `":`...)
}

// Event is one event of a stream. JSON of ours has no line breaks.
func Event(dst []byte, cursor string, line []byte) []byte {
	if cursor != "" {
		dst = append(append(append(dst, "id: "...), cursor...), '\n')
	}
	return append(append(append(dst, "data: "...), line...), "\n\n"...)
}

// RefusalHeaders says when an error may be tried again, and how its sender signs in.
func RefusalHeaders(h http.Header, status, after int) {
	if after > 0 {
		h.Set("Retry-After", strconv.Itoa(after))
	}
	if status == http.StatusUnauthorized && h.Get("WWW-Authenticate") == "" {
		h.Set("WWW-Authenticate", `Bearer realm="limn"`)
	}
}

// OfKey says of an error of an event's key where in a message of the door it is.
func OfKey(err error, path string) error {
	var e *ui.Error
	if !errors.As(err, &e) || e.Path != "Idempotency-Key" {
		return err
	}
	there := *e
	there.Path, there.Message = path, strings.ReplaceAll(e.Message, "Idempotency-Key", "id")
	return &there
}

// WriteJSON answers with a line.
func WriteJSON(w http.ResponseWriter, status int, line []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(line) // a client that is gone reads nothing
	return nil
}

// Key is an idempotency key made of texts of a client.
func Key(prefix string, of ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(of, "\x00")))
	return prefix + base64.RawURLEncoding.EncodeToString(sum[:])
}

// At puts a path before that of an error.
func At(err error, path string) error {
	if e, ok := err.(*ui.Error); ok {
		there := *e
		there.Path = path + e.Path
		return &there
	}
	return err
}
