//! Runs of the real program that a test can take a dose of: killed, stopped at named places or
//! frozen, and abused. The benchmarks are in the program.

pub mod abuse;
pub mod crash;
