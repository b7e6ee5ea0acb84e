//go:build linux || darwin

package term

import (
	"os"
	"syscall"
	"unsafe"
)

// columns asks the terminal how wide it is; 0 = it does not say.
func columns(f *os.File) int {
	var size struct{ rows, columns, x, y uint16 }
	raw, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Control(func(fd uintptr) {
		at := uintptr(unsafe.Pointer(&size))
		if _, _, no := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGWINSZ, at); no != 0 {
			size.columns = 0
		}
	})
	return int(size.columns)
}
