use super::*;
use crate::ipp::{group, operation};

/// Tag, name, value.
fn field(tag: u8, name: &str, value: &[u8]) -> Vec<u8> {
    let length = |bytes: &[u8]| u16::try_from(bytes.len()).unwrap().to_be_bytes().to_vec();
    [vec![tag], length(name.as_bytes()), name.as_bytes().to_vec(), length(value), value.to_vec()]
        .concat()
}

/// An answer of a printer with these fields of a job.
fn answer(fields: &[Vec<u8>]) -> Vec<u8> {
    [vec![2, 0, 0, 0, 0, 0, 0, 7, 2], fields.concat(), vec![3]].concat()
}

/// What is read of these fields.
fn read(fields: &[Vec<u8>]) -> Vec<Attribute> {
    let bytes = answer(fields);
    let (message, _) = parse(&bytes).unwrap();
    message.groups.into_iter().next().unwrap().attributes
}

fn names(attributes: &[Attribute]) -> Vec<&str> {
    attributes.iter().map(|attribute| attribute.name.as_str()).collect()
}

#[test]
fn a_request_is_written_as_the_standard_says() {
    let operation = Group::new(group::OPERATION)
        .with("attributes-charset", Value::text(Kind::Charset, "utf-8"))
        .with("job-id", Value::Integer(258))
        .with_all("requested", vec![Value::keyword("a"), Value::keyword("b")]);
    let request = Message::new((2, 0), operation::CANCEL_JOB, 1).with(operation);
    let expected = [
        &b"\x02\x00\x00\x08\x00\x00\x00\x01\x01"[..],
        b"\x47\x00\x12attributes-charset\x00\x05utf-8",
        b"\x21\x00\x06job-id\x00\x04\x00\x00\x01\x02",
        b"\x44\x00\x09requested\x00\x01a\x44\x00\x00\x00\x01b",
        b"\x03",
    ];
    assert_eq!(request.encode(), expected.concat());
}

#[test]
fn an_answer_is_read_with_every_kind_of_value() {
    let fields = [
        field(0x21, "number", &[0, 0, 0, 9]),
        field(0x23, "enum", &[0, 0, 0, 5]),
        field(0x22, "boolean", &[1]),
        field(0x33, "range", &[0, 0, 0, 1, 0, 0, 0, 99]),
        field(0x32, "resolution", &[0, 0, 0, 203, 0, 0, 0, 203, 3]),
        field(0x31, "time", &[7, 234, 11, 18, 12, 0, 0, 0, b'+', 1, 0]),
        field(0x36, "name", b"\x00\x02da\x00\x05Etike"),
        field(0x41, "text", "Blækket".as_bytes()),
        field(0x12, "unknown", &[]),
        field(0x30, "octets", &[255]),
    ];
    let values: Vec<Value> = read(&fields).into_iter().flat_map(|it| it.values).collect();
    let language = Some("da".to_owned());
    let expected = [
        Value::Integer(9),
        Value::Enum(5),
        Value::Boolean(true),
        Value::Range(1, 99),
        Value::Resolution(203, 203, 3),
        Value::DateTime([7, 234, 11, 18, 12, 0, 0, 0, b'+', 1, 0]),
        Value::Text { kind: Kind::Name, language, text: "Etike".to_owned() },
        Value::text(Kind::Text, "Blækket"),
        Value::OutOfBand(0x12),
        Value::Octets(vec![255]),
    ];
    assert_eq!(values, expected);
}

/// `media-col` with a size in it.
fn collection() -> Vec<Vec<u8>> {
    vec![
        field(0x34, "media-col", &[]),
        field(0x4a, "", b"media-size"),
        field(0x34, "", &[]),
        field(0x4a, "", b"x-dimension"),
        field(0x21, "", &[0, 0, 0x27, 0x10]),
        field(0x37, "", &[]),
        field(0x4a, "", b"media-type"),
        field(0x44, "", b"labels"),
        field(0x44, "", b"paper"),
        field(0x37, "", &[]),
    ]
}

#[test]
fn a_collection_is_read_and_written_with_those_inside() {
    let found = read(&collection());
    let media = &found[0].values[0];
    assert_eq!(
        media.member("media-size").unwrap().member("x-dimension"),
        Some(&Value::Integer(10_000))
    );
    let Value::Collection(members) = media else { panic!("{media:?}") };
    assert_eq!(members[1].values.len(), 2);
    let bytes = answer(&collection());
    assert_eq!(parse(&bytes).unwrap().0.encode(), bytes);
}

#[test]
fn what_cannot_be_read_is_passed_over_and_the_rest_counts() {
    let fields = [
        field(0x21, "short", &[0, 9]),
        field(0x7f, "extension", &[0, 0, 0, 1, 9]),
        field(0x36, "cut-language", b"\x00\xffda"),
        field(0x22, "wide-boolean", &[0, 1]),
        field(0x31, "cut-time", &[7]),
        field(0x44, "half", b"kept"),
        field(0x5f, "", b"of no kind"),
        field(0x44, "", b"too"),
        field(0x42, "not-utf-8", b"A\xffB\xc3"),
        field(0x42, "long", &[b'x'; 300]),
    ];
    let found = read(&fields);
    assert_eq!(names(&found), ["half", "not-utf-8", "long"]);
    assert_eq!(found[0].values, [Value::keyword("kept"), Value::keyword("too")]);
    assert_eq!(found[1].values, [Value::name("A?B?")]);
    assert_eq!(found[2].values[0].as_text().unwrap().len(), 300);
}

#[test]
fn values_that_belong_to_nothing_are_passed_over() {
    let stray = field(0x44, "", b"stray");
    let bytes = [vec![2, 0, 0, 0, 0, 0, 0, 7], stray.clone(), vec![2], stray, vec![3]].concat();
    let (message, _) = parse(&bytes).unwrap();
    assert_eq!(message.groups, [Group::new(2)]);
    let member = [field(0x34, "c", &[]), field(0x44, "", b"unnamed"), field(0x37, "", &[])];
    assert_eq!(read(&member)[0].values, [Value::Collection(Vec::new())]);
}

#[test]
fn groups_of_later_standards_are_kept_apart() {
    let job = |id: u8| [vec![2], field(0x21, "job-id", &[0, 0, 0, id])].concat();
    let bytes = [vec![2, 0, 0, 0, 0, 0, 0, 7], job(1), vec![0x0f], job(2), vec![3]].concat();
    let (message, _) = parse(&bytes).unwrap();
    let ids = message.groups_of(group::JOB).filter_map(|job| job.integer("job-id"));
    assert_eq!(ids.collect::<Vec<_>>(), [1, 2]);
    assert_eq!(message.groups[1], Group::new(0x0f));
}

#[test]
fn what_stands_behind_the_attributes_is_the_document() {
    let bytes = [answer(&[]), b"^XA^XZ".to_vec()].concat();
    assert_eq!(parse(&bytes).unwrap().1, b"^XA^XZ");
    let long = [answer(&[]), vec![b'x'; BYTES_MAX]].concat();
    assert_eq!(parse(&long).unwrap().1.len(), BYTES_MAX);
}

#[test]
fn a_message_that_is_cut_off_anywhere_is_none() {
    let bytes = answer(&collection());
    for length in 0..bytes.len() {
        let result = parse(&bytes[..length]).map(|_| ());
        assert_eq!(result, Err(IppError::Cut), "{length}");
    }
}

#[test]
fn bytes_values_and_depth_are_bounded() {
    let long = field(0x44, "long", &[b'x'; 60_000]);
    assert_eq!(parse(&answer(&vec![long; 36])).unwrap_err(), IppError::TooLong);
    let small = field(0x44, "small", b"x");
    // The group counts as well.
    assert_eq!(read(&vec![small.clone(); VALUES_MAX - 1]).len(), VALUES_MAX - 1);
    assert_eq!(parse(&answer(&vec![small; VALUES_MAX])).unwrap_err(), IppError::TooMany);
    assert_eq!(parse(&vec![2; VALUES_MAX * 2]).unwrap_err(), IppError::TooMany);
    assert_eq!(read(&nested(DEPTH_MAX)).len(), 1);
    assert_eq!(parse(&answer(&nested(DEPTH_MAX + 1))).unwrap_err(), IppError::TooDeep);
}

fn nested(depth: usize) -> Vec<Vec<u8>> {
    let mut fields = vec![field(0x34, "c", &[])];
    for _ in 1..depth {
        fields.extend([field(0x4a, "", b"c"), field(0x34, "", &[])]);
    }
    fields.extend(vec![field(0x37, "", &[]); depth]);
    fields
}

#[test]
fn a_group_does_not_begin_inside_of_a_collection() {
    let fields = [field(0x34, "c", &[]), vec![2], field(0x37, "", &[])];
    assert_eq!(parse(&answer(&fields)).unwrap_err(), IppError::OpenCollection);
}
