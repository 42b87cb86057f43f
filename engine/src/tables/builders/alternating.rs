//! A builder by full scans that alternate between the mating side and the mated side.
//!
//! First the builder scans all positions for mates. Then it scans in turn: the positions of the stronger side
//! for a move that mates, and those of the weaker side for positions where no move escapes. It ends when a
//! scan finds nothing. It needs no un-moves and no order, so it is a simple reference for tests of the
//! production builder.

use super::draft::Draft;
use super::successors::{Rules, Successors};
use super::{BuildError, Builder, load_smaller};
use crate::Color;
use crate::tables::value::Value;
use crate::tables::{Layout, Material, Metric, Placement, Table, TableSet};

/// The builder by alternating scans, for a lone queen or rook.
#[derive(Debug, Clone, Copy)]
pub struct Alternating;

impl Builder for Alternating {
    fn name(&self) -> &'static str {
        "alternating"
    }

    fn about(&self) -> &'static str {
        "full scans that alternate between the two sides, for KQvK and KRvK"
    }

    fn builds(&self, material: Material) -> bool {
        matches!(material, Material::KQVK | Material::KRVK)
    }

    fn build(
        &self,
        material: Material,
        _: &[Metric],
        smaller: &TableSet,
        emit: &mut dyn FnMut(Table),
    ) -> Result<(), BuildError> {
        if !self.builds(material) {
            return Err(BuildError::NotForThis { builder: self.name(), material });
        }
        let smaller = &load_smaller(material, smaller)?;
        let layout = Layout::new(material);
        let mut draft = Draft::new(Successors { layout: &layout, smaller, rules: Rules::CHESS });
        draft.scan(Color::Black, mated);
        while draft.scan(Color::White, winning) | draft.scan(Color::Black, losing) {}
        emit(draft.finish());
        Ok(())
    }
}

/// The weaker side is checkmated.
fn mated(draft: &Draft, squares: &Placement) -> Option<Value> {
    let mated = draft.is_check(squares, Color::Black) && draft.moves(squares, Color::Black).is_empty();
    mated.then_some(Value::MATED)
}

/// The stronger side has a move to a position where the other side is mated.
fn winning(draft: &Draft, squares: &Placement) -> Option<Value> {
    let values = draft.moves(squares, Color::White).into_iter().flatten();
    values.filter(|value| matches!(value, Value::Win(_))).max_by_key(|value| value.preference())
}

/// Every move of the weaker side leads to a position where it is mated.
fn losing(draft: &Draft, squares: &Placement) -> Option<Value> {
    let values = draft.moves(squares, Color::Black).into_iter().collect::<Option<Vec<_>>>()?;
    every_move_loses(&values)
}

/// The longest loss, if there is a move and all moves lose.
///
/// The known mistake of this algorithm: "every move leads to mate" also holds for stalemate, which has no
/// move.
fn every_move_loses(values: &[Value]) -> Option<Value> {
    let best = values.iter().copied().max_by_key(|value| value.preference())?;
    matches!(best, Value::Loss(_)).then_some(best)
}
