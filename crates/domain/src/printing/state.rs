//! A print job as the machine sees it.

use std::time::Duration;

use crate::named::named;
use crate::time::Time;

named! {
    /// How far a print job is, as everybody sees it.
    PrintState {
        Pending = "pending",
        Queued = "queued",
        Printing = "printing",
        Printed = "printed",
        Failed = "failed",
        Unknown = "unknown",
    }
    /// How far it is for those who print it.
    PrintStep {
        Ready = "ready",
        Creating = "creating",
        Sending = "sending",
        Watching = "watching",
        Over = "over",
    }
    /// What became of one submission.
    SubmissionEnd {
        Empty = "empty",
        Refused = "refused",
        Accepted = "accepted",
        Unknown = "unknown",
    }
    /// What asked for a print job.
    PrintSource { Api = "api", Booking = "booking", }
    /// What an agent tells of a job: how far it is, or that it has it.
    Reported {
        Stored = "stored",
        Queued = "queued",
        Printing = "printing",
        Printed = "printed",
        Failed = "failed",
        Unknown = "unknown",
    }
    /// What becomes of that.
    ReportResult { Taken = "taken", Known = "known", Refused = "refused", }
    /// How it is with an agent.
    AgentState { Pending = "pending", Online = "online", Offline = "offline", }
    /// Who speaks to a printer: this server, or an agent in the warehouse.
    Provider { Ipp = "ipp", Agent = "agent", }
}

/// What a process that is gone may have left on its way arrives within this time, and the file
/// itself at the pace of [`BYTES_A_SECOND`].
const IN_FLIGHT: Duration = Duration::from_secs(5);
/// The slowest line that is reckoned with.
const BYTES_A_SECOND: u64 = 256 * 1024;

/// A print job, as far as it matters for what may follow.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Printing {
    /// What everybody sees.
    pub state: PrintState,
    /// The step.
    pub step: PrintStep,
    /// How often in a row it was tried in this step without a change.
    pub tries: u32,
    /// The bytes of the file with all its copies, as they are sent.
    pub size: u64,
    /// It is not submitted after this time.
    pub expires_at: Time,
    /// When the commit was made after which the file may have left.
    pub sent_at: Option<Time>,
    /// Whether the printer has answered that it has the whole file.
    pub is_answered: bool,
    /// Since when the printer was asked about it in vain.
    pub silent_since: Option<Time>,
}

impl Printing {
    /// When everything that a process that is gone had sent has arrived.
    pub fn arrived_by(&self) -> Option<Time> {
        let transfer = Duration::from_secs(self.size / BYTES_A_SECOND);
        self.sent_at.map(|sent| sent.plus(IN_FLIGHT + transfer))
    }

    /// Whether the file cannot have left.
    pub fn is_unsent(&self) -> bool {
        matches!(self.step, PrintStep::Ready | PrintStep::Creating)
    }
}
