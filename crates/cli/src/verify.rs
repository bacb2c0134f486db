//! The command `verify`.

use std::path::PathBuf;
use std::sync::Arc;

use oriel_api::Searcher;
use oriel_engine::{Filter, Verification};

use crate::arguments::VerifyArguments;
use crate::batch::Claim;
use crate::search::paths_of;
use crate::session::Session;
use crate::{batch, output, render};

pub(crate) fn run(session: &Session, arguments: &VerifyArguments) -> anyhow::Result<()> {
    let claims = arguments.batch.as_deref().map(batch::read::<Claim>).transpose()?;
    let searcher = Searcher::new(Arc::new(session.open()?), Arc::clone(&session.roles));
    let within = paths_of(searcher.library(), &arguments.within);
    let verify = |claim: &str, within: Vec<PathBuf>| -> anyhow::Result<Verification> {
        let filter = Filter { within, ..Filter::default() };
        Ok(searcher.verify(claim, &filter, &session.cancel)?)
    };
    if let Some(claims) = claims {
        return batch::answer(&claims, &session.cancel, |line| {
            let own = line.within.as_deref().map(|path| vec![searcher.library().path_of(path)]);
            verify(&line.claim, own.unwrap_or_else(|| within.clone()))
        });
    }
    let verification = verify(arguments.claim.as_deref().unwrap_or_default(), within.clone())?;
    if session.json {
        return output::json(&verification);
    }
    output::text(&render::verification(&verification, &searcher.library().folders()?))
}
