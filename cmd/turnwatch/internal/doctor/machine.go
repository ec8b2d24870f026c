package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// watches compares the directories to be watched with what the system allows. Without a watch a log is still seen, but
// only once a minute.
func (e *examination) watches() {
	if runtime.GOOS != "linux" {
		return
	}
	limit := func(name string) int {
		b, err := os.ReadFile(filepath.Join(e.Proc, "sys/fs/inotify", name))
		if err != nil {
			return -1
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(b)))
		if err != nil {
			return -1
		}
		return n
	}
	watches, instances := limit("max_user_watches"), limit("max_user_instances")
	if watches < 0 || instances < 0 {
		e.add("watches", Note, "the system does not say how many directories may be watched", "")
		return
	}
	found := fmt.Sprintf("%s to watch; the system allows %d watches and %d watchers of all programs", directories(len(e.dirs)), watches, instances)
	// Other programs of the user, such as editors, take of the same.
	if len(e.dirs) > watches/2 || instances < 16 {
		e.add("watches", Problem, found, "raise the limits, else new records are seen only once a minute: sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512")
		return
	}
	e.add("watches", OK, found, "")
}

func directories(n int) string {
	if n == 1 {
		return "1 directory"
	}
	return strconv.Itoa(n) + " directories"
}

// ahead is how far a file's time may be in the future: network disks have clocks of their own.
const ahead = 2 * time.Minute

// clock looks for logs from the future, which would look live for ever.
func (e *examination) clock() {
	now := e.Now()
	n, far := 0, time.Duration(0)
	for _, st := range e.streams {
		if d := time.Unix(0, st.ModTime).Sub(now); d > ahead {
			n++
			far = max(far, d)
		}
	}
	if n > 0 {
		e.add("clock", Problem, fmt.Sprintf("%s later than now, by up to %s", plural(n, "log"), far.Round(time.Minute)), "set this machine's clock, or touch the files: they would count as being written")
		return
	}
	e.add("clock", OK, now.Format("2006-01-02 15:04:05 MST")+"; no log is from the future", "")
}

// dataDir looks who can look into the data directory, and how large it is.
func (e *examination) dataDir() {
	st, err := os.Stat(e.DataDir)
	if errors.Is(err, fs.ErrNotExist) {
		e.add("data", Note, e.DataDir+" does not exist yet", "start turnwatch once")
		return
	}
	if err != nil {
		e.add("data", Problem, err.Error(), "name another place with --data-dir")
		return
	}
	open := []string{}
	if runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0 {
		open = append(open, e.DataDir)
	}
	var size int64
	entries, err := os.ReadDir(e.DataDir)
	if err != nil {
		e.add("data", Problem, err.Error(), "name another place with --data-dir")
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		size += info.Size()
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			open = append(open, filepath.Join(e.DataDir, entry.Name()))
		}
	}
	if len(open) > 0 {
		e.add("data", Problem, "others on this machine can read "+strings.Join(open, ", "), "chmod -R go= "+e.DataDir)
		return
	}
	e.add("data", OK, fmt.Sprintf("%s is private and takes %.1f MB", e.DataDir, float64(size)/(1<<20)), "")
}
