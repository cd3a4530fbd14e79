//! A team's printers. Where one is stays with us: it is never shown.

use waybill_domain::document::Format;
use waybill_domain::fields::{FieldErrors, Fields, Text, each, one_of, read_knowing};
use waybill_domain::ids::PrinterId;
use waybill_domain::json::{Json, Number};
use waybill_domain::printing::{Abilities, PaperSize, PrintProblem, Provider, Uri};
use waybill_domain::quota::Quota;
use waybill_domain::words::Message;
use waybill_engine::printing;
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx, print_jobs, teams};

use super::caller::Member;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// `GET …/printers`: all of them.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    request.query.knowing(&[]).finish()?;
    let all = request.read(move |tx| printers::list(tx, member.team)).await?;
    Ok(Reply::data(Json::list(all.iter().map(view))).private())
}

/// `GET …/printers/{printer}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let printer = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view(&printer)).private())
}

/// `POST …/printers`: it is asked what it can do before it is added.
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body().await?;
    let input = errors.or(read_knowing(&body, FieldErrors::default(), |fields| {
        PrinterInput::read(fields, None)
    }))?;
    let (uri, is_online, abilities) = probe(&request, member, &input.uri, None).await?;
    let id = PrinterId(request.app.new_uuid());
    let mut printer = Printer::new(id, (input.name, uri.text), (is_online, abilities), request.now);
    printer.formats = input.formats;
    let (row, app, now) = (printer.clone(), request.app.clone(), request.now);
    let is_added = request.write(move |tx| {
        quotas::check(tx, app.quotas(), Quota::Printers, member.team)?;
        Ok::<_, ApiError>(printing::add_printer(tx, member.team, &row, now)?)
    });
    if !is_added.await? {
        // Another request added it meanwhile.
        return Err(already_there(&request, member, &printer).await?);
    }
    request.app.wake_runner();
    let location = format!("{}/{}", request.url(), printer.id);
    Ok(Reply::created(location, view(&printer)).private())
}

/// `PATCH …/printers/{printer}`: a merge patch. A new address is asked first.
pub async fn update(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let old = find(&request, member).await?;
    let (patch, errors) = request.json_body().await?;
    let formats =
        old.formats.as_ref().map(|all| Json::list(all.iter().map(|one| one.name().into())));
    let uri = old.uri.clone().unwrap_or_default();
    let mut whole = Json::object([
        ("name", old.name.as_str().into()),
        ("uri", uri.as_str().into()),
        ("formats", formats.into()),
    ]);
    whole.merge(&patch);
    let mut refused = FieldErrors::default();
    if old.provider == Provider::Agent && patch.member("uri").is_some() {
        refused.add("uri", Message::new("printer-uri-of-agent"));
    }
    let input = errors
        .or(read_knowing(&whole, refused, |fields| PrinterInput::read(fields, Some(&uri))))?;
    let mut new = Printer {
        name: input.name,
        formats: input.formats,
        updated_at: request.now,
        ..old.clone()
    };
    if input.uri != uri {
        let (uri, is_online, abilities) = probe(&request, member, &input.uri, Some(old.id)).await?;
        new = Printer {
            uri: Some(uri.text),
            is_online,
            abilities,
            misses: 0,
            looked_at: request.now,
            asked_at: request.now,
            ..new
        };
    }
    let (row, now) = (new.clone(), request.now);
    let is_moved = new.uri != old.uri;
    let changed = request.write(move |tx| {
        if is_moved {
            check_move(tx, member, &row)?;
        }
        let is_there = printers::update(tx, member.team, &row)?;
        printing::look_at(tx, member.team, row.id, now)?;
        Ok::<_, ApiError>(is_there)
    });
    if !changed.await? {
        return Err(ApiError::NotFound);
    }
    request.app.wake_runner();
    Ok(Reply::data(view(&new)).private())
}

/// `DELETE …/printers/{printer}`: what was not sent fails, what was is followed to its end.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let (id, now) = (find(&request, member).await?.id, request.now);
    request.query.knowing(&[]).finish()?;
    let app = request.app.clone();
    let was_there = request.write(move |tx| {
        let was_there = printers::delete(tx, member.team, id, now)?;
        if was_there {
            let open = print_jobs::list_open(tx, member.team, id)?;
            let problem = PrintProblem::PrinterRemoved;
            printing::give_up_unsent(tx, &app, member.team, open, problem, now)?;
            printing::look_at(tx, member.team, id, now)?;
        }
        Ok::<_, Error>(was_there)
    });
    if !was_there.await? {
        return Err(ApiError::NotFound);
    }
    request.app.wake_runner();
    Ok(Reply::nothing())
}

/// Whether a printer may have another address: no other has it, and what was sent to the old one is
/// over, because only that one can be asked about it.
fn check_move(tx: &mut Tx<'_>, member: Member, printer: &Printer) -> Result<(), ApiError> {
    // Nobody else gives a printer this address before the transaction ends.
    teams::lock(tx, member.team)?;
    let uri = printer.uri.as_deref().unwrap_or_default();
    let other = printers::find_at(tx, member.team, uri)?;
    if let Some(other) = other.filter(|other| other.id != printer.id) {
        let message = Message::new("printer-known").text("name", other.name);
        return Err(ApiError::invalid("uri", message));
    }
    let open = print_jobs::list_open(tx, member.team, printer.id)?;
    match open.iter().all(|job| job.printing().is_unsent()) {
        true => Ok(()),
        false => Err(ApiError::Conflict(Message::new("printer-has-jobs"))),
    }
}

async fn find(request: &Request, member: Member) -> Result<Printer, ApiError> {
    let id = request.id("printer", PrinterId::parse)?;
    let found = request.read(move |tx| printers::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

/// Asks what is at this address whether it takes jobs, and what it can do.
async fn probe(
    request: &Request,
    member: Member,
    uri: &str,
    own: Option<PrinterId>,
) -> Result<(Uri, bool, Abilities), ApiError> {
    let refused = |message: Message| ApiError::invalid("uri", message);
    let uri = Uri::parse(uri).map_err(|problem| refused(Message::new(problem.key())))?;
    let text = uri.text.clone();
    let other = request.read(move |tx| printers::find_at(tx, member.team, &text)).await?;
    if let Some(other) = other.filter(|other| Some(other.id) != own) {
        return Err(refused(Message::new("printer-known").text("name", other.name)));
    }
    let report = request.app.printers().probe(&uri).await;
    let report = report.map_err(|error| refused(error.message()))?;
    if !report.abilities.has_create_job {
        return Err(refused(Message::new("printer-no-create-job")));
    }
    Ok((uri, report.is_accepting && !report.is_stopped, report.abilities))
}

async fn already_there(
    request: &Request,
    member: Member,
    printer: &Printer,
) -> Result<ApiError, ApiError> {
    let uri = printer.uri.clone().unwrap_or_default();
    let other = request.read(move |tx| printers::find_at(tx, member.team, &uri)).await?;
    let name = other.map_or_else(|| printer.name.clone(), |other| other.name);
    Ok(ApiError::invalid("uri", Message::new("printer-known").text("name", name)))
}

/// A printer as a caller describes it.
struct PrinterInput {
    name: String,
    uri: String,
    formats: Option<Vec<Format>>,
}

impl PrinterInput {
    /// Reads a printer. An address that stays as it is needs not be one that can be given.
    fn read(fields: &Fields, old: Option<&str>) -> Option<PrinterInput> {
        let name = fields.text("name", Text::filled(100)).required();
        let uri = fields.text("uri", Text::filled(2048)).required();
        let problem = uri.as_deref().filter(|uri| Some(*uri) != old).map(Uri::parse);
        if let Some(Err(problem)) = problem {
            fields.refuse("uri", Message::new(problem.key()));
        }
        let formats = fields.list("formats", 0..=Format::ALL.len()).then(|values| {
            let mut known = Vec::new();
            each(&values, |value| {
                let format = value.parsed(Format::parse, || one_of(Format::NAMES))?;
                if known.contains(&format) {
                    return value.refuse(Message::new("duplicate-value"));
                }
                known.push(format);
                Some(format)
            })
        });
        let formats = formats.optional();
        Some(PrinterInput { name: name?, uri: uri?, formats })
    }
}

/// A printer as it is shown.
fn view(printer: &Printer) -> Json {
    let formats = printing::format_types(printer);
    let sizes = printer.abilities.sizes.as_ref().map(|sizes| Json::list(sizes.iter().map(size)));
    Json::object([
        ("uuid", Json::text(printer.id)),
        ("name", printer.name.as_str().into()),
        ("state", if printer.is_online { "online" } else { "offline" }.into()),
        ("formats", Json::list(formats.formats().map(|format| format.name().into()))),
        ("paper_sizes", sizes.into()),
        ("provider", printer.provider.name().into()),
    ])
}

fn size(size: &PaperSize) -> Json {
    let distance = |side: Option<i64>| {
        side.map(|side| {
            let value = Json::Number(Number::from_thousandths(side));
            Json::object([("value", value), ("unit", "mm".into())])
        })
    };
    Json::object([
        ("name", size.name.as_str().into()),
        ("width", distance(size.width).into()),
        ("height", distance(size.height).into()),
    ])
}
