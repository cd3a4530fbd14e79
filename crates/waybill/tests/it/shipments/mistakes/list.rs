//! The mistakes, the request that has none of them, and what cannot be told together.

use serde_json::{Value, json};

use crate::harness::fixture::order_with;

/// One mistake: its name, how it is made, and where it is told.
pub struct Mistake {
    pub name: &'static str,
    pub path: &'static str,
    pub make: fn(&mut Value),
}

/// Which mistake hides which, and why that cannot be otherwise. Every pair that is not here must
/// be told, and every pair that is here is really hidden.
pub const HIDDEN: &[(&str, &[&str], &str)] = &[
    (
        "unknown service",
        &["country not served", "pickup point", "too heavy", "too long a side", "unprintable name"],
        "only the service knows its countries, limits and points, and whether we draw its label",
    ),
    ("country not served", &["postal code"], "a postal code is one of its country"),
];

pub const MISTAKES: &[Mistake] = &[
    Mistake { name: "unknown field", path: "foo", make: |b| b["foo"] = json!(1) },
    Mistake {
        name: "unknown field of a parcel",
        path: "parcels.0.gross_wieght",
        make: |b| b["parcels"][0]["gross_wieght"] = json!({}),
    },
    Mistake {
        name: "long identifier",
        path: "identifier",
        make: |b| b["identifier"] = json!("x".repeat(256)),
    },
    Mistake {
        name: "reference is a number",
        path: "reference",
        make: |b| b["reference"] = json!(5),
    },
    Mistake {
        name: "unknown template",
        path: "template_uuid",
        make: |b| b["template_uuid"] = json!("01a1e049-876b-7abf-afcc-5ff07827cff3"),
    },
    Mistake {
        name: "unprintable name",
        path: "parties.customer.contact.name",
        make: |b| b["parties"]["customer"]["contact"]["name"] = json!("王小明"),
    },
    Mistake {
        name: "e-mail",
        path: "parties.customer.contact.email",
        make: |b| b["parties"]["customer"]["contact"]["email"] = json!("ada"),
    },
    Mistake {
        name: "phone",
        path: "parties.customer.contact.phone",
        make: |b| b["parties"]["customer"]["contact"]["phone"] = json!("call me"),
    },
    Mistake {
        name: "no city",
        path: "parties.customer.address.city",
        make: |b| b["parties"]["customer"]["address"]["city"] = json!(null),
    },
    Mistake {
        name: "postal code",
        path: "parties.customer.address.postal_code",
        make: |b| b["parties"]["customer"]["address"]["postal_code"] = json!("ABC"),
    },
    Mistake {
        name: "country not served",
        path: "parties.customer.address.country",
        make: |b| b["parties"]["customer"]["address"]["country"] = json!("JP"),
    },
    Mistake {
        name: "e-mail of the merchant",
        path: "parties.merchant.contact.email",
        make: |b| {
            b["parties"]["merchant"] = json!({"contact": {"name": "Shop", "email": "shop"},
                "address": {"address_lines": ["Vestergade 1"], "postal_code": "1456",
                "city": "København K", "country": "DK"}});
        },
    },
    Mistake {
        name: "unknown service",
        path: "delivery.service_code",
        make: |b| b["delivery"]["service_code"] = json!("sandbox:nope"),
    },
    Mistake {
        name: "pickup point",
        path: "delivery.pickup_point",
        make: |b| b["delivery"]["pickup_point"] = json!({"code": "NO-3001"}),
    },
    Mistake {
        name: "phone of an addon",
        path: "delivery.addons.0.value",
        make: |b| b["delivery"]["addons"][0]["value"] = json!(4530274735_i64),
    },
    Mistake {
        name: "amount of an addon",
        path: "delivery.addons.1.value",
        make: |b| b["delivery"]["addons"][1]["value"] = json!("5"),
    },
    Mistake {
        name: "unknown addon",
        path: "delivery.addons.2.code",
        make: |b| b["delivery"]["addons"][2]["code"] = json!("gold"),
    },
    Mistake {
        name: "window without an offset",
        path: "delivery.delivery_window.start",
        make: |b| b["delivery"]["delivery_window"]["start"] = json!("2020-01-01T08:00:00"),
    },
    Mistake {
        name: "window in the past",
        path: "delivery.delivery_window.end",
        make: |b| b["delivery"]["delivery_window"]["end"] = json!("2020-01-01T12:00:00Z"),
    },
    Mistake {
        name: "control character",
        path: "delivery.instructions",
        make: |b| b["delivery"]["instructions"] = json!("a\u{7}b"),
    },
    Mistake {
        name: "too heavy",
        path: "parcels.0.gross_weight.value",
        make: |b| b["parcels"][0]["gross_weight"]["value"] = json!(50_000),
    },
    Mistake {
        name: "broken weight",
        path: "parcels.1.gross_weight.value",
        make: |b| b["parcels"][1]["gross_weight"]["value"] = json!("heavy"),
    },
    Mistake {
        name: "contents above gross",
        path: "parcels.2.gross_weight",
        make: |b| b["parcels"][2]["items"][0]["net_weight"]["value"] = json!(600),
    },
    Mistake {
        name: "mixed length units",
        path: "parcels.1.length.unit",
        make: |b| b["parcels"][1]["length"]["unit"] = json!("in"),
    },
    Mistake {
        name: "too long a side",
        path: "parcels.2.height.value",
        make: |b| b["parcels"][2]["height"]["value"] = json!(250),
    },
    Mistake {
        name: "quantity",
        path: "parcels.0.items.0.quantity",
        make: |b| b["parcels"][0]["items"][0]["quantity"] = json!(0),
    },
    Mistake {
        name: "tariff number",
        path: "parcels.1.items.0.hs_code",
        make: |b| b["parcels"][1]["items"][0]["hs_code"] = json!("12"),
    },
    Mistake {
        name: "origin for customs",
        path: "parcels.2.items.0.country_of_origin",
        make: |b| b["parcels"][2]["items"][0]["country_of_origin"] = json!(null),
    },
    Mistake {
        name: "UN number",
        path: "parcels.0.dangerous_goods.0.un_number",
        make: |b| b["parcels"][0]["dangerous_goods"] = json!([{"un_number": "1263"}]),
    },
    Mistake {
        name: "mixed currencies",
        path: "customs.shipping_cost.currency",
        make: |b| b["customs"]["shipping_cost"]["currency"] = json!("SEK"),
    },
    Mistake {
        name: "gold is not money",
        path: "customs.insured_value.currency",
        make: |b| b["customs"]["insured_value"]["currency"] = json!("XAU"),
    },
    Mistake {
        name: "incoterm",
        path: "customs.incoterm",
        make: |b| b["customs"]["incoterm"] = json!("ABC"),
    },
];

/// To Norway with everything filled in, and nothing wrong.
pub fn good(reference: &str) -> Value {
    let parcel = json!({"gross_weight": {"value": 1000, "unit": "g"},
        "length": {"value": 30, "unit": "cm"}, "width": {"value": 20, "unit": "cm"},
        "height": {"value": 10, "unit": "cm"},
        "items": [{"description": "Book", "quantity": 2, "net_weight": {"value": 400, "unit": "g"},
        "unit_price": {"value": 9900, "currency": "DKK"}, "hs_code": "490199",
        "country_of_origin": "DK"}]});
    order_with(
        reference,
        json!({
            "parties": {"customer": {"address": {"country": "NO", "postal_code": "0555", "city": "Oslo"}}},
            "delivery": {
                "addons": [{"code": "sms_notification", "value": "+4530274735"},
                    {"code": "insurance", "value": {"value": 50000, "currency": "DKK"}},
                    {"code": "signature"}],
                "delivery_window": {"start": "2095-01-03T08:00:00Z", "end": "2095-01-03T12:00:00Z"}},
            "customs": {"content_type": "commercial_goods", "incoterm": "DAP",
                "invoice_number": "INV-1", "invoice_date": "2026-11-14",
                "shipping_cost": {"value": 4900, "currency": "DKK"},
                "insured_value": {"value": 9900, "currency": "DKK"}},
            "parcels": vec![parcel; 3],
        }),
    )
}
