package postgres

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgtype"
)

// escaped starts the text of a string that PostgreSQL would not take as it is.
const escaped = "\x01"

// text writes any string as PostgreSQL's text, which is UTF-8 without zero bytes.
// Ids are opaque bytes to the port, and file names come from outside; nearly all
// are text already and stay readable.
func text(s string) string {
	if utf8.ValidString(s) && !strings.Contains(s, "\x00") && !strings.HasPrefix(s, escaped) {
		return s
	}
	return escaped + hex.EncodeToString([]byte(s))
}

// plain undoes text.
func plain(s string) string {
	code, ok := strings.CutPrefix(s, escaped)
	if !ok {
		return s
	}
	b, err := hex.DecodeString(code)
	if err != nil {
		return s // not by us
	}
	return string(b)
}

// name scans what text wrote.
type name struct{ to *string }

// ScanText implements pgtype.TextScanner.
func (n name) ScanText(v pgtype.Text) error {
	*n.to = plain(v.String)
	return nil
}
