package conversation

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Summary is a conversation in a list.
type Summary struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"` // by its owner, or the beginning of its first message; "" before that
	Created  time.Time `json:"created"`
	Active   time.Time `json:"active"` // when the newest entry of the transcript was received; Created without entries
	Ended    bool      `json:"ended"`
	Archived bool      `json:"archived"`
	Operator string    `json:"operator,omitempty"` // the name of who attends it
	// since when the user waits for that operator's answer; zero: they do not
	Waiting time.Time `json:"waiting,omitzero"`
}

// Summarize returns the entry in a list for a conversation with that newest state.
func Summarize(c store.Conversation, st *ui.State) Summary {
	out := Summary{ID: c.ID, Title: cmp.Or(c.Title, c.First, First(st)), Created: c.Created, Active: c.Created,
		Ended: st.Ended, Archived: c.Archived}
	if st.Operator != nil {
		out.Operator = st.Operator.Name
	}
	for _, e := range st.Transcript {
		if e.At.After(out.Active) {
			out.Active = e.At
		}
		switch {
		case st.Operator == nil || st.Ended:
		case e.Role == ui.RoleUser && out.Waiting.IsZero():
			out.Waiting = e.At
		case e.Role != ui.RoleUser && e.At.Equal(st.Operator.At): // with it the operator joined, or wrote last
			out.Waiting = time.Time{}
		}
	}
	return out
}

// maxFirst is the most bytes of First, before the … that says it was longer.
const maxFirst = 120

// First is how the oldest message of the user begins that st still has; "" without one.
func First(st *ui.State) string {
	for _, e := range st.Transcript {
		if e.Role == ui.RoleUser {
			return excerpt.Of(strings.Join(strings.Fields(e.Text), " "), maxFirst)
		}
	}
	return ""
}

// MaxTitle is the most characters of a title that an owner gives.
const MaxTitle = 120

// Title returns a title as it is kept: on one line. ok = it is short enough.
func Title(s string) (title string, ok bool) {
	title = strings.TrimSpace(excerpt.Line(s))
	return title, utf8.RuneCountInString(title) <= MaxTitle
}

// Listing says which conversations to list.
type Listing struct {
	Words    string // the title has each of them, or one turn says them all; "": all conversations
	Archived bool   // the archived ones, instead of the others
	After    string // the cursor of the page before; "": the first page
	Limit    int
}

// Terms are the words as Titled and Said compare them, without regard to case.
func (l Listing) Terms() []string { return strings.Fields(strings.ToLower(l.Words)) }

// Titled reports whether the title of a conversation has all terms.
func Titled(c store.Conversation, terms []string) bool {
	title := strings.ToLower(cmp.Or(c.Title, c.First))
	return !slices.ContainsFunc(terms, func(w string) bool { return !strings.Contains(title, w) })
}

// Said returns the text that a frame added to the transcript, in the form that a search
// compares and cut to the length that is kept; nil if it added nothing.
func Said(f *ui.Frame, after *ui.State) (said []byte) {
	from := len(after.Transcript)
	for from > 0 && after.Transcript[from-1].Seq == f.Seq {
		from--
	}
	for _, e := range after.Transcript[from:] {
		said = append(said, strings.ToLower(e.Text)...)
		said = append(said, '\n')
	}
	return said[:min(len(said), builtin.MaxSaid)]
}

// Newest orders conversations for a list.
func Newest(a, b store.Conversation) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID))
}

// Cursor returns where a list goes on after c: opaque to clients. It holds what
// orders the list, so that it stays good when its conversation is deleted.
func Cursor(c store.Conversation) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.Created.UnixMicro(), 10) + " " + c.ID))
}

// ParseCursor reads a cursor; "" begins. ok = it is one.
func ParseCursor(s string) (after store.Conversation, ok bool) {
	if s == "" {
		return store.Conversation{}, true
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	at, id, _ := strings.Cut(string(b), " ")
	micros, bad := strconv.ParseInt(at, 10, 64)
	if err != nil || bad != nil || id == "" || len(id) > 128 {
		return store.Conversation{}, false
	}
	return store.Conversation{ID: id, Created: time.UnixMicro(micros).UTC()}, true
}
