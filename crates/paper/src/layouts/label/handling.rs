//! What the driver must know at the door: signs that are seen from afar, and notes in words.

use std::sync::LazyLock;

use waybill_domain::parcel::DangerousGoods;
use waybill_domain::words::Message;

use super::data::Label;
use crate::bitmap::Bitmap;
use crate::numbers;
use crate::page::Area;
use crate::sheet::{Row, Sheet};
use crate::text::Style;

/// How high the row of signs is, at most and at least.
const HEIGHT: f32 = 10.0;
const HEIGHT_LEAST: f32 = 7.0;
const GAP: f32 = 1.0;
/// No more hazard classes than this are drawn; the notes name all of them.
const CLASSES_MAX: usize = 3;

/// Signs beside each other.
pub(super) struct Signs<'a> {
    label: &'a Label,
    has_limited: bool,
    /// Of what is not in limited quantities.
    classes: Vec<&'a str>,
}

impl<'a> Signs<'a> {
    pub fn new(label: &'a Label) -> Signs<'a> {
        let goods = &label.dangerous_goods;
        let full = goods.iter().filter(|goods| !goods.is_limited_quantity);
        let mut classes: Vec<&str> =
            full.map(|goods| goods.class.as_deref().unwrap_or("!")).collect();
        classes.sort_unstable();
        classes.dedup();
        classes.truncate(CLASSES_MAX);
        Signs { label, has_limited: goods.iter().any(|goods| goods.is_limited_quantity), classes }
    }

    /// How high they are, with what is below them; nothing when there are none.
    pub fn height(&self, scale: f32) -> f32 {
        let label = self.label;
        let has_cash = label.cash_on_delivery.is_some() || label.cash_with_parcel.is_some();
        let has_any = has_cash || label.minimum_age.is_some();
        match has_any || self.has_limited || !self.classes.is_empty() {
            true => (HEIGHT * scale).max(HEIGHT_LEAST) + GAP,
            false => 0.0,
        }
    }

    pub fn put(&self, sheet: &mut Sheet, area: Area, path: &dyn Fn(&str) -> String) {
        let side = area.height - GAP;
        let mut right = area.x + area.width;
        let mut from_right = |width: f32| {
            right -= width;
            let place = Area::new(right, area.y, width, side);
            right -= GAP;
            place
        };
        if self.has_limited {
            sheet.picture(from_right(side), LIMITED.clone());
        }
        for class in &self.classes {
            let place = from_right(side);
            sheet.picture(place, HAZARD.clone());
            let style = Style::new(side * 1.3, 4.0).bold().centred().lines(1);
            let middle = Area::new(place.x + side * 0.2, place.y + side * 0.24, side * 0.6, side);
            sheet.text(middle, style, &path("dangerous_goods"), class);
        }
        if let Some(age) = self.label.minimum_age {
            black(sheet, from_right(side * 1.9), &path("minimum_age"), &format!("{age}+"));
        }
        if let Some(cash) = self.label.cash_on_delivery {
            let amount = numbers::money(cash, sheet.language);
            let text = format!("{} {amount}", sheet.say("paper-cash-on-delivery"));
            let place = Area::new(area.x, area.y, right - area.x, side);
            black(sheet, place, &path("cash_on_delivery"), &text);
        } else if let Some(number) = self.label.cash_with_parcel {
            let text = Message::new("paper-cash-with-parcel").text("number", number);
            let text = text.text("count", self.label.count).say(sheet.language);
            let place = Area::new(area.x, area.y, right - area.x, side);
            framed(sheet, place, &path("cash_on_delivery"), &text);
        }
    }
}

/// White letters in the middle of a black area.
fn black(sheet: &mut Sheet, area: Area, path: &str, text: &str) {
    sheet.fill(area);
    let style = Style::new(area.height * 1.9, 7.0).bold().white().centred();
    let inner = area.inset(0.6);
    sheet.middle(inner, style.lines(2), path, text);
}

/// Black letters in a frame: told, and not to be taken for a sign that asks for something.
fn framed(sheet: &mut Sheet, area: Area, path: &str, text: &str) {
    sheet.frame(area);
    let style = Style::new(area.height * 1.2, 6.0).bold().centred();
    sheet.middle(area.inset(0.6), style.lines(2), path, text);
}

/// The driver's notes, the most pressing first.
pub(super) fn notes<'a>(
    sheet: &Sheet,
    label: &'a Label,
    path: &dyn Fn(&str) -> String,
) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let mut add = |field: &str, text: String, style: Style| {
        rows.push(Row { path: path(field), text: text.into(), style });
    };
    let said = |key: &'static str, text: &str| format!("{}: {text}", sheet.say(key));
    if let Some(age) = label.minimum_age {
        let style = Style::new(10.0, 6.0).bold().lines(1);
        add("minimum_age", said("paper-minimum-age", &format!("{age}+")), style);
    }
    if let Some(place) = &label.leave_at {
        let style = Style::new(11.0, 5.0).bold().lines(6);
        add("leave_at", said("paper-leave-at", place), style);
    }
    let goods = Style::new(9.0, 5.0).bold().lines(9);
    for (key, is_limited) in [("paper-dangerous-goods", false), ("paper-limited-quantity", true)] {
        let named = named(&label.dangerous_goods, is_limited);
        if !named.is_empty() {
            add("dangerous_goods", said(key, &named), goods);
        }
    }
    if !label.addons.is_empty() {
        let style = Style::new(10.0, 6.0).bold().lines(3);
        add("addons", label.addons.join("  ·  "), style);
    }
    if let Some(text) = label.instructions.as_deref() {
        rows.push(Row {
            path: path("instructions"),
            text: text.into(),
            style: Style::new(7.5, 5.5).lines(6),
        });
    }
    rows
}

/// UN numbers, each once; with class and packing group where the rules for them all apply.
fn named(goods: &[DangerousGoods], is_limited: bool) -> String {
    let goods = goods.iter().filter(|goods| goods.is_limited_quantity == is_limited);
    let mut names: Vec<String> = goods
        .map(|goods| {
            let more = [goods.class.as_deref(), goods.packing_group.as_deref()];
            let more = more.into_iter().flatten().filter(|_| !is_limited);
            more.fold(goods.un_number.clone(), |name, part| format!("{name} {part}"))
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// Dots on each side of a sign: twice as many as a printer with 203 dpi has for it.
const DOTS: i64 = 160;

/// The mark of limited quantities: a square on its point, black above and below.
static LIMITED: LazyLock<Bitmap> =
    LazyLock::new(|| diamond(|_, y| !(DOTS * 3 / 10..DOTS * 7 / 10).contains(&y)));
/// A square on its point, for the number of a hazard class.
static HAZARD: LazyLock<Bitmap> = LazyLock::new(|| diamond(|_, _| false));

fn diamond(is_black: impl Fn(i64, i64) -> bool) -> Bitmap {
    const EDGE: i64 = 9;
    let mut picture = Bitmap::new(DOTS as u32, DOTS as u32);
    let half = DOTS / 2;
    for y in 0..DOTS {
        for x in 0..DOTS {
            // Twice the distance from the middle, so that both halves are alike.
            let out = (2 * x + 1 - DOTS).abs() + (2 * y + 1 - DOTS).abs();
            let is_edge = out > 2 * (half - EDGE);
            picture.set(x, y, out <= DOTS && (is_edge || is_black(x, y)));
        }
    }
    picture
}
