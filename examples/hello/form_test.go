package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
)

// TestSign does what a user does, on a renderer without a screen. docs/howto/test.md has it.
func TestSign(t *testing.T) {
	srv, err := server()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	var made struct{ ID, Token string }
	send := func(method, path, body string) []byte {
		r := httptest.NewRequest(method, "/v1/conversations"+path, bytes.NewReader([]byte(body)))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + made.Token}}
		if made.Token == "" {
			r.Header.Del("Authorization")
		}
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, r)
		if w.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Body.Bytes()
	}
	if err := json.Unmarshal(send("POST", "", ""), &made); err != nil {
		t.Fatal(err)
	}

	send("POST", "/"+made.ID+"/messages", `{"text": "sign the guest book"}`)
	screen := client.New(a2ui.V09, client.LikeWebCore)
	for line, err := range a2ui.ReadLines(bytes.NewReader(send("GET", "/"+made.ID+"/a2ui", "")), a2ui.Limits{}) {
		if err == nil {
			err = screen.Feed(line.Bytes)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	form := screen.Surfaces()[0]
	t.Log(screen.Dump(form)) // the screen, with the ids of its components
	if err := screen.Type(form, "c#main/fields/name:TextField", "Ada"); err != nil {
		t.Fatal(err)
	}
	click, err := screen.Click(form, "c#main/buttons/submit:Button")
	if err != nil {
		t.Fatal(err)
	}
	click.Timestamp = time.Now().Format(time.RFC3339)
	event, err := a2ui.AppendClient(nil, a2ui.V09, &click)
	if err != nil {
		t.Fatal(err)
	}
	send("POST", "/"+made.ID+"/events", string(event))

	saved, err := srv.Records().List(t.Context(), app.RecordQuery{Name: "guest"})
	if err != nil || len(saved.Records) != 1 {
		t.Fatalf("%+v %v", saved, err)
	}
	if name, _ := saved.Records[0].Values.Get("name"); name.Text() != "Ada" {
		t.Errorf("saved %q", name.Text())
	}
}
