package session_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/session"
)

// The hashes are those that versions before names stored: their conversations
// stay their owners'.
func TestOwner(t *testing.T) {
	t.Parallel()
	for principal, want := range map[string]string{
		"":                             "",
		"ann":                          "a-ce542dbeb883d8bdfa2217f03e03632f",
		session.Owner("ann"):           session.Owner("ann"),
		session.Anonymous("t"):         session.Anonymous("t"),
		"a-" + strings.Repeat("g", 32): session.Owner("a-" + strings.Repeat("g", 32)),
	} {
		equal(t, principal, want, session.Owner(principal))
	}
	if session.IsOwner("a-"+strings.Repeat("0", 31)) || !session.IsOwner("p-"+strings.Repeat("0", 32)) {
		t.Error("IsOwner")
	}
}
