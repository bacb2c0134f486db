//! Rows in Milvus: columns with names, and ids of rows.

use oriel_core::{DocumentId, Ordinal};
use oriel_wire::index::{Collection, FoundRow, Manifest, Row};
use serde::{Deserialize, Serialize};

use crate::milvus::proto::{
    CollectionSchema, DataType, Field, FieldData, FieldSchema, Floats, FunctionSchema, Longs, Pair,
    ScalarField, Scalars, SearchResultData, Strings, VectorField, pair,
};
use crate::stored::{Place, StoredRow, dimensions, row_id};

/// See [`row_id`].
pub(super) const ID: &str = "id";
pub(super) const DOCUMENT: &str = "document";
pub(super) const ORDINAL: &str = "ordinal";
pub(super) const GENERATION: &str = "generation";
pub(super) const DATED: &str = "dated";
pub(super) const KIND: &str = "kind";
pub(super) const PATH: &str = "path";
pub(super) const SENDER: &str = "sender";
/// The hash of a sentence's text.
const HASH: &str = "hash";
pub(super) const TEXT: &str = "text";
/// See [`Place`].
const PLACE: &str = "place";
/// The terms, separated by spaces.
const TERMS: &str = "terms";
pub(super) const VECTOR: &str = "v";
/// The sparse vector that the server computes from the terms.
pub(super) const WORDS: &str = "words";

/// The columns of search results.
pub(super) const FOUND: [&str; 4] = [DOCUMENT, ORDINAL, GENERATION, HASH];
/// The columns for reading a row.
pub(super) const ALL: [&str; 11] =
    [DOCUMENT, ORDINAL, GENERATION, DATED, KIND, PATH, SENDER, HASH, TEXT, PLACE, TERMS];

/// Maximum bytes of a text in a column.
const MAX_TEXT: usize = 65_535;

/// The content of a collection's description, as JSON.
#[derive(Serialize, Deserialize)]
struct Description {
    /// The version of the columns.
    oriel: u32,
    embedder: String,
}

/// The version of the columns.
const VERSION: u32 = 1;

/// The properties of a collection; `None` if it was not made by Oriel, or has another version.
pub(super) fn made_for(schema: &CollectionSchema) -> Option<Collection> {
    let Description { oriel, embedder } = serde_json::from_str(&schema.description).ok()?;
    let vector = schema.fields.iter().find(|field| field.name == VECTOR)?;
    let dimensions = vector.type_params.iter().find(|pair| pair.key == "dim")?.value.parse().ok()?;
    (oriel == VERSION).then_some(Collection { embedder, dimensions })
}

/// The name of the collection with a collection's manifest.
pub(super) fn manifest_of(collection: &str) -> String {
    format!("{collection}_about")
}

fn field(name: &str, data_type: DataType, type_params: Vec<Pair>) -> FieldSchema {
    FieldSchema {
        name: name.into(),
        is_primary_key: name == ID,
        data_type: data_type.into(),
        type_params,
        is_function_output: name == WORDS,
    }
}

fn text_field(name: &str, length: usize) -> FieldSchema {
    field(name, DataType::VarChar, vec![pair("max_length", &length.to_string())])
}

fn vector_field(dimensions: u32) -> FieldSchema {
    field(VECTOR, DataType::FloatVector, vec![pair("dim", &dimensions.to_string())])
}

/// The schema for the manifest: one row with a text. Every collection must have a vector.
pub(super) fn manifest_schema(collection: &str) -> CollectionSchema {
    CollectionSchema {
        name: manifest_of(collection),
        description: String::new(),
        fields: vec![field(ID, DataType::Int64, Vec::new()), text_field(TEXT, MAX_TEXT), vector_field(2)],
        functions: Vec::new(),
    }
}

pub(super) fn manifest_columns(manifest: &Manifest) -> Option<Vec<FieldData>> {
    let text = serde_json::to_string(manifest).ok().filter(|text| text.len() <= MAX_TEXT)?;
    Some(vec![
        longs_column(ID, vec![0]),
        strings_column(TEXT, vec![text]),
        vectors_column(2, vec![1.0, 0.0])?,
    ])
}

pub(super) fn read_manifest(columns: &[FieldData]) -> Option<Manifest> {
    serde_json::from_str(strings(columns, TEXT).first()?).ok()
}

pub(super) fn schema(name: &str, made_for: &Collection) -> CollectionSchema {
    let description = Description { oriel: VERSION, embedder: made_for.embedder.clone() };
    let number = |name| field(name, DataType::Int64, Vec::new());
    let terms = vec![
        pair("max_length", &MAX_TEXT.to_string()),
        pair("enable_analyzer", "true"),
        pair("analyzer_params", r#"{"tokenizer":"whitespace"}"#),
    ];
    CollectionSchema {
        name: name.into(),
        description: serde_json::to_string(&description).unwrap_or_default(),
        fields: vec![
            number(ID),
            number(DOCUMENT),
            number(ORDINAL),
            number(GENERATION),
            number(DATED),
            text_field(KIND, 16),
            text_field(PATH, MAX_TEXT),
            text_field(SENDER, MAX_TEXT),
            text_field(HASH, 64),
            text_field(TEXT, MAX_TEXT),
            text_field(PLACE, MAX_TEXT),
            field(TERMS, DataType::VarChar, terms),
            vector_field(made_for.dimensions),
            field(WORDS, DataType::SparseFloatVector, Vec::new()),
        ],
        functions: vec![FunctionSchema {
            name: "bm25".into(),
            kind: 1,
            input_field_names: vec![TERMS.into()],
            output_field_names: vec![WORDS.into()],
        }],
    }
}

fn column(name: &str, data_type: DataType, field: Field) -> FieldData {
    FieldData { data_type: data_type.into(), field_name: name.into(), field: Some(field) }
}

fn longs_column(name: &str, data: Vec<i64>) -> FieldData {
    let longs = ScalarField { data: Some(Scalars::Longs(Longs { data })) };
    column(name, DataType::Int64, Field::Scalars(longs))
}

fn strings_column(name: &str, data: Vec<String>) -> FieldData {
    let strings = ScalarField { data: Some(Scalars::Strings(Strings { data })) };
    column(name, DataType::VarChar, Field::Scalars(strings))
}

fn vectors_column(dimensions: usize, data: Vec<f32>) -> Option<FieldData> {
    let vectors = VectorField { dim: i64::try_from(dimensions).ok()?, float_vector: Some(Floats { data }) };
    Some(column(VECTOR, DataType::FloatVector, Field::Vectors(vectors)))
}

/// The columns of rows and their vectors; `None` if the numbers of vectors and rows differ, or a text is too long.
pub(super) fn columns(rows: &[Row], vectors: &[f32]) -> Option<Vec<FieldData>> {
    let dimensions = dimensions(rows.len(), vectors)?;
    let number = |name, value: fn(&Row) -> i64| longs_column(name, rows.iter().map(value).collect());
    let text = |name, value: &dyn Fn(&Row) -> Option<String>| {
        let data: Option<Vec<String>> =
            rows.iter().map(|row| value(row).filter(|text| text.len() <= MAX_TEXT)).collect();
        Some(strings_column(name, data?))
    };
    Some(vec![
        number(ID, |row| row_id(row.document, row.ordinal)),
        number(DOCUMENT, |row| row.document.0.into()),
        number(ORDINAL, |row| row.ordinal.0.into()),
        number(GENERATION, |row| row.generation.cast_signed()),
        number(DATED, |row| row.dated),
        text(KIND, &|row| Some(row.kind.name().into()))?,
        text(PATH, &|row| Some(row.path.to_string_lossy().into()))?,
        text(SENDER, &|row| Some(row.sender.clone().unwrap_or_default()))?,
        text(HASH, &|row| Some(row.hash.clone()))?,
        text(TEXT, &|row| Some(row.text.clone()))?,
        text(PLACE, &Place::of)?,
        text(TERMS, &|row| Some(row.terms.join(" ")))?,
        vectors_column(dimensions, vectors.to_vec())?,
    ])
}

/// The documents with their generations, from their first rows, by id.
pub(super) fn read_documents(columns: &[FieldData]) -> Option<Vec<(DocumentId, u64)>> {
    let (documents, generations) = (longs(columns, DOCUMENT), longs(columns, GENERATION));
    let document =
        |(document, generation): (&i64, &i64)| Some((position(*document, 0)?.0, generation.cast_unsigned()));
    let mut read: Vec<_> = documents.iter().zip(generations).map(document).collect::<Option<_>>()?;
    read.sort_unstable();
    Some(read)
}

/// A column of numbers; empty if it does not exist.
pub(super) fn longs<'a>(columns: &'a [FieldData], name: &str) -> &'a [i64] {
    match columns.iter().find(|column| column.field_name == name).and_then(|column| column.field.as_ref()) {
        Some(Field::Scalars(ScalarField { data: Some(Scalars::Longs(longs)) })) => &longs.data,
        _ => &[],
    }
}

fn strings<'a>(columns: &'a [FieldData], name: &str) -> &'a [String] {
    match columns.iter().find(|column| column.field_name == name).and_then(|column| column.field.as_ref()) {
        Some(Field::Scalars(ScalarField { data: Some(Scalars::Strings(strings)) })) => &strings.data,
        _ => &[],
    }
}

fn position(document: i64, ordinal: i64) -> Option<(DocumentId, Ordinal)> {
    Some((DocumentId(u32::try_from(document).ok()?), Ordinal(u32::try_from(ordinal).ok()?)))
}

/// The results of each of `count` queries, best first, with the hashes of the texts; `None` if the columns do not fit.
pub(super) fn found_rows(results: &SearchResultData, count: usize) -> Option<Vec<Vec<(FoundRow, String)>>> {
    let columns = &results.fields_data;
    let (documents, ordinals) = (longs(columns, DOCUMENT), longs(columns, ORDINAL));
    let (generations, hashes) = (longs(columns, GENERATION), strings(columns, HASH));
    let mut at = 0_usize;
    let mut lists = Vec::with_capacity(count);
    for query in 0..count {
        let found = usize::try_from(results.topks.get(query).copied().unwrap_or_default()).ok()?;
        let mut list = Vec::with_capacity(found.min(results.scores.len()));
        for at in at..at.checked_add(found)? {
            let (document, ordinal) = position(*documents.get(at)?, *ordinals.get(at)?)?;
            let generation = generations.get(at)?.cast_unsigned();
            let score = *results.scores.get(at)?;
            list.push((FoundRow { document, ordinal, generation, score }, hashes.get(at)?.clone()));
        }
        list.sort_by(|(a, _), (b, _)| {
            b.score.total_cmp(&a.score).then((a.document, a.ordinal).cmp(&(b.document, b.ordinal)))
        });
        at += found;
        lists.push(list);
    }
    Some(lists)
}

/// Rows from their columns; `None` if the columns do not fit.
pub(super) fn read_rows(columns: &[FieldData]) -> Option<Vec<Row>> {
    let numbers = [DOCUMENT, ORDINAL, GENERATION, DATED].map(|name| longs(columns, name));
    let texts = [KIND, PATH, SENDER, HASH, TEXT, PLACE, TERMS].map(|name| strings(columns, name));
    let row = |at: usize| {
        let [document, ordinal, generation, dated] = numbers.map(|column| column.get(at).copied());
        let [kind, path, sender, hash, text, place, terms] = texts.map(|column| column.get(at));
        let stored = StoredRow {
            position: position(document?, ordinal?)?,
            generation: generation?,
            dated: dated?,
            kind: kind?,
            path: path?,
            sender: sender?,
            hash: hash?,
            text: text?,
            place: place?,
            terms: terms?,
        };
        stored.read()
    };
    (0..numbers[0].len()).map(row).collect()
}
