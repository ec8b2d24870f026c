package opencode_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/opencode"
)

// BenchmarkOneOfMany follows one session that is written, among others that rest: the cost of a change must not depend
// on how many there are.
func BenchmarkOneOfMany(b *testing.B) {
	for _, sessions := range []int{10, 1000} {
		for _, events := range []bool{true, false} {
			b.Run(fmt.Sprintf("sessions=%d/events=%v", sessions, events), func(b *testing.B) {
				dir, db := home(b, "tools")
				multiply(b, db, sessions)
				if !events {
					exec(b, db, "DELETE FROM event")
				}
				src := opencode.New(host(b, dir))
				var cp collector.Checkpoint
				begun := time.Now()
				places, _ := readOn(b, src, stream(b, src), &cp)
				start := float64(time.Since(begun).Microseconds()) / float64(len(places))
				last := fmt.Sprintf("%s-%d", lastMessage, sessions-1)
				for i := 0; b.Loop(); i++ {
					b.StopTimer()
					changePart(b, db, events, last, "prt_zz", fmt.Sprintf(`{"type":"text","text":"%d","time":{"start":1,"end":2}}`, i))
					st := stream(b, src)
					b.StartTimer()
					if places, _ := readOn(b, src, st, &cp); len(places) != 1 {
						b.Fatalf("read %q, want one", places)
					}
				}
				b.ReportMetric(start, "µs/message-at-start")
			})
		}
	}
}

// multiply makes n sessions of the one that is there, with their messages and parts.
func multiply(t testing.TB, db *sql.DB, n int) {
	t.Helper()
	const many = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO %s SELECT %s FROM n, %[1]s ORDER BY i, %[1]s.rowid`
	for table, columns := range map[string]string{
		"session": "id || '-' || i, project_id, NULL, NULL, slug, directory, path, title, version, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, agent, model, time_created, time_updated, NULL, NULL",
		"message": "id || '-' || i, session_id || '-' || i, time_created, time_updated, data",
		"part":    "id || '-' || i, message_id || '-' || i, session_id || '-' || i, time_created, time_updated, data",
	} {
		exec(t, db, fmt.Sprintf(many, table, columns), n-1)
	}
}
