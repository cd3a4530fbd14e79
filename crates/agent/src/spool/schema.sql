-- What an agent remembers. Times are microseconds since 1970, ids are 16 bytes.

-- Who the agent is, and how it is with the line: token, instance, server.
CREATE TABLE fact (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The printers that it has or had.
CREATE TABLE printer (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    uri TEXT NOT NULL,
    tls_key TEXT,
    abilities TEXT NOT NULL,
    is_online INTEGER NOT NULL,
    why_offline TEXT,
    misses INTEGER NOT NULL,
    looked_at INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    is_listed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Jobs, each with how far it is at its printer. custody: offered, ours, forgotten.
CREATE TABLE job (
    id BLOB PRIMARY KEY,
    printer TEXT NOT NULL,
    document BLOB NOT NULL,
    document_name TEXT NOT NULL,
    format TEXT NOT NULL,
    file_bytes INTEGER NOT NULL,
    width_um INTEGER,
    height_um INTEGER,
    copies INTEGER NOT NULL,
    custody TEXT NOT NULL,
    state TEXT NOT NULL,
    step TEXT NOT NULL,
    tries INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    sent_at INTEGER,
    is_answered INTEGER NOT NULL,
    silent_since INTEGER,
    look_at INTEGER,
    submission INTEGER NOT NULL,
    printer_job INTEGER,
    -- The last report that was made, answered or not.
    told TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    -- When its end was known to the server. The file goes then, the rest a while later.
    ended_at INTEGER
) STRICT;
CREATE INDEX job_by_look ON job (printer, look_at) WHERE look_at IS NOT NULL;
CREATE INDEX job_held ON job (id) WHERE ended_at IS NULL;
CREATE INDEX job_by_end ON job (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE file (
    job BLOB PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

-- What was sent to printers. A second live one of a job is refused here, whatever the code above
-- gets wrong.
CREATE TABLE submission (
    job BLOB NOT NULL,
    n INTEGER NOT NULL,
    printer TEXT NOT NULL,
    printer_job INTEGER,
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    ended_at INTEGER,
    outcome TEXT,
    evidence TEXT,
    PRIMARY KEY (job, n)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_live_submission ON submission (job)
    WHERE outcome IS NULL OR outcome IN ('accepted', 'unknown');

-- Reports that no server has answered yet, in the order in which they were made.
CREATE TABLE report (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    job BLOB NOT NULL,
    sequence INTEGER NOT NULL,
    state TEXT NOT NULL,
    message TEXT,
    at INTEGER NOT NULL,
    UNIQUE (job, sequence)
) STRICT;
