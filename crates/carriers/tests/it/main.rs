//! Tests of the carriers over real connections.

mod harness;
mod journal;
mod label;
mod line;
mod scenarios;
