-- Shipments that came by the first version of the API, with what their callers sent: they are shown
-- it as they sent it.
CREATE TABLE legacy_booking (
  team UUID NOT NULL,
  shipment UUID NOT NULL,
  fingerprint BYTEA,                  -- of the request, until the same one is another shipment
  is_demo BOOLEAN NOT NULL,
  carrier TEXT NOT NULL,              -- as it was asked for
  method TEXT NOT NULL,
  kept TEXT NOT NULL,                 -- JSON; it names people
  created_at BIGINT NOT NULL,
  answered_at BIGINT,                 -- when all of a label had gone out
  PRIMARY KEY (team, shipment),
  FOREIGN KEY (team, shipment) REFERENCES shipment (team, id));

-- The same request many times at once is one shipment.
CREATE UNIQUE INDEX legacy_booking_open ON legacy_booking (team, fingerprint)
  WHERE fingerprint IS NOT NULL;

-- Labels that were printed as one file: which, for as long as the link to it is good.
CREATE TABLE legacy_combination (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  shipments TEXT NOT NULL,            -- ids, separated by spaces
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (team, id));

CREATE UNIQUE INDEX legacy_combination_id ON legacy_combination (id);
CREATE INDEX legacy_combination_expires ON legacy_combination (expires_at);
