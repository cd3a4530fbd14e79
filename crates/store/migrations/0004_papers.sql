ALTER TABLE document ADD COLUMN width_um BIGINT;
ALTER TABLE document ADD COLUMN height_um BIGINT;
ALTER TABLE document ADD COLUMN page_count BIGINT;

CREATE TABLE manifest (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  carrier_code TEXT NOT NULL,
  shipment_count BIGINT NOT NULL CHECK (shipment_count > 0),
  parcel_count BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (team, id));

ALTER TABLE shipment ADD COLUMN manifest UUID;

CREATE INDEX shipment_manifest ON shipment (team, manifest);
CREATE INDEX shipment_to_close ON shipment (team, carrier_code, id)
  WHERE state = 'booked' AND manifest IS NULL;
CREATE INDEX shipment_created ON shipment (team, created_at, id);

CREATE TABLE report (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  kind TEXT NOT NULL,
  from_at BIGINT NOT NULL,
  to_at BIGINT NOT NULL,
  formats TEXT NOT NULL,
  language TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'ready', 'failed')),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (team, id));

CREATE UNIQUE INDEX shipment_id ON shipment (id);
