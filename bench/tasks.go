package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

// task is one thing that a model shows or changes in the demo application.
type task struct {
	name   string
	before string // the answer of the turn before, if the task goes on from it; not counted
	saved  string // the values the user submitted earlier, by form; not counted
	// the envelope as the schema for structured outputs has it written: every key, null where there is
	// nothing
	answer string
}

//go:embed tasks.json
var tasksJSON []byte

// tasks are requests people make to examples/desk: every form, table, map and view it
// declares, empty and filled in, small changes of open surfaces, and one request for
// two things at once. They were written before anything was counted.
var tasks = readTasks()

// readTasks takes the white space out of the answers in tasks.json: a model
// writes none there.
func readTasks() []task {
	var file []struct {
		Name                  string
		Before, Saved, Answer json.RawMessage
	}
	must(json.Unmarshal(tasksJSON, &file))
	list := make([]task, len(file))
	for i, t := range file {
		list[i] = task{name: t.Name, before: compact(t.Before), saved: compact(t.Saved), answer: compact(t.Answer)}
	}
	return list
}

// compact returns JSON without white space, and nothing for nothing.
func compact(raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	var b bytes.Buffer
	must(json.Compact(&b, raw))
	return b.String()
}
