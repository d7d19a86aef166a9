use crate::run::Run;
use rayon::prelude::*;

/// In four chains: one would wait for its own additions.
fn sum(part: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let chunks = part.chunks_exact(4);
    let rest: f64 = chunks.remainder().iter().sum();
    for chunk in chunks {
        for i in 0..4 {
            sums[i] += chunk[i];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

pub fn reduce(run: &mut Run) {
    let numbers: Vec<f64> = (0..run.size).map(|i| (i % 5) as f64).collect();
    let value = run.time(run.size as f64, || numbers.par_chunks(4096).map(sum).sum::<f64>());
    run.answer(value as i64);
}

pub fn sort(run: &mut Run) {
    let mut x: u64 = 1;
    let shuffled: Vec<u32> = (0..run.size)
        .map(|_| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (x >> 33) as u32
        })
        .collect();
    let numbers = run.time_after(
        run.size as f64,
        || shuffled.clone(),
        |mut numbers| {
            numbers.par_sort_unstable();
            numbers
        },
    );
    let order = numbers.iter().fold(0u64, |order, number| {
        order.wrapping_mul(31).wrapping_add(*number as u64)
    });
    run.answer(order as i64);
}
