//! How answers are wrong, in words that fit several cases.

use std::fmt;

crate::words! {
    /// A cause that findings of several checks may share.
    pub enum SharedCause: "cause" {
        /// The halfmove clock of the FEN, or what the moves of the game add to it, is not counted.
        Clock = "the halfmove clock is not counted",
        /// The halfmove clock of the FEN is not counted. No moves were sent, so it is not known whether the
        /// moves of a game are counted.
        FenClock = "the halfmove clock of the FEN is not counted",
        /// The halfmove clock is counted, and the game goes on for some moves after the hundredth ply.
        LateLimit = "the fifty-move rule is applied too late",
        /// A won or lost position is scored as a draw since the halfmove clock of the FEN or of the game is
        /// high.
        NoReset = "captures and pawn moves do not reset the halfmove clock",
        /// A mate on the hundredth ply is missed.
        MateAt100 = "a mate on the hundredth ply is scored as a draw",
        /// Earlier positions of the game are not remembered.
        Repetition = "repetitions in the game are not counted",
        /// Castling rights are left out where positions are compared.
        CastlingRights = "positions with different castling rights count as the same",
        /// Positions with castling rights that occurred before are not recognised.
        SameRights = "repeated positions with castling rights are not recognised",
        /// En passant captures are left out where positions are compared, or count even if they are not
        /// legal.
        EnPassant = "en passant captures are not compared as the rules demand",
        /// A twofold repetition is scored as a draw.
        Twofold = "twofold repetitions are scored as draws",
        /// The engine gives a score other than a draw where neither side has the material to mate.
        DeadMaterial = "material that cannot mate is not scored as a draw",
        /// In a position without a legal move, the answer has a move or a score of an earlier search.
        LeftOver = "an answer is left over from an earlier search",
        /// A search that is too shallow to see the stalemate plays into it.
        Shallow = "won positions are stalemated at small depths",
        /// An illegal castling move is generated or played.
        ExtraCastling = "castling that is not legal is allowed",
        /// A legal castling move is not generated, or is refused.
        NoCastling = "castling that is legal is not known",
        /// An illegal en passant capture is generated or played.
        ExtraEnPassant = "en passant captures that are not legal are allowed",
        /// A legal en passant capture is not generated, or is refused.
        NoEnPassant = "en passant captures that are legal are not known",
        /// A legal promotion is not generated, or is refused.
        NoPromotion = "promotions that are legal are not known",
        /// A move is generated or played after which the king of its side is in check.
        IntoCheck = "moves that leave the king in check are allowed",
        /// A principal variation has a move that is not legal.
        IllegalLine = "a pv has an illegal move",
        /// The announced mate is one move shorter than the shortest one.
        OneMoveShort = "mates are announced one move too short",
        /// The number of moves of certain mates is not the one that UCI demands.
        MateCount = "mates are counted wrong",
        /// The side to move is stalemated, and the engine prints `mate 0`.
        MateAtEnd = "stalemate is scored as checkmate",
        /// The game is drawn by the fifty-move rule before an announced mate. The engine scores other draws by this
        /// rule right.
        LateMates = "announced mates come after the fifty moves are over",
        /// The game is drawn by repetition before an announced mate. The engine scores other draws by repetition
        /// right.
        RepeatedMates = "announced mates go through a draw by repetition",
        /// Announced mates are not forced, and they are wrong in several ways.
        FalseMates = "announced mates are not forced",
        /// A search that has to end at once gives no legal move.
        NoTime = "a search that has to end at once gives no legal move",
        /// Lines with several blanks, tabs or carriage returns are not read.
        WhiteSpace = "white space that is no single blank is not accepted",
        /// A search that must wait for `stop` ends at once if only one move is legal.
        ForcedMove = "a search with one legal move does not wait for stop",
        /// A `stop` that comes soon after `go` is lost. Several checks send one.
        LostStop = "a stop soon after go is lost",
        /// `stop` does not end a search, whatever its limit.
        Unstopped = "stop does not end a search",
        /// Some searches with ordinary limits give no move, even after `stop`, and others do: a race, perhaps.
        LostAnswer = "some searches give no bestmove, even after stop",
        /// During a search `isready` gets no answer, and `quit` or the end of the input does not end it. No
        /// check found that `stop` has no effect.
        Unnoticed = "isready and quit are not read during a search",
        /// During a search, `stop` does not end the search, and `isready` gets no answer.
        Unread = "nothing is read during a search",
        /// The lines of the identity come at the start, at one `uci` only, or twice.
        Handshake = "the same id and option lines do not come once for each uci",
        /// In a game a won position was repeated for the third time.
        RepeatedWin = "won positions are drawn by repetition",
        /// In a game the fifty moves were over before a won position was won.
        SlowWin = "won positions are drawn by the fifty-move rule",
        /// In a game the winner stalemated the other side.
        StalematedWin = "won positions are stalemated",
        /// In a game the winner lost the last man that could mate.
        DeadWin = "the last man that can mate is lost",
        /// The process does not end with its input.
        LivesOn = "it does not end with its input",
    }
}

/// How the answer of a finding is wrong. Findings of one subject with the same cause are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// One that findings of several checks may share.
    Shared(SharedCause),
    /// No more is known than the check, which has this id.
    Check(String),
    /// How a process ended, or the message with which it did.
    Message(String),
}

impl Cause {
    /// The words of the cause.
    pub fn words(&self) -> &str {
        match self {
            Self::Shared(shared) => shared.name(),
            Self::Check(words) | Self::Message(words) => words,
        }
    }

    /// Whether no more is known than the check.
    pub fn is_check(&self) -> bool {
        matches!(self, Self::Check(_))
    }

    /// The cause with these words in a finding of this check; `None` if there are none.
    pub fn read(words: String, check: &str) -> Option<Self> {
        if words.is_empty() {
            return None;
        }
        Some(match words.parse() {
            Ok(shared) => Self::Shared(shared),
            Err(_) if words == check => Self::Check(words),
            Err(_) => Self::Message(words),
        })
    }
}

impl From<SharedCause> for Cause {
    fn from(shared: SharedCause) -> Self {
        Self::Shared(shared)
    }
}

impl PartialEq<SharedCause> for Cause {
    fn eq(&self, other: &SharedCause) -> bool {
        *self == Self::Shared(*other)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_read_as_it_is_written() {
        let check = "protocol/stop";
        let of_check = Cause::Check(check.to_owned());
        let message = Cause::Message("signal 11 (SIGSEGV) over a FEN that is not legal".to_owned());
        for cause in SharedCause::ALL.map(Cause::Shared).into_iter().chain([of_check, message]) {
            assert_eq!(Cause::read(cause.to_string(), check), Some(cause));
        }
        assert_eq!(Cause::read(String::new(), check), None);
    }
}
