//! Crash runs of the real program: killed, stopped at named places, frozen. The benchmarks are in
//! the program; these are a library, so that a test can run a dose of them.

pub mod crash;
