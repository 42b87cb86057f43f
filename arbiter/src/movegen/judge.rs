//! One case: a position and the moves of one class there, legal and not.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Position;
use shakmaty::uci::UciMove;
use suites::{Difference, SkipReason, Verdict};

use super::ask::{Abilities, Question, forget};
use super::class::{Class, illegal, legal};
use super::judged::Judged;
use super::minimise::minimise;
use super::place::Place;
use crate::runner::{Deadline, EnginePool};
use uci::{Engine, Failure};

/// Most moves of a class that are asked for in a position, legal ones and others.
const MOST_MOVES: usize = 16;
/// Most positions that are tried to find a smaller one.
const MOST_TRIED: u32 = 120;
/// The id of what did not come again.
pub(super) const FLAKY: &str = "movegen/flaky";
/// Most moves that a difference lists.
const SHOWN: usize = 12;

/// A program, what it can be asked, and until when.
pub(super) struct Context<'a> {
    pub(super) stable: &'a EnginePool,
    pub(super) abilities: &'a Abilities,
    pub(super) deadline: Deadline,
}

/// A position, and what is asked there.
pub(super) struct Case {
    pub(super) id: String,
    pub(super) place: Place,
    /// Moves of this class; the moves with which the program answers if there is none.
    pub(super) class: Option<Class>,
}

/// Most positions after moves of a position where it is asked for its move.
const MOST_ANSWERS: usize = 4;

/// A move that a program takes for what it is not.
#[derive(Debug, Clone)]
struct Fault {
    place: Place,
    mv: String,
    kind: Kind,
    question: Question,
    /// What it answered.
    said: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Missing,
    Extra,
}

/// What was found in a position.
#[derive(Default)]
struct Found {
    faults: Vec<Fault>,
    /// Whether some question could decide anything.
    decided: bool,
    /// Whether time was over before all was asked.
    cut_off: bool,
}

impl Context<'_> {
    /// Judges a case. What was found before the program broke, or time was over, is found.
    pub(super) fn judge(&self, case: &Case) -> Judged {
        let stable = self.stable.for_case(&case.id);
        let context = Context { stable: &stable, ..*self };
        let mut found = Found::default();
        let mut again = Found::default();
        let mut asked = stable.with(|engine| {
            context.hear(engine, case, &mut found)?;
            // What is wrong is asked again: in this process, and further down in another.
            if found.faults.is_empty() { Ok(()) } else { context.hear(engine, case, &mut again) }
        });
        if asked.is_err() && found.faults.is_empty() && !self.deadline.is_over() {
            found = Found::default();
            asked = stable.with_fresh(|engine| context.hear(engine, case, &mut found));
        }
        let broke = asked.is_err();
        let verdict = match asked {
            _ if !found.faults.is_empty() => {
                Verdict::Differ(Box::new(context.difference(case, &found.faults, &again.faults)))
            }
            // How it breaks is told of all cases together.
            Err(_) => Verdict::Skip(SkipReason::GivenUp),
            Ok(()) if found.cut_off => Verdict::Skip(SkipReason::OutOfTime),
            Ok(()) if !found.decided => Verdict::Skip(SkipReason::Unsupported),
            Ok(()) => Verdict::Agree,
        };
        Judged { verdict, agreed: 0, failed: broke, incidents: stable.into_incidents() }
    }

    /// Asks all of a case.
    fn hear(&self, engine: &mut Engine, case: &Case, found: &mut Found) -> Result<(), Failure> {
        if self.abilities.forgets {
            forget(engine)?;
        }
        match case.class {
            Some(class) => self.moves(engine, &case.place, class, found),
            None => self.answers(engine, &case.place, found),
        }
    }

    /// Whether time is over, which is then noted.
    fn is_cut_off(&self, found: &mut Found) -> bool {
        found.cut_off |= self.deadline.is_over();
        found.cut_off
    }

    /// Asks for each move of a class. A move is at fault once, by the first question that shows it.
    fn moves(
        &self,
        engine: &mut Engine,
        place: &Place,
        class: Class,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let (legal, illegal) = (legal(place), illegal(place));
        let listed = self.listed(engine, place, &legal)?;
        found.decided |= listed.is_some();
        let extra = listed.iter().flatten().filter(|mv| illegal.get(*mv) == Some(&class));
        found.faults.extend(extra.map(|mv| Fault::new(place, mv, Kind::Extra, Question::Listed, mv)));
        // Where nothing else tells: some stop listing once they see a mate.
        let tells = self.abilities.obeys() || self.abilities.refuses;
        let unlisted = listed
            .iter()
            .filter(|_| !tells)
            .flat_map(|listed| some(&legal, class).into_iter().filter(|mv| !listed.contains(*mv)));
        found.faults.extend(unlisted.map(|mv| Fault::new(place, mv, Kind::Missing, Question::Listed, "")));
        for mv in some(&legal, class) {
            if self.is_cut_off(found) {
                return Ok(());
            }
            let (fault, decides) = self.missing(engine, place, mv)?;
            found.decided |= decides;
            found.faults.extend(fault);
        }
        for mv in some(&illegal, class).into_iter().filter(|_| self.abilities.distrusts()) {
            if self.is_cut_off(found) {
                return Ok(());
            }
            found.decided = true;
            let is_known = found.faults.iter().any(|fault| fault.mv == *mv);
            if !is_known && self.abilities.only(engine, place, mv)? == *mv {
                found.faults.push(Fault::new(place, mv, Kind::Extra, Question::Only, mv));
            }
        }
        Ok(())
    }

    /// The moves that it lists, where it would list all and one more.
    fn listed(
        &self,
        engine: &mut Engine,
        place: &Place,
        legal: &BTreeMap<String, Class>,
    ) -> Result<Option<BTreeSet<String>>, Failure> {
        // Whoever can be asked for each move need not be asked for all of them, which takes longer.
        if self.abilities.lines <= legal.len() || self.abilities.distrusts() {
            return Ok(None);
        }
        // None at all: it had to be stopped, or says nothing where it has no choice.
        self.abilities.listed(engine, place).map(|listed| Some(listed).filter(|listed| !listed.is_empty()))
    }

    /// How a legal move is missing, if it is; and whether the answers depend on what the program takes for legal. One that searches
    /// whatever stands after `searchmoves`, or answers anything after a move, shows nothing.
    fn missing(
        &self,
        engine: &mut Engine,
        place: &Place,
        mv: &str,
    ) -> Result<(Option<Fault>, bool), Failure> {
        let fault = |question, said: &str| Some(Fault::new(place, mv, Kind::Missing, question, said));
        let mut decides = self.abilities.distrusts();
        if self.abilities.obeys() {
            let said = self.abilities.only(engine, place, mv)?;
            if said != mv {
                return Ok((fault(Question::Only, &said), true));
            }
        }
        if place.position.legal_moves().len() == 1 {
            let said = self.abilities.best(engine, place)?;
            if said != mv {
                return Ok((fault(Question::Best, &said), true));
            }
            decides = true;
        }
        let after = place.after(mv).filter(|after| self.abilities.refuses && !after.is_over());
        if let Some(after) = after {
            let said = self.abilities.played(engine, place, mv)?;
            // A move of the side that has just moved: it has not.
            if after.moves_other_side(&said) || place.legal(&said).is_some() {
                return Ok((fault(Question::Played, &said), true));
            }
            decides |= after.legal(&said).is_some();
        }
        Ok((None, decides))
    }

    /// Asks for its move in a position and after each of some moves there, and for moves that are of no class.
    fn answers(&self, engine: &mut Engine, place: &Place, found: &mut Found) -> Result<(), Failure> {
        found.decided = true;
        let legal = legal(place);
        let step = legal.len().div_ceil(MOST_ANSWERS).max(1);
        let after = legal.keys().step_by(step).filter_map(|mv| place.after(mv));
        for place in [place.clone()].into_iter().chain(after).filter(|place| !place.is_over()) {
            if self.is_cut_off(found) {
                return Ok(());
            }
            let said = self.abilities.best(engine, &place)?;
            // Who knows of no move where there is one lacks that move: it is asked for where it belongs.
            let is_asked = said.parse::<UciMove>().is_err() && place.position.legal_moves().len() == 1;
            if place.legal(&said).is_none() && !is_asked {
                found.faults.push(Fault::new(&place, &said, Kind::Extra, Question::Best, &said));
            }
        }
        let illegal = illegal(place);
        let listed = self.listed(engine, place, &legal)?;
        let strange =
            listed.iter().flatten().filter(|mv| !legal.contains_key(*mv) && !illegal.contains_key(*mv));
        found.faults.extend(strange.map(|mv| Fault::new(place, mv, Kind::Extra, Question::Listed, mv)));
        Ok(())
    }

    /// What is to be said of faults, the first of them in the smallest position that shows it. One that comes neither in another
    /// process nor again in the same one is a note.
    fn difference(&self, case: &Case, faults: &[Fault], again: &[Fault]) -> Difference {
        let comes_again = |fault: &&Fault| again.iter().any(|again| again.is_same(fault));
        let first = faults.iter().find(comes_again).unwrap_or(&faults[0]);
        let came_again = comes_again(&first);
        let alone = || self.stable.with_fresh(|engine| self.shows(engine, &first.place, first));
        let alone = (!self.deadline.is_over()).then(alone);
        let is_shown = came_again || matches!(alone, Some(Ok(true)));
        let mut place = first.place.clone();
        let how = match alone {
            Some(Ok(true)) => {
                place = minimise(&place, MOST_TRIED, &mut |place| self.stays(place, case.class, first));
                ""
            }
            Some(Ok(false)) => "; asked alone, a new process does not show it",
            Some(Err(_)) => "; asked alone, a new process breaks over it",
            None => "; time was over before a new process could be asked",
        };
        let again = match (how, is_shown) {
            ("", _) => "",
            (_, true) => ", the one that did shows it again",
            (_, false) => ", and it came once",
        };
        Difference {
            subject: self.stable.name().to_owned(),
            check: if is_shown { id(case.class) } else { FLAKY.to_owned() },
            case: case.id.clone(),
            stored: first.stored(),
            expected: first.expected(&place),
            source: "shakmaty".to_owned(),
            explanation: format!("{}, in {}{how}{again}", lists(faults), first.place.fen),
            replay: self.stable.replay(&self.abilities.lines_of(first.question, &place, &first.mv)),
            fen: place.fen,
        }
    }

    /// Whether a fault is there in a smaller position, where the move is what it was. Nothing more is asked when time is over,
    /// or once it broke.
    fn stays(&self, place: &Place, class: Option<Class>, fault: &Fault) -> Option<bool> {
        let (legal, moves) = (legal(place), illegal(place));
        let same = match (fault.kind, class) {
            (_, None) => !legal.contains_key(&fault.mv),
            (Kind::Missing, class) => {
                legal.get(&fault.mv).copied() == class
                    && (fault.question != Question::Best || legal.len() == 1)
            }
            (Kind::Extra, class) => moves.get(&fault.mv).copied() == class,
        };
        if !same {
            return Some(false);
        }
        let asks = || self.stable.with(|engine| self.shows(engine, place, fault)).ok();
        (!self.deadline.is_over()).then(asks).flatten()
    }

    /// Whether a question shows a fault in a position.
    fn shows(&self, engine: &mut Engine, place: &Place, fault: &Fault) -> Result<bool, Failure> {
        let mv = &fault.mv;
        Ok(match (fault.kind, fault.question) {
            (Kind::Missing, Question::Listed) => {
                self.listed(engine, place, &legal(place))?.is_some_and(|listed| !listed.contains(mv))
            }
            (Kind::Missing, question) => {
                self.missing(engine, place, mv)?.0.is_some_and(|found| found.question == question)
            }
            (Kind::Extra, Question::Listed) => {
                self.listed(engine, place, &legal(place))?.is_some_and(|listed| listed.contains(mv))
            }
            (Kind::Extra, Question::Only) => self.abilities.only(engine, place, mv)? == *mv,
            (Kind::Extra, _) => self.abilities.best(engine, place)? == *mv,
        })
    }
}

impl Fault {
    fn new(place: &Place, mv: &str, kind: Kind, question: Question, said: &str) -> Self {
        Self { place: place.clone(), mv: mv.to_owned(), kind, question, said: said.to_owned() }
    }

    /// Whether the same is wrong.
    fn is_same(&self, other: &Self) -> bool {
        (self.kind, &self.mv, &self.place.fen) == (other.kind, &other.mv, &other.place.fen)
    }

    fn stored(&self) -> String {
        let Self { mv, said, .. } = self;
        match self.question {
            Question::Best => format!("bestmove {said}"),
            Question::Only => format!("bestmove {said} where only {mv} may be searched"),
            Question::Played => format!("bestmove {said} after {mv}"),
            Question::Listed if said.is_empty() => format!("all best lines without {mv}"),
            Question::Listed => format!("{mv} among the best lines"),
        }
    }

    fn expected(&self, place: &Place) -> String {
        match (self.kind, self.question) {
            (Kind::Missing, Question::Played) => format!("a move of the other side: {} is legal", self.mv),
            (Kind::Missing, _) => format!("{}: it is legal", self.mv),
            (Kind::Extra, Question::Best) => {
                format!("one of the {} legal moves", place.position.legal_moves().len())
            }
            (Kind::Extra, _) => format!("not {}: it is not legal", self.mv),
        }
    }
}

/// The moves at fault, by how.
fn lists(faults: &[Fault]) -> String {
    let list = |name: &str, is_so: &dyn Fn(&Fault) -> bool| {
        let moves: Vec<&str> =
            faults.iter().filter(|fault| is_so(fault)).map(|fault| fault.mv.as_str()).collect();
        let more = if moves.len() > SHOWN { " ..." } else { "" };
        let shown = moves[..moves.len().min(SHOWN)].join(" ");
        (!moves.is_empty()).then(|| format!("{name}: {shown}{more}"))
    };
    let is_answer = |fault: &Fault| fault.question == Question::Best;
    let lists = [
        list("missing moves", &|fault| fault.kind == Kind::Missing),
        list("extra moves", &|fault| fault.kind == Kind::Extra && !is_answer(fault)),
        list("answers that are no legal moves", &|fault| fault.kind == Kind::Extra && is_answer(fault)),
    ];
    lists.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The id of the check for a class; of that for answers if there is none.
pub(super) fn id(class: Option<Class>) -> String {
    class.map_or_else(|| "movegen/bestmove".to_owned(), Class::id)
}

/// Moves of a class, spread evenly over all of them.
fn some(moves: &BTreeMap<String, Class>, class: Class) -> Vec<&String> {
    let of_class: Vec<&String> = moves.iter().filter(|(_, of)| **of == class).map(|(mv, _)| mv).collect();
    let step = of_class.len().div_ceil(MOST_MOVES).max(1);
    of_class.into_iter().step_by(step).collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::time::Duration;

    use shakmaty::CastlingMode;

    use super::*;
    use crate::Incident;
    use uci::{Program, Timeouts};

    /// Plays whatever it is told to search.
    const OBEYS: &str = "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
                         go*searchmoves*) echo bestmove ${line##* };; go*) echo bestmove a2a3;; \
                         quit) exit;; esac; done";

    /// The verdict on a case, and what is said of a fault there and how it broke, if so much time is left.
    fn judged(time: Option<Duration>) -> (Verdict, String, Vec<Incident>) {
        let arguments = ["-c", OBEYS].map(Into::into).into();
        let program = Program { path: "/bin/sh".into(), arguments, ..Program::default() };
        let stable = EnginePool::new(program, Timeouts::default());
        let abilities = Abilities::find_out(&stable).unwrap();
        assert!(abilities.obeys() && !abilities.distrusts(), "{abilities:?}");
        let place = Place::read("4k3/8/8/8/8/8/8/4K2R w K - 0 1", CastlingMode::Standard).unwrap();
        let fault = Fault::new(&place, "e1g1", Kind::Missing, Question::Only, "e1e2");
        let case = Case { id: "castling-01".to_owned(), place, class: Some(Class::Castling) };
        let context = Context { stable: &stable, abilities: &abilities, deadline: Deadline::after(time) };
        let stays = context.stays(&case.place, case.class, &fault);
        assert_eq!(stays, time.is_none().then_some(false));
        let found = context.difference(&case, std::slice::from_ref(&fault), std::slice::from_ref(&fault));
        assert_eq!(found.check, "movegen/castling");
        assert!(found.explanation.ends_with(", the one that did shows it again"), "{}", found.explanation);
        let difference = context.difference(&case, &[fault], &[]);
        assert_eq!((&*difference.fen, &*difference.check), (&*case.place.fen, FLAKY));
        (context.judge(&case).verdict, difference.explanation, stable.into_incidents())
    }

    #[test]
    fn nothing_is_asked_when_time_is_over_and_what_was_found_is_told() {
        let (verdict, explanation, incidents) = judged(None);
        // It echoes what it is told, and knows no chess.
        assert_eq!((verdict, incidents), (Verdict::Skip(SkipReason::Unsupported), Vec::new()));
        assert!(
            explanation.ends_with("; asked alone, a new process does not show it, and it came once"),
            "{explanation}"
        );
        let (verdict, explanation, incidents) = judged(Some(Duration::ZERO));
        assert_eq!((verdict, incidents), (Verdict::Skip(SkipReason::OutOfTime), Vec::new()));
        assert!(
            explanation.ends_with("; time was over before a new process could be asked, and it came once"),
            "{explanation}"
        );
    }
}
