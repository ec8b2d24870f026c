-- +goose Up

-- One row per session, also of those whose log was never seen (path = ''): they hold facts and stay hidden.
CREATE TABLE sessions (
    pk             INTEGER PRIMARY KEY,
    id             TEXT    NOT NULL UNIQUE,
    agent          TEXT    NOT NULL,
    parent         TEXT    NOT NULL,
    parent_call    TEXT    NOT NULL,
    forked_from    TEXT    NOT NULL,
    role           TEXT    NOT NULL,
    title          TEXT    NOT NULL,
    title_rank     INTEGER NOT NULL,
    cwd            TEXT    NOT NULL,
    repo           TEXT    NOT NULL,
    branch         TEXT    NOT NULL,
    model          TEXT    NOT NULL,
    version        TEXT    NOT NULL,
    path           TEXT    NOT NULL,
    stream         TEXT    NOT NULL, -- of its log
    gone           INTEGER NOT NULL,
    started_at     INTEGER NOT NULL,
    last_at        INTEGER NOT NULL,
    open           INTEGER NOT NULL, -- its last turn has no end
    waiting_for    TEXT    NOT NULL, -- what its open turn asks a human for
    turns          INTEGER NOT NULL,
    round_trips    INTEGER NOT NULL,
    calls          INTEGER NOT NULL,
    failed_calls   INTEGER NOT NULL,
    errors         INTEGER NOT NULL,
    flag_count     INTEGER NOT NULL,
    compactions    INTEGER NOT NULL,
    input          INTEGER NOT NULL,
    cache_read     INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    output         INTEGER NOT NULL,
    reasoning      INTEGER NOT NULL,
    quality        INTEGER NOT NULL, -- two bits per measure: unknown, partial, exact
    premium        REAL,
    credits        REAL,
    cost_usd       REAL,
    wall_ms        INTEGER NOT NULL,
    model_ms       INTEGER NOT NULL,
    tool_ms        INTEGER NOT NULL,
    wait_ms        INTEGER NOT NULL,
    lines_added    INTEGER NOT NULL,
    lines_removed  INTEGER NOT NULL,
    top_tools      TEXT    NOT NULL, -- JSON
    context        TEXT    NOT NULL, -- JSON
    cursor         BLOB    NOT NULL, -- fold's state beside the rows
    revision       INTEGER NOT NULL
);
CREATE INDEX sessions_parent ON sessions (parent) WHERE parent <> '';
CREATE INDEX sessions_stream ON sessions (stream);
CREATE INDEX sessions_gone ON sessions (stream) WHERE gone <> 0;
CREATE INDEX sessions_last ON sessions (last_at) WHERE parent = '' AND path <> '';

-- The ids of the parts are session pk << 24 | seq: rows of a session lie together and need no second index.
CREATE TABLE turns (
    id             INTEGER PRIMARY KEY, -- seq = idx
    key            TEXT    NOT NULL,
    prompt_key     TEXT    NOT NULL,
    origin         TEXT    NOT NULL,
    prompt         TEXT    NOT NULL,
    prompt_bytes   INTEGER NOT NULL,
    steers         INTEGER NOT NULL,
    reply          TEXT    NOT NULL,
    reply_bytes    INTEGER NOT NULL,
    status         TEXT    NOT NULL,
    error          TEXT    NOT NULL,
    model          TEXT    NOT NULL,
    started_at     INTEGER NOT NULL,
    ended_at       INTEGER NOT NULL,
    inherited      INTEGER NOT NULL,
    end_offset     INTEGER NOT NULL,
    refs           BLOB    NOT NULL, -- first record, prompt, reply
    categories     TEXT    NOT NULL, -- JSON: calls per category
    flags          TEXT    NOT NULL, -- JSON
    trip_min       INTEGER NOT NULL,
    trip_max       INTEGER NOT NULL,
    call_min       INTEGER NOT NULL,
    call_max       INTEGER NOT NULL,
    turns          INTEGER NOT NULL, -- 1, or 0 if inherited
    round_trips    INTEGER NOT NULL,
    calls          INTEGER NOT NULL,
    failed_calls   INTEGER NOT NULL,
    errors         INTEGER NOT NULL,
    flag_count     INTEGER NOT NULL,
    compactions    INTEGER NOT NULL,
    input          INTEGER NOT NULL,
    cache_read     INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    output         INTEGER NOT NULL,
    reasoning      INTEGER NOT NULL,
    quality        INTEGER NOT NULL,
    premium        REAL,
    credits        REAL,
    cost_usd       REAL,
    wall_ms        INTEGER NOT NULL,
    model_ms       INTEGER NOT NULL,
    tool_ms        INTEGER NOT NULL,
    wait_ms        INTEGER NOT NULL,
    lines_added    INTEGER NOT NULL,
    lines_removed  INTEGER NOT NULL
);

CREATE TABLE round_trips (
    id           INTEGER PRIMARY KEY,
    turn         INTEGER NOT NULL,
    key          TEXT    NOT NULL,
    claim        INTEGER, -- hash of a key that is unique over all sessions of its agent
    model        TEXT    NOT NULL,
    stop_reason  TEXT    NOT NULL,
    text         TEXT    NOT NULL,
    thinking     TEXT    NOT NULL,
    duplicate_of TEXT    NOT NULL,
    data         BLOB    NOT NULL -- times, tokens, references, packed: half the writing time of columns
);
CREATE INDEX round_trips_claim ON round_trips (claim) WHERE claim IS NOT NULL;

CREATE TABLE tool_calls (
    id          INTEGER PRIMARY KEY,
    turn        INTEGER NOT NULL,
    key         TEXT    NOT NULL,
    within      TEXT    NOT NULL,
    tool        TEXT    NOT NULL,
    category    TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    duration_ms INTEGER, -- NULL = unknown
    inherited   INTEGER NOT NULL,
    args        TEXT    NOT NULL,
    result      TEXT    NOT NULL,
    error       TEXT    NOT NULL,
    data        BLOB    NOT NULL -- times, hashes, sizes, references, packed
);

CREATE TABLE markers (
    id         INTEGER PRIMARY KEY,
    turn       INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    status     TEXT    NOT NULL,
    body       TEXT    NOT NULL -- JSON of the marker
);

CREATE TABLE streams (
    id         TEXT    PRIMARY KEY,
    agent      TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    path       TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    generation INTEGER NOT NULL,
    offset     INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    size       INTEGER NOT NULL,
    mtime      INTEGER NOT NULL,
    inode      INTEGER NOT NULL,
    head_len   INTEGER NOT NULL,
    tail_len   INTEGER NOT NULL,
    head_hash  INTEGER NOT NULL,
    tail_hash  INTEGER NOT NULL
) WITHOUT ROWID;

-- Records that no source knows, per stream so that a stream that is read anew counts anew.
CREATE TABLE unknown_records (
    stream  TEXT    NOT NULL,
    agent   TEXT    NOT NULL,
    version TEXT    NOT NULL,
    type    TEXT    NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (stream, version, type)
) WITHOUT ROWID;

-- What running processes hold. Not history: replaced as processes come and go.
CREATE TABLE live (
    session     TEXT PRIMARY KEY,
    pid         INTEGER NOT NULL,
    state       TEXT    NOT NULL,
    waiting_for TEXT    NOT NULL
) WITHOUT ROWID;

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO meta (name, value) VALUES ('revision', 0);

-- +goose Down
DROP TABLE meta;
