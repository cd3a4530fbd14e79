//! What is asked of the sandbox printer, read off the attributes of a request and checked.

use waybill_printing::ipp::{Group, Message, group};

use crate::job::{Format, Ticket};
use crate::scenario::PrinterPath;
use crate::status::Status;

/// The most copies that it makes.
pub const COPIES_MAX: i32 = 99;

/// Why something is not done, with the words for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The status.
    pub status: Status,
    /// The words.
    pub words: String,
}

impl From<Status> for Refusal {
    fn from(status: Status) -> Refusal {
        Refusal { status, words: status.to_string() }
    }
}

/// A request that can be answered.
pub struct Request {
    /// The operation.
    pub operation: u16,
    /// The printer.
    pub path: PrinterPath,
    /// What is said of a job that is to be made.
    pub ticket: Ticket,
    /// Which attributes are wanted; none said means those that are usual.
    pub requested: Vec<String>,
    operation_group: Group,
}

/// Which jobs are asked for.
pub struct Choice {
    /// Those that are over, or those that are not.
    pub are_over: bool,
    /// Only those of this user.
    pub user: Option<String>,
    /// So many at most.
    pub limit: usize,
}

impl Request {
    /// Reads a request.
    pub fn read(message: &Message) -> Result<Request, Refusal> {
        let group = operation_group(message)?;
        let uri = group.text("printer-uri").or(group.text("job-uri"));
        let path = PrinterPath::parse(path_of(uri.ok_or(Status::BadRequest)?));
        let path = path
            .map_err(|problem| Refusal { status: Status::NotFound, words: problem.to_string() })?;
        if !path.scenario.operations().any(|known| known == message.code) {
            return Err(Status::OperationNotSupported.into());
        }
        let text = |name: &str, else_: &str| group.text(name).unwrap_or(else_).to_owned();
        let job = message.group(group::JOB);
        let ticket = Ticket {
            name: text("job-name", "Untitled"),
            user: text("requesting-user-name", "anonymous"),
            copies: job.and_then(|job| job.integer("copies")).unwrap_or(1),
        };
        if !(1..=COPIES_MAX).contains(&ticket.copies) {
            return Err(Status::ValueNotSupported.into());
        }
        let requested = group.texts("requested-attributes").map(str::to_owned).collect();
        let operation = message.code;
        Ok(Request { operation, path, ticket, requested, operation_group: group.clone() })
    }

    /// The job that it is about.
    pub fn job_id(&self) -> Result<i32, Status> {
        self.operation_group.integer("job-id").or(self.path.job).ok_or(Status::BadRequest)
    }

    /// What kind of document comes with it.
    pub fn format(&self) -> Result<Format, Status> {
        let compression = self.operation_group.text("compression").unwrap_or("none");
        if compression != "none" {
            return Err(Status::CompressionNotSupported);
        }
        let Some(name) = self.operation_group.text("document-format") else {
            return Ok(Format::ALL[0]);
        };
        let found = Format::ALL.into_iter().find(|format| format.media_type() == name);
        found.ok_or(Status::FormatNotSupported)
    }

    /// Whether it says what kind of document it is about.
    pub fn names_format(&self) -> bool {
        self.operation_group.text("document-format").is_some()
    }

    /// Whether no document follows this one, which has to be said.
    pub fn is_last_document(&self) -> Result<bool, Status> {
        self.operation_group.boolean("last-document").ok_or(Status::BadRequest)
    }

    /// Which jobs are asked for.
    pub fn choice(&self) -> Result<Choice, Status> {
        let are_over = match self.operation_group.text("which-jobs") {
            None | Some("not-completed") => false,
            Some("completed") => true,
            Some(_) => return Err(Status::ValueNotSupported),
        };
        let is_mine = self.operation_group.boolean("my-jobs").unwrap_or(false);
        let limit = self.operation_group.integer("limit");
        let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        Ok(Choice { are_over, user: is_mine.then(|| self.ticket.user.clone()), limit })
    }
}

/// The first group, when the request is one of IPP, RFC 8011 section 4.1.
fn operation_group(message: &Message) -> Result<&Group, Status> {
    if !matches!(message.version, (1 | 2, _)) {
        return Err(Status::VersionNotSupported);
    }
    if message.request_id < 1 {
        return Err(Status::BadRequest);
    }
    let group = message.groups.first().filter(|group| group.tag == group::OPERATION);
    let group = group.ok_or(Status::BadRequest)?;
    let names: Vec<&str> = group.attributes.iter().map(|it| it.name.as_str()).take(2).collect();
    if names != ["attributes-charset", "attributes-natural-language"] {
        return Err(Status::BadRequest);
    }
    match group.text("attributes-charset") {
        Some("utf-8" | "us-ascii") => Ok(group),
        _ => Err(Status::CharsetNotSupported),
    }
}

/// The path of an address; an address may also be a path.
fn path_of(uri: &str) -> &str {
    let Some((_, rest)) = uri.split_once("://") else { return uri };
    rest.find('/').map_or("/", |at| &rest[at..])
}
