//! What stands between the head of a label and its barcode: sender, receiver, pickup point, and
//! what the driver must know. All of it shares one room, so that a long address takes what others
//! leave. When it is too much, letters get smaller and the barcode lower; then addresses are set as
//! paragraphs. Only then something is refused: nothing is left out.

use waybill_domain::words::Message;

use super::data::{Label, LabelKind};
use super::handling::Signs;
use super::texts::{Density, Texts};
use super::{CAPTION, INNER, LEFT};
use crate::numbers;
use crate::page::Area;
use crate::sheet::{Problems, Row, SCALE_LEAST, SCALE_STEP, Sheet, Stack};
use crate::text::Style;

/// The rule below the head, and the one above the barcode.
const TOP: f32 = 19.0;
const BOTTOM: f32 = 111.0;
/// Where the receiver begins, and where the route begins, when there is room enough.
const SENDER_HEIGHT: f32 = 24.0;
const ROUTE_TOP: f32 = 86.0;
/// How wide the columns beside the rule in the sender's part are.
const SENDER_WIDTH: f32 = 56.0;
const FACTS_LEFT: f32 = 62.5;
const FACTS_WIDTH: f32 = 34.5;
const POINT_WIDTH: f32 = 66.0;
const CODE_WIDTH: f32 = 24.0;
const BAND: f32 = 7.0;

/// The same texts in one size.
struct Parts {
    is_tight: bool,
    sender: Stack,
    reference: Stack,
    receiver: Stack,
    point: Stack,
    code: Stack,
    route: Stack,
    notes: Stack,
    signs: f32,
}

/// What is given up to make room, in this order: millimetres of the barcode's height are added to
/// the room before the rows of addresses go.
const ATTEMPTS: [(Density, f32); 3] =
    [(Density::Rows, 0.0), (Density::Rows, SPARE), (Density::Paragraphs, SPARE)];
/// A barcode is still read when it is so much lower.
const SPARE: f32 = 5.0;

/// Puts everything down and tells where the barcode may begin.
pub(super) fn put(sheet: &mut Sheet, label: &Label, path: &dyn Fn(&str) -> String) -> f32 {
    let signs = Signs::new(label);
    for (density, spare) in ATTEMPTS {
        let texts = Texts::new(sheet, label, path, density);
        let mut scale = 1.0;
        while scale > SCALE_LEAST - SCALE_STEP {
            let parts = texts.set(sheet, label, &signs, scale);
            let bottom = BOTTOM + spare;
            if let Ok(parts) = parts
                && parts.height(label) <= bottom - TOP
            {
                place(sheet, label, &signs, parts, bottom, path);
                return bottom;
            }
            scale -= SCALE_STEP;
        }
    }
    refuse(sheet, label, &signs, path);
    BOTTOM
}

/// Says what is in the way: letters that cannot be printed, texts that are too long by themselves,
/// or else the longest one.
fn refuse(sheet: &mut Sheet, label: &Label, signs: &Signs, path: &dyn Fn(&str) -> String) {
    let no_room = Message::new("no-room-on-paper");
    let open = Texts::new(sheet, label, path, Density::Rows).set(sheet, label, signs, SCALE_LEAST);
    // In a paragraph, a letter would be told at the wrong field.
    let letters = open.err().unwrap_or_default().into_iter();
    let letters: Problems = letters.filter(|(_, message)| *message != no_room).collect();
    let texts = Texts::new(sheet, label, path, Density::Paragraphs);
    match texts.set(sheet, label, signs, SCALE_LEAST) {
        Ok(parts) if letters.is_empty() => texts.refuse(sheet, &parts),
        Ok(_) => {}
        Err(found) => {
            sheet.add(found.into_iter().filter(|(_, message)| *message == no_room).collect());
        }
    }
    sheet.add(letters);
    // What is wrong with the rest is told as well.
    matrix(sheet, label, ROUTE_TOP, path);
}

impl Texts<'_> {
    fn set(
        &self,
        sheet: &Sheet,
        label: &Label,
        signs: &Signs,
        scale: f32,
    ) -> Result<Parts, Problems> {
        let mut problems = Vec::new();
        let mut set = |width, rows: &[Row]| match sheet.set(width, rows, scale) {
            Ok(stack) => stack,
            Err(found) => {
                problems.extend(found);
                Stack::default()
            }
        };
        let wide = route_width(label);
        let parts = Parts {
            is_tight: self.is_tight,
            sender: set(if self.is_tight { INNER } else { SENDER_WIDTH }, &self.sender),
            reference: set(FACTS_WIDTH, &self.reference),
            receiver: set(INNER, &self.receiver),
            point: set(POINT_WIDTH, &self.point),
            code: set(CODE_WIDTH, &self.code),
            route: set(wide, &self.route),
            notes: set(wide, &self.notes),
            signs: signs.height(scale),
        };
        if problems.is_empty() { Ok(parts) } else { Err(problems) }
    }

    /// Names the text that takes the most lines: without it the others might have fitted.
    fn refuse(&self, sheet: &mut Sheet, parts: &Parts) {
        let all = [
            (&self.receiver, &parts.receiver),
            (&self.sender, &parts.sender),
            (&self.notes, &parts.notes),
            (&self.reference, &parts.reference),
            (&self.point, &parts.point),
        ];
        let longest = all.into_iter().reduce(
            |one, other| {
                if other.1.lines > one.1.lines { other } else { one }
            },
        );
        if let Some((rows, stack)) = longest {
            sheet.refuse(rows, stack.longest);
        }
    }
}

fn route_width(label: &Label) -> f32 {
    if label.matrix.is_some() { 68.0 } else { INNER }
}

impl Parts {
    /// Of all parts together, with what is between them.
    fn height(&self, label: &Label) -> f32 {
        let point = if label.pickup_point.is_some() { self.point_height() + 2.0 } else { 0.0 };
        self.sender_height(label) + self.receiver_height(label) + point + self.route_height(label)
    }

    fn sender_height(&self, label: &Label) -> f32 {
        let facts = match label.reference {
            _ if self.is_tight => 0.0,
            Some(_) => 12.0 + self.reference.height,
            None => 9.2,
        };
        facts.max(4.4 + self.sender.height)
    }

    fn receiver_height(&self, label: &Label) -> f32 {
        let band = if label.kind == LabelKind::Return { BAND } else { 0.0 };
        band + 4.4 + self.receiver.height
    }

    fn point_height(&self) -> f32 {
        4.6 + self.point.height.max(self.code.height)
    }

    fn route_height(&self, label: &Label) -> f32 {
        let texts = 1.4 + self.route.height + self.signs + self.notes.height;
        if label.matrix.is_some() { texts.max(25.0) } else { texts }
    }
}

fn place(
    sheet: &mut Sheet,
    label: &Label,
    signs: &Signs,
    parts: Parts,
    bottom: f32,
    path: &dyn Fn(&str) -> String,
) {
    let spare = bottom - TOP - parts.height(label);
    let sender = parts.sender_height(label);
    let sender = sender.max(SENDER_HEIGHT.min(sender + spare));
    let receiver_end = TOP + sender + parts.receiver_height(label);
    let route = parts.route_height(label);
    let point = parts.point_height();
    let above = if label.pickup_point.is_some() { point + 2.0 } else { 0.0 };
    let route_top = ROUTE_TOP.min(bottom - route).max(receiver_end + above);
    if !parts.is_tight {
        facts(sheet, label, path, TOP);
        sheet.bar(61.0, TOP, sender);
    }
    sheet.words(Area::new(LEFT, TOP + 1.0, 40.0, 3.2), CAPTION, "paper-from");
    sheet.put(parts.sender, LEFT, TOP + 4.0);
    sheet.put(parts.reference, FACTS_LEFT, TOP + 11.6);
    sheet.rule(LEFT, TOP + sender, INNER);
    let mut y = TOP + sender;
    if label.kind == LabelKind::Return {
        sheet.fill(Area::new(LEFT, y, INNER, BAND));
        let style = Style::new(14.0, 8.0).bold().white().centred().lines(1).heading();
        sheet.words(Area::new(LEFT, y + 0.5, INNER, BAND - 0.6), style, "paper-return");
        y += BAND;
    }
    sheet.words(Area::new(LEFT, y + 1.0, 40.0, 3.2), CAPTION, "paper-to");
    sheet.put(parts.receiver, LEFT, y + 4.0);
    if label.pickup_point.is_some() {
        let top = route_top - 1.0 - point;
        sheet.frame(Area::new(LEFT, top, INNER, point));
        let caption = Area::new(LEFT + 1.5, top + 0.8, 40.0, 3.2);
        sheet.words(caption, CAPTION, "paper-pickup-point");
        sheet.put(parts.point, LEFT + 1.5, top + 3.6);
        sheet.put(parts.code, LEFT + INNER - 1.5 - CODE_WIDTH, top + 3.6);
    } else {
        sheet.rule(LEFT, route_top, INNER);
    }
    let mut y = route_top + 1.0;
    let next = y + parts.route.height;
    sheet.put(parts.route, LEFT, y);
    y = next;
    signs.put(sheet, Area::new(LEFT, y, route_width(label), parts.signs), path);
    sheet.put(parts.notes, LEFT, y + parts.signs);
    matrix(sheet, label, route_top, path);
    sheet.rule(LEFT, bottom, INNER);
}

/// The second barcode, beside the route.
fn matrix(sheet: &mut Sheet, label: &Label, top: f32, path: &dyn Fn(&str) -> String) {
    if let Some(matrix) = &label.matrix {
        let area = Area::new(73.5, top + 1.0, 23.5, 23.5);
        let code = (matrix.symbology, matrix.content.as_str());
        sheet.code(area, 8, &path("matrix.content"), code);
    }
}

/// Weight and date beside the sender, and the caption of the reference.
fn facts(sheet: &mut Sheet, label: &Label, path: &dyn Fn(&str) -> String, top: f32) {
    let language = sheet.language;
    let weight = label.weight.map(|weight| numbers::weight(weight, language));
    let date = label.date.map(|date| numbers::date(date, language));
    let style = Style::new(9.5, 6.0).bold().lines(1);
    let facts =
        [("paper-weight", "weight", weight.as_deref()), ("paper-date", "date", date.as_deref())];
    let known = facts.iter().filter_map(|(caption, field, text)| Some((caption, field, (*text)?)));
    for (x, (caption, field, text)) in [FACTS_LEFT, 80.0].into_iter().zip(known) {
        sheet.words(Area::new(x, top + 1.0, 17.0, 3.2), CAPTION, caption);
        sheet.text(Area::new(x, top + 4.0, 17.0, 4.6), style, &path(field), text);
    }
    if label.reference.is_some() {
        let area = Area::new(FACTS_LEFT, top + 8.6, FACTS_WIDTH, 3.2);
        sheet.words(area, CAPTION, "paper-reference");
    }
}
