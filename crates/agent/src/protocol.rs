//! What is said to a server and what it answers, as JSON. A server may say more than is read here:
//! fields that this version does not know are passed over.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::fields::{Fields, Text, Value, read_what_can_be};
use waybill_domain::ids::parse_uuid;
use waybill_domain::json::{self, Json, Number};
use waybill_domain::printing::{PaperSize, ReportResult, SIZES_MAX};
use waybill_domain::time::Time;
use waybill_domain::words::Message;

use crate::spool::{Held, Offered, PendingReport, SpoolPrinter};

/// The versions of the protocol that this program speaks.
pub const PROTOCOLS: &[i64] = &[1];
/// This version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Any text.
const ANY: Text = Text::up_to(usize::MAX);
/// A session tells of no more jobs.
pub const HELD_MAX: i64 = 10_000;
/// An answer has no more values than this: one that forgets all that is held.
const VALUES_MAX: usize = 100_000;

/// Who somebody is who registered.
#[derive(Clone, PartialEq, Eq)]
pub struct Registered {
    /// The agent.
    pub agent: String,
    /// Its team.
    pub team: String,
    /// What it is called.
    pub name: String,
    /// What lets it in.
    pub token: String,
}

/// A session that has begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// Its id.
    pub session: Uuid,
    /// The longest that a claim may wait.
    pub wait: Duration,
    /// What is not ours.
    pub forget: Vec<Uuid>,
}

/// What an agent says of itself, with more.
fn about_us(hostname: &str, instance: &str) -> [(&'static str, Json); 3] {
    [("instance", instance.into()), ("version", VERSION.into()), ("hostname", hostname.into())]
}

/// Registers.
pub fn registration(code: &str, hostname: &str, instance: &str) -> Json {
    let [instance, version, hostname] = about_us(hostname, instance);
    Json::object([("code", code.into()), hostname, version, instance])
}

/// Begins a session.
pub fn session(hostname: &str, instance: &str, held: &[Held]) -> Json {
    let [instance, version, hostname] = about_us(hostname, instance);
    let one = |held: &Held| {
        Json::object([
            ("job_uuid", Json::text(held.id)),
            ("state", held.state.name().into()),
            ("sequence", held.sequence.into()),
        ])
    };
    let protocols = Json::list(PROTOCOLS.iter().map(|version| (*version).into()));
    let held = ("held", Json::list(held.iter().map(one)));
    Json::object([("protocol", protocols), instance, version, hostname, held])
}

/// Asks for jobs.
pub fn claim(session: Uuid, limit: i64, wait: Duration) -> Json {
    Json::object([
        ("session", Json::text(session)),
        ("limit", limit.into()),
        ("wait_seconds", i64::try_from(wait.as_secs()).unwrap_or(0).into()),
    ])
}

/// Tells how far jobs are.
pub fn reports(session: Uuid, reports: &[PendingReport]) -> Json {
    let one = |report: &PendingReport| {
        Json::object([
            ("job_uuid", Json::text(report.job)),
            ("sequence", report.sequence.into()),
            ("state", report.state.as_str().into()),
            ("message", report.message.as_deref().into()),
            ("at", Json::text(report.at)),
        ])
    };
    Json::object([
        ("session", Json::text(session)),
        ("reports", Json::list(reports.iter().map(one))),
    ])
}

/// All printers, without those of which nothing is known yet.
pub fn printers(printers: &[SpoolPrinter]) -> Json {
    Json::list(printers.iter().filter(|one| one.seen.looked_at > Time(0)).map(printer))
}

/// Tells of all printers.
pub fn printer_list(session: Uuid, printers: Json) -> Json {
    Json::object([("session", Json::text(session)), ("printers", printers)])
}

fn printer(printer: &SpoolPrinter) -> Json {
    let (intake, abilities) = (printer.seen.intake(), &printer.seen.abilities);
    let types = intake.types();
    // A label is repeated in one document where the printer makes no copies of labels.
    let copied = types.formats().map(|format| format.name()).filter(|name| *name != "zpl");
    let copies_max = copied.map(|name| intake.copies_max(name)).min();
    let copies_max = copies_max.or(abilities.copies_max).map(|most| most.clamp(1, i32::MAX.into()));
    let name = Some(&printer.name).filter(|name| Text::filled(1000).problem(name).is_none());
    let sizes = abilities.sizes.as_deref().map(|sizes| {
        let can_be_told = |size: &&PaperSize| Text::filled(255).problem(&size.name).is_none();
        Json::list(sizes.iter().filter(can_be_told).take(SIZES_MAX).map(paper_size))
    });
    Json::object([
        ("key", printer.key.as_str().into()),
        ("name", name.unwrap_or(&printer.key).as_str().into()),
        ("state", if printer.seen.is_online { "online" } else { "offline" }.into()),
        ("formats", Json::list(types.formats().map(|format| format.name().into()))),
        ("paper_sizes", sizes.into()),
        ("copies_max", copies_max.into()),
    ])
}

fn paper_size(size: &PaperSize) -> Json {
    let side = |side: Option<i64>| {
        let side = side.filter(|side| *side > 0).map(|side| {
            let value = Json::Number(Number::from_thousandths(side));
            Json::object([("value", value), ("unit", "mm".into())])
        });
        Json::from(side)
    };
    Json::object([
        ("name", size.name.as_str().into()),
        ("width", side(size.width)),
        ("height", side(size.height)),
    ])
}

/// What an answer holds; nothing when it is not one of ours.
fn data<T>(body: &[u8], read: impl FnOnce(&Fields<'_>) -> Option<T>) -> Option<T> {
    let json = json::parse_within(body, VALUES_MAX).ok()?;
    let (found, _more_than_we_know) = read_what_can_be(&json, read);
    found
}

fn id(fields: &Fields<'_>, name: &'static str) -> Option<Uuid> {
    fields.parsed(name, parse_uuid, || Message::new("not-a-uuid")).required()
}

/// Reads who has registered.
pub fn read_registered(body: &[u8]) -> Option<Registered> {
    data(body, |fields| {
        let data = fields.object("data").required()?;
        let text = |name| data.text(name, ANY).required();
        Some(Registered {
            agent: id(&data, "agent_uuid")?.to_string(),
            team: id(&data, "team_uuid")?.to_string(),
            name: text("name")?,
            token: text("token")?,
        })
    })
}

/// Reads a session.
pub fn read_opened(body: &[u8]) -> Option<Opened> {
    data(body, |fields| {
        let data = fields.object("data").required()?;
        let wait = data.integer("wait_seconds", 1..=3600).required()?;
        let forget = data.list("forget", 0..=usize::MAX).required()?;
        let forget = forget.iter().map(|one| one.parsed(parse_uuid, || Message::new("not-a-uuid")));
        Some(Opened {
            session: id(&data, "session")?,
            wait: Duration::from_secs(wait.unsigned_abs()),
            forget: forget.collect::<Option<_>>()?,
        })
    })
}

/// Reads offers. Their times are by the clock of the server, which is as far ahead of ours as it
/// says now.
pub fn read_offers(body: &[u8], (server, ours): (Time, Time)) -> Option<Vec<Offered>> {
    data(body, |fields| {
        let list = fields.list("data", 0..=usize::MAX).required()?;
        list.iter().map(|one| offered(one, (server, ours))).collect()
    })
}

fn offered(value: &Value<'_>, (server, ours): (Time, Time)) -> Option<Offered> {
    let fields = value.object()?;
    let document = fields.object("document").required()?;
    let expires_at = fields.time("expires_at").required()?;
    let side = |name| {
        let side = document.object(name).optional()?;
        side.quantity("value").optional()
    };
    let size = document.integer("size_bytes", 0..=i64::MAX).required()?;
    Some(Offered {
        id: id(&fields, "uuid")?,
        printer: fields.text("printer_key", ANY).required()?,
        copies: fields.integer("copies", 1..=99).required()?,
        expires_at: ours.plus(expires_at.since(server)),
        document: id(&document, "uuid")?,
        document_name: document.text("name", ANY).required()?,
        format: document.text("format", ANY).required()?,
        size_bytes: size.unsigned_abs(),
        sha256: document.text("sha256", ANY).required()?,
        width_um: side("width"),
        height_um: side("height"),
    })
}

/// Reads what became of reports.
pub fn read_results(body: &[u8]) -> Option<Vec<((Uuid, i64), ReportResult)>> {
    let result = |value: &Value<'_>| {
        let fields = value.object()?;
        let sequence = fields.integer("sequence", 1..=i64::MAX).required()?;
        let unknown = || Message::new("not-one-of");
        let result = fields.parsed("result", ReportResult::parse, unknown).required()?;
        Some(((id(&fields, "job_uuid")?, sequence), result))
    };
    data(body, |fields| {
        let list = fields.list("data", 0..=usize::MAX).required()?;
        list.iter().map(result).collect()
    })
}

/// What a server says against a call.
pub fn read_complaint(body: &[u8]) -> String {
    const WORDS_MAX: usize = 500;
    let Ok(json) = json::parse_within(body, VALUES_MAX) else { return String::new() };
    let mut words = json.member_text("message").unwrap_or_default().to_owned();
    if let Some(Json::Object(errors)) = json.member("errors") {
        for (path, problems) in errors {
            let Json::List(problems) = problems else { continue };
            // A single problem is said by the message already.
            if let Some(Json::Text(problem)) = problems.first()
                && !words.contains(problem.as_str())
            {
                words.push_str(&format!("; {path} {problem}"));
            }
        }
    }
    words.chars().filter(|c| !c.is_control()).take(WORDS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use waybill_printing::queue::QueuePrinter;

    use super::*;

    #[test]
    fn fields_that_this_version_does_not_know_are_passed_over() {
        let id = "01a1e3d1-0101-7abc-8def-0123456789ab";
        let body = format!(
            r#"{{"data": {{"session": "{id}", "protocol": 1, "wait_seconds": 20, "later": [1],
                "silence_seconds": 45, "forget": ["{id}"]}}, "more": {{}}}}"#
        );
        let opened = read_opened(body.as_bytes()).unwrap();
        assert_eq!((opened.session.to_string().as_str(), opened.forget.len()), (id, 1));
        assert_eq!(opened.wait, Duration::from_secs(20));
        assert_eq!(read_opened(b"<html>"), None);
    }

    #[test]
    fn an_offer_expires_by_our_clock_when_it_does_by_the_servers() {
        let id = "01a1e3d1-0101-7abc-8def-0123456789ab";
        let body = format!(
            r#"{{"data": [{{"uuid": "{id}", "printer_key": "uri:a", "copies": 1,
                "expires_at": "2026-11-16T19:00:00Z", "document": {{"uuid": "{id}",
                "name": "Label", "format": "zpl", "mime_type": "application/zpl",
                "size_bytes": 3, "sha256": "ab", "width": {{"value": 100.5, "unit": "mm"}},
                "height": null, "page_count": 1}}}}]}}"#
        );
        let server = Time::parse("2026-11-16T18:00:00Z").unwrap();
        let ours = Time::parse("1999-01-01T00:00:00Z").unwrap();
        let offers = read_offers(body.as_bytes(), (server, ours)).unwrap();
        assert_eq!(offers[0].expires_at, ours.plus(Duration::from_hours(1)));
        assert_eq!((offers[0].width_um, offers[0].height_um), (Some(100_500), None));
    }

    #[test]
    fn a_printer_that_says_it_makes_no_copies_makes_one() {
        let mut seen = QueuePrinter::unseen("ipp://printer/ipp/print".to_owned());
        seen.abilities.copies_max = Some(0);
        seen.looked_at = Time(1);
        for types in
            [vec![], vec!["application/zpl".to_owned()], vec!["application/pdf".to_owned()]]
        {
            seen.abilities.types = types;
            let (key, name) = ("uri:a".to_owned(), "A".to_owned());
            let one = SpoolPrinter { key, name, is_listed: true, seen: seen.clone() };
            let told = printers(&[one]).to_string();
            assert!(told.contains(r#""copies_max":1"#), "{told}");
        }
    }

    #[test]
    fn a_complaint_is_cut_and_has_its_reasons() {
        let body = br#"{"message": "Not valid", "errors": {"code": ["is not good"]}}"#;
        assert_eq!(read_complaint(body), "Not valid; code is not good");
        let body = br#"{"message": "code is not good", "errors": {"code": ["is not good"]}}"#;
        assert_eq!(read_complaint(body), "code is not good");
        assert_eq!(read_complaint(b"<html>"), "");
    }
}
