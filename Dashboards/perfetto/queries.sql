-- Queries for https://ui.perfetto.dev (Query (SQL)) or trace_processor, over `xferlog export --format perfetto -o run.pftrace run.xlog`.
-- Slices of category `task` are tasks, those of category `attempt` their attempts, and those of category `phase` the parts of an attempt.
-- trace_processor is not available where this project is tested, so these queries are not run by the tests.

-- The slowest tasks.
SELECT name, dur / 1e9 AS seconds, EXTRACT_ARG(arg_set_id, 'debug.status') AS status, EXTRACT_ARG(arg_set_id, 'debug.url') AS url
FROM slice WHERE category = 'task' ORDER BY dur DESC LIMIT 20;

-- Tasks without an end.
SELECT name, ts, EXTRACT_ARG(arg_set_id, 'debug.uid') AS uid
FROM slice WHERE category = 'task' AND EXTRACT_ARG(arg_set_id, 'debug.open');

-- Attempts that failed, by error.
SELECT EXTRACT_ARG(arg_set_id, 'debug.error') AS error, count(*) AS attempts
FROM slice WHERE category = 'attempt' AND EXTRACT_ARG(arg_set_id, 'debug.error') IS NOT NULL GROUP BY error ORDER BY attempts DESC;

-- Where attempts spend their time.
SELECT name AS phase, count(*) AS attempts, sum(dur) / 1e9 AS seconds, max(dur) / 1e9 AS longest
FROM slice WHERE category = 'phase' GROUP BY name ORDER BY seconds DESC;
