package running_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// TestSuspended: the machine sleeps, or its clock is set, for hours in which no timer runs. What the log confirms goes on
// when it wakes up; what nobody confirmed is given up at the first look, not hours later; and nobody looks without a pause.
func TestSuspended(t *testing.T) {
	for name, by := range map[string]time.Duration{"forward": 8 * time.Hour, "back": -8 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.process(one, collector.SessionBusy)
				long := call(0, "c1", "long", 1)
				d.hook(starts("c1", "long", 1))
				d.logs(one, long)
				d.hook(starts("c2", "unseen", 2)) // the log never shows it
				d.want("before", "long@0", "unseen")

				d.asleep.Store(int64(by))
				looked := d.looks.Load()
				d.wait()
				d.process(one, collector.SessionBusy) // the first look at processes
				time.Sleep(2 * time.Minute)
				if by > 0 {
					d.want("awake", "long@0")
				}
				if n := d.looks.Load() - looked; n > 100 {
					t.Errorf("the clock was read %d times in two minutes", n)
				}
				d.logs(one, answer(long))
				d.hook(ends("c2", "unseen", 2))
				time.Sleep(time.Minute)
				d.want("ended")

				d.hook(starts("c3", "next", 3))
				d.want("the next one", "next")
				d.process(one, "")
				time.Sleep(time.Minute)
				d.want("the process is gone")
				synctest.Wait()
			})
		})
	}
}
