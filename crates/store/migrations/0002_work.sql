-- An alarm: what is due when. The subject's own row says what to do.
CREATE TABLE job (
    kind TEXT NOT NULL,
    subject UUID NOT NULL,
    team UUID REFERENCES team (id),
    run_at BIGINT,                      -- when due; while leased, when the lease ends; else NULL
    due_at BIGINT,                      -- while leased, when it had been due; else NULL
    wanted_at BIGINT,                   -- while leased, when it was asked for again; else NULL
    fence BIGINT NOT NULL DEFAULT 0,    -- grows with every claim and never shrinks
    attempt BIGINT NOT NULL DEFAULT 0,  -- claims since it was last finished
    note TEXT,
    PRIMARY KEY (kind, subject)
);

CREATE INDEX job_due ON job (run_at) WHERE run_at IS NOT NULL;

CREATE TABLE idempotency (
    team UUID NOT NULL REFERENCES team (id),
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    resource UUID,
    status BIGINT NOT NULL,
    accepted_at BIGINT NOT NULL,
    PRIMARY KEY (team, method, path, key)
);

CREATE INDEX idempotency_age ON idempotency (accepted_at);
-- Empty but for requests that are being accepted: the check of it costs nothing.
CREATE INDEX idempotency_unbound ON idempotency (accepted_at) WHERE resource IS NULL;

-- When the bucket is full again.
CREATE TABLE rate_limit (
    team UUID NOT NULL REFERENCES team (id),
    bucket TEXT NOT NULL,
    full_at BIGINT NOT NULL,
    PRIMARY KEY (team, bucket)
);
