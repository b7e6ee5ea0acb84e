-- What the forms, tables and maps of an application committed. record, above, keeps
-- received events. Terms are UTF-8 without zero bytes and kept as they are.
CREATE TABLE app_record (
  n       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- order of creation
  name    text   COLLATE "C" NOT NULL,
  id      text   COLLATE "C" NOT NULL,
  version bigint NOT NULL,            -- the newest; the earlier ones are in app_record_old
  owner   text   COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  author  text   NOT NULL,
  conv    text   COLLATE "C" NOT NULL,
  event   text   COLLATE "C" NOT NULL,
  at      bigint NOT NULL,
  fields  bytea  NOT NULL,            -- names of the fields in app_term
  body    bytea  NOT NULL
);
CREATE UNIQUE INDEX app_record_id    ON app_record (name, id);
CREATE        INDEX app_record_at    ON app_record (name, at, n);
CREATE        INDEX app_record_owner ON app_record (name, owner, at, n);

CREATE TABLE app_record_old (
  record  bigint NOT NULL,
  version bigint NOT NULL,
  author  text   NOT NULL,
  conv    text   COLLATE "C" NOT NULL,
  event   text   COLLATE "C" NOT NULL,
  at      bigint NOT NULL,
  body    bytea  NOT NULL,
  PRIMARY KEY (record, version)
);

-- What the newest version of a record is found by. at is that version's, so that equal
-- texts are in the order of a list.
CREATE TABLE app_term (
  field bigint NOT NULL,              -- hash of name and field
  text  text   COLLATE "C" NOT NULL,
  at    bigint NOT NULL,
  n     bigint NOT NULL,              -- of app_record
  PRIMARY KEY (field, text, at, n)
);
CREATE INDEX app_term_of ON app_term (n, field, text);
