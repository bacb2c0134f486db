//! Addresses of files on the Hugging Face Hub. This module does not connect.

/// The Hub, unless `HF_ENDPOINT` names a mirror.
const HUB: &str = "https://huggingface.co";

/// The address of one file of a repository at a pinned commit.
#[must_use]
pub fn hub_url(repository: &str, commit: &str, path: &str) -> String {
    format!("{}/{repository}/resolve/{commit}/{path}", endpoint())
}

/// The host that a download contacts first, so that a UI can show it beforehand.
#[must_use]
pub fn endpoint_host() -> String {
    host_of(&endpoint()).to_owned()
}

/// `HF_ENDPOINT`, the usual variable for a mirror, or the Hub.
fn endpoint() -> String {
    let mirror = std::env::var("HF_ENDPOINT").ok().filter(|mirror| !mirror.trim().is_empty());
    mirror.map_or_else(|| HUB.to_owned(), |mirror| mirror.trim().trim_end_matches('/').to_owned())
}

/// The host in an address, without scheme, user, port and path.
fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    match host.split_once(']') {
        Some((address, _)) => address.trim_start_matches('['),
        None => host.split(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_named_without_user_port_and_path() {
        for (address, host) in [
            ("https://huggingface.co", "huggingface.co"),
            ("https://ada:secret@hub.example.org:8443/hf", "hub.example.org"),
            ("https://[::1]:8443/hf", "::1"),
        ] {
            assert_eq!(host_of(address), host);
        }
    }

    #[test]
    fn an_address_names_repository_commit_and_file() {
        let url = hub_url("Qwen/Qwen3-0.6B-GGUF", "23749fe", "Qwen3-0.6B-Q8_0.gguf");
        assert!(url.ends_with("/Qwen/Qwen3-0.6B-GGUF/resolve/23749fe/Qwen3-0.6B-Q8_0.gguf"), "{url}");
    }
}
