//! What a caller wants joined.

use std::collections::HashSet;

use uuid::Uuid;
use waybill_domain::document::DocumentType;
use waybill_domain::fields::{FieldErrors, Fields, each, one_of, read_knowing};
use waybill_domain::ids::{BatchId, DocumentId, ShipmentId, parse_uuid};
use waybill_domain::json::Json;
use waybill_domain::words::Message;

/// The most documents or shipments that are named, and members of a batch that are taken.
const COUNT_MAX: usize = 1_000;
/// No batch has so many members.
const POSITION_MAX: i64 = 1_000_000_000;

/// The three ways to say it; exactly one is given.
const WAYS: [&str; 3] = ["document_uuids", "shipment_uuids", "batch_uuid"];

/// What is to be joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MergeInput {
    /// These documents.
    Documents(Vec<DocumentId>),
    /// Documents of these kinds, of these shipments.
    Shipments(Vec<ShipmentId>, Vec<DocumentType>),
    /// Documents of these kinds, of the members from the first position to the last.
    Batch(BatchId, (i64, i64), Vec<DocumentType>),
}

impl MergeInput {
    pub fn parse(body: &Json) -> Result<MergeInput, FieldErrors> {
        let is_given = |name: &&str| !matches!(body.member(name), None | Some(Json::Null));
        let given: Vec<&str> = WAYS.into_iter().filter(is_given).collect();
        let mut others = FieldErrors::default();
        let one = || Message::new("merge-one-way").text("names", WAYS.join(", "));
        match given.as_slice() {
            [_] => {}
            [] => others.add(WAYS[0], one()),
            several => {
                several.iter().for_each(|name| others.add(*name, one()));
            }
        }
        if given == ["document_uuids"] && is_given(&"types") {
            others.add("types", Message::new("merge-no-types").text("name", WAYS[0]));
        }
        for name in ["first", "last"] {
            if is_given(&name) && !given.contains(&"batch_uuid") {
                others.add(name, Message::new("merge-no-positions").text("name", WAYS[2]));
            }
        }
        for name in &WAYS[..2] {
            find_doubled(body, name, &mut others);
        }
        let (first, last) = positions(body);
        if last < first {
            others.add("last", Message::new("merge-last-before-first").text("name", "first"));
        } else if last - first >= COUNT_MAX as i64 {
            let message = Message::new("merge-too-far").text("max", COUNT_MAX);
            others.add("last", message.text("name", "first"));
        }
        read_knowing(body, others, |fields| MergeInput::read(fields, (first, last)))
    }

    fn read(fields: &Fields, range: (i64, i64)) -> Option<MergeInput> {
        let documents = ids(fields, "document_uuids");
        let shipments = ids(fields, "shipment_uuids");
        let batch =
            fields.parsed("batch_uuid", BatchId::parse, || Message::new("not-a-uuid")).optional();
        for name in ["first", "last"] {
            let _position = fields.integer(name, 1..=POSITION_MAX).optional();
        }
        let names = || one_of(DocumentType::NAMES);
        let types = fields
            .list("types", 1..=DocumentType::NAMES.len())
            .then(|rows| each(&rows, |value| value.parsed(DocumentType::parse, names)));
        let types = types.optional().unwrap_or_else(|| vec![DocumentType::Label]);
        match (documents, shipments, batch) {
            (Some(all), ..) => {
                Some(MergeInput::Documents(all.into_iter().map(DocumentId).collect()))
            }
            (_, Some(all), _) => {
                Some(MergeInput::Shipments(all.into_iter().map(ShipmentId).collect(), types))
            }
            (.., Some(batch)) => Some(MergeInput::Batch(batch, range, types)),
            _ => None,
        }
    }
}

fn ids(fields: &Fields, name: &'static str) -> Option<Vec<Uuid>> {
    let rows = fields.list(name, 1..=COUNT_MAX);
    let wrong = || Message::new("not-a-uuid");
    rows.then(|rows| each(&rows, |value| value.parsed(parse_uuid, wrong))).optional()
}

/// Nothing is joined twice: a label that is there twice is stuck on two parcels.
fn find_doubled(body: &Json, name: &str, errors: &mut FieldErrors) {
    let Some(Json::List(rows)) = body.member(name) else { return };
    let mut seen = HashSet::new();
    for (index, row) in rows.iter().enumerate().take(COUNT_MAX) {
        if let Json::Text(text) = row
            && parse_uuid(text).is_some_and(|id| !seen.insert(id))
        {
            errors.add(format!("{name}.{index}"), Message::new("duplicate-value"));
        }
    }
}

/// The first and the last position, from 1: what is not given follows from the other.
fn positions(body: &Json) -> (i64, i64) {
    let given = |name| match body.member(name) {
        Some(Json::Number(number)) => number.to_string().parse::<i64>().ok(),
        _ => None,
    };
    let is_position = |position: &i64| (1..=POSITION_MAX).contains(position);
    let first = given("first").filter(is_position).unwrap_or(1);
    let last = given("last").filter(is_position).unwrap_or(first + COUNT_MAX as i64 - 1);
    (first, last)
}
