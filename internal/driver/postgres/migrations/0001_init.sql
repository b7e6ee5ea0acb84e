-- A conversation's id is, or starts, every key: each table can be partitioned by
-- hash of it without a change of queries. No foreign keys: conversations are
-- never removed, and a key share on conv at each append would cost its HOT
-- updates. Times of the caller are microseconds since 1970, UTC; times of leases
-- are the server's. Names are text as text.go writes it, compared byte by byte.

-- The row every append updates: small, and no index holds what changes.
CREATE TABLE conv (
  id      text COLLATE "C" PRIMARY KEY,
  log     text   NOT NULL,
  owner   text   COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  seq     bigint NOT NULL DEFAULT 0, -- head
  floor   bigint NOT NULL DEFAULT 0, -- frames with seq <= floor are trimmed
  node    text   COLLATE "C" NOT NULL DEFAULT '', -- who has leased the turn, or had
  token   bigint NOT NULL DEFAULT 0,
  until   timestamptz                -- end of that lease
) WITH (fillfactor = 70);
CREATE INDEX conv_owner ON conv (owner, created, id);

CREATE TABLE frame (
  conv  text COLLATE "C" NOT NULL,
  seq   bigint NOT NULL,
  body  bytea  NOT NULL,
  trace bytea,
  PRIMARY KEY (conv, seq)
);

CREATE TABLE snapshot (
  conv text COLLATE "C" NOT NULL,
  seq  bigint NOT NULL,
  body bytea  NOT NULL,
  PRIMARY KEY (conv, seq)
);

CREATE SEQUENCE arrival;

CREATE TABLE record (
  conv   text COLLATE "C" NOT NULL,
  event  text COLLATE "C" NOT NULL,
  key    text COLLATE "C" NOT NULL,  -- '' none
  hash   text   NOT NULL,
  at     bigint NOT NULL,
  n      bigint NOT NULL DEFAULT nextval('arrival'), -- order of arrival
  starts bigint NOT NULL DEFAULT 0,
  seq    bigint NOT NULL DEFAULT 0,  -- frame that answers it; 0 pending
  node   text COLLATE "C" NOT NULL DEFAULT '', -- who has leased the event, or had
  token  bigint NOT NULL DEFAULT 0,
  until  timestamptz,
  body   bytea  NOT NULL,
  answer bytea  NOT NULL DEFAULT '',
  PRIMARY KEY (conv, event)
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX record_key     ON record (conv, key) WHERE key <> '';
CREATE        INDEX record_pending ON record (conv)      WHERE seq = 0;
CREATE        INDEX record_done    ON record (at)        WHERE seq > 0;

CREATE TABLE note (
  conv  text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  step  bigint NOT NULL,
  body  bytea   NOT NULL,
  PRIMARY KEY (conv, event, step)
);

CREATE TABLE blob (
  conv text COLLATE "C" NOT NULL,
  id   text COLLATE "C" NOT NULL,
  name text   NOT NULL,
  type text   NOT NULL,
  at   bigint NOT NULL,
  body bytea  NOT NULL,
  PRIMARY KEY (conv, id)
);
ALTER TABLE blob ALTER body SET STORAGE EXTERNAL; -- pictures and archives do not shrink

CREATE TABLE job (
  conv   text COLLATE "C" NOT NULL,
  id     text COLLATE "C" NOT NULL,
  event  text   NOT NULL,
  kind   text   NOT NULL,
  due    bigint NOT NULL,
  tries  bigint NOT NULL DEFAULT 0,
  n      bigint NOT NULL DEFAULT nextval('arrival'),
  buried timestamptz,               -- when it was given up
  why    text   NOT NULL DEFAULT '',
  body   bytea  NOT NULL,
  PRIMARY KEY (conv, id)
);
CREATE INDEX job_due    ON job (due, n)    WHERE buried IS NULL;
CREATE INDEX job_buried ON job (buried, n) WHERE buried IS NOT NULL;
