package opencode

// Every query names its tables: message, part, session and event, and no other. All but the last exist since the
// program keeps its sessions in SQLite; only columns that all versions have are asked for.
const (
	// pageOf wraps a choice of messages: a row per message (nth 0) and one per part (nth 1), in order. A sub-agent's root
	// is looked for four levels up.
	pageOf  = `WITH page AS (SELECT rowid AS row, id, session_id, ` + messageData + ` AS data, time_updated FROM message WHERE `
	partsOf = `)
		SELECT page.row AS row, 0 AS nth, page.id AS id, page.data AS data, page.time_updated AS updated, ` + sessionColumns + `
		FROM page LEFT JOIN session s ON s.id = page.session_id ` + ancestors + `
		UNION ALL
		SELECT page.row, 1, p.id, ` + partData + `, p.time_updated, NULL, NULL, NULL, NULL, NULL, NULL, NULL
		FROM page JOIN part p ON p.message_id = page.id
		ORDER BY 1, 2, 3`
	// Of long values what says nothing here is left where it is: the files before and after a turn, pasted and read pictures.
	// More than 16 MiB are not taken at all, as the program cuts outputs at 50 kB.
	messageData = `CASE WHEN octet_length(data) > 16777216 THEN NULL
		WHEN octet_length(data) > 65536 AND json_valid(data) THEN json_remove(data, '$.summary.diffs') ELSE data END`
	partData = `CASE WHEN octet_length(p.data) > 16777216 THEN NULL
		WHEN octet_length(p.data) > 65536 AND json_valid(p.data) THEN json_remove(p.data, '$.url', '$.state.attachments') ELSE p.data END`
	sessionColumns = `coalesce(s.id, page.session_id) AS session, s.parent_id AS parent,
		coalesce(p3.parent_id, p2.parent_id, p1.parent_id, s.parent_id) AS root,
		s.title AS title, s.directory AS directory, s.version AS version, s.time_created AS created`
	ancestors = `LEFT JOIN session p1 ON p1.id = s.parent_id LEFT JOIN session p2 ON p2.id = p1.parent_id LEFT JOIN session p3 ON p3.id = p2.parent_id`

	// pageMessages is how many messages are read at once: the database is open for moments only, and a message may hold
	// several outputs of 50 kB.
	selectNew      = pageOf + `rowid >= ? ORDER BY rowid LIMIT 64` + partsOf
	selectSession  = pageOf + `session_id = ? AND rowid >= ? ORDER BY rowid LIMIT 64` + partsOf
	selectMessages = pageOf + `rowid < ? AND id IN (SELECT value FROM json_each(?)) LIMIT 64` + partsOf

	// selectRecent finds what changed among the newest messages where no event tells.
	selectRecent = `SELECT m.id AS id, max(m.time_updated, coalesce((SELECT max(p.time_updated) FROM part p WHERE p.message_id = m.id), 0)) AS updated
		FROM message m WHERE m.rowid < ? AND m.rowid >= ? AND (m.time_updated > ?
			OR EXISTS (SELECT 1 FROM part p WHERE p.message_id = m.id AND p.time_updated > ?))
		ORDER BY updated, m.rowid LIMIT 1000`

	// selectSessions yields sessions whose own row changed.
	selectSessions = `SELECT 0 AS row, 0 AS nth, '' AS id, NULL AS data, s.time_updated AS updated, ` + sessionColumns + `
		FROM session s LEFT JOIN (SELECT NULL AS session_id) page ` + ancestors + `
		WHERE s.time_updated > ? AND (? = '' OR s.id IN (SELECT value FROM json_each(?))) ORDER BY s.time_updated LIMIT 1000`

	// selectEvents says what changed behind the last event that was read, which comes first. That an old output was
	// dropped from what the model is given is no news.
	selectEvents = `SELECT rowid AS row, id, aggregate_id AS session,
			CASE WHEN NOT json_valid(data) THEN NULL
				WHEN type LIKE 'message.part.%' THEN json_extract(data, '$.part.messageID')
				WHEN type LIKE 'message.%' THEN json_extract(data, '$.info.id') END AS message,
			CASE WHEN json_valid(data) THEN json_extract(data, '$.part.state.time.compacted') END AS compacted
		FROM event WHERE rowid >= ? ORDER BY rowid LIMIT 1000`
	selectLastEvent = `SELECT rowid AS row, id FROM event ORDER BY rowid DESC LIMIT 1`

	// selectLive finds sessions that went on since a time, with how their last messages stand.
	selectLive = `SELECT s.id AS id, s.parent_id AS parent, coalesce(p3.parent_id, p2.parent_id, p1.parent_id, s.parent_id) AS root,
			s.directory AS directory, s.time_created AS created, s.time_updated AS updated, json_extract(m.data, '$.role') AS role,
			json_extract(m.data, '$.time.completed') AS completed, json_extract(m.data, '$.finish') AS finish,
			json_extract(m.data, '$.error.name') AS failed
		FROM session s ` + ancestors + ` LEFT JOIN message m ON json_valid(m.data) AND m.id =
			(SELECT id FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 1)
		WHERE s.time_updated >= ? ORDER BY s.time_updated DESC LIMIT 200`

	// selectAnchor finds the last message that was read, by the beginning of its id, which another one may have too.
	selectAnchor = `SELECT rowid AS row FROM message WHERE id >= ? AND id < ? ORDER BY rowid = ? DESC LIMIT 1`
)

// pageMessages is the LIMIT of the queries for messages.
const pageMessages = 64
