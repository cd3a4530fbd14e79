//! What a printer and its jobs are, read off the attributes that it sends.

use waybill_domain::printing::{Abilities, PaperSize, PrinterJob, PrinterJobState, SIZES_MAX};

use crate::error::clean;
use crate::ipp::{Group, Value, operation};

/// What a printer is asked about itself.
pub(crate) const PRINTER_ATTRIBUTES: &[&str] = &[
    "printer-state",
    "printer-state-reasons",
    "printer-state-message",
    "printer-is-accepting-jobs",
    "printer-make-and-model",
    "printer-device-id",
    "document-format-supported",
    "media-supported",
    "media-size-supported",
    "copies-supported",
    "operations-supported",
    "print-scaling-supported",
    "sides-supported",
    "cups-version",
];

/// What it is asked about a job.
pub(crate) const JOB_ATTRIBUTES: &[&str] = &[
    "job-id",
    "job-name",
    "job-state",
    "job-state-reasons",
    "job-state-message",
    "job-printer-state-message",
    "number-of-documents",
    "job-k-octets",
];

/// The state of a printer that prints nothing, RFC 8011 section 5.4.11.
const STOPPED: i32 = 5;
/// The longest word of the standard.
const KEYWORD_BYTES_MAX: usize = 255;

/// A printer as it is now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrinterReport {
    /// Whether it takes jobs.
    pub is_accepting: bool,
    /// Whether it prints nothing until somebody comes.
    pub is_stopped: bool,
    /// `printer-state-reasons`, when there are any.
    pub reasons: Vec<String>,
    /// `printer-state-message`.
    pub message: Option<String>,
    /// What it can do.
    pub abilities: Abilities,
}

impl PrinterReport {
    /// Reads the attributes of a printer.
    pub(crate) fn read(printer: &Group) -> PrinterReport {
        PrinterReport {
            is_accepting: printer.boolean("printer-is-accepting-jobs").unwrap_or(true),
            is_stopped: printer.integer("printer-state") == Some(STOPPED),
            reasons: reasons(printer, "printer-state-reasons"),
            message: words(printer, "printer-state-message"),
            abilities: abilities(printer),
        }
    }

    /// Whether it takes jobs and prints them.
    pub fn is_ready(&self) -> bool {
        self.is_accepting && !self.is_stopped
    }

    /// Why it does not, when that is so.
    pub fn why_not(&self) -> Option<String> {
        (!self.is_ready()).then(|| self.words())
    }

    /// Why it takes nothing now, in the printer's own words as far as it has any.
    pub fn words(&self) -> String {
        let state = match (self.is_accepting, self.is_stopped) {
            (false, true) => "it is stopped and takes no jobs",
            (false, false) => "it takes no jobs",
            (true, true) => "it is stopped",
            (true, false) => "it is ready",
        };
        let reasons = Some(self.reasons.join(", ")).filter(|reasons| !reasons.is_empty());
        let said: Vec<String> = reasons.into_iter().chain(self.message.clone()).collect();
        match said.is_empty() {
            true => state.to_owned(),
            false => clean(&format!("{state}: {}", said.join("; "))),
        }
    }
}

fn abilities(printer: &Group) -> Abilities {
    let lists = |name: &str, word: &str| printer.texts(name).any(|found| found == word);
    let operations = printer.values("operations-supported");
    let has_operation =
        |code: u16| operations.iter().any(|value| value.as_integer() == Some(i32::from(code)));
    let media = keywords(printer, "media-supported");
    let (limits, names): (Vec<_>, Vec<_>) =
        media.into_iter().partition(|name| PaperSize::is_limit(name));
    let types = keywords(printer, "document-format-supported");
    Abilities {
        types: types.into_iter().take(SIZES_MAX).collect(),
        model: words(printer, "printer-make-and-model"),
        device_id: words(printer, "printer-device-id"),
        sizes: printer.has("media-supported").then(|| sizes(printer, &names)),
        custom: PaperSize::custom_range(&limits),
        copies_max: copies_max(printer),
        copies_by_type: Vec::new(),
        is_cups: printer.has("cups-version"),
        has_create_job: has_operation(operation::CREATE_JOB)
            && has_operation(operation::SEND_DOCUMENT),
        has_no_scaling: lists("print-scaling-supported", "none"),
        has_one_sided: lists("sides-supported", "one-sided"),
    }
}

/// How many copies it makes, of everything or of the type that it was asked about.
pub(crate) fn copies_max(printer: &Group) -> Option<i64> {
    match printer.values("copies-supported").first()? {
        Value::Range(_, most) => Some(i64::from(*most)),
        value => value.as_integer().map(i64::from),
    }
}

/// The papers by their names. A name that tells no size has that of its place among the sizes, if
/// the names that do tell theirs agree with their places.
fn sizes(printer: &Group, names: &[String]) -> Vec<PaperSize> {
    let mut sizes: Vec<PaperSize> = names.iter().map(|name| PaperSize::named(name)).collect();
    let told = printer.values("media-size-supported").iter().filter_map(told_size);
    let told: Vec<(i64, i64)> = told.collect();
    let agrees = |(size, told): (&PaperSize, &(i64, i64))| {
        let is_near = |side: Option<i64>, told: i64| side.is_none_or(|it| (it - told).abs() <= 500);
        is_near(size.width, told.0) && is_near(size.height, told.1)
    };
    if told.len() == sizes.len() && sizes.iter().zip(&told).all(agrees) {
        for (size, (width, height)) in sizes.iter_mut().zip(told) {
            size.width.get_or_insert(width);
            size.height.get_or_insert(height);
        }
    }
    sizes.truncate(SIZES_MAX);
    sizes
}

/// A size of one paper in thousandths of a millimetre; IPP has hundredths. Ranges are no papers.
fn told_size(size: &Value) -> Option<(i64, i64)> {
    let side = |name: &str| Some(i64::from(size.member(name)?.as_integer()?) * 10);
    Some((side("x-dimension")?, side("y-dimension")?))
}

/// Reads the attributes of a job.
pub(crate) fn read_job(job: &Group, id: i32) -> PrinterJob {
    PrinterJob {
        id: job.integer("job-id").unwrap_or(id),
        name: job.text("job-name").map(str::to_owned),
        state: job.integer("job-state").and_then(PrinterJobState::parse),
        reasons: reasons(job, "job-state-reasons"),
        message: words(job, "job-state-message")
            .or_else(|| words(job, "job-printer-state-message")),
        documents: job.integer("number-of-documents"),
        kilobytes: job.integer("job-k-octets"),
    }
}

/// Reasons, without the word that says that there are none.
fn reasons(group: &Group, name: &str) -> Vec<String> {
    let all = keywords(group, name).into_iter().filter(|reason| reason != "none");
    all.take(SIZES_MAX).collect()
}

/// Words of the standard. One that the standard does not allow could not be told to the printer.
fn keywords(group: &Group, name: &str) -> Vec<String> {
    let is_plain =
        |text: &&str| text.len() <= KEYWORD_BYTES_MAX && !text.chars().any(char::is_control);
    group.texts(name).filter(is_plain).map(str::to_owned).collect()
}

fn words(group: &Group, name: &str) -> Option<String> {
    group.text(name).map(clean).filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ipp::{Attribute, Kind, group};

    fn size(width: i32, height: i32) -> Value {
        let side = |name: &str, value| Attribute {
            name: name.to_owned(),
            values: vec![Value::Integer(value)],
        };
        Value::Collection(vec![side("x-dimension", width), side("y-dimension", height)])
    }

    fn printer(media: &[&str], told: Vec<Value>) -> Group {
        let media = media.iter().map(|name| Value::keyword(*name)).collect();
        Group::new(group::PRINTER)
            .with_all("media-supported", media)
            .with_all("media-size-supported", told)
    }

    fn found(media: &[&str], told: Vec<Value>) -> Vec<(Option<i64>, Option<i64>)> {
        let sizes = PrinterReport::read(&printer(media, told)).abilities.sizes.unwrap();
        sizes.into_iter().map(|size| (size.width, size.height)).collect()
    }

    #[test]
    fn papers_are_named_and_limits_are_no_papers() {
        let media = ["iso_a4_210x297mm", "custom_min_20x20mm", "custom_max_110x990mm"];
        let abilities = PrinterReport::read(&printer(&media, Vec::new())).abilities;
        assert_eq!(abilities.sizes, Some(vec![PaperSize::named("iso_a4_210x297mm")]));
        let (least, most) = abilities.custom.unwrap();
        assert_eq!((least.width, most.height), (Some(20_000), Some(990_000)));
        assert_eq!(PrinterReport::read(&Group::new(group::PRINTER)).abilities.sizes, None);
        let none = Group::new(group::PRINTER).with("media-supported", Value::OutOfBand(0x13));
        assert_eq!(PrinterReport::read(&none).abilities.sizes, None);
    }

    #[test]
    fn a_name_without_a_size_has_that_of_its_place_only_when_the_others_agree() {
        let told = || vec![size(21_000, 29_700), size(10_000, 15_000)];
        let label = (Some(100_000), Some(150_000));
        assert_eq!(found(&["iso_a4_210x297mm", "Label"], told())[1], label);
        assert_eq!(found(&["Label", "iso_a4_210x297mm"], told())[0], (None, None));
        assert_eq!(found(&["iso_a4_210x297mm", "Label", "Odd"], told())[1], (None, None));
    }

    #[test]
    fn what_a_printer_can_do_is_read_off_its_lists() {
        let operations = [2, 5, 6, 9].map(Value::Enum).to_vec();
        let printer = printer(&[], Vec::new())
            .with_all("operations-supported", operations)
            .with("copies-supported", Value::Range(1, 99))
            .with_all("sides-supported", vec![Value::keyword("one-sided")])
            .with("cups-version", Value::text(Kind::Text, "2.4.2"))
            .with("printer-make-and-model", Value::text(Kind::Text, "Zebra\u{0} ZD421 "))
            .with("document-format-supported", Value::text(Kind::MimeType, "application/pdf"));
        let abilities = PrinterReport::read(&printer).abilities;
        assert!(abilities.has_create_job && abilities.has_one_sided && abilities.is_cups);
        assert!(!abilities.has_no_scaling);
        assert_eq!(abilities.copies_max, Some(99));
        assert_eq!(abilities.model.as_deref(), Some("Zebra ZD421"));
        assert_eq!(abilities.types, ["application/pdf"]);
    }

    #[test]
    fn a_printer_that_takes_nothing_says_why() {
        let stopped = Group::new(group::PRINTER)
            .with("printer-state", Value::Enum(5))
            .with("printer-is-accepting-jobs", Value::Boolean(true))
            .with("printer-state-reasons", Value::keyword("media-empty-error"))
            .with("printer-state-message", Value::text(Kind::Text, "Load labels.\n"));
        let report = PrinterReport::read(&stopped);
        assert!(report.is_stopped && report.is_accepting);
        assert_eq!(report.words(), "it is stopped: media-empty-error; Load labels.");
        let ready = Group::new(group::PRINTER)
            .with("printer-state", Value::Enum(3))
            .with("printer-state-reasons", Value::keyword("none"));
        assert_eq!(PrinterReport::read(&ready).words(), "it is ready");
    }

    #[test]
    fn a_job_is_read_with_what_it_has() {
        let job = Group::new(group::JOB)
            .with("job-id", Value::Integer(7))
            .with("job-name", Value::name("x".repeat(300)))
            .with("job-state", Value::Enum(4))
            .with("job-state-reasons", Value::keyword("job-incoming"))
            .with("job-printer-state-message", Value::text(Kind::Text, "Waiting."))
            .with("number-of-documents", Value::Integer(0));
        let read = read_job(&job, 0);
        assert_eq!((read.id, read.state), (7, Some(PrinterJobState::Held)));
        assert_eq!(read.name.map(|name| name.len()), Some(300));
        assert_eq!(read.message.as_deref(), Some("Waiting."));
        assert_eq!((read.documents, read.kilobytes), (Some(0), None));
        let empty = read_job(&Group::new(group::JOB), 9);
        assert_eq!(empty, PrinterJob { id: 9, ..PrinterJob::default() });
    }
}
