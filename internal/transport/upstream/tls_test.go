package upstream_test

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/transport/upstream"
)

// TestTLS: an agent is asked over TLS if a certificate of its file vouches for it, and is sent the token that its
// file has at that time. Without the certificate, or the token, nothing is sent.
func TestTLS(t *testing.T) {
	t.Parallel()
	var got []string
	agent := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
		says(`{"text":"Sunny"}`)(w, "")
	}))
	agent.Config.ErrorLog = nil
	agent.StartTLS()
	t.Cleanup(agent.Close)
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	pemFile := write("ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: agent.Certificate().Raw})))
	secret := write("secret", "one\n")
	d := one(t, &fake{Server: agent}, fmt.Sprintf(", ca: %q, credentials: %q", pemFile, secret))
	for _, want := range []string{"one", "two"} { // the file is read for each request
		write("secret", want+"\n")
		if said := d.say("sun?"); said != "Weather: Sunny" || got[len(got)-1] != "Bearer "+want {
			t.Errorf("said %q, sent %q, want %s", said, got, want)
		}
	}
	for _, bad := range []string{"", "a\nb", "a\x01b", "\uFEFFab", "Bearer ab", strings.Repeat("x", 1<<20)} {
		write("secret", bad)
		if said := d.say("sun?"); !strings.Contains(said, "does not answer") || len(got) != 2 {
			t.Errorf("token %.9q: said %q after %d requests", bad, said, len(got))
		}
	}
	stranger := one(t, &fake{Server: agent}, "")
	if said := stranger.say("sun?"); !strings.Contains(said, "does not answer") || len(got) != 2 {
		t.Errorf("without its certificate: said %q after %d requests", said, len(got))
	}
	for _, more := range []string{"ca: none.pem", fmt.Sprintf("ca: %q", secret), "credentials: none"} {
		c, err := gateway.Load("gateway.yaml", fmt.Appendf(nil, "agents: [{name: a, url: %q, %s}]", agent.URL, more))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := upstream.Open(c, dir, nil); err == nil {
			t.Errorf("%s is taken", more)
		}
	}
}
