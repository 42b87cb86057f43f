//! How many files this process may have open. Each program takes several, for its pipes.

/// Programs of a machine with many cores, and all else, take no more.
#[cfg(unix)]
const ENOUGH: u64 = 8192;

/// Raises the number of files that this process may have open, as far as the system allows, and returns it;
/// `None` if it is not known.
#[cfg(unix)]
pub fn raise_open_files() -> Option<u64> {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    let (now, most) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let raised = most.min(ENOUGH).max(now);
    Some(if setrlimit(Resource::RLIMIT_NOFILE, raised, most).is_ok() { raised } else { now })
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub fn raise_open_files() -> Option<u64> {
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use nix::sys::resource::{Resource, getrlimit};

    use super::*;

    #[test]
    fn as_many_files_may_be_open_as_the_system_allows() {
        let raised = raise_open_files();
        let (now, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        assert_eq!(raised, Some(now));
        assert!(now >= most.min(ENOUGH));
    }
}
