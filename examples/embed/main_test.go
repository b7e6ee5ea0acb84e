package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestEmbed signs in, opens the assistant under its prefix and orders something:
// no address of a page leaves the prefix, and the order is the user's.
func TestEmbed(t *testing.T) {
	t.Parallel()
	h, srv, err := program()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	site := httptest.NewServer(h)
	defer site.Close()
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	ask := func(want int, at string, form url.Values) (*http.Response, string) {
		t.Helper()
		get, post := client.Get, client.PostForm
		var resp *http.Response
		if form == nil {
			resp, err = get(site.URL + at)
		} else {
			resp, err = post(site.URL+at, form)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != want {
			t.Fatalf("%s: %d %v %.300s", at, resp.StatusCode, err, body)
		}
		return resp, string(body)
	}
	ask(http.StatusUnauthorized, "/assistant/", nil)
	ask(http.StatusOK, "/login", url.Values{"user": {"ann"}})
	resp, _ := ask(http.StatusOK, "/assistant", nil)
	at := resp.Request.URL.Path
	if !strings.HasPrefix(at, "/assistant/c/") {
		t.Fatalf("led to %s", at)
	}
	_, page := ask(http.StatusOK, at+"/messages", url.Values{"text": {"order something"}})
	links := regexp.MustCompile(
		`(?:href|src|action|data-api|data-page|data-stream)="([^"#][^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(links) < 15 {
		t.Errorf("only %d addresses on the page", len(links))
	}
	for _, l := range links {
		if !strings.HasPrefix(l[1], "/assistant/") && !strings.HasPrefix(l[1], "data:") {
			t.Errorf("%s leaves the prefix", l[0])
		}
		if strings.HasPrefix(l[1], "/assistant/assets/") {
			ask(http.StatusOK, l[1], nil)
		}
	}
	form := url.Values{"/draft/item": {"Tea"}}
	for _, m := range regexp.MustCompile(
		`<input type="hidden"[^>]* name="(limn_(?:surface|nonce|rev))"[^>]* value="([^"]*)"`).FindAllStringSubmatch(
		page, -1) {
		form.Set(m[1], m[2])
	}
	form.Set("limn_component", regexp.MustCompile(`value="(c#[^"]*submit:Button)"`).FindStringSubmatch(page)[1])
	if _, page = ask(http.StatusOK, at+"/actions", form); !strings.Contains(page, "Ordered: Tea.") {
		t.Errorf("not ordered: %.2000s", page)
	}
	if _, page = ask(http.StatusOK, "/", nil); !strings.Contains(page, "<li>Tea</li>") {
		t.Errorf("the order is not ann's: %s", page)
	}
}
