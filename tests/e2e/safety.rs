//! Attacks by documents, questions and the page itself: none has an effect.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::asking::{FIELD, answered, ask, ready, rewrite};
use crate::harness::{App, Harness, wait};
use crate::safety_documents::{QUESTION, hostile, write_all};

/// A listener that must not be contacted.
struct Listener {
    port: u16,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Listener {
    fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let calls = Arc::<Mutex<Vec<String>>>::default();
        let heard = Arc::clone(&calls);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut said = [0; 200];
                // A connection counts even if it sends nothing.
                stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
                let read = stream.read(&mut said).unwrap_or(0);
                heard.lock().unwrap().push(String::from_utf8_lossy(&said[..read]).into_owned());
            }
        });
        Self { port, calls }
    }

    /// Checks that there was no connection except the test's own, which proves that the listener works.
    fn heard_nothing(&self, from: &str) {
        let mut own = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        own.write_all(b"this test").unwrap();
        let called = || self.calls.lock().unwrap().clone();
        wait("the listener listens", || called().iter().any(|one| one == "this test"));
        assert_eq!(called(), ["this test"], "{from} got through");
    }
}

/// Records the address of the page and its elements.
const NOTE: &str = "
    window.marker = 'the same page'
    window.foreign = () => {
        const own = (address) => !address || new URL(address, 'tauri://localhost/').href.startsWith('tauri://localhost/')
        const all = [...document.querySelectorAll('*')]
        const bad = (one) =>
            one.matches('img, iframe, frame, object, embed, base, video, audio, source, meta[http-equiv=refresh], a[href], area')
            || (one.matches('script, link') && !own(one.src ?? one.href))
            || (one.matches('script') && !one.src && one.textContent.includes('pwned'))
            || (one.matches('style') && one.textContent.includes('@import'))
            || (one.matches('form') && one.hasAttribute('action'))
            || [...one.attributes].some(({name, value}) => name.startsWith('on') || /javascript:|url\\(|data:text/i.test(name === 'style' ? value : ''))
        return all.filter(bad).map(one => one.outerHTML.slice(0, 200))
    }
    return window.foreign()";

fn is_untouched(app: &App) {
    let state =
        app.run("return [window.pwned ?? null, window.marker, location.href, window.foreign()]", json!([]));
    assert_eq!(state[0], Value::Null, "a script ran");
    assert_eq!(state[1], "the same page", "the page was left");
    assert!(state[2].as_str().unwrap().starts_with("tauri://localhost"), "the page is {}", state[2]);
    assert_eq!(state[3], json!([]), "elements of documents are in the page");
}

#[test]
fn documents_that_try_to_act_are_shown_as_the_words_they_are() {
    let listener = Listener::new();
    let harness = Harness::new();
    write_all(&harness, listener.port);
    let app = ready(&harness, json!({"generator": "quotes"}));
    app.until_text("footer", "5 files");
    assert_eq!(app.run(NOTE, json!([])), json!([]), "the page itself has none of this");
    ask(&app, QUESTION);
    answered(&app, 1);
    assert!(app.text("[data-testid=answer]").contains("4,200 litres"));
    assert!(
        app.text("[data-testid=passages]").contains("<script>window.pwned"),
        "what looks like markup is shown as words"
    );
    is_untouched(&app);
    // Opens each in the viewer.
    for name in ["keeper.md", "keeper.txt", "keeper.html", "keeper.docx", "keeper.pdf"] {
        app.keys("Ctrl+k");
        app.type_into("[data-testid=palette-input]", &format!("@{name}"));
        app.until_text("[role=listbox]", name);
        app.keys("Enter");
        app.until_text("[data-testid=viewer] header", name);
        app.until_text("[data-testid=viewer]", "4,200 litres");
        app.one(FIELD);
        is_untouched(&app);
    }
    assert_eq!(app.count("[data-testid=viewer] a, .annotationLayer"), 0, "links of a PDF lead nowhere");
    gets_no_file_that_is_not_a_pdf_of_the_library(&app);
    listener.heard_nothing("a document or a question");
}

#[test]
#[ignore = "journey: make test-window"]
fn documents_that_try_to_act_do_nothing_to_a_model_that_reads_and_writes_them() {
    let listener = Listener::new();
    let harness = Harness::new().alone();
    write_all(&harness, listener.port);
    let app = ready(&harness, json!({}));
    app.run(NOTE, json!([]));
    ask(&app, QUESTION);
    answered(&app, 1);
    is_untouched(&app);
    listener.heard_nothing("a document or a question");
}

#[test]
fn an_answer_that_tries_to_act_is_shown_as_the_words_it_is() {
    let listener = Listener::new();
    let harness = Harness::new();
    harness.write("keeper.md", "The lighthouse at Skerry Point burns 4,200 litres of oil.");
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, QUESTION);
    answered(&app, 1);
    app.close();
    // As if a model had written it.
    let words = hostile(listener.port, "answer");
    let parts = [
        words.clone(),
        format!("# {words}"),
        format!("- {words}"),
        format!("**{words}** [1]"),
        format!("```html\n{words}\n```"),
        format!("| a | b |\n|---|---|\n| {words} | b |"),
        "[1]: javascript:window.pwned='reference'".to_owned(),
    ];
    rewrite(&harness, |answer| {
        answer["answer"] = json!(parts.join("\n\n"));
        answer["sentences"] =
            json!([{"text": words, "supported": false, "reason": "no-passage", "citations": [1]}]);
    });
    let app = harness.start();
    app.run(NOTE, json!([]));
    app.click("[data-talk]");
    app.until_text("[data-testid=answer]", "window.pwned='answer'");
    assert!(
        app.text("[data-testid=answer]").contains("<iframe src="),
        "what looks like markup is shown as words"
    );
    is_untouched(&app);
    app.click("[data-testid=answer] .cite");
    app.until_text("[data-testid=viewer] header", "keeper.md");
    app.keys("Ctrl+i");
    app.one("[data-testid=why-table]");
    is_untouched(&app);
    listener.heard_nothing("an answer");
}

#[test]
#[ignore = "journey: make test-window"]
fn questions_and_titles_that_try_to_act_are_shown_as_the_words_they_are() {
    let listener = Listener::new();
    let harness = Harness::new();
    harness.write("keeper.txt", "The lighthouse at Skerry Point burns 4,200 litres of oil.\n");
    let app = ready(&harness, json!({"generator": "quotes"}));
    app.run(NOTE, json!([]));
    let words = hostile(listener.port, "question");
    ask(&app, &format!("{QUESTION} {words}"));
    answered(&app, 1);
    assert!(app.text("[data-testid=question]").contains("<script>window.pwned='question'"));
    is_untouched(&app);
    app.press("Rename, delete, more");
    app.press("Rename");
    app.one("[data-testid=title-field]");
    app.keys("Ctrl+a");
    let title = "<img src=x onerror=\"window.pwned='title'\"><b>bold</b>";
    app.type_text(title);
    app.keys("Enter");
    app.until_text("[data-testid=talks]", title);
    app.until_text("h1", title);
    app.press("Export");
    app.keys("Ctrl+k");
    app.type_into("[data-testid=palette-input]", "onerror");
    app.until_text("[role=listbox]", title);
    is_untouched(&app);
    listener.heard_nothing("a document or a question");
}

/// The ways in which the page's own code tries to reach a host.
const WAYS: [&str; 28] = [
    "fetch", "blind", "xhr", "socket", "events", "beacon", "import", "worker", "font", "image", "script",
    "style", "preload", "sheet", "frame", "object", "embed", "video", "form", "open", "link", "blank",
    "ping", "refresh", "go", "replace", "prefetch", "connect",
];

#[test]
fn the_page_itself_reaches_nobody_and_may_ask_for_the_shells_own_commands_only() {
    // One listener per way, so that a successful way can be named.
    let listeners: Vec<(&str, Listener)> = WAYS.iter().map(|&name| (name, Listener::new())).collect();
    let ports: Map<String, Value> =
        listeners.iter().map(|(name, listener)| ((*name).to_owned(), listener.port.into())).collect();
    let harness = Harness::new();
    let app = harness.start();
    app.run(NOTE, json!([]));
    let attempts = "
        const [ports, done] = arguments
        const at = (name) => `http://127.0.0.1:${ports[name]}/${name}`
        const element = (tag, name, value, more = {}) => new Promise((settle) => {
            const one = Object.assign(document.createElement(tag), more)
            one.onload = () => settle('loaded')
            one.onerror = () => settle('refused')
            one[name] = value
            document.body.append(one)
            // An element that reports neither success nor failure is checked when all others are done.
            setTimeout(() => settle('silent'), 500)
        }).finally(() => 0)
        const tries = {
            fetch: () => fetch(at('fetch')),
            blind: () => fetch(at('blind'), {mode: 'no-cors', method: 'POST', body: 'x'}),
            xhr: () => new Promise((settle, refuse) => {
                const xhr = new XMLHttpRequest()
                xhr.onload = settle
                xhr.onerror = () => refuse('refused')
                xhr.open('GET', at('xhr'))
                xhr.send()
            }),
            socket: () => new Promise((settle, refuse) => {
                const socket = new WebSocket(`ws://127.0.0.1:${ports.socket}/socket`)
                socket.onopen = settle
                socket.onerror = () => refuse('refused')
            }),
            events: () => new Promise((settle, refuse) => {
                const events = new EventSource(at('events'))
                events.onopen = settle
                events.onerror = () => (events.close(), refuse('refused'))
            }),
            beacon: () => navigator.sendBeacon(at('beacon'), 'x'),
            import: () => import(at('import')),
            worker: () => new Promise((settle, refuse) => {
                const worker = new Worker(at('worker'))
                worker.onmessage = settle
                worker.onerror = () => refuse('refused')
            }),
            code: () => new Function('return 1')(),
            font: () => new FontFace('x', `url(${at('font')})`).load(),
            image: () => element('img', 'src', at('image')),
            script: () => element('script', 'src', at('script')),
            inline: () => element('script', 'textContent', 'window.pwned = 1'),
            style: () => element('link', 'href', at('style'), {rel: 'stylesheet'}),
            preload: () => element('link', 'href', at('preload'), {rel: 'preload', as: 'fetch'}),
            prefetch: () => element('link', 'href', at('prefetch'), {rel: 'prefetch'}),
            connect: () => element('link', 'href', at('connect'), {rel: 'preconnect'}),
            sheet: () => element('style', 'textContent', `@import url(${at('sheet')})`),
            frame: () => element('iframe', 'src', at('frame')),
            object: () => element('object', 'data', at('object')),
            embed: () => element('embed', 'src', at('embed')),
            video: () => element('video', 'src', at('video')),
            form: () => {
                const form = Object.assign(document.createElement('form'), {action: at('form'), method: 'post'})
                document.body.append(form)
                form.submit()
            },
            open: () => { if (window.open(at('open'))) throw new Error('opened') },
            link: () => Object.assign(document.createElement('a'), {href: at('link')}).click(),
            blank: () => Object.assign(document.createElement('a'), {href: at('blank'), target: '_blank'}).click(),
            ping: () => Object.assign(document.createElement('a'), {href: '#', ping: at('ping')}).click(),
            refresh: () => document.head.append(Object.assign(document.createElement('meta'),
                {httpEquiv: 'refresh', content: `0;url=${at('refresh')}`})),
            go: () => { location = at('go') },
            replace: () => location.replace(at('replace')),
            file: () => { location = 'file:///etc/passwd' },
            data: () => { location = 'data:text/html,gone' },
        }
        const results = {}
        const all = Object.entries(tries).map(async ([name, attempt]) => {
            try { results[name] = String(await attempt()).slice(0, 80) } catch (error) { results[name] = `refused: ${error}`.slice(0, 80) }
        })
        Promise.all(all).then(() => done(results))";
    let results = app.run_async(attempts, json!([ports]));
    for name in ["fetch", "blind", "xhr", "socket", "events", "import", "font", "code"] {
        let result = results[name].as_str().unwrap_or_default();
        assert!(result.starts_with("refused"), "{name}: {result}");
    }
    for name in ["image", "script", "style", "object", "embed", "video"] {
        assert_ne!(results[name], "loaded", "{name}");
    }
    let state = app.run("return [window.pwned ?? null, window.marker, location.href]", json!([]));
    assert_eq!(state[0], Value::Null, "an inline script ran");
    assert_eq!(state[1], "the same page", "the page was left for another: {results}");
    assert!(state[2].as_str().unwrap().starts_with("tauri://localhost"), "{state}");
    for (name, listener) in &listeners {
        listener.heard_nothing(name);
    }
    asks_for_the_shells_own_commands_only(&app);
}

/// The page can load the hostile PDF, and no other file of this computer.
fn gets_no_file_that_is_not_a_pdf_of_the_library(app: &App) {
    let fetched = "
        const [addresses, done] = arguments
        const get = (address) => fetch(address).then(async (one) => [one.status, (await one.text()).slice(0, 5)], (error) => [0, String(error)])
        Promise.all(addresses.map(get)).then(done)";
    let documents = "
        const done = arguments[0]
        window.__TAURI_INTERNALS__.invoke('documents', {args: {query: '', limit: 10}}).then(done, done)";
    let documents = app.run_async(documents, json!([]));
    let id = |kind: &str| {
        let one =
            documents.as_array().unwrap().iter().find(|one| one["name"].as_str().unwrap().ends_with(kind));
        one.unwrap_or_else(|| panic!("no {kind} in {documents}"))["id"].as_u64().unwrap()
    };
    let address = |path: &str| format!("doc://localhost/{path}");
    let pdf = app.run_async(fetched, json!([[address(&id(".pdf").to_string())]]));
    assert_eq!(pdf, json!([[200, "%PDF-"]]), "a PDF of the library is given");
    let refused: Vec<String> = [
        "../../etc/passwd",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "..%5c..%5cetc%5cpasswd",
        "/etc/passwd",
        "etc/passwd",
        "999999",
        "4294967296",
        "-1",
        "",
        "?path=/etc/passwd",
        "1/../../etc/passwd",
    ]
    .iter()
    .map(|path| address(path))
    .chain([".md", ".txt", ".html", ".docx"].map(|kind| address(&id(kind).to_string())))
    .chain(["doc://elsewhere/etc/passwd".to_owned()])
    .collect();
    let answers = app.run_async(fetched, json!([refused]));
    for (address, answer) in refused.iter().zip(answers.as_array().unwrap()) {
        assert_eq!(*answer, json!([404, ""]), "{address}");
    }
    let files = app.run_async(fetched, json!([["file:///etc/passwd", "asset://localhost/etc/passwd"]]));
    for answer in files.as_array().unwrap() {
        assert_eq!(answer[0], 0, "{files}");
    }
}

fn asks_for_the_shells_own_commands_only(app: &App) {
    let invoked = "
        const [calls, done] = arguments
        const {invoke} = window.__TAURI_INTERNALS__
        const ask = ([name, args]) => invoke(name, args).then((given) => `GIVEN ${JSON.stringify(given)}`, (error) => String(error.message ?? error))
        Promise.all(calls.map(ask)).then(done)";
    let path = json!({"path": "/etc/passwd"});
    let calls = json!([
        ["made_up", {}],
        ["read_file", path],
        ["plugin:made-up|open", {}],
        ["plugin:dialog|open", {"options": {}}],
        ["plugin:dialog|save", {"options": {}}],
        ["plugin:dialog|message", {"message": "x"}],
        ["plugin:opener|open_path", path],
        ["plugin:opener|open_url", {"url": "http://127.0.0.1/"}],
        ["plugin:opener|reveal_item_in_dir", {"paths": ["/etc/passwd"]}],
        ["plugin:notification|notify", {"options": {"title": "x"}}],
        ["plugin:window|close", {"label": "main"}],
        ["plugin:window|set_title", {"label": "main", "value": "x"}],
        ["plugin:window|create", {"options": {"label": "x"}}],
        ["plugin:webview|create_webview_window", {"options": {"label": "x", "url": "http://127.0.0.1/"}}],
        ["plugin:webview|print", {"label": "main"}],
        ["plugin:window-state|save_window_state", {"flags": 1}],
        ["plugin:event|emit", {"event": "library", "payload": {}}],
        ["plugin:event|emit_to", {"target": {"kind": "Any"}, "event": "library", "payload": {}}],
        ["plugin:path|resolve_directory", {"directory": 21}],
        ["plugin:app|version", {}],
        ["plugin:image|from_path", path],
        ["plugin:menu|new", {"kind": "Menu", "handler": null}],
        ["plugin:tray|new", {"options": {}}],
        ["plugin:resources|close", {"rid": 0}],
        ["plugin:fs|read_file", path],
        ["plugin:shell|execute", {"program": "sh"}],
        ["plugin:process|exit", {"code": 0}],
    ]);
    let answers = app.run_async(invoked, json!([calls]));
    for (call, answer) in calls.as_array().unwrap().iter().zip(answers.as_array().unwrap()) {
        let answer = answer.as_str().unwrap();
        assert!(answer.contains("not allowed") || answer.contains("not found"), "{}: {answer}", call[0]);
    }
    // The app's own command works, and takes no path: documents have numbers.
    let own = json!([["library_state", {"args": null}], ["open_document", {"args": path}], ["show_in_folder", {"args": path}]]);
    let answers = app.run_async(invoked, json!([own]));
    assert!(answers[0].as_str().unwrap().starts_with("GIVEN"), "{answers}");
    for answer in [&answers[1], &answers[2]] {
        assert!(answer.as_str().unwrap().contains("document"), "{answers}");
    }
}
