package conversation

import (
	"strings"
	"time"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Access names the rights of a principal in a conversation; each includes those before it.
type Access string

// The kinds of access.
const (
	Read  Access = "read"
	Write Access = "write"
	Own   Access = "own" // all that the owner may do
)

// Codes of shared conversations.
const (
	CodeReadOnly  ui.Code = "SHARE_READ_ONLY"
	CodeOwnerOnly ui.Code = "SHARE_OWNER_ONLY"
	CodeShareGone ui.Code = "SHARE_NOT_FOUND"
)

// Covers reports whether a allows what requires need.
func (a Access) Covers(need Access) bool { return a.rank() >= need.rank() }

// Or returns the one of both that includes the other.
func (a Access) Or(b Access) Access {
	if a.Covers(b) {
		return a
	}
	return b
}

func (a Access) rank() int {
	switch a {
	case Read:
		return 1
	case Write:
		return 2
	case Own:
		return 3
	}
	return 0
}

// ErrNotFound is the error for a conversation that is not there, or not for whom it is asked.
func ErrNotFound() error { return &ui.Error{Code: CodeNotFound, Message: "no such conversation"} }

// Check returns the error if a does not allow what requires need.
func (a Access) Check(need Access) error {
	switch {
	case a.Covers(need):
		return nil
	case a.rank() == 0:
		return ErrNotFound()
	case need == Own:
		return &ui.Error{Code: CodeOwnerOnly, Message: "only the owner of a conversation may do this"}
	}
	return &ui.Error{Code: CodeReadOnly, Message: "the link that you opened is for reading",
		Hint: "ask the owner for a link that also lets you write"}
}

// Grant is the access of one principal.
type Grant struct {
	Access   Access
	Until    time.Time // zero: it does not end, because it is the owner's or an operator's
	Operator bool      // may attend the conversation, which is of another

	ends [4]time.Time // when the last share with an access of this rank or above ends
}

// Guest reports who may lose the access: all but the owner.
func (g Grant) Guest() bool { return g.Access != Own || !g.Until.IsZero() }

// Best returns the most that shares of one holder grant now.
func Best(shares []store.Share, now time.Time) (g Grant) {
	for _, s := range shares {
		if !now.Before(s.Expires) {
			continue
		}
		access := Access(s.Access)
		if more := access.rank() - g.Access.rank(); more > 0 || more == 0 && s.Expires.After(g.Until) {
			g.Access, g.Until = access, s.Expires
		}
		for i := range access.rank() + 1 {
			if s.Expires.After(g.ends[i]) {
				g.ends[i] = s.Expires
			}
		}
	}
	return g
}

// Link is a way into a conversation that its owner can revoke.
type Link struct {
	ID      string    `json:"id"`
	Access  Access    `json:"access"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Opened  int       `json:"opened"` // by how many
}

// Outlasts reports whether g gives all that a link gives, for as long.
func (g Grant) Outlasts(l Link) bool {
	return g.Access.Covers(l.Access) && (g.Until.IsZero() || !g.ends[l.Access.rank()].Before(l.Expires))
}

// Links lists the shares that count now, each with how many opened it.
func Links(shares []store.Share, now time.Time) []Link {
	list, at := []Link{}, map[string]int{}
	for _, s := range shares {
		if !now.Before(s.Expires) {
			continue
		}
		i, there := at[s.ID]
		if !there {
			i, at[s.ID] = len(list), len(list)
			list = append(list, Link{ID: s.ID, Access: Access(s.Access), Created: s.Created, Expires: s.Expires})
		}
		if !IsLink(s) {
			list[i].Opened++
		}
	}
	return list
}

// LinkHolder returns the hash of a link's token, which the store keeps.
func LinkHolder(token string) string { return digest(linked, "limn-share", token) }

// IsLink reports whether a share is the link itself, and not who opened it.
func IsLink(s store.Share) bool { return strings.HasPrefix(s.Holder, linked) }

// Sender returns how a trace names who sent an event, if that is not the owner: a hash of
// their name, or "guest".
func Sender(principal, owner string) string {
	switch {
	case principal == "" || principal == owner:
		return ""
	case strings.HasPrefix(principal, named):
		return principal
	}
	return "guest"
}
