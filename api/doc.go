// Package api answers over HTTP and WebSocket: huma operations and one socket under Fiber, the page's files, and the
// guard that stands before every route.
//
// It only reads. What it reads comes through the small interfaces in deps.go; it knows no store, no pipeline and no
// agent. Secrets are masked here, on the way out, and nothing of Fiber leaves this package.
package api
