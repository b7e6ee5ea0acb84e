package conversation

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// MaxPrincipal is the most bytes of a principal's name. It is stored with each
// of their events.
const MaxPrincipal = 1024

// Owner returns the form of a principal in the store: a hash of a name. An id that
// Anonymous made, or an Owner, is returned as it is.
func Owner(principal string) string {
	if principal == "" || IsOwner(principal) {
		return principal
	}
	return digest(named, "limn-authenticated", principal)
}

// Anonymous returns the principal of a client that has a secret token and no name: a
// hash of the token.
func Anonymous(token string) string { return digest(anonymous, "limn-principal", token) }

// IsOwner reports whether a principal is an id, not a name. Authentication must
// not give such a name: it would be someone else.
func IsOwner(principal string) bool {
	rest, ok := strings.CutPrefix(principal, named)
	if !ok {
		rest, ok = strings.CutPrefix(principal, anonymous)
	}
	return ok && len(rest) == 32 && strings.Trim(rest, "0123456789abcdef") == ""
}

const (
	named     = "a-"
	anonymous = "p-"
	linked    = "l-"
)

func digest(prefix, domain, secret string) string {
	sum := sha256.Sum256([]byte(domain + "\x00" + secret))
	return prefix + hex.EncodeToString(sum[:16])
}
