-- A token that is good in one team alone. Most are good in all teams of their user.
ALTER TABLE token ADD COLUMN team UUID;
CREATE INDEX token_team ON token (team, id) WHERE team IS NOT NULL;

-- Whoever runs the installation. That is not a role in a team.
ALTER TABLE app_user ADD COLUMN is_operator BOOLEAN NOT NULL DEFAULT FALSE;

-- Members are listed by the time at which they came.
CREATE INDEX member_since ON member (team, created_at, user_id);

-- Links that let somebody into a team. Only the hash of a link is kept.
CREATE TABLE invitation (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  email TEXT NOT NULL,                -- in small letters
  role TEXT NOT NULL CHECK (role IN ('admin', 'member')),
  hash BYTEA NOT NULL,
  invited_by UUID NOT NULL REFERENCES app_user,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  accepted_at BIGINT,
  revoked_at BIGINT,                  -- taken back, or replaced by a newer one
  PRIMARY KEY (team, id),
  CHECK (accepted_at IS NULL OR revoked_at IS NULL));

CREATE UNIQUE INDEX invitation_hash ON invitation (hash);
CREATE UNIQUE INDEX invitation_open ON invitation (team, email)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;

-- Who did what to what. Nothing changes a line. What a user did with its own account has a line in
-- each of its teams, all with one id.
CREATE TABLE audit (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  at BIGINT NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'token', 'client', 'operator', 'system')),
  actor UUID,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_kind TEXT NOT NULL,
  subject UUID NOT NULL,
  subject_name TEXT,
  changes TEXT NOT NULL,              -- JSON, never with a secret
  request_id TEXT,
  address TEXT,
  PRIMARY KEY (team, id));

CREATE INDEX audit_at ON audit (at);
