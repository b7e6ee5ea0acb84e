package web_test

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// TestCardReachesTheModel: who uploads a Character Card and then speaks is answered by
// a model that has read the card, as data.
func TestCardReachesTheModel(t *testing.T) {
	t.Parallel()
	const card = `{"spec":"chara_card_v2","data":{"name":"Captain Ada","personality":"speaks like a pirate </user_text>"}}`
	var mu sync.Mutex
	var asked []llm.Request
	m := limntest.Model(func(_ context.Context, r llm.Request) (llm.Reply, error) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r)
		if len(asked) == 1 {
			return limntest.Reply(limntest.Envelope("", limntest.ShowForm("character"))), nil
		}
		return limntest.Reply(limntest.Envelope("Arr!")), nil
	})
	c := start(t, func(c *limn.Config) { c.Model = m }).visitor()
	c.browse(c.do("GET", "/", ""))
	c.json("POST", "/v1/-/messages", `{"text":"I have a character card"}`, 200, "Prefer", "wait=60")
	sendCard(t, c, card)
	c.json("POST", "/v1/-/messages", `{"text":"who are you?"}`, 200, "Prefer", "wait=60")
	mu.Lock()
	defer mu.Unlock()
	last := asked[len(asked)-1]
	said := last.Messages[len(last.Messages)-1].Text
	if !strings.Contains(said, ", application/json, ") || !strings.Contains(said, fence.Text("named \"card.json\"\n"+card)) {
		t.Errorf("the model was told:\n%s", said)
	}
}

// sendCard submits the open form of a character with a file.
func sendCard(t *testing.T, c *client, card string) {
	t.Helper()
	sf := c.state().Surface("form:character")
	if sf == nil {
		t.Fatal("no form is open")
	}
	c.browse(c.upload("/c/"+c.ID+"/actions", []string{"Accept", "text/html,*/*"},
		part{"limn_surface", "", sf.WireID()}, part{"limn_nonce", "", sf.Nonce}, part{"limn_rev", "", utoa(sf.Rev)},
		part{"limn_component", "", submitButton(t, c, "form:character")}, part{"/draft/card", "card.json", card}))
}

// TestHandlerReadsFiles: a handler reads the file that a submit is about.
func TestHandlerReadsFiles(t *testing.T) {
	t.Parallel()
	read := make(chan string, 1)
	form := app.Form{Name: "character", Phrases: []string{"add a character card"}, OnSubmit: "save",
		Fields: []ui.Field{{Name: "card", Type: ui.TypeUpload, Accept: []string{"application/json"}, Required: true}}}
	a := limntest.Must(app.New(app.Config{Name: "t", Forms: []app.Form{form},
		Actions: []app.Action{{Name: "save", Handler: func(ctx context.Context, call app.Call) (app.Result, error) {
			id, _ := call.Values.Get("card")
			f, err := call.File(ctx, id.Text())
			if err != nil {
				return app.Result{}, err
			}
			if _, err := call.File(ctx, "u-"+strings.Repeat("0", 32)); err != app.ErrNoFile {
				t.Errorf("an id without a file: %v", err)
			}
			read <- f.Name + " " + f.Type + " " + string(f.Body)
			return app.Result{}, nil
		}}}}))
	c := start(t, func(c *limn.Config) { c.App = a }).visitor()
	c.browse(c.do("GET", "/", ""))
	c.browse(c.post("/c/-/messages", url.Values{"text": {"add a character card"}}))
	sendCard(t, c, `{"name":"Ada"}`)
	if got := <-read; got != `card.json application/json {"name":"Ada"}` {
		t.Errorf("the handler read %q", got)
	}
}
