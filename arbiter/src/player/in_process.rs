//! Players in this process: our engine, its misprints and its specimens, each behind the text of a UCI
//! session.
//!
//! What a session prints is read by the parser for programs in `uci`.

use std::time::Duration;

use engine::search::AlphaBeta;
use engine::search_api::{Searcher, Setting, Settings};
use engine::specimens;
use engine::tables::{Metric, TableSet};
use engine::uci::Dialogue;
use suites::Replay;
use uci::{Message, Question, Reply, set_option};

use super::host::{SessionHost, Stopwatch, TABLE_FOLDER};
use super::misprint::Misprint;
use super::{Aid, NoAnswer, Player, PlayerFactory, Setup};

/// The best move of a session in a position without legal moves.
const NO_MOVE: &str = "(none)";

/// The name of our engine in reports.
pub const ENGINE: &str = "engine";

/// Makes the search of a session.
type MakeSearcher = dyn Fn() -> Box<dyn Searcher> + Send + Sync;

/// A kind of player in this process, and its aids.
pub struct InProcess {
    name: String,
    /// The arguments of the engine that start the same search, each after a blank.
    arguments: String,
    aids: &'static [Aid],
    /// Whether it searches with our engine's search and tables, which prove mates.
    proves_mates: bool,
    /// Options that are set besides the aids.
    options: Vec<(&'static str, String)>,
    /// The tables that it reads by its option `TablePath`.
    tables: Option<TableSet>,
    make: Box<MakeSearcher>,
    clock: fn() -> Stopwatch,
    misprint: Option<Misprint>,
}

impl InProcess {
    /// Our engine with the settings of its program. It builds its tables itself.
    pub fn engine() -> Self {
        let engine = Self::new(ENGINE, "", || Box::new(AlphaBeta::new(&Settings::default())));
        let engine = engine.with_aids(&Aid::ALL);
        // The tables are built once for all sessions. Here all cores are free for that.
        drop(engine.start(Setup::ALL));
        engine
    }

    /// Our engine with one fault in what it prints.
    pub fn misprinted(misprint: Misprint) -> Self {
        Self { name: misprint.name().to_owned(), misprint: Some(misprint), ..Self::engine() }
    }

    /// Our engine, a misprint or a specimen by its name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            ENGINE => Some(Self::engine()),
            _ => name
                .parse()
                .map_or_else(|_| Self::specimen(name), |misprint| Some(Self::misprinted(misprint))),
        }
    }

    /// The names of all players, our engine first.
    pub fn names() -> Vec<String> {
        let names = [ENGINE]
            .into_iter()
            .chain(specimens::NAMES.iter().copied())
            .chain(Misprint::ALL.map(Misprint::name));
        names.map(str::to_owned).collect()
    }

    /// A specimen by its name.
    ///
    /// # Panics
    /// Never: the list of names has only specimens that exist.
    pub fn specimen(name: &str) -> Option<Self> {
        let name = *specimens::NAMES.iter().find(|&&known| known == name)?;
        let has_tables = specimens::by_name(name)?.settings_used().contains(&Setting::Tables);
        let make = move || specimens::by_name(name).expect("it is known by that name");
        Some(Self { proves_mates: has_tables, ..Self::new(name, &format!(" --specimen {name}"), make) })
    }

    /// Any search without aids. `arguments` start the same search in the program.
    pub(crate) fn new(
        name: &str,
        arguments: &str,
        make: impl Fn() -> Box<dyn Searcher> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
            aids: &[],
            proves_mates: false,
            options: Vec::new(),
            tables: None,
            make: Box::new(make),
            clock: || Box::new(|| Duration::ZERO),
            misprint: None,
        }
    }

    /// This player with these aids.
    pub(crate) fn with_aids(self, aids: &'static [Aid]) -> Self {
        Self { aids, proves_mates: aids.contains(&Aid::Tables), ..self }
    }

    /// This player with a clock, for limits of time. Without one, no time passes.
    pub fn with_clock(self, clock: fn() -> Stopwatch) -> Self {
        Self { clock, ..self }
    }

    /// This player with an option set.
    pub fn with_option(mut self, name: &'static str, value: &str) -> Self {
        self.options.push((name, value.to_owned()));
        self
    }

    /// This player with tables that it reads by its option `TablePath`, as from the folder of `tables build`.
    pub fn with_tables(self, tables: TableSet) -> Self {
        Self { tables: Some(tables), ..self.with_option("TablePath", TABLE_FOLDER) }
    }

    /// The commands that set it up.
    fn set_up(&self, setup: Setup) -> Vec<String> {
        let off = Aid::ALL.into_iter().filter(|&aid| self.has(aid) && !setup.has(aid)).map(|aid| match aid {
            Aid::Tables => ("Tables", "false"),
            Aid::Knowledge => ("Endgame Knowledge", "false"),
            Aid::KingTables => ("King Tables", "false"),
            Aid::Hash => ("Hash", "0"),
        });
        let options = self.options.iter().map(|(name, value)| (*name, value.as_str()));
        options.chain(off).map(|(name, value)| set_option(name, value)).collect()
    }
}

impl PlayerFactory for InProcess {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        let session =
            Dialogue::new(SessionHost { clock: self.clock, tables: self.tables.clone() }, (self.make)());
        let mut running = SessionPlayer { session, misprint: self.misprint };
        let lines: Vec<String> = self.set_up(setup).into_iter().chain(["isready".to_owned()]).collect();
        running.send(&lines)?;
        Ok(Box::new(running))
    }

    fn has(&self, aid: Aid) -> bool {
        self.aids.contains(&aid)
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn reads_table(&self, table: &str) -> bool {
        let material = table.parse().ok();
        self.tables.as_ref().zip(material).is_some_and(|(tables, material)| tables.has(material, Metric::Dtm))
    }

    fn proves_mates(&self) -> bool {
        self.proves_mates
    }

    /// The program stops at the end of its input, so the command keeps the input open until the program has
    /// answered. The program has no misprints, so the command for a misprint is `verify`.
    fn replay(&self, setup: Setup, question: &Question) -> Replay {
        let lines: Vec<String> = self.set_up(setup).into_iter().chain(question.commands()).collect();
        if self.misprint.is_some() {
            return Replay::touchstone(format_args!("verify --subject {} # {}", self.name, lines.join("; ")));
        }
        let feed = format!("(printf '{}\\n'; sleep 3)", lines.join("\\n"));
        Replay::engine(&feed, &self.arguments)
    }
}

/// A player: a session of our engine.
struct SessionPlayer {
    session: Dialogue<SessionHost>,
    misprint: Option<Misprint>,
}

impl SessionPlayer {
    /// Sends lines. Returns what is printed.
    fn run(&mut self, lines: &[String]) -> Result<String, NoAnswer> {
        let lines = lines.join("\n");
        self.session.say(&lines).map_err(|error| NoAnswer::Broken(format!("its session breaks: {error}")))
    }

    fn send(&mut self, lines: &[String]) -> Result<(), NoAnswer> {
        read(self.run(lines)?.lines().map(Message::read)).map(|_| ())
    }
}

impl Player for SessionPlayer {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.send(&["ucinewgame".to_owned()])
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let printed = self.run(&question.commands())?;
        match self.misprint {
            Some(misprint) => {
                read(printed.lines().map(|line| Message::read(&misprint.print(question, line))))
            }
            None => read(printed.lines().map(Message::read)),
        }
    }
}

/// Reads an answer. An `info string` is a complaint about the question, so that there is no answer.
fn read(lines: impl Iterator<Item = Message>) -> Result<Reply, NoAnswer> {
    let mut reply = Reply::default();
    for message in lines {
        match message {
            Message::Info(info) => {
                if let Some(complaint) = info.string {
                    return Err(NoAnswer::Broken(complaint));
                }
                reply.lines.extend(info.line());
            }
            Message::BestMove(best) => reply.best = Some(best.text).filter(|text| text != NO_MOVE),
            _ => {}
        }
    }
    Ok(reply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::{Limit, Score};

    const ROOK_MATE: &str = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1";

    fn ask(players: &InProcess, fen: &str, limit: Limit) -> Result<Reply, NoAnswer> {
        players.start(Setup::ALL)?.ask(&Question::new(fen, limit))
    }

    #[test]
    fn the_engine_answers_in_uci() {
        let engine = InProcess::engine();
        let reply = ask(&engine, ROOK_MATE, Limit::Depth(3)).unwrap();
        let last = reply.last().unwrap();
        assert_eq!((last.score, &last.pv[..]), (Score::Mate(1), &["c2c1".to_owned()][..]));
        assert_eq!(reply.best.as_deref(), Some("c2c1"));
        // It has its tables unless they are off.
        let far = "8/8/8/4k3/8/8/2K5/R7 w - - 0 1";
        assert_eq!(ask(&engine, far, Limit::Depth(1)).unwrap().last().unwrap().score, Score::Mate(13));
        let mut without = engine.start(Setup::ALL.without(Aid::Tables)).unwrap();
        let reply = without.ask(&Question::new(far, Limit::Depth(1))).unwrap();
        assert!(matches!(reply.last().unwrap().score, Score::Centipawns(_)), "{reply:?}");
    }

    #[test]
    fn a_complaint_is_not_an_answer() {
        let engine = InProcess::engine();
        let refused = ask(&engine, "8/8/8 w", Limit::Depth(1)).unwrap_err();
        assert!(matches!(&refused, NoAnswer::Broken(why) if why.starts_with("position: ")), "{refused}");
        let wrong = InProcess::engine().with_option("Hash", "much");
        assert!(
            matches!(wrong.start(Setup::ALL), Err(NoAnswer::Broken(why)) if why.starts_with("setoption: "))
        );
    }

    #[test]
    fn there_is_no_move_after_the_end_of_the_game() {
        let reply = ask(&InProcess::engine(), "8/8/8/8/8/1K6/8/k1R5 b - - 0 1", Limit::Depth(1)).unwrap();
        assert_eq!((reply.last().unwrap().score, reply.best), (Score::Mate(0), None));
    }

    #[test]
    fn castling_is_written_as_in_standard_chess() {
        let engine = InProcess::engine();
        let mut player = engine.start(Setup::ALL).unwrap();
        let question = Question {
            moves: vec!["e1g1".to_owned()],
            ..Question::new("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Limit::Depth(1))
        };
        assert!(player.ask(&question).is_ok());
        // Castling alone is mate.
        let reply = ask(&engine, "8/8/8/4R3/8/8/6R1/1k2K2R w K - 0 1", Limit::Depth(3)).unwrap();
        assert_eq!(reply.best.as_deref(), Some("e1g1"));
        assert_eq!(reply.last().unwrap().pv, ["e1g1"]);
    }

    /// The second search of a position differs from the first, unless all is forgotten between them.
    #[test]
    fn a_new_game_forgets_the_one_before() {
        let engine = InProcess::engine();
        let middle = Question::new(
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            Limit::Depth(6),
        );
        let mut player = engine.start(Setup::ALL).unwrap();
        let first = player.ask(&middle).unwrap();
        assert_ne!(player.ask(&middle).unwrap(), first);
        player.forget().unwrap();
        assert_eq!(player.ask(&middle).unwrap(), first);
    }

    #[test]
    fn each_name_makes_its_player() {
        let names = InProcess::names();
        assert_eq!(names[0], ENGINE);
        for name in &names {
            let player = InProcess::named(name).unwrap();
            assert_eq!((player.name(), player.is_ours()), (name.as_str(), true));
            let is_engine = !specimens::NAMES.contains(&name.as_str());
            assert_eq!(Aid::ALL.map(|aid| player.has(aid)), [is_engine; 4]);
            assert!(ask(&player, ROOK_MATE, Limit::Depth(3)).unwrap().best.is_some());
        }
        assert!(InProcess::named("minimax").is_none());
    }

    #[test]
    fn a_replay_turns_off_the_aids_that_were_off() {
        let engine = InProcess::engine();
        let question = Question::new(ROOK_MATE, Limit::Depth(1));
        let replay = engine.replay(Setup::ALL.without(Aid::Knowledge), &question);
        let commands = "setoption name Endgame Knowledge value false\\nposition fen";
        assert!(replay.contains(commands) && !replay.contains("King Tables"), "{replay}");
    }
}
