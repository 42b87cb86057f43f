//! Specimens: the reference builder with one rule that is wrong.

use super::successors::Rules;
use super::{BuildError, Builder, load_smaller, retrograde};
use crate::Role;
use crate::tables::{Material, Metric, Table, TableSet};

/// A builder with a rule that is wrong.
#[derive(Debug)]
pub struct Flawed {
    name: &'static str,
    about: &'static str,
    builds: fn(Material) -> bool,
    rules: Rules,
}

/// Pawns promote only to queens. It is the mistake of seed 002: a promotion to a queen may stalemate where a rook wins.
pub static QUEEN_ONLY: Flawed =
    promoting("queen-only", "a specimen: pawns promote to queens only", &[Role::Queen]);

/// Pawns do not promote to rooks.
pub static NO_ROOK: Flawed = promoting(
    "no-rook",
    "a specimen: pawns do not promote to rooks",
    &[Role::Queen, Role::Bishop, Role::Knight],
);

/// Pawns do not promote to bishops.
pub static NO_BISHOP: Flawed = promoting(
    "no-bishop",
    "a specimen: pawns do not promote to bishops",
    &[Role::Queen, Role::Rook, Role::Knight],
);

/// Pawns do not promote to knights.
pub static NO_KNIGHT: Flawed = promoting(
    "no-knight",
    "a specimen: pawns do not promote to knights",
    &[Role::Queen, Role::Rook, Role::Bishop],
);

/// Pawns do not capture en passant.
pub static NO_EN_PASSANT: Flawed = Flawed {
    name: "no-en-passant",
    about: "a specimen: pawns do not capture en passant",
    builds: Material::has_opposing_pawns,
    rules: Rules { en_passant: false, ..Rules::CHESS },
};

/// Un-moves take a double step for a win although an en passant capture refutes it.
pub static NO_EN_PASSANT_UNMOVES: Flawed = Flawed {
    name: "no-en-passant-unmoves",
    about: "a specimen: un-moves forget the en passant captures that they allow",
    builds: Material::has_opposing_pawns,
    rules: Rules { en_passant_unmoves: false, ..Rules::CHESS },
};

/// A capture that leaves a rook is looked up as one that leaves a queen.
pub static WRONG_CAPTURE: Flawed = Flawed {
    name: "wrong-capture",
    about: "a specimen: KQvKR whose captures by the rook's side are looked up in the wrong smaller table",
    builds: |material| material.to_string() == "KQvKR",
    rules: Rules {
        after_capture: |role| if role == Role::Rook { Role::Queen } else { role },
        ..Rules::CHESS
    },
};

const fn promoting(name: &'static str, about: &'static str, promotions: &'static [Role]) -> Flawed {
    let rules = Rules { promotions, ..Rules::CHESS };
    Flawed { name, about, builds: Material::has_pawns, rules }
}

impl Builder for Flawed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn is_specimen(&self) -> bool {
        true
    }

    fn builds(&self, material: Material) -> bool {
        (self.builds)(material)
    }

    fn build(
        &self,
        material: Material,
        _: &[Metric],
        smaller: &TableSet,
        emit: &mut dyn FnMut(Table),
    ) -> Result<(), BuildError> {
        if !self.builds(material) {
            return Err(BuildError::NotForThis { builder: self.name, material });
        }
        emit(retrograde::dtm(material, &load_smaller(material, smaller)?, self.rules));
        Ok(())
    }
}
