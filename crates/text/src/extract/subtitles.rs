//! Subtitles: the spoken text, without numbers and times.

use oriel_core::{Extracted, Failure, Kind};

use super::writer::{Writer, one_line};
use super::{Limits, encoding};

/// A longer pause, in milliseconds, ends a paragraph.
const PAUSE: u64 = 2000;

/// SubRip subtitles.
pub(super) fn extract_srt(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Srt, bytes, limits)
}

/// WebVTT subtitles.
pub(super) fn extract_vtt(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract(Kind::Vtt, bytes, limits)
}

/// Reads subtitles. Cues up to a pause are one paragraph, so that a sentence may continue in the next cue.
fn extract(kind: Kind, bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let text = encoding::plain_text(bytes, None)?;
    let mut writer = Writer::new(limits.text_bytes);
    let mut paragraph = String::new();
    // The last speaker, if the cues name speakers.
    let mut speaker = String::new();
    let mut last_end = 0_u64;
    let mut in_cue = false;
    for line in text.lines().map(str::trim) {
        if let Some((start, end)) = times(line) {
            if start > last_end.saturating_add(PAUSE) {
                writer.block(&one_line(&std::mem::take(&mut paragraph)));
            }
            last_end = end;
            in_cue = true;
        } else if line.is_empty() {
            in_cue = false;
        } else if in_cue {
            for (voice, said) in voices(line) {
                // Each of two speakers gets a line.
                let is_another = voice.is_some_and(|voice| voice != speaker);
                if line.starts_with(['-', '–', '‐']) || is_another {
                    writer.block(&one_line(&std::mem::take(&mut paragraph)));
                }
                if let Some(voice) = voice.filter(|_| is_another || paragraph.is_empty()) {
                    voice.clone_into(&mut speaker);
                    paragraph.extend([voice, ":"]);
                }
                paragraph.push(' ');
                paragraph.push_str(&without_tags(said));
            }
        }
    }
    writer.block(&one_line(&paragraph));
    writer.finish(kind)
}

/// The spoken text of a line, with its speaker: `<v Ann>`, or with a class `<v.loud Ann>`.
fn voices(line: &str) -> Vec<(Option<&str>, &str)> {
    let mut found = Vec::new();
    let mut rest = line;
    let mut voice = None;
    while let Some((at, tag)) =
        rest.match_indices("<v").find(|(at, _)| rest[at + 2..].starts_with([' ', '.', '\t']))
    {
        let Some((head, said)) = rest[at + tag.len()..].split_once('>') else { break };
        if !rest[..at].trim().is_empty() {
            found.push((voice, &rest[..at]));
        }
        voice = head.split_once([' ', '\t']).map(|(_, name)| name.trim()).filter(|name| !name.is_empty());
        rest = said;
    }
    found.push((voice, rest));
    found
}

/// The begin and end of a cue in milliseconds.
fn times(line: &str) -> Option<(u64, u64)> {
    let (start, rest) = line.split_once("-->")?;
    Some((time(start.trim())?, time(rest.split_whitespace().next()?)?))
}

/// Converts `01:02:03,456` or `02:03.456` to milliseconds.
fn time(text: &str) -> Option<u64> {
    let (clock, thousandths) = text.split_once([',', '.']).unwrap_or((text, "0"));
    let seconds = clock
        .split(':')
        .try_fold(0_u64, |sum, part| sum.checked_mul(60)?.checked_add(part.trim().parse().ok()?))?;
    seconds.checked_mul(1000)?.checked_add(thousandths.trim().parse().ok()?)
}

/// Removes tags such as `<i>` and `{\an8}` from a line.
fn without_tags(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    // Closing characters that do not occur in the rest of the line.
    let mut missing = Vec::new();
    while let Some(at) = rest.find(['<', '{']) {
        let (before, tag) = rest.split_at(at);
        text.push_str(before);
        let sign = match tag.as_bytes() {
            [b'<', ..] => Some('>'),
            [b'{', b'\\', ..] => Some('}'),
            _ => None,
        };
        let end = sign.filter(|sign| !missing.contains(sign)).and_then(|sign| tag.find(sign));
        if let Some(end) = end {
            rest = &tag[end + 1..];
        } else {
            missing.extend(sign.filter(|sign| !missing.contains(sign)));
            let (sign, after) = tag.split_at(1);
            text.push_str(sign);
            rest = after;
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_go_on_over_cues() {
        let srt = "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>The dam was</i>\r\nbuilt\r\n\r\n2\r\n00:00:02,600 --> 00:00:04,000\r\n\
            {\\an8}in 1912. 7 < 8.\r\n\r\n3\r\n00:01:00,000 --> 00:01:02,000\r\n- Really?\r\n- Yes.\r\n";
        let text = extract_srt(srt.as_bytes(), &Limits::default()).unwrap().text;
        assert_eq!(text, "The dam was built in 1912. 7 < 8.\n\n- Really?\n\n- Yes.");
        let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>It was</v>\n\n00:02.000 --> 00:03.000\n<v Ann>so.</v> <v.loud Bob Ö.>No!</v>\n";
        assert_eq!(
            extract_vtt(vtt.as_bytes(), &Limits::default()).unwrap().text,
            "Ann: It was so.\n\nBob Ö.: No!"
        );
        let hostile = "<".repeat(1_000_000) + &"{\\".repeat(1_000_000);
        assert_eq!(without_tags(&hostile), hostile);
        let vtt = "WEBVTT\n\nNOTE not said\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Ann>Hello.\n";
        assert_eq!(extract_vtt(vtt.as_bytes(), &Limits::default()).unwrap().text, "Ann: Hello.");
    }
}
