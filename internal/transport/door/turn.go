package door

import (
	"cmp"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// envelope is how deep a protocol nests the messages that ingress decodes.
const envelope = 8

// JSON bounds a request of a protocol around events.
func JSON(lim ingress.Limits) jsonx.Limits {
	return jsonx.Limits{Bytes: cmp.Or(lim.Bytes, 1<<20), Depth: cmp.Or(lim.Depth, 16) + envelope,
		Entries: cmp.Or(lim.Entries, 50_000), String: cmp.Or(lim.String, 512<<10)}
}

// Reported names a door as the client of an error that came there: no stream starts over for it, and
// the answer to the error has all surfaces.
func Reported(e *ui.Event, name string) {
	if e.Error != nil {
		e.Error.Client = name
	}
}

// AnswersUser reports whether a frame answers a message of a user. Other clients get its
// surfaces and not its words.
func AnswersUser(st conversation.Step) bool {
	for i := len(st.After.Transcript) - 1; i >= 0 && st.After.Transcript[i].Seq == st.Frame.Seq; i-- {
		if st.After.Transcript[i].Role == ui.RoleUser {
			return true
		}
	}
	return false
}
