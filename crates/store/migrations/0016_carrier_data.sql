-- What an adapter wants back for later calls about a booking: keys for cancelling, links to labels.
ALTER TABLE shipment ADD COLUMN carrier_data TEXT;
