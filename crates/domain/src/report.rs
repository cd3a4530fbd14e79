//! Reports: what they are about, which files they come in, and how far they are.

use crate::named::named;

named! {
    /// What a report is about.
    ReportKind { Shipments = "shipments", Tracking = "tracking", PrintJobs = "print_jobs", }
    /// A file that a report comes in: a row for each thing, or figures over all of them.
    ReportFormat { Xlsx = "xlsx", Pdf = "pdf", }
    /// How far a report is. The last two are for good.
    ReportState { Pending = "pending", Ready = "ready", Failed = "failed", }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_name_and_an_unknown_name_is_no_format() {
        for (format, name) in ReportFormat::ALL.iter().zip(ReportFormat::NAMES) {
            assert_eq!((format.name(), ReportFormat::parse(name)), (*name, Some(*format)));
        }
        assert_eq!(ReportFormat::parse("csv"), None);
    }
}
