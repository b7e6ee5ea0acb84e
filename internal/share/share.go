// Package share lets others into the conversations of an owner, by links.
//
// In: a conversation, and the token of a link or who opens it. Out: shares in the store.
// The token itself is not kept. Of two changes to one conversation the second begins
// after the first has ended: its caller, session, sees to that. A link that another node
// revokes meanwhile lets no one in.
package share

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ids"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Links are the links of all conversations.
type Links struct {
	Store store.Shares
	IDs   ids.Source
}

// Bounds of sharing.
const (
	MaxLinks    = 20                   // links and devices of a conversation
	MaxGuests   = 50                   // who open one link
	LinkTime    = 7 * 24 * time.Hour   // of a link that does not say how long it counts
	MaxLinkTime = 90 * 24 * time.Hour  // the longest
	DeviceLink  = 5 * time.Minute      // how long a link for a device of the owner can be opened
	DeviceTime  = 400 * 24 * time.Hour // how long the device that opened it stays, as a cookie does
)

// Make makes a link into a conversation that counts until then; a zero time is LinkTime
// from now. Only its token opens it. A link with the access Own is opened once, within
// DeviceLink.
//
// Errors: ingress.CodeEnvelope, recovery.CodeQuota, conversation.CodeStore.
func (l Links) Make(ctx context.Context, id string, access conversation.Access,
	until time.Time) (link conversation.Link, token string, err error) {
	now := l.IDs.Now().UTC()
	if until, err = linkUntil(access, now, until); err != nil {
		return link, "", err
	}
	if err := l.room(ctx, id, now); err != nil {
		return link, "", err
	}
	token = l.IDs.Token()
	s := store.Share{ID: l.IDs.Hex(8), Holder: conversation.LinkHolder(token), Access: string(access),
		Created: now, Expires: until}
	if err := l.Store.PutShare(ctx, id, s); err != nil {
		return link, "", conversation.StoreError("put share", err)
	}
	return conversation.Links([]store.Share{s}, now)[0], token, nil
}

// linkUntil checks how long a link is to count.
func linkUntil(access conversation.Access, now, until time.Time) (time.Time, error) {
	switch {
	case access == conversation.Own:
		return now.Add(DeviceLink), nil
	case access != conversation.Read && access != conversation.Write:
		return until, &ui.Error{Code: ingress.CodeEnvelope, Path: "/access", Message: "want read, write or own"}
	case until.IsZero():
		return now.Add(LinkTime), nil
	case !now.Before(until) || until.Sub(now) > MaxLinkTime:
		return until, &ui.Error{Code: ingress.CodeEnvelope, Path: "/expires",
			Message: fmt.Sprintf("want a time to come, at most %v from now", MaxLinkTime)}
	}
	return until.UTC(), nil
}

// room removes what has expired, and reports whether there are too many links.
func (l Links) room(ctx context.Context, id string, now time.Time) error {
	all, err := l.Store.Shares(ctx, id, "")
	if err != nil {
		return conversation.StoreError("list shares", err)
	}
	counts := map[string]bool{}
	for _, s := range all {
		counts[s.ID] = counts[s.ID] || now.Before(s.Expires)
	}
	open := 0
	for share, counted := range counts {
		if counted {
			open++
		} else if err := l.Store.DropShare(ctx, id, share); err != nil && !errors.Is(err, store.ErrNotFound) {
			return conversation.StoreError("drop share", err)
		}
	}
	if open >= MaxLinks {
		return &ui.Error{Code: recovery.CodeQuota, Hint: "revoke one that is not needed",
			Message: fmt.Sprintf("this conversation has %d links and devices, the most there may be", open)}
	}
	return nil
}

// List lists the links into a conversation, and the devices that opened one.
func (l Links) List(ctx context.Context, id string) ([]conversation.Link, error) {
	all, err := l.Store.Shares(ctx, id, "")
	if err != nil {
		return nil, conversation.StoreError("list shares", err)
	}
	return conversation.Links(all, l.IDs.Now()), nil
}

// Drop ends a link for everybody who opened it.
//
// Errors: conversation.CodeShareGone, conversation.CodeStore.
func (l Links) Drop(ctx context.Context, id, share string) error {
	err := l.Store.DropShare(ctx, id, share)
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrInvalid):
		return Gone()
	case err != nil:
		return conversation.StoreError("drop share", err)
	}
	return nil
}

// Gone is the error for a link that does not count.
func Gone() error {
	return &ui.Error{Code: conversation.CodeShareGone, Message: "there is no such link, or it does not count any more",
		Hint: "ask who sent it for a new one"}
}

// Invitation returns the rights that the link with a token gives.
//
// Errors: conversation.CodeShareGone, conversation.CodeStore.
func (l Links) Invitation(ctx context.Context, id, token string) (conversation.Link, error) {
	shares, err := l.Store.Shares(ctx, id, conversation.LinkHolder(token))
	if err != nil {
		return conversation.Link{}, conversation.StoreError("list shares", err)
	}
	if links := conversation.Links(shares, l.IDs.Now()); len(links) > 0 {
		return links[0], nil
	}
	return conversation.Link{}, Gone()
}

// Open gives a principal with the token of a link its rights.
//
// Errors: conversation.CodeShareGone, recovery.CodeQuota, conversation.CodeStore.
func (l Links) Open(ctx context.Context, id, token, principal string, link conversation.Link) error {
	now := l.IDs.Now().UTC()
	s := store.Share{ID: link.ID, Holder: conversation.Owner(principal), Access: string(link.Access), Created: now,
		Expires: link.Expires}
	if link.Access == conversation.Own {
		return l.addDevice(ctx, id, s)
	}
	return l.addGuest(ctx, id, token, s)
}

// addDevice uses the link of a device up: of several who open it one is let in.
func (l Links) addDevice(ctx context.Context, id string, s store.Share) error {
	if err := l.Drop(ctx, id, s.ID); err != nil {
		return err
	}
	s.Expires = s.Created.Add(DeviceTime)
	if err := l.Store.PutShare(ctx, id, s); err != nil {
		return conversation.StoreError("put share", err)
	}
	return nil
}

// addGuest lets a guest in. If another node revoked the link meanwhile they are out again.
func (l Links) addGuest(ctx context.Context, id, token string, s store.Share) error {
	all, err := l.Store.Shares(ctx, id, "")
	if err != nil {
		return conversation.StoreError("list shares", err)
	}
	guests := 0
	for _, other := range all {
		if other.ID == s.ID && !conversation.IsLink(other) {
			guests++
		}
	}
	if guests >= MaxGuests {
		return &ui.Error{Code: recovery.CodeQuota,
			Message: fmt.Sprintf("%d people opened this link, the most there may be", guests),
			Hint:    "ask who sent it for another link"}
	}
	if err := l.Store.PutShare(ctx, id, s); err != nil && !errors.Is(err, store.ErrExists) {
		return conversation.StoreError("put share", err)
	}
	if _, err = l.Invitation(ctx, id, token); ui.CodeOf(err) == conversation.CodeShareGone {
		_ = l.Drop(ctx, id, s.ID) // its guests alone are left, if any
	}
	return err
}
