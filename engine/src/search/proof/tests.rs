//! What is proved is mate, and what is not is not.
