//! HTML pages and the text that a browser would show.

use oriel_core::FailureCode;

use super::*;

fn text(html: &[u8]) -> String {
    extract(html, &Limits::default()).unwrap().text
}

#[test]
fn a_reader_sees_paragraphs_lists_and_tables() {
    let html = b"<html><head><title>Minutes of \n May</title><style>p { color: red }</style><script>var no = 1;</script></head>\
        <body><h1>Minutes</h1><p>The <a href='https://example.org'>board</a> met\non <b>Monday</b>.</p>\
        <ul><li>Budget</li><li><p>Roof</p></ul><ol start=3><li>Three<li>Four</ol>\
        <table><tr><th>Item</th><th>Cost</th></tr><tr><td>Paint</td><td>40<br>euros</td></tr></table>End</body></html>";
    let page = extract(html, &Limits::default()).unwrap().validated().unwrap();
    let expected = "Minutes\n\nThe board met on Monday.\n• Budget\n• Roof\n3. Three\n4. Four\n\nItem\tCost\nPaint\t40 euros\n\nEnd";
    assert_eq!(page.text, expected);
    assert_eq!(page.about.title.as_deref(), Some("Minutes of May"));
    assert_eq!(page.outline.headings[0].span.of(&page.text), Some("Minutes"));
    assert_eq!(page.outline.tables[0].span.of(&page.text), Some("Item\tCost"));
}

#[test]
fn texts_and_lines_of_a_drawing_stand_apart() {
    let html = b"<svg><text>One</text><text><tspan y='0'>Two</tspan><tspan y='0' x='9'>fold</tspan><tspan y='12'>lines of res-</tspan><tspan y='24'>taurants</tspan></text></svg>";
    assert_eq!(text(html), "One\n\nTwofold\nlines of res-taurants");
}

#[test]
fn a_term_is_the_heading_of_its_definition() {
    let html = b"<h2>Memory</h2><dl><dt><code>buffers</code> (integer)<a href='#b' class='permalink'>&para;</a></dt><dd><p>Sets it.</p>\
        <dl><dt>Unit</dt><dd>Blocks.</dd></dl>More.</dd><dt>work</dt><dd>Other.</dd></dl><p>After.</p>";
    let page = extract(html, &Limits::default()).unwrap().validated().unwrap();
    let above = |words: &str| {
        let at = u32::try_from(page.text.find(words).unwrap()).unwrap();
        let path = page.outline.walk().path(at).to_vec();
        path.iter().map(|one| one.span.of(&page.text).unwrap().to_owned()).collect::<Vec<_>>().join(" > ")
    };
    assert_eq!(above("Sets it."), "Memory > buffers (integer)");
    assert_eq!(above("Blocks."), "Memory > buffers (integer) > Unit");
    assert_eq!(above("More."), "Memory > buffers (integer)");
    assert_eq!(above("Other."), "Memory > work");
    assert_eq!(above("After."), "Memory");
}

#[test]
fn navigation_is_seen_but_has_no_sentences() {
    let html = b"<nav><a href='a.html'>Home</a> of the manual</nav>\
        <div class='toc'><p><b>Table of Contents</b></p><ul><li><a href='b.html'>1. Rules</a></li><li><a href='#c'>2. Fees</a></li></ul></div>\
        <h1>Rules</h1><p>Read <a href='d.html'>the fees</a> first.</p>\
        <ul><li><a href='https://example.org'>A page of others</a></li><li><a href='https://example.com'>Another</a></li>\
        <li><a href='https://example.net'>A third</a></li></ul>\
        <table><tr><td><a accesskey='p' href='e.html'>Prev</a></td><td>Chapter 2. Fees</td><td><a accesskey='n' href='f.html'>Next</a></td></tr></table>";
    let read = crate::read(Kind::Html, html, &Limits::default()).unwrap();
    let sentences: Vec<_> = read.sentences.iter().map(|one| one.span.of(&read.text).unwrap()).collect();
    assert_eq!(
        sentences,
        [
            "Rules",
            "Read the fees first.",
            "\u{2022} A page of others",
            "\u{2022} Another",
            "\u{2022} A third"
        ]
    );
    assert!(read.text.contains("2. Fees") && read.text.contains("Prev"), "{}", read.text);
    let headings: Vec<_> = read.outline.headings.iter().map(|one| one.span.of(&read.text).unwrap()).collect();
    assert_eq!(headings, ["Rules"]);
}

#[test]
fn a_table_that_lays_out_the_page_is_no_table() {
    let long = "A long paragraph of a newsletter. ".repeat(12);
    let html = format!(
        "<table><tr><td><h2>News</h2><p>{long}</p></td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>"
    );
    assert_eq!(text(html.as_bytes()), format!("News\n\n{}\n\na\tb", long.trim()));
}

#[test]
fn preformatted_lines_and_ruby_are_as_seen() {
    assert_eq!(text(b"<pre>one\n  two</pre>"), "one\n  two");
    assert_eq!(text("<p><ruby>草枕<rp>(</rp><rt>くさまくら</rt></ruby>を読む".as_bytes()), "草枕を読む");
}

#[test]
fn what_the_page_hides_is_left_out() {
    let html = b"<p>Seen.</p><div style='display: none'>Not seen.</div><p hidden>Nor this.</p>\
        <div style='DISPLAY:NONE'><ix:header>0001 false</ix:header></div>";
    assert_eq!(text(html), "Seen.");
}

#[test]
fn the_declared_encoding_is_used() {
    let html = b"<meta charset=\"iso-8859-2\"><p>Stra\xBE \xB1</p>";
    assert_eq!(text(html), "Straž ą");
    let utf8 = "<meta charset=\"iso-8859-1\"><p>Größe</p>".as_bytes();
    assert_eq!(text(utf8), "Größe", "valid UTF-8 is UTF-8, whatever the page declares");
}

#[test]
fn a_wide_paragraph_is_one_line() {
    let words = "word ".repeat(5000);
    assert_eq!(text(format!("<p>{words}</p>").as_bytes()), words.trim_end());
}

#[test]
fn deep_nesting_is_refused_or_read() {
    let deep = format!("{}x{}", "<div>".repeat(15_000), "</div>".repeat(15_000));
    assert_eq!(text(deep.as_bytes()), "x");
    let deeper = "<span>".repeat(100_000);
    assert_eq!(extract(deeper.as_bytes(), &Limits::default()).unwrap_err().code, FailureCode::Broken);
}

#[test]
fn what_styles_hide_is_left_out() {
    let hidden = [
        "style='opacity:0'",
        "style='visibility:hidden'",
        "style='font-size:0'",
        "style='font: 1px/1 serif'",
        "style='position:absolute; left:-9999px'",
        "style='text-indent:-999em'",
        "style='color:#FFF; background:white'",
        "style='color:rgba(0,0,0,0)'",
        "style='color:#fefefe'",
        "style='max-height:0;overflow:hidden'",
        "style='position:absolute;clip:rect(0 0 0 0)'",
        "style='clip-path: inset(50%)'",
        "style='transform:scale(0)'",
        "class='gone'",
        "class='sr-only'",
        "id='off'",
        "data-x='1'",
        "hidden",
    ];
    let sheet = "<style>.gone { display: none } .sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden }\
        #off, .other > b { visibility: collapse } body p[data-x='1'] { display: none !important }</style>";
    for how in hidden {
        assert_eq!(text(format!("{sheet}<p>Seen.<p {how}>Not seen.").as_bytes()), "Seen.", "{how}");
    }
    let shown = [
        "aria-hidden=true",
        "hidden=until-found",
        "style='opacity:.5'",
        "style='left:-9999px'",
        "style='height:0'",
        "style='color:white;background:#333'",
        "style='color:white;background:url(a.png)'",
        "class='gone' style='display:block'",
        "class='gone shown'",
        "class='print'",
        "style='opacity:0;animation:show 1s forwards'",
        "style='height:0;overflow:hidden;padding-bottom:50%'",
        "style='max-width:0;overflow:hidden'",
        "epub:type='footnote' class='gone'",
    ];
    let sheet = "<style>.gone { display: none } .gone.shown { display: block } @media print { .print { display: none } }</style>";
    for how in shown {
        let html = format!("{sheet}<p>Seen.<p {how}>Seen, too.");
        assert_eq!(text(html.as_bytes()), "Seen.\n\nSeen, too.", "{how}");
    }
}

#[test]
fn what_is_inherited_can_be_taken_back() {
    let html = b"<div style='visibility:hidden;font-size:0'>a<p style='visibility:visible;font-size:12px'>Seen.</p></div>";
    assert_eq!(text(html), "Seen.");
    let dark =
        b"<body style='background:#222'><p style='color:#fff'>Seen.</p><p style='color:#222'>Not.</p></body>";
    assert_eq!(text(dark), "Seen.");
    let foreign =
        b"<link rel=stylesheet href=x.css><p style='color:#fff'>White on what that sheet may paint.</p>";
    assert_eq!(text(foreign), "White on what that sheet may paint.");
    let old = b"<table bgcolor=navy><tr><td><font color=white>Seen</font><font color=navy>Not</font></td></tr></table>";
    assert_eq!(text(old), "Seen");
}

#[test]
fn struck_text_has_its_marks() {
    assert_eq!(
        text(
            b"<p>For <s>twelve </s>ten and <del>two</del> <ins>three</ins> hours.<p><strike>All</strike></p>"
        ),
        "For ~~twelve~~ ten and three hours.\n\n~~All~~"
    );
    let list = b"<div style='text-decoration: underline line-through'><p>One <b>two</b></p><ul><li>three</ul></div>Four";
    assert_eq!(text(list), "~~One two~~\n\u{2022} ~~three~~\n\nFour");
}

#[test]
fn forms_show_what_is_filled_in() {
    let html = "<form><p><label>Name <input value='Ann'></label><p><input type=hidden value=no><input type=checkbox id=a checked><label for=a>Yes</label>\
        <p><label>Later <input type=radio></label><p><label>Basin</label><select><option>north<option selected>south</select>\
        <p>Size <select><option>large<option>small</select></form><ul><li><input type=checkbox disabled> Call</ul>\
        <p><span role=checkbox aria-checked=true>Done</span>";
    assert_eq!(
        text(html.as_bytes()),
        "Name: Ann\n\n☑ Yes\n\n☐ Later\n\nBasin: south\n\nSize large\n• ☐ Call\n\n☑ Done"
    );
}

#[test]
fn only_numbers_after_digits_are_raised() {
    assert_eq!(
        text(b"<p>H<sub>2</sub>O, 10<sup>3</sup> and 10<sup>-12</sup> m<sup>2</sup>, the 1<sup>st</sup>"),
        "H2O, 10\u{b3} and 10\u{207b}\u{b9}\u{b2} m2, the 1st"
    );
}

#[test]
fn a_large_page_with_many_rules_is_read_in_linear_time() {
    let rules: String = (0..2000).map(|number| format!("div div .c{number} b {{ color: red }} ")).collect();
    let page = "<div><div><p class='c1 c2 c3'>word <b>bold</b></p></div></div>".repeat(20_000);
    let begun = std::time::Instant::now();
    assert!(text(format!("<style>{rules}</style>{page}").as_bytes()).starts_with("word bold"));
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

/// The headings above `words` in a page.
fn above(html: &str, words: &str) -> String {
    let page = extract(html.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
    let at = u32::try_from(page.text.find(words).unwrap()).unwrap();
    let path = page.outline.walk().path(at).to_vec();
    path.iter().map(|one| one.span.of(&page.text).unwrap().to_owned()).collect::<Vec<_>>().join(" > ")
}

#[test]
fn what_is_bold_a_summary_or_a_caption_heads_what_belongs_to_it() {
    let html = "<h2>Rules</h2><p><b>Scope.</b> This is for all. It binds staff.</p><p>It is short.</p>\
        <p><b>Oriel</b> reads files. It is new.</p><p>1. <strong>Notice:</strong> one month. Or two.</p>\
        <p style='font-weight: 700'>Fees</p><p>They are due.</p>\
        <details><summary>Who pays?</summary><p>The tenant. Always.</p></details>\
        <table><caption>Rent by year</caption><tr><th>Year</th><th>Rent</th></tr><tr><td>2021</td><td>900</td></tr></table>\
        <p>It rose.</p><div class='note'><h3>Note</h3><p>Look out. It helps.</p></div>\
        <div class='box'><div><p><b>TIP Keys</b></p></div><p>Count them.</p></div>\
        <aside><h2>History</h2><p>It is old.</p></aside><p>Last.</p>";
    assert_eq!(above(html, "It binds"), "Rules > Scope");
    assert_eq!(above(html, "It is short"), "Rules");
    assert_eq!(above(html, "It is new"), "Rules");
    assert_eq!(above(html, "Or two"), "Rules > Notice");
    assert_eq!(above(html, "They are due"), "Rules > Fees");
    assert_eq!(above(html, "Always"), "Rules > Fees > Who pays?");
    assert_eq!(above(html, "900"), "Rules > Fees > Rent by year");
    assert_eq!(above(html, "It helps"), "Rules > Fees", "the label of a box is no heading");
    assert_eq!(above(html, "Count them"), "Rules > Fees > TIP Keys");
    assert_eq!(above(html, "It is old"), "Rules > Fees > History");
    assert_eq!(above(html, "Last"), "Rules > Fees");
}

#[test]
fn bars_indexes_and_contents_without_a_class_have_no_sentences() {
    let index: String = ('a'..='z')
        .map(|c| format!("<li>{c}bort, <a href='a.html'>12</a>, <a href='b.html'>40</a></li>"))
        .collect();
    let html = format!(
        "<p><a href='a.html'>&laquo; Prev</a> | 3. Fees | <a href='b.html'>Next &raquo;</a></p>\
         <p>Next: <a href='c.html'>Keys</a>, Previous: <a href='d.html'>Rent</a></p>\
         <p>Rent</p><p>Keys and locks</p><p>Fees</p><p>The end of it</p>\
         <h2>Rent</h2><p>See <a href='c.html'>the keys</a> first.</p><h2>Keys and locks</h2><p>There are two.</p><h2>Fees</h2>\
         <p>Press Up, Home or <a href='e.html'>Next</a> in the list.</p><h2>The end of it</h2><p>Bye.</p><ul>{index}</ul>\
         <p><a href='#top'>Back to top</a></p>"
    );
    let read = crate::read(Kind::Html, html.as_bytes(), &Limits::default()).unwrap();
    let sentences: Vec<_> = read.sentences.iter().map(|one| one.span.of(&read.text).unwrap()).collect();
    let expected = [
        "Rent",
        "See the keys first.",
        "Keys and locks",
        "There are two.",
        "Fees",
        "Press Up, Home or Next in the list.",
        "The end of it",
        "Bye.",
    ];
    assert_eq!(sentences, expected);
    assert!(read.text.contains("abort, 12, 40") && read.text.contains("Back to top"));
}
