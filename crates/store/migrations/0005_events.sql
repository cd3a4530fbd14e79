-- What happened, written down in the transaction that did it.
CREATE TABLE event (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  kind TEXT NOT NULL,
  subject UUID NOT NULL,
  batch UUID,
  ids TEXT NOT NULL,
  occurred_at BIGINT NOT NULL,
  untold_since BIGINT,                -- until it has its deliveries; then NULL
  PRIMARY KEY (team, id));

CREATE INDEX event_subject ON event (team, subject);
CREATE INDEX event_time ON event (team, occurred_at, id);
CREATE INDEX event_untold ON event (untold_since) WHERE untold_since IS NOT NULL;

-- A batch's own callback is one too: it hears of its batch alone and is not listed.
CREATE TABLE webhook (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  url TEXT NOT NULL,
  kinds TEXT NOT NULL,
  is_active BOOLEAN NOT NULL,
  disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing')),
  secrets BYTEA NOT NULL,
  batch UUID,
  failing_since BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  PRIMARY KEY (team, id));

CREATE TABLE delivery (
  team UUID NOT NULL,
  id UUID NOT NULL,
  webhook UUID NOT NULL,
  event UUID NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  started_at BIGINT,                  -- when the first attempt of this round began
  next_at BIGINT,                     -- when the next attempt is due; NULL when none is
  created_at BIGINT NOT NULL,
  delivered_at BIGINT,
  PRIMARY KEY (team, id),
  FOREIGN KEY (team, webhook) REFERENCES webhook (team, id),
  FOREIGN KEY (team, event) REFERENCES event (team, id),
  CHECK ((state = 'pending') = (next_at IS NOT NULL)));

CREATE UNIQUE INDEX delivery_event ON delivery (team, event, webhook);
CREATE INDEX delivery_list ON delivery (team, webhook, id);
CREATE INDEX delivery_due ON delivery (team, webhook, next_at) WHERE next_at IS NOT NULL;

CREATE INDEX delivery_age ON delivery (created_at) WHERE next_at IS NULL;

CREATE TABLE delivery_attempt (
  team UUID NOT NULL,
  id UUID NOT NULL,
  delivery UUID NOT NULL,
  attempted_at BIGINT NOT NULL,
  status BIGINT,
  latency_micros BIGINT NOT NULL,
  response TEXT,
  error TEXT,
  PRIMARY KEY (team, id),
  FOREIGN KEY (team, delivery) REFERENCES delivery (team, id));

CREATE INDEX delivery_attempt_of ON delivery_attempt (team, delivery, id);
