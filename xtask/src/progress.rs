//! Progress bars on a terminal.

use std::sync::LazyLock;
use std::time::Duration;

use arbiter::ProgressObserver;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// All bars: two runs at the same time have a line each.
static BARS: LazyLock<MultiProgress> =
    LazyLock::new(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(5)));

/// A progress bar on standard error, if that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar of `length` units, or a spinner if the length is unknown.
    pub(crate) fn new(length: Option<u64>) -> Self {
        let bar = BARS.add(match length {
            Some(length) => ProgressBar::new(length),
            None => ProgressBar::new_spinner(),
        });
        let template = match length {
            Some(_) => "{msg:32} [{bar:30}] {percent:>3}% {elapsed:>4}",
            None => "{spinner} {msg} {elapsed:>4}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    /// A bar of `length` units that also shows the time that is left.
    pub(crate) fn with_time_left(length: u64) -> Self {
        Self::with_template(length, "{msg:32} [{bar:30}] {percent:>3}% {elapsed:>4}, {eta:>4} left")
    }

    /// A bar of `length` units with its message, which may have several lines, below it.
    pub(crate) fn with_table(length: u64) -> Self {
        Self::with_template(length, "[{bar:40}] {percent:>3}% {elapsed:>4}\n{msg}")
    }

    fn with_template(length: u64, template: &str) -> Self {
        let progress = Self::new(Some(length));
        if let Ok(style) = ProgressStyle::with_template(template) {
            progress.bar.set_style(style.progress_chars("=> "));
        }
        progress
    }

    /// Whether it is shown on a terminal.
    pub(crate) fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Restarts the bar for another task of `length` units.
    pub(crate) fn restart(&self, length: u64, what: &str) {
        self.bar.reset();
        self.bar.set_length(length);
        self.say(what);
    }

    /// Sets the message beside the bar.
    pub(crate) fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Adds units to the length.
    pub(crate) fn extend(&self, units: u64) {
        self.bar.inc_length(units);
    }

    /// Advances by some units.
    pub(crate) fn advance(&self, units: u64) {
        self.bar.inc(units);
    }

    /// Prints a line of data above the bar.
    pub(crate) fn line(&self, line: &str) -> anyhow::Result<()> {
        self.lines(&format!("{line}\n"))
    }

    /// Prints lines of data above the bar.
    pub(crate) fn lines(&self, text: &str) -> anyhow::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.bar.suspend(|| crate::console::data(text.as_bytes()))
    }

    /// Prints a line above the bar, on standard error.
    pub(crate) fn note(&self, line: &str) {
        self.bar.suspend(|| crate::console::message(line));
    }
}

/// Suites for players and audits report their progress here.
impl ProgressObserver for Progress {
    /// Cases of other suites take other times: a bar that is full starts again.
    fn begin(&self, cases: u64) {
        if self.bar.length().is_none_or(|length| self.bar.position() < length) {
            return self.extend(cases);
        }
        self.bar.set_position(0);
        self.bar.set_length(cases);
    }

    fn advance(&self, cases: u64) {
        Self::advance(self, cases);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
