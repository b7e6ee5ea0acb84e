package ingress

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestModelsAsDeepAsSurfaces: the data of a surface are taken as deep as a surface can have them, and nothing else is.
func TestModelsAsDeepAsSurfaces(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	model := `"metadata":{"a2uiClientDataModel":{"version":"v0.9","surfaces":{"x:main#e=1":` + nested(16) + `}}}`
	if e, err := DecodeMessage([]byte(`{"text":"hi",`+model+`}`), Limits{}); err != nil || e.Model.Kind != jsonx.Object {
		t.Errorf("beside words: %v", err)
	}
	click := func(context string) string {
		return `{"version":"v0.9","action":{"name":"go","surfaceId":"x:main#e=1","sourceComponentId":"go","timestamp":"2026-11-27T08:00:00Z","context":` +
			context + `},` + model + `}`
	}
	if _, err := DecodeEnvelope([]byte(click(`{}`)), Limits{}); err != nil {
		t.Errorf("beside a click: %v", err)
	}
	if _, err := DecodeEnvelope([]byte(click(nested(15))), Limits{}); ui.CodeOf(err) != CodeTooLarge {
		t.Errorf("in a click: %v", err)
	}
	if ref, e, err := DecodeSocket([]byte(`{"ref":"1","text":"hi",`+model+`}`), Limits{}); err != nil || ref != "1" || e.Model.Kind != jsonx.Object {
		t.Errorf("over a socket: %v", err)
	}
}
