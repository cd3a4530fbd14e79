-- A shipment whose documents are tried again is `processing` once more. Its booking ended before:
-- it is not the member that its batch has in hand.
DROP INDEX one_member_at_a_time;
CREATE UNIQUE INDEX one_member_at_a_time ON shipment (team, batch)
  WHERE state = 'processing' AND ending IS NULL AND batch IS NOT NULL;
