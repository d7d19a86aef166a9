use crate::run::Run;
use rayon::prelude::*;

fn skynet(first: i64, leaves: i64) -> i64 {
    if leaves == 1 {
        return first;
    }
    let part = leaves / 10;
    (0..10i64).into_par_iter().map(|i| skynet(first + i * part, part)).sum()
}

pub fn run(run: &mut Run) {
    let leaves = 10i64.pow(run.size as u32);
    let sum = run.time(leaves as f64, || skynet(0, leaves));
    run.answer(sum);
}
