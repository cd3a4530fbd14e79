//! The end-of-day manifest that the driver signs.

use jiff::civil::Date;
use waybill_domain::fields::{FieldErrors, Fields, Value, each};
use waybill_domain::language::Language;
use waybill_domain::measure::Weight;
use waybill_domain::party::Party;

use super::label::Barcode;
use super::layout::Layout;
use super::party::whole;
use super::table::{Cell, Column, LEFT, Paged, column};
use crate::page::{Align, Area, Document};
use crate::renderer::Renderer;
use crate::{numbers, read};

/// A manifest.
#[derive(Clone, PartialEq, Debug)]
pub struct Manifest {
    /// Of the captions.
    pub language: Language,
    /// Its own number.
    pub number: String,
    /// The day that it closes.
    pub date: Date,
    /// Who carries.
    pub carrier: String,
    /// Who sends.
    pub sender: Party,
    /// A barcode for all parcels at once.
    pub barcode: Option<Barcode>,
    /// How many shipments.
    pub shipment_count: i64,
    /// One for each parcel.
    pub lines: Vec<ManifestLine>,
}

/// One parcel of a manifest.
#[derive(Clone, PartialEq, Debug)]
pub struct ManifestLine {
    /// The parcel's number at the carrier.
    pub tracking_number: String,
    /// The service's name.
    pub service: String,
    /// Who gets it.
    pub receiver: String,
    /// Country, postal code and city.
    pub destination: String,
    /// The sender's own reference.
    pub reference: Option<String>,
    /// With packaging.
    pub weight: Option<Weight>,
}

const COLUMNS: &[Column] = &[
    column("paper-tracking", 42.0, Align::Left),
    column("paper-service", 28.0, Align::Left),
    column("paper-receiver", 36.0, Align::Left),
    column("paper-destination", 32.0, Align::Left),
    column("paper-reference", 24.0, Align::Left),
    column("paper-weight", 18.0, Align::Right),
];

impl Layout for Manifest {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        let language = self.language;
        let mut paged = Paged::new(renderer, language, "paper-manifest");
        if let Some(barcode) = &self.barcode {
            let area = Area::new(LEFT + 90.0, paged.y - 13.0, 90.0, 11.0);
            let code = (barcode.symbology, barcode.content.as_str());
            paged.sheet.code(area, 3, "barcode.content", code);
        }
        paged.boxes(40.0, &[("paper-from", whole(&self.sender, "sender"))]);
        let date = numbers::date(self.date, language);
        let shipments = numbers::count(self.shipment_count, language);
        let parcels = numbers::count(self.lines.len() as i64, language);
        let weight = Weight::sum(self.lines.iter().map(|line| line.weight));
        let weight = weight.map(|grams| numbers::kilograms(grams, language));
        paged.facts(&[
            ("paper-carrier", "carrier", Some(&self.carrier)),
            ("paper-date", "date", Some(&date)),
            ("paper-manifest", "number", Some(&self.number)),
            ("paper-shipments", "shipment_count", Some(&shipments)),
            ("paper-parcels", "lines", Some(&parcels)),
            ("paper-total-weight", "lines", weight.as_deref()),
        ]);
        let rows = self.lines.iter().enumerate().map(|(index, line)| line.cells(index, language));
        paged.table(COLUMNS, rows);
        paged.signatures(&["paper-handed-over", "paper-received"]);
        paged.done()
    }
}

impl Manifest {
    pub(crate) fn read(fields: &Fields) -> Option<Manifest> {
        let sender = fields.object("sender").then(|sender| Party::read(&sender)).required();
        let barcode = fields.object("barcode").then(|code| Barcode::read(&code)).optional();
        let lines = fields.list("lines", 1..=20_000).then(|list| each(&list, ManifestLine::read));
        let (lines, number) = (lines.required(), read::filled(fields, "number").required());
        let date = read::date(fields, "date").required();
        let carrier = read::filled(fields, "carrier").required();
        let shipment_count = fields.integer("shipment_count", 1..=20_000).required();
        Some(Manifest {
            language: read::language(fields),
            barcode,
            number: number?,
            date: date?,
            carrier: carrier?,
            sender: sender?,
            shipment_count: shipment_count?,
            lines: lines?,
        })
    }
}

impl ManifestLine {
    fn cells(&self, index: usize, language: Language) -> Vec<Cell> {
        let path = |field: &str| format!("lines.{index}.{field}");
        let weight = self.weight.map(|weight| numbers::weight(weight, language));
        vec![
            (path("tracking_number"), self.tracking_number.clone()),
            (path("service"), self.service.clone()),
            (path("receiver"), self.receiver.clone()),
            (path("destination"), self.destination.clone()),
            (path("reference"), self.reference.clone().unwrap_or_default()),
            (path("weight"), weight.unwrap_or_default()),
        ]
    }

    fn read(value: &Value) -> Option<ManifestLine> {
        let fields = value.object()?;
        let text = |name| read::filled(&fields, name).required();
        let (tracking_number, service) = (text("tracking_number"), text("service"));
        let (receiver, destination) = (text("receiver"), text("destination"));
        let weight = fields.object("weight").then(|weight| Weight::read(&weight)).optional();
        Some(ManifestLine {
            reference: read::text(&fields, "reference"),
            weight,
            tracking_number: tracking_number?,
            service: service?,
            receiver: receiver?,
            destination: destination?,
        })
    }
}
