//! A burst of files in a watched library: in the end the library equals the folder, and little memory was used.
//!
//! `ORIEL_BURST` sets how many files are copied (600 by default; `make stress` uses 20,000); meanwhile a quarter of
//! them is deleted and a twentieth moved.

use std::fs;
use std::time::{Duration, Instant};

use oriel_core::CancelToken;

use crate::oriel::{Oriel, differences};
use crate::prng::from_environment;
use crate::process::{Sampling, megabytes, processor_time, sample};
use crate::watch_command::{PATIENCE, Watching};

/// Memory that the process may use at most beyond its memory at rest: for texts being read, a transaction, the model.
const PEAK: u64 = 32 << 20;
/// Distinct sentences, of which each file has three.
const SENTENCES: u64 = 40;

fn text(number: u64) -> String {
    let line = |which: u64| format!("Crate {which} of the harbour holds {} spare hands. ", which * 7);
    let of = |place: u32| line(number / SENTENCES.pow(place) % SENTENCES);
    format!("{}{}{}", of(0), of(1), of(2))
}

#[test]
fn a_burst_ends_in_the_library_being_the_folder() {
    let many = from_environment("ORIEL_BURST", 600);
    let oriel = Oriel::new();
    oriel.write("here.txt", (0..SENTENCES).map(|line| text(line) + "\n").collect::<String>());
    let watching = Watching::begin(&oriel);
    let process = watching.child.id();
    let source = oriel.beside("source");
    fs::create_dir(&source).unwrap();
    for number in 0..many {
        fs::write(source.join(format!("{number}.txt")), text(number)).unwrap();
    }
    let folder = |number: u64| oriel.documents().join(format!("{}", number % 100));
    let file = |number: u64| folder(number).join(format!("{number}.txt"));
    (0..100).for_each(|number| fs::create_dir(folder(number)).unwrap());
    fs::create_dir(oriel.documents().join("moved")).unwrap();

    let rest = sample(process, &oriel.library());
    let sampling = Sampling::begin(process, oriel.library(), Duration::from_millis(50));
    let begun = Instant::now();
    // Files that were copied a while ago are deleted or moved, while more are copied.
    for number in 0..many + 200 {
        if number < many {
            fs::copy(source.join(format!("{number}.txt")), file(number)).unwrap();
        }
        match number.checked_sub(200).map(|old| (old, old % 20)) {
            Some((old, 1 | 5 | 9 | 13 | 17)) => fs::remove_file(file(old)).unwrap(),
            Some((old, 7)) => {
                fs::rename(file(old), oriel.documents().join(format!("moved/{old}.txt"))).unwrap();
            }
            _ => {}
        }
    }
    let copied = begun.elapsed();
    let library = oriel.open();
    let wanted = usize::try_from(many - many / 4).unwrap() + 1;
    watching.until_true(PATIENCE + copied * 10, || {
        let status = library.status().unwrap();
        status.documents == wanted
            && status.pending == 0
            && differences(&library, &oriel.documents()).is_empty()
    });
    let took = begun.elapsed();
    let samples = sampling.end();
    let most = |of: fn(&crate::process::Sample) -> u64| samples.iter().map(of).max().unwrap();
    println!(
        "{many} files copied, {} deleted, {} moved in {copied:.1?}, in the library after {took:.1?}; \
         memory of its own {} at rest, {} at most, {} at the end; all memory {} and {}; handles {} and {}; \
         {:.1?} of the processor",
        many / 4,
        many / 20,
        megabytes(rest.own),
        megabytes(most(|sample| sample.own)),
        megabytes(samples.last().unwrap().own),
        megabytes(rest.memory),
        megabytes(most(|sample| sample.memory)),
        rest.handles,
        most(|sample| sample.handles),
        processor_time(process),
    );
    watching.end();
    assert_eq!(differences(&library, &oriel.documents()), [""; 0]);
    assert_eq!(library.check(&CancelToken::new()).unwrap().problems, []);
    assert!(most(|sample| sample.own) < rest.own + PEAK);
}
