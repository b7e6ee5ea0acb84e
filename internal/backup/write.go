package backup

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/limn-ui/limn/store"
)

// Count is how much a file holds.
type Count struct {
	At            time.Time // when it was made
	Conversations int
	Frames        int
	Records       int
}

// Source is a store of which a backup is made.
type Source interface {
	Export(ctx context.Context, each func(store.Dump) error) error
	ExportRecords(ctx context.Context, each func(versions []store.Record) error) error
}

// Write writes the contents of a to w: the conversations as of one moment, which is at,
// and the records as of the one when they are done. After each of them it calls counted,
// unless that is nil. The store can be used meanwhile.
func Write(ctx context.Context, w io.Writer, a Source, at time.Time, counted func(Count)) (Count, error) {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return Count{}, err
	}
	sum := sha256.New()
	out := io.MultiWriter(z, sum)
	n := Count{At: store.Time(at)}
	lines := 0
	write := func(l line) error {
		b, err := json.Marshal(l)
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		lines++
		_, err = out.Write(append(b, '\n'))
		return err
	}
	if err := write(line{Limn: &head{Version: version, At: moment(at)}}); err != nil {
		return n, err
	}
	err = a.Export(ctx, func(c store.Dump) error {
		for l := range linesOf(c) {
			if err := write(l); err != nil {
				return err
			}
		}
		n.Conversations++
		n.Frames += len(c.Frames)
		if counted != nil {
			counted(n)
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	err = a.ExportRecords(ctx, func(versions []store.Record) error {
		for _, v := range versions {
			if err := write(line{AppRecord: appRecordLine(v)}); err != nil {
				return err
			}
		}
		n.Records++
		if counted != nil {
			counted(n)
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	err = write(line{End: &end{Conversations: n.Conversations, Records: n.Records, Lines: lines,
		SHA256: hex.EncodeToString(sum.Sum(nil))}})
	if err != nil {
		return n, err
	}
	return n, z.Close()
}
