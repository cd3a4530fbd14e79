//! Why a print job failed, or what is not known of it.

use crate::document::Format;
use crate::named::named;
use crate::words::Message;

named! {
    /// The kinds of reasons.
    PrintProblem {
        NoRule = "no_rule",
        CannotTake = "cannot_take",
        TooManyCopies = "too_many_copies",
        TooLarge = "too_large",
        Refused = "refused",
        Expired = "expired",
        PrinterRemoved = "printer_removed",
        Cancelled = "cancelled",
        ShipmentCancelled = "shipment_cancelled",
        FileGone = "file_gone",
        CancelledAtPrinter = "cancelled_at_printer",
        StoppedByPrinter = "stopped_by_printer",
        Forgotten = "forgotten",
        NotProved = "not_proved",
        Interrupted = "interrupted",
        NotPrinted = "not_printed",
        Unreachable = "unreachable",
        AgentSilent = "agent_silent",
        AgentReplaced = "agent_replaced",
        AgentRemoved = "agent_removed",
        AgentFailed = "agent_failed",
        AgentUnsure = "agent_unsure",
        Restored = "restored",
    }
}

impl PrintProblem {
    /// Those after which nobody knows whether something was printed.
    pub const UNKNOWN: &[PrintProblem] = &[
        PrintProblem::Forgotten,
        PrintProblem::NotProved,
        PrintProblem::Interrupted,
        PrintProblem::Unreachable,
        PrintProblem::AgentSilent,
        PrintProblem::AgentReplaced,
        PrintProblem::AgentRemoved,
        PrintProblem::AgentUnsure,
        PrintProblem::Restored,
    ];
}

/// No more of what a printer says is kept.
const SAID_MAX: usize = 500;

/// A reason, with what the printer said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintFailure {
    /// The kind of reason.
    pub problem: PrintProblem,
    /// The printer's own words, or what a sentence of ours needs.
    pub said: Option<String>,
}

impl PrintFailure {
    /// A reason about which the printer said nothing.
    pub fn new(problem: PrintProblem) -> PrintFailure {
        PrintFailure { problem, said: None }
    }

    /// The reason with what was said, without control characters, cut when it is long.
    pub fn said(problem: PrintProblem, said: &str) -> PrintFailure {
        let said: String = said.chars().filter(|c| !c.is_control()).take(SAID_MAX).collect();
        PrintFailure { problem, said: Some(said).filter(|said| !said.trim().is_empty()) }
    }

    /// Whether only the file's format was said, because the printer takes none that is known.
    fn is_without_formats(&self) -> bool {
        self.said.as_ref().is_some_and(|said| Format::parse(said).is_some())
    }

    /// What people are told.
    pub fn message(&self) -> Message {
        let message = Message::new(match self.problem {
            PrintProblem::NoRule => "print-no-rule",
            PrintProblem::CannotTake if self.is_without_formats() => "print-takes-nothing",
            PrintProblem::CannotTake => "print-cannot-take",
            PrintProblem::TooManyCopies => "print-too-many-copies",
            PrintProblem::TooLarge => "print-too-large",
            PrintProblem::Refused => "print-refused",
            PrintProblem::Expired => "print-expired",
            PrintProblem::PrinterRemoved => "print-printer-removed",
            PrintProblem::Cancelled => "print-cancelled",
            PrintProblem::ShipmentCancelled => "print-shipment-cancelled",
            PrintProblem::FileGone => "print-file-gone",
            PrintProblem::CancelledAtPrinter => "print-cancelled-at-printer",
            PrintProblem::StoppedByPrinter => "print-stopped-by-printer",
            PrintProblem::Forgotten => "print-forgotten",
            PrintProblem::NotProved => "print-not-proved",
            PrintProblem::Interrupted => "print-interrupted",
            PrintProblem::NotPrinted => "print-not-printed",
            PrintProblem::Unreachable => "print-unreachable",
            PrintProblem::AgentSilent => "print-agent-silent",
            PrintProblem::AgentReplaced => "print-agent-replaced",
            PrintProblem::AgentRemoved => "print-agent-removed",
            PrintProblem::AgentFailed => "print-agent-failed",
            PrintProblem::AgentUnsure => "print-agent-unsure",
            PrintProblem::Restored => "print-restored",
        });
        message.text("said", self.said.as_deref().unwrap_or_default())
    }
}
