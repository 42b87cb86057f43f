//! A thinker of our engine as a subject, in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use engine::eval::EvalOptions;
use engine::search::Searcher;
use engine::specimen;
use engine::tables::{Ply, TableSet};
use engine::thinking::{self, Control, Limits, Report, Setting, Settings, Thinker, TimeBudget};
use engine::{CastlingMode, Game, Position, ScoreKind};

use super::{Aid, Bound, Limit, Line, NoAnswer, Question, Reply, Score, Setup, Subject, Subjects};

/// The size of the hash table where it is on, in MiB.
const HASH: usize = 16;

/// Makes a thinker of one kind.
type Make = dyn Fn(&Settings) -> Box<dyn Thinker> + Send + Sync;

/// A kind of thinker, and what it is helped by.
pub struct InProcess {
    name: String,
    /// What follows the name of the program, to be it.
    arguments: String,
    tables: Option<Arc<TableSet>>,
    uses: &'static [Setting],
    make: Box<Make>,
    control: fn() -> Control,
}

impl InProcess {
    /// Our search, with these tables where tables are on.
    pub fn engine(tables: TableSet) -> Self {
        Self::new("engine", "", Some(tables), |settings| Box::new(Searcher::new(settings)))
    }

    /// A specimen by its name.
    ///
    /// # Panics
    /// Never: a name that is known once is known again.
    pub fn specimen(name: &str) -> Option<Self> {
        let name = *specimen::NAMES.iter().find(|&&known| known == name)?;
        specimen::by_name(name)?;
        let make = move |_: &Settings| specimen::by_name(name).expect("it is known by that name");
        Some(Self::new(name, &format!(" --specimen {name}"), None, make))
    }

    /// Any thinker: what this makes, told by these arguments of the program.
    pub(crate) fn new(
        name: &str,
        arguments: &str,
        tables: Option<TableSet>,
        make: impl Fn(&Settings) -> Box<dyn Thinker> + Send + Sync + 'static,
    ) -> Self {
        let uses = make(&Settings { hash: 1, ..Settings::default() }).uses();
        Self {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
            tables: tables.map(Arc::new),
            uses,
            make: Box::new(make),
            control: Control::default,
        }
    }

    /// The same with a clock, for limits of time.
    pub fn with_control(self, control: fn() -> Control) -> Self {
        Self { control, ..self }
    }

    fn settings(&self, setup: Setup) -> Settings {
        Settings {
            hash: if setup.has(Aid::Hash) { HASH } else { 0 },
            threads: 1,
            multi_pv: 1,
            evaluation: EvalOptions {
                knowledge: setup.has(Aid::Knowledge),
                king_tables: setup.has(Aid::KingTables),
            },
            tables: self.tables.clone().filter(|_| setup.has(Aid::Tables)),
        }
    }
}

impl Subjects for InProcess {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&self, setup: Setup) -> Result<Box<dyn Subject>, NoAnswer> {
        let settings = self.settings(setup);
        let mut thinker = (self.make)(&settings);
        thinker.configure(&settings);
        Ok(Box::new(Running { thinker, control: self.control }))
    }

    fn has(&self, aid: Aid) -> bool {
        let uses = |setting| self.uses.contains(&setting);
        match aid {
            Aid::Tables => self.tables.is_some() && uses(Setting::Tables),
            Aid::Hash => uses(Setting::Hash),
            Aid::Knowledge | Aid::KingTables => uses(Setting::Evaluation),
        }
    }

    /// The program takes the end of its input as the word to stop: it is kept waiting until it has answered.
    fn replay(&self, setup: Setup, question: &Question) -> String {
        let off = Aid::ALL.into_iter().filter(|&aid| self.has(aid) && !setup.has(aid));
        let options = off.map(|aid| match aid {
            Aid::Tables => "setoption name Tables value false",
            Aid::Knowledge => "setoption name Endgame Knowledge value false",
            Aid::KingTables => "setoption name King Tables value false",
            Aid::Hash => "setoption name Hash value 0",
        });
        let lines: Vec<String> = options.map(str::to_owned).chain(question.commands()).collect();
        let commands = lines.join("\\n");
        let build = "cargo build --release --quiet --package engine";
        format!("{build} && (printf '{commands}\\n'; sleep 3) | target/release/engine{}", self.arguments)
    }
}

/// A thinker that answers.
struct Running {
    thinker: Box<dyn Thinker>,
    control: fn() -> Control,
}

impl Subject for Running {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.thinker.forget();
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let (game, limits) = (game(question)?, limits(question.limit));
        let mut lines = Vec::new();
        let position = *game.position();
        let mut listener = |report: &Report| {
            if report.rank == 1 {
                lines.push(line(position, report));
            }
        };
        let control = (self.control)();
        let think = || self.thinker.think(&game, &limits, &control, &mut listener);
        let answer =
            catch_unwind(AssertUnwindSafe(think)).map_err(|_| NoAnswer::Broken("it panics".to_owned()))?;
        let best = answer.best.map(|mv| position.to_uci(mv, CastlingMode::Standard));
        Ok(Reply { lines, best, cut: false })
    }
}

fn game(question: &Question) -> Result<Game, NoAnswer> {
    let refuse =
        |error: &dyn std::fmt::Display| NoAnswer::Broken(format!("it refuses the position: {error}"));
    let mut game = Game::new(Position::from_fen(&question.fen).map_err(|error| refuse(&error))?);
    for text in &question.moves {
        let mv = game.position().parse_uci(text, CastlingMode::Standard).map_err(|error| refuse(&error))?;
        game.play(mv).map_err(|error| refuse(&error))?;
    }
    Ok(game)
}

fn limits(limit: Limit) -> Limits {
    match limit {
        Limit::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
        Limit::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        Limit::MoveTime(time) => {
            Limits { time: Some(TimeBudget { soft: None, hard: time }), ..Limits::default() }
        }
    }
}

fn line(mut position: Position, report: &Report) -> Line {
    let mut pv = Vec::new();
    for &mv in &report.line {
        pv.push(position.to_uci(mv, CastlingMode::Standard));
        // What follows an illegal move is written as it stands: it is for the judge to see.
        if position.legal_moves().contains(&mv) {
            position = position.play_unchecked(mv);
        }
    }
    let score = match report.score.kind() {
        ScoreKind::Centipawns(hundredths) => Score::Centipawns(hundredths),
        ScoreKind::Mate(Ply(plies)) => Score::Mate(i32::from(plies.div_ceil(2))),
        ScoreKind::Mated(Ply(plies)) => Score::Mate(-i32::from(plies / 2)),
    };
    let bound = match report.bound {
        thinking::Bound::Exact => Bound::Exact,
        thinking::Bound::Lower => Bound::Lower,
        thinking::Bound::Upper => Bound::Upper,
    };
    Line { depth: report.depth.into(), score, bound, nodes: Some(report.nodes), pv }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOK_MATE: &str = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1";

    fn ask(subjects: &InProcess, fen: &str, limit: Limit) -> Result<Reply, NoAnswer> {
        subjects.start(Setup::ALL)?.ask(&Question::of(fen, limit))
    }

    #[test]
    fn the_engine_answers_in_words_of_uci() {
        let engine = InProcess::engine(TableSet::default());
        let reply = ask(&engine, ROOK_MATE, Limit::Depth(3)).unwrap();
        let last = reply.last().unwrap();
        assert_eq!((last.score, &last.pv[..]), (Score::Mate(1), &["c2c1".to_owned()][..]));
        assert_eq!(reply.best.as_deref(), Some("c2c1"));
        assert!(ask(&engine, "8/8/8 w", Limit::Depth(1)).is_err());
    }

    #[test]
    fn castling_is_written_as_in_standard_chess() {
        let engine = InProcess::engine(TableSet::default());
        let mut subject = engine.start(Setup::ALL).unwrap();
        let question = Question {
            moves: vec!["e1g1".to_owned()],
            ..Question::of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Limit::Depth(1))
        };
        assert!(subject.ask(&question).is_ok());
        // Castling alone is mate.
        let reply = ask(&engine, "8/8/8/4R3/8/8/6R1/1k2K2R w K - 0 1", Limit::Depth(3)).unwrap();
        assert_eq!(reply.best.as_deref(), Some("e1g1"));
        assert_eq!(reply.last().unwrap().pv, ["e1g1"]);
    }

    #[test]
    fn specimens_go_by_their_names() {
        for name in specimen::NAMES {
            let specimen = InProcess::specimen(name).unwrap();
            assert_eq!(specimen.name(), *name);
            assert!(!specimen.has(Aid::Tables) && !specimen.has(Aid::Knowledge));
            assert!(ask(&specimen, ROOK_MATE, Limit::Depth(3)).unwrap().best.is_some());
        }
        assert!(InProcess::specimen("minimax").is_none());
    }

    #[test]
    fn a_replay_turns_off_what_was_off() {
        let engine = InProcess::engine(TableSet::default());
        let question = Question::of(ROOK_MATE, Limit::Depth(1));
        let replay = engine.replay(Setup::ALL.without(Aid::Knowledge), &question);
        let commands = "setoption name Endgame Knowledge value false\\nposition fen";
        assert!(replay.contains(commands) && !replay.contains("King Tables"), "{replay}");
    }
}
