// Package codex reads the threads of OpenAI's Codex CLI: rollouts of all four generations (one JSON document, bare lines,
// wrapped lines, paginated lines), plain or compressed, active or archived, and the index of thread names.
//
// A thread is a session, also if another thread spawned it: files name their thread, and the parent only inside, so that
// a sub-agent's id is "codex:<thread>" like any other, with Parent set. README.md says what was seen where.
//
// It refuses to read the agent's SQLite files, to take its writer locks, and to conclude anything from more than one
// record: what a turn is, which texts are copies of one another and which call runs, package fold decides.
package codex
