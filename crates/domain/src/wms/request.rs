//! What a caller asks a warehouse for: lines, and the shipment that they are sent with.

use super::name;
use crate::fields::{FieldErrors, Fields, Text, Value, each_or_default, read_what_can_be};
use crate::json::Json;
use crate::words::Message;

/// The most lines of one request.
const LINES_MAX: usize = 1000;
/// The most parcels of one shipment.
const PARCELS_MAX: i64 = 99;

/// So many pieces of one item.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Line {
    /// Of what; empty where it could not be read.
    pub sku: String,
    /// How many.
    pub quantity: i64,
    /// The parcel that it goes into: its place in the shipment.
    pub parcel: usize,
}

/// A request for stock, and the shipment of it.
#[derive(Clone, PartialEq, Debug)]
pub struct RequestInput {
    /// The caller's own id.
    pub identifier: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// What is wanted, each item once.
    pub lines: Vec<Line>,
    /// The body of the later booking as it came, without items.
    pub shipment: Json,
}

/// What could be read of a body, and everything that is wrong with it so far.
#[derive(Clone, PartialEq, Debug)]
pub struct RequestReading {
    /// Empty where something could not be read: it may be checked, and it is never stored.
    pub input: RequestInput,
    /// What is wrong with it.
    pub errors: FieldErrors,
}

impl RequestReading {
    /// Reads a body as far as it can be read: the shipment is checked whatever is wrong with lines.
    pub fn new(body: &Json) -> RequestReading {
        let (input, errors) = read_what_can_be(body, RequestInput::read);
        let empty = || RequestInput {
            identifier: None,
            reference: None,
            lines: Vec::new(),
            shipment: Json::Null,
        };
        RequestReading { input: input.unwrap_or_else(empty), errors }
    }
}

impl RequestInput {
    fn read(fields: &Fields) -> Option<RequestInput> {
        let identifier = fields.text("identifier", Text::up_to(255)).optional();
        let reference = fields.text("reference", Text::up_to(255)).optional();
        let lines = fields.list("lines", 1..=LINES_MAX);
        let lines = lines.then(|list| Some(each_or_default(&list, Line::read))).required();
        let lines = lines.unwrap_or_default();
        let mut seen = std::collections::HashSet::new();
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.sku.is_empty()) {
            if !seen.insert(line.sku.as_str()) {
                fields.refuse(&format!("lines.{index}.sku"), Message::new("duplicate-value"));
            }
        }
        let shipment = fields.value("shipment").then(|value| match value.json() {
            shipment @ Json::Object(_) => {
                refuse_items(fields, shipment);
                Some(shipment.clone())
            }
            _ => value.refuse(Message::new("not-an-object")),
        });
        let shipment = shipment.required().unwrap_or(Json::Null);
        Some(RequestInput { identifier, reference, lines, shipment })
    }
}

impl Line {
    fn read(value: &Value) -> Option<Line> {
        let fields = value.object()?;
        let sku = name::read(&fields, "sku").required();
        let quantity = fields.integer("quantity", 1..=99_999).required();
        let parcel = fields.integer("parcel", 0..=PARCELS_MAX - 1).optional().unwrap_or(0);
        Some(Line {
            sku: sku.unwrap_or_default(),
            quantity: quantity.unwrap_or(1),
            parcel: usize::try_from(parcel).unwrap_or_default(),
        })
    }
}

/// Items come from the catalog: a parcel that brings its own would be sent with both.
fn refuse_items(fields: &Fields, shipment: &Json) {
    let Some(Json::List(parcels)) = shipment.member("parcels") else { return };
    for (index, parcel) in parcels.iter().enumerate() {
        if !matches!(parcel.member("items"), None | Some(Json::Null)) {
            let path = format!("shipment.parcels.{index}.items");
            fields.refuse(&path, Message::new("wms-own-items"));
        }
    }
}
