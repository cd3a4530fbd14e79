-- Each start of a server begins an epoch. A position that was told in an epoch which this database
-- does not know was told by a database that was lost: this one is an older copy.
CREATE TABLE epoch (
  number BIGINT PRIMARY KEY,
  id UUID NOT NULL,
  began_at BIGINT NOT NULL,
  copy TEXT NOT NULL,                   -- which copy of the database it was
  lost_after BIGINT);                   -- not NULL when the copy before was another one: what
                                        -- happened from then until this epoch began may be lost

CREATE UNIQUE INDEX epoch_id ON epoch (id);

-- The epoch in which an entry was published.
ALTER TABLE tracking_event ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
