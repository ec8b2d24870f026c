package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// daemon is a running Turnwatch.
type daemon struct {
	cmd     *exec.Cmd
	url     string
	dataDir string
	out     bytes.Buffer
	started time.Time
	exited  chan error
}

func (b *bench) start(home, dataDir string) (*daemon, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := ln.Addr().(*net.TCPAddr).Port
	ln.Close()
	d := &daemon{url: "http://127.0.0.1:" + strconv.Itoa(port), dataDir: dataDir, exited: make(chan error, 1)}
	d.cmd = exec.Command(b.bin, "serve", "--home", home, "--data-dir", dataDir, "--port", strconv.Itoa(port), "--no-browser")
	// Nothing of the user's own environment may point it at other homes.
	d.cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	d.cmd.Stdout, d.cmd.Stderr = &d.out, &d.out
	d.started = time.Now()
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { d.exited <- d.cmd.Wait() }()
	return d, nil
}

// stop ends the daemon and returns what it used.
func (d *daemon) stop() (usage, error) {
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return usage{}, err
	}
	select {
	case err := <-d.exited:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return usage{}, err
		}
	case <-time.After(30 * time.Second):
		_ = d.cmd.Process.Kill()
		return usage{}, errors.New("did not end within 30 s of SIGTERM")
	}
	return used(d.cmd.ProcessState), nil
}

// ready waits until the history is in, and returns how long that took from the start.
func (d *daemon) ready(ctx context.Context, every time.Duration) (time.Duration, error) {
	return d.until(ctx, every, func() (bool, error) {
		var health struct{ Ready bool }
		err := d.get("/api/health", &health)
		return health.Ready, err
	})
}

// until asks again and again, and returns the time since the daemon's start at which the answer was yes. Errors are answers
// that are not there yet.
func (d *daemon) until(ctx context.Context, every time.Duration, ask func() (bool, error)) (time.Duration, error) {
	deadline := time.Now().Add(10 * time.Minute)
	var last error
	for time.Now().Before(deadline) {
		yes, err := ask()
		if yes {
			return time.Since(d.started), nil
		}
		last = err
		select {
		case err := <-d.exited:
			return 0, fmt.Errorf("daemon ended: %v\n%s", err, d.out.String())
		case <-ctx.Done():
			_ = d.cmd.Process.Kill()
			return 0, ctx.Err()
		case <-time.After(every):
		}
	}
	_ = d.cmd.Process.Kill()
	return 0, fmt.Errorf("not within 10 minutes; last error: %v\n%s", last, d.out.String())
}

func (d *daemon) get(path string, into any) error {
	resp, err := http.Get(d.url + path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 500))
		return fmt.Errorf("GET %s: %s: %s", path, resp.Status, text)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

// sessions returns all root sessions.
func (d *daemon) sessions() ([]*collector.Session, error) {
	var all []*collector.Session
	cursor := ""
	for {
		var page collector.SessionPage
		if err := d.get("/api/sessions?limit=500&cursor="+url.QueryEscape(cursor), &page); err != nil {
			return nil, err
		}
		all = append(all, page.Sessions...)
		if page.Next == "" {
			return all, nil
		}
		cursor = page.Next
	}
}

// dbBytes is the size of the database after the daemon's end, with its journal.
func (d *daemon) dbBytes() (int64, error) {
	var sum int64
	err := filepath.WalkDir(d.dataDir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(e.Name(), ".db") {
			return err
		}
		info, err := e.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}
