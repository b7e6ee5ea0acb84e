package inspect_test

import (
	"context"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// world is a conversation of a small application, and what inspects it.
type world struct {
	*limntest.Talk
	store store.Store
	env   inspect.Env
}

const declaration = `
name: shop
instructions: You sell things.
forms:
  - {name: customer, title: Customer, phrases: [add a customer], fields: [{name: company, label: Company, type: text, required: true}, {name: phone, label: Phone, type: text}]}
tables:
  - {name: risks, title: Risks, nouns: [risk], columns: [{name: risk, label: Risk, type: text}]}
`

// drawings are HTML and three versions of A2UI.
func drawings(a *app.App, base string, _ time.Time) (list []deliver.Target, err error) {
	rules := &compile.Rules{Allowed: a.Allowed, Words: a.Config().Words, Base: base}
	list = []deliver.Target{{Name: "html", HTML: func(*ui.State) html.Options { return html.Options{Action: "#"} }}}
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		list = append(list, deliver.Target{Name: d.String(), A2UI: compile.Target{Dialect: d, Rules: rules}})
	}
	return list, nil
}

func newWorld(t *testing.T, m limntest.Model) *world {
	t.Helper()
	return worldOf(t, m, declaration)
}

func worldOf(t *testing.T, m limntest.Model, declaration string) *world {
	t.Helper()
	a := limntest.Must(app.Load("shop.yaml", []byte(declaration)))
	w := &world{store: memory.New(), env: inspect.Env{App: a, Targets: drawings}}
	cfg := session.Config{App: a, Store: w.store, Bus: localbus.New(), Model: m}
	for _, one := range limntest.Must(drawings(a, "", time.Time{}))[1:] {
		cfg.Targets = append(cfg.Targets, one.A2UI)
	}
	svc := limntest.Must(session.New(cfg))
	t.Cleanup(func() { svc.Close(context.Background()) }) //nolint:errcheck // the test has ended
	w.Talk = limntest.NewTalk(t, svc, "margaret")
	return w
}

func (w *world) dump(span conversation.Span) store.Dump {
	w.Helper()
	d, err := conversation.Dump(context.Background(), w.store, w.ID, span)
	if err != nil {
		w.Fatal(err)
	}
	if err := d.Validate(); err != nil {
		w.Fatal(err)
	}
	return d
}

func (w *world) turn(n uint64) *inspect.Turn {
	w.Helper()
	t, err := w.env.Turn(w.dump(conversation.Span{From: n, To: n}), n)
	if err != nil {
		w.Fatal(err)
	}
	return t
}

// opens is a model that opens the form of a customer.
func opens(context.Context, llm.Request) (llm.Reply, error) {
	r := limntest.Reply(limntest.Envelope("Here.", limntest.ShowForm("customer")))
	r.Usage = llm.Usage{In: 120, Out: 7}
	return r, nil
}
