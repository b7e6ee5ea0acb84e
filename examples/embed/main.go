// Command embed mounts Limn in another program: under /assistant of its router,
// with its login.
package main

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"sync"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// orders are the program's own data, by user.
type orders struct {
	mu   sync.Mutex
	list map[string][]string
}

// save is the handler of the form. Key is the same when a call is repeated after a
// crash, and Principal is the name that user gave.
func (o *orders) save(_ context.Context, c app.Call) (app.Result, error) {
	item, _ := c.Values.Get("item")
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list[c.Principal] = append(o.list[c.Principal], item.Text())
	return app.Result{Text: "Ordered: " + item.Text() + "."}, nil
}

// user returns the signed-in user, here the name in a cookie. Use your own session.
func user(r *http.Request) (string, error) {
	c, err := r.Cookie("user")
	if err != nil || c.Value == "" {
		return "", errors.New("not signed in")
	}
	return c.Value, nil
}

var home = template.Must(template.New("home").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title></head><body><h1>Shop</h1>
{{if .User}}<p>Hello {{.User}}. <a href="/assistant/">Ask the assistant</a></p>
<ul>{{range .Orders}}<li>{{.}}</li>{{else}}<li>No orders yet.</li>{{end}}</ul>
{{else}}<form method="post" action="/login"><label>Your name <input name="user" required></label> <button>Sign in</button></form>{{end}}
</body></html>
`))

// program returns the handler of the whole program.
func program() (http.Handler, *limn.Server, error) {
	o := &orders{list: map[string][]string{}}
	a, err := app.New(app.Config{Name: "shop", Title: "Shop assistant",
		Forms: []app.Form{{Name: "order", Title: "Order", Phrases: []string{"order something"}, OnSubmit: "order",
			Fields: []ui.Field{{Name: "item", Label: "What", Type: ui.TypeText, Required: true}}}},
		Actions: []app.Action{{Name: "order", Handler: o.save}}})
	if err != nil {
		return nil, nil, err
	}
	srv, err := limn.New(limn.Config{App: a, Prefix: "/assistant", Authenticate: user})
	if err != nil {
		return nil, nil, fmt.Errorf("start the assistant: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/assistant/", srv.Handler())
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "user", Value: r.PostFormValue("user"), Path: "/", HttpOnly: true,
			SameSite: http.SameSiteLaxMode})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		name, _ := user(r)
		o.mu.Lock()
		defer o.mu.Unlock()
		if err := home.Execute(w, map[string]any{"User": name, "Orders": o.list[name]}); err != nil {
			log.Print(err)
		}
	})
	return mux, srv, nil
}

func main() {
	h, srv, err := program()
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close(context.Background())
	log.Print("http://localhost:8080")
	log.Fatal(http.ListenAndServe("localhost:8080", h))
}
