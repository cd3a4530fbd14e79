-- Webhooks hear of what happened to one team after another: the events that wait are found by team.
ALTER TABLE event RENAME COLUMN untold_since TO pending_since;
DROP INDEX event_untold;
CREATE INDEX event_pending ON event (team, pending_since) WHERE pending_since IS NOT NULL;
