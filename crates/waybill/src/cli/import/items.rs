//! Items of a warehouse's catalog from a file.

use std::collections::HashMap;

use waybill_domain::json::Json;
use waybill_domain::wms::CatalogItem;

use super::error::ContentsError;
use super::lines::{CsvLine, CsvLines, Problems};

const NEEDED: &[&str] = &["sku", "name"];
const OPTIONAL: &[&str] = &[
    "barcode",
    "weight",
    "weight_unit",
    "length",
    "width",
    "height",
    "dimension_unit",
    "hs_code",
    "country_of_origin",
    "unit_price",
    "currency",
];

/// Where a weight or a length says no unit.
const WEIGHT_UNIT: &str = "g";
const DIMENSION_UNIT: &str = "cm";

/// Reads a file.
pub fn read_csv(bytes: &[u8], problems: &mut Problems) -> Result<Vec<CatalogItem>, ContentsError> {
    let lines = CsvLines::new(bytes, NEEDED, OPTIONAL, problems)?;
    let (mut all, mut seen) = (Vec::new(), HashMap::new());
    lines.each(problems, |line, problems| {
        if line.text("unit_price").is_some_and(|price| price.contains(['.', ','])) {
            let words = "must be a whole number of the minor unit, such as 3900 for 39.00";
            return problems.add(line.number, "unit_price", words);
        }
        let item = match CatalogItem::parse(&body(line)) {
            Ok(item) => item,
            Err(found) => return problems.add_fields(line.number, &found, column),
        };
        match seen.insert(item.sku.clone(), line.number) {
            None => all.push(item),
            Some(first) => {
                let words = format!("stands on line {first} already");
                problems.add(line.number, "sku", &words);
            }
        }
    })?;
    Ok(all)
}

/// The line as a request to create the item has it.
fn body(line: &CsvLine<'_>) -> Json {
    let text = |name| Json::from(line.text(name));
    let with_unit = |name: &'static str, unit: &'static str, otherwise: &'static str| {
        let unit = line.text(unit).unwrap_or(otherwise);
        let value = line.text(name).map(|_| line.number(name));
        value.map(|value| Json::object([("value", value), ("unit", unit.into())])).into()
    };
    let price = line.text("unit_price").map(|_| {
        Json::object([("value", line.number("unit_price")), ("currency", text("currency"))])
    });
    Json::object([
        ("sku", text("sku")),
        ("name", text("name")),
        ("barcode", text("barcode")),
        ("weight", with_unit("weight", "weight_unit", WEIGHT_UNIT)),
        ("length", with_unit("length", "dimension_unit", DIMENSION_UNIT)),
        ("width", with_unit("width", "dimension_unit", DIMENSION_UNIT)),
        ("height", with_unit("height", "dimension_unit", DIMENSION_UNIT)),
        ("hs_code", text("hs_code")),
        ("country_of_origin", text("country_of_origin")),
        ("unit_price", price.into()),
    ])
}

/// The column that a field came from.
fn column(path: &str) -> String {
    match path.split_once('.') {
        Some(("weight", "unit")) => "weight_unit".to_owned(),
        Some(("length" | "width" | "height", "unit")) => "dimension_unit".to_owned(),
        Some(("unit_price", "currency")) => "currency".to_owned(),
        Some((field, _)) => field.to_owned(),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<CatalogItem>, usize) {
        let mut problems = Problems::default();
        let items = read_csv(text.as_bytes(), &mut problems).unwrap();
        (items, problems.tell())
    }

    #[test]
    fn a_line_is_an_item_as_the_api_takes_it() {
        let text = "sku,name,barcode,weight,weight_unit,length,width,height,dimension_unit,\
                    hs_code,country_of_origin,unit_price,currency\n\
                    B-1,\"Paperback, used\",5701234567899,0.4,kg,20,13,2.5,,490199,DK,9900,DKK\n\
                    B-2,Hardback,,,,,,,,,,,\n";
        let (items, problems) = read(text);
        assert_eq!((items.len(), problems), (2, 0));
        let told = Json::object([
            ("value", waybill_domain::json::parse(b"0.4").unwrap()),
            ("unit", "kg".into()),
        ]);
        assert_eq!(items[0].to_json().member("weight"), Some(&told));
        assert_eq!(items[0].unit_price.unwrap().minor, 9900);
        assert_eq!(items[0].length.unwrap().unit.name(), "cm");
        assert_eq!(items[1].to_json().member("weight"), Some(&Json::Null));
    }

    #[test]
    fn what_is_wrong_is_told_in_the_column_that_it_came_from() {
        for (path, name) in [
            ("weight.value", "weight"),
            ("weight.unit", "weight_unit"),
            ("height.unit", "dimension_unit"),
            ("unit_price.currency", "currency"),
            ("unit_price.value", "unit_price"),
            ("hs_code", "hs_code"),
        ] {
            assert_eq!(column(path), name);
        }
        let text = "sku,name,weight,unit_price\nA,,x,39\nB,b,1,\nB,c,1,\nC,c,1,39.00\n";
        let (items, problems) = read(text);
        // A name, a weight, a currency, an item that is there twice, and a decimal point.
        assert_eq!((items.len(), problems), (1, 5));
    }
}
