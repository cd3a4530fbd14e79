-- Apps that act for users, and programs that act for a team. One that was deleted stays for as long as
-- something names it.
CREATE TABLE oauth_client (
    id UUID PRIMARY KEY,
    client_id TEXT NOT NULL,            -- what it calls itself; no secret
    name TEXT NOT NULL,
    is_public BOOLEAN NOT NULL,
    secret_hash BYTEA,                  -- NULL of a public one
    old_secret_hash BYTEA,              -- of the secret before, while that works too
    old_secret_until BIGINT,
    team UUID REFERENCES team (id),     -- where it acts for itself
    role TEXT CHECK (role IN ('admin', 'member')),
    scopes TEXT NOT NULL,               -- the most that it may ask for, separated by spaces
    redirect_uris TEXT NOT NULL,        -- separated by spaces
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    deleted_at BIGINT,
    CHECK ((team IS NULL) = (role IS NULL)),
    CHECK (is_public = (secret_hash IS NULL)),
    CHECK (team IS NOT NULL OR redirect_uris <> '')
);

CREATE UNIQUE INDEX oauth_client_client_id ON oauth_client (client_id);
CREATE INDEX oauth_client_team ON oauth_client (team, id) WHERE team IS NOT NULL;
CREATE INDEX oauth_client_deleted ON oauth_client (deleted_at) WHERE deleted_at IS NOT NULL;

-- What a user agreed to for an app in a team, once the app has come for it: the family of its tokens.
CREATE TABLE oauth_grant (
    id UUID PRIMARY KEY,
    client UUID NOT NULL REFERENCES oauth_client (id),
    team UUID NOT NULL REFERENCES team (id),
    user_id UUID NOT NULL REFERENCES app_user (id),
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,         -- when the user agreed
    expires_at BIGINT NOT NULL,
    last_used_at BIGINT,
    ended_at BIGINT
);

CREATE INDEX oauth_grant_client ON oauth_grant (client);
CREATE INDEX oauth_grant_member ON oauth_grant (team, user_id);
CREATE INDEX oauth_grant_expires ON oauth_grant (expires_at);
CREATE INDEX oauth_grant_ended ON oauth_grant (ended_at) WHERE ended_at IS NOT NULL;

-- Codes are good for a minute. One that was used is kept as long as what came from it.
CREATE TABLE oauth_code (
    hash BYTEA PRIMARY KEY,
    client UUID NOT NULL REFERENCES oauth_client (id),
    redirect_uri TEXT NOT NULL,
    is_redirect_sent BOOLEAN NOT NULL,
    challenge TEXT NOT NULL,
    user_id UUID NOT NULL REFERENCES app_user (id),
    team UUID NOT NULL REFERENCES team (id),
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    grant_id UUID REFERENCES oauth_grant (id)
);

CREATE INDEX oauth_code_client ON oauth_code (client);
CREATE INDEX oauth_code_expires ON oauth_code (expires_at) WHERE grant_id IS NULL;
CREATE INDEX oauth_code_grant ON oauth_code (grant_id) WHERE grant_id IS NOT NULL;

-- Refresh tokens, those that were used included, as long as their family lives.
CREATE TABLE oauth_refresh_token (
    hash BYTEA PRIMARY KEY,
    grant_id UUID NOT NULL REFERENCES oauth_grant (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);

-- The last interlock: of two that refresh at once, one finds this in its way.
CREATE UNIQUE INDEX one_live_refresh_token ON oauth_refresh_token (grant_id) WHERE used_at IS NULL;
CREATE INDEX oauth_refresh_token_grant ON oauth_refresh_token (grant_id);

-- Access tokens of apps. Without a grant it is the client's own.
CREATE TABLE oauth_access_token (
    id UUID PRIMARY KEY,
    hash BYTEA NOT NULL,
    client UUID NOT NULL REFERENCES oauth_client (id),
    team UUID NOT NULL REFERENCES team (id),
    grant_id UUID REFERENCES oauth_grant (id),
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
);

CREATE UNIQUE INDEX oauth_access_token_hash ON oauth_access_token (hash);
CREATE INDEX oauth_access_token_client ON oauth_access_token (client);
CREATE INDEX oauth_access_token_grant ON oauth_access_token (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_access_token_expires ON oauth_access_token (expires_at);
