use super::*;
use proptest::prelude::*;

fn at(latitude: f64, longitude: f64) -> Position {
    Position::new(latitude, longitude).unwrap()
}

fn region(points: &[Position]) -> Region {
    let mut builder = Builder::default();
    for (number, point) in (1..).zip(points) {
        let id = Uuid::from_u128(number);
        builder.add((id, &code(number)), *point, "2300", "københavn s");
    }
    builder.build()
}

/// The point with the lowest id has the highest code.
fn code(number: u128) -> String {
    format!("{:05}", 99_999 - number)
}

/// What looking at every point finds.
fn by_hand(points: &[Position], from: Position, count: usize) -> Vec<Near> {
    let mut all: Vec<(u64, u128)> =
        (1..).zip(points).map(|(number, at)| (from.haversine(*at).to_bits(), number)).collect();
    all.sort_unstable();
    all.truncate(count);
    let near =
        |(bits, number)| Near { id: Uuid::from_u128(number), metres: metres(f64::from_bits(bits)) };
    all.into_iter().map(near).collect()
}

fn anywhere() -> impl Strategy<Value = Position> {
    let spots = prop_oneof![
        (-90.0..=90.0f64, -180.0..=180.0f64),
        (54.0..=58.0f64, 8.0..=13.0f64),
        // Beside the date line, and around a pole.
        (-20.0..=-15.0f64, prop_oneof![177.0..=180.0f64, -180.0..=-178.0f64]),
        (85.0..=90.0f64, -180.0..=180.0f64),
    ];
    spots.prop_map(|(latitude, longitude)| at(latitude, longitude))
}

proptest! {
    #[test]
    fn the_tree_finds_what_looking_at_every_point_finds(
        points in prop::collection::vec(anywhere(), 0..300),
        from in anywhere(),
        count in 1usize..20,
    ) {
        prop_assert_eq!(region(&points).closest(from, count), by_hand(&points, from, count));
    }

    #[test]
    fn an_area_has_the_points_in_it_and_no_others(
        points in prop::collection::vec(anywhere(), 0..200),
        corners in (anywhere(), anywhere()),
        from in 0u128..200,
        count in 1usize..20,
    ) {
        let bounds = area(corners.0, corners.1);
        let inside: Vec<Uuid> = (1..).zip(&points)
            .filter(|(_, point)| bounds.has(**point))
            .map(|(number, _)| Uuid::from_u128(number))
            .collect();
        let (region, from) = (region(&points), Uuid::from_u128(from));
        let after: Vec<Uuid> = inside.iter().copied().filter(|id| *id > from).take(count).collect();
        prop_assert_eq!(region.after(&bounds, from, count), after);
        let before: Vec<Uuid> =
            inside.iter().rev().copied().filter(|id| *id < from).take(count).collect();
        prop_assert_eq!(region.before(&bounds, from, count), before);
        // The lower an id, the higher its code.
        let skip = usize::try_from(from.as_u128()).unwrap() / 4;
        let page: Vec<Uuid> = inside.iter().rev().copied().skip(skip).take(count).collect();
        let (found, total) = region.in_order(Some(&bounds), skip, count);
        prop_assert_eq!(found.into_iter().map(|(_, id)| id).collect::<Vec<_>>(), page);
        prop_assert_eq!(total, inside.len());
    }
}

#[test]
fn points_are_listed_in_the_order_of_their_codes_as_text() {
    let mut builder = Builder::default();
    let named = [("10", 3), ("9", 1), ("", 4), ("100", 2)];
    for (code, number) in named {
        builder.add((Uuid::from_u128(number), code), at(1.0, number as f64), "", "");
    }
    let region = builder.build();
    let expected = [("", 4), ("10", 3), ("100", 2), ("9", 1)]
        .map(|(code, number)| (code, Uuid::from_u128(number)));
    assert_eq!(region.in_order(None, 0, 9), (expected.to_vec(), 4));
    assert_eq!(region.in_order(None, 1, 2), (expected[1..3].to_vec(), 4));
    assert_eq!(region.in_order(None, usize::MAX, 15), (Vec::new(), 4));
    assert_eq!(Region::default().in_order(None, 0, 9), (Vec::new(), 0));
}

fn area(one: Position, two: Position) -> Bounds {
    let sorted = |one: i32, two: i32| (one.min(two), one.max(two));
    let (south, north) = sorted(one.latitude, two.latitude);
    let (west, east) = sorted(one.longitude, two.longitude);
    Bounds {
        min: Position { latitude: south, longitude: west },
        max: Position { latitude: north, longitude: east },
    }
}

#[test]
fn equal_points_in_any_order_give_an_equal_index() {
    let points: Vec<Position> =
        (0..500).map(|n| at(f64::from(n % 37) / 7.0, f64::from(n % 11))).collect();
    let build = |order: &mut dyn Iterator<Item = usize>| {
        let mut builder = Builder::default();
        for index in order {
            let id = Uuid::from_u128(index as u128);
            let own = code(index as u128);
            builder.add((id, &own), points[index], &format!("{}", index % 50), "by");
        }
        builder.build()
    };
    assert_eq!(build(&mut (0..500)), build(&mut (0..500).rev()));
}

#[test]
fn a_customer_is_where_the_points_of_the_postal_code_are() {
    let mut builder = Builder::default();
    let points = [
        ("2300", "københavn s", at(55.66, 12.57)),
        ("2300", "københavn s", at(55.64, 12.59)),
        ("8000", "aarhus c", at(56.15, 10.20)),
        ("5000", "odense c", at(55.39, 10.38)),
    ];
    for (number, (code, city, position)) in (1..).zip(points) {
        builder.add((Uuid::from_u128(number), code), position, code, city);
    }
    let region = builder.build();
    assert_eq!(region.locate("2300", None), Some(at(55.65, 12.58)));
    assert_eq!(region.locate("8999", Some("aarhus c")), Some(at(56.15, 10.20)), "by the city");
    assert_eq!(region.locate("2301", Some("ørestad")), Some(at(55.65, 12.58)), "most similar");
    assert_eq!(region.locate("9990", None), Some(at(56.15, 10.20)), "the nearest number");
    assert_eq!(region.locate("ZZZ", None), None, "no postal code of this country");
    assert_eq!(Region::default().locate("2300", None), None);
}

#[test]
fn a_place_on_both_sides_of_the_date_line_is_between_them() {
    let mut builder = Builder::default();
    builder.add((Uuid::from_u128(1), "1"), at(-17.0, 179.9), "", "taveuni");
    builder.add((Uuid::from_u128(2), "2"), at(-17.0, -179.9), "", "taveuni");
    let found = builder.build().locate("", Some("taveuni")).unwrap();
    assert_eq!(found.longitude.abs(), 180_000_000);
}

#[test]
fn an_index_takes_less_than_a_hundred_bytes_a_point() {
    let points: Vec<Position> =
        (0..10_000).map(|n| at(f64::from(n) / 200.0, f64::from(n) / 300.0)).collect();
    let region = region(&points);
    assert!(region.bytes() / region.count() < 100);
}
