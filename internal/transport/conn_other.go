//go:build !unix

package transport

import (
	"net"

	"github.com/limn-ui/limn/internal/deliver"
)

func newConn(c net.Conn) deliver.Conn { return waiting{c} }

func descriptors() (int, bool) { return 0, false }
