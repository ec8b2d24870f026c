package hooks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// sendTimeout bounds all that Send does, its reading too.
const sendTimeout = 1500 * time.Millisecond

// Send does what the bridge does, for machines without curl: it reads in to its end, if that comes in time, and hands it
// to the Turnwatch that runs for the user with that home directory.
func Send(ctx context.Context, home string, agent collector.Agent, event string, in io.Reader) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	type input struct {
		data []byte
		err  error
	}
	read := make(chan input, 1)
	go func() { // an input that does not end keeps this goroutine, not the caller
		data, err := io.ReadAll(in)
		read <- input{data, err}
	}()
	var body input
	select {
	case body = <-read:
	case <-ctx.Done():
		return fmt.Errorf("read input: %w", ctx.Err())
	}
	if body.err != nil {
		return fmt.Errorf("read input: %w", body.err)
	}
	if name := string(agent); name != filepath.Base(name) || event == "" || strings.ContainsAny(event, "/?#%") {
		return fmt.Errorf("no such hook: %s %s", agent, event)
	}
	c, err := readContact(filepath.Join(contactFolder(home), string(agent)))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/"+event, bytes.NewReader(body.data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Turnwatch-Token", c.token)
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req) // without proxies and redirects
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
