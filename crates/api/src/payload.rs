//! The derives of what crosses to a front.

/// Declares types that a front is sent: as JSON, and with the feature `ts` as TypeScript for the app window.
#[macro_export]
macro_rules! payload {
    ($($item:item)*) => {$(
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "ts", derive(::ts_rs::TS), ts(export_to = "types.ts"))]
        $item
    )*};
}

/// Declares types that a front sends.
#[macro_export]
macro_rules! request {
    ($($item:item)*) => {$(
        #[derive(Clone, Debug, ::serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "ts", derive(::ts_rs::TS), ts(export_to = "types.ts"))]
        $item
    )*};
}

pub(crate) use {payload, request};
