//! An adapter that speaks with a replay carrier, and orders for it.
//!
//! The exchanges of a carrier are in its folder. Every test ends by asking whether something was
//! said that no exchange fits.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waybill_carriers::answers::Timeouts;
use waybill_carriers::booking::{
    Accepted, Booked, Complaint, Found, LabelRequest, Outcome, Plan, Prepared,
};
use waybill_carriers::registry::Connector;
use waybill_carriers::tracking::NumberAnswer;
use waybill_carriers::urls::BaseUrl;
use waybill_carriers::{Account, Cancelled, Carrier, IssuedTokens, Verdict};
use waybill_domain::booking::Permit;
use waybill_domain::document::Format;
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::AccountId;
use waybill_domain::json::{Json, parse};
use waybill_domain::language::Language;
use waybill_domain::party::Address;
use waybill_domain::point::Position;
use waybill_domain::secret::Secret;
use waybill_domain::shipment::{Order, PickupPoint};
use waybill_domain::time::Time;
use waybill_domain::tracking::{TrackingAnswer, TrackingEvent, TrackingReport};
use waybill_replay::{Exchanges, Options, Replay};

use crate::harness::{booked, network, new_reference, sought};

/// How long a carrier may take here: as short as a test can wait, and longer than it needs.
pub const TIMEOUTS: Timeouts =
    Timeouts { book: Duration::from_millis(1500), ask: Duration::from_millis(1500) };

/// Makes an adapter.
pub type Open = fn(Connector) -> Arc<dyn Carrier>;

/// An adapter, its account, and whom it speaks with.
pub struct Conversation {
    pub replay: Replay,
    pub carrier: Arc<dyn Carrier>,
    pub account: Account,
}

impl Conversation {
    /// With the exchanges in the folder of this carrier.
    pub async fn with(code: &str, open: Open, account: Account) -> Conversation {
        Conversation::after("", code, open, account).await
    }

    /// With these exchanges before those of the folder.
    pub async fn after(first: &str, code: &str, open: Open, account: Account) -> Conversation {
        let all = Exchanges::text(first, Path::new(".")).unwrap().and(exchanges(code));
        let replay = Replay::start(all, Options::default()).await.unwrap();
        let carrier = adapter(open, replay.url());
        Conversation { replay, carrier, account }
    }

    /// The request to book, or what cannot be said to the carrier.
    pub fn prepared(&self, plan: &Plan) -> Result<Prepared, FieldErrors> {
        self.carrier.prepare(plan, &self.account.options)
    }

    /// The body of a request to book.
    pub fn body(&self, plan: &Plan) -> Json {
        parse(&self.prepared(plan).unwrap().body).unwrap()
    }

    /// The paths of what cannot be said to the carrier.
    pub fn refused(&self, plan: &Plan) -> Vec<String> {
        let problems = self.prepared(plan).unwrap_err();
        problems.iter().map(|(path, _)| path.to_owned()).collect()
    }

    pub async fn book(&self, plan: &Plan) -> Outcome {
        let prepared = self.prepared(plan).unwrap();
        let session = self.carrier.dial(&self.account).await.unwrap();
        let permit = Permit::for_committed_intent();
        self.carrier.book(session, &self.account, prepared, &plan.reference, permit).await
    }

    /// Books what is sure to be accepted.
    pub async fn accepted(&self, plan: &Plan) -> Accepted {
        match self.book(plan).await {
            Outcome::Accepted(accepted) => accepted,
            other => panic!("{other:?} {:?}", self.replay.unmatched()),
        }
    }

    /// Books what is sure to be refused.
    pub async fn rejected(&self, plan: &Plan) -> Vec<Complaint> {
        match self.book(plan).await {
            Outcome::Rejected(complaints) => complaints,
            other => panic!("{other:?} {:?}", self.replay.unmatched()),
        }
    }

    pub async fn find(&self, plan: &Plan) -> Found {
        self.carrier.find(&self.account, &sought(plan)).await
    }

    /// The bytes of the papers of a booking, each with the place of its parcel.
    pub async fn papers(&self, booking: &Booked) -> Vec<(Option<usize>, Vec<u8>)> {
        let files = self.carrier.documents(&self.account, booking).await;
        let files = files.unwrap_or_else(|why| panic!("{why} {:?}", self.replay.unmatched()));
        files.files.into_iter().map(|file| (file.parcel, file.bytes)).collect()
    }

    pub async fn cancel(&self, booking: &Booked) -> Cancelled {
        self.carrier.cancelling().unwrap().cancel(&self.account, booking).await
    }

    pub async fn track(&self, numbers: &[&str]) -> Vec<NumberAnswer> {
        let numbers: Vec<String> = numbers.iter().map(|it| (*it).to_owned()).collect();
        let tracking = self.carrier.tracking().unwrap();
        tracking.track(&self.account, &numbers).await.unwrap()
    }

    pub async fn verify(&self) -> Verdict {
        self.carrier.verify_account(&self.account).await
    }

    /// Nothing was said that no exchange fits.
    #[track_caller]
    pub fn is_understood(&self) {
        assert_eq!(self.replay.unmatched(), Vec::<String>::new());
    }
}

/// Those in the folder of this carrier.
pub fn exchanges(code: &str) -> Exchanges {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(code).join("exchanges");
    Exchanges::folder(&folder).unwrap()
}

/// An adapter of a carrier at this address.
pub fn adapter(open: Open, url: &str) -> Arc<dyn Carrier> {
    let connector = Connector::new(&network(), Some(BaseUrl::parse(url).unwrap()));
    open(Connector { timeouts: TIMEOUTS, ..connector })
}

/// An account with these credentials and options.
pub fn account_of(credentials: &str, options: &str) -> Account {
    let read = |text: &str| parse(text.as_bytes()).unwrap();
    Account {
        id: AccountId(Uuid::nil()),
        changed_at: Time(0),
        credentials: Secret::new(read(credentials)),
        options: read(options),
        issued: IssuedTokens::default(),
    }
}

/// The same account with these members of its options changed.
pub fn with_options(account: &Account, changes: &str) -> Account {
    let mut options = account.options.clone();
    options.merge(&parse(changes.as_bytes()).unwrap());
    Account { options, ..account.clone() }
}

/// An order from Kolding to Copenhagen.
const ORDER: &str = r#"{
    "reference": "ORDER-1",
    "parties": {
        "merchant": {
            "contact": {"name": "Mads Holm", "company": "Holm ApS", "email": "post@holm.example",
                "phone": "+45 70 10-20.30"},
            "address": {"address_lines": ["Torvet 1", "2. sal"], "postal_code": "6000",
                "city": "Kolding", "country": "DK"}},
        "customer": {
            "contact": {"name": "Åse Nørgård", "email": "aase@post.example",
                "phone": "+45 (30) 27 47 35"},
            "address": {"address_lines": ["Islands Brygge 39", "2. th"], "postal_code": "2300",
                "city": "København S", "country": "DK"}}},
    "delivery": {"service_code": "sandbox:home"},
    "parcels": [{"description": "Books", "gross_weight": {"value": 1200.4, "unit": "g"},
        "length": {"value": 30, "unit": "cm"}, "width": {"value": 201, "unit": "mm"},
        "height": {"value": 4, "unit": "in"}}]
}"#;

/// A booking with this service, as the order above with these changes.
pub fn plan_for(service: &str, changes: &str) -> Plan {
    let mut order = parse(ORDER.as_bytes()).unwrap();
    let code = Json::object([("service_code", service.into())]);
    order.merge(&Json::object([("delivery", code)]));
    order.merge(&parse(changes.as_bytes()).unwrap_or_else(|fault| panic!("{fault:?} {changes}")));
    Plan {
        reference: new_reference(),
        order: Order::stored(&order).unwrap(),
        label: Some(LabelRequest { format: Format::Pdf, size: "100x150".to_owned() }),
        pickup_point: None,
        is_return: false,
        is_declared: false,
        language: Language::En,
        now: Time::parse("2026-11-16T13:30:00Z").unwrap(),
    }
}

/// The same with this number of parcels, each like the first.
pub fn with_parcels(mut plan: Plan, count: usize) -> Plan {
    plan.order.parcels = vec![plan.order.parcels[0].clone(); count];
    plan
}

/// The same to a pickup point.
pub fn to_point(mut plan: Plan, code: &str) -> Plan {
    let address = Address {
        lines: vec!["Torvet 9".to_owned()],
        postal_code: "2300".to_owned(),
        city: "København S".to_owned(),
        ..plan.order.customer.address.clone()
    };
    let position = Position::new(55.66, 12.57).unwrap();
    let (code, name) = (code.to_owned(), "Kiosken".to_owned());
    plan.pickup_point = Some(PickupPoint { code, name, address, position });
    plan
}

/// A booking as it is kept, of what was accepted.
pub fn kept(plan: &Plan, accepted: &Accepted) -> Booked {
    booked(plan, accepted)
}

/// The report about a number.
pub fn report<'a>(answers: &'a [NumberAnswer], number: &str) -> &'a TrackingReport {
    let answer = answers.iter().find(|(it, _)| it == number).map(|(_, answer)| answer);
    match answer {
        Some(TrackingAnswer::Report(report)) => report,
        other => panic!("{other:?}"),
    }
}

/// The codes of what can be read of a report, in its order.
pub fn codes(report: &TrackingReport) -> Vec<&'static str> {
    good(report).map(|event| event.kind.code()).collect()
}

/// What can be read of a report.
pub fn good(report: &TrackingReport) -> impl Iterator<Item = &TrackingEvent> {
    report.events.iter().flatten()
}
