package conversation_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/conversation"
)

// The hashes are those that versions before names stored: their conversations
// stay their owners'.
func TestOwner(t *testing.T) {
	t.Parallel()
	for principal, want := range map[string]string{
		"":                             "",
		"ann":                          "a-ce542dbeb883d8bdfa2217f03e03632f",
		conversation.Owner("ann"):      conversation.Owner("ann"),
		conversation.Anonymous("t"):    conversation.Anonymous("t"),
		"a-" + strings.Repeat("g", 32): conversation.Owner("a-" + strings.Repeat("g", 32)),
	} {
		if got := conversation.Owner(principal); got != want {
			t.Errorf("Owner(%q) = %q, want %q", principal, got, want)
		}
	}
	if conversation.IsOwner("a-"+strings.Repeat("0", 31)) || !conversation.IsOwner("p-"+strings.Repeat("0", 32)) {
		t.Error("IsOwner")
	}
}
