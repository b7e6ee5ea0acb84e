package session

import (
	"context"
	"encoding/json"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// Live returns what writes data of the application that views show.
func (s *Service) Live() Live { return Live{s} }

// Live writes data of the application that views show. It is an app.Live.
type Live struct{ svc *Service }

// Patch implements app.Live.
func (l Live) Patch(ctx context.Context, conversation, key string, values any) error {
	body, err := encodeData(values)
	if err != nil {
		return err
	}
	e, err := ingress.DecodeData(body, ingress.Limits{})
	if err != nil {
		return err
	}
	return l.submit(ctx, conversation, key, e)
}

// Set implements app.Live.
func (l Live) Set(ctx context.Context, conversation, key, name string, value any) error {
	body, err := encodeData(value)
	if err != nil {
		return err
	}
	v, err := ingress.DecodeValue(body, ingress.Limits{})
	if err != nil {
		return err
	}
	return l.submit(ctx, conversation, key, ingress.DataEvent(name, v))
}

func encodeData(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, &ui.Error{Code: ingress.CodeData, Message: "the value cannot be written as JSON", Err: err}
	}
	return body, nil
}

// submit runs the event of data; a refusal is an error.
func (l Live) submit(ctx context.Context, conversation, key string, e *ui.Event) error {
	e.Key = key
	rec, err := l.svc.Submit(ctx, conversation, "", e, l.svc.cfg.Timeout)
	if err == nil && rec.Outcome.Kind != ui.OutcomeDone {
		o := rec.Outcome
		err = &ui.Error{Code: o.Code, Path: string(o.Path), Message: o.Detail, Hint: o.Hint}
	}
	return err
}
