//! Labels from JSON.

use waybill_domain::country::Country;
use waybill_domain::fields::{Fields, Value, each, one_of};
use waybill_domain::measure::{Money, Weight};
use waybill_domain::parcel::DangerousGoods;
use waybill_domain::party::Party;
use waybill_domain::words::Message;

use super::super::table::TEXT;
use super::data::{Barcode, Label, LabelKind, Labels, PickupPoint};
use crate::read;
use crate::symbol::Symbology;

impl Labels {
    pub(crate) fn read(fields: &Fields) -> Option<Labels> {
        let language = read::language(fields);
        let paper = read::paper(fields);
        let labels = fields.list("labels", 1..=99).then(|list| each(&list, Label::read));
        Some(Labels { language, paper, labels: labels.required()? })
    }
}

const KINDS: &[&str] = &["parcel", "return"];

impl Label {
    fn read(value: &Value) -> Option<Label> {
        let fields = value.object()?;
        let kind = |text: &str| match text {
            "parcel" => Some(LabelKind::Parcel),
            "return" => Some(LabelKind::Return),
            _ => None,
        };
        let kind = fields.parsed("kind", kind, || one_of(KINDS)).optional();
        let party = |name| fields.object(name).then(|party| Party::read(&party)).required();
        let (sender, receiver) = (party("sender"), party("receiver"));
        let point = fields.object("pickup_point").then(|point| PickupPoint::read(&point));
        let barcode = |name| fields.object(name).then(|code| Barcode::read(&code));
        let number = fields.integer("number", 1..=999).optional().unwrap_or(1) as u32;
        let count = fields.integer("count", 1..=999).optional().unwrap_or(1) as u32;
        let addons = fields.list("addons", 0..=20);
        let addons = addons.then(|list| each(&list, |addon| addon.text(TEXT)));
        let weight = fields.object("weight").then(|weight| Weight::read(&weight)).optional();
        let cash = fields.object("cash_on_delivery").then(|cash| Money::read(&cash)).optional();
        let cash_with = fields.integer("cash_with_parcel", 1..=999).optional();
        let age = fields.integer("minimum_age", 1..=99).optional();
        let goods = fields.list("dangerous_goods", 0..=99);
        let goods = goods.then(|goods| each(&goods, DangerousGoods::read)).optional();
        let tracking = barcode("tracking").required();
        let (carrier, service) =
            (read::filled(&fields, "carrier"), read::filled(&fields, "service"));
        let (carrier, service) = (carrier.required(), service.required());
        Some(Label {
            kind: kind.unwrap_or(LabelKind::Parcel),
            service_mark: read::text(&fields, "service_mark"),
            pickup_point: point.optional(),
            routing_code: read::text(&fields, "routing_code"),
            matrix: barcode("matrix").optional(),
            weight,
            reference: read::text(&fields, "reference"),
            addons: addons.optional().unwrap_or_default(),
            cash_on_delivery: cash,
            cash_with_parcel: cash_with.map(|number| number as u32),
            minimum_age: age.map(|age| age as u32),
            leave_at: read::text(&fields, "leave_at"),
            dangerous_goods: goods.unwrap_or_default(),
            instructions: read::text(&fields, "instructions"),
            number,
            count,
            date: read::date(&fields, "date").optional(),
            is_test: fields.boolean("is_test").optional().unwrap_or(false),
            carrier: carrier?,
            service: service?,
            sender: sender?,
            receiver: receiver?,
            tracking: tracking?,
        })
    }
}

impl PickupPoint {
    fn read(fields: &Fields) -> Option<PickupPoint> {
        let lines = fields.list("address_lines", 0..=5);
        let lines = lines.then(|list| each(&list, |line| line.text(TEXT)));
        let code = read::text(fields, "code");
        let name = read::filled(fields, "name").required();
        let postal_code = read::filled(fields, "postal_code").required();
        let city = read::filled(fields, "city").required();
        let country =
            fields.parsed("country", Country::parse, || Message::new("not-a-country")).optional();
        Some(PickupPoint {
            code,
            address_lines: lines.optional().unwrap_or_default(),
            name: name?,
            postal_code: postal_code?,
            city: city?,
            administrative_area: read::text(fields, "administrative_area"),
            country,
        })
    }
}

impl Barcode {
    pub(crate) fn read(fields: &Fields) -> Option<Barcode> {
        let kinds = || one_of(Symbology::NAMES);
        let symbology = fields.parsed("symbology", Symbology::parse, kinds).required();
        let content = read::filled(fields, "content").required();
        let text = read::text(fields, "text");
        Some(Barcode { symbology: symbology?, content: content?, text })
    }
}
