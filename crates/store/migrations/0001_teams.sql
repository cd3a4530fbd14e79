-- Facts of the installation itself.
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE app_user (
    id UUID PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    language TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX app_user_email ON app_user (email);

CREATE TABLE team (
    id UUID PRIMARY KEY,
    name TEXT NOT NULL,
    domain TEXT NOT NULL,
    language TEXT NOT NULL,
    settings TEXT NOT NULL,
    settings_version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX team_domain ON team (domain);

CREATE TABLE member (
    team UUID NOT NULL REFERENCES team (id),
    user_id UUID NOT NULL REFERENCES app_user (id),
    role TEXT NOT NULL CHECK (role IN ('admin', 'member')),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (team, user_id)
);

CREATE INDEX member_user ON member (user_id);

-- Only the hash of a token is kept.
CREATE TABLE token (
    id UUID PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES app_user (id),
    name TEXT NOT NULL,
    hash BYTEA NOT NULL,
    scopes TEXT NOT NULL,
    expires_at BIGINT,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at BIGINT
);

CREATE UNIQUE INDEX token_hash ON token (hash);
CREATE INDEX token_user ON token (user_id);

-- Ids sort by creation, so the primary key also serves the list, newest first.
CREATE TABLE shipment_template (
    team UUID NOT NULL REFERENCES team (id),
    id UUID NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    shipment TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (team, id)
);
