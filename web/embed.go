// Package web holds the built browser side of Limn: a script for each drawing
// (html.js, v09.js, v08.js) and for the upload page (upload.js, which works
// without), one style sheet (limn.css) and one sprite of icons (icons.svg). The
// sources beside this file are TypeScript; `npm ci && npm run build` here fills
// dist, which is never committed, so a `go build` without Node works and has no
// bundles.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// bundles are the files a complete build has.
var bundles = []string{"html.js", "v09.js", "v08.js", "limn.css", "icons.svg"}

// Assets returns the built files by name, and false when the bundles were not
// built into this program. Anyone may call it at any time.
func Assets() (fs.FS, bool) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return dist, false // cannot be: "dist" is a valid name
	}
	for _, name := range bundles {
		if info, err := fs.Stat(files, name); err != nil || info.Size() == 0 {
			return files, false
		}
	}
	return files, true
}
