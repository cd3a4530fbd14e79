//! The codes of a region's points, in their order.

use std::collections::HashMap;

use uuid::Uuid;

use super::Node;

/// All codes in one text, and for each one where it ends and whose it is.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Codes {
    text: Box<str>,
    codes: Vec<Code>,
}

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
            (0..).zip(nodes).map(|(at, node)| (node.id, at)).collect();
        let mut text = String::with_capacity(named.iter().map(|(code, _)| code.len()).sum());
        let mut codes = Vec::with_capacity(named.len());
        for (code, id) in named {
            text.push_str(&code);
            let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
            codes.push(Code { end, node: places[id.as_bytes()] });
        }
        Codes { text: text.into_boxed_str(), codes }
    }

    /// Each code, and the place of its node.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, usize)> {
        (0..self.codes.len()).map(|index| {
            let start = if index == 0 { 0 } else { self.codes[index - 1].end };
            let Code { end, node } = self.codes[index];
            (&self.text[start as usize..end as usize], node as usize)
        })
    }

    /// The memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.codes.capacity() * size_of::<Code>()
    }
}
