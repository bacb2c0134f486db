//! A client for WebKitWebDriver: the part of the W3C WebDriver protocol that these tests need, over a local socket.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The key under which WebDriver names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Time limit for a condition on the page. A wait ends as soon as the condition is true.
const PATIENCE: Duration = Duration::from_secs(30);

/// One session with one window.
pub struct Driver {
    line: Line,
    session: String,
}

/// An element of the page.
#[derive(Clone, Debug)]
pub struct Element(String);

impl Driver {
    /// Starts a session with the driver on `port`, and with the app at its configured address.
    pub fn start(port: u16) -> Self {
        let wanted = json!({"capabilities": {"alwaysMatch": {}}});
        let line = Line { port, stream: Mutex::default() };
        let answer = line.request("POST", "/session", Some(&wanted));
        let answer = answer.unwrap_or_else(|error| panic!("no session begins: {error}\n{}", running()));
        let session = answer["sessionId"].as_str().expect("a session has an id").to_owned();
        Self { line, session }
    }

    fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Result<Value, String> {
        self.line.request(method, &format!("/session/{}{path}", self.session), body.as_ref())
    }

    /// Runs JavaScript in the page; `arguments` are its arguments.
    pub fn run(&self, script: &str, arguments: Value) -> Value {
        self.try_run(script, arguments).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// The result of a script; `None` while the page is being left.
    pub fn look(&self, script: &str) -> Option<Value> {
        self.try_run(script, json!([])).ok()
    }

    fn try_run(&self, script: &str, arguments: Value) -> Result<Value, String> {
        self.ask("POST", "/execute/sync", Some(json!({"script": script, "args": arguments})))
    }

    /// The same for a script that calls its last argument when it is done.
    pub fn run_async(&self, script: &str, arguments: Value) -> Value {
        let body = json!({"script": script, "args": arguments});
        self.ask("POST", "/execute/async", Some(body)).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Records errors in the page from now on. A late `ResizeObserver` notification is not an error: the engine also
    /// reports it for `contain-intrinsic-size: auto`.
    pub fn watch(&self) {
        let script = "
            window.wentWrong = []
            const note = (error) => window.wentWrong.push(String(error?.stack ?? error))
            const isLate = (event) => event.message?.startsWith('ResizeObserver loop completed')
            addEventListener('error', (event) => isLate(event) || note(event.error ?? event.message))
            addEventListener('unhandledrejection', (event) => note(event.reason))
            const say = console.error
            console.error = (...words) => (note(words.join(' ')), say(...words))";
        self.run(script, json!([]));
    }

    /// Whether the page runs scripts.
    pub fn answers(&self) -> bool {
        self.try_run("return true", json!([])).is_ok()
    }

    /// The errors that [`Driver::watch`] recorded.
    pub fn errors(&self) -> Vec<String> {
        let noted = self.try_run("return window.wentWrong ?? []", json!([])).unwrap_or_default();
        serde_json::from_value(noted).unwrap_or_default()
    }

    /// All elements that a CSS selector finds.
    pub fn all(&self, css: &str) -> Vec<Element> {
        let body = json!({"using": "css selector", "value": css});
        let found = self.ask("POST", "/elements", Some(body)).unwrap_or(Value::Null);
        let found = found.as_array().cloned().unwrap_or_default();
        found.iter().filter_map(|one| one[ELEMENT].as_str()).map(|id| Element(id.to_owned())).collect()
    }

    /// The first element that a CSS selector finds; waits until there is one.
    pub fn one(&self, css: &str) -> Element {
        let mut found = None;
        self.until(&format!("'{css}' is there"), || {
            found = self.all(css).into_iter().next();
            found.is_some()
        });
        found.expect("it was found")
    }

    /// Waits until a condition is true; panics after the time limit.
    pub fn until(&self, what: &str, is_true: impl FnMut() -> bool) {
        self.until_within(PATIENCE, what, is_true);
    }

    /// The same with another time limit.
    pub fn until_within(&self, patience: Duration, what: &str, mut is_true: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !is_true() {
            if begun.elapsed() > patience {
                let page = self.try_run("return document.body.innerText", json!([])).unwrap_or_default();
                panic!("waited in vain until {what}; the page says:\n{}", page.as_str().unwrap_or_default());
            }
            #[expect(clippy::disallowed_methods, reason = "between two looks at what another process does")]
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until an element's text contains these words.
    pub fn until_text(&self, css: &str, words: &str) {
        self.until(&format!("'{css}' says '{words}'"), || self.text(css).contains(words));
    }

    /// The text of all elements that a CSS selector finds, one per line.
    pub fn text(&self, css: &str) -> String {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map(one => one.innerText).join('\\n')";
        self.try_run(script, json!([css]))
            .ok()
            .and_then(|text| text.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    /// How many elements a CSS selector finds.
    pub fn count(&self, css: &str) -> usize {
        let script = "return document.querySelectorAll(arguments[0]).length";
        self.try_run(script, json!([css])).ok().and_then(|count| count.as_u64()).unwrap_or(0) as usize
    }

    /// Clicks the first element that a CSS selector finds.
    pub fn click(&self, css: &str) {
        let mut said = String::new();
        self.until(&format!("'{css}' can be pressed"), || {
            let Some(element) = self.all(css).into_iter().next() else { return false };
            match self.ask("POST", &format!("/element/{}/click", element.0), Some(json!({}))) {
                Ok(_) => true,
                // It was drawn again between the two requests, or something covered it for a moment.
                Err(error) => {
                    said = error;
                    false
                }
            }
        });
        drop(said);
    }

    /// Clicks the first button, link or item whose name or text contains these words.
    pub fn press(&self, words: &str) {
        let script = "
            const wanted = arguments[0]
            const named = (one) => (one.getAttribute('aria-label') ?? '') + ' ' + one.innerText
            const all = [...document.querySelectorAll('button, a, [role=menuitem], [role=option], summary, label')]
            const shown = all.filter(one => one.checkVisibility() && !one.disabled && named(one).includes(wanted))
            const exact = shown.find(one => [one.getAttribute('aria-label'), one.innerText.trim()].includes(wanted))
            return exact ?? shown[0] ?? null";
        let mut found = None;
        self.until(&format!("'{words}' can be pressed"), || {
            let element = self.try_run(script, json!([words])).unwrap_or(Value::Null);
            found = element[ELEMENT].as_str().map(str::to_owned);
            found
                .as_ref()
                .is_some_and(|id| self.ask("POST", &format!("/element/{id}/click"), Some(json!({}))).is_ok())
        });
    }

    /// Types into an element.
    pub fn type_into(&self, css: &str, text: &str) {
        let element = self.one(css);
        let typed = self.ask("POST", &format!("/element/{}/value", element.0), Some(json!({"text": text})));
        typed.unwrap_or_else(|error| panic!("'{css}' takes no text: {error}"));
    }

    /// Presses keys in the focused element; each with the modifiers before it held: `Ctrl+k`.
    pub fn keys(&self, combination: &str) {
        let parts: Vec<&str> = combination.split('+').collect();
        let (key, held) = parts.split_last().expect("a combination has a key");
        let codes: Vec<String> = held.iter().map(|name| code(name)).collect();
        let mut actions = Vec::new();
        actions.extend(codes.iter().map(|code| json!({"type": "keyDown", "value": code})));
        actions.push(json!({"type": "keyDown", "value": code(key)}));
        actions.push(json!({"type": "keyUp", "value": code(key)}));
        actions.extend(codes.iter().rev().map(|code| json!({"type": "keyUp", "value": code})));
        self.perform(actions);
    }

    /// Types text key by key into the focused element.
    pub fn type_text(&self, text: &str) {
        let mut actions = Vec::new();
        for one in text.chars() {
            actions.push(json!({"type": "keyDown", "value": one.to_string()}));
            actions.push(json!({"type": "keyUp", "value": one.to_string()}));
        }
        self.perform(actions);
    }

    fn perform(&self, actions: Vec<Value>) {
        let body = json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]});
        self.ask("POST", "/actions", Some(body)).expect("keys can be pressed");
    }

    /// Moves the pointer over the first element that a CSS selector finds.
    pub fn hover(&self, css: &str) {
        let element = self.one(css);
        let to =
            json!({"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": {ELEMENT: element.0}});
        let body = json!({"actions": [{"type": "pointer", "id": "mouse", "actions": [to]}]});
        self.ask("POST", "/actions", Some(body)).expect("the pointer can be moved");
    }

    /// Sets the inner size of the window, without its frame.
    pub fn resize(&self, width: u32, height: u32) {
        let mut asked = json!(null);
        self.until("the window has its size", || {
            let inner = self.run("return [innerWidth, innerHeight]", json!([]));
            if inner == json!([width, height]) {
                return true;
            }
            let outer = self.ask("GET", "/window/rect", None).expect("the window has a place");
            let number = |value: &Value| value.as_i64().unwrap_or_default();
            let frame = |outer: &Value, inner: &Value| number(outer) - number(inner);
            let size = json!({
                "width": i64::from(width) + frame(&outer["width"], &inner[0]),
                "height": i64::from(height) + frame(&outer["height"], &inner[1]),
            });
            // Requested again for each frame size seen: the size arrives a little after the response.
            if asked != size {
                asked = size.clone();
                self.ask("POST", "/window/rect", Some(size)).expect("the window can be resized");
            }
            false
        });
    }

    /// Ends the session.
    pub fn quit(&self) {
        let _ = self.ask("DELETE", "", None);
    }
}

/// Running processes and listening ports, for the message when a session does not start: the driver waits forever if
/// another process listens on the app's port.
fn running() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let done = Command::new(program).args(arguments).output();
        done.map(|done| String::from_utf8_lossy(&done.stdout).into_owned()).unwrap_or_default()
    };
    let all = said("ps", &["axewwo", "pid,ppid,stat,etime,wchan:24,args"]);
    let ours = all.lines().filter_map(|line| {
        let program = line.split_whitespace().nth(5)?;
        (program.contains("WebKit") || program.ends_with("oriel-desktop")).then_some(line)
    });
    // The environment follows the arguments; only the address is used.
    let met =
        |word: &&str| !word.contains('=') || word.starts_with("--") || word.starts_with("WEBKIT_INSPECTOR");
    let words = ours.map(|line| line.split_whitespace().filter(met).collect::<Vec<_>>().join(" "));
    words.chain([said("ss", &["-tanp"])]).collect::<Vec<_>>().join("\n")
}

/// WebDriver's code for a named key.
fn code(name: &str) -> String {
    let code = match name {
        "Ctrl" => '\u{E009}',
        "Alt" => '\u{E00A}',
        "Shift" => '\u{E008}',
        "Enter" => '\u{E007}',
        "Escape" => '\u{E00C}',
        "Tab" => '\u{E004}',
        "Up" => '\u{E013}',
        "Down" => '\u{E015}',
        "Left" => '\u{E012}',
        "Right" => '\u{E014}',
        "Home" => '\u{E011}',
        "End" => '\u{E010}',
        "F2" => '\u{E032}',
        "F6" => '\u{E036}',
        "Delete" => '\u{E017}',
        "Backspace" => '\u{E003}',
        other => return other.to_owned(),
    };
    code.to_string()
}

/// The connection to the driver. It is kept for the whole session: one connection per request, forty a second, would
/// use up ports, which stay reserved for a minute each.
struct Line {
    port: u16,
    stream: Mutex<Option<TcpStream>>,
}

impl Line {
    /// One HTTP request.
    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
        let mut held = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let stream = match held.take() {
            Some(stream) => stream,
            None => self.connect().map_err(|error| error.to_string())?,
        };
        let body = body.map(Value::to_string).unwrap_or_default();
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        let answer =
            exchange(&stream, format!("{head}{body}").as_bytes()).map_err(|error| error.to_string())?;
        *held = Some(stream);
        let value = whole(&answer).ok_or("the driver hung up")?;
        let value: Value = serde_json::from_slice(value).map_err(|error| error.to_string())?;
        let value = value["value"].clone();
        match value["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["message"].as_str().unwrap_or_default())),
            None => Ok(value),
        }
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        // Each request is one write, so waiting for more gains nothing.
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

/// Sends a request and reads until the response is complete.
fn exchange(mut stream: &TcpStream, request: &[u8]) -> io::Result<Vec<u8>> {
    stream.write_all(request)?;
    let (mut answer, mut part) = (Vec::new(), [0; 65536]);
    while whole(&answer).is_none() {
        match stream.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => answer.extend_from_slice(&part[..read]),
        }
    }
    Ok(answer)
}

/// The body of a response, once it is complete.
fn whole(answer: &[u8]) -> Option<&[u8]> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"))?;
    let length: usize = length.trim().parse().ok()?;
    answer.get(end..end + length)
}
