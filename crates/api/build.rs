//! The contract is written as YAML and served as JSON. It is converted here, so that the program
//! does not carry a reader of YAML, and a contract that cannot be read does not build.

use std::path::Path;

const CONTRACT: &str = "../../contract/openapi.yaml";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed={CONTRACT}");
    let contract: serde_json::Value = serde_saphyr::from_str(&std::fs::read_to_string(CONTRACT)?)?;
    let out = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&out).join("openapi.json"), contract.to_string())?;
    Ok(())
}
