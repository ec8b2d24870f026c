// Package claude reads the transcripts of Claude Code: which files hold sessions, what their lines say, and which sessions
// a running process holds. README.md names the files, the versions seen and the evidence.
//
// It only says what a line said. It does not follow the parentUuid chain (it branches with every parallel call, and the
// order of lines is the truth), never decodes a project directory's name (the encoding loses characters), never opens
// the key files of the session registry, and adds up nothing that a line says about other lines.
package claude
