-- What may go after a while is found by its age.
CREATE INDEX attempt_age ON attempt (tried_at, team, shipment, n);
CREATE INDEX report_age ON report (updated_at) WHERE state <> 'pending';
CREATE INDEX tracking_quarantine_age ON tracking_quarantine (recorded_at);

-- Files of reports go too. Whether another report has the same bytes is found here.
CREATE INDEX document_of_report ON document (hash) WHERE source_type = 'report';
-- Bytes that only reports have. An index of all documents by their hash would tell the same, and
-- every label would have to be written into it.
ALTER TABLE blob ADD COLUMN is_temporary BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE blob SET is_temporary = TRUE
 WHERE hash IN (SELECT hash FROM document WHERE source_type = 'report'
                EXCEPT SELECT hash FROM document WHERE source_type <> 'report');

-- Most shipments are booked in the end, and most documents are labels. Whoever lists the others finds
-- them here, and not by walking through all.
CREATE INDEX shipment_not_booked ON shipment (team, state, updated_at, id)
  WHERE state IN ('failed', 'cancelled');
CREATE INDEX document_no_label ON document (team, source_type, id) WHERE types <> 'label';
