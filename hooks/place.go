package hooks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// maxFile bounds the files that are edited; settings have kilobytes.
const maxFile = 8 << 20

// place is a file that an agent reads hooks from.
type place struct {
	scope Scope
	root  string // the repository, or the agent's folder
	path  string // as the agent names it
	real  string // where its bytes are, links resolved
}

// repository returns the root of the repository that cwd is in.
func repository(cwd string) (string, error) {
	switch parts := strings.FieldsFunc(cwd, func(r rune) bool { return r == '/' || r == filepath.Separator }); {
	case !filepath.IsAbs(cwd) || strings.ContainsRune(cwd, 0):
		return "", invalid("%q is no absolute path", cwd)
	case slices.Contains(parts, ".."):
		return "", forbidden("%s leads upwards; name the folder itself", cwd)
	}
	dir, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return "", nowhere(FolderGone, "there is no folder %s", cwd)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", nowhere(FolderGone, "%s is no folder", cwd)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", nowhere(FolderOutside, "%s is in no git repository; name a folder in one, or install the hooks for all your sessions (--user)", cwd)
		}
	}
}

// place returns the agent's file for a repository, or for all sessions if root is "".
func (a agent) place(cfg Config, root string) (place, error) {
	home := a.home(cfg)
	user := filepath.Join(home, filepath.FromSlash(a.user))
	p := place{scope: ScopeUser, root: home, path: user}
	if root != "" {
		p = place{scope: ScopeRepo, root: root, path: filepath.Join(root, filepath.FromSlash(a.repo))}
	}
	if a.posix && runtime.GOOS == "windows" {
		return p, conflict("hooks for %s cannot be installed on Windows: it runs them in a shell that they are not written for", a.name)
	}
	var err error
	if p.real, err = resolve(p.path); err != nil {
		return p, err
	}
	if p.scope == ScopeUser {
		return p, nil // people keep their settings elsewhere and link to them
	}
	if rel, err := filepath.Rel(root, p.real); err != nil || !filepath.IsLocal(rel) {
		return p, forbidden("%s is a link that leads out of the repository, to %s; nothing was changed. Replace the link, or install the hooks for all your sessions (--user)", p.path, p.real)
	}
	if real, err := resolve(user); err == nil && real == p.real {
		return p, conflict("%s is your own file, for all your sessions; install the hooks for these (--user)", p.path)
	}
	return p, nil
}

// resolve follows the links of a path whose end need not exist.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return "", conflict("%s cannot be: a part of it is a file and no folder", path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fileError(path, err)
	}
	if _, err := os.Lstat(path); err == nil {
		return "", conflict("%s is a link to nothing; remove it and try again", path)
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", fileError(path, err)
	}
	if real, err = resolve(parent); err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(path)), nil
}

// content is a file as it is; the zero value is one that does not exist.
type content struct {
	exists bool
	data   []byte
	mode   fs.FileMode
}

// read returns the file. It opens nothing but regular files: a pipe would make us wait.
func (p place) read() (content, error) {
	info, err := os.Stat(p.real)
	if errors.Is(err, fs.ErrNotExist) {
		return content{mode: 0o644}, nil
	}
	if err != nil {
		return content{}, fileError(p.path, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return content{}, conflict("%s is no file of settings; move it away and try again", p.path)
	}
	data, err := os.ReadFile(p.real)
	if err != nil {
		return content{}, fileError(p.path, err)
	}
	return content{exists: true, data: data, mode: info.Mode().Perm()}, nil
}

// writable refuses what somebody protected. The superuser could write it nevertheless, and so could anybody replace a
// protected file in a folder of his own.
func (p place) writable(c content) error {
	if c.exists && c.mode&0o200 == 0 {
		return forbidden("%s is write-protected; nothing was changed. Allow writing (chmod u+w) and try again", p.path)
	}
	for dir := filepath.Dir(p.real); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
			continue
		}
		if err == nil && info.Mode()&0o222 == 0 {
			err = forbidden("%s is write-protected; nothing was changed. Allow writing (chmod u+w) and try again", dir)
		}
		return fileError(dir, err)
	}
}

// missing returns the folders that the file needs and that do not exist, outermost first.
func (p place) missing() []string {
	var dirs []string
	for dir := filepath.Dir(p.real); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil {
			break
		}
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}
