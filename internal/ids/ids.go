// Package ids makes identifiers and secrets.
package ids

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// Source makes identifiers.
type Source struct {
	Random io.Reader // random bytes
	Now    func() time.Time
}

// Hex returns n random bytes as hex. A random source that fails is not
// something a server can go on without.
func (i Source) Hex(n int) string {
	b := make([]byte, n)
	if _, err := io.ReadFull(i.Random, b); err != nil {
		panic("random source: " + err.Error())
	}
	return hex.EncodeToString(b)
}

// Token returns a secret of 256 random bits, as addresses hold it.
func (i Source) Token() string {
	b, _ := hex.DecodeString(i.Hex(32))
	return base64.RawURLEncoding.EncodeToString(b)
}

// UUID returns a UUIDv7 (RFC 9562 §5.7): time ordered, 74 random bits.
func (i Source) UUID() string {
	ms := uint64(i.Now().UnixMilli())
	r, _ := hex.DecodeString(i.Hex(10))
	r[0], r[2] = r[0]&0x0f|0x70, r[2]&0x3f|0x80
	h := fmt.Sprintf("%012x%x", ms&(1<<48-1), r)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
