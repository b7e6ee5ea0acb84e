package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHello serves one request: a new conversation.
func TestHello(t *testing.T) {
	t.Parallel()
	srv, err := server()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	rec := httptest.NewRecorder()
	srv.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/v1/conversations", nil))
	if rec.Code != http.StatusCreated || !strings.Contains(rec.Body.String(), `"id"`) {
		t.Errorf("got %d %s", rec.Code, rec.Body)
	}
}

// TestHelloPage: the program as it is printed has the finished page: its script,
// its style, and something to type.
func TestHelloPage(t *testing.T) {
	t.Parallel()
	srv, err := server()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	site := httptest.NewServer(srv.Handler())
	defer site.Close()
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	resp, err := client.Get(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h1>Guest book</h1>", "limn.css", "html.js", "sign the guest book"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
