package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// sharing lets others into the conversations of an owner, by links.
type sharing struct{ svc *Service }

// Bounds of sharing.
const (
	MaxShares    = 20                   // links and devices of a conversation
	MaxGuests    = 50                   // who open one link
	ShareTime    = 7 * 24 * time.Hour   // of a link that does not say how long it counts
	MaxShareTime = 90 * 24 * time.Hour  // the longest
	DeviceLink   = 5 * time.Minute      // how long a link for a device of the owner can be opened
	DeviceTime   = 400 * 24 * time.Hour // how long the device that opened it stays, as a cookie does
)

// Share makes a link into a principal's conversation that counts until then; a zero time
// is ShareTime from now. Only its token opens it, which is not kept. A link with the access
// Own is opened once, within DeviceLink.
//
// Errors: conversation.CodeNotFound, conversation.CodeOwnerOnly, ingress.CodeEnvelope,
// recovery.CodeQuota, conversation.CodeStore.
func (d sharing) Share(ctx context.Context, id, principal string, access conversation.Access,
	until time.Time) (link conversation.Link, token string, err error) {
	c, _, done, err := d.svc.admit(ctx, id, principal, conversation.Own)
	if err != nil {
		return link, "", err
	}
	defer done()
	now := d.svc.cfg.Now().UTC()
	if until, err = shareUntil(access, now, until); err != nil {
		return link, "", err
	}
	c.sharing.Lock()
	defer c.sharing.Unlock()
	if err := c.roomForLink(ctx, now); err != nil {
		return link, "", err
	}
	token = d.svc.ids.Token()
	s := store.Share{ID: d.svc.ids.Hex(8), Holder: conversation.LinkHolder(token), Access: string(access),
		Created: now, Expires: until}
	if err := d.svc.cfg.Store.PutShare(ctx, id, s); err != nil {
		return link, "", conversation.StoreError("put share", err)
	}
	return conversation.Links([]store.Share{s}, now)[0], token, nil
}

// shareUntil checks how long a link is to count.
func shareUntil(access conversation.Access, now, until time.Time) (time.Time, error) {
	switch {
	case access == conversation.Own:
		return now.Add(DeviceLink), nil
	case access != conversation.Read && access != conversation.Write:
		return until, &ui.Error{Code: ingress.CodeEnvelope, Path: "/access", Message: "want read, write or own"}
	case until.IsZero():
		return now.Add(ShareTime), nil
	case !now.Before(until) || until.Sub(now) > MaxShareTime:
		return until, &ui.Error{Code: ingress.CodeEnvelope, Path: "/expires",
			Message: fmt.Sprintf("want a time to come, at most %v from now", MaxShareTime)}
	}
	return until.UTC(), nil
}

// roomForLink removes what has expired, and reports whether there are too many links.
func (c *mailbox) roomForLink(ctx context.Context, now time.Time) error {
	db := c.svc.cfg.Store
	all, err := db.Shares(ctx, c.info.ID, "")
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
		} else if err := db.DropShare(ctx, c.info.ID, share); err != nil && !errors.Is(err, store.ErrNotFound) {
			return conversation.StoreError("drop share", err)
		}
	}
	if open >= MaxShares {
		return &ui.Error{Code: recovery.CodeQuota, Hint: "revoke one that is not needed",
			Message: fmt.Sprintf("this conversation has %d links and devices, the most there may be", open)}
	}
	return nil
}

// Links lists the links into a principal's conversation, and the devices that opened one.
func (d sharing) Links(ctx context.Context, id, principal string) ([]conversation.Link, error) {
	c, _, done, err := d.svc.admit(ctx, id, principal, conversation.Own)
	if err != nil {
		return nil, err
	}
	defer done()
	all, err := d.svc.cfg.Store.Shares(ctx, c.info.ID, "")
	if err != nil {
		return nil, conversation.StoreError("list shares", err)
	}
	return conversation.Links(all, d.svc.cfg.Now()), nil
}

// Revoke ends a link for everybody who opened it. Their streams end.
//
// Errors: those of Share, conversation.CodeShareGone.
func (d sharing) Revoke(ctx context.Context, id, principal, share string) error {
	c, _, done, err := d.svc.admit(ctx, id, principal, conversation.Own)
	if err != nil {
		return err
	}
	defer done()
	c.sharing.Lock()
	defer c.sharing.Unlock()
	if err := d.drop(ctx, id, share); err != nil {
		return err
	}
	d.svc.cfg.Bus.Notify(id, c.head().Seq) // streams look who may still read
	return nil
}

func (d sharing) drop(ctx context.Context, id, share string) error {
	err := d.svc.cfg.Store.DropShare(ctx, id, share)
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrInvalid):
		return errShareGone()
	case err != nil:
		return conversation.StoreError("drop share", err)
	}
	return nil
}

func errShareGone() error {
	return &ui.Error{Code: conversation.CodeShareGone, Message: "there is no such link, or it does not count any more",
		Hint: "ask who sent it for a new one"}
}

// Invitation returns the rights that the link with a token gives.
//
// Errors: conversation.CodeShareGone, conversation.CodeStore.
func (d sharing) Invitation(ctx context.Context, id, token string) (conversation.Link, error) {
	shares, err := d.svc.cfg.Store.Shares(ctx, id, conversation.LinkHolder(token))
	if err != nil {
		return conversation.Link{}, conversation.StoreError("list shares", err)
	}
	if links := conversation.Links(shares, d.svc.cfg.Now()); len(links) > 0 {
		return links[0], nil
	}
	return conversation.Link{}, errShareGone()
}

// Access returns the present rights of a principal in a conversation.
//
// Errors: conversation.CodeNotFound, conversation.CodeStore.
func (d sharing) Access(ctx context.Context, id, principal string) (conversation.Access, error) {
	_, g, done, err := d.svc.admit(ctx, id, principal, conversation.Read)
	if err == nil {
		done()
	}
	return g.Access, err
}

// Join lets a principal in who has the token of a link. Who may as much already is not
// let in twice.
//
// Errors: conversation.CodeNotFound, conversation.CodeShareGone, recovery.CodeQuota,
// conversation.CodeStore.
func (d sharing) Join(ctx context.Context, id, token, principal string) (conversation.Access, error) {
	c, done, err := d.svc.open(ctx, id)
	if ui.CodeOf(err) == conversation.CodeNotFound {
		return "", errShareGone()
	}
	if err != nil {
		return "", err
	}
	defer done()
	c.sharing.Lock()
	defer c.sharing.Unlock()
	link, err := d.Invitation(ctx, id, token)
	if err != nil {
		return "", err
	}
	has, err := c.granted(ctx, principal)
	if err != nil || has.Access.Covers(link.Access) {
		return has.Access, err
	}
	now := d.svc.cfg.Now().UTC()
	s := store.Share{ID: link.ID, Holder: conversation.Owner(principal), Access: string(link.Access), Created: now,
		Expires: link.Expires}
	if link.Access == conversation.Own {
		return link.Access, d.addDevice(ctx, id, s)
	}
	return link.Access, d.addGuest(ctx, id, token, s)
}

// addDevice uses the link of a device up: of several who open it one is let in.
func (d sharing) addDevice(ctx context.Context, id string, s store.Share) error {
	if err := d.drop(ctx, id, s.ID); err != nil {
		return err
	}
	s.Expires = s.Created.Add(DeviceTime)
	if err := d.svc.cfg.Store.PutShare(ctx, id, s); err != nil {
		return conversation.StoreError("put share", err)
	}
	return nil
}

// addGuest lets a guest in. If another node revoked the link meanwhile they are out again.
func (d sharing) addGuest(ctx context.Context, id, token string, s store.Share) error {
	all, err := d.svc.cfg.Store.Shares(ctx, id, "")
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
		return &ui.Error{Code: recovery.CodeQuota, Message: fmt.Sprintf("%d people opened this link, the most there may be",
			guests), Hint: "ask who sent it for another link"}
	}
	if err := d.svc.cfg.Store.PutShare(ctx, id, s); err != nil && !errors.Is(err, store.ErrExists) {
		return conversation.StoreError("put share", err)
	}
	if _, err = d.Invitation(ctx, id, token); ui.CodeOf(err) == conversation.CodeShareGone {
		_ = d.drop(ctx, id, s.ID) // its guests alone are left, if any
	}
	return err
}
