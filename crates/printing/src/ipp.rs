//! IPP, RFC 8010: read and written, for those who ask a printer and for those who are one. It does
//! no I/O.
//!
//! The writer is exact. The reader keeps what it can read: a value of a kind that it does not know,
//! or of the wrong length, is passed over and the rest counts. What another program writes is
//! bounded in bytes, values and depth.

mod encode;
mod message;
mod parse;
mod value;

pub use message::{Group, Message};
pub use parse::{BYTES_MAX, DEPTH_MAX, IppError, VALUES_MAX, parse};
pub use value::{Attribute, Kind, Value};

/// The groups of attributes, RFC 8010 section 3.5.1.
pub mod group {
    /// What the operation itself is about.
    pub const OPERATION: u8 = 0x01;
    /// A job.
    pub const JOB: u8 = 0x02;
    /// A printer.
    pub const PRINTER: u8 = 0x04;
    /// What the printer did not take.
    pub const UNSUPPORTED: u8 = 0x05;
}

/// The operations that we use, RFC 8011 section 5.4.15.
pub mod operation {
    /// Print-Job: a job with its document.
    pub const PRINT_JOB: u16 = 0x0002;
    /// Validate-Job: Print-Job without anything being printed.
    pub const VALIDATE_JOB: u16 = 0x0004;
    /// Create-Job: a job without a document.
    pub const CREATE_JOB: u16 = 0x0005;
    /// Send-Document: the document of a job.
    pub const SEND_DOCUMENT: u16 = 0x0006;
    /// Cancel-Job.
    pub const CANCEL_JOB: u16 = 0x0008;
    /// Get-Job-Attributes.
    pub const GET_JOB_ATTRIBUTES: u16 = 0x0009;
    /// Get-Jobs.
    pub const GET_JOBS: u16 = 0x000a;
    /// Get-Printer-Attributes.
    pub const GET_PRINTER_ATTRIBUTES: u16 = 0x000b;
    /// CUPS-Get-Printers, which is CUPS' own.
    pub const CUPS_GET_PRINTERS: u16 = 0x4002;
}
