#!/usr/bin/env python3
"""Pebble: a small UCI engine, written for Touchstone's tutorial.

Squares are numbers 16 * rank + file, so that a square is on the board if `square & 0x88` is 0.
"""

import sys
import threading
import time

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SQUARES = [square for square in range(128) if not square & 0x88]
KNIGHT = (-33, -31, -18, -14, 14, 18, 31, 33)
DIAGONAL = (-17, -15, 15, 17)
STRAIGHT = (-16, -1, 1, 16)
SLIDES = {"b": DIAGONAL, "r": STRAIGHT, "q": DIAGONAL + STRAIGHT}
VALUE = {"p": 100, "n": 300, "b": 310, "r": 500, "q": 900, "k": 0}
# The squares whose rook or king gives up a castling right when a man leaves or enters them.
CORNERS = {0x00: "Q", 0x07: "K", 0x04: "KQ", 0x70: "q", 0x77: "k", 0x74: "kq"}
MATE = 30_000


def name(square):
    return "abcdefgh"[square & 7] + "12345678"[square >> 4]


def number(text):
    return "abcdefgh".index(text[0]) + 16 * "12345678".index(text[1])


def centre(square):
    """How far a square is from the edge of the board: 0 to 6."""
    file, rank = square & 7, square >> 4
    return min(file, 7 - file) + min(rank, 7 - rank)


class Position:
    """A position. `play` makes a new one, so that nothing is ever taken back."""

    def __init__(self, fen=None):
        if fen is None:
            return
        fields = fen.split() + ["w", "-", "-", "0", "1"][len(fen.split()) - 1:]
        self.board = ["."] * 128
        rows = fields[0].split("/")
        for rank, row in zip(range(7, -1, -1), rows, strict=True):
            men = "".join("." * int(c) if c.isdigit() else c for c in row)
            if len(men) != 8 or not set(men) <= set(".pnbrqkPNBRQK"):
                raise ValueError(fen)
            self.board[16 * rank:16 * rank + 8] = men
        if self.board.count("K") != 1 or self.board.count("k") != 1:
            raise ValueError(fen)
        self.white = fields[1] == "w"
        self.castling = "".join(c for c in "KQkq" if c in fields[2])
        self.clock = int(fields[4])
        self.passed = None
        self.pass_over(None if fields[3] == "-" else number(fields[3]))
        if self.attacked(self.king(not self.white), self.white):
            raise ValueError(fen)

    def pass_over(self, square):
        """Sets the en passant square, if a pawn can legally capture there."""
        self.passed = square
        if square is None:
            return
        beside = [square + step + (-16 if self.white else 16) for step in (-1, 1)]
        pawns = [at for at in beside if not at & 0x88 and self.board[at] == ("P" if self.white else "p")]
        if not any(self.is_legal(self.play((origin, square, ""))) for origin in pawns):
            self.passed = None

    def king(self, white):
        return self.board.index("K" if white else "k")

    def attacked(self, square, by_white):
        board = self.board
        side = str.upper if by_white else str.lower
        back = -16 if by_white else 16
        pawn, knight, king = side("p"), side("n"), side("k")
        for step in (back - 1, back + 1):
            if not (square + step) & 0x88 and board[square + step] == pawn:
                return True
        for step in KNIGHT:
            if not (square + step) & 0x88 and board[square + step] == knight:
                return True
        for steps, men in ((DIAGONAL, side("bq")), (STRAIGHT, side("rq"))):
            for step in steps:
                at = square + step
                if not at & 0x88 and board[at] == king:
                    return True
                while not at & 0x88:
                    if board[at] != ".":
                        if board[at] in men:
                            return True
                        break
                    at += step
        return False

    def in_check(self):
        return self.attacked(self.king(self.white), not self.white)

    def moves(self):
        """All moves by the steps of the men, those that leave the king in check among them."""
        board, white = self.board, self.white
        for origin in SQUARES:
            man = board[origin]
            if man == "." or man.isupper() != white:
                continue
            kind = man.lower()
            if kind == "p":
                yield from self.pawn_moves(origin)
                continue
            for step in SLIDES.get(kind) or (KNIGHT if kind == "n" else DIAGONAL + STRAIGHT):
                to = origin + step
                while not to & 0x88:
                    if board[to] == "." or board[to].isupper() != white:
                        yield origin, to, ""
                    if board[to] != "." or kind in "nk":
                        break
                    to += step
        yield from self.castling_moves()

    def pawn_moves(self, origin):
        ahead = 16 if self.white else -16
        targets = []
        if self.board[origin + ahead] == ".":
            targets.append(origin + ahead)
            if origin >> 4 == (1 if self.white else 6) and self.board[origin + 2 * ahead] == ".":
                targets.append(origin + 2 * ahead)
        for to in (origin + ahead - 1, origin + ahead + 1):
            if not to & 0x88:
                man = self.board[to]
                if to == self.passed or man != "." and man.isupper() != self.white:
                    targets.append(to)
        for to in targets:
            for kind in "qrbn" if to >> 4 in (0, 7) else ("",):
                yield origin, to, kind

    def castling_moves(self):
        home = 0x04 if self.white else 0x74
        for right, rook, step in (("K", home + 3, 1), ("Q", home - 4, -1)):
            right = right if self.white else right.lower()
            if right not in self.castling:
                continue
            between = range(home + step, rook, step)
            if any(self.board[square] != "." for square in between):
                continue
            # The king may not stand in check. `legal` looks at its new square.
            if not self.attacked(home, not self.white):
                yield home, home + 2 * step, ""

    def play(self, move):
        origin, to, kind = move
        after = Position()
        board = after.board = self.board[:]
        man = board[origin]
        pawn = man in "Pp"
        after.clock = 0 if pawn or board[to] != "." else self.clock + 1
        board[to], board[origin] = man, "."
        if kind:
            board[to] = kind.upper() if self.white else kind
        if pawn and to == self.passed:
            board[to + (-16 if self.white else 16)] = "."
        if man in "Kk" and abs(to - origin) == 2:
            rook = origin + (3 if to > origin else -4)
            board[(origin + to) // 2], board[rook] = board[rook], "."
        lost = CORNERS.get(origin, "") + CORNERS.get(to, "")
        after.castling = "".join(right for right in self.castling if right not in lost)
        after.white = not self.white
        after.passed = None
        if pawn and abs(to - origin) == 32:
            after.pass_over((origin + to) // 2)
        return after

    def legal(self):
        """The legal moves, each with the position after it."""
        for move in self.moves():
            after = self.play(move)
            if self.is_legal(after):
                yield move, after

    def is_legal(self, after):
        """Whether a move that led to this position has not left the king in check."""
        return not after.attacked(after.king(self.white), after.white)

    def key(self):
        return "".join(self.board), self.white, self.castling, self.passed

    def dead(self):
        """Whether no series of moves mates, by what is left."""
        men = [(man, square) for square, man in enumerate(self.board) if man not in ".Kk"]
        if len(men) < 2:
            return not men or men[0][0] in "NnBb"
        colours = {((square >> 4) + square) & 1 for _, square in men}
        return len(colours) == 1 and all(man in "Bb" for man, _ in men)

    def score(self):
        """Material and place, in hundredths of a pawn, from the view of the side to move."""
        total = {True: 0, False: 0}
        for square in SQUARES:
            man = self.board[square]
            if man != ".":
                kind, white = man.lower(), man.isupper()
                place = centre(square) if kind in "nbq" else 0
                if kind == "p":
                    place = 5 * (square >> 4 if white else 7 - (square >> 4))
                total[white] += VALUE[kind] + place
        for strong in (True, False):
            if total[not strong] == 0:
                # A lone king is driven to the edge, and the other king comes near.
                ours, theirs = self.king(strong), self.king(not strong)
                apart = max(abs((ours & 7) - (theirs & 7)), abs((ours >> 4) - (theirs >> 4)))
                total[strong] += 60 - 10 * centre(theirs) - 4 * apart
        return total[self.white] - total[not self.white]


class Stopped(Exception):
    """The search is over."""


class Search:
    """One `go`: iterative deepening on a plain alpha-beta search."""

    def __init__(self, position, history, limits):
        self.position, self.history, self.limits = position, history, limits
        self.nodes, self.begun, self.over = 0, time.monotonic(), False
        self.stop, self.may_end = threading.Event(), threading.Event()
        if not (limits.get("infinite") or limits.get("ponder")):
            self.may_end.set()

    def run(self):
        best = self.iterate()
        # After `go infinite` and `go ponder` the answer waits for `stop` or `ponderhit`.
        self.may_end.wait()
        self.over = True
        if not self.stop.is_set():
            print("bestmove", best, flush=True)

    def iterate(self):
        """Searches deeper and deeper. Returns the best move of the last depth that was finished."""
        wanted = self.limits.get("searchmoves")
        roots = [move for move, _ in self.position.legal() if not wanted or text(move) in wanted]
        if not roots:
            return "(none)"
        best = roots[0]
        for depth in range(1, self.limits.get("depth", 60) + 1):
            try:
                score, line = self.search(self.position, depth, -MATE, MATE, 0, roots)
            except Stopped:
                break
            best = line[0]
            self.tell(depth, score, line)
            roots.sort(key=lambda move: move != best)
            if MATE - abs(score) <= depth:
                break
        return text(best)

    def tell(self, depth, score, line):
        if abs(score) > MATE - 1000:
            plies = MATE - abs(score)
            moves = plies // 2
            value = f"mate {moves if score > 0 else -moves}"
        else:
            value = f"cp {score}"
        spent = int(1000 * (time.monotonic() - self.begun))
        pv = " ".join(map(text, line))
        print(f"info depth {depth} score {value} nodes {self.nodes} time {spent} pv {pv}", flush=True)

    def count(self):
        """Counts a node, and ends the search where a limit is reached."""
        self.nodes += 1
        over = self.nodes > self.limits.get("nodes", self.nodes)
        spent = 1000 * (time.monotonic() - self.begun)
        if over or self.stop.is_set() or self.may_end.is_set() and spent > self.limits.get("time", spent):
            raise Stopped

    def search(self, position, depth, alpha, beta, ply, roots=None):
        """The score from the view of the side to move, and the line that leads to it."""
        self.count()
        key = position.key()
        if ply and (position.dead() or self.history.count(key) >= 2):
            return 0, []
        if depth == 0:
            return self.quiet(position, alpha, beta, 4), []
        best, line = -MATE, []
        moves = list(position.legal())
        if not moves:
            return (ply - MATE if position.in_check() else 0), []
        if ply and position.clock >= 100:
            return 0, []
        if roots:
            moves = [(move, position.play(move)) for move in roots]
        else:
            moves.sort(key=lambda pair: exchange(position.board, pair[0]))
        self.history.append(key)
        try:
            for move, after in moves:
                score, rest = self.search(after, depth - 1, -beta, -max(alpha, best), ply + 1)
                if -score > best:
                    best, line = -score, [move] + rest
                    if best >= beta:
                        break
        finally:
            self.history.pop()
        return best, line

    def quiet(self, position, alpha, beta, depth):
        """The score after captures; it never announces a mate."""
        self.count()
        best = position.score()
        if best >= beta or depth == 0:
            return best
        board = position.board
        captures = [move for move in position.moves() if board[move[1]] != "."]
        for move in sorted(captures, key=lambda move: exchange(board, move)):
            after = position.play(move)
            if position.is_legal(after):
                best = max(best, -self.quiet(after, -beta, -max(alpha, best), depth - 1))
                if best >= beta:
                    break
        return best


def exchange(board, move):
    """The order of moves: great men are captured first, by small men."""
    return VALUE[board[move[0]].lower()] - 10 * VALUE.get(board[move[1]].lower(), 0)


def text(move):
    origin, to, kind = move
    return name(origin) + name(to) + kind


def perft(position, depth):
    return 1 if depth == 0 else sum(perft(after, depth - 1) for _, after in position.legal())


class Session:
    """What the user interface has said."""

    def __init__(self):
        self.set_up("startpos", "", [])
        self.search = None

    def set_up(self, kind, fen, moves):
        position, history = Position(START if kind == "startpos" else fen), []
        for played in moves:
            after = next((after for move, after in position.legal() if text(move) == played), None)
            if after is None:
                break
            history.append(position.key())
            position = after
        self.position, self.history = position, history

    def go(self, words):
        if self.search and not self.search.over:
            return
        if words[:1] == ["perft"]:
            total = 0
            for move, after in self.position.legal():
                leaves = perft(after, int(words[1]) - 1)
                total += leaves
                print(f"{text(move)}: {leaves}")
            print(f"\nNodes searched: {total}", flush=True)
            return
        limits, numbers = {}, {}
        for at, word in enumerate(words):
            if word in ("infinite", "ponder"):
                limits[word] = True
            elif word == "searchmoves":
                limits[word] = words[at + 1:]
            elif word in ("depth", "nodes", "movetime", "mate", "wtime", "btime", "winc", "binc", "movestogo"):
                numbers[word] = int(words[at + 1])
        limits.update({word: numbers[word] for word in ("depth", "nodes") if word in numbers})
        if "mate" in numbers:
            limits["depth"] = 2 * numbers["mate"]
        side = "w" if self.position.white else "b"
        if "movetime" in numbers:
            limits["time"] = numbers["movetime"]
        elif side + "time" in numbers:
            left, more = numbers[side + "time"], numbers.get(side + "inc", 0)
            limits["time"] = max(0, min(left / numbers.get("movestogo", 30) + more, left / 2) - 20)
        elif not limits:
            limits["infinite"] = True
        self.search = Search(self.position, self.history[:], limits)
        threading.Thread(target=self.search.run).start()

    def stop(self, at_once=True):
        if self.search:
            if at_once:
                self.search.stop.set()
            self.search.may_end.set()

    def hear(self, line):
        """Follows one command. Returns False after `quit`."""
        words = line.split()
        match words:
            case ["uci", *_]:
                print("id name Pebble\nid author the authors of Touchstone\nuciok", flush=True)
            case ["isready", *_]:
                print("readyok", flush=True)
            case ["position", "startpos", *rest]:
                self.set_up("startpos", "", rest[1:])
            case ["position", "fen", *rest]:
                cut = rest.index("moves") if "moves" in rest else len(rest)
                self.set_up("fen", " ".join(rest[:cut]), rest[cut + 1:])
            case ["go", *rest]:
                self.go(rest)
            case ["stop", *_]:
                self.stop()
            case ["ponderhit", *_]:
                self.stop(at_once=False)
            case ["quit", *_]:
                return False
        return True


def main():
    session = Session()
    for line in sys.stdin:
        try:
            if not session.hear(line):
                break
        except (ValueError, IndexError):
            print("info string not understood:", line.strip(), flush=True)
    session.stop()


main()
