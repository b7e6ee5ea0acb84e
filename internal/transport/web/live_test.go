package web_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestLiveAddresses: a program with the token writes data of any conversation and
// publishes; nobody else does, the owner neither.
func TestLiveAddresses(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "t", Forms: []app.Form{{Name: "guest", Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}},
		Views: []app.View{{Name: "board", Phrases: []string{"board"}, Topics: []string{"news"},
			Nodes: ui.Nodes{&ui.Stat{Key: "total", Label: "Total", Path: "/committed/sales/total"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	token := strings.Repeat("t", 43)
	srv := limntest.Must(limn.New(limn.Config{App: a, DataToken: token}))
	owner := limntest.Serve(t, srv).Create()
	program := []string{"Content-Type", "application/json", "Authorization", "Bearer " + token}
	committed := "/v1/conversations/" + owner.ID + "/committed"
	for _, tt := range []struct {
		method, path, body string
		headers            []string
		status             int
		want               string
	}{
		{"PATCH", committed, `{"sales":{"total":12,"by":"Ann"}}`, program, 200, `"done"`},
		{"PATCH", committed, `{"sales":{"by":null}}`, program, 200, `"done"`},
		{"PUT", committed + "/rain", `[1,2]`, program, 200, `"done"`},
		{"POST", "/v1/topics/news", `{"text":"hello"}`, program, 204, ""},
		{"PATCH", committed, `{"sales":{"total":99}}`, []string{"Content-Type", "application/json"}, 401, "HTTP_UNAUTHORIZED"},
		{"PUT", committed + "/guest", `{}`, program, 422, "DATA_NAME"},
		{"PATCH", committed, `{"sales":[{},1]}`, program, 422, `/sales/1`},
		{"PATCH", committed, `{"sales":"` + strings.Repeat("x", 70_000) + `"}`, program, 413, "/sales"},
		{"PATCH", committed, `{}`, []string{"Authorization", "Bearer " + token}, 415, "HTTP_MEDIA_TYPE"},
		{"PATCH", "/v1/conversations/nobody/committed", `{"sales":1}`, program, 404, "HTTP_NOT_FOUND"},
		{"POST", "/v1/topics/rain", `1`, program, 404, "TOPIC_UNKNOWN"},
	} {
		got := owner.Do(tt.method, tt.path, tt.body, tt.headers...)
		if got.StatusCode != tt.status || !strings.Contains(got.Text, tt.want) {
			t.Errorf("%s %s %.40s: %d %s, want %d with %s", tt.method, tt.path, tt.body, got.StatusCode, got.Text, tt.status, tt.want)
		}
	}
	state := owner.Do("GET", "/v1/conversations/"+owner.ID+"/state", "")
	if !strings.Contains(state.Text, `"committed":{"rain":["1","2"],"sales":{"total":12}}`) {
		t.Errorf("the state is %s", state.Text)
	}

	closed := limntest.Serve(t, limntest.Must(limn.New(limn.Config{App: a}))).Create()
	got := closed.Do("POST", "/v1/topics/news", `1`, program...)
	if got.StatusCode != 403 || !strings.Contains(got.Text, "--data-token") {
		t.Errorf("without a token: %d %s", got.StatusCode, got.Text)
	}
}
