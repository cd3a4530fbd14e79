-- Printers sign their certificates themselves: one is known again by the hash of its public key. And
-- why one is offline, in its own words where it has any.
ALTER TABLE printer ADD COLUMN tls_key TEXT;
ALTER TABLE printer ADD COLUMN why_offline TEXT;
