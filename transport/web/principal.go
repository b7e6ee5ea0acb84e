package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/limn-ui/limn/recovery"
	"github.com/limn-ui/limn/ui"
)

// cookieName is the cookie a browser is known by. Its value is the token that
// API clients send as a bearer.
const cookieName = "limn"

const cookieDays = 400

// principal returns who a request comes from: the hash of its token. A request
// without one has no conversations.
func principal(r *http.Request) (string, error) {
	token, ok := tokenOf(r)
	if !ok {
		return "", &ui.Error{Code: recovery.CodeUnauthorized, Message: "no cookie and no bearer token",
			Hint: "POST /v1/conversations gives both"}
	}
	return hashToken(token), nil
}

func tokenOf(r *http.Request) (string, bool) {
	if auth := r.Header.Get("Authorization"); auth != "" {
		scheme, token, _ := strings.Cut(auth, " ")
		return token, strings.EqualFold(scheme, "Bearer") && validToken(token)
	}
	if c, err := r.Cookie(cookieName); err == nil {
		return c.Value, validToken(c.Value)
	}
	return "", false
}

func validToken(t string) bool {
	b, err := base64.RawURLEncoding.DecodeString(t)
	return err == nil && len(b) == 32
}

// hashToken is what is stored: the token itself never is.
func hashToken(token string) string {
	sum := sha256.Sum256([]byte("limn-principal\x00" + token))
	return "p-" + hex.EncodeToString(sum[:16])
}

// identify returns the token of a request, a new one if it has none. A bearer
// that is no token is refused: its sender believes to be somebody.
func identify(r *http.Request) (token string, isNew bool, err error) {
	if t, ok := tokenOf(r); ok {
		return t, false, nil
	}
	if r.Header.Get("Authorization") != "" {
		return "", false, &ui.Error{Code: recovery.CodeUnauthorized, Message: "this is no bearer token of this server",
			Hint: "leave Authorization out to be given one"}
	}
	var b [32]byte
	rand.Read(b[:]) //nolint:errcheck // never fails, crypto/rand
	return base64.RawURLEncoding.EncodeToString(b[:]), true, nil
}

func (s *Server) setCookie(w http.ResponseWriter, r *http.Request, token string) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		MaxAge: cookieDays * 24 * 3600, Secure: r.TLS != nil || s.cfg.Secure})
}
