-- The service points of one carrier in one country. The version grows with every change: whoever
-- keeps the positions in memory compares it with the one that they were read at.
CREATE TABLE service_point_set (
  carrier TEXT NOT NULL,
  country TEXT NOT NULL,
  version BIGINT NOT NULL,
  digest BIGINT NOT NULL,             -- of all points, when all came at once; else 0
  point_count BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (carrier, country));

-- A point that is not offered any more keeps its row, so that it has the same id when it returns.
CREATE TABLE service_point (
  id UUID PRIMARY KEY,
  carrier TEXT NOT NULL,
  country TEXT NOT NULL,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('parcel_shop', 'locker', 'post_office', 'depot')),
  address TEXT NOT NULL,
  postal_key TEXT NOT NULL,
  city_key TEXT NOT NULL,
  latitude BIGINT NOT NULL,           -- millionths of a degree
  longitude BIGINT NOT NULL,
  opening_hours TEXT,
  seen_in BIGINT NOT NULL,            -- the latest import that had it
  is_active BOOLEAN NOT NULL);

CREATE UNIQUE INDEX service_point_code ON service_point (carrier, country, code);
CREATE INDEX service_point_list ON service_point (carrier, country, id) WHERE is_active;
CREATE INDEX service_point_postal ON service_point (carrier, country, postal_key, id)
  WHERE is_active;
CREATE INDEX service_point_city ON service_point (carrier, country, city_key, id) WHERE is_active;

-- What a team pays: its rows in the order of their list.
CREATE TABLE rate (
  team UUID NOT NULL REFERENCES team,
  place BIGINT NOT NULL,
  service_code TEXT NOT NULL,
  country TEXT,                       -- of the zone; NULL for everywhere else
  body TEXT NOT NULL,
  PRIMARY KEY (team, place));

CREATE INDEX rate_country ON rate (team, country);
