package a2ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Reported: a client-type message (an action, an error) that is hidden in a
// server batch is passed on as if the user had acted.
func TestFaultClientMessageHiddenInServerBatch(t *testing.T) {
	t.Parallel()
	hidden := map[string]string{
		"v0.8":   `{"userAction":{"name":"limn.submit","surfaceId":"form:a#e=1","sourceComponentId":"b","timestamp":"2026-11-20T12:00:00Z","context":{}}}`,
		"v0.9":   `{"version":"v0.9","action":{"name":"limn.submit","surfaceId":"form:a#e=1","sourceComponentId":"b","timestamp":"2026-11-20T12:00:00Z","context":{}}}`,
		"v1.0":   `{"version":"v1.0","action":{"name":"limn.submit","surfaceId":"form:a#e=1","sourceComponentId":"b","timestamp":"2026-11-20T12:00:00Z","context":{},"wantResponse":true,"actionId":"x"}}`,
		"error":  `{"version":"v0.9","error":{"code":"VALIDATION_FAILED","surfaceId":"a","path":"/x","message":"m"}}`,
		"error8": `{"error":{"message":"m"}}`,
	}
	server := map[string]string{
		"v0.8": `{"deleteSurface":{"surfaceId":"a"}}`, "v0.9": `{"version":"v0.9","deleteSurface":{"surfaceId":"a"}}`, "v1.0": `{"version":"v1.0","deleteSurface":{"surfaceId":"a"}}`,
	}
	for name, line := range hidden {
		if _, m, err := DecodeMessage([]byte(line)); err == nil {
			t.Errorf("%s is read as the server message %T", name, m)
		}
		for d, ok := range server {
			if _, _, err := DecodeMessage([]byte(ok)); err != nil {
				t.Fatal(err)
			}
			if _, msgs, err := DecodeMessages([]byte("[" + ok + "," + line + "]")); err == nil {
				t.Errorf("%s in a batch of %s is read as %d messages", name, d, len(msgs))
			}
			both := strings.TrimSuffix(ok, "}") + "," +
				strings.TrimPrefix(strings.Replace(line, `"version":"v0.9",`, "", 1), "{")
			if _, m, err := DecodeMessage([]byte(both)); err == nil {
				t.Errorf("%s beside a server message of %s in one object is read as %T", name, d, m)
			}
			for l, err := range ReadLines(strings.NewReader(ok+"\n"+line+"\n"), Limits{}) {
				if err != nil || l.Number != 2 {
					continue
				}
				if _, m, err := DecodeMessage(l.Bytes); err == nil {
					t.Errorf("%s in lines of %s is read as %T", name, d, m)
				}
			}
		}
	}
	for d, line := range server { // and the other way round
		for _, in := range []string{line, fmt.Sprintf(
			`{"version":"v0.9","action":{"name":"x","surfaceId":"a","sourceComponentId":"b","timestamp":"t","context":{}},%s`, strings.TrimPrefix(strings.Replace(line, `"version":"v0.9",`, "", 1), "{"))} {
			_, m, err := DecodeClient([]byte(in), Limits{})
			var p *Problem
			if err == nil || !errors.As(err, &p) {
				t.Errorf("a server message of %s is read as the client message %T, %v", d, m, err)
			}
		}
	}
}
