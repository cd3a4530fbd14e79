//! Tests of the carriers over real connections.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bring;
mod budbee;
mod catalog;
mod conversation;
mod dao;
mod echo;
mod faults;
mod gls;
mod harness;
mod hosts;
mod journal;
mod label;
mod legacy;
mod line;
mod offers;
mod pages;
mod postnord;
mod recorded;
mod scenarios;
mod texts;
mod tracking;
