-- What lists of conversations show, and whether the owner put one away.
ALTER TABLE conv ADD COLUMN title    TEXT    NOT NULL DEFAULT '';
ALTER TABLE conv ADD COLUMN first    TEXT    NOT NULL DEFAULT ''; -- how the first message begins
ALTER TABLE conv ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
DROP INDEX conv_owner;
CREATE INDEX conv_owner ON conv (owner, archived, created, id);
