//! Waiting for a future on the main thread.

use std::pin::Pin;

use tokio::runtime::Runtime;

/// Waits for the future. It is boxed, because the runtime is compiled once more, in several copies,
/// for each type of future that it waits for.
pub fn block_on<'a, T>(runtime: &Runtime, future: impl Future<Output = T> + 'a) -> T {
    let future: Pin<Box<dyn Future<Output = T> + 'a>> = Box::pin(future);
    runtime.block_on(future)
}
