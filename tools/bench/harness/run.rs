//! Run: one run of one workload; the same as harness/run.h.
use std::time::Instant;

pub struct Run {
    pub size: i64,
    pub threads: usize,
    repeat: usize,
    answer: String,
    metrics: Vec<(&'static str, Vec<f64>)>,
}

impl Run {
    pub fn new(size: i64, threads: usize, repeat: usize) -> Run {
        Run { size, threads, repeat, answer: String::new(), metrics: Vec::new() }
    }

    pub fn repeat(&self) -> usize {
        self.repeat
    }

    /// Calls `body` once to warm up and then `repeat` times; returns its last result.
    pub fn time<T>(&mut self, units: f64, mut body: impl FnMut() -> T) -> T {
        self.time_after(units, || (), |()| body())
    }

    /// The same; what `prepare` returns is for the body, and its time does not count.
    pub fn time_after<S, T>(
        &mut self,
        units: f64,
        mut prepare: impl FnMut() -> S,
        mut body: impl FnMut(S) -> T,
    ) -> T {
        let mut value = body(prepare());
        for _ in 0..self.repeat {
            let prepared = prepare();
            let begin = Instant::now();
            value = body(prepared);
            let seconds = begin.elapsed().as_secs_f64();
            self.record("ns", seconds * 1e9 / units);
        }
        value
    }

    pub fn record(&mut self, metric: &'static str, value: f64) {
        match self.metrics.iter_mut().find(|(name, _)| *name == metric) {
            Some((_, values)) => values.push(value),
            None => self.metrics.push((metric, vec![value])),
        }
    }

    pub fn answer(&mut self, answer: impl ToString) {
        self.answer = answer.to_string();
    }

    /// The result as JSON; every text in it is plain.
    pub fn json(&self, workload: &str) -> String {
        let mut seconds = 0.0;
        let mut metrics: Vec<String> = Vec::new();
        for (name, values) in &self.metrics {
            if *name == "ns" {
                seconds = quantile(values.clone(), 0.5) * 1e-9;
            }
            metrics.push(format!("\"{}\": {:?}", name, values));
        }
        metrics.push(format!("\"peak_kb\": [{}]", peak_kilobytes()));
        format!(
            "{{\"workload\": \"{}\", \"runtime\": \"rayon\", \"version\": \"1\", \"threads\": {}, \
             \"seconds\": {:?}, \"answer\": \"{}\", \"metrics\": {{{}}}}}\n",
            workload, self.threads, seconds, self.answer, metrics.join(", ")
        )
    }
}

/// The value that a share of the values does not exceed.
pub fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap());
    values[(share * (values.len() - 1) as f64) as usize]
}

fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
}
