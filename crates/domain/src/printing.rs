//! Why a label is not printed twice.
//!
//! A print job moves through five steps. Before anything goes to a printer the submission is
//! committed (`Creating`). An empty printer job is made under a name that carries our id; it prints
//! nothing. Its number is committed (`Sending`), and only whoever made that commit sends the file,
//! once. Everybody else who finds a job in `Sending` may look at the printer job by its number and
//! name, and never sends. A second printer job follows only when the first was found empty and read
//! back as cancelled. Where the evidence ends, the job is `unknown`, and a person looks.
//!
//! `decide` says what to do next, `record` what an observation changes. Both are total and pure,
//! and they are model-checked.

mod abilities;
mod evidence;
mod job_name;
mod machine;
mod media;
mod printer;
mod problem;
mod rule;
mod state;

pub use abilities::Abilities;
pub use evidence::{Evidence, PrinterJob, PrinterJobState, Proof};
pub use job_name::JobName;
pub use machine::{Change, Next, Seen, decide, record};
pub use media::{Media, PaperSize, SIZES_MAX};
pub use printer::{FormatTypes, Uri, UriProblem, VIRTUAL_PRINTER};
pub use problem::{PrintFailure, PrintProblem};
pub use rule::{PrintFile, PrintRule, PrintingSettings};
pub use state::{PrintSource, PrintState, PrintStep, Printing, Provider, SubmissionEnd};

use std::time::Duration;

/// A printer's job that nobody has heard of for so long is `unknown`.
pub const SILENCE_MAX: Duration = Duration::from_secs(120);
/// A worker that has not begun to send so long after the commit does not send.
pub const SEND_WITHIN: Duration = Duration::from_secs(2);
/// How many copies may be asked for.
pub const COPIES_MAX: i64 = 99;
