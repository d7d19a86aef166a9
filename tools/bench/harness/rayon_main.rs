//! The program for rayon: runs one of its workloads, like harness/main.cc.
mod run;
#[path = "../algorithms/rayon.rs"]
mod algorithms;
#[path = "../fib/rayon.rs"]
mod fib;
#[path = "../loops/rayon.rs"]
mod loops;
#[path = "../queens/rayon.rs"]
mod queens;
#[path = "../skynet/rayon.rs"]
mod skynet;

use run::Run;

const WORKLOADS: &[(&str, fn(&mut Run))] = &[
    ("fib_join", fib::run),
    ("fib_group", fib::run),
    ("loop_heavy_first", loops::heavy_first),
    ("loop_skewed", loops::skewed),
    ("loop_uniform", loops::uniform),
    ("queens_join", queens::run_join),
    ("queens_group", queens::run_group),
    ("reduce", algorithms::reduce),
    ("skynet", skynet::run),
    ("sort", algorithms::sort),
    ("triad", loops::triad),
];

fn number(words: &mut impl Iterator<Item = String>, name: &str) -> i64 {
    words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| usage(&format!("The option {} needs a number.", name)))
}

fn usage(sentence: &str) -> ! {
    eprintln!("rayon: {}", sentence);
    eprintln!("usage: rayon [--size N] [--threads N] [--repeat N] [--json FILE] WORKLOAD | --list");
    std::process::exit(2)
}

fn main() {
    let (mut size, mut threads, mut repeat) = (1, 2, 3);
    let (mut json, mut workload) = (None, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--list" => {
                WORKLOADS.iter().for_each(|(name, _)| println!("{}", name));
                return;
            }
            "--size" => size = number(&mut words, "--size"),
            "--threads" => threads = number(&mut words, "--threads"),
            "--repeat" => repeat = number(&mut words, "--repeat"),
            "--json" => json = words.next(),
            _ => workload = Some(word),
        }
    }
    let found = WORKLOADS.iter().find(|(name, _)| Some(*name) == workload.as_deref());
    let &(name, body) = found.unwrap_or_else(|| usage("Name one workload of those that --list prints."));
    let mut run = Run::new(size, threads as usize, repeat as usize);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(run.threads).build().unwrap();
    pool.install(|| body(&mut run));
    match json {
        Some(file) => std::fs::write(file, run.json(name)).unwrap(),
        None => print!("{}", run.json(name)),
    }
}
