package a2a_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"testing"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
	"github.com/a2aproject/a2a-go/a2aclient/agentcard"

	"github.com/limn-ui/limn/a2ui"
	renderer "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/limntest"
)

// bearer adds a token to each call.
type bearer struct {
	a2aclient.PassthroughInterceptor
	token string
}

func (b bearer) Before(ctx context.Context, r *a2aclient.Request) (context.Context, error) {
	r.Meta["Authorization"] = []string{"Bearer " + b.token}
	return ctx, nil
}

// v08 is what a client of a2a-go asks for: its data parts hold objects only.
func v08() map[string]any {
	return map[string]any{"a2uiClientCapabilities": map[string]any{
		"supportedCatalogIds": []any{a2ui.CatalogID(a2ui.V08)}}}
}

// shown feeds the parts of a task to a renderer.
func shown(t *testing.T, r *renderer.Client, m *a2a.Message) {
	t.Helper()
	for _, p := range m.Parts {
		if p, ok := p.(a2a.DataPart); ok {
			if err := r.Feed(limntest.Must(json.Marshal(p.Data))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// last is the last event of a stream.
func last(t *testing.T, events iter.Seq2[a2a.Event, error]) *a2a.TaskStatusUpdateEvent {
	t.Helper()
	var end a2a.Event
	for e, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		end = e
	}
	update, ok := end.(*a2a.TaskStatusUpdateEvent)
	if !ok || !update.Final {
		t.Fatalf("the stream ends with %+v", end)
	}
	return update
}

// TestGoSDK: the client of a2a-go resolves the card, opens a form, submits it, once, streams,
// subscribes again, asks for the task and is told what there is not.
func TestGoSDK(t *testing.T) {
	t.Parallel()
	s, ctx := start(t), t.Context()
	card, err := agentcard.NewResolver(http.DefaultClient).Resolve(ctx, s.URL)
	if err != nil {
		t.Fatal(err)
	}
	card.Capabilities.PushNotifications = true // or the client does not ask
	c, err := a2aclient.NewFromCard(ctx, card, a2aclient.WithJSONRPCTransport(http.DefaultClient),
		a2aclient.WithInterceptors(bearer{token: ada}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Destroy() //nolint:errcheck // it has no error
	if len(card.Capabilities.Extensions) != 4 || !card.Capabilities.Streaming {
		t.Errorf("%+v", card.Capabilities)
	}
	open := a2a.NewMessage(a2a.MessageRoleUser, a2a.TextPart{Text: "sign the guest book"})
	open.Metadata = v08()
	var task *a2a.Task
	for range 2 {
		got, err := c.SendMessage(ctx, &a2a.MessageSendParams{Message: open})
		if err != nil {
			t.Fatal(err)
		}
		if again := got.(*a2a.Task); task != nil && task.ID != again.ID {
			t.Errorf("one message is task %s and %s", task.ID, again.ID)
		}
		task = got.(*a2a.Task)
	}
	r := renderer.New(a2ui.V08, renderer.Strict)
	shown(t, r, task.Status.Message)
	var data map[string]any
	if err := json.Unmarshal([]byte(limntest.Sign(t, a2ui.V08, r, "Ada")), &data); err != nil {
		t.Fatal(err)
	}
	click := a2a.NewMessage(a2a.MessageRoleUser, a2a.DataPart{Data: data,
		Metadata: map[string]any{"mimeType": "application/json+a2ui"}})
	click.ContextID, click.Metadata = task.ContextID, v08()
	for range 2 {
		end := last(t, c.SendStreamingMessage(ctx, &a2a.MessageSendParams{Message: click}))
		if end.Status.State != a2a.TaskStateCompleted || len(end.Status.Message.Parts) == 0 {
			t.Errorf("%+v", end.Status)
		}
		again := last(t, c.ResubscribeToTask(ctx, &a2a.TaskIDParams{ID: end.TaskID}))
		if again.Status.Message.ID != end.Status.Message.ID {
			t.Errorf("subscribed again: %+v", again.Status)
		}
	}
	if n := s.commits(task.ContextID, "Ada"); n != 1 {
		t.Errorf("saved %d times", n)
	}
	if got, err := c.GetTask(ctx, &a2a.TaskQueryParams{ID: task.ID}); err != nil || got.Status.State != a2a.TaskStateCompleted {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = c.CancelTask(ctx, &a2a.TaskIDParams{ID: task.ID})
	if !errors.Is(err, a2a.ErrTaskNotCancelable) {
		t.Error(err)
	}
	_, err = c.SetTaskPushConfig(ctx, &a2a.TaskPushConfig{TaskID: task.ID})
	if !errors.Is(err, a2a.ErrPushNotificationNotSupported) {
		t.Error(err)
	}
	_, err = c.GetTask(ctx, &a2a.TaskQueryParams{ID: "x"})
	if !errors.Is(err, a2a.ErrTaskNotFound) {
		t.Error(err)
	}
	click.ContextID = "x"
	_, err = c.SendMessage(ctx, &a2a.MessageSendParams{Message: click})
	if !errors.Is(err, a2a.ErrInvalidParams) {
		t.Error(err)
	}
}

// TestNodeSDK: so does the client of @a2a-js/sdk, of protocol 1.0 and of 0.3.
func TestNodeSDK(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts node")
	}
	s := start(t)
	var contexts [2]string
	if err := json.Unmarshal([]byte(limntest.Node(t, "a2a.mjs", s.URL)), &contexts); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"Node 1.0", "Node 0.3"} {
		if n := s.commits(contexts[i], name); n != 1 {
			t.Errorf("%s was saved %d times", name, n)
		}
	}
}
