// Package directory creates, lists, searches and names the conversations of an owner.
//
// In: a principal, and what to list. Out: summaries, newest first, by pages. The newest
// state of a conversation, and who may change it, are ports: session has both.
package directory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ids"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Directory is the directory of all conversations.
type Directory struct {
	Store interface {
		store.Conversations
		store.Retention
		store.Shares
	}
	Bus bus.Bus // wakes operators
	Now func() time.Time
	IDs ids.Source
	// State returns the newest state of a conversation.
	State func(ctx context.Context, id string) (*ui.State, error)
	// Own reports that a principal is not the owner of a conversation.
	Own   func(ctx context.Context, id, principal string) error
	App   *app.App                        // says which roles see the conversations of all owners
	Roles func(principal string) []string // of a principal; may be nil
}

// Create starts a conversation for a principal and returns its id, a UUIDv7. A
// principal is a name, of which the store keeps a hash as the owner (see
// conversation.Owner), or the id that Anonymous gives.
//
// Errors: conversation.CodeStore.
func (d Directory) Create(ctx context.Context, principal string) (string, error) {
	id := d.IDs.UUID()
	if err := d.create(ctx, principal, id); err != nil {
		return "", err
	}
	return id, nil
}

// CreateOnce is Create with an id that the caller makes, a UUID: a conversation that
// the principal has under it already stays as it is.
//
// Errors: conversation.CodeNotFound if the id is another's, conversation.CodeStore.
func (d Directory) CreateOnce(ctx context.Context, principal, id string) error {
	err := d.create(ctx, principal, id)
	if errors.Is(err, store.ErrExists) {
		return d.Own(ctx, id, principal)
	}
	return err
}

func (d Directory) create(ctx context.Context, principal, id string) error {
	err := d.Store.Create(ctx, store.Conversation{ID: id, Log: d.IDs.Hex(8), Owner: conversation.Owner(principal),
		Created: d.Now().UTC()})
	if err != nil {
		return &ui.Error{Code: conversation.CodeStore, Message: "the conversation could not be saved",
			Err: fmt.Errorf("create conversation: %w", err)}
	}
	return nil
}

// MaxSummaries is the most conversations that Conversations lists at a time: each
// that is not in the cache is read from the store.
const MaxSummaries = 50

// Owned lists the ids of a principal's conversations, newest first and without the
// archived ones, at most limit (store.Page at most).
func (d Directory) Owned(ctx context.Context, principal string, limit int) ([]string, error) {
	list, err := d.owned(ctx, principal, false, store.Conversation{}, limit)
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	return ids, err
}

// owned lists a page of the conversations that a principal has, on another device as well.
func (d Directory) owned(ctx context.Context, principal string, archived bool, after store.Conversation,
	limit int) ([]store.Conversation, error) {
	if principal == "" {
		return nil, nil
	}
	owner := conversation.Owner(principal)
	list, err := d.Store.Owned(ctx, owner, archived, after, limit)
	if err == nil && owner == principal { // known by a token: this may be the second device of an owner
		var held []store.Conversation
		held, err = d.Store.Held(ctx, owner, string(conversation.Own), d.Now())
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
func (d Directory) Conversations(ctx context.Context, principal, after string,
	limit int) (list []conversation.Summary, next string, err error) {
	return d.Find(ctx, principal, conversation.Listing{After: after, Limit: limit})
}

// Find lists a principal's conversations, the last created first. With the cursor next
// as q.After the list goes on; it is "" with the last page. A page can be short, since a
// search looks at store.Page conversations at most. A conversation that the
// store deleted meanwhile is left out; one that cannot be read has the entry of the store alone.
//
// Errors: ingress.CodeEnvelope for an invalid cursor, conversation.CodeStore.
func (d Directory) Find(ctx context.Context, principal string,
	q conversation.Listing) (list []conversation.Summary, next string, err error) {
	return d.find(ctx, q, func(after store.Conversation, limit int) ([]store.Conversation, error) {
		return d.owned(ctx, principal, q.Archived, after, limit)
	})
}

// pageFunc lists conversations after one, at most limit.
type pageFunc func(after store.Conversation, limit int) ([]store.Conversation, error)

func (d Directory) find(ctx context.Context, q conversation.Listing, page pageFunc) (list []conversation.Summary,
	next string, err error) {
	if q.Limit < 1 || q.Limit > MaxSummaries {
		q.Limit = MaxSummaries
	}
	found, next, err := d.found(ctx, q, page)
	if err != nil {
		return nil, "", err
	}
	list = make([]conversation.Summary, 0, len(found))
	for _, c := range found {
		st, err := d.State(ctx, c.ID)
		switch {
		case ui.CodeOf(err) == conversation.CodeNotFound: // deleted meanwhile
			continue
		case errors.Is(err, conversation.ErrDamaged): // the store knows when it was made, and whose it is
			st = ui.NewState(c.ID)
		case err != nil:
			return nil, "", err
		}
		list = append(list, conversation.Summarize(c, st))
	}
	return list, next, nil
}

// found returns a page of a listing, and where the next one begins.
func (d Directory) found(ctx context.Context, q conversation.Listing, pages pageFunc) (list []store.Conversation,
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
	matches, err := d.matcher(ctx, page, terms)
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
func (d Directory) matcher(ctx context.Context, page []store.Conversation,
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
	said, err := d.Store.Said(ctx, others, terms)
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
func (d Directory) Label(ctx context.Context, id, principal string, title *string,
	archived *bool) (conversation.Summary, error) {
	if title != nil {
		kept, ok := conversation.Title(*title)
		if !ok {
			return conversation.Summary{}, &ui.Error{Code: ingress.CodeEnvelope, Path: "/title",
				Message: fmt.Sprintf("a title has at most %d characters", conversation.MaxTitle)}
		}
		title = &kept
	}
	if err := d.Own(ctx, id, principal); err != nil {
		return conversation.Summary{}, err
	}
	err := d.Store.Label(ctx, id, store.Label{Title: title, Archived: archived})
	if err != nil {
		return conversation.Summary{}, conversation.StoreError("label conversation", err)
	}
	return d.Summary(ctx, id, principal)
}

// Summary returns the entry of a principal's conversation in a list.
func (d Directory) Summary(ctx context.Context, id, principal string) (conversation.Summary, error) {
	if err := d.Own(ctx, id, principal); err != nil {
		return conversation.Summary{}, err
	}
	head, err := d.Store.Open(ctx, id)
	if err != nil {
		return conversation.Summary{}, conversation.StoreError("open conversation", err)
	}
	st, err := d.State(ctx, id)
	if err != nil {
		return conversation.Summary{}, err
	}
	return conversation.Summarize(head.Conversation, st), nil
}

// Usage sums up the stored data of a principal.
func (d Directory) Usage(ctx context.Context, principal string) (store.Usage, error) {
	used, err := d.Store.Usage(ctx, conversation.Owner(principal))
	if err != nil {
		return used, conversation.StoreError("sum up what is kept", err)
	}
	return used, nil
}
