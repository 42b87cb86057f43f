//! Dumps through the whole of it, judged by sources that a test makes up.
