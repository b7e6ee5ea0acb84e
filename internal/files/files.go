// Package files reads the uploaded files that values name, for handlers, webhooks,
// tools and models.
//
// A value names a file by its id, which New makes. An id counts only in the
// conversation that the file belongs to, so a value written by a user or a model can
// lead to no one else's file.
package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/capture/sheet"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

const (
	prefix = "u-"
	half   = 8 // bytes: of the content's hash, and of the part that distinguishes two uploads of it
	length = len(prefix) + 4*half
)

// New returns the id of a file with this content. own, of at least 8 bytes,
// distinguishes it from other files with the same content.
func New(content [sha256.Size]byte, own []byte) string {
	return prefix + hex.EncodeToString(content[:half]) + hex.EncodeToString(own[:half])
}

func isID(s string) bool {
	return len(s) == length && strings.HasPrefix(s, prefix) && strings.Trim(s[len(prefix):], "0123456789abcdef") == ""
}

// In returns the ids in a value, each once, in the order in which they come.
func In(v ui.Value) []string {
	var ids idList
	ids.walk(v)
	return ids
}

// InArguments is In for the arguments of a tool, as JSON.
func InArguments(args []byte) []string {
	var ids idList
	if v, err := jsonx.Parse(args, jsonx.Limits{}); err == nil {
		ids.walkJSON(v)
	}
	return ids
}

type idList []string

func (l *idList) add(s string) {
	if isID(s) && !slices.Contains(*l, s) {
		*l = append(*l, s)
	}
}

func (l *idList) walk(v ui.Value) {
	l.add(v.Text())
	for _, s := range v.List() {
		l.add(s)
	}
	for _, p := range v.Pairs() {
		l.walk(p.Value)
	}
	for _, r := range v.Records() {
		l.walk(r.Cells)
	}
}

func (l *idList) walkJSON(v jsonx.Value) {
	l.add(v.Str)
	for _, item := range v.Items {
		l.walkJSON(item)
	}
	for _, m := range v.Members {
		l.walkJSON(m.Value)
	}
}

// Read returns a file of a conversation. The error is store.ErrNotFound without such a
// file.
func Read(ctx context.Context, blobs store.Blobs, conversation, id string) (store.Blob, error) {
	if !isID(id) {
		return store.Blob{}, store.ErrNotFound
	}
	b, err := blobs.Blob(ctx, conversation, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return b, fmt.Errorf("read file %s: %w", id, err)
	}
	return b, err
}

// Attachment is a file in the body of a webhook (docs/http.md).
type Attachment struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
	Size int    `json:"size"`           // bytes
	Data []byte `json:"data,omitempty"` // base64; left out beyond MaxAttached
}

// Bounds of the files that a webhook is sent, and that a model is shown.
const (
	MaxAttached = 1 << 20 // bytes of the content, of all files of a call
	maxFiles    = 8
)

// Attach returns the files of a conversation that ids name, as many as a webhook is
// sent. An id without a file is left out.
func Attach(ctx context.Context, blobs store.Blobs, conversation string, ids []string) (list []Attachment, err error) {
	room := MaxAttached
	for _, id := range ids[:min(len(ids), maxFiles)] {
		f, err := Read(ctx, blobs, conversation, id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		a := Attachment{ID: f.ID, Name: f.Name, Type: f.Type, Size: len(f.Body)}
		if len(f.Body) <= room {
			a.Data = f.Body
			room -= len(f.Body)
		}
		list = append(list, a)
	}
	return list, nil
}

// Shown is a file as a model is shown it: as text, or as a picture. A file that is
// neither, or too large a picture, is only named.
type Shown struct {
	ID, Name, Type string
	Size           int // bytes
	Text           string
	Cut            bool // Text is only the beginning
	Image          []byte
}

// Bounds of the parts of a file that are kept while a model is asked.
const (
	maxText  = 64 << 10 // bytes
	maxImage = 2 << 20
)

// showing bounds how many files are read for models at once: each may have the size of
// the largest upload, and a workbook may take a second.
var showing = make(chan struct{}, 2)

// shownSheet bounds what is read of a file, of which a model sees the beginning: the rows
// and columns that Excel has, and the text of the largest upload in any encoding.
var shownSheet = sheet.Limits{Rows: 1 << 20, Columns: 1 << 14, Text: 32 << 20}

// Show reads a file for a model. Text may be in any encoding; CSV stays as it is, and
// of a workbook the first sheet has tabs between its cells. Errors: those of Read, and
// that of ctx.
func Show(ctx context.Context, blobs store.Blobs, conversation, id string) (Shown, error) {
	select {
	case showing <- struct{}{}:
		defer func() { <-showing }()
	case <-ctx.Done():
		return Shown{}, ctx.Err()
	}
	b, err := Read(ctx, blobs, conversation, id)
	if err != nil {
		return Shown{}, err
	}
	s := Shown{ID: b.ID, Name: b.Name, Type: b.Type, Size: len(b.Body)}
	if slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, b.Type) {
		if len(b.Body) <= maxImage {
			s.Image = b.Body
		}
		return s, nil
	}
	lim := shownSheet
	lim.Stop = ctx.Err
	text, _, err := sheet.Text(sheet.File{Data: b.Body}, lim) // without a name nothing counts rows of CSV
	if err != nil {
		return s, ctx.Err() // a file without text is named
	}
	if len(text) > 6 && strings.HasPrefix(text, "sep=") && text[5] == '\n' { // for a reader of tables
		text = text[6:]
	}
	s.Text, s.Cut = strings.Clone(excerpt.Of(text, maxText)), len(text) > maxText
	return s, nil
}
