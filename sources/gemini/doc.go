// Package gemini reads the sessions of Google's Gemini CLI: a log of lines per session (tmp/<project>/chats/session-*.jsonl,
// sub-agents in a folder named after their parent), the one document per session that older versions wrote, and the
// project's folder from .project_root. README.md says what was seen where.
//
// The log repeats itself: a response is written again, under the same id, when its tools have ended, and a resumed session
// writes its whole history again as a poorer list. A record is taken as it was first written; lists only say how much of the
// history goes on, and when it was compacted. The log shows a tool call only after it, and all others of its response,
// have ended: RunningUnknown.
//
// It refuses to conclude anything from more than one record, and to look into the agent's settings, keys and caches.
package gemini
