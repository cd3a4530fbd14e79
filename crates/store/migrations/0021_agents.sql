-- Programs that print in warehouses. One that is removed stays, for the jobs that name it.
CREATE TABLE print_agent (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  name TEXT NOT NULL,
  hostname TEXT,
  version TEXT,
  code_hash BYTEA,                    -- of a code that nobody has used
  code_expires_at BIGINT,
  token_hash BYTEA,                   -- NULL until it registers, and when it is removed
  spool TEXT,                         -- where the agent of the last session keeps its jobs
  session UUID,                       -- the one that may call
  is_online BOOLEAN NOT NULL,
  seen_at BIGINT,                     -- when it was last heard, by the clock that servers share
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  PRIMARY KEY (team, id),
  CHECK (NOT is_online OR (session IS NOT NULL AND deleted_at IS NULL)));

CREATE UNIQUE INDEX print_agent_code ON print_agent (code_hash) WHERE code_hash IS NOT NULL;
CREATE UNIQUE INDEX print_agent_token ON print_agent (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX print_agent_deleted ON print_agent (deleted_at) WHERE deleted_at IS NOT NULL;

-- A printer that an agent has.
ALTER TABLE printer ADD COLUMN agent UUID;
ALTER TABLE printer ADD COLUMN agent_key TEXT;       -- what the agent knows it by
ALTER TABLE printer ADD COLUMN agent_name TEXT;      -- what it is called there
ALTER TABLE printer ADD COLUMN reported_online BOOLEAN; -- NULL when the last list was without it

CREATE UNIQUE INDEX printer_key ON printer (team, agent, agent_key)
  WHERE agent IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX printer_deleted ON printer (deleted_at) WHERE deleted_at IS NOT NULL;

ALTER TABLE print_job ADD COLUMN agent UUID;         -- that has the printer
ALTER TABLE print_job ADD COLUMN spool TEXT;         -- that holds it, from the commit on that says so
ALTER TABLE print_job ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0; -- of the last report taken

-- What is offered to an agent: what expires first is the oldest. And what the agent holds.
CREATE INDEX print_job_offered ON print_job (team, agent, expires_at, id)
  WHERE agent IS NOT NULL AND step = 'ready';
CREATE INDEX print_job_held ON print_job (team, agent, id)
  WHERE agent IS NOT NULL AND step = 'watching';

-- What agents told of jobs.
CREATE TABLE print_report (
  team UUID NOT NULL,
  print_job UUID NOT NULL,
  sequence BIGINT NOT NULL,
  state TEXT NOT NULL,
  said TEXT,
  told_at BIGINT NOT NULL,            -- by the agent's clock
  taken_at BIGINT NOT NULL,
  PRIMARY KEY (team, print_job, sequence),
  FOREIGN KEY (team, print_job) REFERENCES print_job (team, id));
