package deliver

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/markdown"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// Chunk is one event of a stream, for any transport.
type Chunk struct {
	Event string   // "" = message, else reset, delta or watch
	ID    string   // the cursor after it, or ""
	Data  [][]byte // the lines of its data; none moves the cursor only
	Beat  bool     // a heartbeat: nothing but life
	Ended bool     // of the format limn: nothing comes after it
}

// Format is the language of a stream.
type Format uint8

// The formats of a stream.
const (
	Limn Format = iota // one JSON object a frame, with text and outcome
	A2UI               // bare A2UI messages
)

// body is one frame, or the whole of it, in the format limn.
type body struct {
	Kind       string            `json:"kind"`
	Seq        uint64            `json:"seq"`
	Text       string            `json:"text,omitempty"`
	Transcript []Entry           `json:"transcript,omitempty"`
	Messages   []json.RawMessage `json:"messages"`
	Toasts     []string          `json:"toasts,omitempty"`
	Event      ui.EventID        `json:"event,omitempty"`
	Outcome    *ui.Outcome       `json:"outcome,omitempty"`
	Warnings   []string          `json:"warnings,omitempty"`

	// what could not be shown and can be regenerated: in snapshots, and where it changed
	Failed      *[]Failed `json:"failed,omitempty"`
	Preferences bool      `json:"preferences,omitempty"` // a frame changed the user's routing preferences
	// the operator who attends the conversation, "" for none: in snapshots of an attended
	// conversation, and where it changed
	Operator *string           `json:"operator,omitempty"`
	Actors   map[string]string `json:"actors,omitempty"` // for clients that share drafts: the names of those who wrote
	Ended    bool              `json:"ended,omitempty"`  // the conversation has ended: the stream does, too
	// for clients that can show no catalog of ours, in snapshots and where a surface changed
	Unshown *unshown `json:"unshown,omitempty"`
}

// unshown says why a client gets no surfaces, and where they are.
type unshown struct {
	Code ui.Code `json:"code"`
	Page string  `json:"page"`
}

func (t Target) unshown(changed bool) *unshown {
	if t.Page == "" || !changed {
		return nil
	}
	return &unshown{recovery.CodeCatalog, t.Page}
}

// Failed is a surface that was closed because it could not be shown.
type Failed struct {
	Surface ui.Name `json:"surface"`
	Title   string  `json:"title"`
}

// failedOf lists what failed in a state, or nil where it is as it was before.
func failedOf(before, s *ui.State) *[]Failed {
	out := []Failed{}
	for _, sf := range s.Failed {
		out = append(out, Failed{sf.Name, cmp.Or(sf.Title, string(sf.Name))})
	}
	if before == nil && len(out) == 0 || before != nil && slices.Equal(before.Failed, s.Failed) {
		return nil
	}
	return &out
}

// operatorOf is the name of who attends a conversation, or nil where it is as it was before.
func operatorOf(before, s *ui.State) *string {
	name := func(s *ui.State) (name string) {
		if s != nil && s.Operator != nil {
			name = s.Operator.Name
		}
		return name
	}
	if now := name(s); now != name(before) {
		return &now
	}
	return nil
}

func encodeBody(b body, messages [][]byte) ([]byte, error) {
	b.Messages = make([]json.RawMessage, len(messages))
	for i, m := range messages {
		b.Messages[i] = m
	}
	return json.Marshal(b)
}

// entriesOf returns the transcript entries of a frame.
func entriesOf(s *ui.State, seq uint64) []*ui.Entry {
	i := len(s.Transcript)
	for i > 0 && s.Transcript[i-1].Seq == seq {
		i--
	}
	return s.Transcript[i:]
}

// Entry is an entry of the transcript for clients that show a chat.
type Entry struct {
	*ui.Entry
	HTML string `json:"html,omitempty"` // of an assistant's, its Markdown rendered; "": show Text as it is
}

// maxRendered bounds the bytes that are read as Markdown for one list.
const maxRendered = 256 << 10

// Entries renders the assistant's words in a list, the newest first as far as
// the bound goes. What the user wrote stays as it is.
func Entries(list []*ui.Entry) []Entry {
	out, left := make([]Entry, len(list)), maxRendered
	for i, e := range slices.Backward(list) {
		out[i].Entry = e
		if e.Role == ui.RoleAssistant && len(e.Text) <= left {
			left -= len(e.Text)
			out[i].HTML, _ = markdown.HTML(e.Text)
		}
	}
	return out
}

func resetData(reason string) [][]byte {
	return [][]byte{append(jsonx.AppendString([]byte(`{"reason":`), reason), '}')}
}
