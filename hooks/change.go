package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// plan is a change of a file that is known in full before anything is written.
type plan struct {
	place  place
	before content
	after  content // to be written
	record Install
	known  bool // the registry had the record that is to be undone
}

func (pl plan) changes() bool { return !same(pl.before, pl.after) }

func same(a, b content) bool { return a.exists == b.exists && string(a.data) == string(b.data) }

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// tries is how often a change is planned anew because somebody else wrote the file meanwhile.
const tries = 5

// change makes a plan and carries it out, and says how the hooks stand then.
func (h *Hooks) change(a agent, p place, dryRun bool, prepare func() (plan, error), carryOut func(plan) error) (AgentReport, error) {
	for range tries {
		pl, err := prepare()
		if err != nil {
			return AgentReport{}, err
		}
		if !dryRun {
			p.sweep()
			if err := carryOut(pl); errors.Is(err, errMeanwhile) {
				continue
			} else if err != nil {
				return AgentReport{}, fileError(p.path, err)
			}
		}
		ar := h.status(a, p)
		if ar.Changed = pl.changes(); ar.Changed {
			ar.Diff = unified(p, pl.before, pl.after)
		}
		if dryRun {
			ar.Backup = pl.record.Backup
		}
		return ar, nil
	}
	return AgentReport{}, conflict("%s is being written by something else; try again", p.path)
}
