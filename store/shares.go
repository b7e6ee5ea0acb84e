package store

import (
	"context"
	"fmt"
	"time"
)

// Shares keeps who besides its owner may use a conversation: links, and those who opened
// them. A Dump has none of them: a backup brings no revoked link back.
type Shares interface {
	// PutShare adds one. ErrInvalid if s does not validate, ErrNotFound if there is no such
	// conversation, ErrExists if the holder has that share.
	PutShare(ctx context.Context, id string, s Share) error
	// Shares lists those of a conversation that a holder has, with holder "" all, by
	// Created, ID and Holder. The caller bounds how many there are. Those that expired are
	// among them. Of a conversation that does not exist there are none.
	Shares(ctx context.Context, id, holder string) ([]Share, error)
	// Held lists the conversations in which a holder has a share with that access that ends
	// after now, newest first (by Created, then ID), at most Page.
	Held(ctx context.Context, holder, access string, now time.Time) ([]Conversation, error)
	// DropShare removes a share with all its holders. It returns ErrNotFound for an unknown one.
	DropShare(ctx context.Context, id, share string) error
}

// Share says what one holder may do in a conversation.
type Share struct {
	ID      string    // 1..128 bytes, the same for a link and those who opened it
	Holder  string    // a hash: of the link's token, or an owner as in Conversation; 1..128 bytes
	Access  string    // 1..128 bytes
	Created time.Time //
	Expires time.Time // it counts before that moment
}

// Validate reports, as ErrInvalid, what makes s unusable.
func (s Share) Validate() error {
	if err := checkID("share id", s.ID); err != nil {
		return err
	}
	if err := checkID("holder", s.Holder); err != nil {
		return err
	}
	if err := checkID("access", s.Access); err != nil {
		return err
	}
	if s.Expires.UnixMicro() <= s.Created.UnixMicro() {
		return fmt.Errorf("%w: a share that ends at %v and begins at %v", ErrInvalid, s.Expires, s.Created)
	}
	return nil
}
