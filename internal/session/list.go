package session

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Summary is a conversation in a list.
type Summary struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"` // the oldest message of the user that is still kept, clipped; "" before the first
	Created time.Time `json:"created"`
	Active  time.Time `json:"active"` // when the newest entry of the transcript was received; Created if there is none
	Ended   bool      `json:"ended"`
}

// MaxSummaries is the most conversations that Conversations lists at a time: each
// that is not in the cache is read from the store.
const MaxSummaries = 50

// Owned lists the ids of a principal's conversations, newest first, at most limit
// (store.Page at most).
func (s *Service) Owned(ctx context.Context, principal string, limit int) ([]string, error) {
	list, err := owned(ctx, s, principal, store.Conversation{}, limit)
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	return ids, err
}

func owned(ctx context.Context, s *Service, principal string, after store.Conversation,
	limit int) ([]store.Conversation, error) {
	if principal == "" {
		return nil, nil
	}
	list, err := s.cfg.Store.Owned(ctx, conversation.Owner(principal), after, limit)
	if err != nil {
		return nil, conversation.StoreError("list conversations", err)
	}
	return list, nil
}

// Conversations lists a principal's conversations, the last created first, at
// most limit (1 to MaxSummaries, else MaxSummaries). With the cursor it returns
// the list goes on; "" begins, and is returned with the last page. Of a conversation the
// store deleted meanwhile nothing is said.
//
// Errors: ingress.CodeEnvelope for a cursor that is none, conversation.CodeStore.
func (s *Service) Conversations(ctx context.Context, principal, after string, limit int) ([]Summary, string, error) {
	if limit < 1 || limit > MaxSummaries {
		limit = MaxSummaries
	}
	from, err := parsePlace(after)
	if err != nil {
		return nil, "", err
	}
	found, err := owned(ctx, s, principal, from, limit+1) // one more says whether there is another page
	if err != nil {
		return nil, "", err
	}
	next := ""
	if len(found) > limit {
		found = found[:limit]
		next = placeOf(found[limit-1])
	}
	list := make([]Summary, 0, len(found))
	for _, c := range found {
		st, err := glance(ctx, s, c.ID)
		switch {
		case ui.CodeOf(err) == conversation.CodeNotFound: // deleted meanwhile
			continue
		case err != nil:
			return nil, "", err
		}
		list = append(list, summaryOf(c, st))
	}
	return list, next, nil
}

// glance returns the newest state of a conversation that this process knows, and
// reads one that is not in the cache without evicting another.
func glance(ctx context.Context, s *Service, id string) (*ui.State, error) {
	c := s.cache.peek(id)
	if c == nil {
		log, _, err := s.frames.Open(ctx, id)
		if err != nil {
			return nil, err
		}
		return log.State(), nil
	}
	defer c.unpin()
	if err := c.log.Fresh(ctx); err != nil {
		return nil, err
	}
	return c.head(), nil
}

// maxTitle is the most bytes of a title, before the … that says it was longer.
const maxTitle = 120

func summaryOf(c store.Conversation, st *ui.State) Summary {
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

// placeOf and parsePlace are the cursor of a list: opaque to clients. It holds
// what orders the list, so that it stays good when its conversation is deleted.
func placeOf(c store.Conversation) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.Created.UnixMicro(), 10) + " " + c.ID))
}

func parsePlace(s string) (store.Conversation, error) {
	if s == "" {
		return store.Conversation{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	at, id, _ := strings.Cut(string(b), " ")
	micros, bad := strconv.ParseInt(at, 10, 64)
	if err != nil || bad != nil || id == "" || len(id) > 128 {
		return store.Conversation{}, &ui.Error{Code: ingress.CodeEnvelope, Path: "after",
			Message: "this is no cursor of a list",
			Hint:    "send `next` of the page before, or nothing"}
	}
	return store.Conversation{ID: id, Created: time.UnixMicro(micros).UTC()}, nil
}
