package sqlite

import (
	"context"

	"github.com/limn-ui/limn/store"
)

// PutBlob implements store.Blobs.
func (s *Store) PutBlob(ctx context.Context, id string, b store.Blob) error {
	err := b.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error {
			conv, err := t.conv(id)
			if err != nil {
				return err
			}
			return t.blob(conv.n, b)
		})
	}
	return s.act(err, "put blob %q", b.ID)
}

func (t *txn) blob(conv int64, b store.Blob) error {
	return t.insert(`INSERT INTO blob (conv, id, name, type, at, body) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, conv, b.ID, b.Name, b.Type, b.At.UnixMicro(), bytes(b.Body))
}

// Blob implements store.Blobs.
func (s *Store) Blob(ctx context.Context, id, blob string) (store.Blob, error) {
	b := store.Blob{ID: blob}
	err := s.read(func(q querier) error {
		var at int64
		err := q.QueryRowContext(ctx, `SELECT b.name, b.type, b.at, b.body FROM conv c
			JOIN blob b ON b.conv = c.n AND b.id = ? WHERE c.id = ?`, blob, id).
			Scan(&b.Name, &b.Type, &at, &b.Body)
		b.At = instant(at)
		return err
	})
	if err != nil {
		return store.Blob{}, s.act(err, "read blob %q", blob)
	}
	return b, nil
}
