-- The time by which things are forgotten, in a single row. It goes on only while servers run, and
-- hardly faster than time itself does: a clock that is set ahead makes nobody forget too early.
CREATE TABLE retention (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  now BIGINT NOT NULL);
