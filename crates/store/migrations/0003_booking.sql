CREATE TABLE carrier_account (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  carrier_code TEXT NOT NULL,
  name TEXT NOT NULL,
  is_active BOOLEAN NOT NULL,
  options TEXT NOT NULL,
  credentials BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (team, id));

CREATE TABLE shipment (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('pending', 'processing', 'booked', 'failed', 'cancelled', 'deleted')),
  step TEXT NOT NULL CHECK (step IN ('ready', 'calling', 'unknown', 'accepted', 'done')),
  ending TEXT CHECK (ending IN ('booked', 'rejected', 'technical', 'deadline')),
  identifier TEXT,
  reference TEXT,
  carrier_code TEXT NOT NULL,
  service_code TEXT NOT NULL,
  account UUID NOT NULL,
  input TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  parcels TEXT NOT NULL,
  codes TEXT,
  failure TEXT,
  carrier_reference TEXT,
  batch UUID,
  batch_position BIGINT,
  deadline_at BIGINT NOT NULL,
  give_up_at BIGINT NOT NULL,
  called_at BIGINT,
  tries BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  accepted_at BIGINT,
  booked_at BIGINT,
  cancelled_at BIGINT,
  PRIMARY KEY (team, id),
  FOREIGN KEY (team, account) REFERENCES carrier_account (team, id),
  CHECK (state <> 'booked' OR carrier_reference IS NOT NULL),
  CHECK (state <> 'deleted' OR carrier_reference IS NULL),
  CHECK (step <> 'accepted' OR carrier_reference IS NOT NULL));

CREATE INDEX shipment_updated ON shipment (team, updated_at, id);
CREATE INDEX shipment_reference ON shipment (team, reference, id);
CREATE INDEX shipment_identifier ON shipment (team, identifier, id);
CREATE INDEX shipment_state ON shipment (team, state, id);
CREATE INDEX shipment_account ON shipment (team, account);
CREATE INDEX shipment_processing ON shipment (deadline_at) WHERE state = 'processing';
CREATE UNIQUE INDEX shipment_batch ON shipment (team, batch, batch_position);

CREATE TABLE tracking_number (
  team UUID NOT NULL,
  number TEXT NOT NULL,
  shipment UUID NOT NULL,
  PRIMARY KEY (team, number, shipment),
  FOREIGN KEY (team, shipment) REFERENCES shipment (team, id));

CREATE TABLE carrier_call (
  team UUID NOT NULL,
  shipment UUID NOT NULL,
  n BIGINT NOT NULL,
  reference TEXT NOT NULL,
  fence BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  outcome TEXT CHECK (outcome IN ('accepted', 'rejected', 'not_sent', 'absent', 'unknown')),
  evidence TEXT,
  PRIMARY KEY (team, shipment, n),
  FOREIGN KEY (team, shipment) REFERENCES shipment (team, id));

CREATE UNIQUE INDEX carrier_call_reference ON carrier_call (reference);
CREATE UNIQUE INDEX one_live_call ON carrier_call (team, shipment)
  WHERE outcome IS NULL OR outcome IN ('accepted', 'unknown');

CREATE TABLE blob (
  hash BYTEA PRIMARY KEY,
  bytes BYTEA NOT NULL);

CREATE TABLE document (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  source_type TEXT NOT NULL CHECK (source_type IN ('shipment', 'manifest', 'report')),
  source UUID NOT NULL,
  position BIGINT NOT NULL,
  name TEXT NOT NULL,
  filename TEXT NOT NULL,
  types TEXT NOT NULL,
  format TEXT NOT NULL,
  size_bytes BIGINT NOT NULL,
  hash BYTEA NOT NULL REFERENCES blob,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (team, id));

CREATE UNIQUE INDEX document_source ON document (team, source_type, source, position);

CREATE UNIQUE INDEX document_id ON document (id);
