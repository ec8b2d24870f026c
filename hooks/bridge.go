package hooks

import (
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
)

// The bridge is what agents run: it hands its input to the running Turnwatch and says nothing, whatever happens.
//
// It is the same text on every machine, because the files that hold it are committed, and because
// Codex asks the user to trust a hook again when a byte of it changes. Address, token and curl's options are therefore
// in the contact file (contact.go). sh -c makes it run under any login shell, fish and nushell too, and its arguments carry
// our mark. Without a contact file it only takes its input, so that the agent does not write into a closed pipe.
const (
	mark = "turnwatch-hook"

	bridgeScript = `{ f=$HOME/.local/share/turnwatch/hook/$1; if %sread -r _ u <"$f"; then ` +
		`curl -q -K "$f" "$u/$2"; [ $? -ne 127 ] || turnwatch hook "$1" "$2" || cat; ` +
		`else cat; fi; } >/dev/null 2>&1; exit 0`

	// PowerShell hands native programs a text that it decoded and encoded again, so it sends the bytes itself.
	powershellScript = `$ErrorActionPreference='SilentlyContinue'; ` +
		`try { $b=[Console]::InputEncoding.GetBytes(($input -join [char]10)); ` +
		`$c=Get-Content -ErrorAction Stop "$HOME/.local/share/turnwatch/hook/%[1]s"; ` +
		`$r=[Net.WebRequest]::Create((-split $c[0])[1]+'/%[2]s'); $r.Method='POST'; $r.Proxy=$null; $r.Timeout=1000; ` +
		`$r.ContentType='application/json'; $r.Headers.Add('X-Turnwatch-Token',($c[1] -replace '.*: |"')); ` +
		`$s=$r.GetRequestStream(); $s.Write($b,0,$b.Length); $s.Close(); $r.GetResponse().Close() } catch {}; exit 0 # ` + mark
)

// bridgeTimeout is what agents are told to wait for the bridge, in seconds; it gives up after one by itself.
const bridgeTimeout = 2

// bridge is the command for a POSIX shell. It delivers only if the condition holds, unless that is "".
func bridge(agent collector.Agent, event, condition string) string {
	if condition != "" {
		condition += " && "
	}
	return fmt.Sprintf("sh -c '%s' %s %s %s", fmt.Sprintf(bridgeScript, condition), mark, agent, event)
}

// bridgePowershell is the command for PowerShell.
func bridgePowershell(agent collector.Agent, event string) string {
	return fmt.Sprintf(powershellScript, agent, event)
}
