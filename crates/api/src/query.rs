//! The query of a request: every parameter known, given once, and within its bounds.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use waybill_domain::fields::{FieldErrors, one_of, unknown};
use waybill_domain::time::Time;
use waybill_domain::words::Message;

use super::reply::ApiError;

/// Nothing knows so many parameters: among the first of them one is refused.
const PAIRS_MAX: usize = 100;

/// Parameters as they came, decoded, and the text that they came in.
#[derive(Clone, Default, Debug)]
pub struct Query {
    pairs: Vec<(String, String)>,
    raw: String,
}

impl Query {
    /// Reads `a=1&b=2`. What is not valid UTF-8 after decoding is kept with replacement marks.
    pub fn parse(raw: Option<&str>) -> Query {
        let raw = raw.unwrap_or_default().to_owned();
        let pairs = form_urlencoded::parse(raw.as_bytes()).into_owned().take(PAIRS_MAX);
        Query { pairs: pairs.collect(), raw }
    }

    /// The parameters in the order in which they came.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// The text as it was sent, without the question mark.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The query without one parameter, encoded again and sorted: the same wish is the same text.
    pub fn without(&self, name: &str) -> String {
        self.only(|(other, _)| other != name)
    }

    /// What a list is filtered and sorted by: the same text for the same list, wherever its page
    /// begins, however long it is, and whether a default is spelled out or not.
    pub fn filters(&self, defaults: &[(&str, &str)]) -> String {
        self.only(|(name, value)| {
            let is_default = defaults.contains(&(name.as_str(), value.as_str()));
            !is_default && name != "cursor" && name != "per_page"
        })
    }

    fn only(&self, is_kept: impl Fn(&(String, String)) -> bool) -> String {
        let mut kept: Vec<_> = self.pairs.iter().filter(|pair| is_kept(pair)).collect();
        kept.sort();
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(kept.into_iter().map(|(name, value)| (name, value)))
            .finish()
    }

    /// Whether a parameter is there, whatever its value is.
    pub fn has(&self, name: &str) -> bool {
        form_urlencoded::parse(self.raw.as_bytes()).any(|(other, _)| other == name)
    }

    /// Every value of a parameter, also among very many.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Cow<'a, str>> + 'a {
        let pairs = form_urlencoded::parse(self.raw.as_bytes());
        pairs.filter(move |(other, _)| other == name).map(|(_, value)| value)
    }

    /// A reader that knows these parameters.
    pub fn knowing(&self, known: &[&'static str]) -> Reader<'_> {
        let mut errors = FieldErrors::default();
        for (index, (name, value)) in self.pairs.iter().enumerate() {
            if value.chars().any(char::is_control) {
                // Nothing has one, and PostgreSQL cannot even be asked.
                errors.add(name.as_str(), Message::new("control-character"));
            }
            if !known.contains(&name.as_str()) {
                errors.add(name.as_str(), unknown("unknown-parameter", name, known));
            } else if self.pairs[..index].iter().any(|(earlier, _)| earlier == name) {
                errors.add(name.as_str(), Message::new("duplicate-parameter"));
            }
        }
        Reader { query: self, errors }
    }
}

/// Reads parameters and collects what is wrong with them.
pub struct Reader<'a> {
    query: &'a Query,
    errors: FieldErrors,
}

impl Reader<'_> {
    /// A parameter's text.
    pub fn text(&self, name: &str) -> Option<&str> {
        let found = self.query.pairs.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// A parameter's text, which says something when it is there.
    pub fn filled(&mut self, name: &str) -> Option<String> {
        let text = self.text(name)?.to_owned();
        if text.is_empty() {
            self.errors.add(name, Message::new("blank"));
        }
        Some(text)
    }

    /// A whole number within bounds.
    pub fn integer(&mut self, name: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let text = self.text(name)?;
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let value = text.parse::<i64>().ok().filter(|value| is_plain && range.contains(value));
        if value.is_some() {
            return value;
        }
        let problem = Message::new("not-in-range");
        let problem = problem.text("min", range.start()).text("max", range.end());
        self.errors.add(name, problem);
        None
    }

    /// One of a few words.
    pub fn choice(&mut self, name: &str, choices: &[&'static str]) -> Option<&'static str> {
        let text = self.text(name)?;
        let found = choices.iter().copied().find(|choice| *choice == text);
        if found.is_none() {
            self.errors.add(name, one_of(choices));
        }
        found
    }

    /// Text that `parse` understands.
    pub fn parsed<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        message: impl FnOnce() -> Message,
    ) -> Option<T> {
        let parsed = parse(self.text(name)?);
        if parsed.is_none() {
            self.errors.add(name, message());
        }
        parsed
    }

    /// A moment.
    pub fn time(&mut self, name: &str) -> Option<Time> {
        let text = self.text(name)?;
        let time = Time::parse(text);
        if time.is_none() {
            self.errors.add(name, Time::problem(text));
        }
        time
    }

    /// Whether nothing is wrong so far.
    pub fn is_fine(&self) -> bool {
        self.errors.is_empty()
    }

    /// Notes a problem with a parameter.
    pub fn refuse(&mut self, name: &str, message: Message) {
        self.errors.add(name, message);
    }

    /// Ends the reading with all that was wrong, to be told with what is wrong elsewhere.
    pub fn into_errors(self) -> FieldErrors {
        self.errors
    }

    /// Ends the reading: nothing, or all that was wrong.
    pub fn finish(self) -> Result<(), ApiError> {
        if self.errors.is_empty() { Ok(()) } else { Err(ApiError::Invalid(self.errors)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded() {
        let query = Query::parse(Some("a=1%202&b=x+y&c&%64=%C3%A6&e=%zz&f=%"));
        let reader = query.knowing(&["a", "b", "c", "d", "e", "f"]);
        let all: Vec<_> = ["a", "b", "c", "d", "e", "f"].map(|n| reader.text(n).unwrap()).into();
        assert_eq!(all, ["1 2", "x y", "", "æ", "%zz", "%"]);
    }

    #[test]
    fn of_very_many_parameters_only_the_first_are_looked_at() {
        let query = Query::parse(Some(&"a&".repeat(31_000)));
        assert_eq!(query.pairs.len(), PAIRS_MAX);
        assert!(query.knowing(&["a"]).finish().is_err());
    }

    #[test]
    fn unknown_doubled_and_out_of_bounds_parameters_are_named() {
        let query = Query::parse(Some("pgae=1&per_page=0&page=1000000000000000000000&per_page=1"));
        let mut reader = query.knowing(&["page", "per_page"]);
        reader.integer("page", 1..=10);
        reader.integer("per_page", 1..=100);
        let Err(ApiError::Invalid(errors)) = reader.finish() else { panic!() };
        let keys: Vec<_> =
            errors.iter().flat_map(|(p, m)| m.iter().map(move |m| (p, m.key()))).collect();
        assert_eq!(
            keys,
            [
                ("page", "not-in-range"),
                ("per_page", "duplicate-parameter"),
                ("per_page", "not-in-range"),
                ("pgae", "unknown-parameter-near"),
            ]
        );
    }

    #[test]
    fn signs_spaces_and_letters_are_no_numbers() {
        for text in ["", "+1", "-1", "1.0", " 1", "1e3", "٣"] {
            let pairs = vec![("page".into(), text.into())];
            let query = Query { pairs, raw: String::new() };
            let mut reader = query.knowing(&["page"]);
            assert_eq!(reader.integer("page", 1..=10), None, "{text}");
            assert!(reader.finish().is_err());
        }
    }
}
