BEGIN TRANSACTION;
CREATE TABLE schema_version (
                version INTEGER NOT NULL
            );
INSERT INTO schema_version VALUES(4);
CREATE TABLE sessions (
                id TEXT PRIMARY KEY,
                cwd TEXT,
                repository TEXT,
                host_type TEXT,
                branch TEXT,
                summary TEXT,
                created_at TEXT DEFAULT (datetime('now')),
                updated_at TEXT DEFAULT (datetime('now'))
            );
INSERT INTO sessions VALUES('069f6216-56d0-429d-8453-a157e323e0d2','/home/dev/repo','octo-org/demo-repo','github','feature/demo','SCENARIO:tools go','2026-11-30T10:39:24.189Z','2026-11-30T10:42:40.818Z');
INSERT INTO sessions VALUES('62ed33d8-ca32-4941-a2f4-1d903da1605a','/home/dev/repo','octo-org/demo-repo','github','feature/demo','SCENARIO:sub go','2026-11-30T10:39:43.686Z','2026-11-30T10:39:44.485Z');
COMMIT;
