package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Append(ctx context.Context, id string, c store.Commit) error {
	err := c.Validate()
	switch {
	case err != nil:
	case len(c.Records) > 0:
		err = s.appendWith(ctx, id, c)
	default:
		err = s.append(ctx, id, c)
	}
	return s.act(ctx, err, "append frame %d to %q", c.Expect+1, id)
}

func (s *driver) append(ctx context.Context, id string, c store.Commit) error {
	var seq int64
	p := partsOf(c)
	done, err := s.write(ctx, id, appends[p], p.args(id, c), &seq)
	if err != nil || done {
		return err
	}
	return s.refusal(ctx, id, c)
}

// parts says what an append consists of besides its frame.
type parts int

const (
	withRecord   parts = 1 << iota // records and answers an event
	withEvent                      // answers a recorded event
	withSnapshot                   //
	withOutbox                     //
	withFirst                      // says how the first message begins
	combinations
)

func partsOf(c store.Commit) (p parts) {
	switch {
	case c.Record != nil:
		p |= withRecord
	case c.Event != "":
		p |= withEvent
	}
	if len(c.Snapshot) > 0 {
		p |= withSnapshot
	}
	if len(c.Outbox) > 0 {
		p |= withOutbox
	}
	if c.First != "" {
		p |= withFirst
	}
	return p
}

// appends are the statements of Append, by parts.
var appends = func() (list [combinations]string) {
	for p := range combinations {
		list[p] = p.sql()
	}
	return list
}()

// sql writes the one statement that compares the head and appends. It moves the head from
// the expected number to the next, unless another node has leased the turn or the event, or
// the event or its key is known, and adds frame, record, answer, snapshot, trace and jobs.
// It returns one row if it did, and none, with nothing written, if anything prevented it;
// refusal then looks for the reason.
//
// The row of conv is the gate. Should another transaction change it meanwhile, its
// conditions are looked at again; all else they ask for changes only together with
// its seq, but the record of an event, which is locked first. The row is small, has room on
// its page (fillfactor), and no index holds what changes in it, so that the update stays
// within the page (HOT).
func (p parts) sql() string {
	var lock, set, gate, then string
	if p&withRecord != 0 {
		gate += `
			AND NOT EXISTS (SELECT FROM record WHERE conv = @id AND event = @event)
			AND NOT EXISTS (SELECT FROM record WHERE conv = @id AND key = @key AND key <> '')`
		then += `, records AS (
			INSERT INTO record (conv, event, key, hash, at, body, answer, seq)
			SELECT @id, @event, @key, @hash, @at, @body, @answer, seq FROM head)`
	}
	if p&withEvent != 0 {
		lock = `pending AS (
			SELECT FROM record WHERE conv = @id AND event = @event AND seq = 0
			AND (until IS NULL OR node = @node OR until <= clock_timestamp()) FOR NO KEY UPDATE), `
		gate += `
			AND EXISTS (SELECT FROM pending)`
		then += `, answers AS (
			UPDATE record SET seq = head.seq, answer = @answer FROM head WHERE conv = @id AND event = @event)`
	}
	if p&withSnapshot != 0 {
		then += `, snapshots AS (
			INSERT INTO snapshot (conv, seq, body) SELECT @id, seq, @state FROM head)
		, older AS ( -- than the newest but this one
			DELETE FROM snapshot USING head WHERE conv = @id
			AND snapshot.seq < (SELECT max(seq) FROM snapshot WHERE conv = @id))`
	}
	if p&withOutbox != 0 {
		gate += `
			AND NOT EXISTS (SELECT FROM job WHERE conv = @id AND id = ANY (@jobIDs))`
		then += `, outbox AS (
			INSERT INTO job (conv, id, event, kind, due, body)
			SELECT @id, j.* FROM head, unnest(@jobIDs, @jobEvents, @jobKinds, @jobDues, @jobBodies) j)`
	}
	if p&withFirst != 0 {
		set = `, first = CASE first WHEN '' THEN @first ELSE first END`
	}
	var numbers []string
	for i, a := range p.arguments("", store.Commit{Record: &store.Event{}}) {
		numbers = append(numbers, a.name, "$"+strconv.Itoa(i+1)+a.cast)
	}
	return strings.NewReplacer(numbers...).Replace(`WITH ` + lock + `head AS (
			UPDATE conv SET seq = seq + 1` + set + ` WHERE id = @id AND seq = @expect
			AND (until IS NULL OR node = @node OR until <= clock_timestamp())
			AND (@token = 0 OR (node = @node AND token = @token AND until > clock_timestamp()))` + gate + `
			RETURNING seq)
		, frames AS (
			INSERT INTO frame (conv, seq, body, trace, said) SELECT @id, seq, @frame, @trace, @said FROM head)` + then + `
		SELECT seq FROM head`)
}

// argument is one argument of an append.
type argument struct {
	name  string
	cast  string // to the type that PostgreSQL does not see by itself
	value any
}

// arguments lists what sql names, in the order of its numbers.
func (p parts) arguments(id string, c store.Commit) []argument {
	list := []argument{{"@id", "::text", text(id)}, {"@expect", "", sqlstore.Integer(c.Expect)},
		{"@node", "", text(c.Node)}, {"@token", "::bigint", sqlstore.Integer(c.Token)}, {"@frame", "::bytea", c.Frame},
		{"@trace", "::bytea", sqlstore.OrNull(c.Trace)}, {"@said", "::bytea", sqlstore.OrNull(c.Said)}}
	if p&withRecord != 0 {
		r := c.Record
		list = append(list, argument{"@event", "::text", text(r.ID)}, argument{"@key", "::text", text(r.Key)},
			argument{"@hash", "::text", text(r.Hash)}, argument{"@at", "::bigint", r.At.UnixMicro()},
			argument{"@body", "::bytea", sqlstore.NotNull(r.Body)})
	}
	if p&withEvent != 0 {
		list = append(list, argument{"@event", "::text", text(c.Event)})
	}
	if p&(withRecord|withEvent) != 0 {
		list = append(list, argument{"@answer", "::bytea", sqlstore.NotNull(c.Answer)})
	}
	if p&withSnapshot != 0 {
		list = append(list, argument{"@state", "::bytea", c.Snapshot})
	}
	if p&withOutbox != 0 {
		ids, events, kinds, dues, bodies := columns(c.Outbox)
		list = append(list, argument{"@jobIDs", "::text[]", ids}, argument{"@jobEvents", "::text[]", events},
			argument{"@jobKinds", "::text[]", kinds}, argument{"@jobDues", "::bigint[]", dues},
			argument{"@jobBodies", "::bytea[]", bodies})
	}
	if p&withFirst != 0 {
		list = append(list, argument{"@first", "::text", text(c.First)})
	}
	return list
}

// args are the values of the arguments.
func (p parts) args(id string, c store.Commit) (values []any) {
	for _, a := range p.arguments(id, c) {
		values = append(values, a.value)
	}
	return values
}

// columns are the jobs as arrays.
func columns(jobs []store.Job) (ids, events, kinds []string, dues []int64, bodies [][]byte) {
	for _, j := range jobs {
		ids, events, kinds = append(ids, text(j.ID)), append(events, text(j.Event)), append(kinds, text(j.Kind))
		dues, bodies = append(dues, j.Due.UnixMicro()), append(bodies, sqlstore.NotNull(j.Body))
	}
	return ids, events, kinds, dues, bodies
}

// refusal says in the port's words why an append wrote nothing. It looks later than
// the append did, so a cause that is gone by now counts as a conflict.
func (s *driver) refusal(ctx context.Context, id string, c store.Commit) error {
	event, key := c.Event, ""
	if c.Record != nil {
		event, key = c.Record.ID, c.Record.Key
	}
	jobs, _, _, _, _ := columns(c.Outbox)
	var seq int64
	var known, leased, queued bool
	var answered *bool
	err := s.row(ctx, `SELECT c.seq,
			EXISTS (SELECT FROM record WHERE conv = c.id AND (event = $2 OR (key = $3 AND key <> ''))),
			(SELECT r.seq > 0 FROM record r WHERE r.conv = c.id AND r.event = $2),
			(c.until > clock_timestamp() AND c.node <> $4) IS TRUE
				OR ($5 <> 0 AND (c.node = $4 AND c.token = $5 AND c.until > clock_timestamp()) IS NOT TRUE)
				OR EXISTS (SELECT FROM record
					WHERE conv = c.id AND event = $2 AND node <> $4 AND until > clock_timestamp()),
			EXISTS (SELECT FROM job WHERE conv = c.id AND id = ANY ($6))
		FROM conv c WHERE c.id = $1`,
		[]any{text(id), text(event), text(key), text(c.Node), sqlstore.Integer(c.Token), jobs},
		&seq, &known, &answered, &leased, &queued)
	switch {
	case err != nil:
		return err
	case c.Record != nil && known:
		return store.ErrExists
	case seq != sqlstore.Integer(c.Expect):
		return store.ErrConflict
	case c.Record == nil && event != "" && answered == nil:
		return fmt.Errorf("event %q: %w", event, store.ErrNotFound)
	case c.Record == nil && event != "" && *answered:
		return fmt.Errorf("event %q is answered: %w", event, store.ErrConflict)
	case leased:
		return store.ErrLeased
	case queued:
		return fmt.Errorf("%w: a job is still queued, or is a dead letter", store.ErrInvalid)
	}
	return store.ErrConflict
}
