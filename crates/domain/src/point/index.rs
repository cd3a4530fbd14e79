//! The positions of one carrier's points in one country, packed for searching: 36 bytes for each
//! point and those of its code, and 20 and 16 for each postal code and city that has one.
//!
//! The points lie in one array as a k-d tree without pointers: the middle of every stretch divides
//! it by latitude or longitude in turn. A stretch is skipped only when nothing in it can be nearer
//! than what was found, also across the poles and the date line. Equal input in any order gives an
//! equal index, so that every server finds the same.

mod codes;
mod places;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use uuid::Uuid;

use super::position::{Bounds, Position, metres, radians};
use codes::Codes;
use places::Places;

/// A point that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Near {
    /// Its id.
    pub id: Uuid,
    /// How far it is, along the surface.
    pub metres: i64,
}

/// The points of a region.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Region {
    nodes: Vec<Node>,
    codes: Codes,
    postal_codes: Places<[u8; 10]>,
    cities: Places<u64>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Node {
    at: Position,
    id: [u8; 16],
}

/// Gathers the points of a region.
#[derive(Default)]
pub struct Builder {
    nodes: Vec<Node>,
    codes: Vec<(String, Uuid)>,
    postal_codes: Vec<([u8; 10], Position)>,
    cities: Vec<(u64, Position)>,
}

impl Builder {
    /// Adds a point with its code, and the keys that its postal code and its city are looked up by.
    pub fn add(
        &mut self,
        (id, code): (Uuid, &str),
        at: Position,
        postal_key: &str,
        city_key: &str,
    ) {
        self.nodes.push(Node { at, id: id.into_bytes() });
        self.codes.push((code.to_owned(), id));
        self.postal_codes.extend(places::code(postal_key).map(|code| (code, at)));
        self.cities.push((places::hash(city_key), at));
    }

    /// The region of what was added.
    pub fn build(mut self) -> Region {
        self.nodes.shrink_to_fit();
        divide(&mut self.nodes, Axis::Latitude);
        let codes = Codes::new(self.codes, &self.nodes);
        Region {
            nodes: self.nodes,
            codes,
            postal_codes: Places::new(self.postal_codes),
            cities: Places::new(self.cities),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Axis {
    Latitude,
    Longitude,
}

impl Axis {
    fn other(self) -> Axis {
        match self {
            Axis::Latitude => Axis::Longitude,
            Axis::Longitude => Axis::Latitude,
        }
    }

    fn of(self, at: Position) -> i32 {
        match self {
            Axis::Latitude => at.latitude,
            Axis::Longitude => at.longitude,
        }
    }
}

/// Puts the middle point of every stretch into its middle.
fn divide(nodes: &mut [Node], axis: Axis) {
    if nodes.len() < 2 {
        return;
    }
    let middle = nodes.len() / 2;
    nodes.select_nth_unstable_by_key(middle, |node| (axis.of(node.at), node.at, node.id));
    let (before, rest) = nodes.split_at_mut(middle);
    divide(before, axis.other());
    divide(&mut rest[1..], axis.other());
}

impl Region {
    /// How many points there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<Node>();
        nodes + self.codes.bytes() + self.postal_codes.bytes() + self.cities.bytes()
    }

    /// Where a customer is, as far as the points themselves tell: in the middle of those with the
    /// postal code, else of those in the city, else of those with the most similar postal code.
    pub fn locate(&self, postal_key: &str, city_key: Option<&str>) -> Option<Position> {
        let code = places::code(postal_key);
        let exact = code.and_then(|code| self.postal_codes.find(&code));
        let city = || self.cities.find(&places::hash(city_key?));
        exact.or_else(city).or_else(|| self.postal_codes.similar(postal_key))
    }

    /// The nearest points, the nearest first; of equally near ones, the one with the lower id.
    pub fn closest(&self, from: Position, count: usize) -> Vec<Near> {
        let mut search = Search { from, count, found: BinaryHeap::with_capacity(count + 1) };
        search.visit(&self.nodes, Axis::Latitude);
        let found = search.found.into_sorted_vec();
        let near = found.into_iter().map(|(bits, id)| Near {
            id: Uuid::from_bytes(id),
            metres: metres(f64::from_bits(bits)),
        });
        near.collect()
    }

    /// The points of an area, or all, in the order of their codes as text: `count` of them at most,
    /// without the first `skip`, and how many there are in all.
    pub fn in_order(
        &self,
        bounds: Option<&Bounds>,
        skip: usize,
        count: usize,
    ) -> (Vec<(&str, Uuid)>, usize) {
        let named = |rank: u32| {
            let (code, node) = self.codes.at(rank);
            (code, Uuid::from_bytes(self.nodes[node].id))
        };
        let Some(bounds) = bounds else {
            let total = u32::try_from(self.count()).unwrap_or(u32::MAX);
            let ranks = (0..total).skip(skip).take(count);
            return (ranks.map(named).collect(), self.count());
        };
        let mut ranks = Vec::new();
        within(&self.nodes, bounds, &mut |node| ranks.push(self.codes.rank(node)));
        let total = ranks.len();
        keep_range(&mut ranks, skip, count);
        (ranks.into_iter().map(named).collect(), total)
    }

    /// The points in an area with the lowest ids after `after`, in order.
    pub fn after(&self, bounds: &Bounds, after: Uuid, count: usize) -> Vec<Uuid> {
        let mut lowest = BinaryHeap::with_capacity(count + 1);
        within(&self.nodes, bounds, &mut |node| {
            let id = Uuid::from_bytes(self.nodes[node].id);
            if id > after {
                keep(&mut lowest, id, count);
            }
        });
        lowest.into_sorted_vec()
    }

    /// The points in an area with the highest ids before `before`, from the highest down.
    pub fn before(&self, bounds: &Bounds, before: Uuid, count: usize) -> Vec<Uuid> {
        let mut highest = BinaryHeap::with_capacity(count + 1);
        within(&self.nodes, bounds, &mut |node| {
            let id = Uuid::from_bytes(self.nodes[node].id);
            if id < before {
                keep(&mut highest, Reverse(id), count);
            }
        });
        highest.into_sorted_vec().into_iter().map(|Reverse(id)| id).collect()
    }
}

/// Keeps the `count` least.
fn keep<T: Ord>(heap: &mut BinaryHeap<T>, value: T, count: usize) {
    heap.push(value);
    if heap.len() > count {
        heap.pop();
    }
}

/// Keeps `count` numbers at most, without the `skip` least, in order.
fn keep_range(numbers: &mut Vec<u32>, skip: usize, count: usize) {
    let end = skip.saturating_add(count).min(numbers.len());
    if skip >= end {
        numbers.clear();
        return;
    }
    // The rest is never sorted: an area may be a whole country.
    if end < numbers.len() {
        numbers.select_nth_unstable(end);
        numbers.truncate(end);
    }
    numbers.select_nth_unstable(skip);
    numbers.drain(..skip);
    numbers.sort_unstable();
}

/// Finds the places of the nodes in an area.
fn within(nodes: &[Node], bounds: &Bounds, each: &mut impl FnMut(usize)) {
    visit(nodes, 0, Axis::Latitude, bounds, each);
}

fn visit(nodes: &[Node], first: usize, axis: Axis, bounds: &Bounds, each: &mut impl FnMut(usize)) {
    let middle = nodes.len() / 2;
    let Some(node) = nodes.get(middle) else { return };
    if bounds.has(node.at) {
        each(first + middle);
    }
    let here = axis.of(node.at);
    if axis.of(bounds.min) <= here {
        visit(&nodes[..middle], first, axis.other(), bounds, each);
    }
    if axis.of(bounds.max) >= here {
        visit(&nodes[middle + 1..], first + middle + 1, axis.other(), bounds, each);
    }
}

struct Search {
    from: Position,
    count: usize,
    /// The farthest on top. A haversine is never below zero, so its bits are ordered as it is.
    found: BinaryHeap<(u64, [u8; 16])>,
}

impl Search {
    fn visit(&mut self, nodes: &[Node], axis: Axis) {
        let middle = nodes.len() / 2;
        let Some(node) = nodes.get(middle) else { return };
        let away = self.from.haversine(node.at);
        keep(&mut self.found, (away.to_bits(), node.id), self.count);
        let (before, after) = (&nodes[..middle], &nodes[middle + 1..]);
        let is_before = axis.of(self.from) < axis.of(node.at);
        let (near, far) = if is_before { (before, after) } else { (after, before) };
        self.visit(near, axis.other());
        let is_full = self.found.len() >= self.count;
        let farthest = self.found.peek().map_or(0, |(bits, _)| *bits);
        if !is_full || self.least(axis, node.at).to_bits() <= farthest {
            self.visit(far, axis.other());
        }
    }

    /// What no point beyond the dividing line can be nearer than.
    fn least(&self, axis: Axis, line: Position) -> f64 {
        match axis {
            Axis::Latitude => {
                let half = (radians(self.from.latitude) - radians(line.latitude)) / 2.0;
                shave(half.sin().powi(2))
            }
            // Beyond the meridian the far side ends at the date line, which may be the nearer one.
            Axis::Longitude => {
                let meridians = [radians(line.longitude), std::f64::consts::PI];
                let away = meridians.map(|meridian| self.away_from(meridian));
                shave(away[0].min(away[1]))
            }
        }
    }

    /// The haversine of the way to the nearest place on a meridian.
    fn away_from(&self, meridian: f64) -> f64 {
        let latitude = radians(self.from.latitude);
        let east = radians(self.from.longitude) - meridian;
        // A quarter of the globe away, the nearest place of a meridian is a pole.
        let sine = if east.cos() <= 0.0 { latitude.cos() } else { latitude.cos() * east.sin() };
        (1.0 - (1.0 - sine * sine).max(0.0).sqrt()) / 2.0
    }
}

/// A bound that rounding made too large by a hair would hide a point.
fn shave(bound: f64) -> f64 {
    (bound - 1e-15).max(0.0)
}

#[cfg(test)]
mod tests;
