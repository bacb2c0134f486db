//! The arguments of the tools. Their comments are part of the schemas that a client's model reads.

use std::path::PathBuf;
use std::str::FromStr as _;

use oriel_api::day_start;
use oriel_core::Kind;
use oriel_engine::Filter;
use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

/// Limits the documents. All conditions must hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Scope {
    /// Absolute paths of folders or documents, as `status` and the other tools return them.
    pub within: Vec<PathBuf>,
    /// Formats, such as pdf, docx, md, xlsx, eml.
    pub kinds: Vec<String>,
    /// Senders of mails, by name or address.
    pub from: Vec<String>,
    /// The first day of change, or of sending a mail: 2026-01-31.
    pub since: Option<String>,
    /// The last day of change, or of sending a mail.
    pub until: Option<String>,
}

impl Scope {
    /// The documents that both the scope and `visible` accept.
    pub(crate) fn filter(&self, visible: Filter) -> anyhow::Result<Filter> {
        Ok(Filter {
            // Paths are used as given: the program must not learn where a link leads.
            within: self.within.clone(),
            kinds: self
                .kinds
                .iter()
                .map(|kind| Kind::from_str(kind))
                .collect::<Result<_, _>>()
                .map_err(anyhow::Error::msg)?,
            from: self.from.clone(),
            since: self.since.as_deref().map(|day| day_start(day, 0)).transpose()?,
            until: self.until.as_deref().map(|day| day_start(day, 1)).transpose()?,
            ..visible
        })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// A question or keywords, in any language.
    #[schemars(length(min = 1))]
    pub query: String,
    /// Maximum number of passages.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: usize,
    /// Sentences before and after each found one.
    #[serde(default = "two")]
    #[schemars(range(max = 50))]
    pub window: u32,
    #[serde(default)]
    pub scope: Scope,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fetch {
    /// The `id` or `url` of a result, or of a document.
    pub id: String,
    /// The first byte to read; by default, the text around the place in `id`.
    #[serde(default)]
    pub start: Option<u32>,
    /// Maximum bytes of text.
    #[serde(default = "page_bytes")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub length: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    /// A complete question, which needs no earlier one.
    #[schemars(length(min = 1))]
    pub question: String,
    /// Answer with sentences of the documents, word for word, without a language model. That is faster.
    #[serde(default)]
    pub quotes: bool,
    #[serde(default)]
    pub scope: Scope,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verify {
    /// One sentence: a claim, or a quote.
    #[schemars(length(min = 1))]
    pub claim: String,
    #[serde(default)]
    pub scope: Scope,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mentions {
    /// The thing: "notice period".
    #[schemars(length(min = 1))]
    pub thing: String,
    /// How to search for it.
    #[serde(default)]
    pub by: By,
    /// Documents to skip.
    #[serde(default)]
    pub offset: usize,
    /// Maximum number of documents in the list. The counts cover all.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: usize,
    #[serde(default)]
    pub scope: Scope,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum By {
    /// Sentences with all of its words, in any form. Exact and fast.
    #[default]
    Words,
    /// Sentences that mean it, judged by a model, each with a probability. Reads every document, so it may take minutes.
    Meaning,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Status {}

const fn ten() -> usize {
    10
}

const fn two() -> u32 {
    2
}

const fn page_bytes() -> u32 {
    32 << 10
}

/// The schema of a tool's arguments without references, which some clients do not follow.
pub(crate) fn schema_of<T: JsonSchema>() -> JsonObject {
    // Some clients refuse tools with a format that they do not know, such as uint32.
    let without_format = RecursiveTransform(|schema: &mut Schema| {
        schema.remove("format");
    });
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .with_transform(without_format);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    match schema.to_value() {
        Value::Object(mut schema) => {
            schema.remove("title");
            schema
        }
        _ => JsonObject::new(),
    }
}
