package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) PutShare(ctx context.Context, id string, sh store.Share) error {
	err := sh.Validate()
	if err == nil {
		err = s.addTo(ctx, id, `share (conv, id, holder, access, created, expires) SELECT id, $2, $3, $4, $5, $6`,
			text(sh.ID), text(sh.Holder), text(sh.Access), sh.Created.UnixMicro(), sh.Expires.UnixMicro())
	}
	return s.act(ctx, err, "put share of %q", id)
}

func (s *driver) Shares(ctx context.Context, id, holder string) ([]store.Share, error) {
	all, err := list(ctx, s, func(row pgx.CollectableRow) (sh store.Share, err error) {
		var created, expires int64
		err = row.Scan(name{&sh.ID}, name{&sh.Holder}, name{&sh.Access}, &created, &expires)
		sh.Created, sh.Expires = sqlstore.Instant(created), sqlstore.Instant(expires)
		return sh, err
	}, `SELECT id, holder, access, created, expires FROM share
		WHERE conv = $1 AND $2 IN ('', holder) ORDER BY created, id, holder`, text(id), text(holder))
	return all, s.act(ctx, err, "list shares of %q", id)
}

func (s *driver) Held(ctx context.Context, holder, access string, now time.Time) ([]store.Conversation, error) {
	all, err := list(ctx, s, func(row pgx.CollectableRow) (c store.Conversation, err error) {
		var created int64
		err = row.Scan(name{&c.ID}, &c.Log, name{&c.Owner}, &created, name{&c.Title}, name{&c.First}, &c.Archived)
		c.Created = sqlstore.Instant(created)
		return c, err
	}, `SELECT DISTINCT c.id, c.log, c.owner, c.created, c.title, c.first, c.archived
		FROM share s JOIN conv c ON c.id = s.conv WHERE s.holder = $1 AND s.access = $2 AND s.expires > $3
		ORDER BY c.created DESC, c.id DESC LIMIT $4`, text(holder), text(access), now.UnixMicro(), store.Page)
	return all, s.act(ctx, err, "list conversations")
}

func (s *driver) DropShare(ctx context.Context, id, share string) error {
	var n int64
	err := s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		tag, err := conn.Exec(ctx, `DELETE FROM share WHERE conv = $1 AND id = $2`, text(id), text(share))
		n = tag.RowsAffected()
		return err
	})
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	return s.act(ctx, err, "drop share of %q", id)
}
