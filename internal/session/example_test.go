package session_test

import (
	"context"
	"fmt"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// A message opens a form without a model; its key makes a retry harmless.
func ExampleService_Submit() {
	a, err := app.New(app.Config{Name: "desk",
		Forms: []app.Form{{Name: "customer", Fields: []ui.Field{{Name: "company", Type: ui.TypeText}}}}})
	if err != nil {
		panic(err)
	}
	svc, err := session.New(session.Config{App: a, Store: memory.New(), Bus: localbus.New(), Phrases: true})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	defer svc.Close(ctx)
	id, err := svc.Create(ctx, "ada")
	if err != nil {
		panic(err)
	}
	for range 2 {
		rec, err := svc.Submit(ctx, id, "ada", &ui.Event{Kind: ui.EventMessage, Text: "customer form", Key: "k1"},
			time.Second)
		if err != nil {
			panic(err)
		}
		fmt.Println("frame", rec.Seq, rec.Outcome.Kind)
	}
	head, err := svc.Head(ctx, id, "ada")
	if err != nil {
		panic(err)
	}
	fmt.Println(head.State.Surfaces[0].Name, head.State.Surfaces[0].Status)
	// Output:
	// frame 1 done
	// frame 1 done
	// form:customer open
}
