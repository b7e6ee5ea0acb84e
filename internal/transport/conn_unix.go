//go:build unix

package transport

import (
	"net"
	"syscall"

	"github.com/limn-ui/limn/internal/deliver"
)

// conn writes and looks without waiting, by the file descriptor itself.
type conn struct {
	net.Conn
	raw syscall.RawConn
}

func newConn(c net.Conn) deliver.Conn {
	if s, ok := c.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			return conn{c, raw}
		}
	}
	return waiting{c}
}

// Try implements deliver.Conn.
func (c conn) Try(p []byte) (n int, err error) {
	rawErr := c.raw.Write(func(fd uintptr) bool {
		for {
			if n, err = syscall.Write(int(fd), p); err != syscall.EINTR {
				return true
			}
		}
	})
	switch {
	case rawErr != nil:
		return 0, rawErr
	case err == syscall.EAGAIN:
		return 0, nil
	case err != nil:
		return 0, err
	}
	return n, nil
}

// Gone implements deliver.Conn. What the client sends is nothing we want.
func (c conn) Gone() (gone bool) {
	var waste [512]byte
	err := c.raw.Read(func(fd uintptr) bool {
		n, err := syscall.Read(int(fd), waste[:])
		gone = n == 0 && err == nil || err != nil && err != syscall.EAGAIN && err != syscall.EINTR
		return true
	})
	return gone || err != nil
}

// descriptors is how many files and connections this process may have open.
func descriptors() (int, bool) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil || uint64(l.Cur) > 1<<30 {
		return 0, false
	}
	return int(l.Cur), true
}
