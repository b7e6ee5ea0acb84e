package sqlite

import (
	"context"
	"time"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) PutShare(ctx context.Context, id string, sh store.Share) error {
	err := sh.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			conv, err := t.conv(id)
			if err != nil {
				return err
			}
			return t.insert(`INSERT INTO share (conv, id, holder, access, created, expires) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT DO NOTHING`, conv.n, sh.ID, sh.Holder, sh.Access, sh.Created.UnixMicro(),
				sh.Expires.UnixMicro())
		})
	}
	return s.act(err, "put share of %q", id)
}

func (s *driver) Shares(ctx context.Context, id, holder string) ([]store.Share, error) {
	all, err := list(ctx, s, func(scan func(...any) error) (sh store.Share, err error) {
		var created, expires int64
		err = scan(&sh.ID, &sh.Holder, &sh.Access, &created, &expires)
		sh.Created, sh.Expires = sqlstore.Instant(created), sqlstore.Instant(expires)
		return sh, err
	}, `SELECT s.id, s.holder, s.access, s.created, s.expires FROM conv c JOIN share s ON s.conv = c.n
		WHERE c.id = ? AND ? IN ('', s.holder) ORDER BY s.created, s.id, s.holder`, id, holder)
	return all, s.act(err, "list shares of %q", id)
}

func (s *driver) Held(ctx context.Context, holder, access string, now time.Time) ([]store.Conversation, error) {
	all, err := list(ctx, s, func(scan func(...any) error) (c store.Conversation, err error) {
		var created int64
		err = scan(&c.ID, &c.Log, &c.Owner, &created, &c.Title, &c.First, &c.Archived)
		c.Created = sqlstore.Instant(created)
		return c, err
	}, `SELECT DISTINCT c.id, c.log, c.owner, c.created, c.title, c.first, c.archived
		FROM share s JOIN conv c ON c.n = s.conv WHERE s.holder = ? AND s.access = ? AND s.expires > ?
		ORDER BY c.created DESC, c.id DESC LIMIT ?`, holder, access, now.UnixMicro(), store.Page)
	return all, s.act(err, "list conversations")
}

func (s *driver) DropShare(ctx context.Context, id, share string) error {
	err := s.writer.do(ctx, func(t *txn) error {
		n, err := t.changed(`DELETE FROM share WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ?`, id, share)
		if err == nil && n == 0 {
			return store.ErrNotFound
		}
		return err
	})
	return s.act(err, "drop share of %q", id)
}
