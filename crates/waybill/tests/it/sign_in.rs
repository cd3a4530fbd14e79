//! People who sign in in a browser, and let apps act for them.

mod consent;
mod limits;
mod pages;
mod redirects;
mod sessions;
pub mod visitor;
mod welcome;
