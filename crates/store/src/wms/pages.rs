//! One page of a list of the warehouse that is newest first.

/// The statement for both ways through such a list: `$1` team, `$2` the id from which it goes, `$3`
/// the other end of the team's ids, `$4` how many rows. With that other end: else PostgreSQL may
/// look for the rows of a small team in the order of all ids.
macro_rules! newest_first {
    ($select:ident, $path:literal, $direction:expr) => {
        match $direction {
            waybill_domain::page::Direction::Next => $select!(
                "WHERE team = $1 ",
                $path,
                " AND (team, id) > ($1, $3) AND (team, id) < ($1, $2) AND id < $2
                 ORDER BY id DESC LIMIT $4"
            ),
            waybill_domain::page::Direction::Previous => $select!(
                "WHERE team = $1 ",
                $path,
                " AND (team, id) < ($1, $3) AND (team, id) > ($1, $2) AND id > $2
                 ORDER BY id LIMIT $4"
            ),
        }
    };
}

pub(super) use newest_first;
