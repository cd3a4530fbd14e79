//! Reusable booking input. A template holds one currency and one unit of each kind, as plain
//! fields; they become measurement objects when it is merged with a request.

use crate::fields::{FieldErrors, Fields, Text, Value, each_or_default, one_of, read, read_stored};
use crate::json::{Json, Number};
use crate::measure::{Currency, Length, LengthUnit, Weight, WeightUnit};
use crate::words::Message;

/// What a caller sends to create or replace a template.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// What people call it.
    pub title: String,
    /// What it is for.
    pub description: Option<String>,
    /// The booking input that it stands for.
    pub shipment: TemplateShipment,
}

/// The booking input of a template: everything may be missing.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TemplateShipment {
    currency: Option<Currency>,
    weight_unit: Option<WeightUnit>,
    dimension_unit: Option<LengthUnit>,
    delivery: Option<Delivery>,
    parcels: Option<Vec<Parcel>>,
}

#[derive(Clone, PartialEq, Debug)]
struct Delivery {
    service_code: Option<String>,
    pickup_point: Option<String>,
}

#[derive(Clone, PartialEq, Default, Debug)]
struct Parcel {
    gross_weight: Option<i64>,
    length: Option<i64>,
    width: Option<i64>,
    height: Option<i64>,
}

impl Template {
    /// Reads a request body.
    pub fn parse(body: &Json) -> Result<Template, FieldErrors> {
        read(body, |fields| {
            let title = fields.text("title", Text::filled(100)).required();
            let description = fields.text("description", Text::up_to(1000)).optional();
            let shipment = fields.object("shipment");
            let shipment = shipment.then(|shipment| TemplateShipment::read(&shipment)).optional();
            Some(Template { title: title?, description, shipment: shipment.unwrap_or_default() })
        })
    }
}

impl TemplateShipment {
    fn read(fields: &Fields) -> Option<TemplateShipment> {
        let currency = Currency::read(fields, "currency");
        let weight_unit =
            fields.parsed("weight_unit", WeightUnit::parse, || one_of(WeightUnit::NAMES));
        let dimension_unit =
            fields.parsed("dimension_unit", LengthUnit::parse, || one_of(LengthUnit::NAMES));
        let delivery = fields.object("delivery").then(|delivery| Delivery::read(&delivery));
        let parcels = fields.list("parcels", 1..=99);
        let parcels = parcels.then(|list| Some(each_or_default(&list, Parcel::read)));
        let (weight_unit, dimension_unit) = (weight_unit.optional(), dimension_unit.optional());
        let parcels = parcels.optional();
        for (index, parcel) in parcels.iter().flatten().enumerate() {
            let need = |name: &str, field: &str| {
                let path = fields.path_of(&format!("parcels.{index}.{field}"));
                fields.refuse(name, Message::new("unit-missing").text("path", path));
            };
            if let (Some(_), None) = (parcel.gross_weight, weight_unit) {
                need("weight_unit", "gross_weight");
            }
            let measured = parcel.dimensions().into_iter().find(|(_, value)| value.is_some());
            if let (Some((field, _)), None) = (measured, dimension_unit) {
                need("dimension_unit", field);
            }
        }
        Some(TemplateShipment {
            currency: currency.optional(),
            weight_unit,
            dimension_unit,
            delivery: delivery.optional(),
            parcels,
        })
    }

    /// Reads what `to_json` wrote, under the rules of any day.
    pub fn parse(json: &Json) -> Result<TemplateShipment, FieldErrors> {
        read_stored(json, TemplateShipment::read)
    }

    /// Whether it names a pickup point.
    pub fn has_pickup_point(&self) -> bool {
        self.delivery.as_ref().is_some_and(|delivery| delivery.pickup_point.is_some())
    }

    /// The template as booking input: its flat units and bare numbers become measurement objects.
    pub fn to_input(&self) -> Json {
        let mut input = Vec::new();
        if let Some(delivery) = &self.delivery {
            input.push(("delivery".into(), delivery.to_json()));
        }
        if let Some(parcels) = &self.parcels {
            let (weight, length) = (self.weight_unit, self.dimension_unit);
            let parcels = parcels.iter().map(|parcel| parcel.to_input(weight, length));
            input.push(("parcels".into(), Json::list(parcels)));
        }
        Json::Object(input)
    }

    /// The paths that the template fills when it is merged with this request.
    pub fn used_by(&self, request: &Json) -> Vec<&'static str> {
        let has_own = |json: Option<&Json>| !matches!(json, None | Some(Json::Null));
        let takes_parcels = self.parcels.is_some() && !has_own(request.member("parcels"));
        takes_parcels.then_some("parcels.").into_iter().collect()
    }

    /// The input as it is shown and stored: every field present, the unknown ones null.
    pub fn to_json(&self) -> Json {
        let parcels = self.parcels.as_ref();
        let parcels = parcels.map(|parcels| Json::list(parcels.iter().map(Parcel::to_json)));
        Json::object([
            ("currency", self.currency.map(Currency::code).into()),
            ("weight_unit", self.weight_unit.map(WeightUnit::name).into()),
            ("dimension_unit", self.dimension_unit.map(LengthUnit::name).into()),
            ("delivery", self.delivery.as_ref().map(Delivery::to_json).into()),
            ("parcels", parcels.into()),
        ])
    }
}

impl Delivery {
    fn read(fields: &Fields) -> Option<Delivery> {
        let service_code = fields.text("service_code", Text::filled(100)).optional();
        let pickup_point = fields.object("pickup_point");
        let pickup_point = pickup_point.then(|p| p.text("code", Text::filled(50)).required());
        Some(Delivery { service_code, pickup_point: pickup_point.optional() })
    }

    fn to_json(&self) -> Json {
        let point = self.pickup_point.as_deref();
        Json::object([
            ("service_code", self.service_code.as_deref().into()),
            ("pickup_point", point.map(|code| Json::object([("code", code.into())])).into()),
        ])
    }
}

impl Parcel {
    fn read(value: &Value) -> Option<Parcel> {
        let fields = value.object()?;
        Some(Parcel {
            gross_weight: fields.quantity("gross_weight").optional(),
            length: fields.quantity("length").optional(),
            width: fields.quantity("width").optional(),
            height: fields.quantity("height").optional(),
        })
    }

    fn to_input(&self, weight: Option<WeightUnit>, length: Option<LengthUnit>) -> Json {
        let weight = self.gross_weight.zip(weight);
        let weight = weight.map(|(thousandths, unit)| Weight { thousandths, unit }.to_json());
        let side = |side: Option<i64>| {
            let side = side.zip(length);
            side.map(|(thousandths, unit)| Length { thousandths, unit }.to_json()).into()
        };
        Json::object([
            ("gross_weight", weight.into()),
            ("length", side(self.length)),
            ("width", side(self.width)),
            ("height", side(self.height)),
        ])
    }

    fn dimensions(&self) -> [(&'static str, Option<i64>); 3] {
        [("length", self.length), ("width", self.width), ("height", self.height)]
    }

    fn to_json(&self) -> Json {
        let number = |value: Option<i64>| {
            value.map(|value| Json::Number(Number::from_thousandths(value))).into()
        };
        Json::object([
            ("gross_weight", number(self.gross_weight)),
            ("length", number(self.length)),
            ("width", number(self.width)),
            ("height", number(self.height)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;
    use crate::language::Language;

    fn template(text: &str) -> Result<Template, Vec<String>> {
        Template::parse(&parse(text.as_bytes()).unwrap()).map_err(|errors| {
            let say = |m: &Message| m.say(Language::En);
            errors.iter().map(|(path, m)| format!("{path} {}", say(&m[0]))).collect()
        })
    }

    #[test]
    fn a_template_is_shown_as_it_was_given_with_nulls_for_the_rest() {
        let given = r#"{"title":"Books","shipment":{"weight_unit":"g","delivery":{
            "service_code":"sandbox:home"},"parcels":[{"gross_weight":1200.50}]}}"#;
        assert_eq!(
            template(given).unwrap().shipment.to_json().to_string(),
            r#"{"currency":null,"weight_unit":"g","dimension_unit":null,"delivery":{"#.to_owned()
                + r#""service_code":"sandbox:home","pickup_point":null},"parcels":[{"#
                + r#""gross_weight":1200.5,"length":null,"width":null,"height":null}]}"#
        );
    }

    #[test]
    fn a_number_without_its_unit_is_refused_at_the_unit() {
        let given = r#"{"title":"Books","shipment":{"parcels":[{},{"gross_weight":1,"width":2}]}}"#;
        assert_eq!(
            template(given).unwrap_err(),
            [
                "shipment.dimension_unit is required, because shipment.parcels.1.width has a value",
                "shipment.weight_unit is required, because \
                 shipment.parcels.1.gross_weight has a value",
            ]
        );
    }

    #[test]
    fn every_bad_field_is_named() {
        let given = r#"{"titel":"x","shipment":{"currency":"KRONER","weight_unit":"stone",
            "delivery":{"pickup_point":{}},"parcels":[]}}"#;
        assert_eq!(
            template(given).unwrap_err(),
            [
                "shipment.currency must be an ISO 4217 currency code such as DKK",
                "shipment.delivery.pickup_point.code is required",
                "shipment.parcels must have at least 1 entry",
                "shipment.weight_unit must be one of: g, kg, lb, oz",
                "titel is not a known field; did you mean title?",
                "title is required",
            ]
        );
    }
}
