package homes

import "path/filepath"

// Table is where an agent below home keeps its sessions in a database: OpenCode.
func Table(home string) string {
	return filepath.Join(home, ".local/share/opencode/opencode.db")
}

// TableSchema makes the tables that are read, without an event log.
const TableSchema = `CREATE TABLE session (id, parent_id, title, directory, version, time_created, time_updated);
	CREATE TABLE message (id, session_id, time_created, time_updated, data);
	CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data)`

// TableSession is the id of the session that TableTurn stores.
const TableSession = "opencode:ses_1"

// TableTurn stores a session with one prompt, in one commit.
const TableTurn = `BEGIN; INSERT INTO session VALUES ('ses_1', NULL, 'late', '/w', '1', 1, 1);
	INSERT INTO message VALUES ('msg_1', 'ses_1', 1, 1, '{"role":"user","time":{"created":1796070000000}}');
	INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, 1, '{"type":"text","text":"hello"}'); COMMIT`
