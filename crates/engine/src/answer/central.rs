//! The sentences of a text that say most of it: a graph in which sentences of like meaning are joined (LexRank, Erkan and Radev, 2004),
//! and a choice among the central ones that does not repeat itself (MMR, Carbonell and Goldstein, 1998). Arithmetic on vectors alone.

use oriel_text::terms;

/// Sentences in one graph. Of more, those that are nearest to the mean of all are taken, which are those with the most neighbours.
const MAX_GRAPH: usize = 400;
/// Steps of the walk over the graph; the order no longer changes after some ten.
const STEPS: usize = 16;
/// The share of a step that may lead anywhere.
const DAMPING: f32 = 0.15;
/// What a likeness to a sentence that was chosen costs, beyond the likeness that any two have.
const REPETITION: f32 = 0.6;
/// From this likeness on, two sentences say the same.
const SAME: f32 = 0.92;
/// Numbers of a vector that is made of words.
const WORD_DIMENSIONS: usize = 256;

/// How central each sentence is, from 0 to 1. The vectors have the length 1.
pub(crate) fn centrality(vectors: &[&[f32]]) -> Vec<f32> {
    let mut scores = vec![0.0; vectors.len()];
    let mean = mean_of(vectors);
    let near: Vec<f32> = vectors.iter().map(|vector| dot(vector, &mean)).collect();
    let mut taken: Vec<usize> = (0..vectors.len()).collect();
    taken.sort_by(|&a, &b| near[b].total_cmp(&near[a]).then(a.cmp(&b)));
    taken.truncate(MAX_GRAPH);
    let count = taken.len();
    let mut edges: Vec<f32> = Vec::with_capacity(count * count);
    for &a in &taken {
        edges.extend(taken.iter().map(|&b| if a == b { 0.0 } else { dot(vectors[a], vectors[b]).max(0.0) }));
    }
    // Embedders give any two sentences some likeness; only what is above the common one joins them.
    let common = edges.iter().sum::<f32>() / (edges.len() as f32).max(1.0);
    for row in edges.chunks_mut(count.max(1)) {
        row.iter_mut().for_each(|edge| *edge = (*edge - common).max(0.0));
        let sum: f32 = row.iter().sum();
        row.iter_mut().for_each(|edge| *edge = if sum > 0.0 { *edge / sum } else { 1.0 / count as f32 });
    }
    let mut rank = vec![1.0 / count.max(1) as f32; count];
    for _ in 0..STEPS {
        let mut next = vec![DAMPING / count as f32; count];
        for (row, from) in edges.chunks(count.max(1)).zip(&rank) {
            next.iter_mut().zip(row).for_each(|(to, edge)| *to += (1.0 - DAMPING) * from * edge);
        }
        rank = next;
    }
    let best = rank.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    taken.iter().zip(rank).for_each(|(&at, rank)| scores[at] = rank / best);
    scores
}

/// How near each sentence is to the mean of all, from 0 to 1.
pub(crate) fn nearness(vectors: &[Vec<f32>]) -> Vec<f32> {
    let vectors: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
    let mean = mean_of(&vectors);
    let near: Vec<f32> = vectors.iter().map(|vector| dot(vector, &mean)).collect();
    let least = near.iter().copied().fold(f32::INFINITY, f32::min);
    let most = near.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    near.iter().map(|near| (near - least) / (most - least).max(f32::EPSILON)).collect()
}

/// At most `limit` sentences by their scores, in reading order. What resembles a sentence that was chosen counts less.
pub(crate) fn choose(vectors: &[&[f32]], scores: &[f32], limit: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut likeness = vec![0.0_f32; vectors.len()];
    let mean = mean_of(vectors);
    let common = (dot(&mean, &mean) / (vectors.len().pow(2) as f32).max(1.0)).min(SAME);
    while chosen.len() < limit {
        let left = (0..vectors.len()).filter(|at| !chosen.contains(at) && likeness[*at] < SAME);
        let repeated = |at: usize| ((likeness[at] - common) / (1.0 - common)).max(0.0);
        let worth = |at: &usize| scores[*at] - REPETITION * repeated(*at);
        let Some(best) = left.max_by(|a, b| worth(a).total_cmp(&worth(b)).then(b.cmp(a))) else { break };
        for (at, vector) in vectors.iter().enumerate() {
            likeness[at] = likeness[at].max(dot(vector, vectors[best]));
        }
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}

/// A vector of the words of a text, for texts that have none by meaning.
pub(crate) fn word_vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; WORD_DIMENSIONS];
    for term in terms(text) {
        // FNV.
        let hash = term
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        vector[hash as usize % WORD_DIMENSIONS] += 1.0;
    }
    let length = dot(&vector, &vector).sqrt().max(f32::MIN_POSITIVE);
    vector.iter_mut().for_each(|value| *value /= length);
    vector
}

fn mean_of(vectors: &[&[f32]]) -> Vec<f32> {
    let mut mean = vectors.first().map_or_else(Vec::new, |first| vec![0.0; first.len()]);
    for vector in vectors {
        mean.iter_mut().zip(*vector).for_each(|(sum, value)| *sum += value);
    }
    mean
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_repeat_is_central_and_said_once() {
        let sentences = [
            "The bridge was closed for repairs.",
            "The closed bridge needs repairs of its deck.",
            "Traffic went around the closed bridge.",
            "The bridge was closed for the repairs.",
            "Lunch was served at noon.",
        ];
        let vectors: Vec<Vec<f32>> = sentences.iter().map(|sentence| word_vector(sentence)).collect();
        let vectors: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
        let scores = centrality(&vectors);
        let lowest = (0..5).min_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        assert_eq!(lowest, Some(4), "{scores:?}");
        let chosen = choose(&vectors, &scores, 3);
        assert!(!(chosen.contains(&0) && chosen.contains(&3)), "{chosen:?} says one thing twice");
        assert_eq!(choose(&vectors, &scores, 9).len(), 4);
        assert_eq!((centrality(&[]), choose(&[], &[], 3)), (Vec::new(), Vec::new()));
    }
}
