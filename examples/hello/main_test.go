package main

import (
	"net/http"
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
