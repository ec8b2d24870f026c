package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
)

// troubled is an ingest with one warning.
type troubled string

func (code troubled) Ingest() collector.Ingest {
	return collector.Ingest{Warnings: []collector.Warning{{Code: string(code), Message: "something", Count: 1}}}
}

func TestHealthIsNotOKWhileTheStoreFails(t *testing.T) {
	for code, want := range map[string]bool{collector.WarningStore: false, "store-rebuilt": true, "cannot-look": true} {
		d := deps()
		d.Ingest, d.DataDir = troubled(code), "/data"
		addr, _ := start(t, api.Config{}, d)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+"/api/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var h api.Health
		err = json.NewDecoder(resp.Body).Decode(&h)
		_ = resp.Body.Close()
		if err != nil || h.OK != want || h.DataDir != "/data" || h.Pid == 0 {
			t.Errorf("%s: ok %t, data directory %q, pid %d, %v; want ok %t", code, h.OK, h.DataDir, h.Pid, err, want)
		}
	}
}
