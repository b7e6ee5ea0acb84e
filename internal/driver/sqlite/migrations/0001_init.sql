-- The row every append updates: small, no state in it.
CREATE TABLE conv (
  n       INTEGER PRIMARY KEY,
  id      TEXT    NOT NULL UNIQUE,
  log     TEXT    NOT NULL,
  owner   TEXT    NOT NULL,
  created INTEGER NOT NULL,           -- all times: microseconds since 1970, UTC
  seq     INTEGER NOT NULL DEFAULT 0, -- head
  floor   INTEGER NOT NULL DEFAULT 0  -- frames with seq <= floor are trimmed
);
CREATE INDEX conv_owner ON conv (owner, created, id);

CREATE TABLE frame (
  n    INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  seq  INTEGER NOT NULL,
  body BLOB    NOT NULL
);
CREATE UNIQUE INDEX frame_seq ON frame (conv, seq);

CREATE TABLE snapshot (
  n    INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  seq  INTEGER NOT NULL,
  body BLOB    NOT NULL
);
CREATE UNIQUE INDEX snapshot_seq ON snapshot (conv, seq);

CREATE TABLE record (
  n      INTEGER PRIMARY KEY,        -- order of arrival
  conv   INTEGER NOT NULL,
  event  TEXT    NOT NULL,
  key    TEXT    NOT NULL,           -- '' none
  hash   TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  starts INTEGER NOT NULL DEFAULT 0,
  seq    INTEGER NOT NULL DEFAULT 0, -- frame that answers it; 0 pending
  body   BLOB    NOT NULL,
  answer BLOB    NOT NULL DEFAULT x''
);
CREATE UNIQUE INDEX record_event   ON record (conv, event);
CREATE UNIQUE INDEX record_key     ON record (conv, key) WHERE key <> '';
CREATE        INDEX record_pending ON record (conv)      WHERE seq = 0;
CREATE        INDEX record_done    ON record (at)        WHERE seq > 0;

CREATE TABLE note (
  n      INTEGER PRIMARY KEY,
  record INTEGER NOT NULL,
  step   INTEGER NOT NULL,
  body   BLOB    NOT NULL
);
CREATE UNIQUE INDEX note_step ON note (record, step);

CREATE TABLE blob (
  n    INTEGER PRIMARY KEY,
  conv INTEGER NOT NULL,
  id   TEXT    NOT NULL,
  name TEXT    NOT NULL,
  type TEXT    NOT NULL,
  at   INTEGER NOT NULL,
  body BLOB    NOT NULL
);
CREATE UNIQUE INDEX blob_id ON blob (conv, id);

CREATE TABLE job (
  n     INTEGER PRIMARY KEY,
  conv  INTEGER NOT NULL,
  id    TEXT    NOT NULL,
  event TEXT    NOT NULL,
  kind  TEXT    NOT NULL,
  due   INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  body  BLOB    NOT NULL
);
CREATE UNIQUE INDEX job_id  ON job (conv, id);
CREATE        INDEX job_due ON job (due);
