// Package codex reads the threads of OpenAI's Codex CLI: rollouts of all four generations (one JSON document, bare lines,
// wrapped lines, paginated lines), plain or compressed, active or archived, and the index of thread names.
//
// A thread is a session. One that another thread spawned is a child of the root of its tree, "codex:<root>~<thread>"; as a
// file's name does not say so, discovery reads the beginning of its first line, once. README.md says what was seen where.
//
// It refuses to read the agent's SQLite files, to take its writer locks, and to conclude anything from more than one
// record: what a turn is, which texts are copies of one another and which call runs, package fold decides.
package codex
