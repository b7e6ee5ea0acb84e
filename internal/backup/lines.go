package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

// version of the files that this program writes, and the newest it reads.
const version = 2

// line is one line of the file; exactly one member is there, and names the kind of the line:
//
//	{"limn":{"version":2,"at":1772366400123456}}            first
//	{"conversation":{"id":…,"log":…,"owner":…,"seq":4,"floor":1,…}}
//	{"frame":{"seq":2,"body":…,"trace":…,"said":…}}         floor+1 … seq
//	{"snapshot":{"seq":2,"body":…}}
//	{"record":{"event":…,"notes":[…],…}}                    in order of arrival
//	{"job":{…}}
//	{"file":{…}}
//	{"conversation":…                                       and so on
//	{"app_record":{"name":…,"id":…,"version":1,…}}          ascending
//	{"app_record":{"name":…,"id":…,"version":2,"terms":[…],…}}
//	{"app_record":…                                         and so on
//	{"end":{"conversations":2,"records":2,"lines":18,"sha256":…}} last
//
// A record here is a received event; an app_record is a record that a form, table or map of
// the application saved. Version 1 of the format has no app_records. They are read after the
// conversations, at a later moment: one may be newer than its frame.
//
// Times are microseconds since 1970. Ids, names and bodies are any bytes: a string where they
// are UTF-8, else {"base64":…}.
type line struct {
	Limn         *head         `json:"limn,omitempty"`
	Conversation *conversation `json:"conversation,omitempty"`
	Frame        *frame        `json:"frame,omitempty"`
	Snapshot     *frame        `json:"snapshot,omitempty"`
	Record       *record       `json:"record,omitempty"`
	Job          *job          `json:"job,omitempty"`
	File         *file         `json:"file,omitempty"`
	AppRecord    *appRecord    `json:"app_record,omitempty"`
	End          *end          `json:"end,omitempty"`
}

type head struct {
	Version int    `json:"version"`
	At      micros `json:"at"`
}

type end struct {
	Conversations int    `json:"conversations"`
	Records       int    `json:"records,omitempty"`
	Lines         int    `json:"lines"`
	SHA256        string `json:"sha256"`
}

type conversation struct {
	ID      exact  `json:"id"`
	Log     exact  `json:"log"`
	Owner   exact  `json:"owner,omitempty"`
	Created micros `json:"created"`
	Seq     uint64 `json:"seq"`
	Floor   uint64 `json:"floor,omitempty"`

	Title    exact `json:"title,omitempty"`
	First    exact `json:"first,omitempty"`
	Archived bool  `json:"archived,omitempty"`
}

type frame struct {
	Seq   uint64 `json:"seq"`
	Body  exact  `json:"body"`
	Trace exact  `json:"trace,omitempty"`
	Said  exact  `json:"said,omitempty"`
}

type record struct {
	Event  exact   `json:"event"`
	Key    exact   `json:"key,omitempty"`
	Hash   exact   `json:"hash,omitempty"`
	Body   exact   `json:"body,omitempty"`
	At     micros  `json:"at"`
	Starts int     `json:"starts,omitempty"`
	Seq    uint64  `json:"seq,omitempty"` // of the frame that answers it; 0: it pends
	Answer exact   `json:"answer,omitempty"`
	Notes  []exact `json:"notes,omitempty"`
}

type job struct {
	ID    exact  `json:"id"`
	Event exact  `json:"event,omitempty"`
	Kind  exact  `json:"kind,omitempty"`
	Body  exact  `json:"body,omitempty"`
	Due   micros `json:"due"`
	Tries int    `json:"tries,omitempty"`
	Why   exact  `json:"why,omitempty"` // it is buried
}

type file struct {
	ID   exact  `json:"id"`
	Name exact  `json:"name,omitempty"`
	Type exact  `json:"type,omitempty"`
	At   micros `json:"at"`
	Body exact  `json:"body,omitempty"`
}

// appRecord is one version of a record. The lines of a record are together.
type appRecord struct {
	Name         exact  `json:"name"`
	ID           exact  `json:"id"`
	Version      uint64 `json:"version"`
	Owner        exact  `json:"owner,omitempty"`
	Created      micros `json:"created"`
	Author       exact  `json:"author,omitempty"`
	Conversation exact  `json:"conversation,omitempty"`
	Event        exact  `json:"event,omitempty"`
	At           micros `json:"at"`
	Body         exact  `json:"body"`
	Terms        []term `json:"terms,omitempty"` // of the newest version
}

type term struct {
	Field exact `json:"field"`
	Text  exact `json:"text"`
}

// micros is a moment, in microseconds since 1970.
type micros int64

func moment(t time.Time) micros  { return micros(t.UnixMicro()) }
func (m micros) time() time.Time { return sqlstore.Instant(int64(m)) }

// exact is any bytes, which JSON strings are not.
type exact []byte

// MarshalJSON writes a string where that says it all.
func (e exact) MarshalJSON() ([]byte, error) {
	if utf8.Valid(e) {
		return json.Marshal(string(e))
	}
	return json.Marshal(encoded{e})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *exact) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var s string
		err := json.Unmarshal(b, &s)
		*e = exact(s)
		return err
	}
	var in encoded
	if err := strict(b, &in); err != nil {
		return err
	}
	if in.Base64 == nil {
		return errors.New(`want a string or {"base64":…}`)
	}
	*e = in.Base64
	return nil
}

type encoded struct {
	Base64 []byte `json:"base64"`
}

// linesOf is a conversation line by line, its own first.
func linesOf(w store.Dump) iter.Seq[line] {
	return func(yield func(line) bool) {
		traces, said := sqlstore.BySeq(w.Traces), sqlstore.BySeq(w.Said)
		ok := yield(line{Conversation: &conversation{
			ID: exact(w.ID), Log: exact(w.Log), Owner: exact(w.Owner), Created: moment(w.Created), Seq: w.Seq,
			Floor: w.Floor, Title: exact(w.Title), First: exact(w.First), Archived: w.Archived,
		}})
		for _, f := range w.Frames {
			ok = ok && yield(line{Frame: &frame{Seq: f.Seq, Body: f.Body, Trace: traces[f.Seq],
				Said: said[f.Seq]}})
		}
		for _, s := range w.Snapshots {
			ok = ok && yield(line{Snapshot: &frame{Seq: s.Seq, Body: s.Body}})
		}
		for _, r := range w.Events {
			ok = ok && yield(line{Record: recordLine(r, w.Notes[r.ID])})
		}
		for _, j := range w.Jobs {
			ok = ok && yield(line{Job: &job{
				ID: exact(j.ID), Event: exact(j.Event), Kind: exact(j.Kind), Body: j.Body, Due: moment(j.Due),
				Tries: j.Tries, Why: exact(j.Why),
			}})
		}
		for _, b := range w.Blobs {
			ok = ok && yield(line{File: &file{ID: exact(b.ID), Name: exact(b.Name), Type: exact(b.Type),
				At: moment(b.At), Body: b.Body}})
		}
	}
}

func recordLine(r store.Event, notes [][]byte) *record {
	l := &record{
		Event: exact(r.ID), Key: exact(r.Key), Hash: exact(r.Hash), Body: r.Body, At: moment(r.At),
		Starts: r.Starts, Seq: r.Seq, Answer: r.Answer,
	}
	for _, n := range notes {
		l.Notes = append(l.Notes, n)
	}
	return l
}

func appRecordLine(v store.Record) *appRecord {
	l := &appRecord{
		Name: exact(v.Name), ID: exact(v.ID), Version: v.Version, Owner: exact(v.Owner), Created: moment(v.Created),
		Author: exact(v.Author), Conversation: exact(v.Conversation), Event: exact(v.Event),
		At: moment(v.At), Body: v.Body,
	}
	for _, t := range v.Terms {
		l.Terms = append(l.Terms, term{exact(t.Field), exact(t.Text)})
	}
	return l
}

func (l *appRecord) record() store.Record {
	v := store.Record{
		Name: string(l.Name), ID: string(l.ID), Version: l.Version, Owner: string(l.Owner), Created: l.Created.time(),
		Author: string(l.Author), Conversation: string(l.Conversation), Event: string(l.Event), At: l.At.time(),
		Body: l.Body,
	}
	for _, t := range l.Terms {
		v.Terms = append(v.Terms, store.Term{Field: string(t.Field), Text: string(t.Text)})
	}
	return v
}

// dump returns the conversation of a line, without its other lines.
func (c *conversation) dump() store.Dump {
	return store.Dump{
		Conversation: store.Conversation{ID: string(c.ID), Log: string(c.Log), Owner: string(c.Owner),
			Created: c.Created.time(), Title: string(c.Title), First: string(c.First), Archived: c.Archived},
		Seq: c.Seq, Floor: c.Floor, Notes: map[string][][]byte{},
	}
}

// add puts what another line says into w. Whether it fits, w.Validate says.
func (l line) add(w *store.Dump) {
	switch {
	case l.Frame != nil:
		w.Frames = append(w.Frames, store.Frame{Seq: l.Frame.Seq, Body: l.Frame.Body})
		if len(l.Frame.Trace) > 0 {
			w.Traces = append(w.Traces, store.Frame{Seq: l.Frame.Seq, Body: l.Frame.Trace})
		}
		if len(l.Frame.Said) > 0 {
			w.Said = append(w.Said, store.Frame{Seq: l.Frame.Seq, Body: l.Frame.Said})
		}
	case l.Snapshot != nil:
		w.Snapshots = append(w.Snapshots, store.Frame{Seq: l.Snapshot.Seq, Body: l.Snapshot.Body})
	case l.Record != nil:
		r := l.Record
		w.Events = append(w.Events, store.Event{
			ID: string(r.Event), Key: string(r.Key), Hash: string(r.Hash), Body: r.Body, At: r.At.time(),
			Starts: r.Starts, Done: r.Seq > 0, Seq: r.Seq, Answer: r.Answer,
		})
		for _, n := range r.Notes {
			w.Notes[string(r.Event)] = append(w.Notes[string(r.Event)], n)
		}
	case l.Job != nil:
		j := l.Job
		w.Jobs = append(w.Jobs, store.Job{
			Conversation: w.ID, ID: string(j.ID), Event: string(j.Event), Kind: string(j.Kind), Body: j.Body,
			Due: j.Due.time(), Tries: j.Tries, Why: string(j.Why),
		})
	case l.File != nil:
		f := l.File
		w.Blobs = append(w.Blobs, store.Blob{ID: string(f.ID), Name: string(f.Name), Type: string(f.Type), Body: f.Body,
			At: f.At.time()})
	}
}

// parse reads one line, which says exactly one thing.
func parse(b []byte) (l line, err error) {
	if err := strict(b, &l); err != nil {
		return l, err
	}
	n := 0
	for _, there := range []bool{
		l.Limn != nil, l.Conversation != nil, l.Frame != nil, l.Snapshot != nil,
		l.Record != nil, l.Job != nil, l.File != nil, l.AppRecord != nil, l.End != nil,
	} {
		if there {
			n++
		}
	}
	if n != 1 {
		return l, fmt.Errorf("it says %d things, want one", n)
	}
	return l, nil
}

// strict reads one JSON value and refuses unknown members: they may be part of the kept
// data.
func strict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == io.EOF || err == io.ErrUnexpectedEOF { // of the line, not of the file
		err = errors.New("unexpected end of JSON")
	}
	if err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}
