//! The messages of Milvus's gRPC API that Oriel sends and reads, with the fields that it needs, written by hand: a
//! generated client would bring every message of the API and a compiler for them. Numbers are those of `milvus.proto`,
//! `schema.proto` and `common.proto` of milvus-proto 2.5 and 3.0; unknown fields are skipped when reading.

use prost::{Enumeration, Message, Oneof};

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Status {
    /// Used by servers before 2.3.
    #[prost(int32, tag = "1")]
    pub error_code: i32,
    #[prost(string, tag = "2")]
    pub reason: String,
    #[prost(int32, tag = "3")]
    pub code: i32,
}

/// A reply that consists only of a status.
pub(crate) type Plain = Status;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Pair {
    #[prost(string, tag = "1")]
    pub key: String,
    #[prost(string, tag = "2")]
    pub value: String,
}

pub(crate) fn pair(key: &str, value: &str) -> Pair {
    Pair { key: key.into(), value: value.into() }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(crate) enum DataType {
    None = 0,
    Int64 = 5,
    VarChar = 21,
    FloatVector = 101,
    SparseFloatVector = 104,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct FieldSchema {
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(bool, tag = "3")]
    pub is_primary_key: bool,
    #[prost(enumeration = "DataType", tag = "5")]
    pub data_type: i32,
    #[prost(message, repeated, tag = "6")]
    pub type_params: Vec<Pair>,
    #[prost(bool, tag = "16")]
    pub is_function_output: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct FunctionSchema {
    #[prost(string, tag = "1")]
    pub name: String,
    /// 1 is BM25.
    #[prost(int32, tag = "4")]
    pub kind: i32,
    #[prost(string, repeated, tag = "5")]
    pub input_field_names: Vec<String>,
    #[prost(string, repeated, tag = "7")]
    pub output_field_names: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CollectionSchema {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub description: String,
    #[prost(message, repeated, tag = "4")]
    pub fields: Vec<FieldSchema>,
    #[prost(message, repeated, tag = "7")]
    pub functions: Vec<FunctionSchema>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CreateCollection {
    #[prost(string, tag = "3")]
    pub collection_name: String,
    /// A [`CollectionSchema`].
    #[prost(bytes = "vec", tag = "4")]
    pub schema: Vec<u8>,
    #[prost(int32, tag = "5")]
    pub shards_num: i32,
    #[prost(int32, tag = "6")]
    pub consistency_level: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CreateIndex {
    #[prost(string, tag = "3")]
    pub collection_name: String,
    #[prost(string, tag = "4")]
    pub field_name: String,
    #[prost(message, repeated, tag = "5")]
    pub extra_params: Vec<Pair>,
    #[prost(string, tag = "6")]
    pub index_name: String,
}

/// `LoadCollectionRequest`, `HasCollectionRequest`, `DescribeCollectionRequest` and `DropCollectionRequest`, which
/// begin with the same fields.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct OfCollection {
    #[prost(string, tag = "3")]
    pub collection_name: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct HasCollection {
    #[prost(message, optional, tag = "1")]
    pub status: Option<Status>,
    #[prost(bool, tag = "2")]
    pub value: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ShowCollections {}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ShownCollections {
    #[prost(message, optional, tag = "1")]
    pub status: Option<Status>,
    #[prost(string, repeated, tag = "2")]
    pub collection_names: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct DescribedCollection {
    #[prost(message, optional, tag = "1")]
    pub status: Option<Status>,
    #[prost(message, optional, tag = "2")]
    pub schema: Option<CollectionSchema>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Longs {
    #[prost(int64, repeated, tag = "1")]
    pub data: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Strings {
    #[prost(string, repeated, tag = "1")]
    pub data: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Floats {
    #[prost(float, repeated, tag = "1")]
    pub data: Vec<f32>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ScalarField {
    #[prost(oneof = "Scalars", tags = "3, 6")]
    pub data: Option<Scalars>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum Scalars {
    #[prost(message, tag = "3")]
    Longs(Longs),
    #[prost(message, tag = "6")]
    Strings(Strings),
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct VectorField {
    #[prost(int64, tag = "1")]
    pub dim: i64,
    #[prost(message, optional, tag = "2")]
    pub float_vector: Option<Floats>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct FieldData {
    #[prost(enumeration = "DataType", tag = "1")]
    pub data_type: i32,
    #[prost(string, tag = "2")]
    pub field_name: String,
    #[prost(oneof = "Field", tags = "3, 4")]
    pub field: Option<Field>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum Field {
    #[prost(message, tag = "3")]
    Scalars(ScalarField),
    #[prost(message, tag = "4")]
    Vectors(VectorField),
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Upsert {
    #[prost(string, tag = "3")]
    pub collection_name: String,
    #[prost(message, repeated, tag = "5")]
    pub fields_data: Vec<FieldData>,
    #[prost(uint32, tag = "7")]
    pub num_rows: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Delete {
    #[prost(string, tag = "3")]
    pub collection_name: String,
    #[prost(string, tag = "5")]
    pub expr: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Mutation {
    #[prost(message, optional, tag = "1")]
    pub status: Option<Status>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct PlaceholderGroup {
    #[prost(message, repeated, tag = "1")]
    pub placeholders: Vec<Placeholder>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Placeholder {
    #[prost(string, tag = "1")]
    pub tag: String,
    /// The type of the value, as a number of the data type.
    #[prost(enumeration = "DataType", tag = "2")]
    pub data_type: i32,
    #[prost(bytes = "vec", repeated, tag = "3")]
    pub values: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Search {
    #[prost(string, tag = "3")]
    pub collection_name: String,
    #[prost(string, tag = "5")]
    pub dsl: String,
    #[prost(bytes = "vec", tag = "6")]
    pub placeholder_group: Vec<u8>,
    /// 1 is an expression.
    #[prost(int32, tag = "7")]
    pub dsl_type: i32,
    #[prost(string, repeated, tag = "8")]
    pub output_fields: Vec<String>,
    #[prost(message, repeated, tag = "9")]
    pub search_params: Vec<Pair>,
    #[prost(int64, tag = "12")]
    pub nq: i64,
    #[prost(int32, tag = "14")]
    pub consistency_level: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct SearchResults {
    #[prost(message, optional, tag = "1")]
    pub status: Option<Status>,
    #[prost(message, optional, tag = "2")]
    pub results: Option<SearchResultData>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct SearchResultData {
    #[prost(message, repeated, tag = "3")]
    pub fields_data: Vec<FieldData>,
    #[prost(float, repeated, tag = "4")]
    pub scores: Vec<f32>,
    /// The number of rows that each query found.
    #[prost(int64, repeated, tag = "6")]
    pub topks: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Query {
    #[prost(string, tag = "3")]
    pub collection_name: String,
    #[prost(string, tag = "4")]
    pub expr: String,
    #[prost(string, repeated, tag = "5")]
    pub output_fields: Vec<String>,
    #[prost(message, repeated, tag = "9")]
    pub query_params: Vec<Pair>,
    #[prost(int32, tag = "11")]
    pub consistency_level: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct QueryResults {
    #[prost(message, optional, tag = "1")]
    pub status: Option<Status>,
    #[prost(message, repeated, tag = "2")]
    pub fields_data: Vec<FieldData>,
}
