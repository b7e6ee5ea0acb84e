package app

import (
	"context"

	"github.com/limn-ui/limn/ui"
)

// CodeDataName is a name that the application may not write data under.
const CodeDataName ui.Code = "DATA_NAME"

// Live writes the data that views show: under /committed/<name>, which a view reads, and
// no message of a user. A value is anything that encoding/json writes: its keys are names
// (a-z, then a-z, 0-9, _ and -), and lists hold texts, numbers or objects. Errors are
// *ui.Error.
//
// A handler has it in Call.Live, which refuses writes to the conversation that the handler
// was called from: the turn that called it is not over. Return them as Result.Ops. Do not
// use a Live from elsewhere for that: it waits for the turn.
type Live interface {
	// Patch merges values, an object of names and their data, into the data of a
	// conversation, as RFC 7396 merges JSON: null removes. A second call with the same
	// key changes nothing; "" is no key.
	Patch(ctx context.Context, conversation, key string, values any) error
	// Set replaces the data of one name.
	Set(ctx context.Context, conversation, key, name string, value any) error
	// Publish makes a value the newest one of a topic: it is stored, and shown by the views
	// of every conversation that name the topic.
	Publish(ctx context.Context, topic string, value any) error
}

// CheckDataName reports why the application may not write data under a name: a form, table
// or map has the name, and users submit its data; or a view reads records under it.
func (a *App) CheckDataName(name string) error {
	for _, v := range a.cfg.Views {
		if q, ok := v.Records[name]; ok {
			return &ui.Error{Code: CodeDataName, Path: "/" + name,
				Message: "a view shows records of " + q.Name + " under this name",
				Hint:    "write the data under another name"}
		}
	}
	return freeName(a, name)
}

// freeName is CheckDataName for what views declare.
func freeName(a *App, name string) error {
	if !ui.ValidKey(name) {
		return &ui.Error{Code: CodeDataName, Path: "/" + clip(name), Message: "this is no name",
			Hint: "names are a-z, then up to 63 of a-z, 0-9, _ and -"}
	}
	if submits(a, name) {
		return &ui.Error{Code: CodeDataName, Path: "/" + name,
			Message: "a form, table or map has this name; what is there is what a user submitted",
			Hint:    "write the data under another name"}
	}
	return nil
}

func submits(a *App, name string) bool {
	_, form := a.Form(name)
	_, table := a.Table(name)
	_, diagram := a.Map(name)
	return form || table || diagram
}
