-- Who asks for a report is told how many are not made yet. Almost all are.
CREATE INDEX report_pending ON report (team) WHERE state = 'pending';
