"""What python-chess and Stockfish read in Syzygy files: a dump with the columns fen and wdl, of positions drawn at random.

Arguments: the folder with the files, Stockfish, the seed, the number of positions of each table, the tables. Both must say the same of
each position. The fifty-move rule is ignored: a cursed win is a win.
"""

import random
import sys

import chess
import chess.engine
import chess.syzygy

# Scores of Stockfish in centipawns from here on are wins of a table.
WON = 8_000


def pieces(table):
    """The men of a table such as KRvKN."""
    for color, side in zip(chess.COLORS, table.split("v")):
        for symbol in side:
            yield chess.Piece.from_symbol(symbol if color == chess.WHITE else symbol.lower())


def draw(rng, table):
    """A legal position with these men."""
    men = list(pieces(table))
    while True:
        board = chess.Board(None)
        for square, man in zip(rng.sample(chess.SQUARES, len(men)), men):
            board.set_piece_at(square, man)
        board.turn = rng.choice(chess.COLORS)
        if board.is_valid():
            return board


def stockfish_says(engine, board):
    """1, 0 or -1."""
    if not any(board.legal_moves):
        return -1 if board.is_check() else 0
    info = engine.analyse(board, chess.engine.Limit(depth=1), game=object())
    score = info["score"].pov(board.turn)
    if score.is_mate():
        return 1 if score.mate() > 0 else -1
    value = score.score()
    if abs(value) < WON and value != 0:
        sys.exit(f"Stockfish scores {value} centipawns, which no table says: {board.fen()}")
    return (value > 0) - (value < 0)


def main():
    folder, stockfish, seed, sample, *tables = sys.argv[1:]
    rng = random.Random(int(seed))
    print("fen,wdl")
    with chess.syzygy.open_tablebase(folder) as tablebase, chess.engine.SimpleEngine.popen_uci(stockfish) as engine:
        engine.configure({"SyzygyPath": folder, "Syzygy50MoveRule": False, "Threads": 1})
        for table in tables:
            for _ in range(int(sample)):
                board = draw(rng, table)
                wdl = tablebase.probe_wdl(board)
                read = (wdl > 0) - (wdl < 0)
                said = stockfish_says(engine, board)
                if said != read:
                    sys.exit(f"Stockfish reads {said}, python-chess {read}: {board.fen()}")
                distance = tablebase.probe_dtz(board)
                if (distance > 0) - (distance < 0) != read or (abs(distance) > 100) != (abs(wdl) == 1):
                    sys.exit(f"python-chess reads the result {wdl} and the distance {distance}: {board.fen()}")
                print(f"{board.fen()},{['loss', 'draw', 'win'][read + 1]}")


main()
