//! A picture made larger or smaller, row by row: each dot becomes the mean of what lies under it,
//! so that bars keep their widths to a fraction of a dot.

/// Takes the rows of a picture and gives those of another size.
pub(super) struct Scaler {
    from: (u32, u32),
    to: (u32, u32),
    /// The row that is being summed up, and how much of it there is.
    row: Vec<f32>,
    filled: f64,
    taken: u32,
    out: Vec<u8>,
}

impl Scaler {
    pub fn new(from: (u32, u32), to: (u32, u32)) -> Scaler {
        let length = to.0 as usize * 3;
        let out = Vec::with_capacity(length * to.1 as usize);
        Scaler { from, to, row: vec![0.0; length], filled: 0.0, taken: 0, out }
    }

    /// The next row of the picture: red, green and blue of each dot.
    pub fn push(&mut self, colours: &[u8]) {
        let across = self.across(colours);
        let step = f64::from(self.to.1) / f64::from(self.from.1);
        self.taken += 1;
        // Counted from the top, so that rounding does not add up.
        let end = f64::from(self.taken) * step;
        let mut at = end - step;
        loop {
            let row = (self.out.len() / self.row.len().max(1)) as f64;
            let until = end.min(row + 1.0);
            let share = (until - at).max(0.0);
            self.row.iter_mut().zip(&across).for_each(|(sum, dot)| *sum += dot * share as f32);
            self.filled += share;
            at = until;
            let is_last = self.taken == self.from.1;
            let is_full = until >= row + 1.0 - 1e-9 || (is_last && self.filled > 0.5);
            if !is_full || self.out.len() >= self.row.len() * self.to.1 as usize {
                return;
            }
            self.emit();
            if at >= end - 1e-9 {
                return;
            }
        }
    }

    fn emit(&mut self) {
        let filled = self.filled.max(1e-9) as f32;
        for sum in &mut self.row {
            self.out.push((*sum / filled).round().clamp(0.0, 255.0) as u8);
            *sum = 0.0;
        }
        self.filled = 0.0;
    }

    /// The row with as many dots as are wanted.
    fn across(&self, colours: &[u8]) -> Vec<f32> {
        let step = f64::from(self.to.0) / f64::from(self.from.0);
        let mut row = vec![0.0_f32; self.row.len()];
        let dots = colours.chunks_exact(3).take(self.from.0 as usize);
        for (index, dot) in dots.enumerate() {
            let (mut at, end) = (index as f64 * step, (index + 1) as f64 * step);
            while at < end {
                let place = at.floor();
                let until = end.min(place + 1.0);
                let Some(sums) = row.chunks_exact_mut(3).nth(place as usize) else { break };
                let share = (until - at) as f32;
                sums.iter_mut().zip(dot).for_each(|(sum, dot)| *sum += f32::from(*dot) * share);
                at = until;
            }
        }
        row
    }

    /// The rows of the new picture; what is missing is white.
    pub fn finish(mut self) -> Vec<u8> {
        self.out.resize(self.row.len() * self.to.1 as usize, 0xff);
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(from: (u32, u32), to: (u32, u32), dot: impl Fn(u32, u32) -> u8) -> Vec<u8> {
        let mut scaler = Scaler::new(from, to);
        for y in 0..from.1 {
            let row: Vec<u8> = (0..from.0).flat_map(|x| [dot(x, y); 3]).collect();
            scaler.push(&row);
        }
        scaler.finish().into_iter().step_by(3).collect()
    }

    #[test]
    fn a_picture_of_one_shade_keeps_it_in_every_size() {
        for (from, to) in [((7, 5), (3, 2)), ((3, 2), (7, 5)), ((9, 9), (9, 9)), ((1, 1), (50, 3))]
        {
            let found = scaled(from, to, |_, _| 200);
            assert_eq!(found, vec![200; (to.0 * to.1) as usize], "{from:?} {to:?}");
        }
    }

    #[test]
    fn a_dot_is_the_mean_of_what_lies_under_it() {
        let columns = |x: u32, _| if x < 2 { 0 } else { 255 };
        assert_eq!(scaled((4, 2), (2, 1), columns), [0, 255]);
        assert_eq!(scaled((3, 3), (1, 1), |x, _| if x == 0 { 0 } else { 255 }), [170]);
        let rows = |_, y: u32| if y == 0 { 0 } else { 255 };
        assert_eq!(scaled((1, 2), (1, 4), rows), [0, 0, 255, 255]);
        assert_eq!(scaled((1, 3), (1, 2), |_, y| [0, 90, 255][y as usize]), [30, 200]);
    }
}
