//! How to speak to each carrier. The catalog and the adapters arrive with booking.
