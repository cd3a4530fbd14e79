//! A table of figures with a name at the end of each row.

/// Longer names are cut.
const NAME_MAX: usize = 110;
/// What happens less often than this for a booking is left out.
const FIGURE_MIN: f64 = 0.005;

/// A table, from its largest row to its smallest.
pub struct Table {
    heading: String,
    rows: Vec<(Vec<f64>, String)>,
}

impl Table {
    /// An empty table with these columns.
    pub fn new(columns: &[&str], name: &str) -> Table {
        let columns: String = columns.iter().map(|column| format!("{column:>10}")).collect();
        Table { heading: format!("{columns}  {name}"), rows: Vec::new() }
    }

    /// Adds a row. Its name stands on one line.
    pub fn add(&mut self, figures: &[f64], name: &str) {
        let words: Vec<&str> = name.split_whitespace().collect();
        let name: String = words.join(" ").chars().take(NAME_MAX).collect();
        self.rows.push((figures.to_vec(), name));
    }

    /// Prints the rows, those with the largest figure in this column first.
    pub fn print(mut self, column: usize) {
        self.rows.sort_by(|one, other| other.0[column].total_cmp(&one.0[column]));
        println!("{}", self.heading);
        for (figures, name) in &self.rows {
            if figures.iter().all(|figure| *figure < FIGURE_MIN) {
                continue;
            }
            let figures: String = figures.iter().map(|figure| format!("{figure:>10.2}")).collect();
            println!("{figures}  {name}");
        }
        println!();
    }
}
