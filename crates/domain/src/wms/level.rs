//! How many pieces lie at a place, and how many of them are promised.

/// The most pieces that one place has.
pub const LEVEL_MAX: i64 = 1_000_000_000;

/// The stock of one item at one location: always `0 <= reserved <= on_hand <= LEVEL_MAX`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Level {
    /// How many lie there.
    pub on_hand: i64,
    /// How many of them are promised.
    pub reserved: i64,
}

/// Why a level cannot become what it should.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LevelFault {
    /// More would go than is there and not promised.
    #[error("there are only {available} that are not reserved")]
    TooFew {
        /// How many there are.
        available: i64,
    },
    /// More would lie there than can be counted.
    #[error("there are {on_hand} already")]
    TooMany {
        /// How many there are.
        on_hand: i64,
    },
}

impl Level {
    /// How many are not promised.
    pub fn available(self) -> i64 {
        self.on_hand - self.reserved
    }

    /// Whether it can be so.
    pub fn is_sound(self) -> bool {
        (0..=self.on_hand).contains(&self.reserved) && self.on_hand <= LEVEL_MAX
    }

    /// After so many came in, or went out with a minus.
    pub fn adjusted(self, delta: i64) -> Result<Level, LevelFault> {
        let on_hand = self.on_hand.saturating_add(delta);
        if on_hand > LEVEL_MAX {
            return Err(LevelFault::TooMany { on_hand: self.on_hand });
        }
        // What is promised does not go.
        if on_hand < self.reserved {
            return Err(LevelFault::TooFew { available: self.available() });
        }
        Ok(Level { on_hand, ..self })
    }

    /// After so many more are promised. Nothing when there are not so many.
    pub fn reserved(self, quantity: i64) -> Option<Level> {
        let level = Level { reserved: self.reserved + quantity, ..self };
        (quantity > 0 && level.is_sound()).then_some(level)
    }

    /// After a promise of so many is taken back: a request was cancelled.
    pub fn released(self, quantity: i64) -> Option<Level> {
        let level = Level { reserved: self.reserved - quantity, ..self };
        (quantity > 0 && level.is_sound()).then_some(level)
    }

    /// After so many that were promised have left the house.
    pub fn shipped(self, quantity: i64) -> Option<Level> {
        let level = Level { on_hand: self.on_hand - quantity, reserved: self.reserved - quantity };
        (quantity > 0 && level.is_sound()).then_some(level)
    }
}
