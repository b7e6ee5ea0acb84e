-- What a frame says, for a search.
ALTER TABLE frame ADD COLUMN said bytea;
