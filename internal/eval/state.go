package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// State is the state of a conversation in a labelled line: the form
// of the API's router state, or the flat one with opt_out_all, opt_out_tools,
// clarifying_question_pending and pending_tool.
type State struct{ ui.Router }

// remembered is ui.Router without its methods.
type remembered ui.Router

// UnmarshalJSON reads both forms; members it does not know are passed over.
func (s *State) UnmarshalJSON(b []byte) (err error) {
	s.Router, err = decodeState(json.NewDecoder(bytes.NewReader(b)))
	return err
}

// decodeState reads both forms. A guardrail without "enabled" is enabled.
func decodeState(dec *json.Decoder) (ui.Router, error) {
	var in struct {
		remembered
		OptOutAll   bool     `json:"opt_out_all"`
		OptOutTools []string `json:"opt_out_tools"`
		Asked       bool     `json:"clarifying_question_pending"`
		AskedTool   string   `json:"pending_tool"`
		Guardrails  []struct {
			ui.Guardrail
			Enabled *bool `json:"enabled"`
		} `json:"guardrails"`
	}
	if err := dec.Decode(&in); err != nil {
		return ui.Router{}, err
	}
	s := ui.Router(in.remembered)
	s.OptOut.All = s.OptOut.All || in.OptOutAll
	s.OptOut.Tools = append(s.OptOut.Tools, in.OptOutTools...)
	if in.Asked && s.Pending == nil {
		s.Pending = &ui.Pending{Tool: in.AskedTool}
	}
	for i, g := range in.Guardrails {
		g.Guardrail.Enabled = g.Enabled == nil || *g.Enabled
		if g.ID == "" {
			g.ID = "g" + strconv.Itoa(i+1)
		}
		s.Guardrails = append(s.Guardrails, g.Guardrail)
	}
	return s, nil
}

// DecodeState reads a whole document: what GET …/state answers, the router
// state in it, or the state of a labelled line. Unlike a line it may not have
// members or words that mean nothing: a slip would change the decision without
// a word. Errors have CodeState.
func DecodeState(b []byte) (ui.Router, error) {
	var whole struct {
		V      int             `json:"v"`
		Router json.RawMessage `json:"router"`
	}
	if json.Unmarshal(b, &whole) == nil && (whole.V > 0 || whole.Router != nil) {
		if b = whole.Router; b == nil {
			b = []byte("{}") // nothing to remember
		}
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	s, err := decodeState(dec)
	if err == nil && dec.More() {
		err = errors.New("more follows the state")
	}
	if err != nil {
		return s, &ui.Error{Code: CodeState, Message: err.Error(),
			Hint: "take what GET …/state answers, its router member, or the state of a labelled line"}
	}
	return s, checkState(s)
}

// DecodeOpen reads the open surfaces of a whole document that DecodeState takes; nil if it has
// no surfaces.
func DecodeOpen(b []byte) (open []route.Open) {
	var whole struct {
		Surfaces []struct {
			Name   ui.Name   `json:"name"`
			Status ui.Status `json:"status"`
			Title  string    `json:"title"`
			Origin ui.Origin `json:"origin"`
		} `json:"surfaces"`
	}
	if json.Unmarshal(b, &whole) != nil {
		return nil
	}
	for _, sf := range whole.Surfaces {
		if sf.Status == ui.StatusOpen && slices.Contains([]string{"form", "table", "map"}, sf.Origin.Kind) {
			open = append(open, route.Open{Surface: sf.Name, Kind: sf.Origin.Kind, Title: sf.Title, Cancel: "Cancel"})
		}
	}
	return open
}

// checkState refuses words that mean nothing.
func checkState(s ui.Router) error {
	tools := append([]string{s.LastTool, s.Preferred}, s.OptOut.Tools...)
	if s.Pending != nil {
		tools = append(tools, s.Pending.Tool)
	}
	for _, g := range s.Guardrails {
		tools = append(tools, g.Tool)
	}
	for _, t := range tools {
		if t != "" && t != ui.ToolTable && t != ui.ToolMap {
			return &ui.Error{Code: CodeState, Message: strconv.Quote(t) + " is no tool",
				Hint: "the tools are " + ui.ToolTable + " and " + ui.ToolMap}
		}
	}
	known := []string{"", ui.StatusToolOpen, ui.StatusCompleted, ui.StatusCanceled}
	if !slices.Contains(known, s.LastStatus) {
		return &ui.Error{Code: CodeState, Path: "last_tool_status",
			Message: strconv.Quote(s.LastStatus) + " is no status", Hint: "open, completed or canceled"}
	}
	return nil
}
