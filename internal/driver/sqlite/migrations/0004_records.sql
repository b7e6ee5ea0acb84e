-- What the forms, tables and maps of an application committed. record, above, keeps
-- received events.
CREATE TABLE app_record (
  n       INTEGER PRIMARY KEY,        -- order of creation
  name    TEXT    NOT NULL,
  id      TEXT    NOT NULL,
  version INTEGER NOT NULL,           -- the newest; the earlier ones are in app_record_old
  owner   TEXT    NOT NULL,
  created INTEGER NOT NULL,
  author  TEXT    NOT NULL,
  conv    TEXT    NOT NULL,
  event   TEXT    NOT NULL,
  at      INTEGER NOT NULL,
  fields  BLOB    NOT NULL,           -- names of the fields in app_term
  body    BLOB    NOT NULL
);
CREATE UNIQUE INDEX app_record_id    ON app_record (name, id);
CREATE        INDEX app_record_at    ON app_record (name, at, n);
CREATE        INDEX app_record_owner ON app_record (name, owner, at, n);

CREATE TABLE app_record_old (
  n       INTEGER PRIMARY KEY,
  record  INTEGER NOT NULL,
  version INTEGER NOT NULL,
  author  TEXT    NOT NULL,
  conv    TEXT    NOT NULL,
  event   TEXT    NOT NULL,
  at      INTEGER NOT NULL,
  body    BLOB    NOT NULL
);
CREATE UNIQUE INDEX app_record_old_version ON app_record_old (record, version);

-- What the newest version of a record is found by. at is that version's, so that equal
-- texts are in the order of a list.
CREATE TABLE app_term (
  field INTEGER NOT NULL,             -- hash of name and field
  text  TEXT    NOT NULL,
  at    INTEGER NOT NULL,
  n     INTEGER NOT NULL,             -- of app_record
  PRIMARY KEY (field, text, at, n)
) WITHOUT ROWID;
CREATE INDEX app_term_of ON app_term (n, field, text);
