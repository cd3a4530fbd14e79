//! The labels of a shipment, and where the request says what stands on them.

use waybill_carriers::booking::LabelData;
use waybill_domain::measure::Money;
use waybill_domain::party::Party;
use waybill_domain::shipment::{Addon, AddonValue, PickupPoint};
use waybill_paper::{Barcode, Label, LabelKind, Labels, Symbology};

use super::inputs::DocumentInputs;

/// Who sends and who gets it, physically: a return goes the other way.
pub fn ends<'a>(inputs: &DocumentInputs<'a>) -> (Option<&'a Party>, Option<&'a Party>) {
    let (merchant, customer) = (inputs.order.merchant.as_ref(), Some(&inputs.order.customer));
    if inputs.service.is_return { (customer, merchant) } else { (merchant, customer) }
}

/// A label for each parcel.
pub fn labels(inputs: &DocumentInputs<'_>, numbers: &[String], label_data: &LabelData) -> Labels {
    let count = u32::try_from(inputs.order.parcels.len()).unwrap_or(u32::MAX);
    let numbered = (1..).zip(numbers);
    let labels =
        numbered.filter_map(|(place, number)| label(inputs, place, count, number, label_data));
    Labels { language: inputs.language, paper: inputs.size, labels: labels.collect() }
}

fn label(
    inputs: &DocumentInputs<'_>,
    place: u32,
    count: u32,
    number: &str,
    label_data: &LabelData,
) -> Option<Label> {
    let (sender, receiver) = ends(inputs);
    let order = inputs.order;
    let parcel = order.parcels.get(usize::try_from(place - 1).ok()?)?;
    let service = inputs.service;
    let asked = &order.delivery.addons;
    let named = asked.iter().filter(|addon| !is_shown_by_value(addon));
    let addons = named.map(|addon| {
        let known = service.addons.iter().find(|known| known.code == addon.code);
        known.map_or(addon.code.as_str(), |known| known.names.say(inputs.language)).to_owned()
    });
    // The amount is that of the whole shipment: on every label it would be collected as often.
    let cash = amount(asked, CASH_ON_DELIVERY);
    let kind = if service.is_return { LabelKind::Return } else { LabelKind::Parcel };
    Some(Label {
        kind,
        carrier: inputs.carrier.name.clone(),
        service: service.names.say(inputs.language).to_owned(),
        service_mark: Some(mark(&service.code)),
        sender: sender?.clone(),
        receiver: receiver?.clone(),
        pickup_point: inputs.pickup_point.map(pickup_point),
        routing_code: label_data.routing_code.clone(),
        tracking: Barcode { symbology: Symbology::Code128, content: number.to_owned(), text: None },
        matrix: None,
        weight: parcel.gross_weight,
        reference: parcel.reference.clone().or_else(|| order.reference.clone()),
        addons: addons.collect(),
        cash_on_delivery: cash.filter(|_| place == 1),
        cash_with_parcel: cash.filter(|_| place > 1).map(|_| 1),
        minimum_age: text(asked, AGE_VERIFICATION).and_then(|age| age.parse().ok()),
        leave_at: text(asked, FLEX_DELIVERY).map(str::to_owned),
        dangerous_goods: parcel.dangerous_goods.clone(),
        instructions: order.delivery.instructions.clone(),
        number: place,
        count,
        date: Some(inputs.date),
        is_test: inputs.carrier.is_test,
    })
}

const CASH_ON_DELIVERY: &str = "cash_on_delivery";
const AGE_VERIFICATION: &str = "age_verification";
const FLEX_DELIVERY: &str = "flex_delivery";

/// Whether the driver must know the value of an addon: it is drawn with it rather than named. Where
/// a place may be told and is not, the name is all there is to say.
fn is_shown_by_value(addon: &Addon) -> bool {
    match addon.code.as_str() {
        CASH_ON_DELIVERY | AGE_VERIFICATION => true,
        FLEX_DELIVERY => text(std::slice::from_ref(addon), FLEX_DELIVERY).is_some(),
        _ => false,
    }
}

fn value<'a>(addons: &'a [Addon], code: &str) -> Option<&'a AddonValue> {
    addons.iter().find(|addon| addon.code == code)?.value.as_ref()
}

fn text<'a>(addons: &'a [Addon], code: &str) -> Option<&'a str> {
    match value(addons, code)? {
        AddonValue::Text(text) => Some(text.as_str()).filter(|text| !text.trim().is_empty()),
        AddonValue::Money(_) => None,
    }
}

fn amount(addons: &[Addon], code: &str) -> Option<Money> {
    match value(addons, code)? {
        AddonValue::Money(money) => Some(*money),
        AddonValue::Text(_) => None,
    }
}

/// The first letter of each word of the service's code: `sandbox:pickup_point` is `PP`.
fn mark(code: &str) -> String {
    let (_, name) = code.split_once(':').unwrap_or(("", code));
    let letters = name.split('_').filter_map(|word| word.chars().next());
    letters.take(4).collect::<String>().to_uppercase()
}

fn pickup_point(point: &PickupPoint) -> waybill_paper::PickupPoint {
    let address = point.address.clone();
    waybill_paper::PickupPoint {
        code: Some(point.code.clone()),
        name: point.name.clone(),
        address_lines: address.lines,
        postal_code: address.postal_code,
        city: address.city,
        administrative_area: address.administrative_area,
        country: Some(address.country),
    }
}

/// Where the request says what stands at this path of the labels.
pub fn path(inputs: &DocumentInputs<'_>, path: &str) -> String {
    let mut parts = path.splitn(3, '.').skip(1);
    let (index, rest) = (parts.next().unwrap_or("0"), parts.next().unwrap_or_default());
    let (sender, receiver) = match inputs.service.is_return {
        true => ("parties.customer", "parties.merchant"),
        false => ("parties.merchant", "parties.customer"),
    };
    if let Some(field) = rest.strip_prefix("sender") {
        return format!("{sender}{field}");
    }
    if let Some(field) = rest.strip_prefix("receiver") {
        return format!("{receiver}{field}");
    }
    let parcel = index.parse::<usize>().ok().and_then(|index| inputs.order.parcels.get(index));
    match rest.split('.').next().unwrap_or_default() {
        "reference" if parcel.is_some_and(|parcel| parcel.reference.is_some()) => {
            format!("parcels.{index}.reference")
        }
        "reference" => "reference".to_owned(),
        "instructions" => "delivery.instructions".to_owned(),
        "pickup_point" => "delivery.pickup_point".to_owned(),
        "weight" => format!("parcels.{index}.gross_weight"),
        "dangerous_goods" => format!("parcels.{index}.dangerous_goods"),
        "addons" => "delivery.addons".to_owned(),
        "cash_on_delivery" => addon_path(inputs, CASH_ON_DELIVERY),
        "minimum_age" => addon_path(inputs, AGE_VERIFICATION),
        "leave_at" => addon_path(inputs, FLEX_DELIVERY),
        _ => "delivery.service_code".to_owned(),
    }
}

fn addon_path(inputs: &DocumentInputs<'_>, code: &str) -> String {
    let place = inputs.order.delivery.addons.iter().position(|addon| addon.code == code);
    place.map_or("delivery.addons".to_owned(), |index| format!("delivery.addons.{index}.value"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_marked_by_the_first_letters_of_its_words() {
        assert_eq!(mark("sandbox:pickup_point"), "PP");
        assert_eq!(mark("sandbox:home"), "H");
        assert_eq!(mark("sandbox:return_drop_off"), "RDO");
    }
}
