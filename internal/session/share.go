package session

import (
	"context"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/share"
	"github.com/limn-ui/limn/ui"
)

// sharing lets others into the conversations of an owner, by links.
type sharing struct {
	svc   *Service
	links share.Links
}

// Share makes a link into a principal's conversation, see share.Links.Make.
//
// Errors: conversation.CodeNotFound, conversation.CodeOwnerOnly, and those of Make.
func (d sharing) Share(ctx context.Context, id, principal string, access conversation.Access,
	until time.Time) (link conversation.Link, token string, err error) {
	c, _, done, err := d.svc.openFor(ctx, id, principal, conversation.Own)
	if err != nil {
		return link, "", err
	}
	defer done()
	c.sharing.Lock()
	defer c.sharing.Unlock()
	return d.links.Make(ctx, id, access, until)
}

// Links lists the links into a principal's conversation, and the devices that opened one.
func (d sharing) Links(ctx context.Context, id, principal string) ([]conversation.Link, error) {
	_, _, done, err := d.svc.openFor(ctx, id, principal, conversation.Own)
	if err != nil {
		return nil, err
	}
	defer done()
	return d.links.List(ctx, id)
}

// Revoke ends a link for everybody who opened it. Their streams end.
//
// Errors: those of Share, conversation.CodeShareGone.
func (d sharing) Revoke(ctx context.Context, id, principal, link string) error {
	c, _, done, err := d.svc.openFor(ctx, id, principal, conversation.Own)
	if err != nil {
		return err
	}
	defer done()
	c.sharing.Lock()
	defer c.sharing.Unlock()
	if err := d.links.Drop(ctx, id, link); err != nil {
		return err
	}
	d.svc.cfg.Bus.Notify(id, c.head().Seq) // streams look who may still read
	return nil
}

// Invitation returns the rights that the link with a token gives.
//
// Errors: conversation.CodeShareGone, conversation.CodeStore.
func (d sharing) Invitation(ctx context.Context, id, token string) (conversation.Link, error) {
	return d.links.Invitation(ctx, id, token)
}

// Access returns the present rights of a principal in a conversation.
//
// Errors: conversation.CodeNotFound, conversation.CodeStore.
func (d sharing) Access(ctx context.Context, id, principal string) (conversation.Access, error) {
	_, g, done, err := d.svc.openFor(ctx, id, principal, conversation.Read)
	if err == nil {
		done()
	}
	return g.Access, err
}

// Join gives a principal with the token of a link the rights of the link, unless they have
// them as long already.
//
// Errors: conversation.CodeNotFound, conversation.CodeShareGone, recovery.CodeQuota,
// conversation.CodeStore.
func (d sharing) Join(ctx context.Context, id, token, principal string) (conversation.Access, error) {
	c, done, err := d.svc.open(ctx, id)
	if ui.CodeOf(err) == conversation.CodeNotFound {
		return "", share.Gone()
	}
	if err != nil {
		return "", err
	}
	defer done()
	c.sharing.Lock()
	defer c.sharing.Unlock()
	link, err := d.links.Invitation(ctx, id, token)
	if err != nil {
		return "", err
	}
	has, err := c.granted(ctx, principal)
	if err != nil || has.Outlasts(link) {
		return has.Access, err
	}
	return has.Access.Or(link.Access), d.links.Open(ctx, id, token, principal, link)
}
