// Package ui holds the built page. The page itself is the npm project in this folder; its build is committed in dist, so
// that the program builds without Node.
package ui

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// FS returns the page's files: index.html, and assets/ whose names carry a hash of their contents.
func FS() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant and the directory is compiled in
	}
	return files
}
