-- The warehouse: what a team has. One that is removed stays, for its ledger.
CREATE TABLE wms_item (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  sku TEXT NOT NULL,
  barcode TEXT,
  details TEXT NOT NULL,              -- JSON: the item as it is shown
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT,
  PRIMARY KEY (team, id));

CREATE UNIQUE INDEX wms_item_sku ON wms_item (team, sku) WHERE deleted_at IS NULL;
CREATE INDEX wms_item_barcode ON wms_item (team, barcode, id)
  WHERE barcode IS NOT NULL AND deleted_at IS NULL;

-- How many pieces of an item lie at a location, and how many of them are promised. Names are bytes
-- here: that is the order in which locations are emptied and levels are listed.
CREATE TABLE wms_level (
  team UUID NOT NULL,
  item UUID NOT NULL,
  location BYTEA NOT NULL,
  id UUID NOT NULL,                   -- the place of a cursor
  sku BYTEA NOT NULL,
  on_hand BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  is_listed BOOLEAN NOT NULL,         -- until its item is removed
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (team, item, location),
  FOREIGN KEY (team, item) REFERENCES wms_item (team, id),
  CHECK (reserved >= 0),
  CHECK (reserved <= on_hand),
  CHECK (on_hand <= 1000000000));

CREATE UNIQUE INDEX wms_level_id ON wms_level (team, id);
CREATE INDEX wms_level_sku ON wms_level (team, sku, location, id) WHERE is_listed;
CREATE INDEX wms_level_location ON wms_level (team, location, sku, id) WHERE is_listed;
CREATE INDEX wms_level_updated ON wms_level (updated_at);

-- What came and went. Nothing here changes or goes.
CREATE TABLE wms_adjustment (
  team UUID NOT NULL,
  id UUID NOT NULL,
  item UUID NOT NULL,
  sku TEXT NOT NULL,
  location BYTEA NOT NULL,
  delta BIGINT NOT NULL CHECK (delta <> 0),
  reason TEXT,
  fulfilment UUID,                    -- the request that it was shipped for
  created_at BIGINT NOT NULL,
  PRIMARY KEY (team, id),
  FOREIGN KEY (team, item, location) REFERENCES wms_level (team, item, location));

CREATE INDEX wms_adjustment_level ON wms_adjustment (team, item, location, delta);
CREATE INDEX wms_adjustment_sku ON wms_adjustment (team, sku, id);
CREATE INDEX wms_adjustment_place ON wms_adjustment (team, sku, location, id);
CREATE INDEX wms_adjustment_location ON wms_adjustment (team, location, id);
CREATE INDEX wms_adjustment_fulfilment ON wms_adjustment (team, fulfilment, id)
  WHERE fulfilment IS NOT NULL;

-- What a warehouse is asked for.
CREATE TABLE wms_fulfilment (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('received', 'allocated', 'backordered', 'picking', 'packed', 'shipped', 'cancelled')),
  identifier TEXT,
  reference TEXT,
  lines TEXT NOT NULL,                -- JSON: the lines, and where their stock is
  input TEXT NOT NULL,                -- JSON: the shipment as it was given; it names people
  shipment UUID,                      -- the latest that was made for it
  request_id TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  allocated_at BIGINT,
  packed_at BIGINT,
  shipped_at BIGINT,
  cancelled_at BIGINT,
  PRIMARY KEY (team, id),
  CHECK ((state = 'shipped') = (shipped_at IS NOT NULL)),
  CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (state <> 'shipped' OR shipment IS NOT NULL));

CREATE INDEX wms_fulfilment_state ON wms_fulfilment (team, state, id);
CREATE INDEX wms_fulfilment_identifier ON wms_fulfilment (team, identifier, id)
  WHERE identifier IS NOT NULL;
CREATE INDEX wms_fulfilment_reference ON wms_fulfilment (team, reference, id)
  WHERE reference IS NOT NULL;
CREATE UNIQUE INDEX wms_fulfilment_shipment ON wms_fulfilment (team, shipment)
  WHERE shipment IS NOT NULL;

-- Which items it is for.
CREATE TABLE wms_line (
  team UUID NOT NULL,
  fulfilment UUID NOT NULL,
  item UUID NOT NULL,
  quantity BIGINT NOT NULL,
  is_open BOOLEAN NOT NULL,           -- until it is shipped or cancelled
  PRIMARY KEY (team, fulfilment, item),
  FOREIGN KEY (team, fulfilment) REFERENCES wms_fulfilment (team, id),
  FOREIGN KEY (team, item) REFERENCES wms_item (team, id));

CREATE INDEX wms_line_item ON wms_line (team, item) WHERE is_open;

-- Pieces that are promised to it: for as long as they are, and then no more.
CREATE TABLE wms_hold (
  team UUID NOT NULL,
  item UUID NOT NULL,
  location BYTEA NOT NULL,
  fulfilment UUID NOT NULL,
  quantity BIGINT NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (team, item, location, fulfilment),
  FOREIGN KEY (team, item, location) REFERENCES wms_level (team, item, location),
  FOREIGN KEY (team, fulfilment, item) REFERENCES wms_line (team, fulfilment, item));

CREATE INDEX wms_hold_fulfilment ON wms_hold (team, fulfilment, item, location);

-- The request that a shipment is for.
ALTER TABLE shipment ADD COLUMN fulfilment UUID;
