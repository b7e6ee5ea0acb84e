package ingress_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// TestLongMessage: who pastes too much into the chat reads where it can go.
func TestLongMessage(t *testing.T) {
	t.Parallel()
	if _, err := ingress.MessageEvent(strings.Repeat("x", 32<<10), ingress.Limits{}); err != nil {
		t.Errorf("32 KiB: %v", err)
	}
	_, err := ingress.MessageEvent(strings.Repeat("x", 32<<10+1), ingress.Limits{})
	if ui.CodeOf(err) != ingress.CodeTooLarge ||
		!strings.Contains(err.Error(), "paste a longer list into the box of a table") {
		t.Errorf("one more: %v", err)
	}
}
