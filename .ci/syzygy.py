"""What python-chess and Stockfish read in Syzygy files: a dump for each table, with the columns fen and wdl, of all positions of three men, and
of positions of more men that are drawn at random.

Arguments: the folder with the files, Stockfish, the seed, the number of positions that are drawn of each table, the folder of the dumps, the
tables.
Both must read the same result of each position, and the same distance (DTZ, in plies) of each tenth, for which python-chess needs much
longer. A dump ignores the fifty-move rule: a cursed win is a win.
"""

import multiprocessing
import random
import re
import subprocess
import sys
from functools import partial
from itertools import islice, permutations
from pathlib import Path

import chess
import chess.syzygy

# The text of so many positions fits into a pipe: neither side waits for the other.
BATCH = 200
DISTANCES_OF_EACH = 10
RESULTS = {"Loss": -2, "Blessed loss": -1, "Draw": 0, "Cursed win": 1, "Win": 2}
# A probe that failed gives no match.
READ_BY_STOCKFISH = re.compile(r"Tablebases WDL: +([\w ]+) \((?!Fail).*\nTablebases DTZ: +(-?\d+) \((?!Fail)")


class Difference(Exception):
    pass


def pieces(table):
    """The men of a table such as KRvKN."""
    for color, side in zip(chess.COLORS, table.split("v")):
        for symbol in side:
            yield chess.Piece.from_symbol(symbol if color == chess.WHITE else symbol.lower())


def positions(rng, table):
    """Legal positions with these men, without end; where a pawn may have moved two squares, half of them say that it has."""
    men = list(pieces(table))
    while True:
        board = chess.Board(None)
        for square, man in zip(rng.sample(chess.SQUARES, len(men)), men):
            board.set_piece_at(square, man)
        board.turn = rng.choice(chess.COLORS)
        if rng.choice([True, False]):
            board.ep_square = passed(board)
        if board.is_valid():
            yield board


def every_position(table):
    """All legal positions with three men: none has an en passant square."""
    men = list(pieces(table))
    for squares in permutations(chess.SQUARES, len(men)):
        for turn in chess.COLORS:
            board = chess.Board(None)
            for square, man in zip(squares, men):
                board.set_piece_at(square, man)
            board.turn = turn
            if board.is_valid():
                yield board


def passed(board):
    """The square that a pawn of the other side has passed, if one can have moved two squares."""
    rank, behind = (4, 8) if board.turn == chess.WHITE else (3, -8)
    for pawn in board.pieces(chess.PAWN, not board.turn):
        if chess.square_rank(pawn) == rank and not board.piece_at(pawn + behind) and not board.piece_at(pawn + 2 * behind):
            return pawn + behind
    return None


def ask_stockfish(stockfish, boards):
    """The result and the distance of each position."""
    for board in boards:
        stockfish.stdin.write(f"position fen {board.fen()}\nd\n")
    stockfish.stdin.write("isready\n")
    stockfish.stdin.flush()
    text = ""
    while not text.endswith("readyok\n"):
        line = stockfish.stdout.readline()
        if not line:
            raise Difference(f"Stockfish ended at one of {len(boards)} positions, the first of them {boards[0].fen()}")
        text += line
    return [(RESULTS[wdl], int(dtz)) for wdl, dtz in READ_BY_STOCKFISH.findall(text)]


def dump(folder, stockfish, seed, sample, out, table):
    rng = random.Random(f"{seed} {table}")
    boards = every_position(table) if len(list(pieces(table))) == 3 else islice(positions(rng, table), sample)
    with (
        chess.syzygy.open_tablebase(folder) as tablebase,
        subprocess.Popen([stockfish], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine,
        open(Path(out, f"{table}.csv"), "w") as file,
    ):
        engine.stdin.write(f"setoption name SyzygyPath value {folder}\n")
        file.write("fen,wdl\n")
        while batch := list(islice(boards, BATCH)):
            answers = ask_stockfish(engine, batch)
            if len(answers) != len(batch):
                raise Difference(f"Stockfish reads only {len(answers)} of {len(batch)} positions, the first of them {batch[0].fen()}")
            for place, (board, said) in enumerate(zip(batch, answers)):
                wdl = tablebase.probe_wdl(board)
                distance = said[1] if place % DISTANCES_OF_EACH else tablebase.probe_dtz(board)
                if (wdl, distance) != said:
                    raise Difference(f"python-chess reads the result {wdl} and the distance {distance}, Stockfish {said}: {board.fen()}")
                file.write(f"{board.fen()},{'loss' if wdl < 0 else 'win' if wdl > 0 else 'draw'}\n")


def main():
    folder, stockfish, seed, sample, out, *tables = sys.argv[1:]
    with multiprocessing.Pool() as pool:
        try:
            for _ in pool.imap(partial(dump, folder, stockfish, seed, int(sample), out), tables):
                pass
        except Difference as difference:
            sys.exit(str(difference))
        except BrokenPipeError:
            sys.exit(f"{stockfish} ended before it was asked")


if __name__ == "__main__":
    main()
