package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"github.com/limn-ui/limn/ingress"
	"github.com/limn-ui/limn/recovery"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// AuthFunc says who sends a request: any text that names them for good, such as
// the subject of a session or of a token. It is called once for each request,
// streams included, from many goroutines.
//
// An error refuses the request: 403 if it is ErrForbidden, the code's status if
// it is a *ui.Error, else 401. Clients read the message of a *ui.Error only.
type AuthFunc func(r *http.Request) (principal string, err error)

// ErrForbidden says, from an AuthFunc, that the sender is known and may not.
var ErrForbidden = errors.New("forbidden")

// The cookie a browser is known by. Its value is the token that API clients send
// as a bearer. Where it is Secure its name has the prefix that no other host of
// the domain, and no plain-HTTP page, can set: nobody is put into somebody
// else's conversation.
const (
	cookieName   = "limn"
	secureCookie = "__Host-limn"
	cookieDays   = 400
)

// principal returns who a request comes from, as it is stored: a hash.
func (s *Server) principal(r *http.Request) (string, error) {
	if s.cfg.Authenticate != nil {
		return s.authenticated(r)
	}
	token, ok := s.tokenOf(r)
	if !ok {
		return "", &ui.Error{Code: recovery.CodeUnauthorized, Message: "no cookie and no bearer token",
			Hint: "POST /v1/conversations gives both"}
	}
	return hashed("p-", "limn-principal", token), nil
}

// authenticated asks the embedder.
func (s *Server) authenticated(r *http.Request) (string, error) {
	name, err := s.cfg.Authenticate(r)
	var coded *ui.Error
	switch {
	case errors.As(err, &coded):
		return "", err
	case errors.Is(err, ErrForbidden):
		return "", &ui.Error{Code: recovery.CodeForbidden, Message: "you may not use this server", Err: err}
	case err != nil && r.Context().Err() == nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)):
		return "", &ui.Error{Code: recovery.CodeAuthDown, Message: "who you are could not be looked up", Err: err}
	case err != nil:
		s.cfg.Log.Debug("not authenticated", "path", r.Pattern, "err", trace.Quiet(err))
		return "", &ui.Error{Code: recovery.CodeUnauthorized, Message: "you are not signed in"}
	case name == "":
		return "", &ui.Error{Code: recovery.CodeUnauthorized, Message: "you are not signed in"}
	}
	return hashed("a-", "limn-authenticated", name), nil
}

// newcomer returns who starts a conversation, and the token they are known by:
// their own, or one made now. With Authenticate there are no tokens.
func (s *Server) newcomer(r *http.Request) (who, token string, isNew bool, err error) {
	if s.cfg.Authenticate != nil {
		who, err = s.authenticated(r)
		return who, "", false, err
	}
	token, ok := s.tokenOf(r)
	switch {
	case ok:
	case r.Header.Get("Authorization") != "": // its sender believes to be somebody
		return "", "", false, &ui.Error{Code: recovery.CodeUnauthorized, Message: "this is no bearer token of this server",
			Hint: "leave Authorization out to be given one"}
	default:
		var b [32]byte
		rand.Read(b[:]) //nolint:errcheck // never fails, crypto/rand
		token, isNew = base64.RawURLEncoding.EncodeToString(b[:]), true
	}
	return hashed("p-", "limn-principal", token), token, isNew, nil
}

func (s *Server) tokenOf(r *http.Request) (string, bool) {
	if auth := r.Header.Get("Authorization"); auth != "" {
		scheme, token, _ := strings.Cut(auth, " ")
		return token, strings.EqualFold(scheme, "Bearer") && validToken(token)
	}
	if c, err := r.Cookie(s.cookie(r)); err == nil {
		return c.Value, validToken(c.Value)
	}
	return "", false
}

func validToken(t string) bool {
	b, err := base64.RawURLEncoding.DecodeString(t)
	return err == nil && len(b) == 32
}

// hashed is what is stored of a token or a name: neither ever is itself.
func hashed(prefix, domain, secret string) string {
	sum := sha256.Sum256([]byte(domain + "\x00" + secret))
	return prefix + hex.EncodeToString(sum[:16])
}

func (s *Server) secure(r *http.Request) bool { return r.TLS != nil || s.cfg.Secure }

func (s *Server) cookie(r *http.Request) string {
	if s.secure(r) {
		return secureCookie
	}
	return cookieName
}

func (s *Server) setCookie(w http.ResponseWriter, r *http.Request, token string) {
	http.SetCookie(w, &http.Cookie{Name: s.cookie(r), Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		MaxAge: cookieDays * 24 * 3600, Secure: s.secure(r)})
}

// clientOf is how a client names itself among those of its principal, so that an
// error it reports rebuilds it and no other; "" if it does not.
func clientOf(r *http.Request) (string, error) {
	name := r.Header.Get("Limn-Client")
	if name == "" {
		name = r.URL.Query().Get("client")
	}
	bad := strings.IndexFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-'
	})
	if bad >= 0 || len(name) > 64 {
		return "", &ui.Error{Code: ingress.CodeEnvelope, Path: "Limn-Client", Message: "want 1 to 64 of A-Z, a-z, 0-9, _ and -"}
	}
	return name, nil
}
