package upstream_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
)

// TestArtifactReplaced: an artifact of A2A that replaces an earlier one takes back its words, also those that were
// streamed, and draws its surface anew. Words of others stay. One that does not say append replaces it, too.
func TestArtifactReplaced(t *testing.T) {
	t.Parallel()
	for _, replaces := range []string{"", `,"append":false`} {
		t.Run(replaces, func(t *testing.T) {
			t.Parallel()
			artifactReplaced(t, replaces)
		})
	}
}

func artifactReplaced(t *testing.T, replaces string) {
	text := func(s string) string { return fmt.Sprintf(`{"kind":"text","text":%q}`, s) }
	drawn := func(say string) string {
		var list []string
		for _, line := range surface(say, "Oslo") {
			list = append(list, `{"kind":"data","data":`+line+`,"metadata":{"mimeType":"application/json+a2ui"}}`)
		}
		return strings.Join(list, ",")
	}
	draft, anew := make(chan bool), make(chan bool) // are on the stream
	wait := func(c chan bool) {
		select {
		case <-c:
		case <-time.After(5 * time.Second):
		}
	}
	f := speaks(t, func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(result string) {
			io.WriteString(w, `data: {"jsonrpc":"2.0","id":1,"result":`+result+"}\n\n")
			w.(http.Flusher).Flush()
		}
		artifact := func(id, appends string, parts ...string) {
			send(fmt.Sprintf(`{"kind":"artifact-update","taskId":"t","contextId":"c"%s,"artifact":{"artifactId":%q,"parts":[%s]}}`,
				appends, id, strings.Join(parts, ",")))
		}
		artifact("a", "", text("A draft"), drawn("Draft"))
		wait(draft)
		artifact("b", "", text("Beside."))
		artifact("a", `,"append":true`, text(" of it."))
		artifact("a", replaces, text("The text."), drawn("Final"))
		wait(anew)
		send(`{"kind":"status-update","taskId":"t","contextId":"c","final":true,"status":{"state":"completed"}}`)
	})
	d := one(t, f, ", protocol: a2a")
	srv := httptest.NewServer(d.handler)
	defer srv.Close()
	r, _ := http.NewRequestWithContext(t.Context(), "GET", srv.URL+"/v1/conversations/"+d.id+"/stream?version=v0.9", nil)
	r.Header.Set("Authorization", "Bearer "+d.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	replaced := make(chan bool)
	go func() {
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			switch line := lines.Text(); {
			case strings.Contains(line, `"text":"A draft"`):
				close(draft)
			case strings.Contains(line, `"at":0,"text":"Beside.`):
				close(anew)
				replaced <- true
				return
			case strings.Contains(line, `"kind":"frame"`) && strings.Contains(line, "The text."):
				replaced <- false
				return
			}
		}
	}()
	said := d.say("text?")
	if said != "Weather: Beside.\n\nThe text." || !<-replaced {
		t.Errorf("said %q, or the words that were streamed are not taken back", said)
	}
	if view, err := d.shown(a2ui.V09).Surface("weather:main#e=1"); err != nil || view.Root.Children[0].Text != "Final" {
		t.Errorf("%v %+v", err, view.Root)
	}
}
