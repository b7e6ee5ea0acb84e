package conversation

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Summary is a conversation in a list.
type Summary struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"` // the oldest message of the user that is still kept, clipped; "" before the first
	Created time.Time `json:"created"`
	Active  time.Time `json:"active"` // when the newest entry of the transcript was received; Created without entries
	Ended   bool      `json:"ended"`
}

// maxTitle is the most bytes of a title, before the … that says it was longer.
const maxTitle = 120

// Summarize returns the entry in a list for a conversation with that newest state.
func Summarize(c store.Conversation, st *ui.State) Summary {
	out := Summary{ID: c.ID, Created: c.Created, Active: c.Created, Ended: st.Ended}
	for _, e := range st.Transcript {
		if out.Title == "" && e.Role == ui.RoleUser {
			out.Title = excerpt.Of(strings.Join(strings.Fields(e.Text), " "), maxTitle)
		}
		if e.At.After(out.Active) {
			out.Active = e.At
		}
	}
	return out
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
