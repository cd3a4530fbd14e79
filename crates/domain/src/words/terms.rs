//! Holds every sentence and every name of a catalog to the words of `terms.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toml::{Table, Value};

use super::texts::{is_word_char, texts};
use crate::language::Language;

/// One text in all languages.
type Texts = BTreeMap<&'static str, String>;

/// Key, English form, language.
type Exception = (String, String, String);

struct Term {
    english: Vec<String>,
    words: BTreeMap<String, Vec<String>>,
    refused: BTreeMap<String, Vec<String>>,
}

struct Terms {
    terms: Vec<Term>,
    style: Vec<(String, String, String)>,
    exceptions: BTreeSet<Exception>,
}

impl Terms {
    fn read() -> Terms {
        let file: Table = include_str!("terms.toml").parse().unwrap();
        let tables = |name: &str| -> Vec<Table> {
            let rows = file[name].as_array().unwrap().iter();
            rows.map(|row| row.as_table().unwrap().clone()).collect()
        };
        let text = |row: &Table, name: &str| row[name].as_str().unwrap().to_owned();
        let by_language = |row: &Table, name: &str| -> BTreeMap<String, Vec<String>> {
            let part = row.get(name).and_then(Value::as_table).cloned().unwrap_or_default();
            part.iter().map(|(language, words)| (language.clone(), list(words))).collect()
        };
        let rows = tables("term");
        let terms = rows.iter().map(|row| Term {
            english: list(&row["english"]),
            words: by_language(row, "use"),
            refused: by_language(row, "refuse"),
        });
        let style = tables("style");
        let style = style
            .iter()
            .map(|row| (text(row, "language"), text(row, "refuse"), text(row, "instead")));
        let mut exceptions = BTreeSet::new();
        for row in tables("exception") {
            assert!(text(&row, "reason").len() > 10, "an exception has a reason");
            for language in list(&row["languages"]) {
                exceptions.insert((text(&row, "key"), text(&row, "term"), language));
            }
        }
        Terms { terms: terms.collect(), style: style.collect(), exceptions }
    }

    /// What is wrong with the texts of a key, in words for whoever wrote them.
    fn problems(&self, key: &str, texts: &Texts, used: &mut BTreeSet<Exception>) -> Vec<String> {
        let found = self.found(&texts["en"]);
        let mut problems = Vec::new();
        for (language, text) in texts {
            let lower = text.to_lowercase();
            for (term, form) in &found {
                let Some(words) = term.words.get(*language) else { continue };
                if words.iter().any(|word| lower.contains(&word.to_lowercase())) {
                    continue;
                }
                let exception = (key.to_owned(), (*form).clone(), (*language).to_owned());
                if self.exceptions.contains(&exception) {
                    used.insert(exception);
                    continue;
                }
                problems.push(format!(
                    "{key} ({language}): the English says \"{form}\", so write a form of \"{}\" \
                     here, or add an exception with its reason to terms.toml: {text}",
                    words[0].trim()
                ));
            }
            let refused = self.refused(key, language, text, &found);
            problems.extend(refused.into_iter().map(|why| format!("{key} ({language}): {why}")));
        }
        problems
    }

    /// Words that are used nowhere, unless they are the word of another term that is meant.
    fn refused(
        &self,
        key: &str,
        language: &str,
        text: &str,
        found: &[(&Term, &String)],
    ) -> Vec<String> {
        let own: Vec<&String> =
            found.iter().filter_map(|(term, _)| term.words.get(language)).flatten().collect();
        let mut problems = Vec::new();
        let padded = format!(" {} ", words(text).join(" "));
        let is_excepted = |term: &&Term| {
            let mut forms = term.english.iter();
            forms.any(|form| self.exceptions.contains(&(key.into(), form.clone(), language.into())))
        };
        for term in self.terms.iter().filter(|term| !is_excepted(term)) {
            for word in term.refused.get(language).into_iter().flatten() {
                let word = word.to_lowercase();
                let is_own = own.iter().any(|own| own.to_lowercase().starts_with(&word));
                if padded.contains(&format!(" {word}")) && !is_own {
                    let right = term.words.get(language).unwrap_or(&term.english);
                    problems.push(format!(
                        "do not write \"{}\"; the word for \"{}\" is \"{}\": {text}",
                        word.trim(),
                        term.english[0],
                        right[0].trim()
                    ));
                }
            }
        }
        for (of, word, instead) in &self.style {
            if of == language && padded.contains(&format!(" {word} ")) {
                problems.push(format!("write \"{instead}\", not \"{word}\": {text}"));
            }
        }
        problems
    }

    /// The terms that an English text has; a part of a longer term is not one of its own.
    fn found(&self, english: &str) -> Vec<(&Term, &String)> {
        let mut text = format!(" {} ", words(english).join(" "));
        let forms =
            self.terms.iter().flat_map(|term| term.english.iter().map(move |form| (term, form)));
        let mut forms: Vec<(&Term, &String)> = forms.collect();
        forms.sort_by_key(|(_, form)| std::cmp::Reverse(form.len()));
        let mut found = Vec::new();
        for (term, form) in forms {
            let wanted = format!(" {form} ");
            if text.contains(&wanted) {
                text = text.replace(&wanted, " | ");
                found.push((term, form));
            }
        }
        found
    }
}

fn list(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// The words of a text. Names of fields, paths and headers are none.
fn words(text: &str) -> Vec<String> {
    let plain = |word: &&str| !word.contains(['_', '/']);
    let parts = text.split_whitespace().filter(plain);
    let trimmed = parts.map(|word| word.trim_matches(|letter: char| !is_word_char(letter)));
    trimmed.map(|word| word.trim_end_matches("'s").to_lowercase()).collect()
}

fn sentences() -> BTreeMap<String, Texts> {
    let mut all: BTreeMap<String, Texts> = BTreeMap::new();
    for language in Language::ALL {
        for (key, text) in texts(language) {
            all.entry(key).or_default().insert(language.tag(), text.plain());
        }
    }
    all
}

/// Every name in six languages that the carriers' files have, by its place.
fn catalog_names() -> BTreeMap<String, Texts> {
    let mut all = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../carriers/src");
    collect(&folder, &mut all);
    assert!(all.len() > 40, "the catalogs are not where they were");
    all
}

fn collect(folder: &Path, all: &mut BTreeMap<String, Texts>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            let file: Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
            let name = path.to_string_lossy();
            let name = name.rsplit("src/").next().unwrap_or_default();
            pick(name, &Value::Table(file), all);
        }
    }
}

fn pick(place: &str, value: &Value, all: &mut BTreeMap<String, Texts>) {
    let by_language = |language: Language| {
        Some((language.tag(), value.get(language.tag())?.as_str()?.to_owned()))
    };
    let texts: Texts = Language::ALL.into_iter().filter_map(by_language).collect();
    if texts.len() == Language::ALL.len() {
        all.insert(place.to_owned(), texts);
        return;
    }
    match value {
        Value::Table(parts) => {
            parts.iter().for_each(|(name, part)| pick(&format!("{place} {name}"), part, all));
        }
        Value::Array(parts) => {
            let parts = parts.iter().enumerate();
            parts.for_each(|(index, part)| pick(&format!("{place} {index}"), part, all));
        }
        _ => {}
    }
}

#[test]
fn every_sentence_and_catalog_name_has_the_one_word_for_each_term() {
    let terms = Terms::read();
    let (mut problems, mut used) = (Vec::new(), BTreeSet::new());
    for (key, texts) in sentences().iter().chain(&catalog_names()) {
        problems.extend(terms.problems(key, texts, &mut used));
    }
    for exception in terms.exceptions.difference(&used) {
        problems.push(format!("terms.toml: the exception {exception:?} is not needed"));
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_term_has_a_word_in_every_language() {
    for term in Terms::read().terms {
        let languages: BTreeSet<&str> = term.words.keys().map(String::as_str).collect();
        let wanted = Language::ALL.into_iter().skip(1).map(Language::tag).collect();
        assert_eq!(languages, wanted, "{:?}", term.english);
    }
}

#[test]
fn a_wrong_word_is_told_together_with_the_right_one() {
    let terms = Terms::read();
    let say = |language: &'static str, text: &str, english: &str| {
        let texts = [("en", english.to_owned()), (language, text.to_owned())].into();
        terms.problems("a-key", &texts, &mut BTreeSet::new()).join("\n")
    };
    let told = say("fi", "Kuljettaja hylkäsi tämän.", "The carrier refused this.");
    assert!(told.contains("write a form of \"kuljetusliik\""), "{told}");
    assert!(told.contains("do not write \"kuljettaj\""), "{told}");
    let told = say("sv", "Sändningen är för stor.", "The shipment is too large.");
    assert!(told.contains("do not write \"sändning\""), "{told}");
    assert!(told.contains("the word for \"shipment\" is \"försändelse\""), "{told}");
    assert_eq!(say("fi", "Kuljettaja on täällä.", "The driver is here."), "");
    assert_eq!(say("de", "Das Etikett des Pakets.", "The parcel's label."), "");
    assert!(say("en", "It can not be read.", "It can not be read.").contains("\"cannot\""));
    let told = say("da", "En pakke.", "A parcel shop.");
    assert!(told.contains("pakkeshop") && !told.contains("\"pakke\""), "{told}");
}
