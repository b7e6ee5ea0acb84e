package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
)

// FuzzPosts sends anything to every address that takes a body: nothing panics,
// nothing is our fault, and every refusal has a code.
func FuzzPosts(f *testing.F) {
	srv, err := limn.New(limn.Config{App: desk(f)})
	if err != nil {
		f.Fatal(err)
	}
	defer srv.Close(f.Context())
	send := func(token, path, contentType, header, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header["Content-Type"] = []string{contentType}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		if header != "" {
			r.Header["Idempotency-Key"], r.Header["Prefer"], r.Header["Accept"] = []string{header}, []string{header}, []string{header}
		}
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, r)
		return w
	}
	var made struct{ ID, Token string }
	if err := json.Unmarshal(send("", "/v1/conversations", "", "", "").Body.Bytes(), &made); err != nil {
		f.Fatal(err)
	}
	send(made.Token, "/v1/conversations/"+made.ID+"/messages", "application/json", "", `{"text":"add a customer"}`)
	paths := []string{"/v1/conversations", "/v1/conversations/" + made.ID + "/messages", "/v1/conversations/" + made.ID + "/events", "/v1/conversations/" + made.ID + "/uploads",
		"/c", "/c/" + made.ID + "/messages", "/c/" + made.ID + "/actions", "/c/" + made.ID + "/uploads",
		"/v1/conversations/" + made.ID + "/guardrails", "/c/" + made.ID + "/preferences"}
	for i, body := range []string{`{"text":"hello"}`, `{"version":"v0.9","action":{"name":"limn.submit","surfaceId":"form:customer#e=1","sourceComponentId":"c#main:Button","timestamp":"t","context":{"limn_nonce":"x","limn_rev":1}}}`,
		"text=hello&draw=v0.9", "limn_surface=form:customer%23e=1&limn_component=c%23main&limn_nonce=x&limn_rev=1&/draft/company=A", "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n--b--\r\n", "\xff\x00%"} {
		for _, ct := range []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "\x00"} {
			f.Add(uint8(i), ct, "wait=0", body)
		}
	}
	f.Fuzz(func(t *testing.T, at uint8, contentType, header, body string) {
		w := send(made.Token, paths[int(at)%len(paths)], contentType, header, body)
		ct := w.Header().Get("Content-Type")
		switch {
		case w.Code >= 500 && w.Code != http.StatusServiceUnavailable:
			t.Errorf("%d %s", w.Code, w.Body)
		case w.Code >= 400 && !strings.Contains(w.Body.String(), "_"):
			t.Errorf("%d without a code: %s", w.Code, w.Body)
		case w.Code >= 400 && ct != "application/problem+json" && !strings.HasPrefix(ct, "text/html"):
			t.Errorf("%d %s", w.Code, ct)
		}
	})
}
