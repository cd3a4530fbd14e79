-- The request that made a shipment, and the one for which a job runs, when there is one.
ALTER TABLE shipment ADD COLUMN request_id TEXT;
ALTER TABLE job ADD COLUMN request_id TEXT;

-- What was tried with a shipment and how that ended, for the one who asks why. What a carrier was
-- asked to book is in carrier_call; this is the rest, and what went wrong there on the way.
CREATE TABLE attempt (
  team UUID NOT NULL,
  shipment UUID NOT NULL,
  n BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('book', 'look_up', 'documents', 'cancel')),
  outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused', 'failed', 'unclear')),
  words TEXT,
  request_id TEXT,
  tried_at BIGINT NOT NULL,
  PRIMARY KEY (team, shipment, n),
  FOREIGN KEY (team, shipment) REFERENCES shipment (team, id));
