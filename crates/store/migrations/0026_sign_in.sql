-- People who sign in in a browser.
CREATE TABLE user_password (
  user_id UUID PRIMARY KEY REFERENCES app_user,
  hash TEXT NOT NULL,                 -- Argon2id, as a PHC string
  updated_at BIGINT NOT NULL);

CREATE TABLE browser_session (
  id UUID PRIMARY KEY,
  user_id UUID NOT NULL REFERENCES app_user,
  hash BYTEA NOT NULL,                -- of what the cookie holds
  address TEXT NOT NULL,              -- that the browser signed in from
  user_agent TEXT,
  created_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  ended_at BIGINT);                   -- NULL unless somebody ended it

CREATE UNIQUE INDEX browser_session_hash ON browser_session (hash);
CREATE INDEX browser_session_user ON browser_session (user_id) WHERE ended_at IS NULL;
CREATE INDEX browser_session_seen ON browser_session (seen_at);

-- Who failed when: each row is one window of one limit.
CREATE TABLE failure_window (
  key BYTEA PRIMARY KEY,              -- a MAC of the limit and of whom it is about
  times TEXT NOT NULL,                -- microseconds, with spaces between them
  until BIGINT NOT NULL);             -- by then all of them are forgotten

CREATE INDEX failure_window_until ON failure_window (until);
