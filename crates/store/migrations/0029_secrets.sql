-- Secrets that clients had before, for as long as they work. Each that was replaced has its own time.
CREATE TABLE oauth_old_secret (
  client UUID NOT NULL REFERENCES oauth_client,
  hash BYTEA NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (client, hash));

INSERT INTO oauth_old_secret (client, hash, until)
  SELECT id, old_secret_hash, old_secret_until FROM oauth_client
   WHERE old_secret_hash IS NOT NULL AND old_secret_until IS NOT NULL AND deleted_at IS NULL;
ALTER TABLE oauth_client DROP COLUMN old_secret_hash;
ALTER TABLE oauth_client DROP COLUMN old_secret_until;
