package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// directory lists, names and deletes the conversations of an owner.
type directory struct{ svc *Service }

// MaxSummaries is the most conversations that Conversations lists at a time: each
// that is not in the cache is read from the store.
const MaxSummaries = 50

// Owned lists the ids of a principal's conversations, newest first and without the
// archived ones, at most limit (store.Page at most).
func (d directory) Owned(ctx context.Context, principal string, limit int) ([]string, error) {
	list, err := owned(ctx, d.svc, principal, false, store.Conversation{}, limit)
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	return ids, err
}

// owned lists a page of the conversations that a principal has, on another device as well.
func owned(ctx context.Context, s *Service, principal string, archived bool, after store.Conversation,
	limit int) ([]store.Conversation, error) {
	if principal == "" {
		return nil, nil
	}
	owner := conversation.Owner(principal)
	list, err := s.cfg.Store.Owned(ctx, owner, archived, after, limit)
	if err == nil && owner == principal { // known by a token: this may be the second device of an owner
		var held []store.Conversation
		held, err = s.cfg.Store.Held(ctx, owner, string(conversation.Own), s.cfg.Now())
		for _, c := range held {
			if c.Archived == archived && (after.ID == "" || conversation.Newest(after, c) < 0) {
				list = append(list, c)
			}
		}
	}
	if err != nil {
		return nil, conversation.StoreError("list conversations", err)
	}
	slices.SortFunc(list, conversation.Newest)
	return list[:min(len(list), store.Limit(limit))], nil
}

// Conversations lists a principal's conversations that are not archived, the last
// created first, at most limit. With the cursor it returns the list goes on; "" begins,
// and is returned with the last page. See Find for others, and for the errors.
func (d directory) Conversations(ctx context.Context, principal, after string,
	limit int) (list []conversation.Summary, next string, err error) {
	return d.Find(ctx, principal, conversation.Listing{After: after, Limit: limit})
}

// Find lists a principal's conversations, the last created first. With the cursor next
// as q.After the list goes on; it is "" with the last page. A page can be short, since a
// search looks at store.Page conversations at most. Of a conversation the store deleted
// meanwhile nothing is said.
//
// Errors: ingress.CodeEnvelope for an invalid cursor, conversation.CodeStore.
func (d directory) Find(ctx context.Context, principal string,
	q conversation.Listing) (list []conversation.Summary, next string, err error) {
	return d.find(ctx, q, func(after store.Conversation, limit int) ([]store.Conversation, error) {
		return owned(ctx, d.svc, principal, q.Archived, after, limit)
	})
}

// pageFunc lists conversations after one, at most limit.
type pageFunc func(after store.Conversation, limit int) ([]store.Conversation, error)

func (d directory) find(ctx context.Context, q conversation.Listing, page pageFunc) (list []conversation.Summary,
	next string, err error) {
	if q.Limit < 1 || q.Limit > MaxSummaries {
		q.Limit = MaxSummaries
	}
	found, next, err := found(ctx, d.svc, q, page)
	if err != nil {
		return nil, "", err
	}
	list = make([]conversation.Summary, 0, len(found))
	for _, c := range found {
		st, err := glance(ctx, d.svc, c.ID)
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

// found returns a page of a listing, and where the next one begins.
func found(ctx context.Context, s *Service, q conversation.Listing, pages pageFunc) (list []store.Conversation,
	next string, err error) {
	from, ok := conversation.ParseCursor(q.After)
	if !ok {
		return nil, "", &ui.Error{Code: ingress.CodeEnvelope, Path: "after", Message: "this is no cursor of a list",
			Hint: "send `next` of the page before, or nothing"}
	}
	terms, size := q.Terms(), q.Limit+1 // one more says whether there is another page
	if len(terms) > 0 {
		size = store.Page
	}
	page, err := pages(from, size)
	if err != nil {
		return nil, "", err
	}
	matches, err := matcher(ctx, s, page, terms)
	if err != nil {
		return nil, "", err
	}
	for _, c := range page {
		switch {
		case !matches(c):
		case len(list) == q.Limit:
			return list, conversation.Cursor(list[q.Limit-1]), nil
		default:
			list = append(list, c)
		}
	}
	if len(page) < size {
		return list, "", nil
	}
	return list, conversation.Cursor(page[len(page)-1]), nil
}

// matcher reports which of a page of conversations have all terms: in their title, or in
// one of their turns.
func matcher(ctx context.Context, s *Service, page []store.Conversation,
	terms []string) (func(store.Conversation) bool, error) {
	var others []string
	for _, c := range page {
		if !conversation.Titled(c, terms) {
			others = append(others, c.ID)
		}
	}
	if len(others) == 0 {
		return func(store.Conversation) bool { return true }, nil
	}
	said, err := s.cfg.Store.Said(ctx, others, terms)
	if err != nil {
		return nil, conversation.StoreError("search conversations", err)
	}
	return func(c store.Conversation) bool { return said[c.ID] || conversation.Titled(c, terms) }, nil
}

// Label changes the title of a principal's conversation, or whether it is archived, and
// returns its entry in a list. nil changes nothing; the title "" makes it the first
// message again.
//
// Errors: conversation.CodeNotFound, ingress.CodeEnvelope for a title that is too long,
// conversation.CodeStore.
func (d directory) Label(ctx context.Context, id, principal string, title *string,
	archived *bool) (conversation.Summary, error) {
	if title != nil {
		kept, ok := conversation.Title(*title)
		if !ok {
			return conversation.Summary{}, &ui.Error{Code: ingress.CodeEnvelope, Path: "/title",
				Message: fmt.Sprintf("a title has at most %d characters", conversation.MaxTitle)}
		}
		title = &kept
	}
	_, _, done, err := d.svc.admit(ctx, id, principal, conversation.Own)
	if err != nil {
		return conversation.Summary{}, err
	}
	done()
	err = d.svc.cfg.Store.Label(ctx, id, store.Label{Title: title, Archived: archived})
	if err != nil {
		return conversation.Summary{}, conversation.StoreError("label conversation", err)
	}
	return d.Summary(ctx, id, principal)
}

// Summary returns the entry of a principal's conversation in a list.
func (d directory) Summary(ctx context.Context, id, principal string) (conversation.Summary, error) {
	_, _, done, err := d.svc.admit(ctx, id, principal, conversation.Own)
	if err != nil {
		return conversation.Summary{}, err
	}
	done()
	head, err := d.svc.cfg.Store.Open(ctx, id)
	if err != nil {
		return conversation.Summary{}, conversation.StoreError("open conversation", err)
	}
	st, err := glance(ctx, d.svc, id)
	if err != nil {
		return conversation.Summary{}, err
	}
	return conversation.Summarize(head.Conversation, st), nil
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
