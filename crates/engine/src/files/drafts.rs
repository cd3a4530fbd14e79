//! What a crash leaves half-written in a folder: the drafts that objects are written to before they
//! get their names. Lists do not show them.

use std::path::Path;
use std::time::UNIX_EPOCH;

use waybill_domain::time::Time;

/// Folders lie this deep: `aside/ab`.
const DEPTH_MAX: usize = 2;

/// Removes drafts that were last written before this time, and tells how many.
pub fn clear(folder: &Path, before: Time) -> std::io::Result<usize> {
    clear_in(folder, before, 0)
}

fn clear_in(folder: &Path, before: Time, depth: usize) -> std::io::Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            if depth < DEPTH_MAX {
                count += clear_in(&entry.path(), before, depth + 1)?;
            }
            continue;
        }
        let is_draft = entry.file_name().to_str().is_some_and(is_draft);
        // It may get its name while we look.
        let Some(meta) = entry.metadata().ok().filter(|_| is_draft) else { continue };
        let written = meta.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        if Time(0).plus(written) < before && std::fs::remove_file(entry.path()).is_ok() {
            count += 1;
        }
    }
    Ok(count)
}

/// `cdef…#1`: the name of an object, a hash mark and a number.
fn is_draft(name: &str) -> bool {
    let Some((_, number)) = name.rsplit_once('#') else { return false };
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}
