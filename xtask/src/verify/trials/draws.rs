//! To be written.

use oracle::trials::Trial;

use super::super::Collected;

pub(super) fn run(_trial: &Trial, _found: &mut Collected) -> anyhow::Result<()> {
    Ok(())
}
