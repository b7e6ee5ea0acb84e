package main

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const salesApp = `
name: crm
forms:
  - {name: lead, title: Lead, fields: [{name: company, label: Company, required: true}]}
records:
  - {name: lead, read: [sales], write: [manager]}
`

// TestRolesOfProxy: with the headers of a named proxy a role opens what the application
// declares for it, as long as the proxy says so; without them nobody comes in.
func TestRolesOfProxy(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "crm.yaml")
	write(t, file, salesApp)
	s := startServer(t, filepath.Join(t.TempDir(), "crm.db"), file, "--proxy", "127.0.0.1/32",
		"--user-header", "X-User", "--roles-header", "X-Roles")
	defer s.kill()
	as := func(user, roles, method, path, body string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, s.base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		for _, name := range strings.Fields(user) {
			req.Header.Add("X-User", name)
		}
		if roles != "" {
			req.Header.Set("X-Roles", roles)
		}
		resp, err := (&http.Client{Timeout: time.Minute}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		got, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(got)
	}
	status, body := as("ann", "", "POST", "/v1/records/lead", `{"values":{"company":"Acme"}}`)
	var saved struct{ ID string }
	if err := json.Unmarshal([]byte(body), &saved); err != nil || status != http.StatusCreated {
		t.Fatal(status, body)
	}
	at := "/v1/records/lead/" + saved.ID
	for _, tt := range []struct {
		user, roles, method, path string
		status                    int
		sees                      bool
	}{
		{"ann", "", "GET", at, 200, true},
		{"bob", "", "GET", at, 404, false},
		{"bob", "", "GET", "/v1/records/lead", 200, false},
		{"bob", "support", "GET", "/v1/records/lead", 200, false},
		{"bob", "support, sales", "GET", "/v1/records/lead", 200, true},
		{"bob", "sales", "DELETE", at, 403, false},
		{"bob", "", "GET", "/v1/records/lead", 200, false}, // the role was taken away
		{"", "sales", "GET", "/v1/records/lead", 401, false},
		{"bob ann", "sales", "GET", "/v1/records/lead", 401, false},
		{"bob", "manager", "DELETE", at, 204, false},
		{"ann", "", "GET", at, 404, false},
	} {
		status, body := as(tt.user, tt.roles, tt.method, tt.path, "")
		if status != tt.status || strings.Contains(body, "Acme") != tt.sees {
			t.Errorf("%s of %q with %q: %d %s", tt.method, tt.user, tt.roles, status, body)
		}
	}
}

// TestOthersThanTheProxy: headers count only from the proxy that is named.
func TestOthersThanTheProxy(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "crm.yaml")
	write(t, file, salesApp)
	s := startServer(t, filepath.Join(t.TempDir(), "crm.db"), file, "--proxy", "192.0.2.1", "--user-header", "X-User")
	defer s.kill()
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.base+"/v1/records/lead", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-User", "ann")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var said struct{ Code, Path, Hint string }
	if err := json.NewDecoder(resp.Body).Decode(&said); err != nil || resp.StatusCode != http.StatusUnauthorized ||
		said.Path != "X-User" || said.Hint == "" {
		t.Errorf("a header that anybody sends: %d %+v %v", resp.StatusCode, said, err)
	}
}
