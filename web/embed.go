// Package web holds the browser side of Limn. The page itself, its modules,
// style sheet and icons, are the plain files of the folder page: they are served
// as they are. The official A2UI renderers are bundles that `npm ci && npm run
// build` writes into dist, which is never committed: a program built without
// Node has every page but theirs.
package web

import (
	"embed"
	"io/fs"
)

//go:embed page/*.js page/*.css page/*.svg
var page embed.FS

//go:embed all:dist
var dist embed.FS

// bundles are the files a complete build has.
var bundles = []string{"v09.js", "v09react.js", "v08.js", "draw09.js", "draw08.js", "drawreact.js", "datasync.js",
	"process.js"}

// Page returns the files of the page by name. Anyone may call it at any time.
func Page() fs.FS { return sub(page, "page") }

// Bundles returns the official renderers by name, and false when they were not
// built into this program. Anyone may call it at any time.
func Bundles() (fs.FS, bool) {
	files := sub(dist, "dist")
	for _, name := range bundles {
		if info, err := fs.Stat(files, name); err != nil || info.Size() == 0 {
			return files, false
		}
	}
	return files, true
}

func sub(files embed.FS, dir string) fs.FS {
	below, err := fs.Sub(files, dir)
	if err != nil {
		return files // cannot be: dir is a valid name
	}
	return below
}
