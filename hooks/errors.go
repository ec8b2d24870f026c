package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

func invalid(format string, args ...any) error {
	return &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf(format, args...)}
}

func conflict(format string, args ...any) error {
	return &collector.Error{Code: collector.CodeConflict, Message: fmt.Sprintf(format, args...)}
}

func forbidden(format string, args ...any) error {
	return &collector.Error{Code: collector.CodeForbidden, Message: fmt.Sprintf(format, args...)}
}

// nowhere says that a folder takes no hooks, as it now is.
func nowhere(folder Folder, format string, args ...any) error {
	return &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf(format, args...), Details: folder}
}

// FolderOf returns why a folder takes no hooks, if that is what err says.
func FolderOf(err error) (folder Folder, ok bool) {
	var e *collector.Error
	if errors.As(err, &e) {
		folder, ok = e.Details.(Folder)
	}
	return folder, ok
}

// broken says that a file cannot be edited, and what to do.
func broken(path string, err error) error {
	return &collector.Error{Code: collector.CodeConflict, Err: err,
		Message: path + " cannot be edited, nothing was changed; correct it, or move it away, and try again"}
}

// fileError turns what the system says of a file into what its reader can do.
func fileError(path string, err error) error {
	var known *collector.Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, fs.ErrPermission):
		return forbidden("%s cannot be read and written by you; nothing was changed. Correct its permissions and try again", path)
	}
	return &collector.Error{Code: collector.CodeConflict, Message: path + " cannot be changed", Err: err}
}

// list writes names as people do.
func list(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
