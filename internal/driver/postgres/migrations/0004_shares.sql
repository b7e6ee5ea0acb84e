-- Who besides its owner may use a conversation: links, and those who opened them.
CREATE TABLE share (
  conv    text   COLLATE "C" NOT NULL,
  id      text   COLLATE "C" NOT NULL, -- of a link and of those who opened it
  holder  text   COLLATE "C" NOT NULL, -- hash of the link's token, or an owner
  access  text   NOT NULL,
  created bigint NOT NULL,
  expires bigint NOT NULL,
  PRIMARY KEY (conv, holder, id)
);
CREATE INDEX share_holder ON share (holder, access);
