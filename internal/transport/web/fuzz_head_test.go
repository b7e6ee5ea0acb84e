package web_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
)

// owned is a server without a network and somebody's conversation on it.
func owned(f *testing.F) (h http.Handler, id, token string) {
	f.Helper()
	srv, err := limn.New(limn.Config{App: desk(f)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { srv.Close(f.Context()) })
	w := httptest.NewRecorder()
	srv.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/conversations", nil))
	var made struct{ ID, Token string }
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil {
		f.Fatal(err)
	}
	return srv.Handler(), made.ID, made.Token
}

// FuzzCookies: whatever stands in the Cookie header, only the cookie with the
// token opens the conversation.
func FuzzCookies(f *testing.F) {
	h, id, token := owned(f)
	for _, s := range []string{"", "limn=", "limn=" + token, "limn=" + token + "; limn=x", "a=b; limn=x",
		"limn=\"" + token + "\"", "limn=" + token[1:], "limn=\x00", ";;;=,limn",
		strings.Repeat("limn=x; ", 100), "Limn=" + token, "limn =" + token} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cookie string) {
		for _, path := range []string{"/v1/conversations/" + id + "/state", "/c/" + id, "/"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Header["Cookie"] = []string{cookie}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			switch {
			case w.Code >= 500:
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			case w.Code == http.StatusOK && !strings.Contains(cookie, token):
				t.Errorf("%s is opened by %q", path, cookie)
			}
		}
	})
}

// FuzzMultipart: whatever is uploaded, the server answers with a code or keeps it,
// and keeps nothing that is larger than it says.
func FuzzMultipart(f *testing.F) {
	h, id, token := owned(f)
	whole := new(bytes.Buffer)
	form := multipart.NewWriter(whole)
	part, err := form.CreateFormFile("file", "a.json")
	if err != nil {
		f.Fatal(err)
	}
	if _, err := io.WriteString(part, `{"a":1}`); err != nil {
		f.Fatal(err)
	}
	if err := form.WriteField("limn_surface", "form:character#e=1"); err != nil {
		f.Fatal(err)
	}
	if err := form.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(form.Boundary(), whole.String())
	for _, body := range []string{"", "--b", "--b--", "--b\r\n\r\nx\r\n--b--",
		"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../../etc/passwd\"\r\n\r\nx\r\n--b--\r\n",
		"--b\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: a/b\r\n\r\n\x00\r\n--b--\r\n",
		strings.Repeat("--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\ny\r\n", 50)} {
		f.Add("b", body)
	}
	f.Fuzz(func(t *testing.T, boundary, body string) {
		r := httptest.NewRequest(http.MethodPost, "/v1/conversations/"+id+"/uploads", strings.NewReader(body))
		r.Header["Content-Type"] = []string{"multipart/form-data; boundary=" + boundary}
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var kept struct {
			Code string
			Size int
		}
		switch err := json.Unmarshal(w.Body.Bytes(), &kept); {
		case w.Code >= 500 || err != nil:
			t.Errorf("%d %s", w.Code, w.Body)
		case w.Code >= 400 && kept.Code == "":
			t.Errorf("%d without a code: %s", w.Code, w.Body)
		case w.Code == http.StatusCreated && kept.Size > len(body):
			t.Errorf("%d bytes were kept of %d", kept.Size, len(body))
		}
	})
}
