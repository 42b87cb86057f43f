//! Causes that findings of several suites share. See [`suites::Difference::cause`].

use std::collections::BTreeSet;

use suites::SharedCause::{
    Clock, FalseMates, FenClock, LateLimit, LateMates, LostAnswer, LostStop, MateAtEnd, MateCount,
    OneMoveShort, RepeatedMates, Repetition, Unnoticed, Unread, Unstopped,
};
use suites::{Answer, Cause, Difference, EngineScore, SharedCause, Then};

/// Protocol checks that one fault fails together. If all of them have findings, the findings share this
/// cause.
const TOGETHER: [([&str; 2], SharedCause); 2] = [
    (["protocol/blanks", "protocol/crlf"], SharedCause::WhiteSpace),
    (["protocol/infinite-forced", "protocol/ponder-forced"], SharedCause::ForcedMove),
];

/// Whether `stop`, `isready` or `quit` during a search had no effect.
fn is_unread(found: &Difference) -> bool {
    match found.check.as_str() {
        "protocol/isready-searching" => {
            matches!(&found.stored, Answer::Silent { awaited, within: None } if awaited == "readyok")
        }
        "protocol/quit-searching" => found.stored == Answer::LivesOn,
        _ => is_unstopped(found),
    }
}

/// Whether a check of the protocol got no answer to `stop`. An engine that overruns its clock is late before that.
fn is_unstopped(found: &Difference) -> bool {
    if ["protocol/clock", "protocol/clock-fast"].contains(&found.check.as_str()) {
        return false;
    }
    let is_silent = |answer: &Answer| matches!(answer, Answer::Silent { awaited, within: Some((_, after)) } if awaited == "bestmove" && after == "stop");
    found.check.starts_with("protocol/") && is_silent(&found.stored)
}

/// Whether the score says that the side to move is checkmated, and there is no move.
fn is_mate_0(found: &Difference) -> bool {
    matches!(&found.stored, Answer::Score(told) if told.score == EngineScore::Mate(0) && told.then == Then::NoMove)
}

/// How the process ended, if it was searching. A crash is the same fault whatever the check asked.
fn end_in_search(found: &Difference) -> Option<String> {
    match &found.stored {
        Answer::Ended { end, after: Some(after) } if after.starts_with("go ") => Some(end.to_string()),
        _ => None,
    }
}

/// Gives findings of one engine the same cause if one fault shows in several checks. It needs the findings of
/// all suites. It joins findings about lines and stops of the protocol, about processes that end in the same
/// way in a search, about a clock that the engine does not count, and about announced mates that are wrong by
/// different numbers of moves, with the lines and moves that go wrong with them.
pub fn join_causes<'a>(differences: impl IntoIterator<Item = &'a mut Difference>, engine: &str) {
    let mut own: Vec<&mut Difference> =
        differences.into_iter().filter(|found| found.subject == engine).collect();
    join_stops(&mut own);
    for (checks, cause) in TOGETHER {
        join(&mut own, |found| is_open(found) && checks.contains(&&*found.check), cause);
    }
    let ends: BTreeSet<String> = own.iter().filter_map(|found| end_in_search(found)).collect();
    for end in ends {
        let is_this = |found: &Difference| is_open(found) && end_in_search(found).as_ref() == Some(&end);
        join(&mut own, is_this, Cause::Message(format!("{end} in a search")));
    }
    let announces = |found: &Difference| {
        found.check == "protocol/no-move-mate" && found.case == "stalemate"
            || found.check == "stalemate/score" && is_mate_0(found)
    };
    join(&mut own, |found| is_open(found) && announces(found), MateAtEnd);
    // What explains the most comes first. A limit that is too high has to explain most draws.
    let draws =
        |cause| own.iter().filter(|found| found.check.starts_with("draw/") && has(found, cause)).count();
    let is_late = draws(LateLimit) > draws(Clock) + draws(FenClock);
    for (whole, parts) in [(LateLimit, &[Clock, FenClock][..]), (FenClock, &[Clock])] {
        if own.iter().any(|found| has(found, whole)) && (whole != LateLimit || is_late) {
            let is_part = |found: &Difference| parts.iter().any(|part| has(found, *part));
            own.iter_mut().filter(|found| is_part(found)).for_each(|found| found.cause = Some(whole.into()));
        }
    }
    let has_no_other = |found: &Difference| found.cause.is_none() || has(found, OneMoveShort);
    let is_false = |found: &Difference| ["mate/unsound", "mate/warm-hash"].contains(&found.check.as_str());
    let is_plain = own.iter().any(|found| is_false(found) && has_no_other(found));
    for (cause, seen) in [(Repetition, RepeatedMates), (Clock, LateMates), (FenClock, LateMates)] {
        // If the engine scores draws by this rule right, a false mate that goes through such a draw may have
        // another cause. It may come from a hash table, or share its cause with false mates that go through
        // no draw. Only what was seen is said of it.
        let is_told = own.iter().any(|found| has(found, cause) && found.check.starts_with("draw/"));
        let is_likely =
            !is_plain && (cause != Repetition || own.iter().filter(|found| has(found, cause)).count() > 2);
        if !is_told {
            let through = own.iter_mut().filter(|found| has(found, cause));
            through.for_each(|found| found.cause = is_likely.then_some(seen.into()));
        }
    }
    let mates: Vec<&&mut Difference> =
        own.iter().filter(|found| is_false(found) && has_no_other(found)).collect();
    // Lines and moves that go wrong beside a single false mate may have another cause.
    if mates.len() < 2 {
        return;
    }
    let are_short = mates.iter().all(|found| has(found, OneMoveShort));
    let joined = match own.iter().any(|found| has(found, MateCount)) {
        true => MateCount,
        false if are_short => OneMoveShort,
        false => FalseMates,
    };
    let follows = |found: &Difference| ["mate/line", "mate/thrown"].contains(&found.check.as_str());
    for found in own {
        if has_no_other(found) && (is_false(found) || follows(found)) {
            found.cause = Some(joined.into());
        }
    }
}

/// Whether no more is known of the cause than the check.
fn is_open(found: &Difference) -> bool {
    matches!(found.cause, None | Some(Cause::Check(_)))
}

/// Whether a search may give no move because of its limit or its position, which are what the check is about.
fn has_reason(found: &Difference) -> bool {
    const REASONS: [&str; 10] =
        ["clock", "depth", "nodes", "movetime", "mate", "go", "no-move", "bad-fen", "illegal", "first-go"];
    let topic = found.check.strip_prefix("protocol/").unwrap_or_default();
    REASONS.iter().any(|reason| topic.starts_with(reason))
}

/// Joins findings about lines that have no effect during a search.
fn join_stops(own: &mut [&mut Difference]) {
    join(own, |found| is_open(found) && found.stored == Answer::SecondStop, LostStop);
    let stop_fails = own.iter().any(|found| found.check == "protocol/stop" && is_unstopped(found));
    if own.iter().any(|found| found.check == "protocol/isready-searching" && is_unread(found)) {
        let idle = own.iter().any(|found| found.check == "protocol/input-end");
        // If a process ends with its input when it is idle, but not during a search, it does not read its
        // input during the search.
        let lives_on = |found: &Difference| {
            !idle && found.check == "protocol/input-end-searching" && found.stored == Answer::LivesOn
        };
        let cause = if stop_fails { Unread } else { Unnoticed };
        let is_told = |found: &Difference| is_unread(found) && (stop_fails || !is_unstopped(found));
        join(own, |found| is_open(found) && is_told(found) || lives_on(found), cause);
    }
    if stop_fails {
        join(own, |found| is_open(found) && is_unstopped(found), Unstopped);
    } else {
        join(own, |found| is_open(found) && is_unstopped(found) && !has_reason(found), LostAnswer);
    }
}

/// Whether a finding has this cause.
fn has(found: &Difference, cause: SharedCause) -> bool {
    found.cause == Some(Cause::Shared(cause))
}

/// Gives findings of at least two checks one cause.
fn join(own: &mut [&mut Difference], shares: impl Fn(&Difference) -> bool, cause: impl Into<Cause>) {
    let cause = cause.into();
    let checks: BTreeSet<&str> =
        own.iter().filter(|found| shares(found)).map(|found| found.check.as_str()).collect();
    if checks.len() > 1 {
        own.iter_mut().filter(|found| shares(found)).for_each(|found| found.cause = Some(cause.clone()));
    }
}

#[cfg(test)]
mod tests {
    use suites::{End, ToldScore};

    use super::*;

    const LOST_STOP: &str = SharedCause::LostStop.name();
    const UNNOTICED: &str = SharedCause::Unnoticed.name();
    const UNREAD: &str = SharedCause::Unread.name();
    const LOST: &str = SharedCause::LostAnswer.name();
    const UNSTOPPED: &str = SharedCause::Unstopped.name();
    const FEN_CLOCK: &str = SharedCause::FenClock.name();
    const CLOCK: &str = SharedCause::Clock.name();
    const REPETITION: &str = SharedCause::Repetition.name();
    const FALSE_MATES: &str = SharedCause::FalseMates.name();
    const ONE_MOVE_SHORT: &str = SharedCause::OneMoveShort.name();
    const MATE_COUNT: &str = SharedCause::MateCount.name();
    const ILLEGAL_LINE: &str = SharedCause::IllegalLine.name();

    #[test]
    fn checks_that_one_fault_fails_together() {
        let [white_space, forced] = TOGETHER.map(|(_, cause)| cause.name());
        check(&[("protocol/crlf", ""), ("protocol/blanks", "protocol/blanks")], &[white_space; 2]);
        check(&[("protocol/blanks", ""), ("protocol/blanks", "")], &["", ""]);
        check(&[("protocol/infinite-forced", ""), ("protocol/ponder-forced", "")], &[forced; 2]);
        let stopped = |check: &str| Difference {
            subject: "mine".to_owned(),
            check: check.to_owned(),
            stored: Answer::SecondStop,
            ..Difference::default()
        };
        let mut lost = ["protocol/stop", "protocol/infinite-forced", "protocol/ponder-forced"].map(stopped);
        join_causes(&mut lost, "mine");
        assert!(lost.iter().all(|found| found.cause_words() == LOST_STOP), "{lost:?}");
        let mut alone = [stopped("protocol/stop")];
        join_causes(&mut alone, "mine");
        assert_eq!(alone[0].cause, None);
    }

    #[test]
    fn crashes_in_searches_of_several_checks_are_one() {
        let ended = |(check, signal, after): &(&str, i32, &str)| Difference {
            subject: "mine".to_owned(),
            check: (*check).to_owned(),
            stored: Answer::Ended {
                end: End::Signal(*signal, format!("signal {signal}")),
                after: Some((*after).to_owned()),
            },
            ..Difference::default()
        };
        let causes = |rows: &[(&str, i32, &str)]| -> Vec<String> {
            let mut own: Vec<Difference> = rows.iter().map(ended).collect();
            join_causes(&mut own, "mine");
            own.iter().map(|found| found.cause_words().to_owned()).collect()
        };
        let [crash, legal] = ["process/crash", "protocol/bestmove-legal"];
        let one = "signal 11 in a search";
        assert_eq!(causes(&[(crash, 11, "go depth 1"), (legal, 11, "go depth 3")]), [one; 2]);
        assert_eq!(causes(&[(crash, 11, "go depth 1"), (crash, 11, "go depth 3")]), [""; 2], "one check");
        assert_eq!(causes(&[(crash, 6, "go depth 1"), (legal, 11, "go depth 3")]), [""; 2]);
        assert_eq!(causes(&[(crash, 11, "isready"), (legal, 11, "go depth 3")]), [""; 2]);
    }

    #[test]
    fn lines_without_an_effect_during_a_search() {
        let found = |(check, stored): &(&str, Answer)| {
            let [subject, check] = ["mine", check].map(str::to_owned);
            Difference { subject, check, stored: stored.clone(), ..Difference::default() }
        };
        let causes = |rows: &[(&str, Answer)]| -> Vec<String> {
            let mut own: Vec<Difference> = rows.iter().map(found).collect();
            join_causes(&mut own, "mine");
            own.iter().map(|found| found.cause_words().to_owned()).collect()
        };
        let silent = |check| {
            let within = Some((2000, "stop".to_owned()));
            (check, Answer::Silent { awaited: "bestmove".to_owned(), within })
        };
        let unready = || {
            let answer = Answer::Silent { awaited: "readyok".to_owned(), within: None };
            ("protocol/isready-searching", answer)
        };
        let stop = || silent("protocol/stop");
        assert_eq!(causes(&[stop(), unready()]), [UNREAD; 2]);
        assert_eq!(causes(&[unready()]), [""]);
        let searching = || ("protocol/input-end-searching", Answer::LivesOn);
        let quitting = || ("protocol/quit-searching", Answer::LivesOn);
        assert_eq!(causes(&[unready(), quitting()]), [UNNOTICED; 2]);
        assert_eq!(causes(&[stop(), unready(), searching()]), [UNREAD; 3]);
        assert_eq!(causes(&[unready(), searching(), ("protocol/input-end", Answer::LivesOn)]), [""; 3]);
        let late = || silent("protocol/isready-searching");
        assert_eq!(causes(&[late(), stop(), silent("protocol/depth-zero")]), [UNSTOPPED; 3]);
        assert_eq!(causes(&[silent("protocol/clock-empty"), silent("protocol/depth-zero")]), [""; 2]);
        let [lines, depths] = ["protocol/pv-legal", "protocol/info-depth"].map(silent);
        assert_eq!(causes(&[lines.clone(), depths.clone(), silent("protocol/depth")]), [LOST, LOST, ""]);
        assert_eq!(causes(&[lines.clone(), silent("protocol/depth")]), [""; 2]);
        assert_eq!(causes(&[stop(), lines, depths]), [UNSTOPPED; 3]);
    }

    #[test]
    fn a_stalemate_that_is_scored_as_checkmate_is_one_cause() {
        let told = |then| match Answer::score(EngineScore::Mate(0)) {
            Answer::Score(score) => Answer::Score(ToldScore { then, ..score }),
            other => other,
        };
        let scored = |check: &str, case: &str, then| Difference {
            subject: "mine".to_owned(),
            check: check.to_owned(),
            case: case.to_owned(),
            stored: told(then),
            ..Difference::default()
        };
        let mut found = [
            scored("stalemate/score", "bare king/01", Then::NoMove),
            scored("protocol/no-move-mate", "stalemate", Then::Nothing),
            scored("stalemate/score", "capture/01", Then::Move("a1a2".to_owned())),
        ];
        join_causes(&mut found, "mine");
        let causes = found.map(|found| found.cause_words().to_owned());
        assert_eq!(causes, [SharedCause::MateAtEnd.name(), SharedCause::MateAtEnd.name(), ""]);
    }

    #[track_caller]
    fn check(found: &[(&str, &str)], joined: &[&str]) {
        let difference = |&(check, cause): &(&str, &str)| {
            let cause = Cause::read(cause.to_owned(), check);
            let [subject, check] = ["mine", check].map(str::to_owned);
            Difference { subject, check, cause, ..Difference::default() }
        };
        let mut differences: Vec<Difference> = found.iter().map(difference).collect();
        join_causes(&mut differences, "other");
        assert!(differences.iter().zip(found).all(|(joined, (_, cause))| joined.cause_words() == *cause));
        join_causes(&mut differences, "mine");
        let causes: Vec<&str> = differences.iter().map(Difference::cause_words).collect();
        assert_eq!(causes, joined);
    }

    #[test]
    fn a_clock_that_is_not_counted_is_one_cause() {
        check(&[("draw/score", CLOCK), ("mate/unsound", CLOCK)], &[CLOCK; 2]);
        check(&[("draw/score", FEN_CLOCK), ("mate/unsound", CLOCK)], &[FEN_CLOCK; 2]);
        let late = SharedCause::LateLimit.name();
        let [draw, of_clock, mate] =
            [("draw/score", late), ("draw/score", FEN_CLOCK), ("mate/unsound", CLOCK)];
        check(&[draw, draw, of_clock, mate], &[late; 4]);
        check(&[draw, of_clock, mate], &[late, FEN_CLOCK, FEN_CLOCK]);
    }

    #[test]
    fn a_mate_through_a_repetition_says_little() {
        let through = ("mate/line", REPETITION);
        check(&[through, ("mate/unsound", REPETITION)], &["", ""]);
        check(&[through; 3], &[SharedCause::RepeatedMates.name(); 3]);
        check(&[through, ("draw/score", REPETITION)], &[REPETITION; 2]);
        check(&[("mate/unsound", REPETITION), ("mate/unsound", "")], &[FALSE_MATES; 2]);
    }

    /// Mates that are off by one are also wrong in positions with a game or a clock. Only findings of the
    /// suite `draws` tell this fault from a rule that the engine does not count.
    #[test]
    fn a_mate_off_by_one_is_no_rule_that_is_not_counted() {
        let short = ("mate/unsound", ONE_MOVE_SHORT);
        let [through, late] = [("mate/unsound", REPETITION), ("mate/unsound", FEN_CLOCK)];
        check(&[short, short, through, through, through, late, late], &[FALSE_MATES; 7]);
        check(
            &[short, short, late, ("draw/score", FEN_CLOCK)],
            &[ONE_MOVE_SHORT, ONE_MOVE_SHORT, FEN_CLOCK, FEN_CLOCK],
        );
        check(&[late, late], &[SharedCause::LateMates.name(); 2]);
    }

    #[test]
    fn mates_that_are_wrong_in_several_ways_are_one_cause() {
        let short = ("mate/unsound", ONE_MOVE_SHORT);
        check(&[short, short, ("mate/line", "")], &[ONE_MOVE_SHORT; 3]);
        let counted = ("protocol/mate-count", MATE_COUNT);
        check(&[short, short, counted], &[MATE_COUNT; 3]);
        check(&[short, ("mate/warm-hash", ""), ("mate/thrown", "")], &[FALSE_MATES; 3]);
        check(
            &[short, ("mate/unsound", CLOCK), ("mate/line", ILLEGAL_LINE)],
            &[FALSE_MATES, FALSE_MATES, ILLEGAL_LINE],
        );
        check(&[short, ("mate/line", "")], &[ONE_MOVE_SHORT, ""]);
        check(&[("mate/line", ""), ("mate/thrown", ""), ("draw/score", "")], &[""; 3]);
    }
}
