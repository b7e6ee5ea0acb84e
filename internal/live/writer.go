package live

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ids"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// CodeTopic is a topic that no view shows.
const CodeTopic ui.Code = "TOPIC_UNKNOWN"

// topicOwner owns the conversations of topics; no principal has that id.
const topicOwner = "limn-topics"

// Writer writes data of the application that views show. It is an app.Live.
type Writer struct {
	App   *app.App
	Store store.Conversations
	IDs   ids.Source
	// Submit runs an event of the program in a conversation, and returns its outcome.
	Submit func(ctx context.Context, conversation string, e *ui.Event) (ui.Outcome, error)
}

// Patch implements app.Live.
func (w Writer) Patch(ctx context.Context, conversation, key string, values any) error {
	body, err := encodeData(values)
	if err != nil {
		return err
	}
	e, err := ingress.DecodeData(body, ingress.Limits{})
	if err != nil {
		return err
	}
	return w.submit(ctx, conversation, key, e)
}

// Set implements app.Live.
func (w Writer) Set(ctx context.Context, conversation, key, name string, value any) error {
	v, err := valueOf(value)
	if err != nil {
		return err
	}
	return w.submit(ctx, conversation, key, ingress.DataEvent(name, v))
}

// valueOf returns a value of Go as data.
func valueOf(value any) (ui.Value, error) {
	body, err := encodeData(value)
	if err != nil {
		return ui.Value{}, err
	}
	return ingress.DecodeValue(body, ingress.Limits{})
}

func encodeData(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, &ui.Error{Code: ingress.CodeData, Message: "the value cannot be written as JSON", Err: err}
	}
	return body, nil
}

// submit runs the event of data; a refusal is an error.
func (w Writer) submit(ctx context.Context, conversation, key string, e *ui.Event) error {
	e.Key = key
	o, err := w.Submit(ctx, conversation, e)
	if err == nil && o.Kind != ui.OutcomeDone {
		err = &ui.Error{Code: o.Code, Path: string(o.Path), Message: o.Detail, Hint: o.Hint}
	}
	return err
}

// Publish implements app.Live.
func (w Writer) Publish(ctx context.Context, topic string, value any) error {
	v, err := valueOf(value)
	if err != nil {
		return err
	}
	return w.PublishOnce(ctx, topic, "", v)
}

// PublishOnce makes a value the newest one of a topic, once for each key; "" is no key.
func (w Writer) PublishOnce(ctx context.Context, topic, key string, v ui.Value) error {
	if !slices.Contains(w.App.Views().Topics(), topic) {
		return &ui.Error{Code: CodeTopic, Path: "name", Message: "no view shows a topic of that name",
			Hint: "declare it under topics of a view"}
	}
	e := ingress.DataEvent(topic, v)
	err := w.submit(ctx, ingress.TopicID(topic), key, e)
	if ui.CodeOf(err) != conversation.CodeNotFound {
		return err
	}
	_ = w.Store.Create(ctx, store.Conversation{ID: ingress.TopicID(topic), Log: w.IDs.Hex(8), Owner: topicOwner,
		Created: w.IDs.Now().UTC()}) // one that another process made will do; else submit has the error
	return w.submit(ctx, ingress.TopicID(topic), key, e)
}
