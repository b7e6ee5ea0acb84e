-- What a frame says, for a search. The index holds it, so that a search reads no frames.
ALTER TABLE frame ADD COLUMN said BLOB;
CREATE INDEX frame_said ON frame (conv, seq, said) WHERE said IS NOT NULL;
