//! `speed.csv`: how the speed of two versions differs.

crate::words! {
    /// Whether a measured difference is more than noise.
    pub enum SpeedVerdict: "verdict" {
        /// b is faster.
        Faster = "faster",
        /// The difference is within the noise of the measurement.
        Noise = "noise",
        /// b is slower.
        Slower = "slower",
    }
}
