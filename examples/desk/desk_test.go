package desk_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/scripted"
	"github.com/limn-ui/limn/ui"
)

func TestDeskUsesEverything(t *testing.T) {
	t.Parallel()
	a, err := desk.App()
	if err != nil {
		t.Fatal(err)
	}
	var used []ui.FieldType
	cfg := a.Config()
	for _, f := range cfg.Forms {
		for _, field := range f.Fields {
			used = append(used, field.Type)
		}
	}
	for _, typ := range ui.FieldTypes() {
		if !slices.Contains(used, typ) {
			t.Errorf("no form has a field of type %s", typ)
		}
	}
	if len(cfg.Tables) == 0 || len(cfg.Maps) == 0 || len(cfg.Views) == 0 || len(cfg.Actions) == 0 ||
		len(cfg.Words) == 0 {
		t.Error("a kind of declaration is missing")
	}
	for _, message := range []string{"add a customer", "New client please", "upload a character card"} {
		if _, ok := a.FormFor(message); !ok {
			t.Errorf("FormFor(%q) opens nothing", message)
		}
	}
}

func TestDeskScript(t *testing.T) {
	t.Parallel()
	a, err := desk.App()
	if err != nil {
		t.Fatal(err)
	}
	m, err := scripted.New(a.Script())
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{"add a customer": "ui.show_form", "hello": "",
		"show the overview": "ui.show_view", "how do I add a customer?": ""} {
		r, err := m.Ask(context.Background(),
			llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: message}},
				Format: &llm.Format{Name: "answer"}})
		if err != nil {
			t.Fatal(err)
		}
		env, err := a.Registry().Read(r.Text)
		if err != nil {
			t.Fatalf("%q: %v in %s", message, err, r.Text)
		}
		got := ""
		for _, d := range env.Directives {
			got += d.Type
		}
		if got != want || env.Text == "" {
			t.Errorf("%q: directives %q, text %q, want directives %q and a text", message, got, env.Text, want)
		}
	}
}

func TestCards(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"v1":      `{"name":"Ada","description":"…"}`,
		"v2":      `{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Ada  Lovelace"}}`,
		"v3":      `{"spec":"chara_card_v3","data":{"name":"Ada"}}`,
		"other":   `{"spec":"elsewhere","data":{"name":"Ada"}}`,
		"unnamed": `{"spec":"chara_card_v2","name":"not here"}`,
		"list":    `["Ada"]`,
		"image":   "\x89PNG",
	}
	a, err := desk.App(desk.Cards(func(_ context.Context, _, upload string) ([]byte, error) {
		body, ok := files[upload]
		if !ok {
			return nil, errors.New("no such upload")
		}
		return []byte(body), nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := a.Form("character")
	action, ok := a.Action(f.OnSubmit)
	if !ok {
		t.Fatal("the form runs no action")
	}
	for upload, want := range map[string]string{
		"v1": "Ada is saved.", "v2": "Ada Lovelace is saved.", "v3": "Ada is saved.",
		"other":   "/draft/card The file is not a Character Card of version 1, 2 or 3.",
		"unnamed": "/draft/card The Character Card has no name of at most 200 bytes.",
		"list":    "/draft/card The file is not a Character Card: it is no JSON object with a name.",
		"image":   "/draft/card The file is not a Character Card: it is no JSON object with a name.",
		"gone":    "read the card: no such upload",
	} {
		res, err := action.Handler(context.Background(),
			app.Call{Values: ui.Map(ui.Pair{Key: "card", Value: ui.String(upload)})})
		got := res.Text
		for _, e := range res.Errors {
			got += string(e.Path) + " " + e.Text
		}
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", upload, diff)
		}
	}
}

func ExampleApp() {
	a, err := desk.App()
	if err != nil {
		fmt.Println(err)
		return
	}
	form, ok := a.FormFor("Please add a customer.")
	fmt.Println(form.Title, ok)
	_, ok = a.FormFor("How do I add a customer?")
	fmt.Println(ok)
	// Output:
	// Customer true
	// false
}
