//! The codes of a region's points, in their order.

use std::collections::HashMap;

use uuid::Uuid;

use super::Node;

/// All codes in one text, in their order. The rank of a point is its place in it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Codes {
    text: Box<str>,
    codes: Vec<Code>,
    /// The rank of each node.
    ranks: Vec<u32>,
}

/// Where a code ends in the text, and whose it is.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Code {
    end: u32,
    node: u32,
}

impl Codes {
    /// Sorts the codes of these nodes.
    pub(super) fn new(mut named: Vec<(String, Uuid)>, nodes: &[Node]) -> Codes {
        named.sort_unstable();
        let places: HashMap<[u8; 16], u32> =
            (0..).zip(nodes).map(|(place, node)| (node.id, place)).collect();
        let mut text = String::with_capacity(named.iter().map(|(code, _)| code.len()).sum());
        let mut codes = Vec::with_capacity(named.len());
        let mut ranks = vec![0; nodes.len()];
        for (rank, (code, id)) in (0..).zip(named) {
            text.push_str(&code);
            let node = places[id.as_bytes()];
            codes.push(Code { end: u32::try_from(text.len()).unwrap_or(u32::MAX), node });
            ranks[node as usize] = rank;
        }
        Codes { text: text.into_boxed_str(), codes, ranks }
    }

    /// The code with this rank, and the place of its node.
    pub fn at(&self, rank: u32) -> (&str, usize) {
        let rank = rank as usize;
        let start = if rank == 0 { 0 } else { self.codes[rank - 1].end };
        let Code { end, node } = self.codes[rank];
        (&self.text[start as usize..end as usize], node as usize)
    }

    /// The rank of a node.
    pub fn rank(&self, node: usize) -> u32 {
        self.ranks[node]
    }

    /// The memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        let ranks = self.ranks.capacity() * size_of::<u32>();
        self.text.len() + self.codes.capacity() * size_of::<Code>() + ranks
    }
}
