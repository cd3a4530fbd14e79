use super::*;

fn holidays(code: &str, year: i16) -> Vec<String> {
    let country = Country::parse(code).unwrap();
    let days = date(year, 1, 1).series(1.day()).take_while(|day| day.year() == year);
    let days = days.filter(|day| is_holiday(country, *day));
    days.map(|day| format!("{:02}-{:02}", day.month(), day.day())).collect()
}

#[test]
fn easter_is_where_the_church_has_it() {
    let known = [(2024, 3, 31), (2025, 4, 20), (2026, 4, 5), (2027, 3, 28), (2038, 4, 25)];
    for (year, month, day) in known {
        assert_eq!(easter(year), date(year, month, day));
    }
}

#[test]
fn each_country_has_the_holidays_of_its_law() {
    assert_eq!(
        holidays("DK", 2026),
        ["01-01", "04-02", "04-03", "04-06", "05-14", "05-25", "12-25", "12-26"]
    );
    assert_eq!(
        holidays("NO", 2026),
        ["01-01", "04-02", "04-03", "04-06", "05-01", "05-14", "05-17", "05-25", "12-25", "12-26"]
    );
    assert_eq!(
        holidays("SE", 2026),
        [
            "01-01", "01-06", "04-03", "04-06", "05-01", "05-14", "06-06", "06-19", "06-20",
            "10-31", "12-24", "12-25", "12-26", "12-31"
        ]
    );
    assert_eq!(
        holidays("FI", 2026),
        [
            "01-01", "01-06", "04-03", "04-06", "05-01", "05-14", "06-19", "06-20", "10-31",
            "12-06", "12-24", "12-25", "12-26"
        ]
    );
    assert_eq!(
        holidays("DE", 2026),
        ["01-01", "04-03", "04-06", "05-01", "05-14", "05-25", "10-03", "12-25", "12-26"]
    );
    assert_eq!(
        holidays("NL", 2025),
        ["01-01", "04-21", "04-26", "05-05", "05-29", "06-09", "12-25", "12-26"]
    );
    // The 26th is a Saturday in 2026, so the Monday after it is free.
    assert_eq!(
        holidays("GB", 2026),
        ["01-01", "04-03", "04-06", "05-04", "05-25", "08-31", "12-25", "12-26", "12-28"]
    );
}

#[test]
fn the_danish_great_prayer_day_ended_in_2024() {
    assert!(holidays("DK", 2023).contains(&"05-05".to_owned()));
    assert!(!holidays("DK", 2024).contains(&"04-26".to_owned()));
}

#[test]
fn every_clock_is_known() {
    for (code, _) in ZONES {
        assert!(time_zone(Country::parse(code).unwrap()).is_some(), "{code}");
    }
    assert!(time_zone(Country::parse("US").unwrap()).is_none());
}
