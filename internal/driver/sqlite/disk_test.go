package sqlite

import (
	"database/sql"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// A disk stands between SQLite and the file system, as a VFS: it keeps what was
// written and synced, in order, so that a test can ask what a power cut at any
// moment could have left; and it can fail.

// action is one thing that was done to a file, or a mark of the test.
type action struct {
	kind string // write, truncate, sync, mark
	file string // end of its name: "" the database, "-wal" its log
	off  int64  // of a write; of a truncate: the size
	data []byte
	mark any
}

type disk struct {
	path string

	mu   sync.Mutex // guards all below
	log  []action
	fail func(kind, file string, size int) int32 // nil or 0: it works; else what SQLite is told
}

// mark notes a moment, for instance that a commit was acknowledged.
func (d *disk) mark(m any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, action{kind: "mark", mark: m})
}

// breakWith makes later writes, truncates and syncs fail; nil mends the disk.
func (d *disk) breakWith(fail func(kind, file string, size int) int32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = fail
}

// do asks for leave to do a, and notes it. The note may be early, never late: what
// was synced when a mark was made is noted as synced only after it really was.
func (d *disk) do(a action, real func() int32) int32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail != nil {
		if rc := d.fail(a.kind, a.file, len(a.data)); rc != lib.SQLITE_OK {
			return rc
		}
	}
	rc := real()
	if rc == lib.SQLITE_OK {
		d.log = append(d.log, a)
	}
	return rc
}

// openOn opens a store whose file is on a disk of its own.
func openOn(t testing.TB) (*driver, *disk) {
	t.Helper()
	registerDisks()
	d := &disk{path: file(t)}
	disks.Store(d.path, d)
	t.Cleanup(func() { disks.Delete(d.path) })
	s, err := openVFS(d.path, 20*time.Millisecond, vfsName)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.breakWith(nil); s.Close() })
	return s, d
}

// pragma sets something on the connection that writes.
func pragma(t *testing.T, s *driver, text string) {
	t.Helper()
	err := s.writer.do(t.Context(), func(x *txn) error {
		rows, err := x.w.conn.QueryContext(t.Context(), "PRAGMA "+text)
		if err != nil {
			return err
		}
		return scanAll(rows, func(*sql.Rows) error { return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
}

// image is what the disk holds: by end of name, the bytes.
type image map[string][]byte

// pieces is a file as a power cut may find it: what was synced, and what was done
// to it since.
type pieces struct {
	synced []byte
	since  []action
}

// images replays the log and calls each after every action with the marks up to
// there, and a function that draws one of the states a power cut could leave.
func (d *disk) images(each func(marks []any, cut func(*rand.Rand) image)) {
	files := map[string]*pieces{"": {}, "-wal": {}}
	var marks []any
	for _, a := range d.log {
		p := files[a.file]
		switch a.kind {
		case "mark":
			marks = append(marks, a.mark)
			continue
		case "sync":
			for _, done := range p.since {
				p.synced = done.apply(p.synced, len(done.data))
			}
			p.since = nil
		default:
			p.since = append(p.since, a)
		}
		each(marks, func(r *rand.Rand) image {
			img := image{}
			for name, p := range files {
				if len(p.synced)+len(p.since) > 0 {
					img[name] = p.cut(r)
				}
			}
			return img
		})
	}
}

// cut is what was synced and, of what came since, each wholly, in part or not at
// all: a disk may write in any order, and stop in the middle.
func (p *pieces) cut(r *rand.Rand) []byte {
	b := append([]byte(nil), p.synced...)
	keep := r.IntN(4) // none, all, or any
	for _, a := range p.since {
		switch {
		case keep == 0:
		case keep == 1 || r.IntN(3) > 0:
			b = a.apply(b, len(a.data))
		case r.IntN(2) == 0 && len(a.data) > 0:
			b = a.apply(b, r.IntN(len(a.data)))
		}
	}
	return b
}

// apply does n bytes of a to b.
func (a action) apply(b []byte, n int) []byte {
	end := int(a.off) + n
	if a.kind == "truncate" {
		end = int(a.off)
		if end < len(b) {
			return b[:end:end]
		}
	}
	if grow := end - len(b); grow > 0 {
		b = append(b, make([]byte, grow)...)
	}
	copy(b[a.off:], a.data[:n])
	return b
}

// What follows is the VFS. SQLite is Go here, made from C by a translator: its
// structures and function pointers are reached as the translated code does it.

const vfsName = "limn-test"

var (
	disks sync.Map // path → *disk
	opens sync.Map // file handle → *opened

	// registerDisks makes the VFS known to SQLite, once for the process. What is
	// allocated for it stays.
	registerDisks = sync.OnceFunc(func() {
		tls := libc.NewTLS()
		belowPtr = lib.Xsqlite3_vfs_find(tls, 0)
		below = at[lib.Tsqlite3_vfs](belowPtr)
		ours := alloc(tls, *below)
		name, err := libc.CString(vfsName)
		if err != nil {
			panic(err)
		}
		v := at[lib.Tsqlite3_vfs](ours)
		v.FzName, v.FpNext = name, 0
		v.FxOpen = pointer(vfsOpen)
		if rc := lib.Xsqlite3_vfs_register(tls, ours, 0); rc != lib.SQLITE_OK {
			panic(rc)
		}
	})
	below    *lib.Tsqlite3_vfs // the VFS that really writes
	belowPtr uintptr
	methods  sync.Map // address of the methods below → address of ours
)

// opened is a file that SQLite has open.
type opened struct {
	*disk
	file  string
	below *lib.Tsqlite3_io_methods
}

func vfsOpen(tls *libc.TLS, _, name, handle uintptr, flags int32, outFlags uintptr) int32 {
	open := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](below.FxOpen)
	rc := open(tls, belowPtr, name, handle, flags, outFlags)
	if rc != lib.SQLITE_OK || name == 0 {
		return rc
	}
	path := libc.GoString(name)
	d, ok := disks.Load(strings.TrimSuffix(path, "-wal"))
	if !ok {
		return rc
	}
	f := at[lib.Tsqlite3_file](handle)
	opens.Store(handle, &opened{
		disk: d.(*disk), file: strings.TrimPrefix(path, d.(*disk).path), below: at[lib.Tsqlite3_io_methods](f.FpMethods),
	})
	ours, ok := methods.Load(f.FpMethods)
	if !ok {
		m := *at[lib.Tsqlite3_io_methods](f.FpMethods)
		m.FxClose, m.FxWrite, m.FxTruncate, m.FxSync = pointer(fileClose), pointer(fileWrite), pointer(fileTruncate),
			pointer(fileSync)
		ours, _ = methods.LoadOrStore(f.FpMethods, alloc(tls, m))
	}
	f.FpMethods = ours.(uintptr)
	return rc
}

func openedAs(handle uintptr) *opened {
	o, _ := opens.Load(handle)
	return o.(*opened)
}

func fileWrite(tls *libc.TLS, handle, buf uintptr, n int32, off int64) int32 {
	o := openedAs(handle)
	data := append([]byte(nil), unsafe.Slice(at[byte](buf), n)...)
	return o.do(action{kind: "write", file: o.file, off: off, data: data}, func() int32 {
		return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](o.below.FxWrite)(tls, handle, buf, n,
			off)
	})
}

func fileTruncate(tls *libc.TLS, handle uintptr, size int64) int32 {
	o := openedAs(handle)
	return o.do(action{kind: "truncate", file: o.file, off: size}, func() int32 {
		return function[func(*libc.TLS, uintptr, int64) int32](o.below.FxTruncate)(tls, handle, size)
	})
}

func fileSync(tls *libc.TLS, handle uintptr, flags int32) int32 {
	o := openedAs(handle)
	return o.do(action{kind: "sync", file: o.file}, func() int32 {
		return function[func(*libc.TLS, uintptr, int32) int32](o.below.FxSync)(tls, handle, flags)
	})
}

func fileClose(tls *libc.TLS, handle uintptr) int32 {
	o := openedAs(handle)
	opens.Delete(handle)
	return function[func(*libc.TLS, uintptr) int32](o.below.FxClose)(tls, handle)
}

// at is the structure at an address.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// alloc copies a structure to where the translated code keeps its own.
func alloc[T any](tls *libc.TLS, v T) uintptr {
	p := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(v)))
	*at[T](p) = v
	return p
}

// pointer and function turn a function into what C calls its address, and back.
func pointer(f any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&f))[1] }

func function[F any](p uintptr) F {
	return *(*F)(unsafe.Pointer(&p))
}
