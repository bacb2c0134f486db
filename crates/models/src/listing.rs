//! The information for choosing a model: whether it fits, its speed here, and which one is recommended.

use serde::Serialize;

use crate::machine::{Fit, Machine};
use crate::model::Model;
use crate::speed::{Speed, Speeds};
use crate::{Role, State, Tier};

/// A recommended generator writes the first word of an answer within this many seconds.
const FIRST_WORD: f32 = 10.0;
/// Tokens in the prompt of an ordinary question: the rules, five passages and the question.
const PROMPT: f32 = 1_100.0;

/// A model in the list of choices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Listed {
    #[serde(flatten)]
    pub model: Model,
    pub display_name: String,
    /// Whether it can be used.
    pub state: State,
    /// The size of its files in bytes.
    pub size: u64,
    /// The memory it needs in bytes, estimated.
    pub memory: u64,
    /// Whether it fits into free memory, including what the model now in its role would release.
    pub fits: Fit,
    /// The memory that is missing, in bytes; 0 if it fits.
    pub lacking: u64,
    /// The memory it could use in bytes: free memory, and what the model now in its role would release; 0 if unknown.
    pub budget: u64,
    /// Whether it is recommended for its role on this computer.
    pub recommended: bool,
    /// Whether it is in use.
    pub in_use: bool,
    /// Its speed on this computer; `None` until it is measured.
    pub speed: Option<Speed>,
}

/// What a recommendation depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Circumstances {
    pub machine: Machine,
    /// Whether much of the library is not in English.
    pub is_foreign: bool,
    /// Device and threads; measured speeds are stored under this key.
    pub settings: String,
}

/// Describes `models`. `serving` are the models in use, with the memory that each holds now.
pub(crate) fn list(
    models: Vec<Model>,
    Circumstances { machine, is_foreign, settings }: &Circumstances,
    speeds: &Speeds,
    serving: &[(Model, u64)],
) -> Vec<Listed> {
    let mut listed: Vec<Listed> = models
        .into_iter()
        .map(|model| {
            let of_role = |(one, _): &&(Model, u64)| one.entry.role == model.entry.role;
            let released = serving.iter().find(of_role).map_or(0, |(_, bytes)| *bytes);
            let free = machine.free_for_models(released);
            let memory = model.memory();
            Listed {
                display_name: model.entry.display_name().to_owned(),
                state: model.state(),
                size: model.entry.size(),
                memory,
                fits: Fit::of(memory, free),
                lacking: if free == 0 { 0 } else { memory.saturating_sub(free) },
                recommended: false,
                in_use: serving.iter().any(|(one, _)| one.entry.id == model.entry.id),
                budget: free,
                speed: speeds.of(&model, settings),
                model,
            }
        })
        .collect();
    for role in [Role::Embedder, Role::Reranker, Role::Generator] {
        let best = match role {
            Role::Generator => generator(&listed),
            Role::Embedder | Role::Reranker | Role::Checker => encoder(&listed, role, *is_foreign),
        };
        if let Some(best) = best {
            listed[best].recommended = true;
        }
    }
    listed
}

/// The first model of the role; if much of the library is not in English, the first that supports other languages.
/// Installed models come before those to download.
fn encoder(listed: &[Listed], role: Role, is_foreign: bool) -> Option<usize> {
    let reads = |at: &usize| {
        let entry = &listed[*at].model.entry;
        entry.role == role && (!is_foreign || entry.language_count > 1)
    };
    let suited = || (0..listed.len()).filter(reads);
    suited().find(|at| listed[*at].state == State::Here).or_else(|| suited().next())
}

/// The largest tier of generator that fits and, estimated from another model's measured speed, writes the first word in
/// time. If nothing was measured yet, the smallest, which is fast enough everywhere.
fn generator(listed: &[Listed]) -> Option<usize> {
    let parameters = |one: &Listed| one.model.entry.parameters.unwrap_or(0) as f32;
    let is_generator = |one: &&Listed| one.model.entry.role == Role::Generator;
    let measured = listed.iter().filter(is_generator).find_map(|one| {
        let prompt = one.speed.as_ref()?.prompt_per_second?;
        (prompt > 0.0 && parameters(one) > 0.0).then(|| prompt * parameters(one))
    });
    // Prompt tokens per second are taken as inversely proportional to the number of parameters.
    let in_time = |one: &Listed| measured.is_some_and(|each| PROMPT * parameters(one) / each <= FIRST_WORD);
    let choice = |one: &Listed| {
        let entry = &one.model.entry;
        let suits = one.fits == Fit::Fits && (entry.tier == Some(Tier::Small) || in_time(one));
        entry.tier.is_some_and(|_| suits)
    };
    let fitting = (0..listed.len()).filter(|at| choice(&listed[*at]));
    let small = || listed.iter().position(|one| one.model.entry.tier == Some(Tier::Small));
    fitting.max_by(|a, b| parameters(&listed[*a]).total_cmp(&parameters(&listed[*b]))).or_else(small)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, ModelFile, catalog};

    fn english(free: u64) -> Circumstances {
        let machine = Machine { memory_total: 64 << 30, memory_free: free, card_free: None, threads: 8 };
        Circumstances { machine, is_foreign: false, settings: "CPU, 8 threads".into() }
    }

    fn all() -> Vec<Model> {
        let absent = |entry| Model { entry, folder: None, imported: false, program: None, server: None };
        catalog::entries().into_iter().map(absent).collect()
    }

    fn recommended(listed: &[Listed]) -> Option<Tier> {
        let generators = listed.iter().filter(|one| one.model.entry.role == Role::Generator);
        let of: Vec<_> = generators.filter(|one| one.recommended).collect();
        assert_eq!(of.len(), 1, "exactly one is recommended");
        of[0].model.entry.tier
    }

    #[test]
    fn the_largest_that_fits_and_answers_in_time_is_recommended() {
        let cache = tempfile::tempdir().unwrap();
        let speeds = Speeds::new(cache.path());
        let list = |free| list(all(), &english(free), &speeds, &[]);
        assert_eq!(recommended(&list(60 << 30)), Some(Tier::Small), "nothing was measured");
        let small = all().into_iter().find(|model| model.entry.tier == Some(Tier::Small)).unwrap();
        let keep = |prompt| {
            let prompt_per_second = Some(prompt);
            let speed = Speed { device: "CPU".into(), per_second: 9.0, prompt_per_second, notice: None };
            speeds.keep(&small, "CPU, 8 threads", speed);
        };
        keep(200.0);
        assert_eq!(recommended(&list(60 << 30)), Some(Tier::Small), "a larger one would take a minute");
        keep(20_000.0);
        assert_eq!(recommended(&list(60 << 30)), Some(Tier::Best));
        assert_eq!(recommended(&list(6 << 30)), Some(Tier::Balanced), "the best does not fit");
        assert_eq!(recommended(&list(1 << 20)), Some(Tier::Small), "something is recommended always");
    }

    #[test]
    fn a_library_in_other_languages_gets_an_embedder_that_reads_them() {
        let cache = tempfile::tempdir().unwrap();
        let speeds = Speeds::new(cache.path());
        let counts = |is_foreign| {
            let circumstances = Circumstances { is_foreign, ..english(8 << 30) };
            let listed = list(all(), &circumstances, &speeds, &[]);
            let of = |role| {
                let mut of_role = listed.iter().filter(|one| one.model.entry.role == role);
                of_role.find(|one| one.recommended).map(|one| one.model.entry.language_count > 1)
            };
            [of(Role::Embedder), of(Role::Reranker)]
        };
        assert_eq!(counts(false), [Some(false); 2]);
        assert_eq!(counts(true), [Some(true); 2]);
    }

    #[test]
    fn what_the_model_in_use_holds_counts_as_free_for_another_of_its_role() {
        let cache = tempfile::tempdir().unwrap();
        let file = ModelFile { name: "w".into(), path: None, size: 2 << 30, sha256: "a".repeat(64) };
        let model = |id: &str| Model {
            entry: Entry {
                id: id.into(),
                kv_bytes: Some(0),
                ..Entry::of(Role::Generator, 512, vec![file.clone()])
            },
            folder: None,
            imported: false,
            program: None,
            server: None,
        };
        let speeds = Speeds::new(cache.path());
        let fits = |serving: &[(Model, u64)]| {
            let listed = list(vec![model("a"), model("b")], &english(2 << 30), &speeds, serving);
            (listed[1].fits, listed[1].lacking > 0)
        };
        assert_eq!(fits(&[]), (Fit::TooLarge, true));
        assert_eq!(fits(&[(model("a"), 3 << 30)]), (Fit::Fits, false));
    }
}
