//! A team's printers. Where one is stays with us: it is never shown.

use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::document::Format;
use waybill_domain::fields::{FieldErrors, Fields, Text, each, one_of, read_knowing};
use waybill_domain::ids::PrinterId;
use waybill_domain::json::{Json, Number};
use waybill_domain::printing::{Abilities, PaperSize, PrintProblem, Provider, Uri};
use waybill_domain::quota::Quota;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::printing;
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx, audit, print_jobs, teams};

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
    let uri = input.uri.unwrap_or_default();
    let asked = (uri.as_str(), input.formats.as_deref());
    let found = probe(&request, member, asked, None).await?;
    let id = PrinterId(request.app.new_uuid());
    let said = (found.is_online, found.abilities);
    let printer = Printer {
        tls_key: found.tls_key,
        why_offline: found.why_offline,
        formats: input.formats,
        ..Printer::new(id, (input.name, found.uri), said, request.now)
    };
    let (row, app, now) = (printer.clone(), request.app.clone(), request.now);
    let (act, changes) = (request.act(), Changes::made(&told(&printer)).hiding(&["uri"]));
    let is_added = request.write(move |tx| {
        quotas::check(tx, app.quotas(), Quota::Printers, member.team)?;
        let is_added = printing::add_printer(tx, member.team, &row, now)?;
        if is_added {
            note(tx, member, (Action::PrinterCreated, &act), &row, &changes)?;
        }
        Ok::<_, ApiError>(is_added)
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
    let mut whole = Json::object([("name", old.name.as_str().into()), ("formats", formats.into())]);
    if let Some(uri) = &old.uri {
        whole.merge(&Json::object([("uri", uri.as_str().into())]));
    }
    whole.merge(&patch);
    let mut refused = FieldErrors::default();
    if old.provider == Provider::Agent && patch.member("uri").is_some() {
        refused.add("uri", Message::new("printer-uri-of-agent"));
    }
    let input = errors
        .or(read_knowing(&whole, refused, |fields| PrinterInput::read(fields, Some(&old))))?;
    // The same address once more accepts the key of whoever is there now.
    let is_secured = |uri: &str| Uri::parse(uri).is_ok_and(|uri| uri.endpoint.is_https);
    let is_asked = |uri: &&str| {
        old.uri.as_deref() != Some(*uri) || (patch.member("uri").is_some() && is_secured(uri))
    };
    let found = match input.uri.as_deref().filter(is_asked) {
        Some(uri) => {
            let asked = (uri, input.formats.as_deref());
            Some(probe(&request, member, asked, Some(old.id)).await?)
        }
        None => None,
    };
    let is_probed = found.is_some();
    let mut new = Printer {
        name: input.name,
        formats: input.formats,
        updated_at: request.now,
        ..old.clone()
    };
    if new.formats != old.formats {
        // At the next look it is asked about those too.
        new.asked_at = Time(0);
    }
    if let Some(found) = found {
        new = found.at(request.now, new);
    }
    let (row, now, act) = (new.clone(), request.now, request.act());
    let changes = Changes::between(&told(&old), &told(&new)).hiding(&["uri"]);
    let is_moved = new.uri != old.uri;
    let changed = request.write(move |tx| {
        if is_moved {
            check_move(tx, member, &row)?;
        }
        let is_there = match is_probed {
            true => printers::update(tx, member.team, &row)?,
            false => printers::set_choices(tx, member.team, &row)?,
        };
        printing::look_at(tx, member.team, &row, now)?;
        if is_there && !changes.is_empty() {
            note(tx, member, (Action::PrinterUpdated, &act), &row, &changes)?;
        }
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
    let (app, act) = (request.app.clone(), request.act());
    let removed = request.write(move |tx| {
        let Some(printer) = printers::find(tx, member.team, id)? else {
            return Err(ApiError::NotFound);
        };
        // It would be back with the agent's next list.
        if printer.agent.as_ref().is_some_and(|own| own.reported_online.is_some()) {
            return Err(ApiError::Conflict(Message::new("printer-reported")));
        }
        printers::delete(tx, member.team, id, now)?;
        let open = print_jobs::list_open(tx, member.team, id)?;
        let problem = PrintProblem::PrinterRemoved;
        printing::give_up_unsent(tx, &app, member.team, open, problem, now)?;
        note(tx, member, (Action::PrinterDeleted, &act), &printer, &Changes::none())?;
        Ok(printing::look_at(tx, member.team, &printer, now)?)
    });
    removed.await?;
    request.app.wake_runner();
    Ok(Reply::nothing())
}

/// Writes down what was done to a printer.
fn note(
    tx: &mut Tx<'_>,
    member: Member,
    (action, act): (Action, &Act),
    printer: &Printer,
    changes: &Changes,
) -> Result<(), Error> {
    let subject = Subject::named("printer", printer.id, &printer.name);
    audit::insert(tx, member.team, act, (action, &subject), changes)
}

/// A printer as a change of it is told.
fn told(printer: &Printer) -> Json {
    let formats = printer.formats.as_ref();
    let formats = formats.map(|all| Json::list(all.iter().map(|one| one.name().into())));
    Json::object([
        ("name", printer.name.as_str().into()),
        ("uri", printer.uri.as_deref().into()),
        ("formats", formats.into()),
    ])
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

/// What is at an address.
struct Found {
    uri: String,
    tls_key: Option<String>,
    is_online: bool,
    why_offline: Option<String>,
    abilities: Abilities,
}

impl Found {
    /// A printer as it was just found.
    fn at(self, now: Time, printer: Printer) -> Printer {
        Printer {
            uri: Some(self.uri),
            tls_key: self.tls_key,
            is_online: self.is_online,
            why_offline: self.why_offline,
            abilities: self.abilities,
            misses: 0,
            looked_at: now,
            asked_at: now,
            ..printer
        }
    }
}

/// Asks what is at this address whether it takes jobs, and what it can do.
async fn probe(
    request: &Request,
    member: Member,
    (uri, formats): (&str, Option<&[Format]>),
    own: Option<PrinterId>,
) -> Result<Found, ApiError> {
    let refused = |message: Message| ApiError::invalid("uri", message);
    let uri = Uri::parse(uri).map_err(|problem| refused(Message::new(problem.key())))?;
    let text = uri.text.clone();
    let other = request.read(move |tx| printers::find_at(tx, member.team, &text)).await?;
    if let Some(other) = other.filter(|other| Some(other.id) != own) {
        return Err(refused(Message::new("printer-known").text("name", other.name)));
    }
    let report = request.app.printers().probe(&uri, formats).await;
    let (report, key) = report.map_err(|error| refused(error.message()))?;
    Ok(Found {
        uri: uri.text,
        tls_key: key,
        is_online: report.is_ready(),
        why_offline: report.why_not(),
        abilities: report.abilities,
    })
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
    /// Nothing for one that an agent reaches.
    uri: Option<String>,
    formats: Option<Vec<Format>>,
}

impl PrinterInput {
    /// Reads a printer. An address that stays as it is needs not be one that can be given.
    fn read(fields: &Fields, old: Option<&Printer>) -> Option<PrinterInput> {
        let name = fields.text("name", Text::filled(100)).required();
        let uri = match old.is_some_and(|old| old.provider == Provider::Agent) {
            true => fields.text("uri", Text::up_to(usize::MAX)).optional(),
            false => uri(fields, old.and_then(|old| old.uri.as_deref())),
        };
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
        Some(PrinterInput { name: name?, uri, formats })
    }
}

/// Where a printer is. An address that stays as it is needs not be one that can be given.
fn uri(fields: &Fields, old: Option<&str>) -> Option<String> {
    let uri = fields.text("uri", Text::filled(2048)).required();
    let problem = uri.as_deref().filter(|uri| Some(*uri) != old).map(Uri::parse);
    if let Some(Err(problem)) = problem {
        fields.refuse("uri", Message::new(problem.key()));
    }
    uri
}

/// A printer as it is shown.
fn view(printer: &Printer) -> Json {
    let formats = printer.intake().types();
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
