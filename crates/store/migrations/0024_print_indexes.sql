-- What was sent is looked at when it is due: what waits to be sent, perhaps a thousand jobs, is not
-- passed by for that.
DROP INDEX print_job_look;
CREATE INDEX print_job_sent ON print_job (team, printer, look_at, id)
  WHERE look_at IS NOT NULL AND step <> 'ready';
-- Reports go by the time when a job was made.
CREATE INDEX print_job_created ON print_job (team, created_at, id);
-- What is counted every minute, without what printers say of themselves.
CREATE INDEX printer_counted ON printer (provider, is_online, deleted_at)
  WHERE deleted_at IS NULL;
CREATE INDEX print_agent_counted ON print_agent (is_online, token_hash, deleted_at)
  WHERE deleted_at IS NULL;
