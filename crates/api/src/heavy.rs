//! A thread of its own for requests that cost much, such as those with large bodies. To read and
//! check one takes as long as hundreds of small requests: they wait for each other here, and the
//! small ones do not.

use std::sync::{Mutex, PoisonError};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tracing::Instrument;

/// Others go first when there are too few processors.
const NICE: i32 = 5;

/// The thread, once somebody has needed it. It ends with this.
#[derive(Default)]
pub struct Heavy(Mutex<Option<Thread>>);

struct Thread {
    handle: Handle,
    _until: oneshot::Sender<()>,
}

impl Heavy {
    /// Does this on the thread. It ends when nobody waits for it any more.
    pub async fn run<T>(&self, work: impl Future<Output = T> + Send + 'static) -> T
    where
        T: Send + 'static,
    {
        let Some(handle) = self.handle() else { return work.await };
        let mut alone = JoinSet::new();
        alone.spawn_on(work.in_current_span(), &handle);
        match alone.join_next().await {
            Some(Ok(done)) => done,
            Some(Err(failed)) if failed.is_panic() => {
                std::panic::resume_unwind(failed.into_panic())
            }
            // The thread ends only with the service, and so does whoever waits.
            _ => std::future::pending().await,
        }
    }

    /// The thread; none when the system has no more.
    fn handle(&self) -> Option<Handle> {
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            *thread = start().inspect_err(|error| tracing::error!(%error, "no thread")).ok();
        }
        thread.as_ref().map(|thread| thread.handle.clone())
    }
}

fn start() -> std::io::Result<Thread> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let (until, ended) = oneshot::channel();
    let run = move || {
        // On Linux this is about the thread alone. Without it the others only wait a little longer.
        if let Err(error) = rustix::process::nice(NICE) {
            tracing::debug!(%error, "large bodies are read as urgently as small ones");
        }
        let _over = runtime.block_on(ended);
    };
    std::thread::Builder::new().name("heavy".to_owned()).spawn(run)?;
    Ok(Thread { handle, _until: until })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread() -> Option<String> {
        std::thread::current().name().map(str::to_owned)
    }

    #[tokio::test]
    async fn work_is_done_on_the_thread_and_a_panic_is_its_callers() {
        let heavy = Heavy::default();
        assert_eq!(heavy.run(async { thread() }).await.as_deref(), Some("heavy"));
        let panics = std::panic::AssertUnwindSafe(heavy.run(async { panic!("as it was told to") }));
        let panicked: Result<(), _> = futures_util::FutureExt::catch_unwind(panics).await;
        assert!(panicked.is_err());
        assert_eq!(heavy.run(async { 1 }).await, 1);
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_ends() {
        let heavy = Heavy::default();
        let (sender, dropped) = oneshot::channel::<()>();
        let work = async move {
            let _sender = sender;
            std::future::pending::<()>().await;
        };
        let waited = tokio::time::timeout(std::time::Duration::from_millis(50), heavy.run(work));
        assert!(waited.await.is_err());
        assert!(dropped.await.is_err());
    }
}
