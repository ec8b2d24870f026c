package api_test

import (
	"slices"
	"testing"
	"time"

	"github.com/fasthttp/websocket"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
)

// BenchmarkFanOut publishes a commit and waits until twenty clients have it; p99 in ms. The goal, from the append to a
// log to the last client, is 50 ms.
func BenchmarkFanOut(b *testing.B) {
	d := deps()
	addr, _ := start(b, api.Config{}, d)
	const clients = 20
	arrived := make(chan struct{}, clients)
	for range clients {
		conn, resp, err := websocket.DefaultDialer.Dial("ws://"+addr+"/ws?session=acme:one", nil)
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
		if _, _, err := conn.ReadMessage(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close() })
		go func() {
			for {
				if _, _, err := conn.ReadMessage(); err != nil {
					return
				}
				arrived <- struct{}{}
			}
		}()
	}
	var took []time.Duration
	revision := int64(0)
	for b.Loop() {
		revision++
		begin := time.Now()
		d.Broker.Publish(turn(collector.MessageTurnToolCall, revision, "acme:one"))
		for range clients {
			<-arrived
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
