//! What became of a reference. GLS has no question for that: a parcel is looked at by telling its
//! weight, unchanged, and its answer is made anew by printing its label again, which puts a new
//! parcel in the place of the old one. So nothing is printed for a canary.

use waybill_domain::shipment::Order;
use waybill_outbound::line::{LABEL_BYTES_MAX, Response};

use super::answers::format;
use super::client::{Call, Client};
use super::created::{Created, created, files, print_data};
use super::errors::{code, complaints, strange};
use super::kept::Kept;
use super::uncertain::{IS_NOT_THERE, IS_THERE, told_weight};
use super::weights;
use super::wire::{BASE, parcel_reference, printing};
use crate::booking::{Accepted, CarrierFiles, Complaint, Found, LabelRequest, Partial, Sought};
use crate::members::{body, list, object};
use crate::{Account, CarrierError};

/// What a look at a parcel says.
#[derive(Clone, PartialEq, Debug)]
pub enum Look {
    /// GLS has it.
    There,
    /// GLS does not have it, in its own words.
    NotThere(Vec<Complaint>),
}

/// The weights by which the parcels of an order are looked up.
pub fn weights_of(order: &Order) -> Vec<String> {
    order.parcels.iter().map(|parcel| weights::of_parcel(parcel).to_string()).collect()
}

/// Looks at a parcel. Nothing changes at GLS: the weight is the one that it has.
pub async fn look(
    client: &Client,
    account: &Account,
    name: &str,
    weight: &str,
) -> Result<Look, CarrierError> {
    let question =
        object([("ShipmentUnitReference", name.into()), ("Weight", told_weight(weight))]);
    let call = Call::post(format!("{BASE}/shipments/updateparcelweight"), &question);
    meaning(&client.ask(account, call).await?)
}

fn meaning(response: &Response) -> Result<Look, CarrierError> {
    match (response.status.as_u16(), code(response)) {
        (200, _) if body(response).member("UpdatedWeight").is_some() => Ok(Look::There),
        (400, Some(IS_THERE)) => Ok(Look::There),
        (400, Some(IS_NOT_THERE)) => Ok(Look::NotThere(complaints(response))),
        _ => Err(strange(response)),
    }
}

/// What became of a reference.
pub async fn find(client: &Client, account: &Account, sought: &Sought) -> Found {
    match found(client, account, sought).await {
        Ok(found) => found,
        Err(error) => Found::Unknown(error.into()),
    }
}

async fn found(client: &Client, account: &Account, sought: &Sought) -> Result<Found, CarrierError> {
    let (reference, weights) = (sought.reference.as_str(), weights_of(&sought.order));
    let (mut there, mut missing, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for (place, weight) in weights.iter().enumerate() {
        match look(client, account, &parcel_reference(reference, place), weight).await? {
            Look::There => there.push(place),
            Look::NotThere(words) => {
                missing.push(place);
                said.extend(words);
            }
        }
    }
    if there.is_empty() {
        return Ok(Found::Absent);
    }
    let mut accepted = Accepted { carrier_reference: reference.to_owned(), ..Accepted::default() };
    if !sought.is_canary {
        accepted = recover(client, account, sought, &there).await?;
    }
    Ok(match missing.is_empty() {
        true => Found::Accepted(accepted),
        false => Found::Partial(Partial { accepted, missing, complaints: said }),
    })
}

/// Puts a new parcel with a new label in the place of each of these, whose labels nobody has.
async fn recover(
    client: &Client,
    account: &Account,
    sought: &Sought,
    places: &[usize],
) -> Result<Accepted, CarrierError> {
    let order = &sought.order;
    let country = order.merchant.as_ref().map(|merchant| merchant.address.country);
    let date = account.local_time(country, sought.reference.made_at()).date().to_string();
    let (mut parcels, mut printed) = (Vec::new(), Vec::new());
    for place in places {
        let name = parcel_reference(sought.reference.as_str(), *place);
        let reprinted = reprint(client, account, &name, &date, sought.label.as_ref()).await?;
        parcels.push(reprinted.0);
        printed.push((*place, reprinted.1));
    }
    let label = sought.label.as_ref();
    let files = printed.iter().map(|(place, data)| files(data, format(label), &[*place]).files);
    let customer = order.customer.address.country;
    let kept = Kept {
        track_ids: parcels.iter().map(|parcel: &Created| parcel.track_id.clone()).collect(),
        weights: weights_of(order),
        date: Some(date),
        is_return: order.delivery.service_code == "gls:shop_return",
        print_data: printed.iter().flat_map(|(_, data)| data.clone()).collect(),
    };
    Ok(Accepted {
        carrier_reference: kept.track_ids.first().cloned().unwrap_or_default(),
        parcels: parcels.iter().map(|parcel| parcel.booked(customer.code())).collect(),
        files: CarrierFiles { files: files.flatten().collect(), ..CarrierFiles::default() },
        carrier_data: Some(kept.to_text()),
        carrier_data_with_files: Some(kept.to_text_with_labels()),
        ..Accepted::default()
    })
}

async fn reprint(
    client: &Client,
    account: &Account,
    name: &str,
    date: &str,
    label: Option<&LabelRequest>,
) -> Result<(Created, Vec<String>), CarrierError> {
    let request = object([
        ("ShipmentUnitReference", name.into()),
        ("CreationDate", date.into()),
        ("PrintingOptions", printing(label)),
    ]);
    let call = Call {
        bytes_max: LABEL_BYTES_MAX,
        ..Call::post(format!("{BASE}/shipments/reprintparcel"), &request)
    };
    let response = client.ask(account, call).await?;
    let body = body(&response);
    let shipment = body.member("CreatedShipment").filter(|_| response.status.is_success());
    let parcel = shipment.and_then(|shipment| created(list(shipment, "ParcelData").first()?));
    let parcel = parcel.ok_or_else(|| strange(&response))?;
    Ok((parcel, print_data(&body, &[])))
}
