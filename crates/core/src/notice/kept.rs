//! Notices in files, each stored with its English text for older versions of Oriel.

use serde::{Deserialize, Deserializer};

use super::Notice;

/// Reads a notice; `None` if a newer version wrote a code that this version does not know.
///
/// # Errors
/// Those of the deserializer.
pub fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Notice>, D::Error> {
    let value = Option::<serde_json::Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

/// Declares a module that stores an optional notice as two fields of a record: its text, which older versions read, and
/// the notice itself. Mark the record's field with `#[serde(flatten, with = "…")]`.
#[macro_export]
macro_rules! kept_notice {
    ($module:ident, $text:literal, $notice:literal) => {
        mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};
            use $crate::notice::{Notice, lenient};

            #[derive(Serialize, Deserialize)]
            struct Fields {
                #[serde(rename = $text, default, skip_serializing_if = "Option::is_none")]
                text: Option<String>,
                #[serde(rename = $notice, default, deserialize_with = "lenient")]
                #[serde(skip_serializing_if = "Option::is_none")]
                notice: Option<Notice>,
            }

            pub(super) fn serialize<S: Serializer>(
                notice: &Option<Notice>,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let text = notice.as_ref().map(Notice::to_string);
                let notice = notice.clone().filter(Notice::has_code);
                Fields { text, notice }.serialize(serializer)
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Option<Notice>, D::Error> {
                let Fields { text, notice } = Fields::deserialize(deserializer)?;
                Ok(notice.or_else(|| text.map(Notice::text)))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    kept_notice!(trouble, "trouble", "trouble_notice");

    #[derive(Debug, PartialEq, serde::Serialize, Deserialize)]
    struct Record {
        number: u32,
        #[serde(flatten, with = "trouble")]
        trouble: Option<Notice>,
    }

    #[test]
    fn a_kept_notice_has_its_text_beside_it_for_older_versions() {
        let read = |json: &str| serde_json::from_str::<Record>(json).unwrap().trouble;
        for trouble in [None, Some(Notice::NotThere), Some(Notice::text("odd"))] {
            let record = Record { number: 1, trouble };
            let json = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), record, "{json}");
        }
        assert_eq!(read(r#"{"number":1}"#), None);
        assert_eq!(read(r#"{"number":1,"trouble":null}"#), None);
        assert_eq!(read(r#"{"number":1,"trouble":"old"}"#), Some(Notice::text("old")));
        let newer = r#"{"number":1,"trouble":"new","trouble_notice":{"code":"from-the-future","size":3}}"#;
        assert_eq!(read(newer), Some(Notice::text("new")));
        let json = serde_json::to_value(Record { number: 1, trouble: Some(Notice::NotThere) }).unwrap();
        assert_eq!(json["trouble"], "it is not there; bring it back, or stop following it");
        assert_eq!(json["trouble_notice"]["code"], "not-there");
    }
}
