//! What goes along with a parcel that crosses a customs border: a declaration for each parcel, an
//! invoice for all, and a packing list where there are several parcels. They are in English, which
//! customs read everywhere. What the carrier makes, by the catalog, is not drawn a second time.

use waybill_domain::document::{CustomsPaper, DocumentType, Format};
use waybill_domain::fields::FieldErrors;
use waybill_domain::language::Language;
use waybill_domain::measure::{Money, Weight, WeightUnit};
use waybill_domain::parcel::{Item, Parcel};
use waybill_paper::{
    Barcode, CustomsForm, CustomsKind, Document, Invoice, InvoiceKind, Layout, PackingList,
    Renderer, Symbology,
};

use super::error::PapersError;
use super::inputs::{DocumentInputs, moved};
use super::label::ends;
use super::paper::{DPI, Paper, render};

/// Up to this weight and value the small form is allowed: 2 kg and 300 SDR, here in round amounts
/// of minor units that stay below. Any other currency gets the large form.
const CN22_GRAMS: i64 = 2_000;
const CN22_VALUES: &[(&str, i64)] = &[
    ("DKK", 220_000),
    ("EUR", 30_000),
    ("GBP", 25_000),
    ("NOK", 330_000),
    ("SEK", 330_000),
    ("USD", 35_000),
];

/// What keeps the papers from being printed, at the paths of the request.
pub fn problems(renderer: &Renderer, inputs: &DocumentInputs<'_>) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let (sender, receiver) = match inputs.service.is_return {
        true => ("parties.customer", "parties.merchant"),
        false => ("parties.merchant", "parties.customer"),
    };
    let swap = |path: &str, from: &str, to: &str, items: &dyn Fn(&str) -> String| {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let dotted = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        match first {
            first if first == from => format!("{sender}{dotted}"),
            first if first == to => format!("{receiver}{dotted}"),
            "items" => items(rest),
            "parcels" => format!("parcels{dotted}"),
            "number" | "invoice_number" => "customs.invoice_number".to_owned(),
            "reference" => "reference".to_owned(),
            _ => "customs".to_owned(),
        }
    };
    for (index, parcel) in inputs.order.parcels.iter().enumerate() {
        let Some(form) = declaration(inputs, index, parcel, None) else { continue };
        if let Err(found) = drawn(renderer, form) {
            let items = |rest: &str| format!("parcels.{index}.items.{rest}");
            errors.extend(moved(&found, |path| swap(path, "sender", "receiver", &items)));
        }
    }
    // The numbers are not known yet; any of a usual length takes as much room.
    let numbers = vec!["0".repeat(20); inputs.order.parcels.len()];
    let places: Vec<(usize, usize)> = inputs
        .order
        .parcels
        .iter()
        .enumerate()
        .flat_map(|(parcel, all)| (0..all.items.len()).map(move |item| (parcel, item)))
        .collect();
    if let Some(Err(found)) = invoice(inputs, &numbers).map(|invoice| invoice.layout(renderer)) {
        let items = |rest: &str| {
            let (index, field) = rest.split_once('.').unwrap_or((rest, ""));
            let place = index.parse::<usize>().ok().and_then(|index| places.get(index));
            place.map_or("parcels".to_owned(), |(parcel, item)| {
                format!("parcels.{parcel}.items.{item}.{field}").trim_end_matches('.').to_owned()
            })
        };
        errors.extend(moved(&found, |path| swap(path, "seller", "buyer", &items)));
    }
    if let Some(Err(found)) = packing_list(inputs).map(|list| list.layout(renderer)) {
        let items = |rest: &str| format!("parcels.{rest}");
        errors.extend(moved(&found, |path| swap(path, "sender", "receiver", &items)));
    }
    // Where two currencies meet is told by the rule for the whole shipment, at their own fields.
    errors.without("mixed-currencies")
}

/// The papers.
pub fn papers(
    renderer: &Renderer,
    inputs: &DocumentInputs<'_>,
    numbers: &[String],
) -> Result<Vec<Paper>, PapersError> {
    let mut declarations: Vec<Document> = Vec::new();
    for (index, (parcel, number)) in inputs.order.parcels.iter().zip(numbers).enumerate() {
        let Some(form) = declaration(inputs, index, parcel, Some(number)) else { continue };
        declarations.push(drawn(renderer, form).map_err(PapersError::Layout)?);
    }
    let mut papers = Vec::new();
    for document in together(declarations) {
        papers.push((DocumentType::CustomsDeclaration, document));
    }
    if let Some(invoice) = invoice(inputs, numbers) {
        let kind = match invoice.kind {
            InvoiceKind::Commercial => DocumentType::CommercialInvoice,
            InvoiceKind::Proforma => DocumentType::ProformaInvoice,
        };
        papers.push((kind, invoice.layout(renderer).map_err(PapersError::Layout)?));
    }
    if let Some(list) = packing_list(inputs) {
        papers
            .push((DocumentType::PackingList, list.layout(renderer).map_err(PapersError::Layout)?));
    }
    let draw = |(kind, document): &(_, _)| render(renderer, document, *kind, (Format::Pdf, DPI));
    papers.iter().map(draw).collect()
}

fn is_ours(inputs: &DocumentInputs<'_>, paper: CustomsPaper) -> bool {
    inputs.service.customs_papers.contains(&paper)
}

/// The form laid out. What has no room on the small form gets the large one, which is always
/// allowed and has as many pages as it needs.
fn drawn(renderer: &Renderer, form: CustomsForm) -> Result<Document, FieldErrors> {
    match form.layout(renderer) {
        Err(_) if form.kind == CustomsKind::Cn22 => {
            CustomsForm { kind: CustomsKind::Cn23, ..form }.layout(renderer)
        }
        laid_out => laid_out,
    }
}

/// Documents with pages of one size as one; pages of different sizes stay apart.
fn together(documents: Vec<Document>) -> Vec<Document> {
    let size = |document: &Document| {
        document.pages.first().map(|page| (page.width.to_bits(), page.height.to_bits()))
    };
    let mut merged: Vec<Document> = Vec::new();
    for document in documents {
        match merged.iter_mut().find(|other| size(other) == size(&document)) {
            Some(other) => other.pages.extend(document.pages),
            None => merged.push(document),
        }
    }
    merged
}

fn declaration(
    inputs: &DocumentInputs<'_>,
    index: usize,
    parcel: &Parcel,
    number: Option<&String>,
) -> Option<CustomsForm> {
    is_ours(inputs, CustomsPaper::Declaration).then_some(())?;
    let (sender, receiver) = ends(inputs);
    let customs = inputs.order.customs.as_ref();
    let content = |number: &String| Barcode {
        symbology: Symbology::Code128,
        content: number.clone(),
        text: None,
    };
    Some(CustomsForm {
        kind: kind(parcel),
        language: Language::En,
        paper: inputs.size,
        carrier: inputs.carrier.name.clone(),
        sender: sender?.clone(),
        receiver: receiver?.clone(),
        content_type: customs
            .and_then(|customs| customs.content_type.clone())
            .unwrap_or_else(|| "other".to_owned()),
        items: parcel.items.clone(),
        is_dangerous: !parcel.dangerous_goods.is_empty(),
        gross_weight: parcel.gross_weight,
        postage: customs
            .and_then(|customs| customs.shipping_cost)
            .map(|cost| share(cost, &inputs.order.parcels, index)),
        tracking: Some(number.map_or_else(|| content(&"0".repeat(20)), content)),
        reference: inputs.order.reference.clone(),
        comments: None,
        licence_number: None,
        certificate_number: None,
        invoice_number: customs.and_then(|customs| customs.invoice_number.clone()),
        date: Some(inputs.date),
    })
}

/// What the transport of one parcel costs: by weight where all weights are known, else the same for
/// each. All shares together are the whole, to the smallest coin.
fn share(cost: Money, parcels: &[Parcel], index: usize) -> Money {
    let weights: Option<Vec<i64>> =
        parcels.iter().map(|parcel| parcel.gross_weight.map(|weight| weight.grams())).collect();
    let weights = weights.unwrap_or_else(|| vec![1; parcels.len()]);
    let sum =
        |count: usize| weights.iter().take(count).map(|grams| i128::from(*grams)).sum::<i128>();
    let all = sum(weights.len()).max(1);
    let until = |count: usize| i128::from(cost.minor) * sum(count) / all;
    let minor = i64::try_from(until(index + 1) - until(index)).unwrap_or(cost.minor);
    Money { minor, ..cost }
}

fn kind(parcel: &Parcel) -> CustomsKind {
    let is_light = parcel.gross_weight.is_some_and(|weight| weight.grams() <= CN22_GRAMS);
    let is_cheap = value(&parcel.items).is_some_and(|value| {
        let limit = CN22_VALUES.iter().find(|(code, _)| *code == value.currency.code());
        limit.is_some_and(|(_, most)| value.minor <= *most)
    });
    if is_light && is_cheap { CustomsKind::Cn22 } else { CustomsKind::Cn23 }
}

/// What the items are worth together, when each has a price in the same currency.
fn value(items: &[Item]) -> Option<Money> {
    let mut total: Option<Money> = None;
    for item in items {
        let price = item.unit_price?;
        let minor = price.minor.checked_mul(item.quantity)?;
        total = Some(match total {
            None => Money { minor, ..price },
            Some(sum) if sum.currency == price.currency => {
                Money { minor: sum.minor.checked_add(minor)?, ..sum }
            }
            Some(_) => return None,
        });
    }
    total
}

fn invoice(inputs: &DocumentInputs<'_>, numbers: &[String]) -> Option<Invoice> {
    is_ours(inputs, CustomsPaper::Invoice).then_some(())?;
    let (seller, buyer) = ends(inputs);
    let order = inputs.order;
    let customs = order.customs.as_ref()?;
    let is_sold = customs.content_type.as_deref() == Some("commercial_goods");
    let date = customs.invoice_date.as_deref().and_then(|date| date.parse().ok());
    Some(Invoice {
        kind: if is_sold { InvoiceKind::Commercial } else { InvoiceKind::Proforma },
        language: Language::En,
        number: customs
            .invoice_number
            .clone()
            .or_else(|| order.reference.clone())
            .unwrap_or_else(|| "-".to_owned()),
        date: date.unwrap_or(inputs.date),
        seller: seller?.clone(),
        buyer: buyer?.clone(),
        items: order.parcels.iter().flat_map(|parcel| parcel.items.clone()).collect(),
        content_type: customs.content_type.clone(),
        incoterm: customs.incoterm.clone(),
        tracking_numbers: numbers.to_vec(),
        parcel_count: i64::try_from(order.parcels.len()).ok(),
        reference: order.reference.clone(),
        shipping_cost: customs.shipping_cost,
        insurance_cost: None,
        gross_weight: gross_weight(&order.parcels),
    })
}

/// Of all parcels together, when each has one.
fn gross_weight(parcels: &[Parcel]) -> Option<Weight> {
    let weights: Option<Vec<Weight>> = parcels.iter().map(|parcel| parcel.gross_weight).collect();
    match weights?.as_slice() {
        [one] => Some(*one),
        all => {
            let grams =
                all.iter().try_fold(0_i64, |sum, weight| sum.checked_add(weight.grams()))?;
            Some(Weight { thousandths: grams.checked_mul(1000)?, unit: WeightUnit::Gram })
        }
    }
}

fn packing_list(inputs: &DocumentInputs<'_>) -> Option<PackingList> {
    let (sender, receiver) = ends(inputs);
    let order = inputs.order;
    (order.parcels.len() > 1 && is_ours(inputs, CustomsPaper::PackingList)).then_some(())?;
    Some(PackingList {
        language: Language::En,
        date: Some(inputs.date),
        reference: order.reference.clone(),
        sender: sender?.clone(),
        receiver: receiver?.clone(),
        parcels: order.parcels.clone(),
    })
}

#[cfg(test)]
mod tests;
