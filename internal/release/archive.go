package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"path"
	"slices"
	"strings"
)

// entry is one file of an archive; a folder has a name that ends in a slash.
type entry struct {
	name string
	mode int64
	data []byte
}

// pack writes a .tar.gz with the same bytes on every machine and at any time.
func (r *release) pack(entries []entry) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.data)), ModTime: r.date, Format: tar.FormatGNU,
			Uname: "root", Gname: "root", Typeflag: tar.TypeReg}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// deb writes a Debian package (deb(5)): an ar archive of two .tar.gz. It starts
// nothing: the unit waits for an application in /etc/limn.
func (r *release) deb(p product) ([]byte, error) {
	files := []entry{
		{"./usr/bin/limn", 0o755, p.program},
		{"./usr/lib/systemd/system/limn.service", 0o644, p.unit},
		{"./usr/share/doc/limn/THIRD_PARTY_LICENSES.txt", 0o644, p.third},
		{"./usr/share/doc/limn/copyright", 0o644, p.licence},
		{"./usr/share/doc/limn/sbom.cdx.json", 0o644, p.sbom},
	}
	var folders []entry
	var checked strings.Builder
	size := 0
	for _, f := range files {
		for dir := path.Dir(f.name); dir != "."; dir = path.Dir(dir) {
			folders = append(folders, entry{"./" + dir + "/", 0o755, nil})
		}
		fmt.Fprintf(&checked, "%x  %s\n", md5.Sum(f.data), strings.TrimPrefix(f.name, "./"))
		size += (len(f.data) + 1023) / 1024
	}
	slices.SortFunc(folders, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	folders = slices.CompactFunc(folders, func(a, b entry) bool { return a.name == b.name })
	// "~" sorts a version before the release it leads to.
	version := strings.ReplaceAll(strings.TrimPrefix(r.version, "v"), "-", "~")
	control := fmt.Sprintf(`Package: limn
Version: %s
Architecture: %s
Maintainer: The Limn authors
Installed-Size: %d
Recommends: ca-certificates
Section: web
Priority: optional
Homepage: https://github.com/limn-ui/limn
Description: server side of agent user interfaces
 Limn keeps the facts of a conversation, decides when a form or a table beats
 chat, renders it for every client, and takes each click exactly once.
`, version, p.arch, size)
	about, err := r.pack([]entry{{"./control", 0o644, []byte(control)}, {"./md5sums", 0o644, []byte(checked.String())}})
	if err != nil {
		return nil, err
	}
	data, err := r.pack(append(folders, files...))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, e := range []entry{{name: "debian-binary", data: []byte("2.0\n")}, {name: "control.tar.gz", data: about},
		{name: "data.tar.gz", data: data}} {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", e.name, r.date.Unix(), 0, 0, 0o100644, len(e.data))
		b.Write(e.data)
		if len(e.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}
