//! The contract is written as YAML, one file for each area, and served as one JSON document. It is
//! merged here, so that the program does not carry a reader of YAML, and a contract that cannot be
//! read does not build.

mod merge;

use std::path::Path;
use std::process::ExitCode;

const CONTRACT: &str = "../../contract";

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed={CONTRACT}");
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            println!("cargo:error=the contract cannot be built: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> Result<(), String> {
    let contract = merge::read(Path::new(CONTRACT))?;
    let out = std::env::var("OUT_DIR").map_err(|error| error.to_string())?;
    std::fs::write(Path::new(&out).join("openapi.json"), contract.to_string())
        .map_err(|error| error.to_string())
}
