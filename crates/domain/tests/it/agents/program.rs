//! A program that works as the agent: what it must do, and what it keeps.

use waybill_domain::printing::{ReportResult, Reported};

use super::flaws::Flaw;
use super::server::{Answer, Call};

/// What its spool says of the job. It survives a crash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stored {
    /// Nothing.
    #[default]
    Nothing,
    /// The job and its file, and nobody has said yet that it may be printed.
    Kept,
    /// It may be printed.
    Taken,
    /// It is being printed.
    Printing,
    /// It was printed.
    Printed,
    /// It may have been printed.
    Unsure,
    /// It is somebody else's.
    Forgotten,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Program {
    pub stored: Stored,
    /// Its session, which does not survive a crash.
    session: Option<u8>,
    /// Another session has begun: it prints no more until it is started anew.
    is_stopped: bool,
}

impl Program {
    pub fn is_running(&self) -> bool {
        self.session.is_some()
    }

    /// What it calls next. It waits for one answer at a time.
    pub fn call(&self) -> Option<Call> {
        if self.is_stopped {
            return None;
        }
        let Some(session) = self.session else {
            let holds = !matches!(self.stored, Stored::Nothing | Stored::Forgotten);
            return Some(Call::Open { holds });
        };
        let report = |said, sequence| Some(Call::Report { session, said, sequence });
        match self.stored {
            Stored::Nothing => Some(Call::Claim { session }),
            Stored::Kept => report(Reported::Stored, 1),
            Stored::Printed => report(Reported::Printed, 2),
            Stored::Unsure => report(Reported::Unknown, 2),
            Stored::Taken | Stored::Printing | Stored::Forgotten => None,
        }
    }

    pub fn may_print(&self, flaw: Option<Flaw>) -> bool {
        let is_allowed = self.stored == Stored::Taken
            || (flaw == Some(Flaw::PrintUntaken) && self.stored == Stored::Kept);
        is_allowed && self.session.is_some() && !self.is_stopped
    }

    pub fn hear(&mut self, answer: Answer) {
        match answer {
            Answer::Opened { session, forget } => {
                self.session = Some(session);
                if forget {
                    self.forget();
                }
            }
            // The file comes with it, and both are synced before anything is said of them.
            Answer::Offered => self.stored = Stored::Kept,
            Answer::Nothing => {}
            Answer::Over => self.is_stopped = true,
            Answer::Result(Reported::Stored, ReportResult::Taken | ReportResult::Known) => {
                if self.stored == Stored::Kept {
                    self.stored = Stored::Taken;
                }
            }
            Answer::Result(_, ReportResult::Refused) => self.forget(),
            Answer::Result(..) => {}
        }
    }

    /// What came out, or may have, is not undone by forgetting.
    fn forget(&mut self) {
        if matches!(self.stored, Stored::Kept | Stored::Taken) {
            self.stored = Stored::Forgotten;
        }
    }

    pub fn crash(&mut self) {
        if self.stored == Stored::Printing {
            self.stored = Stored::Unsure;
        }
        self.session = None;
        self.is_stopped = false;
    }
}
