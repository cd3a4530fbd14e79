//! An agent tells of all its printers at once.

use std::collections::BTreeSet;

use uuid::Uuid;
use waybill_domain::document::Format;
use waybill_domain::fields::{Field, FieldErrors, Fields, Text, Value, each, one_of, read_knowing};
use waybill_domain::json::Json;
use waybill_domain::printing::{PaperSize, SIZES_MAX};
use waybill_domain::words::Message;
use waybill_engine::agents::{self, AgentCaller, AgentError, ReportedPrinter};
use waybill_store::printers::Printer;

use super::fields::session;
use crate::reply::{ApiError, Reply};
use crate::request::Request;
use crate::unread::BodyLimit;

/// An agent has no more printers than this.
const PRINTERS_MAX: usize = 100;
/// A longer name is cut.
const NAME_MAX: usize = 100;

/// `PUT …/printers`
pub async fn replace(mut request: Request, caller: AgentCaller) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body_within(BodyLimit::TABLE).await?;
    let read = |fields: &Fields| PrintersInput::read(fields);
    let input = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let (app, now) = (request.app.clone(), request.now);
    let replaced = request.write(move |tx| {
        let agent = caller.lock_in_session(tx, input.session)?;
        agents::hear(tx, caller.team, &agent, now)?;
        let whose = (caller.team, caller.agent);
        agents::replace_printers(tx, &app, whose, &input.printers, now)
    });
    let all = replaced.await.map_err(|error: AgentError| ApiError::from(error))?;
    // One that takes jobs from now on may have some that wait for it.
    request.app.wake_everywhere(caller.agent.into());
    Ok(Reply::data(Json::list(all.iter().map(view))).private())
}

fn view(printer: &Printer) -> Json {
    Json::object([
        ("key", printer.agent.as_ref().map(|own| own.key.as_str()).into()),
        ("uuid", Json::text(printer.id)),
        ("name", printer.name.as_str().into()),
    ])
}

struct PrintersInput {
    session: Uuid,
    printers: Vec<ReportedPrinter>,
}

impl PrintersInput {
    fn read(fields: &Fields) -> Option<PrintersInput> {
        let session = session(fields);
        let mut keys = BTreeSet::new();
        let printers = fields.list("printers", 0..=PRINTERS_MAX);
        let printers = printers.then(|printers| each(&printers, |one| printer(one, &mut keys)));
        let printers = printers.required();
        Some(PrintersInput { session: session?, printers: printers? })
    }
}

fn printer(value: &Value<'_>, keys: &mut BTreeSet<String>) -> Option<ReportedPrinter> {
    let fields = value.object()?;
    let key = fields.text("key", Text::filled(200)).required();
    if key.as_ref().is_some_and(|key| !keys.insert(key.clone())) {
        fields.refuse("key", Message::new("duplicate-value"));
    }
    let name = fields.text("name", Text::filled(1000)).required();
    let states = ["online", "offline"];
    let state = |text: &str| states.contains(&text).then(|| text == states[0]);
    let is_online = fields.parsed("state", state, || one_of(&states)).required();
    let formats = fields
        .list("formats", 0..=Format::ALL.len())
        .then(|formats| each(&formats, |one| one.parsed(Format::parse, || one_of(Format::NAMES))));
    let formats = formats.required();
    let sizes = fields.list("paper_sizes", 0..=SIZES_MAX).then(|sizes| each(&sizes, paper_size));
    let sizes = sizes.optional();
    let copies_max = fields.integer("copies_max", 1..=i64::from(i32::MAX)).optional();
    let name: String = name?.chars().take(NAME_MAX).collect();
    Some(ReportedPrinter {
        key: key?,
        name,
        is_online: is_online?,
        formats: formats?,
        sizes,
        copies_max,
    })
}

fn paper_size(value: &Value<'_>) -> Option<PaperSize> {
    let fields = value.object()?;
    let name = fields.text("name", Text::filled(255)).required();
    let width = millimetres(&fields, "width").optional();
    let height = millimetres(&fields, "height").optional();
    Some(PaperSize { name: name?, width, height })
}

/// A distance on paper, in thousandths of a millimetre.
fn millimetres<'a>(fields: &Fields<'a>, name: &'static str) -> Field<'a, i64> {
    fields.object(name).then(|distance| {
        let value = distance.quantity("value").required();
        let is_unit = |unit: &str| (unit == "mm").then_some(());
        distance.parsed("unit", is_unit, || one_of(&["mm"])).required()?;
        value
    })
}
