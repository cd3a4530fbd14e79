//! The name under which a printer knows a submission of ours.

use uuid::Uuid;

/// Printers cut longer names, each in its own way.
const BYTES_MAX: usize = 127;

/// `wb-<print job>-<submission>` and then the name of the document for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobName {
    job: Uuid,
    submission: i64,
}

impl JobName {
    /// The name of this submission.
    pub fn new(job: Uuid, submission: i64) -> JobName {
        JobName { job, submission }
    }

    /// The whole name, with that of the document.
    pub fn with(&self, document: &str) -> String {
        let visible = |c: char| if c.is_control() { ' ' } else { c };
        let mut name = format!("{} ", self.key());
        for c in document.chars().map(visible) {
            if name.len() + c.len_utf8() > BYTES_MAX {
                break;
            }
            name.push(c);
        }
        name.trim_end().to_owned()
    }

    /// Whether a printer job of this name is this submission.
    pub fn is_in(&self, name: &str) -> bool {
        name.split(' ').next() == Some(self.key().as_str())
    }

    /// The submission that a printer job of this name is, if it is one of ours.
    pub fn read(name: &str) -> Option<JobName> {
        let rest = name.split(' ').next()?.strip_prefix("wb-")?;
        let (job, submission) = rest.split_at_checked(36)?;
        let submission = submission.strip_prefix('-')?.parse().ok()?;
        Some(JobName { job: crate::ids::parse_uuid(job)?, submission })
    }

    /// The print job that it belongs to.
    pub fn job(&self) -> Uuid {
        self.job
    }

    /// Which of its submissions.
    pub fn submission(&self) -> i64 {
        self.submission
    }

    fn key(&self) -> String {
        format!("wb-{}-{}", self.job, self.submission)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: Uuid = Uuid::from_u128(0x0199_a1b2_0000_7000_8000_0000_0000_0001);

    #[test]
    fn a_name_is_found_again_by_its_first_part() {
        let (first, eleventh) = (JobName::new(JOB, 1), JobName::new(JOB, 11));
        let name = eleventh.with("Label 1 of 2\nA/B");
        assert_eq!(name, format!("wb-{JOB}-11 Label 1 of 2 A/B"));
        assert!(eleventh.is_in(&name) && !first.is_in(&name));
        assert_eq!((eleventh.job(), eleventh.submission()), (JOB, 11));
        assert_eq!(JobName::read(&name), Some(eleventh));
        assert!(first.is_in(&format!("wb-{JOB}-1")));
    }

    #[test]
    fn a_long_name_is_cut_between_letters() {
        let name = JobName::new(JOB, 1).with(&"ø".repeat(100));
        assert!(name.len() <= BYTES_MAX && name.ends_with('ø'));
    }

    #[test]
    fn names_of_others_are_none_of_ours() {
        for name in ["", "wb-", "Report", &format!("wb-{JOB}"), &format!("wb-{JOB}-x y"), "wb-ø"] {
            assert_eq!(JobName::read(name), None, "{name}");
        }
    }
}
