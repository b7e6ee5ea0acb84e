package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/files"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/near"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Call is the body that is posted to a webhook (docs/http.md).
type Call struct {
	Key          string   `json:"key"`
	Conversation string   `json:"conversation"`
	Principal    string   `json:"principal,omitempty"`
	Action       string   `json:"action"`
	Surface      ui.Name  `json:"surface"`
	Values       ui.Value `json:"values"`

	Record ui.RecordRef `json:"record,omitzero"` // that the values are saved as

	Files []files.Attachment `json:"files,omitempty"` // the uploads that Values names
}

// ReadFile returns what reads the uploads of a conversation, for handlers and tools.
func ReadFile(blobs store.Blobs, conversation string) app.ReadFile {
	return func(ctx context.Context, id string) (app.File, error) {
		b, err := files.Read(ctx, blobs, conversation, id)
		if errors.Is(err, store.ErrNotFound) {
			err = app.ErrNoFile
		}
		return app.File{ID: b.ID, Name: b.Name, Type: b.Type, Body: b.Body}, err
	}
}

// WithFiles returns a posted body with the uploads that its values name. Like all of
// the body it is the same for every try, for as long as the files are kept.
func WithFiles(ctx context.Context, blobs store.Blobs, body []byte) ([]byte, error) {
	var c Call
	if err := json.Unmarshal(body, &c); err != nil {
		return nil, err
	}
	ids := files.In(c.Values)
	if len(ids) == 0 {
		return body, nil
	}
	var err error
	if c.Files, err = files.Attach(ctx, blobs, c.Conversation, ids); err != nil {
		return nil, err
	}
	return json.Marshal(c)
}

// Answer is the body that a webhook answers with.
type Answer struct {
	Text       string          `json:"text"`
	Toast      string          `json:"toast"`
	Errors     []ui.FieldError `json:"errors"`
	Directives jsonx.Value     `json:"directives"`
	Value      jsonx.Value     `json:"value"` // for a client that calls the action as a function

	Unknown []string `json:"-"` // its other keys, up to maxUnknown
}

const maxUnknown = 8

// answerKeys are the keys of an Answer.
var answerKeys = []string{"text", "toast", "errors", "directives", "value"}

// ReadAnswer reads the body of a 2xx answer; an empty one is an empty answer. A
// duplicate key is an error, as everywhere else, and so is one that is nearly errors and not
// empty: {"error":"no"} refuses something.
func ReadAnswer(raw []byte) (ans Answer, err error) {
	if len(raw) == 0 {
		return ans, nil
	}
	v, err := jsonx.Parse(raw, jsonx.Limits{})
	if err == nil {
		err = json.Unmarshal(raw, &ans)
	}
	if err != nil {
		return ans, err
	}
	for _, m := range v.Members {
		if slices.ContainsFunc(answerKeys, func(key string) bool { return strings.EqualFold(key, m.Key) }) {
			continue
		}
		if says := m.Value.Kind != jsonx.Number && len(m.Value.Items)+len(m.Value.Members)+len(m.Value.Str) > 0; says &&
			near.Distance(strings.ToLower(m.Key), "errors") == 1 {
			return Answer{}, errMisspelt
		}
		if len(ans.Unknown) < maxUnknown {
			ans.Unknown = append(ans.Unknown, m.Key)
		}
	}
	return ans, nil
}

// misspelt is an error without words of the endpoint.
type misspelt string

func (m misspelt) Error() string { return string(m) }

// Quiet is Error.
func (m misspelt) Quiet() string { return string(m) }

const errMisspelt = misspelt(`a key of the answer is misspelt; did you mean "errors"?`)

// AnswerKeys says which keys an answer has.
func AnswerKeys() string { return "an answer has " + strings.Join(answerKeys, ", ") }

// TooLarge reports an answer that a client did not read to its end.
func TooLarge(err error) bool {
	var above interface{ TooLarge() bool }
	return errors.As(err, &above) && above.TooLarge()
}

// Job is the job that makes the call because of an event. Its id is the key of the call.
func (c Call) Job(e *ui.Event) store.Job {
	body, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings and values
	}
	return store.Job{ID: c.Key, Event: string(e.ID), Kind: Kind, Body: body, Due: e.At}
}

// LogUnused logs what an answer has that nothing reads, without words of the endpoint; err is that of ReadAnswer.
func LogUnused(ctx context.Context, log *slog.Logger, action string, ans Answer, err error) {
	switch {
	case err != nil:
		log.WarnContext(ctx, "the answer of a webhook cannot be read", "action", action, "err", logs.Quiet(err))
	case len(ans.Unknown) > 0:
		log.WarnContext(ctx, "unknown keys in the answer of a webhook", "action", action, "keys", len(ans.Unknown),
			"hint", AnswerKeys())
	}
}
