//! The `waybill` program.

use std::process::ExitCode;

/// Steadier under load than the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    waybill_cli::cli::main()
}
