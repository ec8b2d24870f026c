BEGIN TRANSACTION;
CREATE TABLE schema_version (
                version INTEGER NOT NULL
            );
INSERT INTO schema_version VALUES(7);
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
INSERT INTO sessions VALUES('0a2e63b2-b964-4f62-9332-9c6cc4d345d6','/home/dev/repo','octo-org/demo-repo','github','feature/demo','SCENARIO:second go','2026-11-30T10:39:53.785Z','2026-11-30T10:42:50.829Z');
INSERT INTO sessions VALUES('8b6016ae-1513-441a-99c9-85d38313ede3','/home/dev/repo','octo-org/demo-repo','github','feature/demo','SCENARIO:sub go','2026-11-30T10:40:10.580Z','2026-11-30T10:40:12.137Z');
CREATE TABLE assistant_usage_events (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                session_id TEXT NOT NULL REFERENCES sessions(id),
                turn_index INTEGER,
                agent_id TEXT,
                parent_tool_call_id TEXT,
                model TEXT NOT NULL,
                input_tokens INTEGER,
                output_tokens INTEGER,
                cache_read_tokens INTEGER,
                cache_write_tokens INTEGER,
                reasoning_tokens INTEGER,
                total_nano_aiu INTEGER,
                request_multiplier REAL,
                duration_ms INTEGER,
                time_to_first_token_ms INTEGER,
                output_ttft_ms REAL,
                inter_token_latency_ms INTEGER,
                initiator TEXT,
                api_endpoint TEXT,
                reasoning_effort TEXT,
                finish_reason TEXT,
                content_filter_triggered INTEGER,
                token_details_json TEXT,
                created_at TEXT DEFAULT (datetime('now'))
            );
INSERT INTO assistant_usage_events VALUES(1,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',1200,42,500,0,7,NULL,0.0,34,20.88836300000000179,20.888754000000002263,0.19135528571428569999,'user','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:39:55.544Z');
INSERT INTO assistant_usage_events VALUES(2,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',1600,42,500,0,7,NULL,0.0,9,5.4362339999999997885,5.4362969999999997128,0.1155899999999999983,'agent','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:39:58.282Z');
INSERT INTO assistant_usage_events VALUES(3,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',1800,42,500,0,7,NULL,0.0,11,6.4555899999999999394,6.455652000000000612,0.17454249999999998932,'agent','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:39:58.734Z');
INSERT INTO assistant_usage_events VALUES(4,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',2000,42,500,0,7,NULL,0.0,8,4.993271000000000015,4.9933330000000006876,0.47444750000000002199,'agent','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:39:59.335Z');
INSERT INTO assistant_usage_events VALUES(5,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',2200,42,500,0,7,NULL,0.0,32,25.578582000000000817,25.578645999999999106,0.26369850000000000234,'agent','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:40:00.120Z');
INSERT INTO assistant_usage_events VALUES(6,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',2400,42,500,0,7,NULL,0.0,10,5.5861760000000000303,5.5862460000000000448,0.20682900000000001283,'agent','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:40:00.743Z');
INSERT INTO assistant_usage_events VALUES(7,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',2700,42,500,0,7,NULL,0.0,10,5.6398000000000001463,5.6398620000000008189,0.17414699999999999624,'agent','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:40:03.015Z');
INSERT INTO assistant_usage_events VALUES(8,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',2900,42,500,0,7,NULL,0.0,9,5.0196579999999997312,5.0197199999999995156,0.11522850000000001147,'agent','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:40:05.116Z');
INSERT INTO assistant_usage_events VALUES(9,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',3100,42,500,0,7,NULL,0.0,8,5.2517999999999993576,5.2518620000000000302,0.13037200000000001565,'agent','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:40:05.850Z');
INSERT INTO assistant_usage_events VALUES(10,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',3300,42,500,0,7,NULL,0.0,12,4.4701579999999996317,4.470216999999999885,0.14740599999999998148,'agent','/chat/completions',NULL,'stop',0,NULL,'2026-11-30T10:40:06.672Z');
INSERT INTO assistant_usage_events VALUES(11,'8b6016ae-1513-441a-99c9-85d38313ede3',0,NULL,NULL,'fake-model',1200,42,500,0,7,NULL,0.0,66,50.726759999999998739,50.726820999999993944,0.26529700000000000503,'user','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:40:12.868Z');
INSERT INTO assistant_usage_events VALUES(12,'8b6016ae-1513-441a-99c9-85d38313ede3',0,'51ecdd8c-3a65-4353-afec-87bdf963ea82','call_1_0','fake-model',1200,42,500,0,7,NULL,0.0,7,5.0274339999999995143,5.0274969999999994385,0.096646999999999996799,'sub-agent','/chat/completions','low','tool_calls',0,NULL,'2026-11-30T10:40:13.995Z');
INSERT INTO assistant_usage_events VALUES(13,'8b6016ae-1513-441a-99c9-85d38313ede3',0,'51ecdd8c-3a65-4353-afec-87bdf963ea82','call_1_0','fake-model',1500,42,500,0,7,NULL,0.0,6,3.1517930000000000667,3.151848000000000205,0.076978333333333329169,'sub-agent','/chat/completions','low','stop',0,NULL,'2026-11-30T10:40:15.424Z');
INSERT INTO assistant_usage_events VALUES(14,'8b6016ae-1513-441a-99c9-85d38313ede3',0,NULL,NULL,'fake-model',1400,42,500,0,7,NULL,0.0,10,5.247400999999999982,5.2474569999999998159,0.29047366666666663004,'agent','/chat/completions',NULL,'stop',0,NULL,'2026-11-30T10:40:16.595Z');
INSERT INTO assistant_usage_events VALUES(15,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',3500,42,500,0,7,NULL,0.0,158,133.93203999999997222,133.93224299999997128,0.52712599999999998345,'user','/chat/completions',NULL,'tool_calls',0,NULL,'2026-11-30T10:42:51.714Z');
INSERT INTO assistant_usage_events VALUES(16,'0a2e63b2-b964-4f62-9332-9c6cc4d345d6',0,NULL,NULL,'fake-model',3700,42,500,0,7,NULL,0.0,43,40.2459920000000011,40.246070000000003117,0.45990099999999994873,'agent','/chat/completions',NULL,'stop',0,NULL,'2026-11-30T10:42:53.272Z');
COMMIT;
