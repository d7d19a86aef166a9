use crate::run::Run;

fn fib(n: i64) -> i64 {
    if n < 2 {
        return n;
    }
    let (x, y) = rayon::join(|| fib(n - 1), || fib(n - 2));
    x + y
}

fn inner_calls(n: i64) -> f64 {
    let (mut previous, mut calls) = (0.0, 0.0);
    for _ in 2..=n {
        (previous, calls) = (calls, 1.0 + calls + previous);
    }
    f64::max(calls, 1.0)
}

pub fn run(run: &mut Run) {
    let n = run.size;
    let value = run.time(inner_calls(n), || fib(n));
    run.answer(value);
}
