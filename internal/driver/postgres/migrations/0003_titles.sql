-- What lists of conversations show, and whether the owner put one away. Appends change
-- none of what the index has.
ALTER TABLE conv ADD COLUMN title    text    NOT NULL DEFAULT '';
ALTER TABLE conv ADD COLUMN first    text    NOT NULL DEFAULT ''; -- how the first message begins
ALTER TABLE conv ADD COLUMN archived boolean NOT NULL DEFAULT false;
DROP INDEX conv_owner;
CREATE INDEX conv_owner ON conv (owner, archived, created, id);
