//! A catalog as small as it can be, with one service of each kind.

use crate::catalog::{
    Addon, Carrier, Catalog, Colors, Constraint, LastMile, Names, Service, ValueKind,
};
use crate::document::{CustomsPaper, Format};
use crate::language::Language;

fn names(text: &str) -> Names {
    Names::new(Language::ALL.map(|language| format!("{text} {language}")))
}

fn addon((code, value): (&str, ValueKind)) -> Addon {
    Addon {
        code: code.to_owned(),
        names: names(code),
        descriptions: names(code),
        value,
        is_required: false,
    }
}

fn service(code: &str, is_pickup: bool, addons: &[(&str, ValueKind)]) -> Service {
    Service {
        code: code.to_owned(),
        names: names(code),
        is_pickup,
        is_return: code.contains("return"),
        from_countries: Vec::new(),
        to_countries: Vec::new(),
        addons: addons.iter().cloned().map(addon).collect(),
        draws_label: true,
        label_formats: vec![Format::Pdf],
        label_sizes: vec!["100x150".to_owned()],
        last_mile: LastMile::default(),
        constraints: vec![Constraint::MaxParcels { max: 9 }],
        customs_papers: CustomsPaper::ALL.to_vec(),
        transit: None,
    }
}

fn carrier(code: &str, services: Vec<Service>) -> Carrier {
    let colors = Colors { ground: "#000000".to_owned(), ink: "#ffffff".to_owned() };
    let is_test = code == "sandbox";
    Carrier { code: code.to_owned(), name: code.to_owned(), colors, is_test, services }
}

/// A carrier that delivers to points and doors, and one for trying things out.
pub fn catalog() -> Catalog {
    let told = [("sms_notification", ValueKind::Phone), ("email_notification", ValueKind::Email)];
    let mut all = told.to_vec();
    all.push(("flex_delivery", ValueKind::Text(30)));
    all.push(("insurance", ValueKind::Money));
    all.push(("signature", ValueKind::None));
    let postnord = vec![
        service("postnord:mypack_collect", true, &told),
        service("postnord:mypack_home", false, &all),
        service("postnord:parcel", false, &[]),
        service("postnord:return_drop_off", false, &told),
    ];
    let sandbox = vec![
        service("sandbox:home", false, &all),
        service("sandbox:pickup_point", true, &told),
        service("sandbox:letter", false, &told),
        service("sandbox:return_drop_off", false, &told),
    ];
    let carriers = vec![carrier("postnord", postnord), carrier("sandbox", sandbox)];
    Catalog { carriers }
}
