//! The frames on the pipes to worker processes: a length, a JSON head, and raw bytes if the head announces some.
//!
//! Neither end trusts the other: the length of a head is limited, and memory grows with the bytes that arrive, not with
//! the announced number.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum length of a head in bytes.
const HEAD: u32 = 64 << 10;

/// Writes a head; the caller then writes its raw bytes, if any.
///
/// # Errors
/// If the pipe is broken.
pub fn write_head(output: &mut impl Write, head: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_vec(head)?;
    let length = u32::try_from(json.len()).map_err(io::Error::other)?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(&json)
}

/// The next head, or `None` if the pipe was closed between two frames.
///
/// # Errors
/// If the pipe breaks inside a frame, or the data is not a frame.
pub fn read_head<T: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    if input.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut length[1..])?;
    let length = u32::from_le_bytes(length);
    if length > HEAD {
        return Err(io::Error::other("a frame's head is too long"));
    }
    let json = exactly(input, u64::from(length))?;
    Ok(Some(serde_json::from_slice(&json)?))
}

/// Reads exactly `count` bytes.
///
/// # Errors
/// [`io::ErrorKind::UnexpectedEof`] if fewer arrive.
pub fn exactly(input: &mut impl Read, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(count).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == count { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_come_back_and_long_ones_are_refused() {
        let mut pipe = Vec::new();
        write_head(&mut pipe, &["a", "b"]).unwrap();
        let mut input = pipe.as_slice();
        assert_eq!(read_head::<Vec<String>>(&mut input).unwrap().unwrap(), ["a", "b"]);
        assert!(read_head::<Vec<String>>(&mut input).unwrap().is_none());
        assert!(read_head::<Vec<String>>(&mut &pipe[..6]).is_err(), "cut off");
        assert!(read_head::<Vec<String>>(&mut &[0xff; 8][..]).is_err(), "longer than a head may be");
    }
}
