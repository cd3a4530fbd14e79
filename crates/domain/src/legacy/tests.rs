//! What bodies of v1 mean, and how shipments look to those who send them.

mod bodies;
mod catalog;
mod errors;
mod meaning;
mod mutations;
mod views;
