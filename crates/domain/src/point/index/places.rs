//! Where postal codes and cities are: in the middle of the points that have them.

use super::Position;

/// Sorted keys with the middle of their points.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Places<K>(Vec<(K, Position)>);

impl<K: Ord + Copy> Places<K> {
    /// One place for each key.
    pub fn new(mut all: Vec<(K, Position)>) -> Places<K> {
        all.sort_unstable();
        let mut places: Vec<(K, Position)> = Vec::new();
        for same in all.chunk_by(|one, two| one.0 == two.0) {
            places.push((same[0].0, middle(same)));
        }
        places.shrink_to_fit();
        Places(places)
    }

    /// The place with exactly this key.
    pub fn find(&self, key: &K) -> Option<Position> {
        let index = self.0.binary_search_by(|(other, _)| other.cmp(key)).ok()?;
        Some(self.0[index].1)
    }

    /// The memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<(K, Position)>()
    }
}

impl Places<[u8; 10]> {
    /// The place of the postal code that shares the longest beginning with this one, and of two
    /// such neighbours the one that is the nearer number. None when one begins with a digit
    /// and the other with a letter: what is not a postal code of the country is nowhere.
    pub fn similar(&self, postal_key: &str) -> Option<Position> {
        let wanted = padded(postal_key);
        let index = self.0.partition_point(|(code, _)| *code < wanted);
        let around = [index.checked_sub(1), Some(index)].into_iter().flatten();
        let neighbours = around.filter_map(|index| self.0.get(index));
        let best = neighbours.max_by_key(|(code, _)| {
            let same = code.iter().zip(&wanted).take_while(|(one, two)| one == two).count();
            (same, std::cmp::Reverse(number(code).abs_diff(number(&wanted))))
        });
        let is_digit = |code: &[u8; 10]| code[0].is_ascii_digit();
        best.filter(|(code, _)| is_digit(code) == is_digit(&wanted)).map(|(_, at)| *at)
    }
}

/// A postal code as a key; none for one that is longer than any.
pub fn code(postal_key: &str) -> Option<[u8; 10]> {
    (1..=10).contains(&postal_key.len()).then(|| padded(postal_key))
}

fn padded(text: &str) -> [u8; 10] {
    let bytes = text.as_bytes();
    std::array::from_fn(|index| bytes.get(index).copied().unwrap_or(0))
}

fn number(code: &[u8; 10]) -> u64 {
    code.iter().fold(0u64, |sum, byte| sum.wrapping_mul(64).wrapping_add(u64::from(byte % 64)))
}

/// FNV-1a: short, and the same on every machine and in every version.
pub fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// The mean of positions, which may lie on both sides of the date line.
fn middle<K>(places: &[(K, Position)]) -> Position {
    let (first, count) = (places[0].1, places.len() as i64);
    let turn = |east: i64| (east + 540_000_000).rem_euclid(360_000_000) - 180_000_000;
    let east = |at: &Position| turn(i64::from(at.longitude) - i64::from(first.longitude));
    let north: i64 = places.iter().map(|(_, at)| i64::from(at.latitude)).sum();
    let away: i64 = places.iter().map(|(_, at)| east(at)).sum();
    let longitude = turn(i64::from(first.longitude) + away / count);
    let whole = |value: i64| i32::try_from(value).unwrap_or_default();
    Position { latitude: whole(north / count), longitude: whole(longitude) }
}
