-- Event ids are made in order of time: an index that begins with them grows at its
-- end, for all conversations at once, where one that begins with the conversation
-- touches a page for each. What belongs to a conversation is found by its keys,
-- and what has no key by record_bare.
DROP INDEX record_event;
CREATE UNIQUE INDEX record_event ON record (event, conv);
CREATE        INDEX record_bare  ON record (conv) WHERE key = '';
