use crate::run::Run;
use rayon::prelude::*;

const TRIAD_ELEMENTS: i64 = 5_000_000;
const STEPS_PER_MICROSECOND: f64 = 600.0;

pub fn triad(run: &mut Run) {
    let n = run.size as usize;
    let mut a = vec![0.0; n];
    let b: Vec<f64> = (0..n).map(|i| (i % 5) as f64).collect();
    let c: Vec<f64> = (0..n).map(|i| (i % 3) as f64).collect();
    let passes = (run.size / 20).min(TRIAD_ELEMENTS / run.size).max(1);
    run.time(passes as f64 * n as f64, || {
        for pass in 0..passes {
            let s = (pass % 2 + 2) as f64;
            a.par_iter_mut().zip(&b).zip(&c).for_each(|((a, b), c)| *a = b + s * c);
        }
    });
    run.answer(a.iter().sum::<f64>() as i64);
}

fn work(steps: u32) -> u64 {
    let mut x = steps as u64 + 1;
    for _ in 0..steps {
        x = (x ^ (x >> 29)).wrapping_mul(6364136223846793005);
    }
    x
}

/// `microseconds` is a function of an item's place between 0 and 1.
fn uneven(run: &mut Run, microseconds: fn(f64) -> f64) {
    let n = run.size as usize;
    let place = |i: usize| (i as f64 + 0.5) / n as f64;
    let steps: Vec<u32> =
        (0..n).map(|i| (microseconds(place(i)) * STEPS_PER_MICROSECOND) as u32).collect();
    let mut results = vec![0u64; n];
    run.time(n as f64, || {
        results.par_iter_mut().enumerate().for_each(|(i, result)| *result = work(steps[i]) + i as u64)
    });
    let sum = results.iter().fold(0u64, |sum, result| sum.wrapping_mul(31).wrapping_add(*result));
    run.answer(sum as i64);
}

pub fn uniform(run: &mut Run) {
    uneven(run, |_| 1.0);
}

pub fn skewed(run: &mut Run) {
    uneven(run, |place| 2.0 * place);
}

pub fn heavy_first(run: &mut Run) {
    uneven(run, |place| if place < 0.01 { 1.0 } else { 0.0 });
}
