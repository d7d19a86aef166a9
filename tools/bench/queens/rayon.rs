use crate::run::Run;

/// The rows so far, as sets of squares that they attack in the next row.
#[derive(Clone, Copy)]
struct Board {
    all: u32,
    columns: u32,
    falling: u32,
    rising: u32,
}

impl Board {
    fn free(&self) -> u32 {
        self.all & !(self.columns | self.falling | self.rising)
    }

    fn full(&self) -> bool {
        self.columns == self.all
    }

    fn with(&self, square: u32) -> Board {
        Board {
            all: self.all,
            columns: self.columns | square,
            falling: (self.falling | square) << 1,
            rising: (self.rising | square) >> 1,
        }
    }
}

fn lowest(squares: u32) -> u32 {
    squares & squares.wrapping_neg()
}

fn nodes(board: Board) -> i64 {
    let (mut count, mut free) = (1, board.free());
    while free != 0 {
        count += nodes(board.with(lowest(free)));
        free &= free - 1;
    }
    count
}

/// The children of `board` on the squares `free`: the first of them, and at the same
/// time the others.
fn join_children(board: Board, free: u32) -> i64 {
    let others = free & (free - 1);
    if others == 0 {
        return join_queens(board.with(free));
    }
    let (first, rest) =
        rayon::join(|| join_queens(board.with(lowest(free))), || join_children(board, others));
    first + rest
}

fn join_queens(board: Board) -> i64 {
    match board.free() {
        _ if board.full() => 1,
        0 => 0,
        free => join_children(board, free),
    }
}

fn group_queens(board: Board) -> i64 {
    if board.full() {
        return 1;
    }
    let mut counts = [0; 32];
    rayon::scope(|scope| {
        let mut free = board.free();
        for count in counts.iter_mut() {
            if free == 0 {
                break;
            }
            let child = board.with(lowest(free));
            scope.spawn(move |_| *count = group_queens(child));
            free &= free - 1;
        }
    });
    counts.iter().sum()
}

fn time(run: &mut Run, queens: fn(Board) -> i64) {
    let empty = Board { all: (1 << run.size) - 1, columns: 0, falling: 0, rising: 0 };
    let count = run.time(nodes(empty) as f64, || queens(empty));
    run.answer(count);
}

pub fn run_join(run: &mut Run) {
    time(run, join_queens);
}

pub fn run_group(run: &mut Run) {
    time(run, group_queens);
}
