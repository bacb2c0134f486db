//! Measures the paths of a page to find boxes and lines.

use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Rect, Shape};

/// Minimum thickness in points of a surface that may hide text; thinner ones are lines or slices.
const MIN_SURFACE: f64 = 3.0;
/// Paths with more elements are not measured.
pub(super) const MAX_ELEMENTS: usize = 64;

/// Whether a transformation rotates only by multiples of 90 degrees.
pub(super) fn is_upright(transform: Affine) -> bool {
    let [a, b, c, d, ..] = transform.as_coeffs();
    (a == 0.0 && d == 0.0) || (b == 0.0 && c == 0.0)
}

/// Whether a surface is too thin to hide text.
pub(super) fn is_line(area: Rect) -> bool {
    area.width() < MIN_SURFACE || area.height() < MIN_SURFACE
}

/// Whether a path fills its bounds: it is a rectangle, or nearly one.
pub(super) fn is_box(path: &BezPath, bounds: Rect) -> bool {
    let elements = path.elements();
    let share = || path.area().abs() / bounds.area();
    elements.len() <= MAX_ELEMENTS && bounds.area() > 0.0 && (0.98..1.02).contains(&share())
}

/// The boxes of a short path that consists only of boxes.
pub(super) fn boxes(path: &BezPath) -> Option<Vec<Rect>> {
    let elements = path.elements();
    let mut boxes: Vec<Rect> = Vec::new();
    for part in elements.chunk_by(|_, next| !matches!(next, PathEl::MoveTo(_))) {
        // A single move to a point paints nothing.
        if part.len() > 1 {
            let part: BezPath = part.iter().copied().collect();
            let bounds = part.control_box();
            let apart = boxes.iter().all(|one| one.intersect(bounds).area() <= 0.0);
            boxes.push(Some(bounds).filter(|_| apart && is_box(&part, bounds))?);
        }
    }
    Some(boxes)
}
