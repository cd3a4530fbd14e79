//! The server's side: the row of the job, and the session that may call.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::ids::PrintAgentId;
use waybill_domain::printing::{
    AgentNews, Custody, Holding, PrintProblem, PrintState, PrintStep, Printing, Receipt,
    ReportResult, Reported, Seen, receive, record,
};
use waybill_domain::time::Time;

use super::SESSIONS_MAX;
use super::flaws::Flaw;

const NOW: Time = Time(1_000_000_000_000_000);
const AGENT: PrintAgentId = PrintAgentId(Uuid::from_u128(3));
const SPOOLS: [&str; 2] = ["the first", "the second"];

/// What a program asks for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Call {
    /// A session; whether the job is in its spool.
    Open { holds: bool },
    /// Something to print.
    Claim { session: u8 },
    /// A report.
    Report { session: u8, said: Reported, sequence: i64 },
}

/// What it is told.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// Its session, and whether it is to forget the job.
    Opened { session: u8, forget: bool },
    /// The job, which is now in nobody's hands.
    Offered,
    /// Nothing to print.
    Nothing,
    /// What became of this report.
    Result(Reported, ReportResult),
    /// Another session has begun.
    Over,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Server {
    printing: Printing,
    spool: Option<usize>,
    sequence: i64,
    /// The number of the session that may call, and its spool.
    session: u8,
    current: Option<usize>,
    pub was_silent: bool,
}

impl Server {
    pub fn new() -> Server {
        Server {
            printing: Printing {
                state: PrintState::Pending,
                step: PrintStep::Ready,
                tries: 0,
                size: 1000,
                expires_at: NOW.plus(Duration::from_hours(1)),
                sent_at: None,
                is_answered: false,
                silent_since: None,
            },
            spool: None,
            sequence: 0,
            session: 0,
            current: None,
            was_silent: false,
        }
    }

    pub fn state(&self) -> PrintState {
        self.printing.state
    }

    pub fn is_unsent(&self) -> bool {
        self.printing.is_unsent()
    }

    pub fn is_held(&self) -> bool {
        self.printing.step == PrintStep::Watching
    }

    fn custody(&self, spool: usize, flaw: Option<Flaw>) -> Custody {
        let holder = match flaw {
            Some(Flaw::AnySpool) => self.spool.map(|_| SPOOLS[spool]),
            _ => self.spool.map(|holder| SPOOLS[holder]),
        };
        let held = Holding { agent: Some(AGENT), spool: holder, sequence: self.sequence };
        match Custody::of(&self.printing, held, (AGENT, SPOOLS[spool])) {
            Custody::Foreign if flaw == Some(Flaw::OfferHeld) => Custody::Offered,
            custody => custody,
        }
    }

    /// Answers a call of this program. Nothing when the world has seen enough.
    pub fn answer(&mut self, program: usize, call: &Call, flaw: Option<Flaw>) -> Option<Answer> {
        let is_current = |session: u8| session == self.session || flaw == Some(Flaw::AnySession);
        Some(match call {
            Call::Open { holds } => {
                if self.session >= SESSIONS_MAX {
                    return None;
                }
                if self.is_held() && self.spool != Some(program) {
                    self.see(AgentNews::Gone(PrintProblem::AgentReplaced));
                }
                self.session += 1;
                self.current = Some(program);
                let forget = *holds && self.custody(program, flaw) == Custody::Foreign;
                Answer::Opened { session: self.session, forget }
            }
            Call::Claim { session } if !is_current(*session) => Answer::Over,
            Call::Claim { .. } => match self.custody(program, flaw) {
                Custody::Offered => Answer::Offered,
                _ => Answer::Nothing,
            },
            Call::Report { session, .. } if !is_current(*session) => Answer::Over,
            Call::Report { said, sequence, .. } => {
                // It is the session's spool that counts.
                let spool = self.current.unwrap_or(program);
                Answer::Result(*said, self.report(spool, *said, *sequence, flaw))
            }
        })
    }

    fn report(
        &mut self,
        spool: usize,
        said: Reported,
        sequence: i64,
        flaw: Option<Flaw>,
    ) -> ReportResult {
        let custody = self.custody(spool, flaw);
        match receive(&self.printing, custody, (said, sequence), NOW) {
            Receipt::Taken(seen) => {
                self.spool = Some(spool);
                self.sequence = sequence;
                self.write(seen);
                ReportResult::Taken
            }
            Receipt::Known => ReportResult::Known,
            Receipt::Refused(seen) => {
                if let Some(seen) = seen {
                    self.write(seen);
                }
                ReportResult::Refused
            }
        }
    }

    pub fn give_up(&mut self) -> bool {
        self.write(Seen::Unwanted(PrintProblem::Cancelled));
        self.printing.state == PrintState::Failed
    }

    pub fn fall_silent(&mut self) {
        self.was_silent = true;
        self.see(AgentNews::Silent);
    }

    fn see(&mut self, news: AgentNews) {
        self.write(Seen::Agent(news));
    }

    fn write(&mut self, seen: Seen) {
        let change = record(&self.printing, seen, NOW);
        // How often it was tried makes no difference to what may follow.
        self.printing = Printing { tries: 0, ..change.job };
    }
}
