//! Whether writing works. A full disk still lets readers read, so those who watch would not see it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Error, Result, Tx};

/// What became of the last transaction that wrote something or was to.
#[derive(Default)]
pub(crate) struct Writing {
    has_failed: AtomicBool,
}

impl Writing {
    /// Notes how a transaction ended that was to write. One that changed nothing proves nothing.
    pub(crate) fn note(&self, failure: Option<&Error>, has_changed: bool) {
        match failure {
            Some(Error::Unavailable(_)) => self.has_failed.store(true, Ordering::Relaxed),
            None if has_changed => self.has_failed.store(false, Ordering::Relaxed),
            _ => {}
        }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}

/// Writes something that leaves no trace.
pub(crate) fn try_to_write(tx: &mut Tx<'_>) -> Result<()> {
    let name = "can-write";
    crate::meta::insert_if_absent(tx, name, "")?;
    tx.exec("DELETE FROM meta WHERE name = $1", &[name.into()])?;
    Ok(())
}
