//! What we and another library read in the same bytes is the same.

use std::io::Cursor;

use ipp::parser::IppParser;
use ipp::reader::IppReader;
use ipp::value::IppValue;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use waybill_printing::ipp::{Attribute, Group, Kind, Message, Value, parse};

/// A value of the other library as one of ours.
fn ours(value: &IppValue) -> Value {
    let text = |kind, text: &str| Value::text(kind, text);
    match value {
        IppValue::Integer(number) => Value::Integer(*number),
        IppValue::Enum(number) => Value::Enum(*number),
        IppValue::Boolean(is_true) => Value::Boolean(*is_true),
        IppValue::OctetString(bytes) => Value::Octets(bytes.to_vec()),
        IppValue::RangeOfInteger { min, max } => Value::Range(*min, *max),
        IppValue::Resolution { cross_feed, feed, units } => {
            Value::Resolution(*cross_feed, *feed, units.cast_unsigned())
        }
        IppValue::TextWithoutLanguage(it) => text(Kind::Text, it),
        IppValue::NameWithoutLanguage(it) => text(Kind::Name, it.as_str()),
        IppValue::TextWithLanguage { language, text } => Value::Text {
            kind: Kind::Text,
            language: Some(language.as_str().to_owned()),
            text: text.to_string(),
        },
        IppValue::NameWithLanguage { language, name } => Value::Text {
            kind: Kind::Name,
            language: Some(language.as_str().to_owned()),
            text: name.as_str().to_owned(),
        },
        IppValue::Charset(it) => text(Kind::Charset, it.as_str()),
        IppValue::NaturalLanguage(it) => text(Kind::Language, it.as_str()),
        IppValue::Uri(it) => text(Kind::Uri, it.as_str()),
        IppValue::UriScheme(it) => text(Kind::UriScheme, it.as_str()),
        IppValue::Keyword(it) => text(Kind::Keyword, it.as_str()),
        IppValue::MimeMediaType(it) => text(Kind::MimeType, it.as_str()),
        IppValue::DateTime(_) => {
            let bytes = value.to_bytes();
            Value::DateTime(bytes[bytes.len() - 11..].try_into().unwrap())
        }
        IppValue::Collection(members) => Value::Collection(
            members.iter().map(|(name, value)| attribute(name.as_str(), value)).collect(),
        ),
        IppValue::NoValue => Value::OutOfBand(0x13),
        IppValue::Other { tag, .. } => Value::OutOfBand(*tag),
        other => panic!("{other:?}"),
    }
}

fn attribute(name: &str, value: &IppValue) -> Attribute {
    let values = match value {
        IppValue::Array(values) => values.iter().map(ours).collect(),
        value => vec![ours(value)],
    };
    Attribute { name: name.to_owned(), values }
}

/// The message as the other library reads it.
fn second_opinion(bytes: &[u8]) -> Message {
    let reader = IppReader::new(Cursor::new(bytes.to_vec()));
    let (header, attributes, _) = IppParser::new(reader).parse_parts().unwrap();
    let [major, minor] = header.version.0.to_be_bytes();
    let code = header.operation_or_status.cast_unsigned();
    let mut message = Message::new((major, minor), code, header.request_id);
    for group in attributes.groups() {
        let of = |it: &ipp::attribute::IppAttribute| attribute(it.name().as_str(), it.value());
        let attributes = group.attributes().iter().map(of).collect();
        message.groups.push(Group { tag: group.tag() as u8, attributes });
    }
    message
}

fn texts() -> impl Strategy<Value = Value> {
    let kinds = [Kind::Keyword, Kind::Uri, Kind::UriScheme, Kind::Charset, Kind::Language];
    let kinds = proptest::sample::select([&kinds[..], &[Kind::MimeType]].concat());
    let plain = (kinds, "[a-z:/.-]{0,60}").prop_map(|(kind, text)| Value::text(kind, text));
    let named = proptest::sample::select(vec![Kind::Text, Kind::Name]);
    let language = proptest::option::of("[a-z]{2}(-[a-z]{2})?");
    let words = (named, language, "\\PC{0,60}").prop_map(|(kind, language, text)| Value::Text {
        kind,
        language,
        text,
    });
    prop_oneof![plain, words]
}

fn scalars() -> impl Strategy<Value = Value> {
    let time = (any::<[u8; 4]>(), 1..=12u8, 1..=31u8)
        .prop_map(|(clock, month, day)| {
            let [hour, minute, second, tenth] = clock;
            let (hour, minute, second) = (hour % 24, minute % 60, second % 60);
            [7, 234, month, day, hour, minute, second, tenth % 10, b'+', hour % 12, minute % 60]
        })
        .prop_map(Value::DateTime);
    prop_oneof![
        Just(Value::OutOfBand(0x13)),
        any::<i32>().prop_map(Value::Integer),
        any::<i32>().prop_map(Value::Enum),
        any::<bool>().prop_map(Value::Boolean),
        any::<(i32, i32)>().prop_map(|(least, most)| Value::Range(least, most)),
        (any::<(i32, i32)>(), 3..=4u8)
            .prop_map(|((across, along), unit)| Value::Resolution(across, along, unit)),
        vec(any::<u8>(), 0..40).prop_map(Value::Octets),
        time,
        texts(),
        texts(),
    ]
}

/// Members in the order of their names, each with one value: the other library keeps no other
/// order, and of several values of a member the first.
fn values() -> impl Strategy<Value = Value> {
    scalars().prop_recursive(3, 24, 4, |inner| {
        let members = btree_map("[a-z][a-z-]{0,20}", inner, 1..4);
        members.prop_map(|members| {
            let member = |(name, value)| Attribute { name, values: vec![value] };
            Value::Collection(members.into_iter().map(member).collect())
        })
    })
}

fn messages() -> impl Strategy<Value = Message> {
    let attributes = ("[a-z][a-z-]{0,30}", vec(values(), 1..4))
        .prop_map(|(name, values)| Attribute { name, values });
    let tags = proptest::sample::select(vec![1u8, 2, 4, 5, 6, 7, 8, 9, 10]);
    let groups =
        (tags, vec(attributes, 0..6)).prop_map(|(tag, attributes)| Group { tag, attributes });
    (any::<(u8, u8)>(), any::<u16>(), any::<i32>(), vec(groups, 0..4)).prop_map(
        |(version, code, request_id, groups)| Message { version, code, request_id, groups },
    )
}

proptest! {
    #[test]
    fn what_we_write_is_read_by_both_as_it_was_meant(message in messages()) {
        let bytes = message.encode();
        let (read, rest) = parse(&bytes).unwrap();
        prop_assert!(rest.is_empty());
        prop_assert_eq!(&read, &message);
        prop_assert_eq!(&second_opinion(&bytes), &message);
    }
}
