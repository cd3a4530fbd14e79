//! The body of the booking that ships a request: its shipment, with items from the catalog.

use super::item::CatalogItem;
use super::request::RequestInput;
use crate::catalog::texts;
use crate::fields::FieldErrors;
use crate::json::Json;
use crate::measure::WeightUnit;
use crate::template::TemplateShipment;
use crate::words::Message;

/// Where the unit of all weights of a shipment is found.
const WEIGHTS: [&str; 2] =
    ["parcels.*.gross_weight.unit", "parcels.*.dangerous_goods.*.net_weight.unit"];

/// A booking's body, and which line each item of it is for.
#[derive(Clone, PartialEq, Debug)]
pub struct BookingInput {
    /// The body, as a shipment is created with.
    pub body: Json,
    /// What is wrong with the lines: a parcel that is not there.
    pub errors: FieldErrors,
    /// For each parcel the lines of its items, in their order.
    lines: Vec<Vec<usize>>,
}

/// Builds the body. `items` has the catalog's item of each line, where there is one; `template` is
/// what the shipment names.
pub fn booking_input(
    request: &RequestInput,
    items: &[Option<CatalogItem>],
    template: Option<&TemplateShipment>,
) -> BookingInput {
    let mut body = request.shipment.clone();
    for (name, own) in [("identifier", &request.identifier), ("reference", &request.reference)] {
        if let Some(own) = own.as_deref().filter(|_| is_absent(&body, name)) {
            set(&mut body, name, own.into());
        }
    }
    if is_absent(&body, "parcels")
        && let Some(parcels) = template.and_then(|it| it.to_input().member("parcels").cloned())
    {
        set(&mut body, "parcels", parcels);
    }
    let unit = weight_unit(&body, items);
    let (mut errors, mut lines) = (FieldErrors::default(), Vec::new());
    if let Json::Object(members) = &mut body
        && let Some((_, Json::List(parcels))) =
            members.iter_mut().find(|(name, _)| name == "parcels")
    {
        lines = vec![Vec::new(); parcels.len()];
        let mut contents = vec![Vec::new(); parcels.len()];
        for (index, (line, item)) in request.lines.iter().zip(items).enumerate() {
            let Some(content) = contents.get_mut(line.parcel) else {
                let count = i64::try_from(parcels.len()).unwrap_or(i64::MAX);
                let message = Message::new("wms-no-such-parcel").count("count", count);
                errors.add(format!("lines.{index}.parcel"), message);
                continue;
            };
            if let Some(item) = item {
                content.push(item.booked(line.quantity, unit).to_json());
                lines[line.parcel].push(index);
            }
        }
        for (parcel, content) in parcels.iter_mut().zip(contents) {
            set(parcel, "items", Json::List(content));
        }
    }
    BookingInput { body, errors, lines }
}

impl BookingInput {
    /// What was found against the body, at the places of the request: what the catalog's item lacks
    /// is told at its line.
    #[must_use]
    pub fn told(&self, found: FieldErrors) -> FieldErrors {
        let mut told = FieldErrors::default();
        for (path, messages) in found.iter().filter(|(path, _)| !is_own_unit(path)) {
            for message in messages {
                let (path, message) = self.place(path, message);
                told.add(path, message);
            }
        }
        told
    }

    fn place(&self, path: &str, message: &Message) -> (String, Message) {
        let steps: Vec<&str> = path.split('.').collect();
        let line = match steps.as_slice() {
            ["parcels", parcel, "items", item, ..] => self.line(parcel, item),
            // Nobody may put items into it but by a line.
            ["parcels", parcel, "items"] if message.key() == "required" => {
                let path = format!("shipment.parcels.{parcel}");
                return (path, Message::new("wms-empty-parcel"));
            }
            _ => None,
        };
        match (line, steps.get(4)) {
            (None, _) => (format!("shipment.{path}"), message.clone()),
            (Some(line), Some(&"quantity")) => (format!("lines.{line}.quantity"), message.clone()),
            (Some(line), None) => (format!("lines.{line}.sku"), message.clone()),
            (Some(line), Some(field)) => {
                let problem = Message::new("wms-item-field").text("field", of_catalog(field));
                (format!("lines.{line}.sku"), problem.said("problem", message.clone()))
            }
        }
    }

    fn line(&self, parcel: &str, item: &str) -> Option<usize> {
        let items = self.lines.get(parcel.parse::<usize>().ok()?)?;
        items.get(item.parse::<usize>().ok()?).copied()
    }
}

/// Whether it is the unit that an item's weight was converted to: what is wrong with that is wrong
/// with the parcels.
fn is_own_unit(path: &str) -> bool {
    let steps: Vec<&str> = path.split('.').collect();
    matches!(steps.as_slice(), ["parcels", _, "items", _, "net_weight", "unit"])
}

/// What the catalog calls a field of an item.
fn of_catalog(field: &str) -> &str {
    match field {
        "description" => "name",
        "net_weight" => "weight",
        other => other,
    }
}

/// The unit that the shipment's parcels are weighed in, or that of the first item where nothing
/// says.
fn weight_unit(body: &Json, items: &[Option<CatalogItem>]) -> WeightUnit {
    let told = WEIGHTS.iter().flat_map(|path| texts(body, path));
    let told = told.filter_map(|(_, unit)| WeightUnit::parse(unit)).next();
    let first = || items.iter().flatten().find_map(|item| item.weight).map(|weight| weight.unit);
    told.or_else(first).unwrap_or(WeightUnit::Gram)
}

fn is_absent(body: &Json, name: &str) -> bool {
    matches!(body.member(name), None | Some(Json::Null))
}

/// Sets a member of an object; of anything else there is nothing to set.
fn set(body: &mut Json, name: &'static str, value: Json) {
    let Json::Object(members) = body else { return };
    match members.iter_mut().find(|(known, _)| known == name) {
        Some((_, old)) => *old = value,
        None => members.push((name.into(), value)),
    }
}
