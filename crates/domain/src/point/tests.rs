use super::*;
use crate::json::parse;

const POINT: &str = r#"{"carrier":"sandbox","code":"DK-1001","name":"Kiosken","type":"parcel_shop",
    "address":{"address_lines":["Islands Brygge 18"],"postal_code":"2300","city":"København S",
    "administrative_area":null,"country":"DK"},
    "coordinates":{"latitude":55.6672,"longitude":12.5797},
    "opening_hours":{"regular":[{"weekday":"monday","periods":[{"opens":"07:00","closes":"22:00"}]}],
    "special":[{"date":"2026-12-24","is_closed":true,"periods":[]}]}}"#;

fn point(text: &str) -> Result<Point, FieldErrors> {
    Point::parse(&parse(text.as_bytes()).unwrap())
}

fn paths(text: &str) -> Vec<String> {
    point(text).unwrap_err().iter().map(|(path, _)| path.to_owned()).collect()
}

#[test]
fn a_point_is_written_as_it_was_read() {
    let json = parse(POINT.as_bytes()).unwrap();
    assert_eq!(Point::parse(&json).unwrap().to_json().to_string(), json.to_string());
}

#[test]
fn every_problem_of_a_point_is_told_at_its_path() {
    let bad = POINT
        .replace("parcel_shop", "kiosk")
        .replace("55.6672", "95")
        .replace("\"DK\"", "\"ZZ\"")
        .replace("22:00", "25:00")
        .replace("2026-12-24", "2026-13-24");
    assert_eq!(
        paths(&bad),
        [
            "address.country",
            "coordinates.latitude",
            "opening_hours.regular.0.periods.0.closes",
            "opening_hours.special.0.date",
            "type",
        ]
    );
}

#[test]
fn the_digest_tells_whether_anything_changed() {
    let one = point(POINT).unwrap();
    let spelled = point(&POINT.replace("55.6672", "55.66720")).unwrap();
    let moved = point(&POINT.replace("55.6672", "55.6673")).unwrap();
    assert_eq!(one.digest(), spelled.digest());
    assert_ne!(one.digest(), moved.digest());
}

#[test]
fn postal_codes_and_cities_are_looked_up_without_spaces_and_case() {
    assert_eq!(postal_key("se-111 22"), "SE11122");
    assert_eq!(city_key(" KØBENHAVN S "), "københavn s");
}
