//! Starts players, asks them, asks again and gives up.

pub(crate) mod engine_pool;
pub(crate) mod observed;
pub(crate) mod player_pool;
pub(crate) mod queue;
