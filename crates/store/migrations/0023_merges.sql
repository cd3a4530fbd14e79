-- Documents that were joined into one file. They go after a week. Their rows are stored as those of
-- files of reports, which go after a while too: what source_type may say was settled before.
CREATE TABLE document_merge (
  team UUID NOT NULL REFERENCES team,
  id UUID NOT NULL,
  skipped TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (team, id));
CREATE INDEX document_merge_age ON document_merge (created_at);

ALTER TABLE document ADD COLUMN kind TEXT CHECK (kind = 'merge');
CREATE INDEX document_of_merge ON document (team, id) WHERE kind = 'merge';

-- Whether there is a picture of its pages.
ALTER TABLE document ADD COLUMN is_drawable BOOLEAN NOT NULL DEFAULT TRUE;
UPDATE document SET is_drawable = FALSE WHERE source_type = 'report' AND format = 'xlsx';
