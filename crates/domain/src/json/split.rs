//! Taking apart what our writer wrote, without reading it: its members go out again as they are.

/// What a value begins with.
const BEGINS_VALUE: fn(char) -> bool =
    |c| c.is_ascii_digit() || ['{', '[', '"', '-', 't', 'f', 'n'].contains(&c);

/// The members of a written object, each value as its text. Nothing when it is not one.
pub fn split_members(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut rest = text.strip_prefix('{')?.strip_suffix('}')?;
    let mut members = Vec::new();
    while !rest.is_empty() {
        let (name, value) = rest.strip_prefix('"')?.split_once("\":")?;
        if name.contains(['"', '\\']) {
            return None;
        }
        let end = end_of_value(value).filter(|_| value.starts_with(BEGINS_VALUE))?;
        members.push((name, &value[..end]));
        rest = match &value[end..] {
            "" => "",
            more => more.strip_prefix(',').filter(|more| !more.is_empty())?,
        };
    }
    Some(members)
}

/// Where the first value of the text ends: at a comma outside of everything, or with the text.
fn end_of_value(text: &str) -> Option<usize> {
    let (mut depth, mut is_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => return Some(at).filter(|at| *at > 0),
            _ => {}
        }
    }
    let is_whole = depth == 0 && !is_string && !text.is_empty();
    is_whole.then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Json, parse};

    #[test]
    fn members_come_out_as_they_were_written() {
        let written = parse(br#"{"a": {"b": [1, "}"]}, "c": "x\",\\", "d": null, "e": -2.50}"#);
        let written = written.unwrap().to_string();
        let members = split_members(&written).unwrap();
        let expected =
            [("a", r#"{"b":[1,"}"]}"#), ("c", r#""x\",\\""#), ("d", "null"), ("e", "-2.50")];
        assert_eq!(members, expected);
        let again = members
            .into_iter()
            .map(|(name, value)| (name.to_owned().into(), Json::Written(value.to_owned())));
        assert_eq!(Json::Object(again.collect()).to_string(), written);
        assert_eq!(split_members("{}"), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_whole_object_is_not_taken_apart() {
        let broken = [
            "",
            "[]",
            "{",
            r#"{"a":1"#,
            r#"{"a":"}"#,
            r#"{"a":[}"#,
            r#"{"a":1,}"#,
            r#"{"a":,"b":1}"#,
            r#"{"a":}"#,
            r#"{a:1}"#,
            r#"{"a":1]}"#,
            r#"{"a\"b":1}"#,
            r#"{"a":<b>}"#,
        ];
        for text in broken {
            assert_eq!(split_members(text), None, "{text}");
        }
    }
}
