package backup

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/limn-ui/limn/store"
)

// maxLine bounds one line, in bytes: one frame, event or file. It is there for
// files that are no backups.
const maxLine = 1 << 30

// maxFirst bounds the first line, so that a file that is no backup ends there.
const maxFirst = 64 << 10

// ErrNewer: the file was made by a newer program.
var ErrNewer = errors.New("made by a newer program")

// Sink receives the contents of a backup as they are read.
type Sink struct {
	Conversation func(store.Dump) error
	Record       func(versions []store.Record) error
}

// Read reads a file from r and gives to every conversation and record in it, checked.
// That the file is whole shows at its end: read it once with functions that do
// nothing, before you believe it. Errors say which line is wrong; an error of to is
// returned as it is.
func Read(r io.Reader, to Sink) (Count, error) {
	file := bufio.NewReaderSize(r, 1<<16)
	z, err := gzip.NewReader(file)
	if err != nil {
		return Count{}, fmt.Errorf("not a backup, or its beginning is damaged: %w", err)
	}
	z.Multistream(false) // what comes after it is looked at by itself
	in := &reader{in: bufio.NewReaderSize(z, 1<<16), sum: sha256.New()}
	if err = in.run(to); err == nil {
		if err = rest(file); err == nil {
			return in.n, nil
		}
		return in.n, err
	}
	var own *callerError
	switch {
	case errors.As(err, &own):
		return in.n, own.error
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		err = errors.New("the file ends here, before its closing line: it was cut off")
	case errors.Is(err, gzip.ErrChecksum):
		err = errors.New("the compressed data is damaged: its checksum is wrong")
	}
	switch {
	case in.now != nil:
		return in.n, fmt.Errorf("line %d, conversation %q: %w", in.lines+1, in.now.ID, err)
	case len(in.record) > 0:
		return in.n, fmt.Errorf("line %d, record %q: %w", in.lines+1, in.record[0].ID, err)
	}
	return in.n, fmt.Errorf("line %d: %w", in.lines+1, err)
}

// rest refuses what follows a file that is whole.
func rest(file *bufio.Reader) error {
	n, err := io.Copy(io.Discard, file)
	if err == nil && n > 0 {
		err = fmt.Errorf(
			"the backup is whole, but %d bytes follow it that are no part of it: two files were joined, "+
				"or something was appended", n)
	}
	return err
}

// callerError is an error of a Sink.
type callerError struct{ error }

type reader struct {
	in     *bufio.Reader
	sum    hash.Hash      // of the lines before this one
	lines  int            // so many
	now    *store.Dump    // the conversation that is being read; nil: none
	record []store.Record // the versions read of a record; nil: none is being read
	n      Count
}

func (r *reader) run(to Sink) error {
	for {
		b, err := r.next()
		if err != nil {
			return err
		}
		l, err := parse(b)
		if err != nil {
			return err
		}
		if l.End != nil {
			if err := r.finish(to); err != nil {
				return err
			}
			return r.end(*l.End)
		}
		if err := r.take(l, to); err != nil {
			return err
		}
		r.sum.Write(b)
		r.lines++
	}
}

// next reads one line, with its end.
func (r *reader) next() (b []byte, err error) {
	most := maxLine
	if r.lines == 0 {
		most = maxFirst
	}
	for {
		part, err := r.in.ReadSlice('\n')
		b = append(b, part...)
		switch {
		case len(b) > most:
			return nil, fmt.Errorf("a line of more than %d bytes", most)
		case err != bufio.ErrBufferFull:
			return b, err
		}
	}
}

// take deals with a line that is not the last.
func (r *reader) take(l line, to Sink) error {
	switch {
	case r.lines == 0:
		return r.begin(l)
	case l.Limn != nil:
		return errors.New("a second first line")
	case l.Conversation != nil:
		if err := r.finish(to); err != nil {
			return err
		}
		w := l.Conversation.dump()
		r.now = &w
	case l.AppRecord != nil:
		v := l.AppRecord.record()
		if len(r.record) == 0 || r.record[0].Name != v.Name || r.record[0].ID != v.ID {
			if err := r.finish(to); err != nil {
				return err
			}
		}
		r.record = append(r.record, v)
	case r.now == nil:
		return errors.New("it belongs to a conversation, and none has begun")
	default:
		l.add(r.now)
	}
	return nil
}

func (r *reader) begin(l line) error {
	switch {
	case l.Limn == nil:
		return errors.New("not a backup: the first line does not say so")
	case l.Limn.Version > version:
		return fmt.Errorf("%w: the file has version %d, this one reads %d", ErrNewer, l.Limn.Version, version)
	case l.Limn.Version < 1:
		return fmt.Errorf("the file has version %d; there is none", l.Limn.Version)
	}
	r.n.At = l.Limn.At.time()
	return nil
}

// finish hands out the conversation, or record, that was being read.
func (r *reader) finish(to Sink) error {
	if len(r.record) > 0 {
		if err := store.CheckVersions(r.record); err != nil {
			return fmt.Errorf("up to here: %w", err)
		}
		r.n.Records++
		if err := to.Record(r.record); err != nil {
			return &callerError{err}
		}
		r.record = nil
	}
	if r.now == nil {
		return nil
	}
	w := *r.now
	if err := w.Validate(); err != nil {
		return fmt.Errorf("up to here: %w", err)
	}
	r.n.Conversations++
	r.n.Frames += len(w.Frames)
	if err := to.Conversation(w); err != nil {
		return &callerError{err}
	}
	r.now = nil
	return nil
}

// end checks the closing line, and that it is one.
func (r *reader) end(e end) error {
	switch {
	case r.lines == 0:
		return r.begin(line{})
	case e.Conversations != r.n.Conversations || e.Records != r.n.Records || e.Lines != r.lines:
		return fmt.Errorf("the closing line counts %d conversations and %d records in %d lines, "+
			"but there are %d and %d in %d",
			e.Conversations, e.Records, e.Lines, r.n.Conversations, r.n.Records, r.lines)
	case e.SHA256 != hex.EncodeToString(r.sum.Sum(nil)):
		return errors.New("the checksum is wrong: the file was damaged or edited")
	}
	if b, err := r.in.ReadByte(); err != io.EOF {
		if err == nil {
			err = fmt.Errorf("something comes after the closing line, beginning with %q", b)
		}
		return err
	}
	return nil
}
