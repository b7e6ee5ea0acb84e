package session

import (
	"context"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

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
// Errors: ingress.CodeEnvelope for an invalid cursor, conversation.CodeStore.
func (s *Service) Conversations(ctx context.Context, principal, after string,
	limit int) (list []conversation.Summary, next string, err error) {
	if limit < 1 || limit > MaxSummaries {
		limit = MaxSummaries
	}
	from, ok := conversation.ParseCursor(after)
	if !ok {
		return nil, "", &ui.Error{Code: ingress.CodeEnvelope, Path: "after", Message: "this is no cursor of a list",
			Hint: "send `next` of the page before, or nothing"}
	}
	found, err := owned(ctx, s, principal, from, limit+1) // one more says whether there is another page
	if err != nil {
		return nil, "", err
	}
	if len(found) > limit {
		found = found[:limit]
		next = conversation.Cursor(found[limit-1])
	}
	list = make([]conversation.Summary, 0, len(found))
	for _, c := range found {
		st, err := glance(ctx, s, c.ID)
		switch {
		case ui.CodeOf(err) == conversation.CodeNotFound: // deleted meanwhile
			continue
		case err != nil:
			return nil, "", err
		}
		list = append(list, conversation.Summarize(c, st))
	}
	return list, next, nil
}

// glance returns the newest state of a conversation that this process knows, and
// reads one that is not in the cache without evicting another.
func glance(ctx context.Context, s *Service, id string) (*ui.State, error) {
	c, ok := s.cache.Peek(id)
	if !ok {
		log, _, err := s.frames.Open(ctx, id)
		if err != nil {
			return nil, err
		}
		return log.State(), nil
	}
	defer s.cache.Release(id)
	if err := c.log.Fresh(ctx); err != nil {
		return nil, err
	}
	return c.head(), nil
}
