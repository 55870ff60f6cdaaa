-- The index of one or more logs: everything that `xferlog replay` finds out, as tables.
--
-- An index is a cache. It is made from the logs alone, deleting it changes no answer, and `xferlog sql` makes it anew when
-- the logs or the program have changed since. This file and views.sql are what the program uses: see README.md.
--
-- Times are the wall clock's: RFC 3339 in UTC, with nine digits, and beside it `…_ns`, nanoseconds since 1970. Durations are
-- in nanoseconds, sizes in bytes. Identifiers of 64 bits and more are text. NULL: the log does not say. What a log keeps
-- private stands here as it stands there, as `<mask.hash: …>` or `<private>`.

PRAGMA application_id = 0x78666c67; -- "xflg"
PRAGMA user_version = 1;

-- What the index was made from and by: see `sources` for the segments.
CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Segments that were there when the index was made, and who wrote them. One that differs by now makes the index stale.
CREATE TABLE sources(
  id INTEGER PRIMARY KEY,
  log TEXT NOT NULL, -- the .xlog directory, or the segment itself where that was named
  path TEXT NOT NULL,
  size INTEGER,
  modified_ns INTEGER,
  inode TEXT,
  checksum TEXT, -- of the bytes, while its writer has not said that it is done; eight hexadecimal digits
  launch TEXT, -- the process life that wrote it; NULL where no event was read from it
  pid INTEGER,
  role TEXT,
  executable TEXT
) STRICT;

-- Why the logs do not tell the whole story; no rows when they do.
CREATE TABLE incompleteness(
  reason TEXT NOT NULL
) STRICT;

-- Every event, in the order in which a replay takes them.
CREATE TABLE events(
  id INTEGER PRIMARY KEY,
  -- Where it stands: which log, and there segment/lane/seq, as other commands show it.
  source INTEGER NOT NULL REFERENCES sources(id),
  segment INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  wall_ns INTEGER,
  -- Worked out when it is asked for: stored, it would be a tenth of the file.
  time TEXT GENERATED ALWAYS AS (
    strftime('%Y-%m-%dT%H:%M:%S', (wall_ns - (wall_ns % 1000000000 + 1000000000) % 1000000000) / 1000000000, 'unixepoch')
    || printf('.%09dZ', (wall_ns % 1000000000 + 1000000000) % 1000000000)) VIRTUAL,
  mono_ns INTEGER, -- stops while the machine sleeps; to compare within one boot
  boot_ns INTEGER, -- goes on
  level TEXT NOT NULL, -- debug, info, default, error, fault
  event TEXT NOT NULL, -- family.name
  session TEXT,
  task TEXT, -- tasks.uid
  number INTEGER, -- the task's, within its session
  host TEXT, -- that the event names, else its task's
  thread INTEGER,
  fields TEXT NOT NULL -- a JSON object of all other fields, as `xferlog show -o ndjson` has them
) STRICT;

CREATE TABLE tasks(
  id INTEGER PRIMARY KEY, -- in the order in which they ended
  uid TEXT NOT NULL,
  session TEXT NOT NULL,
  number INTEGER NOT NULL,
  type TEXT,
  state TEXT NOT NULL, -- created, queued, running, held, suspended, transferred, delivered, completed, acknowledged
  outcome TEXT NOT NULL, -- succeeded, failed, cancelled, lost, open, unknown
  method TEXT,
  scheme TEXT,
  host TEXT,
  path TEXT,
  http INTEGER, -- status of the last response
  error_domain TEXT,
  error INTEGER,
  error_name TEXT,
  attempts INTEGER NOT NULL,
  received INTEGER, -- bytes of the body
  sent INTEGER,
  connections INTEGER NOT NULL,
  reused INTEGER NOT NULL, -- of these, had been used before
  hold TEXT, -- why it waits
  cancelled_by TEXT,
  intent TEXT,
  app_outcome TEXT, -- what the app said it made of it
  launch TEXT, -- the process life that has it, or had it last
  created TEXT,
  created_ns INTEGER,
  resumed TEXT,
  resumed_ns INTEGER,
  transferred TEXT,
  transferred_ns INTEGER,
  completed TEXT,
  completed_ns INTEGER,
  acknowledged TEXT,
  acknowledged_ns INTEGER,
  -- How long it spent in each stage; each begins where the one before it ended.
  queue_ns INTEGER,
  connect_ns INTEGER,
  first_byte_ns INTEGER,
  body_ns INTEGER,
  delivery_ns INTEGER,
  total_ns INTEGER,
  unexpected INTEGER NOT NULL -- events in an order that the vocabulary does not expect
) STRICT;

-- Callbacks on their way to the app, but those of high rate, which are numbered and not written one by one.
CREATE TABLE deliveries(
  id INTEGER PRIMARY KEY, -- in the order in which they ended
  delivery TEXT NOT NULL,
  callback TEXT,
  session TEXT,
  task TEXT,
  sent TEXT,
  sent_ns INTEGER,
  received TEXT,
  received_ns INTEGER,
  entered TEXT,
  entered_ns INTEGER,
  left TEXT,
  left_ns INTEGER,
  dropped TEXT,
  dropped_ns INTEGER,
  drop_reason TEXT,
  wait_ns INTEGER, -- from sent to entered
  run_ns INTEGER -- from entered to left
) STRICT;

CREATE TABLE findings(
  id INTEGER PRIMARY KEY,
  rule TEXT NOT NULL,
  variant TEXT,
  severity TEXT NOT NULL, -- critical, error, warning, notice
  certainty TEXT NOT NULL, -- certain, probable, possible
  counted INTEGER NOT NULL, -- 1 when it counts for the exit status of `xferlog replay`
  caused_by INTEGER REFERENCES findings(id),
  session TEXT,
  task TEXT,
  wake TEXT,
  launch TEXT,
  time TEXT,
  time_ns INTEGER,
  summary TEXT NOT NULL,
  remedy TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  lowered TEXT NOT NULL, -- JSON: why it is not surer
  unless TEXT NOT NULL -- JSON: what would explain it otherwise
) STRICT;

-- The events that a finding rests on, and those that it misses: with `missing` 1 there is no place, and `time` is the
-- latest at which it should have come.
CREATE TABLE evidence(
  finding INTEGER NOT NULL REFERENCES findings(id),
  missing INTEGER NOT NULL,
  event TEXT NOT NULL,
  segment INTEGER,
  lane INTEGER,
  seq INTEGER,
  time TEXT,
  time_ns INTEGER
) STRICT;

-- Every rule of the catalogue, and how often it answered what.
CREATE TABLE rule_answers(
  id INTEGER PRIMARY KEY,
  rule TEXT NOT NULL,
  severity TEXT NOT NULL,
  summary TEXT NOT NULL,
  findings INTEGER NOT NULL,
  undecidable INTEGER NOT NULL,
  in_flight INTEGER NOT NULL,
  silent INTEGER NOT NULL
) STRICT;

-- What rules could not decide, and for want of what.
CREATE TABLE undecided(
  rule TEXT NOT NULL,
  needs TEXT NOT NULL,
  count INTEGER NOT NULL
) STRICT;

CREATE TABLE processes(
  id INTEGER PRIMARY KEY,
  launch TEXT,
  boot TEXT,
  pid INTEGER,
  role TEXT,
  executable TEXT,
  start_reason TEXT,
  started TEXT,
  started_ns INTEGER,
  ended TEXT,
  ended_ns INTEGER,
  ending TEXT NOT NULL, -- closed, exit, signal, observedMissing, unknown
  exit_code INTEGER,
  exit_signal INTEGER,
  synthetic INTEGER NOT NULL -- 1 when a generator wrote it
) STRICT;

CREATE TABLE sessions(
  id INTEGER PRIMARY KEY,
  identifier TEXT NOT NULL,
  instance TEXT,
  kind TEXT,
  launch TEXT,
  created TEXT,
  created_ns INTEGER,
  connected TEXT,
  connected_ns INTEGER,
  events_finished TEXT,
  events_finished_ns INTEGER,
  invalidated TEXT,
  invalidated_ns INTEGER,
  released TEXT,
  released_ns INTEGER
) STRICT;

CREATE TABLE wakes(
  handler TEXT PRIMARY KEY,
  session TEXT,
  launch TEXT,
  cause TEXT,
  outcome TEXT NOT NULL, -- called, late, early, twice, never, open, unknown
  calls INTEGER NOT NULL,
  on_main_thread INTEGER,
  wanted TEXT,
  wanted_ns INTEGER,
  launched TEXT,
  launched_ns INTEGER,
  delivered TEXT,
  delivered_ns INTEGER,
  stored TEXT,
  stored_ns INTEGER,
  events_finished TEXT,
  events_finished_ns INTEGER,
  called TEXT,
  called_ns INTEGER,
  released TEXT,
  released_ns INTEGER
) STRICT;

-- Places where a log has less than was written.
CREATE TABLE gaps(
  id INTEGER PRIMARY KEY,
  cause TEXT NOT NULL,
  problem TEXT,
  segment INTEGER NOT NULL,
  name TEXT NOT NULL,
  launch TEXT,
  lane INTEGER,
  seq_from INTEGER, -- positions that are missing: from the first to before the last
  seq_to INTEGER,
  byte_from INTEGER, -- damaged bytes of the file
  byte_to INTEGER,
  last_seen TEXT, -- the last event before it
  last_seen_ns INTEGER,
  next_seen TEXT, -- the first behind it
  next_seen_ns INTEGER
) STRICT;

-- Events that could not be written, as the writers counted them.
CREATE TABLE drops(
  family TEXT PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Events that no lifecycle uses.
CREATE TABLE unmodelled(
  event TEXT PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
