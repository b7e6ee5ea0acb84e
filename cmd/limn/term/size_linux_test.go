package term

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// TestWidth: tables are as wide as the terminal is.
func TestWidth(t *testing.T) {
	t.Parallel()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here, mount devpts at /dev/pts to run it: ", err)
	}
	defer master.Close()
	ioctl := func(request uintptr, arg unsafe.Pointer) {
		if _, _, no := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(arg)); no != 0 {
			t.Skip("no terminals here, mount devpts at /dev/pts to run it: ", no)
		}
	}
	var unlocked, number int32
	ioctl(syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked))
	ioctl(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{40, 137}
	ioctl(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	f, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here, mount devpts at /dev/pts to run it: ", err)
	}
	defer f.Close()
	none := func(string) string { return "" }
	if got := StyleOf(f, none).Width; got != 137 {
		t.Errorf("%d columns", got)
	}
	if got := StyleOf(f, func(string) string { return "90" }).Width; got != 90 {
		t.Errorf("%d columns, though COLUMNS says 90", got)
	}
}
