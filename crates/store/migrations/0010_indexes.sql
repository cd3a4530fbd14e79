-- Most shipments have none of these: an index that leaves them out costs them nothing.
DROP INDEX shipment_reference;
CREATE INDEX shipment_reference ON shipment (team, reference, id) WHERE reference IS NOT NULL;
DROP INDEX shipment_identifier;
CREATE INDEX shipment_identifier ON shipment (team, identifier, id) WHERE identifier IS NOT NULL;
DROP INDEX shipment_manifest;
CREATE INDEX shipment_manifest ON shipment (team, manifest) WHERE manifest IS NOT NULL;

-- A canary for look-ups is the newest of its account and service.
DROP INDEX shipment_account;
CREATE INDEX shipment_account ON shipment (team, account, service_code, id);

-- The files of a thing are found whatever kind of thing it is.
DROP INDEX document_source;
CREATE UNIQUE INDEX document_source ON document (team, source, source_type, position);

DROP INDEX tracking_of_number;
CREATE INDEX tracking_of_number ON tracking (team, number, id);
DROP INDEX event_subject;
CREATE INDEX event_subject ON event (team, subject, occurred_at, id);
