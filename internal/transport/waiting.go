package transport

import "net"

// waiting is a connection that cannot be asked what it would take: every write
// is one that waits. That the peer has gone shows when a write fails.
type waiting struct{ net.Conn }

// Try implements deliver.Conn.
func (waiting) Try([]byte) (int, error) { return 0, nil }

// Gone implements deliver.Conn.
func (waiting) Gone() bool { return false }
