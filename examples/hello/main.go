// Command hello is the smallest complete program: one form, on port 8080.
package main

import (
	"context"
	"log"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

func server() (*limn.Server, error) {
	a, err := app.New(app.Config{Name: "hello", Title: "Guest book", Forms: []app.Form{{
		Name: "guest", Title: "Sign the guest book", Phrases: []string{"sign the guest book"}, Fields: []ui.Field{
			{Name: "name", Label: "Your name", Type: ui.TypeText, Required: true},
			{Name: "note", Label: "A note", Type: ui.TypeLongText}}}}})
	if err != nil {
		return nil, err
	}
	return limn.New(limn.Config{App: a})
}

func main() {
	srv, err := server()
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(srv.Run(context.Background(), "localhost:8080"))
}
