//! `Accept-Language`: the language that is looked up against the slow reading of the standards.

#![no_main]

use libfuzzer_sys::fuzz_target;
use waybill_domain::language::Language;
use waybill_fuzz::bytes::Bytes;
use waybill_fuzz::lookup;

fuzz_target!(|input: &[u8]| {
    let mut bytes = Bytes::new(input);
    let team = Language::ALL[usize::from(bytes.byte()) % Language::ALL.len()];
    let header: String = bytes.text().chars().filter(|c| is_of_a_header(*c)).collect();
    let found = Language::look_up(Some(&header), team);
    assert_eq!(found, lookup::look_up(&header, team), "{header:?} for {team}");
    assert_eq!(Language::parse(found.tag()), Some(found));
    assert_eq!(Language::look_up(Some(found.tag()), team), found);
    assert_eq!(Language::look_up(None, team), team);
});

/// Only these characters reach the domain: others are refused with the header.
fn is_of_a_header(c: char) -> bool {
    c == '\t' || (' '..='~').contains(&c)
}
