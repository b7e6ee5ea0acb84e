package store

import (
	"fmt"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
)

// maxID bounds conversation, event, blob and job ids and idempotency keys, in
// bytes. A key is scoped to its principal before it gets here, hence the room.
const (
	maxID  = 128
	maxKey = 512
)

// Validate reports, as ErrInvalid, what makes c unusable. Implementations call
// it before they write.
func (c Conversation) Validate() error {
	if err := checkID("conversation id", c.ID); err != nil {
		return err
	}
	if len(c.Log) != 16 {
		return fmt.Errorf("%w: log %q is not 16 hex characters", ErrInvalid, c.Log)
	}
	for _, b := range []byte(c.Log) {
		if (b < '0' || b > '9') && (b < 'a' || b > 'f') {
			return fmt.Errorf("%w: log %q is not lower-case hex", ErrInvalid, c.Log)
		}
	}
	return checkTitles(c.Title, c.First)
}

// Validate reports, as ErrInvalid, what makes l unusable.
func (l Label) Validate() error {
	if l.Title == nil {
		return nil
	}
	return checkTitles(*l.Title)
}

func checkTitles(titles ...string) error {
	for _, t := range titles {
		if len(t) > builtin.MaxTitle {
			return fmt.Errorf("%w: a title has %d bytes, limit %d", ErrInvalid, len(t), builtin.MaxTitle)
		}
	}
	return nil
}

// Validate reports, as ErrInvalid, what makes r unusable.
func (r Event) Validate() error {
	if err := checkID("event id", r.ID); err != nil {
		return err
	}
	if len(r.Key) > maxKey {
		return fmt.Errorf("%w: idempotency key has %d bytes, limit %d", ErrInvalid, len(r.Key), maxKey)
	}
	if r.Node != "" {
		return CheckLease(r.Node, r.TTL)
	}
	return nil
}

// CheckLease reports, as ErrInvalid, why node cannot have a lease for ttl.
func CheckLease(node string, ttl time.Duration) error {
	if err := checkID("node", node); err != nil {
		return err
	}
	if ttl < time.Microsecond {
		return fmt.Errorf("%w: a lease of %v for %s", ErrInvalid, ttl, node)
	}
	return nil
}

// Validate reports, as ErrInvalid, what makes c contradict itself.
func (c Commit) Validate() error {
	if len(c.Frame) == 0 {
		return fmt.Errorf("%w: empty frame", ErrInvalid)
	}
	if c.Record != nil {
		if err := c.Record.Validate(); err != nil {
			return err
		}
		if c.Event != "" && c.Event != c.Record.ID {
			return fmt.Errorf("%w: commit answers %q and records %q", ErrInvalid, c.Event, c.Record.ID)
		}
	}
	if len(c.Answer) > 0 && c.Event == "" && c.Record == nil {
		return fmt.Errorf("%w: answer to no event", ErrInvalid)
	}
	seen := make(map[string]bool, len(c.Outbox))
	for _, j := range c.Outbox {
		if err := checkID("job id", j.ID); err != nil {
			return err
		}
		if seen[j.ID] {
			return fmt.Errorf("%w: job %q twice in one commit", ErrInvalid, j.ID)
		}
		seen[j.ID] = true
	}
	for _, r := range c.Records {
		if err := r.Validate(); err != nil {
			return err
		}
	}
	if len(c.Said) > builtin.MaxSaid {
		return fmt.Errorf("%w: a frame says %d bytes, limit %d", ErrInvalid, len(c.Said), builtin.MaxSaid)
	}
	return checkTitles(c.First)
}

// CheckWhy reports, as ErrInvalid, an empty reason for Kill: the reason marks a job
// as a dead letter.
func CheckWhy(why string) error {
	if why == "" {
		return fmt.Errorf("%w: a job is killed for a reason, this one is empty", ErrInvalid)
	}
	return nil
}

// Validate reports, as ErrInvalid, what makes b unusable.
func (b Blob) Validate() error { return checkID("blob id", b.ID) }

func checkID(what, id string) error {
	if id == "" || len(id) > maxID {
		return fmt.Errorf("%w: %s has %d bytes, want 1 to %d", ErrInvalid, what, len(id), maxID)
	}
	return nil
}

// CheckHeads reports, as ErrInvalid, a question about too many conversations.
func CheckHeads(ids []string) error {
	if len(ids) > Page {
		return fmt.Errorf("%w: %d conversations asked at once, limit %d", ErrInvalid, len(ids), Page)
	}
	return nil
}

// Limit turns a caller's limit into the one to use: n within 1..Page, else Page.
func Limit(n int) int {
	if n < 1 || n > Page {
		return Page
	}
	return n
}

// Time turns t into the form in which a store returns it: UTC, to the microsecond, which is
// what SQL databases keep. Floors like time.UnixMicro, also before 1970.
func Time(t time.Time) time.Time { return time.UnixMicro(t.UnixMicro()).UTC() }
