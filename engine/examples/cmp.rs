use engine::tables::builders::{self, *};
use engine::tables::*;
use std::time::Instant;
fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let materials: Vec<Material> = names.iter().map(|n| n.parse().unwrap()).collect();
    let compare = std::env::var("CMP").is_ok();
    let all = builders::with_smaller(&materials);
    let mut set = TableSet::new();
    let (mut ours, mut theirs) = (0.0, 0.0);
    for m in all {
        let t = Instant::now();
        let built = builders::tables(m, &set).unwrap();
        let fast = t.elapsed().as_secs_f64();
        ours += fast;
        let mut slow = 0.0;
        if compare {
            let t = Instant::now();
            let dtm = builders::table(&Retrograde, m, Metric::Dtm, &set).unwrap();
            let mut s2 = set.clone(); s2.add(dtm);
            let dtz = builders::table(&Retrograde, m, Metric::Dtz, &s2).unwrap();
            slow = t.elapsed().as_secs_f64();
            theirs += slow;
            let same = [&built[0] == s2.get(m, Metric::Dtm).unwrap(), built[1] == dtz];
            println!("{m}: {same:?}");
        }
        println!("{m}: {fast:.3} {slow:.3}");
        for t in built { set.add(t); }
    }
    println!("total {ours:.3} {theirs:.3}");
}
