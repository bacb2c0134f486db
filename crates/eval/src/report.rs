//! A report as one page of HTML that needs nothing else: no script, no network, light and dark by the system's choice.
//!
//! Headings ask and captions answer, from the figures. Each plot has its table. Every text that comes from a file of questions
//! or a library is escaped.

use std::fmt::Write as _;

use crate::metrics::Metric;
use crate::questions::Form;
use crate::run::{Arm, ArmReport, AskedQuestion, CalibrationGroup, EvaluationReport, Measured};

const STYLE: &str = include_str!("report.css");
/// Missed questions that are listed.
const LISTED: usize = 100;
/// Depths of the plot of hits.
const DEPTHS: [(Metric, &str); 4] =
    [(Metric::Hit1, "1"), (Metric::Hit3, "3"), (Metric::Hit5, "5"), (Metric::Hit10, "10")];
/// Lines in the plot of hits; more would not be told apart.
const LINES: usize = 3;

/// The page, complete with its styles. `title` is the name of the file of questions.
#[must_use]
pub fn report_page(report: &EvaluationReport, title: &str) -> String {
    let in_use = &report.arms[0];
    let missing = match report.missing.len() {
        0 => String::new(),
        1 => " One file or passage that is asked about is not in the library; its questions count as missed."
            .into(),
        count => format!(
            " {count} files or passages that are asked about are not in the library; their questions count as missed."
        ),
    };
    let sections =
        [forest(report), calibration(in_use), hits(report), time(report), everything(report), missed(report)];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Oriel: evaluation, {title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<header><h1>Evaluation</h1>\n\
         <p>{questions} questions from <b>{title}</b>, {documents} documents, {sentences} sentences. \
         Ranges are 95% intervals.{missing}</p></header>\n{plainly}<div class=\"plots\">\n{sections}</div>\n\
         </main>\n</body>\n</html>\n",
        title = escaped(title),
        questions = grouped(report.questions as u64),
        documents = grouped(report.documents as u64),
        sentences = grouped(report.sentences),
        plainly = plainly(report, in_use),
        sections = sections.concat(),
    )
}

/// Text as HTML shows it.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            letter => html.push(letter),
        }
    }
    html
}

/// A count with a comma every three digits.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share as a percentage without its sign.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// A difference in percentage points, with a real minus.
fn signed(difference: f64) -> String {
    let text = format!("{:+.1}", 100.0 * difference).replace('-', "−");
    if text.ends_with("+0.0") || text.ends_with("−0.0") { "0.0".to_owned() } else { text }
}

/// Milliseconds as a person says them.
fn duration(milliseconds: f64) -> String {
    if milliseconds < 1000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.1} s", milliseconds / 1000.0)
    }
}

fn counted(measured: &Measured) -> u64 {
    (measured.value * measured.whole).round() as u64
}

fn range(measured: &Measured) -> String {
    let [value, low, high] = [measured.value, measured.interval.low, measured.interval.high].map(percent);
    if low == high { format!("{value}%") } else { format!("{value}%, between {low} and {high}") }
}

/// The figures in words.
fn plainly(report: &EvaluationReport, in_use: &ArmReport) -> String {
    let of = |metric| in_use.metrics.get(&metric);
    let what = if report.form == Form::Beir { "document" } else { "sentence" };
    let first = of(Metric::Hit1).map(|hit| {
        (
            format!("The right {what} comes first for {} of {} questions.", counted(hit), hit.questions),
            range(hit),
        )
    });
    let five = of(Metric::Hit5).map(|hit| {
        (format!("It is among the first five passages for {} of them.", counted(hit)), range(hit))
    });
    let grounded = of(Metric::Grounded).map(|share| {
        let (supported, written) = (grouped(counted(share)), grouped(share.whole as u64));
        (format!("{supported} of {written} written sentences are supported by their passage."), range(share))
    });
    let relevant = of(Metric::ContextPrecision).map(|share| {
        let words = format!(
            "{:.0}% of the text of five passages is the sentence with the answer.",
            100.0 * share.value
        );
        (words, range(share))
    });
    let refused = of(Metric::RefusedAnswerable).map(|refused| {
        let with = format!("refused {} of {} that do", counted(refused), refused.questions);
        match of(Metric::RefusedUnanswerable) {
            Some(right) => {
                let answered = right.questions as u64 - counted(right);
                let words = format!(
                    "It answered {answered} of {} questions that have no answer, and {with}.",
                    right.questions
                );
                let [wrong, low, high] =
                    [right.value, right.interval.high, right.interval.low].map(|share| percent(1.0 - share));
                let [missed, from, to] =
                    [refused.value, refused.interval.low, refused.interval.high].map(percent);
                (words, format!("{wrong}% ({low} to {high}) and {missed}% ({from} to {to})"))
            }
            None => (
                format!(
                    "It refused {} of {} questions that have an answer.",
                    counted(refused),
                    refused.questions
                ),
                range(refused),
            ),
        }
    });
    let mut html = String::from("<div class=\"plainly\">\n");
    for (words, figures) in [first, five, grounded.or(relevant), refused].into_iter().flatten() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(html, "<div><p>{words}</p><small>{figures}</small></div>");
    }
    html + "</div>\n"
}

fn section(class: &str, heading: &str, caption: &str, content: &str) -> String {
    format!("<section class=\"{class}\"><h2>{heading}</h2><p>{caption}</p>\n{content}</section>\n")
}

/// A table that can be opened below its plot.
fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    format!("<details><summary>Table</summary>{}</details>\n", plain_table(head, rows))
}

/// Cells are HTML; all but the first column are figures.
fn plain_table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut html = String::from("<table><thead><tr>");
    for name in head {
        let _ = write!(html, "<th scope=\"col\">{name}</th>");
    }
    html.push_str("</tr></thead><tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for cell in row {
            let _ = write!(html, "<td>{cell}</td>");
        }
        html.push_str("</tr>\n");
    }
    html + "</tbody></table>\n"
}

/// Every arm by how often it finds the answer first, as a table with its plot in a column.
fn forest(report: &EvaluationReport) -> String {
    let arms: Vec<(&ArmReport, &Measured)> =
        report.arms.iter().filter_map(|arm| Some((arm, arm.metrics.get(&Metric::Hit1)?))).collect();
    let [(_, base), others @ ..] = arms.as_slice() else { return String::new() };
    if others.is_empty() {
        return String::new();
    }
    let clear =
        |one: &&(&ArmReport, &Measured)| one.1.difference.is_some_and(|found| found.interval.is_clear());
    let better: Vec<&str> = others
        .iter()
        .filter(clear)
        .filter(|(_, hit)| hit.value > base.value)
        .map(|(arm, _)| arm.title.as_str())
        .collect();
    let worse = others.iter().filter(clear).filter(|(_, hit)| hit.value < base.value).count();
    let answer = if !better.is_empty() {
        format!("Yes: {}.", better.join(", "))
    } else if worse == others.len() {
        "No. All are clearly worse.".to_owned()
    } else if worse == 0 {
        "No clear difference.".to_owned()
    } else {
        format!("No. {worse} of {} are clearly worse (grey: no clear difference).", others.len())
    };
    let lowest = arms.iter().map(|(_, hit)| hit.interval.low).fold(1.0, f64::min);
    // The axis begins at a ten.
    let from = ((lowest * 10.0).floor() / 10.0).min(0.9);
    let x = |share: f64| 1.5 + 97.0 * (share - from) / (1.0 - from);
    let mut html = format!(
        "<table class=\"forest\"><thead><tr><th scope=\"col\">Setting</th>\
         <th scope=\"col\">Found first, {:.0} to 100%</th><th scope=\"col\">%</th>\
         <th scope=\"col\">Against in use</th><th scope=\"col\">95% interval</th>\
         <th scope=\"col\">First five, %</th>\
         <th scope=\"col\" title=\"Context precision: share of the text shown that is the sentence with the answer\">Relevant, %</th>\
         </tr></thead><tbody>\n",
        100.0 * from
    );
    for (arm, hit) in &arms {
        let share = |metric| arm.metrics.get(&metric).map_or("–".to_owned(), |one| percent(one.value));
        let (class, against, interval) = match hit.difference {
            None => ("now", "<b>In use</b>".to_owned(), String::new()),
            Some(found) => (
                if found.interval.is_clear() { "clear" } else { "faint" },
                signed(found.value),
                format!("{} to {}", signed(found.interval.low), signed(found.interval.high)),
            ),
        };
        let _ = writeln!(
            html,
            "<tr class=\"{class}\"><th scope=\"row\">{title}</th><td class=\"plot\"><svg role=\"img\" \
             aria-label=\"{label}\"><line class=\"line\" x1=\"0\" x2=\"100%\" y1=\"14\" y2=\"14\"/>\
             <line class=\"base\" x1=\"{base:.2}%\" x2=\"{base:.2}%\" y1=\"0\" y2=\"28\"/>\
             <line class=\"err\" x1=\"{low:.2}%\" x2=\"{high:.2}%\" y1=\"14\" y2=\"14\"/>\
             <circle cx=\"{at:.2}%\" cy=\"14\" r=\"4.5\"/></svg></td>\
             <td>{value}</td><td class=\"against\">{against}</td><td class=\"ivl\">{interval}</td><td>{five}</td><td>{relevant}</td></tr>",
            title = arm.title,
            label = range(hit),
            base = x(base.value),
            low = x(hit.interval.low),
            high = x(hit.interval.high),
            at = x(hit.value),
            value = percent(hit.value),
            five = share(Metric::Hit5),
            relevant = share(Metric::ContextPrecision),
        );
    }
    html.push_str("</tbody></table>\n");
    let caption = format!("{answer} The vertical line marks the setting in use.");
    section("wide", "Does another setting find more?", &caption, &html)
}

/// The frame of a plot of shares: horizontal lines at `ticks`, from `from` to 1, in a field 30..right × 8..bottom.
fn gridlines(html: &mut String, ticks: &[f64], y: impl Fn(f64) -> f64, right: f64) {
    for tick in ticks {
        let _ = write!(
            html,
            "<path class=\"line\" d=\"M34 {y:.1}H{right}\"/><text x=\"28\" y=\"{text:.1}\" text-anchor=\"end\">{label:.0}</text>",
            y = y(*tick),
            text = y(*tick) + 4.0,
            label = 100.0 * tick,
        );
    }
}

/// The stated confidence against what came true.
fn calibration(in_use: &ArmReport) -> String {
    let groups = &in_use.calibration;
    let near = |group: &&CalibrationGroup| (group.confidence - 0.8).abs();
    let Some(typical) = groups.iter().min_by(|a, b| near(a).total_cmp(&near(b))) else {
        return String::new();
    };
    let (x, y) = (|share: f64| 34.0 + 310.0 * share, |share: f64| 182.0 - 172.0 * share);
    let mut svg = format!(
        "<svg viewBox=\"0 0 352 226\" role=\"img\" aria-label=\"Stated chance against what came true, {} groups\">",
        groups.len()
    );
    gridlines(&mut svg, &[0.0, 0.25, 0.5, 0.75, 1.0], y, 344.0);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"220\" text-anchor=\"middle\">{:.0}%</text>",
            x(tick),
            100.0 * tick
        );
    }
    let most = groups.iter().map(|group| group.questions).max().unwrap_or(1) as f64;
    let _ =
        write!(svg, "<path class=\"guide\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>", x(0.0), y(0.0), x(1.0), y(1.0));
    let mut line = String::new();
    for (at, group) in groups.iter().enumerate() {
        let (cx, cy) = (x(group.confidence), y(group.found));
        let _ = write!(
            svg,
            "<rect class=\"hist\" x=\"{left:.1}\" y=\"187\" width=\"14\" height=\"{height:.1}\" rx=\"1\"/>\
             <path class=\"err\" d=\"M{cx:.1} {top:.1}V{bottom:.1}\"/>",
            left = cx - 7.0,
            height = 16.0 * group.questions as f64 / most,
            top = y(group.interval.high),
            bottom = y(group.interval.low),
        );
        let _ = write!(line, "{}{cx:.1} {cy:.1}", if at == 0 { "M" } else { "L" });
    }
    let _ = write!(svg, "<path class=\"l1\" d=\"{line}\"/>");
    for group in groups {
        let _ = write!(
            svg,
            "<circle class=\"d1\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>",
            x(group.confidence),
            y(group.found)
        );
    }
    svg.push_str("</svg>\n");
    let rows: Vec<Vec<String>> = groups
        .iter()
        .map(|group| vec![percent(group.confidence), percent(group.found), group.questions.to_string()])
        .collect();
    let order = in_use.auroc.map_or_else(String::new, |auroc| {
        format!(" In {:.0} of 100 pairs a question with an answer gets more than one without.", 100.0 * auroc)
    });
    let caption = format!(
        "When Oriel says {:.0}%, the answer was there in {:.0} of 100 cases.{order} Bars: how often it said so.",
        100.0 * typical.confidence,
        100.0 * typical.found
    );
    let head = ["Oriel says, %", "The answer was there, %", "Questions"];
    section("", "Can you trust the percentage?", &caption, &(svg + &table(&head, &rows)))
}

/// How many passages have to be read until the answer comes.
fn hits(report: &EvaluationReport) -> String {
    let points = |arm: &ArmReport| -> Option<Vec<Measured>> {
        DEPTHS.iter().map(|(metric, _)| arm.metrics.get(metric).copied()).collect()
    };
    let arms: Vec<(&ArmReport, Vec<Measured>)> =
        report.arms.iter().filter_map(|arm| Some((arm, points(arm)?))).collect();
    let Some((_, base)) = arms.first() else { return String::new() };
    // The chunk arms are what others do, so they come before settings of Oriel.
    let mut drawn: Vec<&(&ArmReport, Vec<Measured>)> = arms.iter().collect();
    drawn.sort_by_key(|(arm, _)| match arm.arm {
        Arm::InUse => 0,
        Arm::Tokens512 | Arm::Characters100 | Arm::Recursive => 1,
        _ => 2,
    });
    drawn.truncate(LINES);
    let lowest =
        drawn.iter().flat_map(|(_, all)| all).map(|one| one.interval.low.min(one.value)).fold(1.0, f64::min);
    let from = ((lowest * 5.0).floor() / 5.0).min(0.8);
    let x = |at: usize| 34.0 + 58.0 * at as f64;
    let y = |share: f64| 148.0 - 140.0 * ((share - from) / (1.0 - from)).max(0.0);
    let mut svg = String::from(
        "<svg viewBox=\"0 0 352 172\" role=\"img\" aria-label=\"Share of questions whose answer is among the first passages\">",
    );
    gridlines(&mut svg, &[from, (from + 1.0) / 2.0, 1.0], y, 208.0);
    for (at, (_, depth)) in DEPTHS.iter().enumerate() {
        let _ = write!(svg, "<text x=\"{:.1}\" y=\"166\" text-anchor=\"middle\">{depth}</text>", x(at));
    }
    let edge = |high: bool| {
        base.iter()
            .enumerate()
            .map(move |(at, one)| (x(at), y(if high { one.interval.high } else { one.interval.low })))
    };
    let area: Vec<String> = edge(true)
        .chain(edge(false).collect::<Vec<_>>().into_iter().rev())
        .map(|(x, y)| format!("{x:.1} {y:.1}"))
        .collect();
    let _ = write!(svg, "<path class=\"area\" d=\"M{}Z\"/>", area.join("L"));
    let mut labels: Vec<(f64, usize)> =
        drawn.iter().enumerate().map(|(at, (_, all))| (y(all[DEPTHS.len() - 1].value), at)).collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Names do not lie on one another.
    for at in 1..labels.len() {
        labels[at].0 = labels[at].0.max(labels[at - 1].0 + 15.0);
    }
    for (number, (_, all)) in drawn.iter().enumerate() {
        let line: Vec<String> =
            all.iter().enumerate().map(|(at, one)| format!("{:.1} {:.1}", x(at), y(one.value))).collect();
        let _ = write!(svg, "<path class=\"l{}\" d=\"M{}\"/>", number + 1, line.join("L"));
        for (at, one) in all.iter().enumerate() {
            let (cx, cy) = (x(at), y(one.value));
            let _ = write!(svg, "<circle class=\"d{}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3\"/>", number + 1);
        }
    }
    for (at, number) in labels {
        let name = drawn[number].0;
        let name = if name.arm == Arm::InUse { "Oriel" } else { &name.title };
        let _ = write!(svg, "<text class=\"b\" x=\"218\" y=\"{:.1}\">{name}</text>", at + 4.0);
    }
    svg.push_str("</svg>\n");
    let rows: Vec<Vec<String>> = arms
        .iter()
        .map(|(arm, all)| {
            let cells = all.iter().map(|one| percent(one.value));
            std::iter::once(arm.title.clone()).chain(cells).collect()
        })
        .collect();
    let caption = format!(
        "One for {}% of the questions, five for {}%. By number of passages read, shaded: 95% interval.",
        percent(base[0].value),
        percent(base[2].value)
    );
    let head = ["Setting", "First, %", "First 3, %", "First 5, %", "First 10, %"];
    section("", "How many passages must you read?", &caption, &(svg + &table(&head, &rows)))
}

fn time(report: &EvaluationReport) -> String {
    let total = |arm: &ArmReport| arm.latency.get("total_ms").copied();
    let Some(base) = total(&report.arms[0]) else { return String::new() };
    let slowest =
        report.arms.iter().filter_map(total).map(|one| one.median).fold(f64::MIN_POSITIVE, f64::max);
    let names: Vec<&str> = report.arms[0].stages.iter().map(|one| one.stage.title()).collect();
    let step = 34.0;
    let mut svg = format!(
        "<svg viewBox=\"0 0 352 {:.0}\" role=\"img\" aria-label=\"Time by stage\">",
        step * report.arms.len() as f64
    );
    let mut rows = Vec::new();
    for (at, arm) in report.arms.iter().enumerate() {
        let Some(total) = total(arm) else { continue };
        let top = step * at as f64;
        let _ = write!(
            svg,
            "<text class=\"b\" x=\"0\" y=\"{y:.0}\">{}</text><text class=\"b\" x=\"352\" y=\"{y:.0}\" text-anchor=\"end\">{}</text>",
            arm.title,
            duration(total.median),
            y = top + 12.0,
        );
        let mut left = 0.0;
        for (number, one) in arm.stages.iter().enumerate() {
            let width = 352.0 * one.ms / slowest;
            let _ = write!(
                svg,
                "<rect class=\"s{}\" x=\"{left:.1}\" y=\"{:.0}\" width=\"{width:.1}\" height=\"9\"/>",
                number + 1,
                top + 18.0
            );
            left += width;
        }
        let of = |name: &&str| {
            arm.stages.iter().find(|one| one.stage.title() == *name).map(|one| duration(one.ms))
        };
        let mut row = vec![arm.title.clone()];
        row.extend(names.iter().map(|name| of(name).unwrap_or("–".to_owned())));
        row.extend([duration(total.median), duration(total.p95)]);
        rows.push(row);
    }
    svg.push_str("</svg>\n<p class=\"keys\">");
    for (number, name) in names.iter().enumerate() {
        let _ = write!(svg, "<span><i class=\"s{}\"></i>{name}</span>", number + 1);
    }
    svg.push_str("</p>\n");
    let caption = format!(
        "Half of the questions take less than {}, 95% less than {}. Medians, on this computer.",
        duration(base.median),
        duration(base.p95)
    );
    let head = [&["Setting"], names.as_slice(), &["Median", "95%"]].concat();
    section("", "Where does the time go?", &caption, &(svg + &table(&head, &rows)))
}

/// Every figure of every arm.
fn everything(report: &EvaluationReport) -> String {
    let mut metrics: Vec<Metric> = report.arms.iter().flat_map(|arm| arm.metrics.keys().copied()).collect();
    metrics.sort_unstable();
    metrics.dedup();
    let mut rows = Vec::new();
    for metric in metrics {
        for (arm, measured) in report.arms.iter().filter_map(|arm| Some((arm, arm.metrics.get(&metric)?))) {
            let interval = |low, high| format!("{} to {}", metric.shown(low), metric.shown(high));
            let (against, between) = measured.difference.map_or_else(
                || (String::new(), String::new()),
                |found| {
                    let text = interval(found.interval.low, found.interval.high);
                    (metric.shown(found.value), text)
                },
            );
            rows.push(vec![
                metric.title().to_owned(),
                arm.title.clone(),
                metric.shown(measured.value),
                interval(measured.interval.low, measured.interval.high),
                against.replace('-', "−"),
                between.replace('-', "−"),
                measured.questions.to_string(),
            ]);
        }
    }
    let head = ["Metric", "Setting", "Value", "95% interval", "Against in use", "95% interval", "Questions"];
    let answered =
        report.model.as_ref().map_or_else(String::new, |model| format!(" Answers by {}.", escaped(model)));
    let caption = format!(
        "Questions are refused below a confidence of {:.2}. Differences are paired bootstraps over the questions.{answered}",
        report.limit
    );
    let content = format!("<details><summary>All figures</summary>{}</details>\n", plain_table(&head, &rows));
    section("wide", "What else was measured?", &caption, &content)
}

/// The questions whose answer is not among the first five passages.
fn missed(report: &EvaluationReport) -> String {
    let is_missed = |asked: &&AskedQuestion| asked.answerable && asked.rank.is_none_or(|rank| rank > 5);
    let missed: Vec<&AskedQuestion> = report.asked.iter().filter(is_missed).collect();
    let rows: Vec<Vec<String>> = missed
        .iter()
        .take(LISTED)
        .map(|asked| {
            let rank = asked.rank.map_or("not among 10".to_owned(), |rank| rank.to_string());
            let confidence = asked.confidence.map_or_else(String::new, percent);
            vec![escaped(&asked.question), rank, confidence]
        })
        .collect();
    let caption = match missed.len() {
        0 => "None: every answer is among the first five passages.".to_owned(),
        count if count > LISTED => {
            format!("{count} are not among the first five passages; here are {LISTED}.")
        }
        1 => "One is not among the first five passages.".to_owned(),
        count => format!("{count} are not among the first five passages."),
    };
    let content = if rows.is_empty() {
        String::new()
    } else {
        let head = ["Question", "Rank of the answer", "Oriel says, %"];
        format!("<details><summary>Questions</summary>{}</details>\n", plain_table(&head, &rows))
    };
    section("wide", "Which answers are missed?", &caption, &content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(
            escaped("<b title=\"x\">'&'</b>"),
            "&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;"
        );
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        assert_eq!([grouped(7), grouped(1_234), grouped(205_304)], ["7", "1,234", "205,304"]);
        assert_eq!([signed(-0.125), signed(0.015), signed(-0.0001)], ["−12.5", "+1.5", "0.0"]);
        assert_eq!([duration(340.4), duration(1_520.0)], ["340 ms", "1.5 s"]);
    }
}
