package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// cannotListen turns an error of listening into who has the port, and what helps.
func cannotListen(ctx context.Context, host string, port int, proc string, err error) error {
	addr := net.JoinHostPort(host, strconv.Itoa(port))
	switch {
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("cannot listen on %s (%w): the system keeps such ports for itself; choose one above 1023 with --port", addr, err)
	case !errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("cannot listen on %s (%w); choose another address with --host and --port", addr, err)
	}
	way := "choose another port with --port, or --port 0 for any free one"
	if free := freePort(host, port); free > 0 {
		way = fmt.Sprintf("start this one with --port %d, which is free", free)
	}
	if other := askTurnwatch(ctx, host, port); other != "" {
		return fmt.Errorf("port %d is taken: %s, or %s", port, other, way)
	}
	return fmt.Errorf("port %d is taken by %s; %s", port, holder(proc, port), way)
}

// freePort returns the next port that is free now, 0 if none of the next ones is.
func freePort(host string, taken int) int {
	for port := taken + 1; port <= taken+50 && port < 1<<16; port++ {
		if ln, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port))); err == nil {
			_ = ln.Close()
			return port
		}
	}
	return 0
}

// askTurnwatch says which Turnwatch answers there, "" if it is none.
func askTurnwatch(ctx context.Context, host string, port int) string {
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	url := "http://" + net.JoinHostPort(host, strconv.Itoa(port))
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/health", nil)
	if err != nil {
		return ""
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	var h struct {
		Version, DataDir string
		Pid              int
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&h)
	if err != nil || h.DataDir == "" || h.Version == "" {
		return ""
	}
	return fmt.Sprintf("Turnwatch %s (pid %d, data directory %s) already runs there: open %s", h.Version, h.Pid, h.DataDir, url)
}

// holder names the process that listens on a port, as far as the system lets us see.
func holder(proc string, port int) string {
	const unseen = "a program that cannot be seen from here (another user's, or in a container)"
	sockets := map[string]bool{}
	for _, name := range []string{"tcp", "tcp6"} {
		b, err := os.ReadFile(filepath.Join(proc, "net", name))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(b)) {
			const listening = "0A"
			f := strings.Fields(line) // sl, local address, remote address, state, …, inode
			if len(f) > 9 && f[3] == listening && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) {
				sockets["socket:["+f[9]+"]"] = true
			}
		}
	}
	links, err := filepath.Glob(filepath.Join(proc, "[0-9]*", "fd", "*"))
	if err != nil || len(sockets) == 0 {
		return unseen
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || !sockets[target] {
			continue
		}
		dir := filepath.Dir(filepath.Dir(link))
		name, err := os.ReadFile(filepath.Join(dir, "comm"))
		if err != nil {
			name = []byte("a program")
		}
		return fmt.Sprintf("%s (pid %s)", strings.TrimSpace(string(name)), filepath.Base(dir))
	}
	return unseen
}
