package web_test

import (
	"bufio"
	"context"
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
			r.Header["Idempotency-Key"], r.Header["Prefer"], r.Header["Accept"] = []string{header}, []string{header},
				[]string{header}
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
	paths := []string{"/v1/conversations", "/v1/conversations/" + made.ID + "/messages",
		"/v1/conversations/" + made.ID + "/events", "/v1/conversations/" + made.ID + "/uploads",
		"/c", "/c/" + made.ID + "/messages", "/c/" + made.ID + "/actions", "/c/" + made.ID + "/uploads",
		"/v1/conversations/" + made.ID + "/guardrails", "/c/" + made.ID + "/preferences"}
	for i, body := range []string{`{"text":"hello"}`,
		`{"version":"v0.9","action":{"name":"limn.submit","surfaceId":"form:customer#e=1","sourceComponentId":"c#main:Button","timestamp":"t","context":{"limn_nonce":"x","limn_rev":1}}}`,
		"text=hello&draw=v0.9",
		"limn_surface=form:customer%23e=1&limn_component=c%23main&limn_nonce=x&limn_rev=1&/draft/company=A",
		"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n--b--\r\n", "\xff\x00%"} {
		for _, ct := range []string{"application/json", "application/x-www-form-urlencoded",
			"multipart/form-data; boundary=b", "\x00"} {
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

// FuzzRequests sends whole requests, as bytes on the wire, to every address: what
// the HTTP reader lets through is answered as something declared, and a refusal
// has a code. TOKEN and ID in a request stand for those of a conversation.
func FuzzRequests(f *testing.F) {
	srv, err := limn.New(limn.Config{App: desk(f), Assets: bundles,
		Limits: limn.Limits{Rate: -1, AddressRate: -1, Conversations: -1, FileBytes: -1}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { srv.Close(context.Background()) })
	send := func(wire string) (*http.Request, *httptest.ResponseRecorder) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(wire)))
		if err != nil || r.Method == http.MethodConnect {
			return nil, nil
		}
		if r.Method == http.MethodGet && (strings.HasSuffix(r.URL.Path, "/stream") || r.Header.Get("Upgrade") != "") {
			return nil, nil // has no end
		}
		r.RemoteAddr = "192.0.2.1:1"
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, r)
		return r, w
	}
	_, w := send("POST /v1/conversations HTTP/1.1\r\nHost: x\r\n\r\n")
	var made struct{ ID, Token string }
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil {
		f.Fatal(err)
	}
	const bearer, form = "Authorization: Bearer TOKEN\r\n",
		"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n"
	for _, seed := range []struct{ method, target, headers, body string }{
		{"GET", "/", "Cookie: limn=TOKEN; limn=x; a=\"b\r\n", ""},
		{"POST", "/v1/conversations/ID/messages?version=v0.9&catalog=x&catalog=y", bearer + "Content-Type: application/json\r\nIdempotency-Key: a\r\nPrefer: wait=0, wait=1\r\nContent-Length: 25\r\n", `{"text":"add a customer"}`},
		{"POST", "/v1/conversations/ID/events?client=a", bearer + "Content-Type: application/json\r\nLimn-Client: a\r\nTransfer-Encoding: chunked\r\n", "5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n"},
		{"POST", "/v1/conversations/ID/uploads", bearer + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 88\r\n", "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n\x89PNG\r\n--b--\r\n"},
		{"GET", "/v1/conversations/ID/frames?after=18446744073709551615", bearer, ""},
		{"GET", "/v1/conversations/ID/a2ui?version=html&version=v0.9", bearer + "Accept: text/html\r\n", ""},
		{"HEAD", "/v1/conversations/ID/stream?after=%00&framing=message", bearer + "Last-Event-ID: x.1-2.y\r\n", ""},
		{"PUT", "/v1/conversations/ID/guardrails/g1", bearer + "Content-Type: application/json\r\n", ""},
		{"DELETE", "/v1/conversations/ID/guardrails/%2e%2e", bearer, ""},
		{"POST", "/c/ID/actions?draw=v0.9", "Cookie: limn=TOKEN\r\nAccept: text/html\r\n" + form, "limn_surface=form:customer%23e=1&limn_rev=1&%zz"},
		{"POST", "/c/ID/preferences", "Cookie: limn=TOKEN\r\nOrigin: null\r\nSec-Fetch-Site: same-origin\r\n" + form, "limn_set=opt_out"},
		{"GET", "/p/ID/form:customer/1/a.svg?h=x&until=9999999999&sig=%ff", "", ""},
		{"GET", "/assets/..%2f..%2fx", "X-Forwarded-For: 127.0.0.1\r\n", ""},
		{"OPTIONS", "*", "", ""}, {"GET", "http://other/c/ID", "Cookie: limn=TOKEN\r\n", ""}, {"PRI", "//", "", ""},
		{"POST", "/v1/conversations/ID/cancel", bearer + "Expect: 100-continue\r\n", ""},
	} {
		f.Add(seed.method, seed.target, seed.headers, seed.body)
	}
	f.Fuzz(func(t *testing.T, method, target, headers, body string) {
		r, w := send(strings.NewReplacer("TOKEN", made.Token, "ID",
			made.ID).Replace(method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n" + body))
		if r == nil {
			return
		}
		if w.Code == 500 || w.Code > 503 || w.Code < 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if w.Code < 400 || r.Method == http.MethodHead || w.Code == http.StatusRequestedRangeNotSatisfiable ||
			w.Code == http.StatusPreconditionFailed {
			return // the last two are net/http's, for the bundles
		}
		switch ct, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";"); ct {
		case "application/problem+json":
			var p struct {
				Code   string
				Status int
			}
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Code == "" || p.Status != w.Code {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		case "text/html":
			if !strings.Contains(w.Body.String(), `<main id="limn-problem">`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		default:
			t.Errorf("%d %q %s", w.Code, ct, w.Body)
		}
	})
}
