package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// FileVersion is the version of the format of a File.
const FileVersion = 1

// File is the log of a conversation for a bug report: what replays it on another machine.
// Its events do not say who sent them. Of a file that is redacted, values, words, and names and
// ids of users are hidden (redact.go); another may name operators and who typed into shared drafts.
type File struct {
	Version int       `json:"limn_report"`
	Program string    `json:"program"` // that made it
	Made    time.Time `json:"made"`
	App     Declared  `json:"app"`
	Redaction

	Conversation string                       `json:"conversation"`
	Log          string                       `json:"log"`
	Created      time.Time                    `json:"created"`
	Seq          uint64                       `json:"seq"`
	Floor        uint64                       `json:"floor"` // the frames begin after it, at the snapshot
	Snapshot     json.RawMessage              `json:"snapshot,omitempty"`
	Frames       []json.RawMessage            `json:"frames"`
	Traces       map[uint64]json.RawMessage   `json:"traces"`
	Events       []Recorded                   `json:"events"`
	Notes        map[string][]json.RawMessage `json:"notes"` // the journal, by event
	State        json.RawMessage              `json:"state"` // after the newest turn
}

// Redaction says which values a report hides.
type Redaction struct {
	Redacted bool     `json:"redacted"`       // the values of fields, and words
	Kept     []string `json:"kept,omitempty"` // names of fields whose values are left in
}

// Declared names an application and its declaration.
type Declared struct {
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"`
}

// Recorded is an event as the store keeps it.
type Recorded struct {
	ID     string          `json:"id"`
	At     time.Time       `json:"at"`
	Starts int             `json:"starts,omitempty"`
	Done   bool            `json:"done"`
	Seq    uint64          `json:"seq,omitempty"`
	Body   json.RawMessage `json:"body"`
}

// NewFile makes the file of a dump. With r, values and words are hidden. The members Program
// and Made are the caller's.
func (env Env) NewFile(d store.Dump, r *Redactor) (*File, error) {
	f := &File{Version: FileVersion, App: Declared{env.App.Config().Name, env.App.Fingerprint()},
		Redaction:    Redaction{Redacted: r != nil},
		Conversation: d.ID, Log: d.Log, Created: d.Created, Seq: d.Seq, Floor: d.Floor,
		Traces: map[uint64]json.RawMessage{}, Notes: map[string][]json.RawMessage{}}
	if r != nil {
		f.Kept = r.Keep
	}
	last := env.App.NewState(d.ID)
	if d.Seq > d.Floor {
		step, err := env.fold(d, d.Seq)
		if err != nil {
			return nil, err
		}
		last = step.After
	}
	whole, err := ui.Encode(last)
	if err != nil {
		return nil, err
	}
	if f.State, err = redacted(r, whole, ui.DecodeState); err != nil {
		return nil, err
	}
	for _, s := range d.Snapshots {
		if s.Seq == d.Floor {
			if f.Snapshot, err = redacted(r, s.Body, ui.DecodeState); err != nil {
				return nil, fmt.Errorf("snapshot at frame %d: %w", s.Seq, err)
			}
		}
	}
	for _, frame := range d.Frames {
		b, err := redacted(r, frame.Body, ui.DecodeFrame)
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", frame.Seq, err)
		}
		f.Frames = append(f.Frames, b)
	}
	for _, t := range d.Traces {
		if f.Traces[t.Seq], err = r.trace(t.Body); err != nil {
			return nil, fmt.Errorf("trace of frame %d: %w", t.Seq, err)
		}
	}
	return f, f.addEvents(d, r)
}

func (f *File) addEvents(d store.Dump, r *Redactor) error {
	for _, rec := range d.Events {
		e, err := ui.DecodeEvent(rec.Body)
		if err != nil {
			return fmt.Errorf("event %s: %w", rec.ID, err)
		}
		e = anonymous(*e)
		if r != nil {
			r.hide(e)
		}
		b, err := ui.Encode(e)
		if err != nil {
			return fmt.Errorf("event %s: %w", rec.ID, err)
		}
		f.Events = append(f.Events, Recorded{rec.ID, rec.At, rec.Starts, rec.Done, rec.Seq, b})
		for _, note := range d.Notes[rec.ID] {
			if note, err = r.note(note); err != nil {
				return fmt.Errorf("journal of event %s: %w", rec.ID, err)
			}
			f.Notes[rec.ID] = append(f.Notes[rec.ID], note)
		}
	}
	return nil
}

// Encode writes the file. The bytes of frames and traces stay as they are: their hashes count.
func (f *File) Encode() ([]byte, error) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	err := w.Encode(f)
	return b.Bytes(), err
}

// DecodeFile reads a file.
func DecodeFile(b []byte) (*File, error) {
	var f File
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("not a report: %w", err)
	}
	switch {
	case f.Version == 0:
		return nil, fmt.Errorf("not a report: it has no member limn_report")
	case f.Version > FileVersion:
		return nil, fmt.Errorf("the report has version %d, this program reads up to %d", f.Version, FileVersion)
	}
	return &f, nil
}

// Dump is the log of a file, as a store imports it.
func (f *File) Dump() (store.Dump, error) {
	d := store.Dump{Conversation: store.Conversation{ID: f.Conversation, Log: f.Log, Created: f.Created}, Seq: f.Seq,
		Floor: f.Floor, Notes: map[string][][]byte{}}
	if len(f.Snapshot) > 0 {
		d.Snapshots = []store.Frame{{Seq: f.Floor, Body: f.Snapshot}}
	}
	for i, b := range f.Frames {
		seq := f.Floor + 1 + uint64(i)
		d.Frames = append(d.Frames, store.Frame{Seq: seq, Body: b})
		if t, ok := f.Traces[seq]; ok {
			d.Traces = append(d.Traces, store.Frame{Seq: seq, Body: t})
		}
	}
	for _, e := range f.Events {
		d.Events = append(d.Events, store.Event{ID: e.ID, Hash: turntrace.Hash(e.Body), Body: e.Body, At: e.At,
			Starts: e.Starts, Done: e.Done, Seq: e.Seq})
		for _, note := range f.Notes[e.ID] {
			d.Notes[e.ID] = append(d.Notes[e.ID], note)
		}
	}
	d.Events = slices.Clip(d.Events)
	return d, d.Validate()
}
