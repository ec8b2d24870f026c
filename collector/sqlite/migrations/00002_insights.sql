-- +goose Up

-- What is read of every session when thousands are summed up. It lies apart from the rest of the row, and in few columns:
-- a column of a row costs this driver 0.6 µs.
CREATE TABLE rollups (
    pk   INTEGER PRIMARY KEY, -- the session's
    card BLOB    NOT NULL,    -- what its row says: names, times, totals
    body BLOB    NOT NULL     -- what package insights made of its turns
);
-- +goose StatementBegin
CREATE TRIGGER rollups_forget AFTER DELETE ON sessions BEGIN
    DELETE FROM rollups WHERE pk = OLD.pk;
END;
-- +goose StatementEnd

-- A roll-up is never older than its session: whoever writes the session writes it anew, or there is none.
-- +goose StatementBegin
CREATE TRIGGER rollups_stale AFTER UPDATE ON sessions BEGIN
    DELETE FROM rollups WHERE pk = OLD.pk;
END;
-- +goose StatementEnd

-- Labels name the session by its id: they outlive its rows, which are dropped when its log is read anew.
CREATE TABLE labels (
    session TEXT NOT NULL,
    label   TEXT NOT NULL,
    PRIMARY KEY (session, label)
) WITHOUT ROWID;
CREATE INDEX labels_label ON labels (label, session);

-- +goose Down
DROP TABLE labels;
DROP TRIGGER rollups_stale;
DROP TRIGGER rollups_forget;
DROP TABLE rollups;
