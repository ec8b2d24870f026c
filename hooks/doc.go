// Package hooks puts Turnwatch's hooks into the configuration of coding agents, says how they stand, and takes them out
// again. It is the only part of Turnwatch that writes an agent's files: on the user's word, by inserting text of ours
// between bytes that stay as they are. It refuses to guess: what it cannot read, it does not touch.
//
// What an agent runs is the bridge, one shell command that is the same everywhere (bridge.go). It finds the running
// Turnwatch through a file in the user's home directory, which holds the address and a token, so that neither stands in
// a file that people commit. While no Turnwatch runs, that file is absent and the bridge ends at once.
package hooks
