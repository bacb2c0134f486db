//! Charts and diagrams, which office documents store in separate parts, with the values that they show.

use std::collections::{BTreeMap, HashMap};

use oriel_core::Failure;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::number_formats::Format;
use super::package::{Package, Relation};
use super::writer::{Writer, one_line};
use super::xml::attribute;
use super::{Limits, slides};

/// Maximum nesting of a chart's elements.
const MAX_DEPTH: usize = 200;
/// Maximum number of lists of values and of categories in a series.
const MAX_LISTS: usize = 8;
/// Maximum number of cells written for a chart.
const MAX_CELLS: usize = 1_000_000;
/// Further series of a chart are ignored.
const MAX_SERIES: usize = 1000;

/// The texts of charts and diagrams among `relations`, by id.
pub(super) fn related(
    package: &mut Package<'_>,
    relations: &[Relation],
    limits: &Limits,
) -> Result<HashMap<String, Writer>, Failure> {
    let mut found = HashMap::new();
    for relation in relations {
        let is_chart = matches!(relation.kind.as_str(), "chart" | "chartEx");
        if !is_chart && relation.kind != "diagramData" {
            continue;
        }
        let Some(part) = package.part(&relation.target)? else { continue };
        let text = if is_chart {
            Some(chart(&part, limits))
        } else {
            // A damaged drawing is left out.
            slides::shapes(&part, limits).ok()
        };
        found.extend(text.map(|text| (relation.id.clone(), text)));
    }
    Ok(found)
}

/// A chart's title, and its series as a table. Of a damaged part, everything before the damage is used.
pub(super) fn chart(part: &str, limits: &Limits) -> Writer {
    let mut chart = Chart::default();
    let mut reader = Reader::from_str(part);
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) if chart.open.len() > MAX_DEPTH => break,
            Ok(Event::Start(element)) => chart.start(&element),
            Ok(Event::Text(text)) => chart.value.push_str(&text.xml10_content()),
            Ok(Event::GeneralRef(reference)) => chart.value.push_str(&super::xml::character(&reference)),
            Ok(Event::End(element)) => chart.end(element.local_name().as_ref()),
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    chart.write(limits)
}

/// Points by their index.
type Points = BTreeMap<u32, String>;

#[derive(Default)]
struct Series {
    name: String,
    /// The levels of the categories, innermost first.
    categories: Vec<Points>,
    values: Vec<Points>,
}

impl Series {
    /// The category of a point, after its parent categories.
    fn category(&self, index: u32) -> String {
        let outer = self.categories.iter().skip(1).rev();
        let mut names: Vec<&str> =
            outer.filter_map(|level| Some(level.range(..=index).next_back()?.1.as_str())).collect();
        names.extend(self.categories.first().and_then(|level| level.get(&index)).map(String::as_str));
        names.join(" ")
    }
}

#[derive(Default)]
struct Chart {
    open: Vec<ChartPart>,
    value: String,
    titles: Vec<String>,
    /// The titles of the category axes.
    axes: Vec<String>,
    series: Vec<Series>,
    index: u32,
    format: String,
    /// The number of named series: in charts of later versions the names come after the values.
    named: usize,
}

/// What an element of a chart means for its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChartPart {
    Title,
    Axis,
    Series,
    Data,
    Name,
    Categories,
    Values,
    Label,
    Other,
}

impl Chart {
    fn is_in(&self, part: ChartPart) -> bool {
        self.open.contains(&part)
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        self.value.clear();
        let name = element.local_name();
        let part = match name.as_ref() {
            "title" => {
                let titles = if self.is_in(ChartPart::Axis) { &mut self.axes } else { &mut self.titles };
                titles.push(String::new());
                ChartPart::Title
            }
            "catAx" | "dateAx" => ChartPart::Axis,
            "ser" => self.begin_series(ChartPart::Series),
            "data" if attribute(element, "id").is_some() => self.begin_series(ChartPart::Data),
            "series" => {
                self.named += 1;
                ChartPart::Series
            }
            "tx" => ChartPart::Name,
            "cat" | "xVal" => ChartPart::Categories,
            "val" | "yVal" | "bubbleSize" => self.begin_values(),
            "strDim" => ChartPart::Categories,
            "numDim" => self.begin_values(),
            "dLbls" | "dLbl" | "trendline" => ChartPart::Label,
            "strCache" | "numCache" | "strLit" | "numLit" | "lvl" => {
                self.format = attribute(element, "formatCode").unwrap_or_default();
                if self.is_in(ChartPart::Categories)
                    && let Some(series) = self.series.last_mut()
                    && series.categories.len() < MAX_LISTS
                {
                    series.categories.push(Points::new());
                }
                ChartPart::Other
            }
            "pt" => {
                self.index = attribute(element, "idx").and_then(|index| index.parse().ok()).unwrap_or(0);
                ChartPart::Other
            }
            _ => ChartPart::Other,
        };
        self.open.push(part);
    }

    fn begin_series(&mut self, part: ChartPart) -> ChartPart {
        if self.series.len() < MAX_SERIES {
            self.series.push(Series::default());
        }
        part
    }

    fn begin_values(&mut self) -> ChartPart {
        if let Some(series) = self.series.last_mut().filter(|one| one.values.len() < MAX_LISTS) {
            series.values.push(Points::new());
        }
        ChartPart::Values
    }

    fn end(&mut self, name: &str) {
        let value = std::mem::take(&mut self.value);
        self.open.pop();
        match name {
            "formatCode" => self.format = value,
            "t" | "v" | "pt" if self.is_in(ChartPart::Label) || value.trim().is_empty() => {}
            "t" | "v" if self.is_in(ChartPart::Title) => {
                let titles = if self.is_in(ChartPart::Axis) { &mut self.axes } else { &mut self.titles };
                if let Some(title) = titles.last_mut() {
                    title.push_str(&value);
                }
            }
            "v" | "t" if self.is_in(ChartPart::Name) => {
                let last = self.series.len().saturating_sub(1);
                let at = if self.named > 0 { self.named - 1 } else { last };
                if let Some(series) = self.series.get_mut(at) {
                    series.name.push_str(&value);
                }
            }
            "v" | "pt" => self.point(value.trim()),
            _ => {}
        }
    }

    fn point(&mut self, value: &str) {
        let number = value.parse::<f64>().ok().filter(|_| !self.format.is_empty());
        let shown =
            number.map_or_else(|| value.to_owned(), |number| Format::new(&self.format, false).shown(number));
        let (index, is_category) = (self.index, self.is_in(ChartPart::Categories));
        let is_value = self.is_in(ChartPart::Values);
        let Some(series) = self.series.last_mut() else { return };
        let points = match () {
            () if is_category => series.categories.last_mut(),
            () if is_value => series.values.last_mut(),
            () => None,
        };
        points.and_then(|points| points.insert(index, shown));
    }

    fn write(self, limits: &Limits) -> Writer {
        let mut writer = Writer::new(limits.text_bytes);
        for title in self.titles.iter().filter(|title| !title.trim().is_empty()) {
            writer.block(&one_line(title));
        }
        let mut rest = self.series.as_slice();
        while let Some(first) = rest.first() {
            // Series with the same categories become columns of one table.
            let alike =
                rest.iter().take_while(|one| one.categories.is_empty() || one.categories == first.categories);
            let (table, others) = rest.split_at(alike.count().max(1));
            self.write_table(table, &mut writer);
            rest = others;
        }
        writer
    }

    fn write_table(&self, series: &[Series], writer: &mut Writer) {
        let Some(first) = series.first() else { return };
        let columns =
            || series.iter().flat_map(|one| one.values.iter().map(move |values| (&one.name, values)));
        let mut head = vec![one_line(self.axes.first().map_or("", String::as_str))];
        head.extend(columns().map(|(name, _)| one_line(name)));
        let has_head = head.iter().skip(1).any(|name| !name.is_empty());
        let header = has_head.then(|| writer.row(&head, true));
        let mut indexes: Vec<u32> = columns().flat_map(|(_, values)| values.keys().copied()).collect();
        indexes.sort_unstable();
        indexes.dedup();
        for (at, index) in indexes.into_iter().enumerate() {
            let mut cells = vec![one_line(&first.category(index))];
            cells.extend(
                columns().map(|(_, values)| values.get(&index).map(|one| one_line(one)).unwrap_or_default()),
            );
            writer.row(&cells, at == 0 && !has_head);
            if writer.is_full() || (at + 1) * head.len() > MAX_CELLS {
                break;
            }
        }
        if let Some(header) = header {
            writer.header(header);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_its_title_and_a_table() {
        let points = |tag: &str, points: &[&str]| {
            let points = points
                .iter()
                .enumerate()
                .map(|(at, one)| format!("<c:pt idx='{at}'><c:v>{one}</c:v></c:pt>"));
            format!("<c:{tag}>{}</c:{tag}>", points.collect::<String>())
        };
        let series = |name: &str, values: &[&str]| {
            format!(
                "<c:ser><c:tx><c:strRef>{}</c:strRef></c:tx><c:cat><c:strRef>{}</c:strRef></c:cat><c:val><c:numRef><c:numCache>\
                 <c:formatCode>0%</c:formatCode>{}</c:numCache></c:numRef></c:val></c:ser>",
                points("strCache", &[name]),
                points("strCache", &["Tyrol", "Valais"]),
                points("x", values)
            )
        };
        let part = format!(
            "<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales &amp; </a:t></a:r><a:r><a:t>more</a:t></a:r></a:p></c:rich></c:tx></c:title>\
             <c:plotArea><c:barChart>{}{}</c:barChart><c:catAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Region</a:t></a:r></a:p></c:rich></c:tx></c:title></c:catAx>\
             </c:plotArea></c:chart></c:chartSpace>",
            series("2023", &["0.5", "0.25"]),
            series("2024", &["0.6"])
        );
        let text = chart(&part, &Limits::default());
        assert_eq!(text.text(), "Sales & more\n\nRegion\t2023\t2024\nTyrol\t50%\t60%\nValais\t25%");
    }
}
