//! How many connections there may be: as many as the process may have files open, and not more than
//! we want.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Open connections in all, if the process may have so many files open.
const CONNECTIONS_MAX: usize = 10_000;
/// Connections that are kept open for a moment after they made room for others.
const LINGERING_MAX: usize = 2000;
/// So few are worth a warning.
const CONNECTIONS_FEW: usize = 1000;
/// Files that are left for everything else.
const FILES_KEPT: u64 = 256;

/// Raises the limit of open files as far as the process may, and warns when it stays low.
pub fn raise_file_limit() {
    let allowed = getrlimit(Resource::Nofile);
    let _as_before = setrlimit(Resource::Nofile, Rlimit { current: allowed.maximum, ..allowed });
    let connections = connections_max();
    if connections < CONNECTIONS_FEW {
        tracing::warn!(
            connections,
            "few connections fit: let the process open more files (`ulimit -n`)"
        );
    }
}

/// So many connections as there may be files, and no more than we want.
pub fn connections_max() -> usize {
    files_max().clamp(1, CONNECTIONS_MAX)
}

/// So many that made room for others may stay open for a moment, if there are files left for them.
pub fn lingering_max() -> usize {
    files_max().saturating_sub(CONNECTIONS_MAX).min(LINGERING_MAX)
}

fn files_max() -> usize {
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(files.saturating_sub(FILES_KEPT)).unwrap_or(usize::MAX)
}
