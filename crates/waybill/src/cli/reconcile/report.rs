//! What was found, as it is printed.

use std::collections::BTreeMap;
use std::process::ExitCode;

use waybill_carriers::CarrierBooking;
use waybill_domain::ids::{AccountId, ShipmentId};
use waybill_domain::json::Json;
use waybill_domain::time::Time;
use waybill_store::shipments::Shipment;

use super::difference::Difference;
use super::{FOUND, NOT_ASKED};

/// A difference between a carrier and the database.
pub struct Finding {
    pub carrier_code: String,
    pub difference: Difference,
    /// The shipment here, when there is one.
    pub shipment: Option<ShipmentId>,
    pub booking: CarrierBooking,
}

/// A booking with a carrier that no accepted shipment here is known to be of.
pub struct Unclaimed {
    pub carrier_code: String,
    /// The shipment whose call has its reference.
    pub shipment: Option<ShipmentId>,
    pub booking: CarrierBooking,
}

/// An account whose carrier was not asked.
pub struct Unasked {
    pub account: AccountId,
    pub name: String,
    pub why: String,
    /// Whether asking again would not help: this carrier cannot tell.
    pub is_mute: bool,
}

/// Everything that was found, and who could not be asked.
#[derive(Default)]
pub struct Report {
    /// In the order in which they were booked. Several accounts may list the same booking.
    pub findings: BTreeMap<(Time, String, String), Finding>,
    pub unclaimed: Vec<Unclaimed>,
    pub asked: Vec<(AccountId, String)>,
    pub unasked: Vec<Unasked>,
    /// Shipments of which nobody knows whether the carrier has them.
    pub undecided: Vec<Shipment>,
    /// Shipments that were to be noted as not booked with all others, and why they were not.
    pub kept: Vec<(ShipmentId, String)>,
    /// Shipments that were noted as not booked just now.
    pub noted: Vec<Shipment>,
}

impl Unclaimed {
    /// Whether it is known to be of this shipment, by the reference of its call or its own.
    fn is_of(&self, shipment: &Shipment) -> bool {
        if self.carrier_code != shipment.carrier_code {
            return false;
        }
        let reference = self.booking.customer_reference.as_ref();
        match self.shipment {
            Some(id) => id == shipment.id,
            None => reference.is_some() && reference == shipment.reference.as_ref(),
        }
    }

    /// Whether it may be of this shipment, because nothing tells them apart.
    fn may_be_of(&self, shipment: &Shipment) -> bool {
        let is_nameless = self.booking.customer_reference.is_none() || shipment.reference.is_none();
        self.carrier_code == shipment.carrier_code && self.shipment.is_none() && is_nameless
    }
}

impl Report {
    /// Why it cannot be said that the carrier does not have this shipment. Whoever named it has
    /// looked at the list of a carrier that cannot tell.
    pub fn obstacle(&self, shipment: &Shipment, is_named: bool) -> Option<String> {
        let carrier = &shipment.carrier_code;
        if let Some(Unclaimed { booking, .. }) = self.unclaimed.iter().find(|it| it.is_of(shipment))
        {
            let (name, at) = (&booking.carrier_reference, booking.booked_at);
            return Some(format!(
                "{carrier} has a booking with its reference, {name} of {at}: use it, or cancel it \
                 there first"
            ));
        }
        if let Some(unasked) = self.unasked.iter().find(|it| it.account == shipment.account) {
            let is_trusted = unasked.is_mute && is_named;
            return (!is_trusted).then(|| format!("{carrier} was not asked: {}", unasked.why));
        }
        let is_asked = self.asked.iter().any(|(account, _)| *account == shipment.account);
        let is_unclear = !is_named && self.unclaimed.iter().any(|it| it.may_be_of(shipment));
        match (is_asked, is_unclear) {
            (false, _) => Some("its account is gone".to_owned()),
            (true, true) => Some("a booking without a reference may be it".to_owned()),
            (true, false) => None,
        }
    }

    /// Takes the shipments that are still undecided. One that a carrier lists is told there, with
    /// what to do about it.
    pub fn set_undecided(&mut self, undecided: Vec<Shipment>) {
        let is_of =
            |finding: &&mut Finding, shipment: &Shipment| finding.shipment == Some(shipment.id);
        for shipment in undecided {
            match self.findings.values_mut().find(|finding| is_of(finding, &shipment)) {
                Some(finding) => finding.difference = finding.difference.when_undecided(),
                None => self.undecided.push(shipment),
            }
        }
    }

    pub fn exit_code(&self) -> ExitCode {
        let is_clean = self.findings.is_empty() && self.undecided.is_empty();
        match (is_clean, self.unasked.is_empty()) {
            (true, true) => ExitCode::SUCCESS,
            (false, _) => ExitCode::from(FOUND),
            (true, false) => ExitCode::from(NOT_ASKED),
        }
    }

    pub fn print(&self, since: Time) {
        println!("Bookings since {since}:");
        for finding in self.findings.values() {
            let booking = &finding.booking;
            let reference = booking.customer_reference.as_deref().unwrap_or("(no reference)");
            let numbers = booking.tracking_numbers.join(", ");
            let here = finding.shipment.map(|id| format!(" (shipment {id})")).unwrap_or_default();
            let Difference { what, advice } = finding.difference;
            let (carrier, at, name) =
                (&finding.carrier_code, booking.booked_at, &booking.carrier_reference);
            println!("{what}{here}: {carrier} {reference}, {name} of {at}, tracking {numbers}");
            println!("    {advice}");
        }
        for Shipment { id, carrier_code, reference, .. } in &self.undecided {
            let reference = reference.as_deref().unwrap_or("(no reference)");
            println!("undecided (shipment {id}): {carrier_code} {reference}");
            println!(
                "    The carrier may have it, and nobody asks. If it is not on the carrier's own \
                 list, note that with --not-booked {id}."
            );
        }
        for Unasked { name, why, .. } in &self.unasked {
            println!("not known: {name}: {why}. Look at the carrier's own list.");
        }
        for (id, why) in &self.kept {
            println!("not noted as not booked: shipment {id}: {why}");
        }
        for shipment in &self.noted {
            println!("noted as not booked: shipment {}", shipment.id);
            for Unclaimed { carrier_code, booking, .. } in
                self.unclaimed.iter().filter(|it| it.may_be_of(shipment))
            {
                let (name, at) = (&booking.carrier_reference, booking.booked_at);
                println!(
                    "    {carrier_code} has {name} of {at}, and nothing tells whose it is. If it \
                     is of this shipment, use it or cancel it there, and do not book again."
                );
            }
        }
        let (found, undecided) = (self.findings.len(), self.undecided.len());
        let differences = if found == 1 { "difference" } else { "differences" };
        let (asked, unasked) = (self.asked.len(), self.unasked.len());
        let accounts = if asked == 1 { "account" } else { "accounts" };
        // One that is undecided and on the carrier's list is a difference.
        let others = if found == 0 { "" } else { " besides" };
        println!(
            "{found} {differences}, {undecided} undecided{others}, {asked} {accounts} asked, \
             {unasked} not asked"
        );
    }

    pub fn to_json(&self, since: Time) -> Json {
        let findings = self.findings.values().map(|finding| {
            let booking = &finding.booking;
            Json::object([
                ("carrier_code", finding.carrier_code.as_str().into()),
                ("finding", finding.difference.what.into()),
                ("advice", finding.difference.advice.into()),
                ("shipment_uuid", finding.shipment.map(Json::text).into()),
                ("reference", booking.customer_reference.as_deref().into()),
                ("carrier_reference", booking.carrier_reference.as_str().into()),
                ("tracking_numbers", Json::list(booking.tracking_numbers.iter().map(Json::text))),
                ("booked_at", Json::text(booking.booked_at)),
            ])
        });
        let undecided = self.undecided.iter().map(|shipment| {
            Json::object([
                ("shipment_uuid", Json::text(shipment.id)),
                ("carrier_code", shipment.carrier_code.as_str().into()),
                ("reference", shipment.reference.as_deref().into()),
            ])
        });
        let unasked = self.unasked.iter().map(|Unasked { name, why, .. }| {
            Json::object([("account", name.as_str().into()), ("reason", why.as_str().into())])
        });
        let kept = self.kept.iter().map(|(id, why)| {
            Json::object([("shipment_uuid", Json::text(id)), ("reason", why.as_str().into())])
        });
        Json::object([
            ("since", Json::text(since)),
            ("differences", Json::list(findings)),
            ("undecided", Json::list(undecided)),
            ("noted_as_not_booked", Json::list(self.noted.iter().map(|it| Json::text(it.id)))),
            ("not_noted", Json::list(kept)),
            ("accounts_asked", Json::list(self.asked.iter().map(|(_, name)| Json::text(name)))),
            ("accounts_not_asked", Json::list(unasked)),
        ])
    }
}
