//! Has the generator write something short within a time limit.

use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Finish, GenerationRequest, Generator, ModelError};

/// What the generator writes within `limit` after its first token, and why it stopped.
pub(crate) fn written_within(
    limit: Duration,
    generator: &dyn Generator,
    request: &GenerationRequest,
    cancel: &CancelToken,
) -> Result<(String, Finish), ModelError> {
    let stop = cancel.child();
    let (mut text, mut first) = (String::new(), None);
    let mut piece = |piece: &str| {
        text.push_str(piece);
        if first.get_or_insert_with(Instant::now).elapsed() > limit {
            stop.cancel();
        }
    };
    let generation = generator.generate(request, &mut piece, &stop)?;
    cancel.check()?;
    Ok((text, generation.finish))
}
