INSERT INTO meta (name, value) VALUES ('users', '');  -- who adds a user locks this row

-- The link by which the first user comes in, while there is none. Each start of a server replaces it.
CREATE TABLE setup_link (
  hash BYTEA PRIMARY KEY,             -- of the link
  expires_at BIGINT NOT NULL);
