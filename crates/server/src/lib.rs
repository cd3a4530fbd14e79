//! What we do: the HTTP API (`api`), the background work (`work`), and the command line (`cli`).
//!
//! `api` and `work` never import each other: they meet in the store.

pub mod api;
pub mod app;
pub mod batching;
pub mod breaker;
pub mod cancellation;
pub mod cli;
pub mod clock;
pub mod config;
pub mod desk;
pub mod failpoint;
pub mod failure;
pub mod files;
pub mod furnish;
pub mod heavy;
pub mod ingest;
pub mod keys;
pub mod listen;
pub mod logs;
pub mod memory;
pub mod not_booked;
pub mod papers;
pub mod pauses;
pub mod per_team;
pub mod planted;
pub mod points;
pub mod proxies;
pub mod rates;
pub mod signing;
pub mod telemetry;
pub mod timings;
pub mod turns;
pub mod vault;
pub mod wake;
pub mod work;
