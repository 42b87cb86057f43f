//! A mirror of the official files: one file a request, over HTTPS; over plain HTTP only on this machine.

use std::fmt;
use std::time::Duration;

use anyhow::anyhow;
use ureq::http::Uri;

use super::MAX_FILE_BYTES;

const TIMEOUT: Duration = Duration::from_mins(1);
const REDIRECTS: u32 = 5;

/// The public mirror of the official files, tried after all else: WDL files lie under one address, DTZ files under the other.
const OFFICIAL: [(&str, &str); 2] = [
    (".rtbw", "https://tablebase.lichess.ovh/tables/standard/3-4-5-wdl"),
    (".rtbz", "https://tablebase.lichess.ovh/tables/standard/3-4-5-dtz"),
];

/// An address under which table files lie.
#[derive(Debug)]
pub(super) struct Mirror {
    base: String,
    /// How the names of the files that lie there end; empty for all.
    suffix: &'static str,
    agent: ureq::Agent,
}

/// Why a mirror did not give a file.
pub(super) struct MirrorError {
    /// The error in words, with the name of the file.
    pub(super) text: String,
    /// Whether asking the same mirror for another file would be in vain.
    pub(super) is_hopeless: bool,
}

impl fmt::Display for Mirror {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)
    }
}

impl Mirror {
    /// A mirror by its address, with or without a slash at the end.
    pub(super) fn new(address: &str) -> anyhow::Result<Self> {
        Self::with_timeout(address, TIMEOUT)
    }

    /// The public mirror of the official files.
    ///
    /// # Errors
    /// Never: its addresses are HTTPS.
    pub(super) fn official() -> anyhow::Result<Vec<Self>> {
        let of = |(suffix, address)| Ok(Self { suffix, ..Self::new(address)? });
        OFFICIAL.into_iter().map(of).collect()
    }

    /// Whether a file of this name may lie there.
    pub(super) fn may_have(&self, name: &str) -> bool {
        name.ends_with(self.suffix)
    }

    pub(super) fn with_timeout(address: &str, timeout: Duration) -> anyhow::Result<Self> {
        let refused = || {
            let address: String = address.chars().take(200).collect();
            anyhow!("expected an address such as https://HOST/PATH, got \"{address}\"")
        };
        let uri: Uri = address.parse().map_err(|_| refused())?;
        let host = uri.host().ok_or_else(refused)?;
        let https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") if matches!(host, "localhost" | "127.0.0.1" | "[::1]") => false,
            _ => return Err(refused()),
        };
        let config = ureq::Agent::config_builder()
            .https_only(https)
            .max_redirects(if https { REDIRECTS } else { 0 })
            .timeout_global(Some(timeout));
        let config = if https { config } else { config.proxy(None) };
        Ok(Self { base: address.trim_end_matches('/').to_owned(), suffix: "", agent: config.build().into() })
    }

    /// The bytes of a file, at most [`MAX_FILE_BYTES`].
    pub(super) fn file(&self, name: &str) -> Result<Vec<u8>, MirrorError> {
        self.bytes(name).map_err(|error| match error {
            ureq::Error::StatusCode(status) => {
                MirrorError { text: format!("{name}: status {status}"), is_hopeless: false }
            }
            cause => MirrorError {
                text: format!("{name}: {cause}"),
                is_hopeless: !matches!(cause, ureq::Error::BodyExceedsLimit(_)),
            },
        })
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, ureq::Error> {
        let mut answer = self.agent.get(format!("{}/{name}", self.base)).call()?;
        if answer.status() != ureq::http::StatusCode::OK {
            return Err(ureq::Error::StatusCode(answer.status().as_u16()));
        }
        answer.body_mut().with_config().limit(MAX_FILE_BYTES).read_to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, accepted: bool) {
        assert_eq!(Mirror::new(address).is_ok(), accepted, "{address}");
    }

    #[test]
    fn the_public_mirror_has_a_place_for_each_kind_of_file() {
        let mirrors = Mirror::official().unwrap();
        let places = |name| mirrors.iter().filter(|mirror| mirror.may_have(name)).count();
        assert_eq!(["KPvK.rtbw", "KPvK.rtbz"].map(places), [1, 1]);
        assert!(mirrors.iter().all(|mirror| mirror.to_string().starts_with("https://")));
    }

    #[test]
    fn plain_http_is_for_this_machine_only() {
        check("https://example.org/tables", true);
        check("https://example.org", true);
        check("http://127.0.0.1:8080/tables/", true);
        check("http://localhost:8080", true);
        check("http://[::1]:8080", true);
        check("http://example.org/tables", false);
        check("http://127.0.0.1.example.org/", false);
        check("ftp://example.org/tables", false);
        check("file:///tables", false);
        check("tables", false);
        check("", false);
    }
}
