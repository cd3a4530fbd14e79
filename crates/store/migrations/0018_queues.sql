-- What waits for something stands in a small table of its own and leaves it when it is done: the
-- rows that are kept for long are written once.
CREATE TABLE pending_event (
  team UUID NOT NULL,
  since BIGINT NOT NULL,
  event UUID NOT NULL,
  kind TEXT NOT NULL,
  batch UUID,
  PRIMARY KEY (team, since, event));

INSERT INTO pending_event (team, since, event, kind, batch)
  SELECT team, pending_since, id, kind, batch FROM event WHERE pending_since IS NOT NULL;
DROP INDEX event_pending;
ALTER TABLE event DROP COLUMN pending_since;

-- Parcels that no alarm knows of.
CREATE TABLE unscheduled_tracking (
  since BIGINT NOT NULL,
  tracking UUID NOT NULL,
  team UUID NOT NULL,
  account UUID NOT NULL,
  poll_at BIGINT NOT NULL,
  PRIMARY KEY (since, tracking));

INSERT INTO unscheduled_tracking (since, tracking, team, account, poll_at)
  SELECT unwatched_since, id, team, account, look_at FROM tracking
   WHERE unwatched_since IS NOT NULL AND look_at IS NOT NULL;
DROP INDEX tracking_unwatched;
ALTER TABLE tracking DROP COLUMN unwatched_since;

-- A job that is done leaves the table; the fence of the next one is later than that of any before.
DELETE FROM job WHERE run_at IS NULL;
