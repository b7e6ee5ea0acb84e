package transport

import "net"

// waiting is a connection that cannot write without blocking: every write waits. Only a
// failed write shows that the peer has gone.
type waiting struct{ net.Conn }

// Try implements deliver.Conn.
func (waiting) Try([]byte) (int, error) { return 0, nil }

// Gone implements deliver.Conn.
func (waiting) Gone() bool { return false }
