//! Tables.
use waybill_domain::fields::Text;
pub(crate) const TEXT: Text = Text::up_to(crate::read::TEXT_MAX);
