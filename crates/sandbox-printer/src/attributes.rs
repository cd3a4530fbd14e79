//! What the sandbox printer tells of itself and of its jobs.

use std::time::Duration;

use waybill_domain::printing::PrinterJobState;
use waybill_printing::ipp::{Attribute, Group, Kind, Value, group};

use crate::job::{Format, Job, Phase};
use crate::request::COPIES_MAX;
use crate::scenario::Scenario;
use crate::table::Table;

/// The papers that it has: their names, and their sides in hundredths of a millimetre.
const MEDIA: [(&str, i32, i32); 2] =
    [("custom_100x150mm_100x150mm", 10_000, 15_000), ("iso_a4_210x297mm", 21_000, 29_700)];
/// What can be said of a job that is to be made, in the order of the alphabet.
const TEMPLATE: [&str; 4] = ["copies", "media", "print-scaling", "sides"];
/// The tag of an attribute that has no value yet.
const NO_VALUE: u8 = 0x13;

/// What is told of a printer.
pub struct PrinterView<'a> {
    /// Its address.
    pub uri: &'a str,
    /// How it behaves.
    pub scenario: &'a Scenario,
    /// Its jobs.
    pub table: &'a Table,
    /// For how long it has been there.
    pub up: Duration,
}

impl PrinterView<'_> {
    /// The attributes of the printer that are wanted, for documents of this kind if it is named.
    pub fn printer(&self, requested: &[String], format: Option<Format>) -> Group {
        let group = self.state(self.description(Group::new(group::PRINTER)));
        let is_single = format.is_some() && self.scenario.single == format;
        let copies_max = if is_single { 1 } else { COPIES_MAX };
        select(templates(group, copies_max), requested, "printer-description", "all")
    }

    fn description(&self, group: Group) -> Group {
        let formats = Format::ALL.map(|format| Value::text(Kind::MimeType, format.media_type()));
        let operations = self.scenario.operations();
        let operations = operations.map(|operation| Value::Enum(i32::from(operation)));
        let text = |text: &str| Value::text(Kind::Text, text);
        let language = || Value::text(Kind::Language, "en");
        let charset = || Value::text(Kind::Charset, "utf-8");
        group
            .with("charset-configured", charset())
            .with("charset-supported", charset())
            .with("color-supported", Value::Boolean(false))
            .with("compression-supported", Value::keyword("none"))
            .with("document-format-default", formats[0].clone())
            .with_all("document-format-supported", formats.to_vec())
            .with("generated-natural-language-supported", language())
            .with_all("ipp-versions-supported", ["1.1", "2.0"].map(Value::keyword).to_vec())
            .with_all("job-creation-attributes-supported", TEMPLATE.map(Value::keyword).to_vec())
            .with("multiple-document-jobs-supported", Value::Boolean(self.scenario.takes_more))
            .with("multiple-operation-time-out", Value::Integer(i32::MAX))
            .with("natural-language-configured", language())
            .with_all("operations-supported", operations.collect())
            .with("pdl-override-supported", Value::keyword("not-attempted"))
            .with("printer-device-id", text("MFG:Waybill;MDL:Sandbox Printer;CMD:PDF,ZPL,PNG;"))
            .with("printer-info", text("Sandbox printer"))
            .with("printer-location", text("A folder"))
            .with("printer-make-and-model", text("Waybill Sandbox Printer"))
            .with("printer-name", Value::name("sandbox-printer"))
            .with("printer-uri-supported", Value::uri(self.uri))
            .with("uri-authentication-supported", Value::keyword("none"))
            .with("uri-security-supported", Value::keyword("none"))
            .with_all(
                "which-jobs-supported",
                ["completed", "not-completed"].map(Value::keyword).to_vec(),
            )
    }

    fn state(&self, group: Group) -> Group {
        let is_any = |phase: Phase| self.table.jobs().any(|job| job.phase == phase);
        let (state, reason, words) = if self.scenario.is_stopped {
            (5, "paused", "The printer is stopped, as it was told.")
        } else if is_any(Phase::OutOfPaper) {
            (5, "media-empty-error", "The printer is out of paper, as it was told.")
        } else if is_any(Phase::Printing) || is_any(Phase::PuttingOut) {
            (4, "none", "The printer prints.")
        } else {
            (3, "none", "The printer is ready.")
        };
        let open = self.table.jobs().filter(|job| !job.phase.is_over()).count();
        group
            .with("printer-is-accepting-jobs", Value::Boolean(!self.scenario.is_rejecting))
            .with("printer-state", Value::Enum(state))
            .with("printer-state-message", Value::text(Kind::Text, words))
            .with("printer-state-reasons", Value::keyword(reason))
            .with("printer-up-time", seconds(self.up))
            .with("queued-job-count", Value::Integer(i32::try_from(open).unwrap_or(i32::MAX)))
    }

    /// The attributes of a job that are wanted; `usual` is what is wanted when nothing is said.
    pub fn job(&self, job: &Job, requested: &[String], usual: &str) -> Group {
        let moment = |at: Option<Duration>| at.map_or(Value::OutOfBand(NO_VALUE), seconds);
        let kilobytes = i32::try_from(job.bytes.div_ceil(1024)).unwrap_or(i32::MAX);
        let state = number(job.phase.state());
        let mut group = Group::new(group::JOB)
            .with("job-id", Value::Integer(job.id))
            .with("job-uri", Value::uri(format!("{}/jobs/{}", self.uri, job.id)))
            .with("job-state", Value::Enum(state))
            .with("job-state-reasons", Value::keyword(job.phase.reason()))
            .with("job-name", Value::name(&job.ticket.name))
            .with("job-originating-user-name", Value::name(&job.ticket.user))
            .with("job-printer-uri", Value::uri(self.uri))
            .with("job-printer-up-time", seconds(self.up))
            .with("time-at-creation", seconds(job.created))
            .with("time-at-processing", moment(job.begun))
            .with("time-at-completed", moment(job.ended))
            .with("attributes-charset", Value::text(Kind::Charset, "utf-8"))
            .with("attributes-natural-language", Value::text(Kind::Language, "en"))
            .with("copies", Value::Integer(job.ticket.copies));
        if !self.scenario.is_blind {
            group = group
                .with("number-of-documents", Value::Integer(job.documents))
                .with("job-k-octets", Value::Integer(kilobytes));
        }
        select(group, requested, "job-description", usual)
    }

    /// What is told of a job to whoever made it or gave it a document.
    pub fn receipt(&self, job: &Job) -> Group {
        let told = ["job-id", "job-uri", "job-state", "job-state-reasons"];
        self.job(job, &told.map(str::to_owned), "all")
    }
}

/// What can be asked of a job.
fn templates(group: Group, copies_max: i32) -> Group {
    let names = MEDIA.map(|(name, _, _)| Value::keyword(name));
    let sizes = MEDIA.map(|(_, width, height)| {
        let side = |name: &str, length| Attribute {
            name: name.to_owned(),
            values: vec![Value::Integer(length)],
        };
        Value::Collection(vec![side("x-dimension", width), side("y-dimension", height)])
    });
    group
        .with("copies-default", Value::Integer(1))
        .with("copies-supported", Value::Range(1, copies_max))
        .with("media-default", names[0].clone())
        .with_all("media-ready", names.to_vec())
        .with_all("media-size-supported", sizes.to_vec())
        .with_all("media-supported", names.to_vec())
        .with("print-scaling-default", Value::keyword("none"))
        .with("print-scaling-supported", Value::keyword("none"))
        .with("sides-default", Value::keyword("one-sided"))
        .with("sides-supported", Value::keyword("one-sided"))
}

/// Leaves the attributes that are named, or whose group is. When nothing is named, `usual` is.
fn select(mut group: Group, requested: &[String], description: &str, usual: &str) -> Group {
    let is_named = |name: &str| match requested {
        [] => usual == name,
        names => names.iter().any(|it| it == name),
    };
    let (all, templates, others) =
        (is_named("all"), is_named("job-template"), is_named(description));
    group.attributes.retain(|attribute| {
        let is_template = TEMPLATE.iter().any(|name| {
            let rest = attribute.name.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        let is_in_group = if is_template { templates } else { others };
        all || is_in_group || is_named(&attribute.name)
    });
    group
}

/// Seconds since the start, from one on: zero would mean before it.
fn seconds(at: Duration) -> Value {
    Value::Integer(i32::try_from(at.as_secs() + 1).unwrap_or(i32::MAX))
}

/// The number of a state, RFC 8011 section 5.3.7.
fn number(state: PrinterJobState) -> i32 {
    match state {
        PrinterJobState::Pending => 3,
        PrinterJobState::Held => 4,
        PrinterJobState::Processing => 5,
        PrinterJobState::Stopped => 6,
        PrinterJobState::Cancelled => 7,
        PrinterJobState::Aborted => 8,
        PrinterJobState::Completed => 9,
    }
}
