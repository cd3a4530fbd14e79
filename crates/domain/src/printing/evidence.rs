//! What a printer says about a job, and what that proves.

use super::job_name::JobName;

/// The states of a printer job, RFC 8011 section 5.3.7.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PrinterJobState {
    /// 3: it waits.
    Pending,
    /// 4: it is held.
    Held,
    /// 5: it is printed.
    Processing,
    /// 6: it is interrupted.
    Stopped,
    /// 7: somebody cancelled it.
    Cancelled,
    /// 8: the printer gave it up.
    Aborted,
    /// 9: it is over.
    Completed,
}

impl PrinterJobState {
    /// Reads the number of RFC 8011.
    pub fn parse(number: i32) -> Option<PrinterJobState> {
        Some(match number {
            3 => PrinterJobState::Pending,
            4 => PrinterJobState::Held,
            5 => PrinterJobState::Processing,
            6 => PrinterJobState::Stopped,
            7 => PrinterJobState::Cancelled,
            8 => PrinterJobState::Aborted,
            9 => PrinterJobState::Completed,
            _ => return None,
        })
    }

    /// Whether the printer has not begun.
    pub fn is_waiting(self) -> bool {
        matches!(self, PrinterJobState::Pending | PrinterJobState::Held)
    }

    /// Whether the printer is done without printing it.
    pub fn is_given_up(self) -> bool {
        matches!(self, PrinterJobState::Cancelled | PrinterJobState::Aborted)
    }
}

/// A printer job, as its printer tells of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrinterJob {
    /// Its number at the printer.
    pub id: i32,
    /// Its name.
    pub name: Option<String>,
    /// Its state, if it is one that we know.
    pub state: Option<PrinterJobState>,
    /// `job-state-reasons`.
    pub reasons: Vec<String>,
    /// `job-state-message` or `job-printer-state-message`.
    pub message: Option<String>,
    /// `number-of-documents`.
    pub documents: Option<i32>,
    /// `job-k-octets`: kilobytes, rounded up.
    pub kilobytes: Option<i32>,
}

/// What proves that the whole file arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Whether the printer is CUPS, which drops what was cut off.
    pub drops_what_is_cut: bool,
    /// How long the file is.
    pub size: u64,
}

/// What a look at the printer job of a submission proves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Evidence {
    /// There is no such job, or it has another name: the printer has forgotten ours.
    Gone,
    /// It has no document and cannot print anything.
    Empty,
    /// A document may be on its way in.
    Incoming,
    /// It has a document, and is in this state.
    Has {
        /// The state.
        state: PrinterJobState,
        /// Whether the printer has the whole file for certain.
        is_whole: bool,
    },
    /// It is over and never had a document.
    OverEmpty,
}

impl Evidence {
    /// What this job of the printer's proves about a submission. Nothing when its state is one
    /// that we do not know.
    pub fn read(job: Option<&PrinterJob>, name: &JobName, proof: Proof) -> Option<Evidence> {
        let Some(job) = job else { return Some(Evidence::Gone) };
        if !job.name.as_deref().is_some_and(|found| name.is_in(found)) {
            return Some(Evidence::Gone);
        }
        let state = job.state?;
        let has_reason = |reason: &str| job.reasons.iter().any(|found| found == reason);
        let has_nothing = job.documents == Some(0) && job.kilobytes == Some(0);
        if state.is_waiting() && (has_reason("job-data-insufficient") || has_nothing) {
            return Some(Evidence::Empty);
        }
        if state.is_waiting() && has_reason("job-incoming") {
            return Some(Evidence::Incoming);
        }
        // Others may print what comes in and call it cancelled.
        if state.is_given_up() && has_nothing && proof.drops_what_is_cut {
            return Some(Evidence::OverEmpty);
        }
        let kilobytes = u64::try_from(job.kilobytes.unwrap_or(0)).unwrap_or(0);
        let is_whole = proof.drops_what_is_cut && kilobytes * 1024 >= proof.size;
        Some(Evidence::Has { state, is_whole })
    }

    /// Whether it shows that a job which was just cancelled is over and has printed nothing.
    pub fn is_cancelled_empty(job: Option<&PrinterJob>, name: &JobName) -> bool {
        job.is_some_and(|job| {
            let is_ours = job.name.as_deref().is_some_and(|found| name.is_in(found));
            let is_over = job.state.is_some_and(PrinterJobState::is_given_up);
            is_ours && is_over && job.kilobytes.unwrap_or(0) == 0
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const CUPS: Proof = Proof { drops_what_is_cut: true, size: 5000 };
    const OTHER: Proof = Proof { drops_what_is_cut: false, size: 5000 };

    fn job(state: i32, documents: i32, kilobytes: i32) -> PrinterJob {
        PrinterJob {
            id: 7,
            name: Some(name().with("Label")),
            state: PrinterJobState::parse(state),
            documents: Some(documents),
            kilobytes: Some(kilobytes),
            ..PrinterJob::default()
        }
    }

    fn name() -> JobName {
        JobName::new(Uuid::from_u128(1), 1)
    }

    fn read(job: &PrinterJob, proof: Proof) -> Evidence {
        Evidence::read(Some(job), &name(), proof).unwrap()
    }

    #[test]
    fn a_job_of_another_name_is_not_ours() {
        assert_eq!(Evidence::read(None, &name(), CUPS), Some(Evidence::Gone));
        for other in [Some("wb-2-1 Label".to_owned()), Some(String::new()), None] {
            let job = PrinterJob { name: other, ..job(9, 1, 5) };
            assert_eq!(read(&job, CUPS), Evidence::Gone);
        }
    }

    #[test]
    fn a_job_without_a_document_is_empty_and_a_held_one_with_it_is_not() {
        assert_eq!(read(&job(4, 0, 0), CUPS), Evidence::Empty);
        let reason = |reason: &str, job| PrinterJob { reasons: vec![reason.to_owned()], ..job };
        assert_eq!(read(&reason("job-data-insufficient", job(4, 1, 1)), OTHER), Evidence::Empty);
        assert_eq!(read(&reason("job-incoming", job(4, 1, 0)), OTHER), Evidence::Incoming);
        let is_whole = false;
        let state = PrinterJobState::Held;
        assert_eq!(read(&job(4, 1, 1), OTHER), Evidence::Has { state, is_whole });
    }

    #[test]
    fn a_size_that_is_not_told_is_not_nothing() {
        let job = PrinterJob { documents: None, kilobytes: None, ..job(4, 0, 0) };
        assert!(!matches!(read(&job, CUPS), Evidence::Empty));
    }

    #[test]
    fn only_cups_is_believed_to_have_the_whole_file() {
        let has = |is_whole| Evidence::Has { state: PrinterJobState::Completed, is_whole };
        assert_eq!(read(&job(9, 1, 5), CUPS), has(true));
        assert_eq!(read(&job(9, 1, 4), CUPS), has(false));
        assert_eq!(read(&job(9, 1, 5), OTHER), has(false));
        assert_eq!(read(&job(8, 0, 0), CUPS), Evidence::OverEmpty);
        let is_whole = false;
        let state = PrinterJobState::Aborted;
        assert_eq!(read(&job(8, 0, 0), OTHER), Evidence::Has { state, is_whole });
    }

    #[test]
    fn a_state_of_a_later_standard_proves_nothing() {
        assert_eq!(Evidence::read(Some(&job(10, 1, 5)), &name(), CUPS), None);
    }
}
