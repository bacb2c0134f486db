//! Chooses each token: the most likely one that repeats nothing, cites only existing passages and keeps to a grammar.

use std::fmt::Write as _;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;
use oriel_core::{Notice, TextForm};

/// The number of previous tokens in which repetition is penalised.
const PENALTY_WINDOW: i32 = 128;
/// Repeating a run of more tokens than this is penalised, more with each further token (llama.cpp's DRY sampler with
/// its recommended strength). Names and terms are shorter.
const MAX_REPEATED_RUN: i32 = 8;
const RUN_PENALTY: f32 = 0.8;
const RUN_PENALTY_BASE: f32 = 1.75;

pub(crate) struct Sampler {
    end: LlamaToken,
    chain: LlamaSampler,
    grammar: Option<LlamaSampler>,
}

impl Sampler {
    /// For a text of this form.
    pub(crate) fn new(model: &LlamaModel, repeat_penalty: f32, form: &TextForm) -> Result<Self, Notice> {
        let penalties = LlamaSampler::penalties(model.n_vocab(), PENALTY_WINDOW, repeat_penalty, 0.0, 0.0);
        let runs = LlamaSampler::dry(
            model,
            RUN_PENALTY,
            RUN_PENALTY_BASE,
            MAX_REPEATED_RUN,
            PENALTY_WINDOW,
            [""; 0],
        );
        let grammar = match form {
            TextForm::Free | TextForm::Citing(0) => None,
            TextForm::Citing(passages) => Some(citing(*passages)),
            TextForm::Grammar(grammar) => Some(grammar.clone()),
        };
        let grammar = grammar.map(|grammar| LlamaSampler::grammar(model, &grammar, "root"));
        Ok(Self {
            end: model.vocab().eos(),
            chain: LlamaSampler::chain([penalties, runs, LlamaSampler::greedy()], true),
            grammar: grammar.transpose().map_err(Notice::text)?,
        })
    }

    /// Chooses the next token by the logits at index `at` of the last batch (-1 is the last index). It never chooses
    /// `barred`.
    pub(crate) fn next(
        &mut self,
        context: &LlamaContext<'_>,
        at: i32,
        barred: Option<LlamaToken>,
    ) -> LlamaToken {
        let candidates = || {
            let mut candidates = context.token_data_array_ith(at);
            let is_barred = |one: &&mut LlamaTokenData| Some(one.id()) == barred;
            if let Some(barred) = candidates.data.iter_mut().find(is_barred) {
                barred.set_logit(f32::NEG_INFINITY);
            }
            candidates
        };
        let mut likeliest = candidates();
        likeliest.apply_sampler(&mut self.chain);
        let mut token = likeliest.selected_token();
        if let Some(grammar) = &mut self.grammar {
            // Checking one token is cheap. Checking the whole vocabulary is not, but is seldom needed.
            if !token.is_some_and(|token| admits(grammar, token)) {
                let mut admitted = candidates();
                admitted.apply_sampler(grammar);
                admitted.apply_sampler(&mut self.chain);
                token = admitted.selected_token();
            }
        }
        let token = token.unwrap_or(self.end);
        self.chain.accept(token);
        if let Some(grammar) = &mut self.grammar {
            grammar.accept(token);
        }
        token
    }
}

fn admits(grammar: &mut LlamaSampler, token: LlamaToken) -> bool {
    let mut alone = LlamaTokenDataArray::new(vec![LlamaTokenData::new(token, 0.0, 0.0)], false);
    alone.apply_sampler(grammar);
    alone.data.first().is_some_and(|one| one.logit().is_finite())
}

/// A grammar (GBNF) of texts whose brackets with numbers only cite existing passages, such as `[1]` or `[1, 2]`.
fn citing(passages: usize) -> String {
    let mut numbers = String::new();
    for n in 1..=passages {
        // Writing to a string cannot fail.
        let _ = write!(numbers, "{}\"{n}\"", if n == 1 { "" } else { " | " });
    }
    format!(
        "root ::= ( [^\\[] | \"[\" ( cited | [^0-9\\[] ) )*\n\
         cited ::= number ( \", \" number )* \"]\"\n\
         number ::= {numbers}\n"
    )
}
