//! Every sentence that a person reads, in six languages. Code names a sentence by its key; the
//! texts are in `words/*.ftl`. Messages are for people: no program needs to read them.

#[cfg(test)]
mod grammar;
#[cfg(test)]
mod terms;
#[cfg(test)]
mod texts;

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};

use crate::language::Language;

/// A sentence with its blanks filled in, not yet in any language.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    key: &'static str,
    blanks: Vec<(&'static str, Blank)>,
}

/// What fills a blank.
#[derive(Clone, PartialEq, Debug)]
pub enum Blank {
    /// Text, shown as it is.
    Text(String),
    /// A count, which may decide between singular and plural.
    Count(i64),
    /// Another sentence, in the same language.
    Said(Message),
}

impl Message {
    /// The sentence with this key.
    pub fn new(key: &'static str) -> Message {
        Message { key, blanks: Vec::new() }
    }

    /// Fills a blank with text.
    pub fn text(mut self, name: &'static str, value: impl ToString) -> Message {
        self.blanks.push((name, Blank::Text(value.to_string())));
        self
    }

    /// Fills a blank with a count.
    pub fn count(mut self, name: &'static str, value: i64) -> Message {
        self.blanks.push((name, Blank::Count(value)));
        self
    }

    /// Fills a blank with another sentence.
    pub fn said(mut self, name: &'static str, value: Message) -> Message {
        self.blanks.push((name, Blank::Said(value)));
        self
    }

    /// The key, for tests and logs.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// The sentence in a language; in English where that language lacks it.
    pub fn say(&self, language: Language) -> String {
        let mut args = FluentArgs::new();
        for (name, value) in &self.blanks {
            match value {
                Blank::Text(text) => args.set(*name, text.as_str()),
                Blank::Count(count) => args.set(*name, *count),
                Blank::Said(message) => args.set(*name, message.say(language)),
            }
        }
        speak(bundle(language), self.key, &args)
            .or_else(|| speak(bundle(Language::En), self.key, &args))
            .unwrap_or_else(|| self.key.to_owned())
    }
}

type Bundle = FluentBundle<FluentResource>;

fn speak(bundle: &Bundle, key: &str, args: &FluentArgs) -> Option<String> {
    let pattern = bundle.get_message(key)?.value()?;
    Some(bundle.format_pattern(pattern, Some(args), &mut Vec::new()).into_owned())
}

fn source(language: Language) -> &'static str {
    match language {
        Language::En => include_str!("words/en.ftl"),
        Language::Da => include_str!("words/da.ftl"),
        Language::Sv => include_str!("words/sv.ftl"),
        Language::Nb => include_str!("words/nb.ftl"),
        Language::Fi => include_str!("words/fi.ftl"),
        Language::De => include_str!("words/de.ftl"),
    }
}

fn bundle(language: Language) -> &'static Bundle {
    static BUNDLES: LazyLock<[Bundle; 6]> = LazyLock::new(|| Language::ALL.map(build));
    let index = Language::ALL.iter().position(|other| *other == language).unwrap_or(0);
    &BUNDLES[index]
}

fn build(language: Language) -> Bundle {
    let tag = language.tag().parse().expect("our own tags are well-formed");
    let mut bundle = FluentBundle::new_concurrent(vec![tag]);
    // Isolation marks are invisible characters around blanks: wrong inside JSON and logs.
    bundle.set_use_isolating(false);
    // A broken line is found by the tests below; at run time it only falls back to English.
    let resource = match FluentResource::try_new(source(language).to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    bundle.add_resource_overriding(resource);
    bundle
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Key → the blanks its text uses.
    fn keys(language: Language) -> BTreeMap<String, BTreeSet<String>> {
        let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut current = String::new();
        for line in source(language).lines().filter(|line| !line.starts_with('#')) {
            if let Some((key, _)) = line.split_once(" =")
                && !line.starts_with(' ')
            {
                current = key.to_owned();
                assert!(keys.insert(current.clone(), BTreeSet::new()).is_none(), "{key} twice");
            }
            for blank in line.split('$').skip(1) {
                let end = blank.find(|c: char| !c.is_alphanumeric() && c != '_');
                let name = &blank[..end.unwrap_or(blank.len())];
                keys.get_mut(&current).unwrap().insert(name.to_owned());
            }
        }
        keys
    }

    #[test]
    fn every_language_has_every_sentence_with_the_same_blanks() {
        let english = keys(Language::En);
        assert!(english.len() > 30);
        for language in Language::ALL {
            let own = keys(language);
            let missing: Vec<_> = english.keys().filter(|key| !own.contains_key(*key)).collect();
            assert!(missing.is_empty(), "{language} lacks {missing:?}");
            assert_eq!(own, english, "{language}");
        }
    }

    #[test]
    fn every_file_is_well_formed() {
        for language in Language::ALL {
            let result = FluentResource::try_new(source(language).to_owned());
            assert!(result.is_ok(), "{language}: {:?}", result.err().map(|(_, errors)| errors));
        }
    }

    #[test]
    fn counts_choose_between_singular_and_plural() {
        let message = |max| Message::new("too-long").count("max", max);
        assert_eq!(message(1).say(Language::En), "must be at most 1 character");
        assert_eq!(message(100).say(Language::En), "must be at most 100 characters");
    }

    #[test]
    fn no_translation_is_a_copy_of_another() {
        // A sentence left in English would slip through the key check.
        for language in Language::ALL.into_iter().skip(1) {
            for key in ["required", "unauthenticated", "not-found", "unknown-field"] {
                let line = |language| {
                    source(language)
                        .lines()
                        .find(|line| line.starts_with(&format!("{key} =")))
                        .unwrap()
                };
                assert_ne!(line(language), line(Language::En), "{language} {key}");
            }
        }
    }
}
