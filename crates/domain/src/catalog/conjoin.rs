//! Many small schemas as one that says the same: rules about one place stand together there.

use crate::json::{Json, MemberName};

/// Keywords that only mean something together: a schema has one such group, further ones are
/// entries of its `allOf`.
const GROUPS: &[&[&str]] = &[&["if", "then", "else"], &["contains", "minContains", "maxContains"]];

/// A schema that is satisfied when all of these are.
pub fn conjoin(schemas: impl IntoIterator<Item = Json>) -> Json {
    let mut whole = Schema::default();
    for schema in schemas {
        whole.add(schema);
    }
    whole.finish()
}

/// A schema in the making.
#[derive(Default)]
struct Schema {
    members: Vec<(MemberName, Json)>,
    properties: Vec<(MemberName, Schema)>,
    items: Option<Box<Schema>>,
    required: Vec<Json>,
    all_of: Vec<Json>,
}

impl Schema {
    fn add(&mut self, schema: Json) {
        // What other properties may be there depends on those that are told beside it.
        let is_closed = schema.member("additionalProperties").is_some();
        let members = match schema {
            Json::Object(members) if !is_closed => members,
            whole => return self.all_of.push(whole),
        };
        let mut rest = Vec::new();
        for (name, value) in members {
            match (name.as_ref(), value) {
                ("properties", Json::Object(properties)) => {
                    properties.into_iter().for_each(|(name, value)| self.property(name, value));
                }
                ("items", value) => self.items.get_or_insert_default().add(value),
                ("required", Json::List(names)) => {
                    for name in names {
                        if !self.required.contains(&name) {
                            self.required.push(name);
                        }
                    }
                }
                ("allOf", Json::List(schemas)) => self.all_of.extend(schemas),
                (_, value) => rest.push((name, value)),
            }
        }
        self.keep(rest);
    }

    fn property(&mut self, name: MemberName, value: Json) {
        match self.properties.iter_mut().find(|(other, _)| *other == name) {
            Some((_, schema)) => schema.add(value),
            None => {
                let mut schema = Schema::default();
                schema.add(value);
                self.properties.push((name, schema));
            }
        }
    }

    /// Keeps keywords here unless one of them, or of their group, is here already and says
    /// something else.
    fn keep(&mut self, members: Vec<(MemberName, Json)>) {
        let group = |name: &str| GROUPS.iter().find(|group| group.contains(&name));
        let is_free = |(name, value): &(MemberName, Json)| match group(name) {
            Some(group) => !self.members.iter().any(|(other, _)| group.contains(&other.as_ref())),
            None => self.members.iter().all(|(other, said)| other != name || said == value),
        };
        if members.iter().all(is_free) {
            for member in members {
                if !self.members.contains(&member) {
                    self.members.push(member);
                }
            }
        } else {
            self.all_of.push(Json::Object(members));
        }
    }

    fn finish(self) -> Json {
        let mut members = self.members;
        let mut tell = |name: &'static str, value: Json| members.push((name.into(), value));
        if !self.required.is_empty() {
            tell("required", Json::List(self.required));
        }
        if !self.properties.is_empty() {
            let properties = self.properties.into_iter();
            let properties = properties.map(|(name, schema)| (name, schema.finish()));
            tell("properties", Json::Object(properties.collect()));
        }
        if let Some(items) = self.items {
            tell("items", items.finish());
        }
        if !self.all_of.is_empty() {
            tell("allOf", Json::List(self.all_of));
        }
        Json::Object(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn joined(schemas: &[&str]) -> String {
        conjoin(schemas.iter().map(|text| parse(text.as_bytes()).unwrap())).to_string()
    }

    #[test]
    fn rules_about_one_place_stand_together() {
        let said = joined(&[
            r#"{"properties":{"a":{"maxLength":3}}}"#,
            r#"{"properties":{"a":{"pattern":"x"},"b":{"items":{"minimum":1}}},"required":["a"]}"#,
            r#"{"properties":{"b":{"items":{"maximum":2}}},"required":["a"]}"#,
        ]);
        let want = r#"{"required":["a"],"properties":{"a":{"maxLength":3,"pattern":"x"},"#
            .to_owned()
            + r#""b":{"items":{"minimum":1,"maximum":2}}}}"#;
        assert_eq!(said, want);
    }

    #[test]
    fn rules_that_say_different_things_are_both_kept() {
        assert_eq!(
            joined(&[r#"{"maximum":3}"#, r#"{"maximum":2}"#, r#"{"maximum":3}"#]),
            r#"{"maximum":3,"allOf":[{"maximum":2}]}"#
        );
        assert_eq!(
            joined(&[r#"{"if":true,"then":false}"#, r#"{"if":false,"else":true}"#]),
            r#"{"if":true,"then":false,"allOf":[{"if":false,"else":true}]}"#
        );
    }
}
