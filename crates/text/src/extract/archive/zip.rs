//! ZIP archives.

use oriel_core::{Extracted, Failure, FailureCode, Kind};

use super::{Listing, needs_password};
use crate::extract::members::{MAX_MEMBERS, too_many_members};
use crate::extract::package::Package;
use crate::extract::{Limits, json};

pub(in crate::extract) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let limits = Limits { unpacked_bytes: limits.member_bytes, ..*limits };
    let mut package = Package::open(Kind::Archive, bytes, &limits)?;
    let names = package.decoded_names();
    if names.len() > MAX_MEMBERS {
        return Err(too_many_members());
    }
    let mut listing = Listing::new(&limits);
    let users = users(&mut package, &names);
    for (index, name) in names.iter().enumerate() {
        if package.is_link(index) {
            continue;
        }
        let Some(name) = listing.list(name)? else { continue };
        let bytes = package.bytes_at(index).map(|bytes| {
            let named = users
                .as_ref()
                .filter(|_| name.ends_with(".json"))
                .and_then(|users| json::with_names(&bytes, users));
            named.unwrap_or(bytes)
        });
        let is_locked = |failure: &Failure| failure.code == FailureCode::Encrypted;
        listing.add(
            name,
            bytes.map_err(|failure| if is_locked(&failure) { needs_password() } else { failure }),
        )?;
    }
    Ok(listing.finish())
}

/// The users in a Slack export; its messages refer to them by id.
fn users(package: &mut Package<'_>, names: &[String]) -> Option<json::Users> {
    let has = |wanted: &str| names.iter().position(|name| name.rsplit('/').next() == Some(wanted));
    let index = has("users.json").filter(|_| has("channels.json").is_some())?;
    json::users(&package.bytes_at(index).ok()?)
}
