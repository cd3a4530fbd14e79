-- Sets of shipments that are booked one at a time.
CREATE TABLE batch (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('open', 'queued', 'processing', 'completed', 'stopping', 'stopped')),
  identifier TEXT,
  reference TEXT,
  member_count BIGINT NOT NULL,       -- how many were ever added: the next position
  pending_count BIGINT NOT NULL CHECK (pending_count >= 0),
  processing_count BIGINT NOT NULL CHECK (processing_count IN (0, 1)),
  booked_count BIGINT NOT NULL CHECK (booked_count >= 0),
  failed_count BIGINT NOT NULL CHECK (failed_count >= 0),
  cancelled_count BIGINT NOT NULL CHECK (cancelled_count >= 0),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  started_at BIGINT,
  finished_at BIGINT,
  PRIMARY KEY (team, id),
  CHECK ((finished_at IS NOT NULL) = (state IN ('completed', 'stopped'))));

CREATE INDEX batch_state ON batch (team, state, started_at);
-- The last interlock: two members of a batch are never booked at once.
CREATE UNIQUE INDEX one_member_at_a_time ON shipment (team, batch)
  WHERE state = 'processing' AND batch IS NOT NULL;
CREATE INDEX batch_pending ON shipment (team, batch, batch_position) WHERE state = 'pending';
CREATE UNIQUE INDEX webhook_batch ON webhook (team, batch);
