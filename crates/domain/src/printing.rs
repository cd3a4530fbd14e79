//! Why a label is not printed twice.
//!
//! A print job moves through five steps. Before anything goes to a printer the submission is
//! committed (`Creating`). An empty printer job is made under a name that carries our id; it prints
//! nothing. Its number is committed (`Sending`), and only whoever made that commit sends the file,
//! once. Everybody else who finds a job in `Sending` may look at the printer job by its number and
//! name, and never sends. A second printer job follows only when the first was found empty and read
//! back as cancelled. Where the evidence ends, the job is `unknown`, and a person looks.
//!
//! A print agent goes through the same steps on its own. For the server a job is then offered
//! (`Ready`), held by the agent (`Watching`) or over: `custody` says whose it is. From the commit
//! that makes it the agent's nobody offers it again.
//!
//! `decide` says what to do next, `record` what an observation changes. Both are total and pure,
//! and they are model-checked.

mod abilities;
mod custody;
mod evidence;
mod intake;
mod job_name;
mod machine;
mod media;
mod printer;
mod problem;
mod registration;
mod rule;
mod state;

pub use abilities::Abilities;
pub use custody::{Custody, Holding, Receipt, receive};
pub use evidence::{Evidence, PrinterJob, PrinterJobState, Proof};
pub use intake::Intake;
pub use job_name::JobName;
pub use machine::{AgentNews, Change, Next, SILENCE_MAX, Seen, decide, record};
pub use media::{Media, PaperSize, SIZES_MAX};
pub use printer::{FormatTypes, Uri, UriProblem, VIRTUAL_PRINTER};
pub use problem::{PrintFailure, PrintProblem};
pub use registration::{generate_code, hash_code};
pub use rule::{PrintFile, PrintRule, PrintingSettings};
pub use state::{
    AgentState, PrintSource, PrintState, PrintStep, Printing, Provider, ReportResult, Reported,
    SubmissionEnd,
};

use std::time::Duration;

/// A worker that has not begun to send so long after the commit does not send.
pub const SEND_WITHIN: Duration = Duration::from_secs(2);
/// A print agent that nobody has heard of for so long is taken for gone.
pub const AGENT_SILENCE_MAX: Duration = Duration::from_secs(45);
const MIB: u64 = 1024 * 1024;
/// No more is sent to a printer, with all copies that it does not make itself.
pub const FILE_BYTES_MAX: u64 = 64 * MIB;
/// How many copies may be asked for.
pub const COPIES_MAX: i64 = 99;
