-- Who besides its owner may use a conversation: links, and those who opened them.
CREATE TABLE share (
  conv    INTEGER NOT NULL,
  id      TEXT    NOT NULL,           -- of a link and of those who opened it
  holder  TEXT    NOT NULL,           -- hash of the link's token, or an owner
  access  TEXT    NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (conv, holder, id)
) WITHOUT ROWID;
CREATE INDEX share_holder ON share (holder, access);
