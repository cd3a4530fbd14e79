-- Printers of a team. One that is removed stays, for the jobs that name it.
CREATE TABLE printer (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  provider TEXT NOT NULL CHECK (provider IN ('ipp', 'agent')),
  name TEXT NOT NULL,
  uri TEXT,                           -- of one that the server calls itself
  formats TEXT,                       -- the team's own word on what it takes, separated by spaces
  abilities TEXT NOT NULL,            -- what it says of itself
  is_online BOOLEAN NOT NULL,
  misses BIGINT NOT NULL,             -- looks in a row that failed
  looked_at BIGINT NOT NULL,
  asked_at BIGINT NOT NULL,           -- when it was last asked for all that it says of itself
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  PRIMARY KEY (team, id));

CREATE UNIQUE INDEX printer_uri ON printer (team, uri) WHERE deleted_at IS NULL;

-- Attempts to print a file. Names are those of the time when the job was made.
CREATE TABLE print_job (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  document UUID NOT NULL,
  document_name TEXT NOT NULL,
  document_types TEXT NOT NULL,
  document_format TEXT NOT NULL,
  document_pages BIGINT,
  shipment UUID,
  printer UUID,
  printer_name TEXT,
  copies BIGINT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('api', 'booking')),
  request_id TEXT,
  state TEXT NOT NULL CHECK (state IN
    ('pending', 'queued', 'printing', 'printed', 'failed', 'unknown')),
  problem TEXT,
  said TEXT,
  step TEXT NOT NULL CHECK (step IN ('ready', 'creating', 'sending', 'watching', 'over')),
  tries BIGINT NOT NULL,
  size_bytes BIGINT NOT NULL,         -- as they are sent
  expires_at BIGINT NOT NULL,
  submission BIGINT NOT NULL,         -- the number of the last one; 0 before the first
  printer_job BIGINT,                 -- its number at the printer
  sent_at BIGINT,
  is_answered BOOLEAN NOT NULL,
  silent_since BIGINT,
  look_at BIGINT,                     -- when somebody looks at it again; NULL when it is over
  created_at BIGINT NOT NULL,
  queued_at BIGINT,
  printed_at BIGINT,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (team, id),
  FOREIGN KEY (team, document) REFERENCES document (team, id),
  FOREIGN KEY (team, printer) REFERENCES printer (team, id),
  CHECK ((step = 'over') = (look_at IS NULL)),
  CHECK ((state = 'printed') = (printed_at IS NOT NULL)),
  CHECK ((state IN ('failed', 'unknown')) = (problem IS NOT NULL)));

CREATE INDEX print_job_document ON print_job (team, document, id);
CREATE INDEX print_job_printer ON print_job (team, printer, id);
CREATE INDEX print_job_not_printed ON print_job (team, state, id) WHERE state <> 'printed';
-- What waits to be sent goes in the order of creation; what was sent is looked at when it is due.
CREATE INDEX print_job_ready ON print_job (team, printer, id) WHERE step = 'ready';
CREATE INDEX print_job_look ON print_job (team, printer, look_at) WHERE look_at IS NOT NULL;
CREATE INDEX print_job_sending ON print_job (sent_at) WHERE step = 'sending';
CREATE INDEX print_job_shipment ON print_job (team, shipment, id) WHERE look_at IS NOT NULL;

-- What may have left for a printer, written before it does.
CREATE TABLE print_submission (
  team UUID NOT NULL,
  print_job UUID NOT NULL,
  n BIGINT NOT NULL,
  fence BIGINT NOT NULL,
  printer_job BIGINT,
  created_at BIGINT NOT NULL,
  sent_at BIGINT,
  ended_at BIGINT,
  outcome TEXT CHECK (outcome IN ('empty', 'refused', 'accepted', 'unknown')),
  evidence TEXT,
  PRIMARY KEY (team, print_job, n),
  FOREIGN KEY (team, print_job) REFERENCES print_job (team, id));

-- The last interlock: whatever the code above it gets wrong, a file is not sent to two printer jobs.
CREATE UNIQUE INDEX one_live_submission ON print_submission (team, print_job)
  WHERE outcome IS NULL OR outcome IN ('accepted', 'unknown');

-- The newest attempt of a document, and how far it is.
ALTER TABLE document ADD COLUMN print_job UUID;
ALTER TABLE document ADD COLUMN print_status TEXT;
