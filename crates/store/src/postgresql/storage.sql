-- How the tables are kept. It is said anew after each migration, as far as the tables are there.
DO $$
DECLARE
  wanted RECORD;
BEGIN
  FOR wanted IN SELECT * FROM (VALUES
    -- A booking is written three times. The second changes no indexed column: with room on its page
    -- no index hears of it, and the log only of what has changed.
    ('shipment', 'fillfactor = 65'),
    ('job', 'fillfactor = 50'),
    -- Rows come and go: what is gone is cleared away soon, and not at a part of a large table.
    ('job', 'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000'),
    ('pending_event', 'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000'),
    ('unscheduled_tracking',
     'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000')
  ) AS settings (name, storage) LOOP
    IF to_regclass(wanted.name) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %I SET (%s)', wanted.name, wanted.storage);
    END IF;
  END LOOP;
  -- Each row of these would lock the row of its team, which all who work for the team write to the
  -- log. A deleted team keeps its row, and `waybill check` looks for rows without one.
  FOR wanted IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
    WHERE contype = 'f' AND confrelid = to_regclass('team')
      AND conrelid IN (to_regclass('shipment'), to_regclass('idempotency'), to_regclass('job'),
                       to_regclass('event'), to_regclass('document')) LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', wanted.name, wanted.conname);
  END LOOP;
END $$;
