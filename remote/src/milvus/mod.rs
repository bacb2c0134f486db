//! An index in a collection of Milvus: the calls of [`oriel_wire::index`], as calls of its gRPC API.
//!
//! Each sentence is a row. Its terms, joined by spaces, pass an analyzer that only splits at spaces, and a BM25
//! function, so that the server scores exactly Oriel's terms. Fusion and everything after it stay in Oriel.

mod expression;
mod proto;
mod rows;

use std::error::Error as _;
use std::path::Path;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use oriel_core::{DocumentId, Filter, MAX_OCCURRENCES, Ordinal};
use oriel_wire::RemoteError;
use oriel_wire::index::{CallReply, Collection, FoundRow, IndexServer, Manifest, Row, SoughtText};
use prost::Message;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};
use tonic_prost::ProstCodec;

use crate::index_client::{Found, IndexClient, other, said, timed, unexpected};
use crate::stored::cut;
use proto::{DataType, Pair, Plain, Status, pair};
use rows::{FOUND, columns, found_rows, read_rows};

/// Maximum number of rows that a search of Milvus returns.
const MAX_DEPTH: usize = 16_384;
/// Maximum bytes of a message.
const MAX_MESSAGE: usize = 64 << 20;
/// Maximum number of documents in the condition of one removal.
const MAX_REMOVED: usize = 64;
/// Consistency level: reads see everything that was written.
const STRONG: i32 = 0;
/// Consistency level: reads see what was written some seconds ago.
const BOUNDED: i32 = 2;

/// A connection to a collection.
pub(crate) struct Milvus {
    grpc: Grpc<Channel>,
    host: String,
    collection: String,
    key: Option<MetadataValue<Ascii>>,
}

impl Status {
    fn check(&self, host: &str) -> Result<(), RemoteError> {
        if self.code == 0 && self.error_code == 0 {
            return Ok(());
        }
        Err(said(host, u16::try_from(self.code).unwrap_or_default(), &self.reason))
    }
}

/// Fails if a reply's status is an error, or missing.
fn check(status: Option<&Status>, host: &str) -> Result<(), RemoteError> {
    match status {
        Some(status) => status.check(host),
        None => Err(unexpected(host, "a reply has no status")),
    }
}

impl IndexClient for Milvus {
    async fn connect(server: &IndexServer, host: String) -> Result<Self, RemoteError> {
        let other = |reason: String| other(&host, reason);
        let silence = Duration::from_secs(server.silence);
        let mut endpoint = Endpoint::from_shared(server.url.clone())
            .map_err(|error| other(error.to_string()))?
            .connect_timeout(silence)
            .timeout(silence);
        if server.url.starts_with("https:") {
            let tls = ClientTlsConfig::new().with_native_roots();
            endpoint = endpoint.tls_config(tls).map_err(|error| other(error.to_string()))?;
        }
        let channel = endpoint.connect().await.map_err(|error| unreachable(&error, host.clone()))?;
        let grpc =
            Grpc::new(channel).max_decoding_message_size(MAX_MESSAGE).max_encoding_message_size(MAX_MESSAGE);
        let key = server.key.as_ref().map(|key| BASE64.encode(&key.0).parse());
        let key = key.transpose().map_err(|_| other("the key has characters that cannot be sent".into()))?;
        Ok(Self { grpc, host, collection: server.collection.clone(), key })
    }

    async fn describe(&self) -> Result<CallReply, RemoteError> {
        if !self.has_collection(&self.collection).await? {
            let shown: proto::ShownCollections =
                self.call("ShowCollections", proto::ShowCollections {}).await?;
            check(shown.status.as_ref(), &self.host)?;
            let names = shown.collection_names;
            let is_manifest = |name: &String| names.iter().any(|one| *name == rows::manifest_of(one));
            return Ok(CallReply::Missing(names.iter().filter(|name| !is_manifest(name)).cloned().collect()));
        }
        let described: proto::DescribedCollection =
            self.call("DescribeCollection", of_collection(&self.collection)).await?;
        check(described.status.as_ref(), &self.host)?;
        let Some(collection) = described.schema.as_ref().and_then(rows::made_for) else {
            return Ok(CallReply::Foreign);
        };
        self.load(&self.collection).await?;
        let about = rows::manifest_of(&self.collection);
        let manifest = match self.has_collection(&about).await? {
            false => None,
            true => {
                self.load(&about).await?;
                rows::read_manifest(
                    &self.query_in(about, "id == 0".into(), &[rows::TEXT], Vec::new(), STRONG).await?,
                )
            }
        };
        Ok(CallReply::Opened(collection, manifest))
    }

    async fn create(&self, made_for: &Collection) -> Result<(), RemoteError> {
        let vector = [pair("index_type", "AUTOINDEX"), pair("metric_type", "COSINE"), pair("params", "{}")];
        let words = [
            pair("index_type", "SPARSE_INVERTED_INDEX"),
            pair("metric_type", "BM25"),
            pair("params", r#"{"bm25_k1":1.2,"bm25_b":0.75}"#),
            // Milvus 2.5 reads the parameters here.
            pair("bm25_k1", "1.2"),
            pair("bm25_b", "0.75"),
        ];
        let indexes = [(rows::VECTOR, &vector[..]), (rows::WORDS, &words[..])];
        self.create_one(rows::manifest_schema(&self.collection), &indexes[..1]).await?;
        self.create_one(rows::schema(&self.collection, made_for), &indexes).await
    }

    async fn drop_all(&self) -> Result<(), RemoteError> {
        for name in [self.collection.clone(), rows::manifest_of(&self.collection)] {
            self.call::<_, Plain>("DropCollection", of_collection(&name)).await?.check(&self.host)?;
        }
        Ok(())
    }

    async fn announce(&self, manifest: &Manifest) -> Result<(), RemoteError> {
        let columns = rows::manifest_columns(manifest);
        let columns = columns.ok_or_else(|| unexpected(&self.host, "the manifest is too long"))?;
        self.upsert(rows::manifest_of(&self.collection), columns, 1).await
    }

    async fn published(
        &self,
        after: Option<DocumentId>,
        limit: u32,
    ) -> Result<Vec<(DocumentId, u64)>, RemoteError> {
        // In the order of ids, as the iterator of Milvus's own client requests rows.
        let params = vec![
            pair("limit", &limit.min(MAX_DEPTH as u32).to_string()),
            pair("iterator", "True"),
            pair("reduce_stop_for_best", "True"),
        ];
        let fields = [rows::DOCUMENT, rows::GENERATION];
        let (name, expr) = (self.collection.clone(), expression::of_documents(after));
        let found = self.query_in(name, expr, &fields, params, STRONG).await?;
        rows::read_documents(&found).ok_or_else(|| unexpected(&self.host, "a row is none of Oriel's"))
    }

    async fn locate(&self, path: &Path) -> Result<Option<DocumentId>, RemoteError> {
        let fields = [rows::DOCUMENT, rows::GENERATION];
        let found = self.query(expression::of_path(path), &fields, vec![pair("limit", "1")]).await?;
        let read = rows::read_documents(&found).unwrap_or_default();
        Ok(read.first().map(|(document, _)| *document))
    }

    async fn has_any(&self, filter: &Filter) -> Result<bool, RemoteError> {
        let params = vec![pair("limit", "1")];
        let found = self.query(expression::of_filter(filter), &[rows::DOCUMENT], params).await?;
        Ok(!rows::longs(&found, rows::DOCUMENT).is_empty())
    }

    async fn search(
        &self,
        texts: &[SoughtText],
        filter: &Filter,
        depth: u32,
        vectors: &[f32],
    ) -> Result<Found, RemoteError> {
        let condition = expression::of_filter(filter);
        let dense_texts = texts.iter().filter(|text| text.has_vector).count();
        let length = vectors.len().checked_div(dense_texts).unwrap_or_default().max(1);
        let values =
            vectors.chunks(length).map(|vector| vector.iter().flat_map(|one| one.to_le_bytes()).collect());
        let by_meaning = self.best(DataType::FloatVector, values.collect(), &condition, depth);
        let worded: Vec<&SoughtText> = texts.iter().filter(|text| !text.words.is_empty()).collect();
        let values = worded.iter().map(|text| text.words.join(" ").into_bytes()).collect();
        let by_words = self.best(DataType::VarChar, values, &condition, depth);
        // Both at once.
        let (dense, sparse) = tokio::join!(timed(by_meaning), timed(by_words));
        match (dense, sparse) {
            (Ok((dense, dense_ms)), Ok((sparse, sparse_ms))) => {
                Ok(Found { dense, sparse, dense_ms, sparse_ms })
            }
            // A collection without rows cannot be searched by words, because BM25 divides by the mean length.
            _ if self.is_empty().await? => Ok(Found::default()),
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }

    async fn rank(
        &self,
        among: &[(DocumentId, Ordinal)],
        vector: &[f32],
    ) -> Result<Vec<FoundRow>, RemoteError> {
        if among.is_empty() {
            return Ok(Vec::new());
        }
        let value = vector.iter().flat_map(|one| one.to_le_bytes()).collect();
        let (condition, limit) = (expression::of_rows(among), among.len().min(MAX_DEPTH));
        let mut lists = self.nearest(DataType::FloatVector, vec![value], &condition, limit).await?;
        let ranked = lists.pop().unwrap_or_default();
        Ok(ranked.into_iter().map(|(row, _)| row).collect())
    }

    async fn read(&self, ranges: &[(DocumentId, u32, u32)]) -> Result<Vec<Row>, RemoteError> {
        if ranges.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.query(expression::of_ranges(ranges), &rows::ALL, Vec::new()).await?;
        read_rows(&found).ok_or_else(|| unexpected(&self.host, "a row is none of Oriel's"))
    }

    async fn put(&self, rows: &[Row], vectors: &[f32]) -> Result<(), RemoteError> {
        if rows.is_empty() {
            return Ok(());
        }
        let fields = columns(rows, vectors);
        let fields = fields.ok_or_else(|| unexpected(&self.host, "a row has no vector or is too long"))?;
        self.upsert(self.collection.clone(), fields, rows.len()).await
    }

    async fn remove(&self, documents: &[(DocumentId, Option<u64>)]) -> Result<(), RemoteError> {
        for documents in documents.chunks(MAX_REMOVED) {
            let delete = proto::Delete {
                collection_name: self.collection.clone(),
                expr: expression::of_old(documents),
            };
            let mutation: proto::Mutation = self.call("Delete", delete).await?;
            check(mutation.status.as_ref(), &self.host)?;
        }
        Ok(())
    }
}

impl Milvus {
    async fn call<Q, A>(&self, method: &str, request: Q) -> Result<A, RemoteError>
    where
        Q: Message + Send + Sync + 'static,
        A: Message + Default + Send + Sync + 'static,
    {
        let path = PathAndQuery::try_from(format!("/milvus.proto.milvus.MilvusService/{method}"));
        let path = path.map_err(|_| unexpected(&self.host, "no such method"))?;
        let mut request = tonic::Request::new(request);
        if let Some(key) = &self.key {
            request.metadata_mut().insert("authorization", key.clone());
        }
        let mut grpc = self.grpc.clone();
        grpc.ready().await.map_err(|error| unreachable(&error, self.host.clone()))?;
        let answered = grpc.unary(request, path, ProstCodec::<Q, A>::default()).await;
        answered.map(tonic::Response::into_inner).map_err(|status| self.refused(&status))
    }

    fn refused(&self, status: &tonic::Status) -> RemoteError {
        let host = self.host.clone();
        match status.code() {
            tonic::Code::Unavailable => RemoteError::Unreachable { host },
            // The connection failed, not the server.
            tonic::Code::Unknown if status.source().is_some() => RemoteError::Unreachable { host },
            tonic::Code::DeadlineExceeded | tonic::Code::Cancelled => RemoteError::Silent { host },
            tonic::Code::Unauthenticated => RemoteError::Status { host, status: 401 },
            tonic::Code::PermissionDenied => RemoteError::Status { host, status: 403 },
            code => said(&host, code as u16, status.message()),
        }
    }

    async fn has_collection(&self, name: &str) -> Result<bool, RemoteError> {
        let has: proto::HasCollection = self.call("HasCollection", of_collection(name)).await?;
        check(has.status.as_ref(), &self.host)?;
        Ok(has.value)
    }

    async fn load(&self, name: &str) -> Result<(), RemoteError> {
        self.call::<_, Plain>("LoadCollection", of_collection(name)).await?.check(&self.host)
    }

    async fn create_one(
        &self,
        schema: proto::CollectionSchema,
        indexes: &[(&str, &[Pair])],
    ) -> Result<(), RemoteError> {
        let name = schema.name.clone();
        if !self.has_collection(&name).await? {
            let create = proto::CreateCollection {
                collection_name: name.clone(),
                schema: schema.encode_to_vec(),
                shards_num: 1,
                consistency_level: BOUNDED,
            };
            self.call::<_, Plain>("CreateCollection", create).await?.check(&self.host)?;
            for (field, params) in indexes {
                let index = proto::CreateIndex {
                    collection_name: name.clone(),
                    field_name: (*field).into(),
                    extra_params: params.to_vec(),
                    index_name: (*field).into(),
                };
                self.call::<_, Plain>("CreateIndex", index).await?.check(&self.host)?;
            }
        }
        self.load(&name).await
    }

    /// Whether the collection has no rows.
    async fn is_empty(&self) -> Result<bool, RemoteError> {
        let found =
            self.query(format!("{} >= 0", rows::ID), &[rows::DOCUMENT], vec![pair("limit", "1")]).await?;
        Ok(rows::longs(&found, rows::DOCUMENT).is_empty())
    }

    /// The best rows for each value, best first. By meaning, further rows are requested if one sentence occurs often.
    async fn best(
        &self,
        of: DataType,
        values: Vec<Vec<u8>>,
        condition: &str,
        depth: u32,
    ) -> Result<Vec<Vec<FoundRow>>, RemoteError> {
        let count = values.len();
        if count == 0 || depth == 0 {
            return Ok(vec![Vec::new(); count]);
        }
        let depth = (depth as usize).min(MAX_DEPTH);
        let mut limit = depth;
        loop {
            let lists = self.nearest(of, values.clone(), condition, limit).await?;
            let most = if of == DataType::FloatVector { MAX_OCCURRENCES } else { usize::MAX };
            let (lists, is_short) = cut(lists, limit, depth, most);
            if !is_short || limit == MAX_DEPTH {
                return Ok(lists);
            }
            limit = (4 * limit).min(MAX_DEPTH);
        }
    }

    /// The first `limit` rows for each value, best first, with the identities of their sentences.
    async fn nearest(
        &self,
        of: DataType,
        values: Vec<Vec<u8>>,
        condition: &str,
        limit: usize,
    ) -> Result<Vec<Vec<(FoundRow, String)>>, RemoteError> {
        let count = values.len();
        let (field, metric) = match of {
            DataType::FloatVector => (rows::VECTOR, "COSINE"),
            _ => (rows::WORDS, "BM25"),
        };
        let placeholder = proto::Placeholder { tag: "$0".into(), data_type: of.into(), values };
        let search = proto::Search {
            collection_name: self.collection.clone(),
            dsl: condition.to_owned(),
            placeholder_group: proto::PlaceholderGroup { placeholders: vec![placeholder] }.encode_to_vec(),
            dsl_type: 1,
            output_fields: FOUND.map(str::to_owned).to_vec(),
            search_params: vec![
                pair("anns_field", field),
                pair("topk", &limit.to_string()),
                pair("metric_type", metric),
                pair("params", "{}"),
                pair("round_decimal", "-1"),
            ],
            nq: i64::try_from(count).unwrap_or(i64::MAX),
            consistency_level: BOUNDED,
        };
        let results: proto::SearchResults = self.call("Search", search).await?;
        check(results.status.as_ref(), &self.host)?;
        let lists = found_rows(&results.results.unwrap_or_default(), count);
        lists.ok_or_else(|| unexpected(&self.host, "the columns of a reply do not fit"))
    }

    async fn query(
        &self,
        expr: String,
        fields: &[&str],
        query_params: Vec<Pair>,
    ) -> Result<Vec<proto::FieldData>, RemoteError> {
        self.query_in(self.collection.clone(), expr, fields, query_params, BOUNDED).await
    }

    async fn query_in(
        &self,
        collection_name: String,
        expr: String,
        fields: &[&str],
        query_params: Vec<Pair>,
        consistency_level: i32,
    ) -> Result<Vec<proto::FieldData>, RemoteError> {
        let query = proto::Query {
            collection_name,
            expr,
            output_fields: fields.iter().map(|&field| field.to_owned()).collect(),
            query_params,
            consistency_level,
        };
        let results: proto::QueryResults = self.call("Query", query).await?;
        check(results.status.as_ref(), &self.host)?;
        Ok(results.fields_data)
    }

    async fn upsert(
        &self,
        collection_name: String,
        fields_data: Vec<proto::FieldData>,
        rows: usize,
    ) -> Result<(), RemoteError> {
        let num_rows = u32::try_from(rows).unwrap_or(u32::MAX);
        let upsert = proto::Upsert { collection_name, fields_data, num_rows };
        let mutation: proto::Mutation = self.call("Upsert", upsert).await?;
        check(mutation.status.as_ref(), &self.host)
    }
}

fn of_collection(name: &str) -> proto::OfCollection {
    proto::OfCollection { collection_name: name.to_owned() }
}

fn unreachable(_: &tonic::transport::Error, host: String) -> RemoteError {
    RemoteError::Unreachable { host }
}
