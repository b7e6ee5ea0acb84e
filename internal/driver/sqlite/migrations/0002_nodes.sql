-- Leases: of a turn on its conversation, of an event on its record. One lives
-- while until lies ahead; the token outlives it.
ALTER TABLE conv ADD COLUMN node  TEXT    NOT NULL DEFAULT '';
ALTER TABLE conv ADD COLUMN until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conv ADD COLUMN token INTEGER NOT NULL DEFAULT 0;
ALTER TABLE record ADD COLUMN node  TEXT    NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE record ADD COLUMN token INTEGER NOT NULL DEFAULT 0;

-- What orphans are looked up in: all of it is in the index, and only what pends.
DROP INDEX record_pending;
CREATE INDEX record_pending ON record (conv, at, until) WHERE seq = 0;

-- How the turn went; NULL: not told. Goes with its frame.
ALTER TABLE frame ADD COLUMN trace BLOB;

-- Jobs that were given up: grave numbers them in order of burial, 0 is queued.
ALTER TABLE job ADD COLUMN grave INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN why   TEXT    NOT NULL DEFAULT '';
DROP INDEX job_due;
CREATE INDEX job_due   ON job (due)   WHERE grave = 0;
CREATE INDEX job_grave ON job (grave) WHERE grave > 0;
