//! Which printer a file goes to when nobody names one.

use uuid::Uuid;

use crate::document::Format;

/// Paper is cut less exactly than files are measured: thousandths of a millimetre.
const GRACE: i64 = 500;

/// A file, as far as rules ask about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintFile {
    /// Its format.
    pub format: Format,
    /// The width of every page in thousandths of a millimetre, if it is known.
    pub width: Option<i64>,
    /// The height.
    pub height: Option<i64>,
}

/// One of a team's rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintRule {
    /// It is for files of this format.
    pub format: Format,
    /// That are no wider, in thousandths of a millimetre.
    pub max_width: Option<i64>,
    /// And no higher.
    pub max_height: Option<i64>,
    /// They go to this printer.
    pub printer: Uuid,
    /// So often.
    pub copies: i64,
}

/// What a team wants printed, and where.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrintingSettings {
    /// Whether documents of bookings are printed by themselves.
    pub automatic: bool,
    /// The first rule that fits says where.
    pub rules: Vec<PrintRule>,
}

impl PrintingSettings {
    /// The rules that are for a file, in their order. The first of a printer that is there counts:
    /// one that is off is there, because another would surprise whoever waits at the first.
    pub fn rules_for(&self, file: PrintFile) -> impl Iterator<Item = &PrintRule> {
        self.rules.iter().filter(move |rule| rule.fits(file))
    }
}

impl PrintRule {
    /// Whether it is for this file. A file whose size is not known fits only rules without limits.
    fn fits(&self, file: PrintFile) -> bool {
        let is_within = |max: Option<i64>, size: Option<i64>| match (max, size) {
            (None, _) => true,
            (Some(max), Some(size)) => size <= max + GRACE,
            (Some(_), None) => false,
        };
        self.format == file.format
            && is_within(self.max_width, file.width)
            && is_within(self.max_height, file.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: PrintFile =
        PrintFile { format: Format::Zpl, width: Some(100_000), height: Some(150_000) };

    fn rule(format: Format, max: Option<(i64, i64)>, printer: u128) -> PrintRule {
        let (max_width, max_height) = (max.map(|(width, _)| width), max.map(|(_, height)| height));
        PrintRule { format, max_width, max_height, printer: Uuid::from_u128(printer), copies: 1 }
    }

    fn chosen(rules: Vec<PrintRule>, file: PrintFile) -> Option<u128> {
        let settings = PrintingSettings { automatic: true, rules };
        settings.rules_for(file).next().map(|rule| rule.printer.as_u128())
    }

    #[test]
    fn the_first_rule_that_fits_says_where_a_file_goes() {
        let rules = vec![
            rule(Format::Pdf, None, 1),
            rule(Format::Zpl, Some((80_000, 150_000)), 2),
            rule(Format::Zpl, Some((99_600, 150_000)), 3),
            rule(Format::Zpl, None, 4),
        ];
        assert_eq!(chosen(rules, LABEL), Some(3));
    }

    #[test]
    fn a_file_is_never_turned_to_fit() {
        assert_eq!(chosen(vec![rule(Format::Zpl, Some((150_000, 100_000)), 1)], LABEL), None);
    }

    #[test]
    fn a_file_of_unknown_size_fits_only_rules_without_limits() {
        let file = PrintFile { width: None, height: None, ..LABEL };
        let rules =
            vec![rule(Format::Zpl, Some((100_000, 150_000)), 1), rule(Format::Zpl, None, 2)];
        assert_eq!(chosen(rules, file), Some(2));
    }
}
