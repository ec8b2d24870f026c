package running_test

import (
	"bytes"

	"github.com/turnwatch/turnwatch/collector"
)

// rival is an agent whose program runs the hooks of others too, and then calls its session "rival".
type rival struct{ acme }

func (rival) Agent() collector.Agent { return "rival" }

func (rival) Borrows(payload []byte) bool { return bytes.Contains(payload, []byte(`"rival"`)) }

func (rival) ReadHook(string, []byte) (collector.Hook, error) {
	return collector.Hook{Kind: collector.HookNote, Session: "rival:one"}, nil
}
