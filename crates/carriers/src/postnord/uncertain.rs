//! What is not certain of PostNord, in one place. docs/carriers/postnord.md lists it for people.

use std::time::Duration;

/// How long it takes at most until tracking knows a booking.
pub const SETTLE: Duration = Duration::from_hours(2);

/// Calls for tracking in a second: how many are too many is not told.
pub const TRACKING_CALLS_PER_SECOND: usize = 5;

/// The paper for `105x148`: whether a label of 105 × 190 mm is made to fit it is not told.
pub const SMALL_PAPER: &str = "A6";

/// Small parcels into the letter box. Norway is not confirmed.
pub const HOME_SMALL: &str = "30";

/// Registered letters, by the country of the agreement. Norway and Finland are not confirmed.
pub const REGISTERED_LETTER: &str = "RR";
/// The same of a Danish agreement.
pub const REGISTERED_LETTER_DANISH: &str = "RE";

/// Tracked letters that stay in Sweden.
pub const TRACKED_LETTER_SWEDISH: &str = "86";
/// Tracked letters of a Danish agreement.
pub const TRACKED_LETTER_DANISH: &str = "04";
/// All others.
pub const TRACKED_LETTER: &str = "34";

/// What a letter is booked as: it gets a declaration of its own at a customs border.
pub const LETTERS: [&str; 5] = [
    TRACKED_LETTER_DANISH,
    TRACKED_LETTER,
    TRACKED_LETTER_SWEDISH,
    REGISTERED_LETTER,
    REGISTERED_LETTER_DANISH,
];

/// The member of a printout that holds what its QR code says.
pub const QR_TEXT: &str = "dataValue";

/// On a return the customer hands the parcels over, and yet the schema wants our customer number
/// there.
pub const SENDER_OF_A_RETURN_HAS_OUR_NUMBER: bool = true;
