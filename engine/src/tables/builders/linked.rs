//! Builders of KPvK that link positions backwards from the promotion squares, and the pass that repairs them.

use super::draft::Draft;
use super::successors::{Rules, Successors};
use super::{BuildError, Builder, load_smaller};
use crate::tables::value::Value;
use crate::tables::{Layout, Material, Metric, Placement, Table, TableSet};
use crate::{Color, Role};

/// They promote to a rook where a queen would only draw.
const QUEEN_OR_ROOK: [Role; 2] = [Role::Queen, Role::Rook];

/// A specimen: scores positions in the order in which they are linked to a promotion, and never again.
///
/// White Ke4, Pb7 against Kh6 becomes a mate in 6 by b8=Q, because the mate in 5 by Kf5 is not linked yet
/// when the position is scored.
#[derive(Debug, Clone, Copy)]
pub struct FirstPass;

/// [`FirstPass`], then repaired from short to long mates until nothing changes. The result is correct.
#[derive(Debug, Clone, Copy)]
pub struct SecondPass;

impl Builder for FirstPass {
    fn name(&self) -> &'static str {
        "first-pass"
    }

    fn about(&self) -> &'static str {
        "a specimen: KPvK scored once, in the order of links from the promotion squares"
    }

    fn is_specimen(&self) -> bool {
        true
    }

    fn builds(&self, material: Material) -> bool {
        material == Material::KPVK
    }

    fn build(
        &self,
        material: Material,
        _: &[Metric],
        smaller: &TableSet,
        emit: &mut dyn FnMut(Table),
    ) -> Result<(), BuildError> {
        emit(linked(self, material, smaller, false)?);
        Ok(())
    }
}

impl Builder for SecondPass {
    fn name(&self) -> &'static str {
        "second-pass"
    }

    fn about(&self) -> &'static str {
        "first-pass, repaired from short mates to long ones until nothing changes"
    }

    fn builds(&self, material: Material) -> bool {
        FirstPass.builds(material)
    }

    fn build(
        &self,
        material: Material,
        _: &[Metric],
        smaller: &TableSet,
        emit: &mut dyn FnMut(Table),
    ) -> Result<(), BuildError> {
        emit(linked(self, material, smaller, true)?);
        Ok(())
    }
}

fn linked(
    builder: &dyn Builder,
    material: Material,
    smaller: &TableSet,
    repair: bool,
) -> Result<Table, BuildError> {
    if !builder.builds(material) {
        return Err(BuildError::NotForThis { builder: builder.name(), material });
    }
    let smaller = &load_smaller(material, smaller)?;
    let layout = Layout::new(material);
    let rules = Rules { promotions: &QUEEN_OR_ROOK, ..Rules::CHESS };
    let mut draft = Draft::new(Successors { layout: &layout, smaller, rules });
    let link = |draft: &mut Draft, side| {
        draft.scan(side, |draft, squares| score(draft, squares, side).filter(|&value| value != Value::Draw))
    };
    while link(&mut draft, Color::White) | link(&mut draft, Color::Black) {}
    while repair && revise_all(&mut draft) {}
    Ok(draft.finish())
}

/// The best of the known moves: a win as soon as one is known, other values once every move is known. `None`
/// before that, and if there is no move.
fn score(draft: &Draft, squares: &Placement, side: Color) -> Option<Value> {
    let moves = draft.moves(squares, side);
    let best = moves.iter().copied().flatten().max_by_key(|value| value.preference())?;
    (matches!(best, Value::Win(_)) || !moves.contains(&None)).then_some(best)
}

/// Scores all linked positions again, short mates first. Returns whether one changed.
fn revise_all(draft: &mut Draft) -> bool {
    let mut changed = false;
    for (_, side, slot) in draft.decisive() {
        changed |= draft.revise(side, slot, |draft, squares| score(draft, squares, side));
    }
    changed
}
