package api_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/turnwatch/turnwatch/api"
)

// TestRate: a bucket is emptied at once, fills again by the rate, and is one remote's alone.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		take := api.Take(api.Rate{PerSecond: 2, Burst: 3})
		for i, c := range []struct {
			remote string
			after  time.Duration
			want   time.Duration
		}{
			{"10.0.0.1", 0, 0}, {"10.0.0.1", 0, 0}, {"10.0.0.1", 0, 0}, {"10.0.0.1", 0, 500 * time.Millisecond},
			{"10.0.0.2", 0, 0},
			{"::ffff:10.0.0.1", 0, 500 * time.Millisecond}, // the same, as IPv6 writes it
			{"10.0.0.1", 250 * time.Millisecond, 250 * time.Millisecond},
			{"10.0.0.1", 250 * time.Millisecond, 0}, {"10.0.0.1", 0, 500 * time.Millisecond},
			{"10.0.0.1", time.Hour, 0}, {"10.0.0.1", 0, 0}, {"10.0.0.1", 0, 0}, {"10.0.0.1", 0, 500 * time.Millisecond},
			{"2001:db8::1", 0, 0}, {"2001:db8::2", 0, 0}, {"2001:db8::3", 0, 0}, {"2001:db8::4", 0, 500 * time.Millisecond}, // one network
			{"2001:db8:1::1", 0, 0},
		} {
			time.Sleep(c.after)
			if got := take(c.remote); got != c.want {
				t.Errorf("%d: %s waits %v, want %v", i, c.remote, got, c.want)
			}
		}
	})
}

// from returns a client that comes from that address.
func from(ip string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
}

func status(t *testing.T, client *http.Client, method, url string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp
}

func TestTooManyWrites(t *testing.T) {
	few := api.Rate{PerSecond: 0.01, Burst: 3}
	addr, _ := start(t, api.Config{Limits: api.Limits{Writes: few, Hooks: few}}, deps())
	one, begin := from("127.0.0.1"), time.Now()
	for i := range 5 {
		for path, method := range map[string]string{"/api/detach": http.MethodPost, "/api/health": http.MethodGet, "/hook/start": http.MethodPost} {
			resp := status(t, one, method, "http://"+addr+path)
			limited := resp.StatusCode == http.StatusTooManyRequests
			if want := method == http.MethodPost && i >= 3; limited != want {
				t.Errorf("%s %s for the %d. time: status %d", method, path, i+1, resp.StatusCode)
			}
			// A token takes 100 s, of which as many have passed as this test has taken.
			if wait, err := strconv.Atoi(resp.Header.Get("Retry-After")); limited && (err != nil || wait > 101 || wait < 100-int(time.Since(begin).Seconds())) {
				t.Errorf("Retry-After %d, %v", wait, err)
			}
		}
	}
	scenario{method: "POST", url: "/api/detach", status: 429, want: []string{`"code":"unavailable"`, "too many requests"}}.run(t, addr)
	if resp := status(t, from("127.0.0.2"), http.MethodPost, "http://"+addr+"/api/detach"); resp.StatusCode != http.StatusOK {
		t.Errorf("somebody else pays for it: status %d", resp.StatusCode)
	}
}

func TestTooManySockets(t *testing.T) {
	addr, _ := start(t, api.Config{Limits: api.Limits{Sockets: api.Rate{PerSecond: 0.01, Burst: 3}}}, deps())
	for range 3 {
		dial(t, addr, "").next()
	}
	_, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+addr+"/ws", nil)
	if err == nil || resp == nil || resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("got %v, %v, want 429", resp, err)
	}
	scenario{method: "POST", url: "/api/detach", status: 200}.run(t, addr)
}

func TestTooManyConnections(t *testing.T) {
	addr, _ := start(t, api.Config{Limits: api.Limits{Conns: 3}}, deps())
	for range 3 {
		dial(t, addr, "").next()
	}
	// The refusal comes unasked: a client that still writes its request may see a broken connection instead.
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	if line, err := bufio.NewReader(conn).ReadString('\n'); !strings.HasPrefix(line, "HTTP/1.1 429") {
		t.Errorf("got %q, %v, want 429", line, err)
	}
	if resp := status(t, from("127.0.0.2"), http.MethodGet, "http://"+addr+"/api/health"); resp.StatusCode != http.StatusOK {
		t.Errorf("somebody else is kept out: status %d", resp.StatusCode)
	}
}

// TestDefaultLimits: 200 pages that come back at once are nobody's attack.
func TestDefaultLimits(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	for range 200 {
		dial(t, addr, "").next()
	}
	for range 150 {
		if resp := status(t, from("127.0.0.1"), http.MethodPost, "http://"+addr+"/api/detach"); resp.StatusCode != http.StatusOK {
			t.Fatalf("status %d", resp.StatusCode)
		}
	}
}

// TestSlowLoris trickles a header, then a body, byte by byte; the server hangs up in time, and says so.
func TestSlowLoris(t *testing.T) {
	noLeaks(t)
	// Only the time that is meant is short: a header that is late would end the wait for a body.
	header := api.Limits{HeaderTime: 150 * time.Millisecond, BodyTime: time.Minute}
	body := api.Limits{HeaderTime: time.Minute, BodyTime: 300 * time.Millisecond}
	const head = "POST /api/attach HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	for name, c := range map[string]struct {
		limits        api.Limits
		sent, trickle string
		want          time.Duration
	}{
		"nothing":    {header, "", "", header.HeaderTime},
		"the header": {header, head, "X-Slow: 1\r\n", header.HeaderTime},
		"the body":   {body, head + "Content-Length: 5000\r\n\r\n", " ", body.BodyTime},
	} {
		t.Run(name, func(t *testing.T) {
			addr, stop := running(t, api.Config{Limits: c.limits}, deps())
			begin := time.Now() // the server's clock begins when it accepts, which may be before we hear of it
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = io.WriteString(conn, c.sent)
			done := make(chan struct{})
			trickled := make(chan struct{})
			go func() {
				defer close(trickled)
				every := time.NewTicker(20 * time.Millisecond)
				defer every.Stop()
				for {
					select {
					case <-done:
						return
					case <-every.C:
						_, _ = io.WriteString(conn, c.trickle)
					}
				}
			}()
			_ = conn.SetReadDeadline(begin.Add(patience))
			answer, err := io.ReadAll(conn)
			took := time.Since(begin)
			close(done)
			<-trickled
			if errors.Is(err, os.ErrDeadlineExceeded) || took < c.want {
				t.Errorf("it hung up after %v, want %v: %v", took, c.want, err)
			}
			if c.sent != "" && !strings.Contains(string(answer), "408") {
				t.Errorf("it said %q", answer)
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDeafReader asks for much and takes nothing: the answer is given up, and the connection with it.
func TestDeafReader(t *testing.T) {
	noLeaks(t)
	d := deps()
	st := d.Store.(*store)
	st.turns, st.secret = 500, strings.Repeat("and tested ", 30)
	addr, stop := running(t, api.Config{Limits: api.Limits{WriteTime: 100 * time.Millisecond}, StopTime: time.Minute}, d)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	// Many answers of a megabyte: more than the kernel's buffers hold. All at once, as the server may hang up after the first.
	if _, err := io.WriteString(conn, strings.Repeat("GET /api/sessions/acme:one/turns HTTP/1.1\r\nHost: "+addr+"\r\n\r\n", 40)); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > patience {
		t.Errorf("stopping took %v", took)
	}
}

// TestTooLarge: bodies and headers beyond their limits are refused by name.
func TestTooLarge(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	for name, c := range map[string]struct {
		head, rest string
		status     string
	}{
		"a body of an operation":       {"POST /api/attach HTTP/1.1\r\nHost: " + addr + "\r\nContent-Length: 2097152\r\n\r\n", strings.Repeat(" ", 2<<20), "413"},
		"a body that is announced":     {"POST /hook/start HTTP/1.1\r\nHost: " + addr + "\r\nContent-Length: 99999999999\r\n\r\n", "", "413"},
		"a body in chunks":             {"POST /hook/start HTTP/1.1\r\nHost: " + addr + "\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n", "", "413"},
		"a header":                     {"GET /api/health HTTP/1.1\r\nHost: " + addr + "\r\nX-Long: " + strings.Repeat("x", 40<<10) + "\r\n\r\n", "", "431"},
		"two lengths (smuggling)":      {"POST /api/attach HTTP/1.1\r\nHost: " + addr + "\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", "12345", "400"},
		"two hosts, the second a wish": {"GET /api/health HTTP/1.1\r\nHost: evil.example\r\nHost: " + addr + "\r\n\r\n", "", "40"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(patience))
			_, _ = io.WriteString(conn, c.head+c.rest)
			line, err := bufio.NewReader(conn).ReadString('\n')
			if !strings.HasPrefix(line, "HTTP/1.1 "+c.status) {
				t.Errorf("got %q, %v, want %s", line, err, c.status)
			}
		})
	}
}
