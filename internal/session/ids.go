package session

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// ids makes identifiers.
type ids struct {
	source io.Reader // random bytes
	now    func() time.Time
}

// random returns n random bytes as hex. A random source that fails is not
// something a server can go on without.
func (i ids) random(n int) string {
	b := make([]byte, n)
	if _, err := io.ReadFull(i.source, b); err != nil {
		panic("random source: " + err.Error())
	}
	return hex.EncodeToString(b)
}

// token returns a secret of 256 random bits, as addresses hold it.
func (i ids) token() string {
	b, _ := hex.DecodeString(i.random(32))
	return base64.RawURLEncoding.EncodeToString(b)
}

// uuid returns a UUIDv7 (RFC 9562 §5.7): time ordered, 74 random bits.
func (i ids) uuid() string {
	ms := uint64(i.now().UnixMilli())
	r, _ := hex.DecodeString(i.random(10))
	r[0], r[2] = r[0]&0x0f|0x70, r[2]&0x3f|0x80
	h := fmt.Sprintf("%012x%x", ms&(1<<48-1), r)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
