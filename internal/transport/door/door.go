// Package door has the parts that the doors of a server share. Each door is another
// protocol by which clients reach the same conversations.
//
// In: a Host, which is the server around a door. Out: the routes of the door. A door
// decodes and encodes its protocol. The Host knows the sender of a request and the
// sender's allowance, and takes events, so that the rules of every door are the same.
//
// Callers: internal/transport/web is the Host; the doors beside it import this package.
package door

import (
	"context"
	"net/http"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// Door is one protocol: it returns its routes at a host. A door is called once.
type Door func(Host) Routes

// Routes are handlers by the patterns of http.ServeMux.
type Routes map[string]Handler

// Handler answers a request, or returns why not, for a problem in the form of the web API.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Service is the part of session.Service that doors use; its documentation is there.
type Service interface {
	App() *app.App
	Access(ctx context.Context, id, principal string) (conversation.Access, error)
	Head(ctx context.Context, id, principal string) (conversation.Head, error)
	Steps(ctx context.Context, id string, after uint64, max int) ([]conversation.Step, error)
	Known(ctx context.Context, id, principal string, e *ui.Event) (bool, error)
	Receipt(ctx context.Context, id, principal string, e ui.EventID) (rec conversation.Receipt, known bool, err error)
	Keyed(ctx context.Context, id, principal, key string) (rec conversation.Receipt, known bool, err error)
	Subscribe(id string) (woken <-chan struct{}, leave func())
}

// Host is the server around a door. Its methods may be called from anywhere.
type Host interface {
	Service() Service
	Deliver() *deliver.Deliverer
	Targets() []deliver.Target // the drawings that are enabled, as they are configured
	// Target is the drawing that the query of a request names, as in the web API.
	Target(r *http.Request) (deliver.Target, error)
	Limits() ingress.Limits // of decoding; Bytes bounds the body of a request

	// Address is the absolute address of a path of this server.
	Address(r *http.Request, path string) string
	Stopping() <-chan struct{} // closed when the server stops: nothing is waited for any more
	// Anonymous says that clients are known by tokens that they choose or are given.
	Anonymous() bool

	// Body reads the body of a post: JSON, not encoded, within the limit.
	Body(r *http.Request) ([]byte, error)
	// Sender finds out who sends a request, and takes its price from their allowance.
	Sender(r *http.Request) (who string, err error)
	// Named is the id of the conversation that Begin starts for a sender under a name.
	Named(who, name string) string
	// Begin starts a conversation for the sender. With a name that the sender gives it,
	// once, there is one conversation of that name, however often it is begun. token is
	// the one that a sender without any is known by from now on.
	Begin(w http.ResponseWriter, r *http.Request, once string) (b Begun, err error)
	// Take hands an event over as session.Service.Take does.
	Take(w http.ResponseWriter, r *http.Request, id, who string, e *ui.Event) (Answer, error)
	// Stream answers a request with a stream.
	Stream(w http.ResponseWriter, r *http.Request, req deliver.Request, hello string) error

	// Refusal is an error as clients get to know it; a fault of the server is logged.
	Refusal(r *http.Request, err error) Refusal
}

// Begun is a conversation that was begun.
type Begun struct {
	ID    string
	Who   string
	Token string // "" unless the sender is new
}

// Answer waits for the answer of an event, until its request or the server ends.
type Answer func(ctx context.Context, wait time.Duration) conversation.Receipt

// Refusal is an error in the words of the application.
type Refusal struct {
	Status  int // of HTTP
	Code    ui.Code
	Message string
	Path    string
	Hint    string
	After   int // seconds until it may be tried again; 0: it says nothing about that
}
