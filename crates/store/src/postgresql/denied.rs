//! What a user of PostgreSQL lacks, and the words that grant it.

/// What PostgreSQL said, and who can do what about it. Its messages name one thing at their end, as
/// in `permission denied for table shipment`.
pub(super) fn explain(said: &str, user: &str) -> String {
    let user = quoted(user);
    let named = said.strip_prefix("permission denied for ").and_then(|rest| rest.split_once(' '));
    let advice = match named {
        Some(("schema", name)) => format!("GRANT USAGE, CREATE ON SCHEMA {name} TO {user}"),
        Some(("database", name)) => format!("GRANT ALL ON DATABASE {name} TO {user}"),
        Some(("sequence", name)) => format!("GRANT ALL ON SEQUENCE {name} TO {user}"),
        Some(("function", name)) => format!("GRANT EXECUTE ON FUNCTION {name} TO {user}"),
        Some(("table" | "view" | "relation", name)) => format!(
            "GRANT ALL ON {name} TO {user}, or for every table of Waybill, as after a restore by \
             somebody else, ALTER TABLE … OWNER TO {user}"
        ),
        // Only the owner may change a table, and every new release may.
        _ if said.starts_with("must be owner of ") => {
            format!("ALTER TABLE … OWNER TO {user}, for every table of Waybill")
        }
        _ => format!("GRANT … TO {user}"),
    };
    format!("{said}: the owner or a superuser must say {advice}")
}

/// As an identifier is written that may hold anything.
fn quoted(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    match !name.is_empty() && name.bytes().all(is_plain) {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_is_told_with_the_words_that_grant_it() {
        for (said, words) in [
            ("permission denied for schema public", "GRANT USAGE, CREATE ON SCHEMA public TO wb"),
            (
                "permission denied for table shipment",
                "GRANT ALL ON shipment TO wb, or for every table of Waybill, as after a restore by \
                 somebody else, ALTER TABLE … OWNER TO wb",
            ),
            ("permission denied for function pg_x", "GRANT EXECUTE ON FUNCTION pg_x TO wb"),
            ("must be owner of table job", "OWNER TO wb, for every table of Waybill"),
            ("something else", "GRANT … TO wb"),
        ] {
            let told = explain(said, "wb");
            assert!(told.starts_with(said) && told.ends_with(words), "{told}");
            assert!(told.contains(": the owner or a superuser must say "), "{told}");
        }
        assert!(explain("x", "My \"User").ends_with("TO \"My \"\"User\""));
    }
}
