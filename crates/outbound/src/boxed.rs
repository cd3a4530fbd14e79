//! Futures whose shape is not told.

use std::pin::Pin;

/// A future that is compiled here, once. What an `async fn` does is compiled again in every crate
/// that awaits it, here with all of HTTP.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
