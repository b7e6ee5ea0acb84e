package limn_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// guests is an application of one form.
func guests() *app.App {
	a, err := app.New(app.Config{Name: "guests", Forms: []app.Form{{Name: "guest", Title: "Guest", Fields: []ui.Field{
		{Name: "name", Label: "Your name", Type: ui.TypeText, Required: true}}}}})
	if err != nil {
		panic(err)
	}
	return a
}

// A whole server, with everything in memory: a conversation is started, a
// message opens the form, and a client that draws A2UI v0.9 reads it.
func ExampleNew() {
	srv, err := limn.New(limn.Config{App: guests(), Targets: []string{"v0.9"}})
	if err != nil {
		panic(err)
	}
	defer srv.Close(context.Background())
	site := httptest.NewServer(srv.Handler())
	defer site.Close()

	var made struct{ ID, Token string }
	send := func(method, path, body string) (*http.Response, []byte) {
		r, err := http.NewRequest(method, site.URL+path, bytes.NewReader([]byte(body)))
		if err != nil {
			panic(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if made.Token != "" {
			r.Header.Set("Authorization", "Bearer "+made.Token)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			panic(err)
		}
		defer resp.Body.Close()
		var b bytes.Buffer
		if _, err := b.ReadFrom(resp.Body); err != nil {
			panic(err)
		}
		return resp, b.Bytes()
	}

	resp, body := send("POST", "/v1/conversations", "")
	if err := json.Unmarshal(body, &made); err != nil {
		panic(err)
	}
	fmt.Println(resp.StatusCode)

	_, body = send("POST", "/v1/conversations/"+made.ID+"/messages", `{"text":"add a guest"}`)
	var receipt struct {
		Seq     int
		Outcome struct{ Kind string }
	}
	if err := json.Unmarshal(body, &receipt); err != nil {
		panic(err)
	}
	fmt.Println(receipt.Seq, receipt.Outcome.Kind)

	_, body = send("GET", "/v1/conversations/"+made.ID+"/a2ui?version=v0.9", "")
	first, _, _ := bytes.Cut(body, []byte("\n"))
	fmt.Println(string(first))
	// Output:
	// 201
	// 1 done
	// {"version":"v0.9","createSurface":{"surfaceId":"form:guest#e=1","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}
}

// The handler takes part in a program of your own. Its addresses start with
// /v1, /c, /assets, /healthz and /readyz, and it answers / itself.
func ExampleServer_Handler() {
	srv, err := limn.New(limn.Config{App: guests()})
	if err != nil {
		panic(err)
	}
	defer srv.Close(context.Background())

	mux := http.NewServeMux()
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "about us") })
	mux.Handle("/", srv.Handler())

	for _, path := range []string{"/about", "/healthz"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		fmt.Println(w.Code, string(bytes.TrimSpace(w.Body.Bytes())))
	}
	// Output:
	// 200 about us
	// 200 {"status":"ok"}
}

// Conversations belong to whoever the embedding program says asks. It wraps the
// handler with nothing: the function sees each request, streams included.
func ExampleConfig_Authenticate() {
	// yours: a store of sessions, or the check of a signed token
	sessions := map[string]string{"s3cr3t": "ann@example.com"}
	authenticate := func(r *http.Request) (string, error) {
		if c, err := r.Cookie("session"); err == nil && sessions[c.Value] != "" {
			return sessions[c.Value], nil
		}
		if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && token == "of the batch job" {
			return "", limn.ErrForbidden // known, and not let in
		}
		return "", errors.New("no session")
	}
	srv, err := limn.New(limn.Config{App: guests(), Authenticate: authenticate})
	if err != nil {
		panic(err)
	}
	defer srv.Close(context.Background())

	for _, header := range []string{"Cookie: session=s3cr3t", "Authorization: Bearer of the batch job",
		"Cookie: session=guessed"} {
		name, value, _ := strings.Cut(header, ": ")
		r := httptest.NewRequest("POST", "/v1/conversations", nil)
		r.Header.Set(name, value)
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// 201
	// 403
	// 401
}

// The program itself saves and finds records of all users. docs/records.md has it.
func ExampleServer_Records() {
	srv, err := limn.New(limn.Config{App: customers("")})
	if err != nil {
		panic(err)
	}
	defer srv.Close(context.Background())
	ctx := context.Background()
	{
		values := ui.Map(ui.Pair{Key: "company", Value: ui.String("Acme")}, ui.Pair{Key: "stage", Value: ui.String("Lead")})
		all := srv.Records() // what the program itself may do: everything
		saved, err := all.Put(ctx, app.Record{Name: "customer", Owner: "ann", Values: values})
		if err != nil {
			panic(err)
		}
		page, err := all.List(ctx, app.RecordQuery{Name: "customer", Search: "acme"})
		if err != nil {
			panic(err)
		}
		fmt.Println(saved.Version, len(page.Records))
		// Output: 1 1
	}
}

// customers is an application of one form, with more of its file.
func customers(more string) *app.App {
	a, err := app.Load("customers.yaml", []byte("name: crm\nforms:\n  - name: customer\n    title: Customer\n"+
		"    fields: [{name: company}, {name: stage, type: choice, options: [Lead, Won]}]\n"+more))
	if err != nil {
		panic(err)
	}
	return a
}

// A program names the user of each request, from its own sessions.
func Example_authenticate() {
	a := guests()
	sessions := map[string]string{"s-17": "ann"} // yours
	srv, err := limn.New(limn.Config{App: a, Authenticate: func(r *http.Request) (string, error) {
		c, err := r.Cookie("session")
		if err != nil || sessions[c.Value] == "" {
			return "", errors.New("not signed in")
		}
		return sessions[c.Value], nil
	}})
	if err != nil {
		panic(err)
	}
	defer srv.Close(context.Background())

	for _, session := range []string{"s-17", "s-18"} {
		r := httptest.NewRequest("GET", "/v1/conversations", nil)
		r.AddCookie(&http.Cookie{Name: "session", Value: session})
		w := httptest.NewRecorder()
		srv.Handler().ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// 200
	// 401
}

// A function answers a table: once for each key, with errors at cells, and a line in the program's own log.
// docs/howto/action.md has it.
func Example_table() {
	save := func(context.Context, string, []ui.Record) error { return nil }
	var mu sync.Mutex
	done := map[string]app.Result{} // by key; keep it with the data, so that a crash leaves it
	stock := func(ctx context.Context, c app.Call) (app.Result, error) {
		mu.Lock()
		defer mu.Unlock()
		if first, ok := done[c.Key]; ok {
			return first, nil
		}
		var res app.Result
		table, _ := c.Values.Get("stock") // {"stock":{"$rows":[{"id":"r1","order":"n","cells":{"item":"Paper","amount":12}}]}}
		for _, row := range table.Records() {
			if amount, _ := row.Cells.Get("amount"); amount.Text() == "0" {
				at := ui.PathOf(ui.DraftRoot, "stock", row.ID, "amount") // /draft/stock/r1/amount
				res.Errors = append(res.Errors, ui.FieldError{Path: at, Code: "NONE_LEFT", Text: "Leave out what is not there."})
			}
		}
		if len(res.Errors) == 0 {
			if err := save(ctx, c.Principal, table.Records()); err != nil {
				slog.Error("save stock", "key", c.Key, "err", err) // Limn logs that it failed, without your words
				return app.Result{}, err
			}
			res.Text = fmt.Sprintf("Counted: %d items.", len(table.Records()))
		}
		done[c.Key] = res
		return res, nil
	}
	a, err := app.New(app.Config{
		Name: "shop",
		Tables: []app.Table{{Name: "stock", Title: "Stock", Nouns: []string{"items"}, OnSubmit: "stock",
			Columns: []ui.Field{{Name: "item", Type: ui.TypeText, Required: true}, {Name: "amount", Type: ui.TypeNumber, Min: "0"}}}},
		Actions: []app.Action{{Name: "stock", Handler: stock, Idempotent: true}},
	})
	if err != nil {
		panic(err)
	}
	action, _ := a.Action("stock")
	for _, amount := range []int{0, 12, 12} {
		row := ui.Record{ID: "r1", Order: "n", Cells: ui.Map(ui.Pair{Key: "amount", Value: ui.Int(int64(amount))},
			ui.Pair{Key: "item", Value: ui.String("Paper")})}
		res, err := action.Handler(context.Background(), app.Call{Key: fmt.Sprint(amount, "/0"), Principal: "ann",
			Values: ui.Map(ui.Pair{Key: "stock", Value: ui.Rows(row)})})
		fmt.Println(res.Text, res.Errors, err)
	}
	// Output:
	//  [{/draft/stock/r1/amount NONE_LEFT Leave out what is not there.}] <nil>
	// Counted: 1 items. [] <nil>
	// Counted: 1 items. [] <nil>
}

// A function of the program answers a form and learns of each save. docs/howto/action.md
// has it.
func Example_action() {
	order := func(ctx context.Context, c app.Call) (app.Result, error) {
		item, _ := c.Values.Get("item")
		if item.Text() == "nothing" {
			return app.Result{Errors: []ui.FieldError{{Path: "/draft/item", Code: "NO_ITEM", Text: "Please say what."}}}, nil
		}
		// c.Principal is the user; c.Key is the same when this call is repeated after a crash.
		fmt.Println(c.Principal, "saves version", c.Record.Version)
		return app.Result{Text: "Ordered: " + item.Text() + "."}, nil
	}
	a, err := app.New(app.Config{
		Name: "shop",
		Forms: []app.Form{{Name: "order", Title: "Order", Phrases: []string{"order something"}, OnSubmit: "order",
			Fields: []ui.Field{{Name: "item", Label: "What", Type: ui.TypeText, Required: true}}}},
		Actions: []app.Action{{Name: "order", Handler: order}},
	})
	if err != nil {
		panic(err)
	}
	srv, err := limn.New(limn.Config{App: a})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	defer srv.Close(ctx)
	id, err := srv.Service().Create(ctx, "ann")
	if err != nil {
		panic(err)
	}
	send := func(e *ui.Event) {
		if _, err := srv.Service().Submit(ctx, id, "ann", e, time.Minute); err != nil {
			panic(err)
		}
	}
	send(&ui.Event{Kind: ui.EventMessage, Text: "order something"})
	for _, item := range []string{"nothing", "tea"} {
		h, err := srv.Service().Head(ctx, id, "ann")
		if err != nil {
			panic(err)
		}
		form := h.State.Surface("form:order")
		click := ui.ActionEvent{Surface: form.WireID(), Name: builtin.ActionSubmit, Nonce: form.Nonce, Rev: form.Rev,
			Component: ui.KeyPath("main/buttons/submit").ComponentID("Button")}
		if err := json.Unmarshal([]byte(`{"item": "`+item+`"}`), &click.Context); err != nil {
			panic(err)
		}
		send(&ui.Event{Kind: ui.EventAction, Action: &click})
	}
	// Output: ann saves version 1
}
