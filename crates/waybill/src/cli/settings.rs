//! The settings of the server as flags of a command, and their values from flags, environment and
//! file.

use std::collections::BTreeMap;
use std::env::VarError;

use clap::{Arg, ArgAction, ArgMatches};

use crate::config::{Config, ConfigError, SETTINGS, variable};

/// The id of a setting's flag. A command may have a flag of its own with the name of a setting,
/// such as `team add-member --role`, which must not be read as that setting.
fn setting_id(name: &str) -> String {
    format!("setting {name}")
}

/// The flags of the settings that the command needs.
pub fn settings(wanted: impl Fn(&str) -> bool) -> Vec<Arg> {
    let wanted = SETTINGS.iter().filter(|setting| wanted(setting.name));
    wanted
        .map(|setting| {
            let help = format!(
                "{} [default: {}] [env: {}]",
                setting.help,
                setting.default,
                variable(setting.name)
            );
            let flag = Arg::new(setting_id(setting.name)).long(setting.name).help(help);
            match setting.value {
                "" => flag.action(ArgAction::SetTrue),
                value if setting.is_repeatable() => {
                    flag.value_name(value).action(ArgAction::Append)
                }
                // So that we say what is wrong with a negative number.
                value => flag.value_name(value).allow_negative_numbers(true),
            }
        })
        .collect()
}

/// The settings from flags, environment and file.
pub fn config(matches: &ArgMatches) -> Result<Config, ConfigError> {
    let mut flags = BTreeMap::new();
    for setting in SETTINGS {
        let id = setting_id(setting.name);
        let given = match setting.value {
            "" => match matches.try_get_one::<bool>(&id) {
                Ok(Some(true)) => Some("true".to_owned()),
                _ => None,
            },
            _ => matches.try_get_many::<String>(&id).ok().flatten().map(|values| {
                let values: Vec<&str> = values.map(String::as_str).collect();
                values.join(",")
            }),
        };
        if let Some(value) = given {
            flags.insert(setting.name.to_owned(), value);
        }
    }
    for setting in SETTINGS {
        check_text(&variable(setting.name))?;
    }
    Config::read(&flags, |name| std::env::var(name).ok())
}

/// Fails when a variable of the environment is not text: it must not be taken for one that is not
/// set.
pub fn check_text(name: &str) -> Result<(), ConfigError> {
    match std::env::var(name) {
        Err(VarError::NotUnicode(_)) => Err(ConfigError::NotText(name.to_owned())),
        Ok(_) | Err(VarError::NotPresent) => Ok(()),
    }
}
