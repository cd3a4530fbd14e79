//! Prints the contract as it is served, for tools that read it from a file.

fn main() {
    println!("{}", waybill_api::docs::OPENAPI);
}
