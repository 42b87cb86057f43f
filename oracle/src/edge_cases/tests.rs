//! Counts compared with plain loops on shakmaty's rules, wrong tables, and lists.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use engine::tables::builders;
use shakmaty::{Board, CastlingMode, Chess, Color, Piece, Position, Role, Setup, Square};
use suites::census::SideToMove;
use suites::rows::{EdgeCase, EdgeCaseRow};

use super::*;
use crate::board::{self, Accept, Spelling};
use crate::positions::Men;
use crate::table_probe::{EngineTables, ProbeError, TableProbe, TableValue, Wdl};

static PRODUCTION: LazyLock<EngineTables> =
    LazyLock::new(|| EngineTables::production(built(&["KPvK", "KQvK", "KRvK"])));
static PAWNS: LazyLock<EngineTables> = LazyLock::new(|| EngineTables::production(built(&["KPvKP"])));

fn built(names: &[&str]) -> engine::tables::TableSet {
    let materials: Vec<_> = names.iter().map(|name| name.parse().unwrap()).collect();
    builders::production(&materials).unwrap()
}

fn counted(subject: &dyn TableProbe, table: &str) -> Vec<EdgeCaseRow> {
    count(subject, &table.parse().unwrap(), &|_| ())
}

/// Positions and classes of a kind.
fn figures(rows: &[EdgeCaseRow], side: SideToMove, kind: EdgeCase) -> (u64, u64) {
    let row = rows.iter().find(|row| row.side_to_move == side && row.edge_case == kind).unwrap();
    (row.positions, row.positions_unique)
}

fn side(turn: Color) -> SideToMove {
    turn.fold_wb(SideToMove::White, SideToMove::Black)
}

/// The position with these men, if the rules allow it; impossible checks are allowed.
fn legal(board: &Board, turn: Color, ep_square: Option<Square>) -> Option<Chess> {
    let setup = Setup { board: board.clone(), turn, ep_square, ..Setup::empty() };
    board::from_setup(setup, CastlingMode::Standard, Accept::ImpossibleCheck).ok()
}

/// All ways to put these men on 64 squares.
fn boards(men: &[Piece]) -> Vec<Board> {
    let mut boards = vec![Board::empty()];
    for &man in men {
        let mut with = Vec::new();
        for board in boards {
            for square in Square::ALL.into_iter().filter(|&square| board.piece_at(square).is_none()) {
                let mut board = board.clone();
                board.set_piece_at(square, man);
                with.push(board);
            }
        }
        boards = with;
    }
    boards
}

/// The least text of all images of a position.
fn class(board: &Board, turn: Color) -> String {
    let images = if board.pawns().any() { 2 } else { 8 };
    let texts = (0..images).map(|image| {
        let mut board = board.clone();
        if image & 1 == 1 {
            board.flip_horizontal();
        }
        if image & 2 == 2 {
            board.flip_vertical();
        }
        if image & 4 == 4 {
            board.flip_diagonal();
        }
        board.to_string()
    });
    format!("{} {turn}", texts.min().unwrap())
}

/// The edge cases of a position by their definitions, with each move tried.
fn plain_kinds(subject: &dyn TableProbe, position: &Chess) -> Vec<EdgeCase> {
    let wdl = |position: &Chess| crate::checks::resolved(subject, position).unwrap().wdl;
    let moves = position.legal_moves();
    if moves.is_empty() {
        return vec![if position.is_check() { EdgeCase::Checkmate } else { EdgeCase::Stalemate }];
    }
    let leading_to = |result: Wdl| {
        let after = moves.iter().map(|&mv| (mv, board::after(position, mv)));
        after.filter(|(_, after)| wdl(after) == result).collect::<Vec<_>>()
    };
    let (winning, drawing) = (leading_to(Wdl::Loss), leading_to(Wdl::Draw));
    let mut found = Vec::new();
    let (best, of_roles) = if winning.is_empty() {
        let of_roles = [
            (EdgeCase::UnderpromotionDraws, None),
            (EdgeCase::UnderpromotionDrawsKnight, Some(Role::Knight)),
            (EdgeCase::UnderpromotionDrawsBishop, Some(Role::Bishop)),
            (EdgeCase::UnderpromotionDrawsRook, Some(Role::Rook)),
        ];
        (&drawing, of_roles)
    } else {
        let of_roles = [
            (EdgeCase::Underpromotion, None),
            (EdgeCase::UnderpromotionKnight, Some(Role::Knight)),
            (EdgeCase::UnderpromotionBishop, Some(Role::Bishop)),
            (EdgeCase::UnderpromotionRook, Some(Role::Rook)),
        ];
        (&winning, of_roles)
    };
    for (kind, role) in of_roles {
        let is_it = |promotion: Option<Role>| {
            promotion.is_some_and(|to| to != Role::Queen && role.is_none_or(|role| role == to))
        };
        if !best.is_empty() && best.iter().all(|(mv, _)| is_it(mv.promotion())) {
            found.push(kind);
        }
    }
    let can_take = |after: &Chess| after.legal_moves().iter().any(|mv| mv.is_capture());
    if !winning.is_empty() && winning.iter().all(|(_, after)| can_take(after)) {
        found.push(EdgeCase::Sacrifice);
    }
    if wdl(position) == Wdl::Loss
        && let Some(other) = legal(position.board(), !position.turn(), None)
    {
        match wdl(&other) {
            Wdl::Loss => found.extend([EdgeCase::MutualZugzwang, EdgeCase::MutualZugzwangFull]),
            Wdl::Draw => found.extend([EdgeCase::MutualZugzwang, EdgeCase::MutualZugzwangHalf]),
            Wdl::Win => {}
        }
    }
    found
}

/// Compares all counts of a table of three men with those of plain loops.
#[track_caller]
fn check_plain(table: &str, third: Option<Role>) {
    let [white, black] = Color::ALL.map(|color| Piece { color, role: Role::King });
    let third = third.map(|role| Piece { color: Color::White, role });
    let men: Vec<Piece> = [white, black].into_iter().chain(third).collect();
    let rows = counted(&*PRODUCTION, table);
    assert_eq!(rows.len(), 2 * EdgeCase::ALL.len());
    let mut counts = BTreeMap::<(SideToMove, EdgeCase), (u64, BTreeSet<String>)>::new();
    for board in boards(&men) {
        for turn in Color::ALL {
            let Some(position) = legal(&board, turn, None) else { continue };
            for kind in plain_kinds(&*PRODUCTION, &position) {
                let (positions, classes) = counts.entry((side(turn), kind)).or_default();
                *positions += 1;
                classes.insert(class(&board, turn));
            }
        }
    }
    for side in SideToMove::ALL {
        for kind in EdgeCase::ALL.into_iter().filter(|&kind| kind != EdgeCase::LongestWin) {
            let expected =
                counts.get(&(side, kind)).map_or((0, 0), |(all, classes)| (*all, classes.len() as u64));
            assert_eq!(figures(&rows, side, kind), expected, "{table} {side} {kind}");
        }
    }
}

#[test]
fn counts_are_those_of_plain_loops() {
    check_plain("KvK", None);
    check_plain("KPvK", Some(Role::Pawn));
}

#[test]
#[ignore = "nightly: the table with most kinds is compared by default"]
fn counts_of_queen_and_rook_are_those_of_plain_loops() {
    check_plain("KQvK", Some(Role::Queen));
    check_plain("KRvK", Some(Role::Rook));
}

/// Kings and pawns, with the pawns side by side where an en passant capture is possible.
#[test]
#[ignore = "nightly: single positions with an en passant capture are tested by default"]
fn en_passant_is_counted_as_plain_loops_count_it() {
    let rows = counted(&*PAWNS, "KPvKP");
    let kings = boards(&Color::ALL.map(|color| Piece { color, role: Role::King }));
    let mut counts = BTreeMap::<(SideToMove, EdgeCase), u64>::new();
    let mut seen = 0;
    for turn in Color::ALL {
        let files = (0..8_i32).flat_map(|ours| [(ours, ours - 1), (ours, ours + 1)]);
        for (ours, theirs) in files.filter(|(_, theirs)| (0..8).contains(theirs)) {
            let rank = turn.fold_wb(4, 3);
            let [ours, stepped] = [ours, theirs].map(|file| Square::new((8 * rank + file) as u32));
            let passed = Square::new((8 * turn.fold_wb(5, 2) + theirs) as u32);
            for kings in &kings {
                if kings.piece_at(ours).is_some() || kings.piece_at(stepped).is_some() {
                    continue;
                }
                let mut board = kings.clone();
                board.set_piece_at(ours, Piece { color: turn, role: Role::Pawn });
                board.set_piece_at(stepped, Piece { color: !turn, role: Role::Pawn });
                let Some(position) = legal(&board, turn, Some(passed)) else { continue };
                let moves = position.legal_moves();
                if !moves.iter().any(|mv| mv.is_en_passant()) {
                    continue;
                }
                seen += 1;
                let wins = |mv| {
                    let after = board::after(&position, mv);
                    crate::checks::resolved(&*PAWNS, &after).unwrap().wdl == Wdl::Loss
                };
                let winning: Vec<_> = moves.iter().filter(|&&mv| wins(mv)).collect();
                if !winning.is_empty() && winning.iter().all(|mv| mv.is_en_passant()) {
                    *counts.entry((side(turn), EdgeCase::EnPassantWins)).or_default() += 1;
                }
                if moves.iter().all(|mv| mv.is_en_passant()) {
                    *counts.entry((side(turn), EdgeCase::EnPassantOnly)).or_default() += 1;
                }
            }
        }
    }
    assert!(seen > 50_000, "{seen}");
    for side in SideToMove::ALL {
        for kind in [EdgeCase::EnPassantOnly, EdgeCase::EnPassantWins] {
            let expected = counts.get(&(side, kind)).copied().unwrap_or_default();
            // No position is its own mirror image.
            assert_eq!(figures(&rows, side, kind), (expected, expected / 2), "{side} {kind}");
        }
        assert!(figures(&rows, side, EdgeCase::EnPassantWins).0 > 1_000);
    }
    // With equal sides each count is that of the other side.
    for kind in EdgeCase::ALL {
        let [white, black] = SideToMove::ALL.map(|side| figures(&rows, side, kind));
        assert_eq!(white, black, "{kind}");
    }
}

/// A table with another value at some positions.
struct Changed<F>(F);

impl<F: Fn(&Board, Color, TableValue) -> TableValue + Sync> TableProbe for Changed<F> {
    fn name(&self) -> &'static str {
        "changed"
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        PRODUCTION.probe(board, turn).map(|value| (self.0)(board, turn, value))
    }

    fn has_dtz(&self) -> bool {
        false
    }
}

#[test]
fn wrong_tables_give_other_counts() {
    let right = counted(&*PRODUCTION, "KPvK");
    // A table without underpromotions has no position that needs one.
    let builder = builders::builder("queen-only").unwrap();
    let materials = ["KPvK".parse().unwrap()];
    let queens = EngineTables::of_builder("queen-only", builders::dtm_set(builder, &materials).unwrap());
    let wrong = counted(&queens, "KPvK");
    assert_eq!(figures(&right, SideToMove::White, EdgeCase::UnderpromotionRook), (6, 3));
    assert_ne!(
        figures(&wrong, SideToMove::White, EdgeCase::UnderpromotionRook),
        figures(&right, SideToMove::White, EdgeCase::UnderpromotionRook)
    );
    // One entry, with its mirror image: a lost position in which the other side would draw becomes a draw.
    let zugzwang = "2k5/8/2KP4/8/8/8/8/8 b - - 0 1";
    let setup = board::setup(zugzwang).unwrap();
    let mut mirrored = setup.board.clone();
    mirrored.flip_horizontal();
    let changed = Changed(|board: &Board, turn: Color, value: TableValue| {
        let is_it = turn == Color::Black && (*board == setup.board || *board == mirrored);
        if is_it { TableValue::of_dtm(None) } else { value }
    });
    let wrong = counted(&changed, "KPvK");
    for kind in [EdgeCase::MutualZugzwang, EdgeCase::MutualZugzwangHalf] {
        let [right, wrong] = [&right, &wrong].map(|rows| figures(rows, SideToMove::Black, kind));
        assert_eq!((right.0 - wrong.0, right.1 - wrong.1), (2, 1), "{kind}");
    }
    // The rules decide checkmates and stalemates, not the table.
    for kind in [EdgeCase::Checkmate, EdgeCase::Stalemate] {
        let [right, wrong] = [&right, &wrong].map(|rows| figures(rows, SideToMove::Black, kind));
        assert_eq!(right, wrong);
    }
}

#[test]
fn the_longest_wins_are_as_published_and_their_lines_mate() {
    let published = suites::census::embedded().unwrap();
    for table in ["KPvK", "KQvK", "KRvK"] {
        let rows = counted(&*PRODUCTION, table);
        let longest = |side| {
            let is_it =
                |row: &&EdgeCaseRow| row.side_to_move == side && row.edge_case == EdgeCase::LongestWin;
            rows.iter().find(is_it).unwrap()
        };
        let none = longest(SideToMove::Black);
        assert_eq!((none.positions, none.fen.as_str(), none.plies, none.line.as_str()), (0, "", None, ""));
        let row = longest(SideToMove::White);
        let figure = published
            .iter()
            .find(|figure| figure.table == table && figure.side_to_move == SideToMove::White)
            .unwrap();
        assert_eq!((row.plies, Some(row.positions)), (figure.longest_plies, figure.longest_count), "{table}");
        let mut position = board::position(&row.fen, Accept::ImpossibleCheck).unwrap();
        let moves: Vec<&str> = row.line.split(' ').collect();
        assert_eq!(Some(moves.len() as u32), row.plies, "{table}");
        for text in moves {
            let mv = board::legal_move(&position, text, Spelling::Exact).unwrap();
            position = board::after(&position, mv);
        }
        assert!(position.is_checkmate(), "{table}");
        let men = table.parse().unwrap();
        let all = Search { limit: 1_000, ..search(EdgeCase::LongestWin, &men) };
        let fens: Vec<String> = find(&all).iter().map(FoundPosition::fen).collect();
        assert_eq!((fens.len() as u64, fens.iter().min()), (row.positions_unique, Some(&row.fen)), "{table}");
    }
}

/// A search in the tables of three men, of ten positions at most.
fn search(kind: EdgeCase, men: &Men) -> Search<'_> {
    Search { subject: &*PRODUCTION, men, kind, side: None, limit: 10, seed: None, progress: &|_| () }
}

#[test]
fn as_many_positions_are_found_as_are_counted() {
    let men: Men = "KPvK".parse().unwrap();
    for row in counted(&*PRODUCTION, "KPvK") {
        let turn = if row.side_to_move == SideToMove::White { Color::White } else { Color::Black };
        let whole = Search { side: Some(turn), limit: 1_000_000, ..search(row.edge_case, &men) };
        let found = find(&whole);
        assert_eq!(found.len() as u64, row.positions_unique, "{} {}", row.side_to_move, row.edge_case);
        let first = found.iter().map(FoundPosition::fen).min().unwrap_or_default();
        assert_eq!(first, row.fen);
        // One kind for each way of keeping positions.
        if !matches!(row.edge_case, EdgeCase::MutualZugzwang | EdgeCase::LongestWin) {
            continue;
        }
        // A shorter list is the beginning of a longer one.
        let few = find(&Search { limit: 3, ..whole });
        assert_eq!(few[..], found[..found.len().min(3)]);
        let drawn = find(&Search { seed: Some(7), ..whole });
        let texts = |found: &[FoundPosition]| found.iter().map(FoundPosition::fen).collect::<BTreeSet<_>>();
        assert_eq!(texts(&drawn), texts(&found));
        assert_eq!(find(&Search { seed: Some(7), limit: 3, ..whole })[..], drawn[..drawn.len().min(3)]);
    }
}

/// Counts tell identical men apart, as the tables do; lists do not.
#[test]
fn positions_with_identical_men_are_listed_once() {
    let tables = EngineTables::production(built(&["KNNvK"]));
    let men: Men = "KNNvK".parse().unwrap();
    let [white, black] = Color::ALL.map(|color| Piece { color, role: Role::King });
    let knight = Piece { color: Color::White, role: Role::Knight };
    let mut mates = BTreeSet::new();
    for pair in boards(&[white, black]) {
        // A king that is mated by knights stands on the edge.
        let king = pair.king_of(Color::Black).unwrap();
        if !shakmaty::Bitboard::EDGES.contains(king) {
            continue;
        }
        let checks = shakmaty::attacks::knight_attacks(king);
        for (one, other) in Square::ALL.into_iter().flat_map(|one| Square::ALL.map(|other| (one, other))) {
            let mut board = pair.clone();
            let is_check = checks.contains(one) || checks.contains(other);
            if one >= other || !is_check || board.piece_at(one).or(board.piece_at(other)).is_some() {
                continue;
            }
            board.set_piece_at(one, knight);
            board.set_piece_at(other, knight);
            if legal(&board, Color::Black, None).is_some_and(|position| position.is_checkmate()) {
                mates.insert(class(&board, Color::Black));
            }
        }
    }
    let kind = EdgeCase::Checkmate;
    let found = find(&Search { subject: &tables, limit: 1_000, ..search(kind, &men) });
    let classes: BTreeSet<String> =
        found.iter().map(|found| class(&board::setup(&found.fen()).unwrap().board, Color::Black)).collect();
    assert_eq!((classes.len(), &classes), (found.len(), &mates));
    let (_, counted) = figures(&counted(&tables, "KNNvK"), SideToMove::Black, kind);
    assert!(counted > mates.len() as u64 && counted <= 2 * mates.len() as u64, "{counted}");
}

#[test]
fn lists_do_not_depend_on_threads() {
    let men: Men = "KPvK".parse().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for seed in [None, Some(3)] {
        let search = Search { seed, ..search(EdgeCase::MutualZugzwang, &men) };
        let found = find(&search);
        assert_eq!((found.len(), pool.install(|| find(&search))), (10, found));
    }
}

#[test]
fn positions_are_written_as_epd() {
    let check = |table: &str, kind, expected: &str| {
        let men: Men = table.parse().unwrap();
        let found = find(&Search { limit: 1, ..search(kind, &men) });
        assert_eq!(found[0].epd("one/1"), expected);
    };
    check("KPvK", EdgeCase::Stalemate, r#"K7/P1k5/8/8/8/8/8/8 w - - c0 "stalemated"; id "one/1";"#);
    check("KQvK", EdgeCase::Checkmate, r#"8/8/8/8/8/8/8/kQK5 b - - c0 "checkmated"; id "one/1";"#);
    check(
        "KPvK",
        EdgeCase::UnderpromotionRook,
        r#"8/1P6/k7/8/K7/8/8/8 w - - bm b8=R; c0 "only a promotion to rook wins"; dm 7; id "one/1";"#,
    );
    check(
        "KPvK",
        EdgeCase::MutualZugzwang,
        r#"8/8/8/k7/8/K7/1P6/8 b - - c0 "half-point mutual zugzwang: a draw if the other side were to move; mated in 23"; id "one/1";"#,
    );
    check(
        "KRvK",
        EdgeCase::LongestWin,
        r#"8/8/8/8/8/2k5/1R6/K7 w - - bm Ka2 Kb1 Ra2 Rb1 Rb7 Rb8 Rg2 Rh2; c0 "no win of this table with this side to move is longer"; dm 16; id "one/1";"#,
    );
}
