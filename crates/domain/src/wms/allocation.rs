//! From where the pieces of a request are taken: all of them or none.

/// No request is promised pieces at more places: each is a row that is written, and while that goes
/// on nobody else gets at its items.
pub const TAKES_MAX: usize = 2_000;

/// One place with pieces of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shelf {
    /// Its name.
    pub location: String,
    /// How many of them are promised to nobody.
    pub available: i64,
}

/// What one line wants, and where that lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// How many pieces.
    pub quantity: i64,
    /// The places with some, in any order.
    pub shelves: Vec<Shelf>,
}

/// So many pieces at one place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Take {
    /// The place.
    pub location: String,
    /// How many.
    pub quantity: i64,
}

/// What becomes of a request for stock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// There is enough of everything: for each line, what is taken where.
    Whole(Vec<Vec<Take>>),
    /// There is not: for each line, how many are lacking. Nothing is promised.
    Short(Vec<i64>),
    /// There is, in more places than one request may have. Nothing is promised.
    Scattered,
}

/// Finds the pieces for all lines or for none. Places are emptied in the order of the bytes of
/// their names, so that everybody who looks finds the same ones. Each line is for another item.
pub fn allocate(lines: &[Wanted]) -> Allocation {
    let missing: Vec<i64> = lines.iter().map(missing).collect();
    if missing.iter().any(|count| *count > 0) {
        return Allocation::Short(missing);
    }
    let takes: Vec<Vec<Take>> = lines.iter().map(takes).collect();
    match takes.iter().map(Vec::len).sum::<usize>() {
        0..=TAKES_MAX => Allocation::Whole(takes),
        _ => Allocation::Scattered,
    }
}

fn missing(line: &Wanted) -> i64 {
    let available: i64 = line.shelves.iter().map(|shelf| shelf.available.max(0)).sum();
    (line.quantity - available).max(0)
}

fn takes(line: &Wanted) -> Vec<Take> {
    let mut shelves: Vec<&Shelf> = line.shelves.iter().collect();
    shelves.sort_by(|left, right| left.location.as_bytes().cmp(right.location.as_bytes()));
    let (mut left, mut takes) = (line.quantity, Vec::new());
    for shelf in shelves {
        let quantity = shelf.available.min(left);
        if quantity > 0 {
            left -= quantity;
            takes.push(Take { location: shelf.location.clone(), quantity });
        }
    }
    takes
}
