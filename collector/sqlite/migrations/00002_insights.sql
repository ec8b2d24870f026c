-- +goose Up

-- What package insights made of a session's turns: read by the thousand, so it lies apart from the rest of the row.
CREATE TABLE rollups (
    pk       INTEGER PRIMARY KEY, -- the session's
    body     BLOB    NOT NULL
);
-- +goose StatementBegin
CREATE TRIGGER rollups_forget AFTER DELETE ON sessions BEGIN
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
DROP TRIGGER rollups_forget;
DROP TABLE rollups;
