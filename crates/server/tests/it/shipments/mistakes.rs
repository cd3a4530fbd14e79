//! All problems of a request are told at once: every pair of mistakes in different places, and no
//! stage that hides what another one knows.

use serde_json::{Value, json};

use super::desks;
use crate::batches;
use crate::harness::desk::{Desk, order_with};

/// One mistake: its name, how it is made, and where it is told.
struct Mistake {
    name: &'static str,
    path: &'static str,
    make: fn(&mut Value),
}

/// Which mistake hides which, and why that can not be otherwise. Every pair that is not here must
/// be told, and every pair that is here is really hidden.
const HIDDEN: &[(&str, &[&str], &str)] = &[
    (
        "unknown service",
        &[
            "country not served",
            "postal code",
            "pickup point",
            "amount of an addon",
            "too heavy",
            "too long a side",
            "unprintable name",
        ],
        "only the service knows its countries, limits, points and addons, and whether we draw its label",
    ),
    ("country not served", &["postal code"], "a postal code is one of its country"),
];

const MISTAKES: &[Mistake] = &[
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
fn good(reference: &str) -> Value {
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

fn is_hidden(mistake: &Mistake, by: &Mistake) -> bool {
    let names =
        HIDDEN.iter().filter(|(name, ..)| *name == by.name).flat_map(|(_, names, _)| *names);
    names.into_iter().any(|name| *name == mistake.name)
}

/// Every pair of mistakes, with a body that has both.
fn pairs() -> Vec<(&'static Mistake, &'static Mistake, Value)> {
    let mut pairs = Vec::new();
    for (index, one) in MISTAKES.iter().enumerate() {
        for other in &MISTAKES[index + 1..] {
            let mut body = good("PAIR");
            (one.make)(&mut body);
            (other.make)(&mut body);
            pairs.push((one, other, body));
        }
    }
    pairs
}

/// What is missing among the paths of a pair, or told although it is on the list of hidden ones.
fn missing(one: &Mistake, other: &Mistake, told: impl Fn(&str) -> bool) -> Vec<String> {
    let looked = [(one, other), (other, one)].into_iter();
    let wrong = looked.filter(|(mistake, by)| told(mistake.path) == is_hidden(mistake, by));
    wrong.map(|(mistake, by)| format!("{} beside {}", mistake.name, by.name)).collect()
}

async fn told(desk: &Desk, body: &Value) -> Vec<String> {
    desk.book(body).await.problems()
}

desks! {
    // Rules: Errors 5; decisions 1.6.
    async fn two_mistakes_in_different_places_are_both_told(desk) {
        desk.book(&good("GOOD")).await.expect(201);
        for mistake in MISTAKES {
            let mut body = good("ONE");
            (mistake.make)(&mut body);
            let told = told(&desk, &body).await;
            assert!(told.contains(&mistake.path.to_owned()), "{}: {told:?}", mistake.name);
        }
        let mut wrong = Vec::new();
        for (one, other, body) in pairs() {
            let told = told(&desk, &body).await;
            wrong.extend(missing(one, other, |path| told.iter().any(|other| other == path)));
        }
        assert_eq!(wrong, [""; 0]);
        assert_eq!(desk.bookings("PAIR"), 0);
    }

    async fn all_mistakes_at_once_are_told_but_those_that_another_hides(desk) {
        let mut body = good("ALL");
        MISTAKES.iter().for_each(|mistake| (mistake.make)(&mut body));
        let told = told(&desk, &body).await;
        let seen = |mistake: &&Mistake| MISTAKES.iter().all(|by| !is_hidden(mistake, by));
        for mistake in MISTAKES.iter().filter(seen) {
            assert!(told.contains(&mistake.path.to_owned()), "{}: {told:?}", mistake.name);
        }
    }

    // The four of the outside test.
    async fn no_stage_hides_another(desk) {
        let weight = |value: Value| json!({"gross_weight": {"value": value, "unit": "g"}});
        let body = order_with("H", json!({"foo": 1, "parcels": [weight(json!(90_000))],
            "delivery": {"addons": [{"code": "gold"}]}}));
        assert_eq!(told(&desk, &body).await, [
            "delivery.addons.0.code", "foo", "parcels.0.gross_weight.value"]);
        let body = order_with("H", json!({"template_uuid": "01a1e049-876b-7abf-afcc-5ff07827cff3",
            "parties": {"customer": {"address": {"postal_code": "ZZZZ"}}}}));
        assert_eq!(told(&desk, &body).await, [
            "parties.customer.address.postal_code", "template_uuid"]);
        let body = order_with("H", json!({"parcels": [weight(json!(90_000))],
            "parties": {"customer": {"contact": {"name": "王小明"}}}}));
        assert_eq!(told(&desk, &body).await, [
            "parcels.0.gross_weight.value", "parties.customer.contact.name"]);
        let body = order_with("H", json!({"parcels": [{"gross_weight": {"value": 0, "unit": "g"},
            "length": {"value": 1, "unit": "cm"}, "width": {"value": 1, "unit": "in"}}]}));
        assert_eq!(told(&desk, &body).await, [
            "parcels.0.gross_weight.value", "parcels.0.length.unit", "parcels.0.width.unit"]);
    }

    // Decisions 7: what is missing may be in a template that nobody knows.
    async fn an_unknown_template_is_not_told_as_what_it_might_fill(desk) {
        let template = json!("01a1e049-876b-7abf-afcc-5ff07827cff3");
        let body = order_with("T", json!({"template_uuid": template, "parcels": null,
            "delivery": null, "parties": {"customer": {"contact": {"name": null}}}}));
        assert_eq!(told(&desk, &body).await, ["parties.customer.contact.name", "template_uuid"]);
        let body = order_with("T", json!({"template_uuid": "x", "parcels": [{}], "delivery": {}}));
        assert_eq!(told(&desk, &body).await, ["template_uuid"]);
    }

    // Decisions 6: any invalid member is told at data.N.
    async fn members_of_a_batch_are_told_all_their_mistakes(desk) {
        let batch = batches::open(&desk).await;
        let pairs = pairs();
        for some in pairs.chunks(100) {
            let members: Vec<&Value> = some.iter().map(|(_, _, body)| body).collect();
            let body = json!({"data": members, "foo": 1}).to_string();
            let path = batches::path(&desk, &format!("/{batch}/shipments"));
            let reply = desk.app.post(&path).admin().json(&body).send().await;
            let told = reply.problems();
            assert!(told.contains(&"foo".to_owned()));
            let mut wrong = Vec::new();
            for (index, (one, other, _)) in some.iter().enumerate() {
                let is_told = |path: &str| told.contains(&format!("data.{index}.{path}"));
                wrong.extend(missing(one, other, is_told));
            }
            assert_eq!(wrong, [""; 0]);
        }
    }

    async fn a_question_for_options_is_told_all_its_mistakes(desk) {
        let of_shipment = |mistake: &&Mistake| {
            let roots = ["foo", "parties", "parcels", "customs"];
            roots.contains(&mistake.path.split('.').next().unwrap())
        };
        // What only a service knows is a reason of that option.
        let of_service = HIDDEN[0].1;
        let asked: Vec<&Mistake> = MISTAKES
            .iter()
            .filter(of_shipment)
            .filter(|mistake| !of_service.contains(&mistake.name))
            .filter(|mistake| mistake.name != "origin for customs")
            .collect();
        assert_eq!(asked.len(), 15);
        for (index, one) in asked.iter().enumerate() {
            for other in &asked[index + 1..] {
                let mut body = good("Q");
                (one.make)(&mut body);
                (other.make)(&mut body);
                let fields = body.as_object_mut().unwrap();
                fields.remove("delivery");
                fields.remove("reference");
                fields.insert("ship_at".to_owned(), json!("2020-01-01T00:00:00Z"));
                let path = desk.app.path("/delivery-options");
                let reply = desk.app.post(&path).admin().json(&body.to_string()).send().await;
                let told = reply.problems();
                for path in [one.path, other.path, "ship_at"] {
                    assert!(told.contains(&path.to_owned()), "{path}: {told:?}");
                }
            }
        }
    }
}
