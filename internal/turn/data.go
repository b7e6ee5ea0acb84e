package turn

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// maxData bounds the data of one name of /committed, in bytes of JSON as a program writes it,
// and maxStored as the state has it, with an id and an order for each row. 64 KiB of the
// smallest rows are 0.9 MiB there; Limits.Committed bounds all names together.
const (
	maxData   = 64 << 10
	maxStored = 1 << 20
)

// data writes the data of the application under /committed. Nothing is said, and no model
// is asked; the views that show it are in the same frame. What cannot be written is
// refused as a whole.
func data(env Env, s *ui.State, e *ui.Event) Plan {
	p := Plan{Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	for _, pair := range e.Data.Pairs() {
		op, err := written(env, s, e, pair)
		if err != nil {
			return refused(env, err)
		}
		if op != nil {
			p.Ops = append(p.Ops, op)
		}
	}
	if _, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: p.Ops}, env.App.Config().Limits); err != nil {
		return refused(env, &ui.Error{Code: ingress.CodeTooLarge, Message: "the conversation holds too much data",
			Hint: "remove a name that is not shown any more: its data become null", Err: err})
	}
	return p
}

// written is the op for the data of one name, nil if they are there already.
func written(env Env, s *ui.State, e *ui.Event, pair ui.Pair) (ui.Op, error) {
	if err := env.App.CheckDataName(pair.Key); err != nil {
		return nil, err
	}
	if s.ID != ingress.TopicID(pair.Key) && slices.Contains(env.App.Views().Topics(), pair.Key) {
		return nil, &ui.Error{Code: app.CodeDataName, Path: "/" + pair.Key, Message: "a topic has this name",
			Hint: "publish the value, or write the data under another name"}
	}
	was, there := s.Committed.Get(pair.Key)
	next := pair.Value
	if e.Merge {
		next = was.Merge(next)
	}
	message := ""
	if size := len(appendPlain(nil, next)); size > maxData {
		message = fmt.Sprintf("%d bytes under one name, the most is %d", size, maxData)
	} else if size := len(next.AppendJSON(nil)); size > maxStored {
		message = fmt.Sprintf("%d bytes with the ids of rows under one name, the most is %d", size, maxStored)
	}
	if message != "" {
		return nil, &ui.Error{Code: ingress.CodeTooLarge, Path: "/" + pair.Key, Message: message,
			Hint: "send what a view shows: totals, and the last rows of a list"}
	}
	if there && was.Equal(next) {
		return nil, nil
	}
	return &ui.Commit{Form: pair.Key, Values: next}, nil
}

// appendPlain writes a value as the shortest JSON that package ingress reads as the same:
// rows are objects, and a text of a list that is a number may have been one.
func appendPlain(dst []byte, v ui.Value) []byte {
	switch v.Kind() {
	case ui.MapValue:
		dst = append(dst, '{')
		for i, p := range v.Pairs() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonx.AppendString(dst, p.Key), ':')
			dst = appendPlain(dst, p.Value)
		}
		return append(dst, '}')
	case ui.RowsValue:
		dst = append(dst, '[')
		for i, r := range v.Records() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendPlain(dst, r.Cells)
		}
		return append(dst, ']')
	case ui.StringsValue:
		dst = append(dst, '[')
		for i, s := range v.List() {
			if i > 0 {
				dst = append(dst, ',')
			}
			if s != "" && (s[0] == '-' || '0' <= s[0] && s[0] <= '9') && json.Valid([]byte(s)) {
				dst = append(dst, s...)
			} else {
				dst = jsonx.AppendString(dst, s)
			}
		}
		return append(dst, ']')
	}
	return v.AppendJSON(dst)
}
