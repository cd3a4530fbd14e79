//! The lines of a request as they are kept: with their items, and with the stock that they hold or
//! have taken.

use super::allocation::Take;
use crate::fields::{FieldErrors, Fields, Text, Value, each, read_stored};
use crate::ids::CatalogItemId;
use crate::json::Json;
use crate::words::Message;

/// One line of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestLine {
    /// The item.
    pub item: CatalogItemId,
    /// Its name, which never changes.
    pub sku: String,
    /// How many pieces.
    pub quantity: i64,
    /// The parcel that it goes into: its place in the shipment.
    pub parcel: usize,
    /// How many were lacking when stock was last looked for in vain.
    pub missing: i64,
    /// Where its pieces are kept for it, or were taken from.
    pub takes: Vec<Take>,
}

impl RequestLine {
    /// The lines as they are stored.
    pub fn list_to_json(lines: &[RequestLine]) -> Json {
        let line = |line: &RequestLine| {
            let mut json = line.to_json();
            json.merge(&Json::object([("item", Json::text(line.item))]));
            json
        };
        Json::object([("lines", Json::list(lines.iter().map(line)))])
    }

    /// Reads what `list_to_json` wrote.
    pub fn stored_list(json: &Json) -> Result<Vec<RequestLine>, FieldErrors> {
        read_stored(json, |fields| {
            let lines = fields.list("lines", 0..=usize::MAX).required()?;
            each(&lines, RequestLine::read)
        })
    }

    fn read(value: &Value) -> Option<RequestLine> {
        let fields = value.object()?;
        let not_an_id = || Message::new("not-a-uuid");
        let item = fields.parsed("item", CatalogItemId::parse, not_an_id).required();
        let sku = fields.text("sku", Text::up_to(usize::MAX)).required();
        let number = |name| fields.integer(name, 0..=i64::MAX).required();
        let (quantity, parcel) = (number("quantity"), number("parcel"));
        let missing = number("missing");
        let takes = fields.list("allocations", 0..=usize::MAX);
        let takes = takes.then(|takes| each(&takes, |take| read_take(&take.object()?))).required();
        Some(RequestLine {
            item: item?,
            sku: sku?,
            quantity: quantity?,
            parcel: usize::try_from(parcel?).ok()?,
            missing: missing?,
            takes: takes?,
        })
    }

    /// The line as it is shown.
    pub fn to_json(&self) -> Json {
        let parcel = i64::try_from(self.parcel).unwrap_or(i64::MAX);
        let take = |take: &Take| {
            Json::object([
                ("location", take.location.as_str().into()),
                ("quantity", take.quantity.into()),
            ])
        };
        Json::object([
            ("sku", self.sku.as_str().into()),
            ("quantity", self.quantity.into()),
            ("parcel", parcel.into()),
            ("missing", self.missing.into()),
            ("allocations", Json::list(self.takes.iter().map(take))),
        ])
    }
}

fn read_take(fields: &Fields) -> Option<Take> {
    let location = fields.text("location", Text::up_to(usize::MAX)).required();
    let quantity = fields.integer("quantity", 1..=i64::MAX).required();
    Some(Take { location: location?, quantity: quantity? })
}
