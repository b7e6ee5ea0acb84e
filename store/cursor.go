package store

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// Place is the position of a record in the answer to a Query, in the order of the list.
type Place struct {
	Text  string // its first text in the field Query.Sort; "" without one
	At, N int64  // when the version was saved, in microseconds, and the order of creation
}

// mark is the length of the hash of a question in a cursor, in bytes.
const mark = 8

// Cursor writes a place as the next of FindRecords.
func (q Query) Cursor(p Place) string {
	b := binary.AppendVarint(q.mark(), p.At)
	b = binary.AppendVarint(b, p.N)
	return base64.RawURLEncoding.EncodeToString(append(b, p.Text...))
}

// Place reads q.After; nil if the list begins at the top. ErrInvalid if it is not a
// cursor of this question.
func (q Query) Place() (*Place, error) {
	if q.After == "" {
		return nil, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(q.After)
	if err != nil || len(b) < mark || string(b[:mark]) != string(q.mark()) {
		return nil, fmt.Errorf("%w: the cursor is not of this question", ErrInvalid)
	}
	b = b[mark:]
	at, read := binary.Varint(b)
	n, more := binary.Varint(b[max(read, 0):])
	if read <= 0 || more <= 0 {
		return nil, fmt.Errorf("%w: the cursor is cut off", ErrInvalid)
	}
	p := &Place{At: at, N: n, Text: string(b[read+more:])}
	return p, checkTerm("sort", p.Text)
}

// mark identifies the question but its page.
func (q Query) mark() []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %t", q.Name, q.Owner, q.Where, q.Sort, q.Desc))
	return sum[:mark:mark]
}
