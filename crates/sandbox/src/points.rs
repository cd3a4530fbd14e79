//! The sandbox carrier's service points: made up, but where people live. The same number of points
//! is always the same points.

use waybill_domain::json::Json;

/// How many points the carrier has, unless it is told otherwise.
pub const COUNT: usize = 2000;

/// Country, postal code, latitude, longitude and city, separated by spaces.
const TOWNS: &str = include_str!("towns.txt");

/// A country's share of all points in thousandths, and how its points are numbered and called.
struct Land {
    code: &'static str,
    share: usize,
    first: usize,
    names: [&'static str; 4],
    streets: [&'static str; 5],
}

const LANDS: [Land; 5] = [
    Land {
        code: "DK",
        share: 250,
        first: 1001,
        names: ["Kiosk", "Pakkeboks", "Nærbutik", "Posthus"],
        streets: ["Torvet", "Vestergade", "Nørregade", "Stationsvej", "Kirkevej"],
    },
    Land {
        code: "SE",
        share: 225,
        first: 2001,
        names: ["Kiosk", "Paketbox", "Livs", "Postombud"],
        streets: ["Storgatan", "Torggatan", "Kungsgatan", "Järnvägsgatan", "Skolgatan"],
    },
    Land {
        code: "NO",
        share: 175,
        first: 3001,
        names: ["Kiosk", "Pakkeboks", "Nærbutikk", "Postkontor"],
        streets: ["Storgata", "Kirkegata", "Torggata", "Skolegata", "Havnegata"],
    },
    Land {
        code: "FI",
        share: 150,
        first: 4001,
        names: ["Kioski", "Pakettiautomaatti", "Lähikauppa", "Postitoimisto"],
        streets: ["Kauppakatu", "Asemakatu", "Koulukatu", "Rantatie", "Kirkkokatu"],
    },
    Land {
        code: "DE",
        share: 200,
        first: 5001,
        names: ["Kiosk", "Paketbox", "Späti", "Postfiliale"],
        streets: ["Hauptstraße", "Bahnhofstraße", "Marktplatz", "Schulstraße", "Gartenweg"],
    },
];

/// What each kind of point is, in the order of the names, and when it is open.
const KINDS: [(&str, &str); 4] = [
    ("shop", "mo-fr 07:00-22:00; sa-su 08:00-20:00"),
    ("box", "mo-su 00:00-24:00"),
    ("shop", "mo-sa 08:00-21:00; su 10:00-18:00"),
    ("post", "mo-fr 09:00-17:30; sa 10:00-14:00"),
];

/// The carrier's points in a country, when it has so many in all.
pub fn list(count: usize, country: &str) -> Json {
    let Some(land) = LANDS.iter().find(|land| land.code == country) else {
        return Json::object([("points", Json::list([]))]);
    };
    let towns: Vec<Vec<&str>> = TOWNS
        .lines()
        .map(|line| line.splitn(5, ' ').collect())
        .filter(|town: &Vec<&str>| town[0] == country)
        .collect();
    let count = (count * land.share).div_ceil(1000);
    let points = (0..count).map(|index| point(land, &towns, index, count));
    Json::object([("points", Json::list(points))])
}

fn point(land: &Land, towns: &[Vec<&str>], index: usize, count: usize) -> Json {
    // Every town has its first point, in its middle, before any has its second.
    let (town, ring) = (&towns[index % towns.len()], index / towns.len());
    let rings = count.div_ceil(towns.len());
    let (kind, hours) = KINDS[ring % KINDS.len()];
    let (north, east) = around(ring, rings);
    let degrees = |text: &str| text.parse::<f64>().unwrap_or_default();
    let rounded = |degrees: f64| Json::text(format!("{degrees:.5}"));
    let latitude = degrees(town[2]);
    let longitude = degrees(town[3]) + east / latitude.to_radians().cos();
    let street = land.streets[(index + ring) % land.streets.len()];
    let name = format!("{} {street}", land.names[ring % land.names.len()]);
    Json::object([
        ("number", format!("{}-{}", land.code, land.first + index).into()),
        ("title", name.into()),
        ("kind", kind.into()),
        ("street", format!("{street} {}", 1 + (index * 7) % 60).into()),
        ("postal_code", town[1].into()),
        ("city", town[4].into()),
        ("country", land.code.into()),
        ("lat", rounded(latitude + north)),
        ("lng", rounded(longitude)),
        ("hours", hours.into()),
    ])
}

/// How far from the middle of its town a point is, in degrees of latitude: evenly around it, as the
/// seeds of a sunflower, and three kilometres away at most.
fn around(ring: usize, rings: usize) -> (f64, f64) {
    let far = 0.027 * (ring as f64 / rings as f64).sqrt();
    let turn = ring as f64 * 2.399_963;
    (far * turn.sin(), far * turn.cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(count: usize, country: &str) -> Vec<Json> {
        match list(count, country).member("points") {
            Some(Json::List(points)) => points.clone(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn there_are_as_many_points_as_wanted_in_five_countries() {
        let all = LANDS.iter().map(|land| points(COUNT, land.code).len()).sum::<usize>();
        assert_eq!(all, COUNT);
        assert!(points(COUNT, "US").is_empty());
    }

    #[test]
    fn the_first_points_are_the_same_however_many_there_are() {
        let number = |point: &Json| point.member("number").cloned();
        assert_eq!(number(&points(60, "DK")[0]), Some("DK-1001".into()));
        assert_eq!(points(60, "DK")[..15], points(COUNT, "DK")[..15]);
    }
}
