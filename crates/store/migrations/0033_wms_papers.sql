-- Pick lists and packing slips of a request: a row for each time that they were made. They go when
-- documents that were joined go. Their files are stored as those of reports, too; what kind may say
-- was settled before.
CREATE TABLE wms_paper (
  team UUID NOT NULL,
  id UUID NOT NULL,
  fulfilment UUID NOT NULL,
  first BIGINT NOT NULL,              -- the position of the first of its files
  file_count BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (team, id),
  FOREIGN KEY (team, fulfilment) REFERENCES wms_fulfilment (team, id));

CREATE INDEX wms_paper_fulfilment ON wms_paper (team, fulfilment, created_at);
CREATE INDEX wms_paper_age ON wms_paper (created_at);

ALTER TABLE document ADD COLUMN source_kind TEXT CHECK (source_kind = 'fulfilment_request');
CREATE INDEX document_of_fulfilment ON document (team, id) WHERE source_kind IS NOT NULL;
