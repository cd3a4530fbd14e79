-- A parcel that is followed: what is known of it, and when to look again.
CREATE TABLE tracking (
  team UUID NOT NULL,
  id UUID NOT NULL,
  shipment UUID NOT NULL,
  parcel UUID NOT NULL,
  place BIGINT NOT NULL,                -- of the parcel in its shipment
  account UUID NOT NULL,
  carrier_code TEXT NOT NULL,
  service_code TEXT NOT NULL,
  number TEXT NOT NULL,
  url TEXT,
  state TEXT NOT NULL CHECK (state IN (
    'Pending', 'InfoReceived', 'InTransit', 'OutForDelivery', 'AvailableForPickup', 'AttemptFail',
    'Delivered', 'Exception', 'Returned', 'Expired')),
  status TEXT,
  newest_at BIGINT,
  estimate_start BIGINT,
  estimate_end BIGINT,
  estimated_at BIGINT,
  delivered_at BIGINT,
  returned_at BIGINT,
  updated_at BIGINT,                    -- when something new was heard; NULL before the first
  created_at BIGINT NOT NULL,
  look_at BIGINT,                       -- when the carrier is asked; NULL when not any more
  unwatched_since BIGINT,               -- until its account has an alarm for it; then NULL
  PRIMARY KEY (team, id),
  FOREIGN KEY (team, shipment) REFERENCES shipment (team, id),
  CHECK (state <> 'Delivered' OR delivered_at IS NOT NULL),
  CHECK (state <> 'Returned' OR returned_at IS NOT NULL));

CREATE INDEX tracking_shipment ON tracking (team, shipment, place);
CREATE INDEX tracking_of_number ON tracking (team, number);
CREATE INDEX tracking_created ON tracking (team, created_at, id);
CREATE INDEX tracking_look ON tracking (team, account, look_at) WHERE look_at IS NOT NULL;
CREATE INDEX tracking_unwatched ON tracking (unwatched_since) WHERE unwatched_since IS NOT NULL;

-- How far a team's feed goes. Whoever publishes holds its row until the commit, so that what
-- can be seen of the feed has no gap that is filled later.
CREATE TABLE feed (
  team UUID PRIMARY KEY REFERENCES team,
  last BIGINT NOT NULL,                 -- the last position that was given
  floor BIGINT NOT NULL CHECK (floor <= last)); -- positions up to this one have expired

-- What was heard of a parcel, and the parcel's standing after it. Each is one entry of the feed;
-- below the feed's floor it is history only.
CREATE TABLE tracking_event (
  team UUID NOT NULL,
  position BIGINT NOT NULL,
  id UUID NOT NULL,                     -- of the entry
  event UUID NOT NULL,                  -- of the event
  tracking UUID NOT NULL,
  shipment UUID NOT NULL,
  fingerprint BYTEA NOT NULL,
  code TEXT NOT NULL,
  happened_at BIGINT,
  location TEXT,
  coordinates TEXT,
  note TEXT,
  estimate_start BIGINT,
  estimate_end BIGINT,
  state TEXT NOT NULL,
  status TEXT,
  newest_at BIGINT,
  after_start BIGINT,
  after_end BIGINT,
  estimated_at BIGINT,
  delivered_at BIGINT,
  returned_at BIGINT,
  recorded_at BIGINT NOT NULL,
  published_at BIGINT NOT NULL,
  PRIMARY KEY (team, position),
  FOREIGN KEY (team, tracking) REFERENCES tracking (team, id));

CREATE UNIQUE INDEX tracking_event_once ON tracking_event (team, tracking, fingerprint);
CREATE INDEX tracking_event_of ON tracking_event (team, tracking, position);
CREATE INDEX tracking_event_shipment ON tracking_event (team, shipment, position);

-- What a carrier said that can not be, kept for the one who looks into it.
CREATE TABLE tracking_quarantine (
  team UUID NOT NULL,
  tracking UUID NOT NULL,
  fingerprint BYTEA NOT NULL,
  raw TEXT NOT NULL,
  why TEXT NOT NULL,
  recorded_at BIGINT NOT NULL,
  PRIMARY KEY (team, tracking, fingerprint),
  FOREIGN KEY (team, tracking) REFERENCES tracking (team, id));

CREATE UNIQUE INDEX carrier_account_id ON carrier_account (id);
