//! The tables of an index, and its longer SQL statements.
//!
//! All names are fixed except that of the schema, which is quoted. Types and operators of the extension `vector` are
//! found by the session's search path; tables never are.

use serde::Deserialize;

/// Number of characters of a path that are indexed: entries of an index have a maximum length.
pub(super) const PREFIX: usize = 200;

/// The version of the tables.
pub(super) const VERSION: u32 = 1;

/// The row of the table `about`, which describes the index.
#[derive(Deserialize)]
pub(super) struct About {
    /// The version of the tables. A table `about` with this column marks a schema of Oriel.
    pub(super) oriel_version: u32,
    /// The fingerprint of the embedder.
    pub(super) embedder: String,
    /// The length of the vectors.
    pub(super) dimensions: u32,
    /// The manifest, as JSON.
    pub(super) manifest: Option<String>,
}

/// The tables of a schema.
pub(super) struct Tables {
    /// The name of the schema.
    pub(super) schema: String,
    /// The name as a quoted identifier.
    pub(super) quoted: String,
    /// A row for each sentence.
    pub(super) sentence: String,
    /// A row for each term of each sentence.
    pub(super) posting: String,
    /// One row, see [`About`]. It also has the numbers of sentences and of terms, for BM25.
    pub(super) about: String,
}

impl Tables {
    /// The tables of a schema.
    pub(super) fn new(schema: &str) -> Self {
        let quoted = format!("\"{}\"", schema.replace('"', "\"\""));
        Self {
            schema: schema.to_owned(),
            sentence: format!("{quoted}.sentence"),
            posting: format!("{quoted}.posting"),
            about: format!("{quoted}.about"),
            quoted,
        }
    }

    /// Creates the tables. Texts are compared by their bytes. The index over the vectors has half precision, which
    /// takes half the memory; scores are computed with the full vectors.
    pub(super) fn create(&self, dimensions: u32) -> String {
        let Self { sentence, posting, about, .. } = self;
        format!(
            r#"CREATE TABLE {sentence} (
                   id bigint PRIMARY KEY,
                   ordinal bigint NOT NULL GENERATED ALWAYS AS (id & 4294967295) STORED,
                   generation bigint NOT NULL,
                   dated bigint NOT NULL,
                   kind text COLLATE "C" NOT NULL,
                   path text COLLATE "C" NOT NULL,
                   sender text COLLATE "C" NOT NULL,
                   hash text COLLATE "C" NOT NULL,
                   text text NOT NULL,
                   place text NOT NULL,
                   terms text COLLATE "C" NOT NULL,
                   length integer NOT NULL,
                   v vector({dimensions}) NOT NULL
               );
               CREATE INDEX ON {sentence} (id) WHERE ordinal = 0;
               CREATE INDEX ON {sentence} (left(path, {PREFIX}));
               CREATE INDEX ON {sentence} (kind);
               CREATE INDEX ON {sentence} (dated);
               CREATE INDEX ON {sentence} USING hnsw ((v::halfvec({dimensions})) halfvec_cosine_ops);
               CREATE TABLE {posting} (
                   term text COLLATE "C" NOT NULL,
                   id bigint NOT NULL,
                   frequency integer NOT NULL,
                   length integer NOT NULL,
                   PRIMARY KEY (term, id) INCLUDE (frequency, length)
               );
               CREATE TABLE {about} (
                   oriel_version integer NOT NULL,
                   embedder text NOT NULL,
                   dimensions integer NOT NULL,
                   manifest text,
                   sentences bigint NOT NULL,
                   terms bigint NOT NULL
               );"#
        )
    }

    /// Inserts rows: `$1` to `$11` are their columns, `$12` their vectors one after the other, `$13` the length of each
    /// vector.
    pub(super) fn insert(&self) -> String {
        let Self { sentence, posting, about, .. } = self;
        format!(
            "WITH new AS (
                 INSERT INTO {sentence}
                     (id, generation, dated, kind, path, sender, hash, text, place, terms, length, v)
                 SELECT g.id, g.generation, g.dated, g.kind, g.path, g.sender, g.hash, g.text, g.place, g.terms,
                     g.length, ($12)[(g.n - 1)::integer * $13 + 1 : g.n::integer * $13]::vector
                 FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) WITH ORDINALITY
                     AS g(id, generation, dated, kind, path, sender, hash, text, place, terms, length, n)
                 RETURNING id, terms, length
             ),
             posted AS (
                 INSERT INTO {posting} (term, id, frequency, length)
                 SELECT one.term, new.id, count(*), new.length
                 FROM new CROSS JOIN unnest(string_to_array(new.terms, ' ')) AS one(term)
                 GROUP BY one.term, new.id, new.length
             )
             UPDATE {about} SET sentences = sentences + (SELECT count(*) FROM new),
                 terms = terms + (SELECT coalesce(sum(length), 0) FROM new)"
        )
    }

    /// Deletes the rows with the ids `$1`.
    pub(super) fn delete(&self) -> String {
        let Self { sentence, posting, about, .. } = self;
        format!(
            "WITH old AS (DELETE FROM {sentence} WHERE id = ANY ($1) RETURNING id, terms, length),
             posted AS (
                 DELETE FROM {posting} p
                 USING (SELECT old.id, unnest(string_to_array(old.terms, ' ')) AS term FROM old) AS one
                 WHERE p.term = one.term AND p.id = one.id
             )
             UPDATE {about} SET sentences = sentences - (SELECT count(*) FROM old),
                 terms = terms - (SELECT coalesce(sum(length), 0) FROM old)"
        )
    }

    /// The ids of the rows from `$1` to `$2`, except those of the generations `$3` and `$4`.
    pub(super) fn old(&self) -> String {
        let sentence = &self.sentence;
        format!(
            "SELECT s.id FROM unnest($1, $2, $3) AS range(first, last, kept)
             JOIN {sentence} s ON s.id BETWEEN range.first AND range.last
             WHERE range.kept IS NULL OR s.generation NOT IN (range.kept, $4)"
        )
    }

    /// The `$3` rows nearest to each of `$2` vectors of this length, which are one after the other in `$1`, among those
    /// that meet a condition. The rows ranked by their full vectors are twice as many from the index, or all rows if
    /// `is_exact`.
    pub(super) fn nearest(&self, dimensions: usize, condition: &str, is_exact: bool) -> String {
        let sentence = &self.sentence;
        let candidates = match is_exact {
            true => String::new(),
            false => {
                format!("ORDER BY s.v::halfvec({dimensions}) <=> text.v::halfvec({dimensions}) LIMIT 2 * $3")
            }
        };
        format!(
            "WITH text AS MATERIALIZED (
                 SELECT n, ($1)[(n - 1) * {dimensions} + 1 : n * {dimensions}]::vector AS v
                 FROM generate_series(1, $2) AS n
             )
             SELECT text.n, found.* FROM text CROSS JOIN LATERAL (
                 SELECT * FROM (
                     SELECT s.id, s.generation, (1 - (s.v <=> text.v))::real AS score, s.hash
                     FROM {sentence} s WHERE {condition} {candidates}
                 ) AS candidate ORDER BY score DESC, id LIMIT $3
             ) AS found ORDER BY text.n, found.score DESC, found.id"
        )
    }

    /// The `$3` rows with the highest BM25 for each text, among those that meet a condition: `$1` are the words and
    /// `$2` the indices of their texts. Frequencies are counted over all rows.
    pub(super) fn worded(&self, condition: &str) -> String {
        let Self { sentence, posting, about, .. } = self;
        let of_condition = match condition {
            "true" => String::new(),
            condition => format!("JOIN {sentence} s ON s.id = p.id WHERE {condition}"),
        };
        format!(
            "WITH weighted AS MATERIALIZED (
                 SELECT word.term, about.terms::float8 / nullif(about.sentences, 0) AS mean,
                     ln(1 + (about.sentences - held.n + 0.5) / (held.n + 0.5)) AS weight
                 FROM (SELECT DISTINCT unnest($1) AS term) AS word CROSS JOIN {about} AS about
                 CROSS JOIN LATERAL (SELECT count(*)::float8 AS n FROM {posting} p WHERE p.term = word.term) AS held
                 WHERE held.n > 0
             ),
             scored AS (
                 SELECT word.n, p.id, sum(
                     w.weight * p.frequency * 2.2 / (p.frequency + 1.2 * (0.25 + p.length / w.mean * 0.75))
                 ) AS score
                 FROM unnest($1, $2) AS word(term, n) JOIN weighted w ON w.term = word.term
                 JOIN {posting} p ON p.term = word.term {of_condition}
                 GROUP BY word.n, p.id
             ),
             best AS (
                 SELECT n, id, score::real AS score, row_number() OVER (PARTITION BY n ORDER BY score DESC, id) AS at
                 FROM scored
             )
             SELECT best.n, s.id, s.generation, best.score, s.hash FROM best JOIN {sentence} s ON s.id = best.id
             WHERE best.at <= $3 ORDER BY best.n, best.score DESC, best.id"
        )
    }
}
