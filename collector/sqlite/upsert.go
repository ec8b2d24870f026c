package sqlite

import "strings"

// upsertSession keeps a session's pk, which the ids of its parts are made of.
var upsertSession = func() string {
	cols := strings.Split(sessionCols, ", ")
	sets := make([]string, 0, len(cols))
	for _, c := range cols[1:] {
		switch c {
		case "path", "stream": // a facts stream does not know them
			sets = append(sets, c+" = CASE WHEN excluded."+c+" = '' THEN sessions."+c+" ELSE excluded."+c+" END")
		default:
			sets = append(sets, c+" = excluded."+c)
		}
	}
	return "INSERT INTO sessions (" + sessionCols + ") VALUES (" + strings.Repeat("?, ", len(cols)-1) + "?) ON CONFLICT (id) DO UPDATE SET " +
		strings.Join(sets, ", ") + " RETURNING pk"
}()
