//! Faults of a server or of the connection to it.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use oriel_core::CancelToken;
use oriel_download::{DownloadError, Progress, Stage};

use crate::server::Fault;
use crate::setup::{SILENCE, Setup, published};

const MEGABYTE: u64 = 1 << 20;

#[test]
fn files_come_whole_on_one_connection() {
    let mut setup = Setup::new(3_000_000);
    let other = setup.content[..10_000].to_vec();
    setup.files.push(published(setup.server.url("tokenizer.json"), "tokenizer.json", &other));
    // The same content is not downloaded twice.
    setup.files.push(published(setup.server.url("copy.json"), "copy.json", &other));
    setup.server.state().others.insert("/tokenizer.json".into(), other.clone());
    let mut seen = Vec::new();
    let remote = setup.server.remote(&[]);
    let folder = setup.download_with(&remote, &mut |step| seen.push(step), &CancelToken::new()).unwrap();
    assert_eq!(folder, setup.cache.join("m"));
    setup.check_installed();
    for name in ["tokenizer.json", "copy.json"] {
        assert!(std::fs::read(folder.join(name)).unwrap() == other, "{name}");
    }
    assert!(seen.is_sorted_by_key(|step| step.done));
    assert_eq!(seen[0], Progress { stage: Stage::Downloading, done: 0, total: 3_010_000 });
    let last = Progress { stage: Stage::Installing, done: 3_010_000, total: 3_010_000 };
    assert_eq!(seen.last(), Some(&last));

    let state = setup.server.state();
    assert_eq!((state.served, state.requests.len(), state.connections), (3_010_000, 2, 1));
    let first = state.requests[0].to_lowercase();
    for line in ["get /model.gguf http/1.1", "accept-encoding: identity", "user-agent: oriel\r\n"] {
        assert!(first.contains(line), "{line} is missing in {first}");
    }
    for line in ["cookie", "referer", "range", "authorization"] {
        assert!(!first.contains(line), "{line} is in {first}");
    }
}

#[test]
fn nothing_is_installed_before_the_last_file_is_right() {
    let mut setup = Setup::new(3_000_000);
    let other = setup.content[..10_000].to_vec();
    setup.files.push(published(setup.server.url("tokenizer.json"), "tokenizer.json", &other));
    assert_eq!(setup.failure().code(), "length");
    assert_eq!(setup.partial(), Some(3_000_000), "a checked file waits for the others");
    setup.server.state().others.insert("/tokenizer.json".into(), other);
    let mut first = None;
    let mut progress = |step: Progress| first = first.or(Some(step.done));
    setup.download_with(&setup.server.remote(&[]), &mut progress, &CancelToken::new()).unwrap();
    setup.check_installed();
    assert_eq!(first, Some(3_000_000), "it starts at what is there");
    let state = setup.server.state();
    let asked: Vec<_> = state.requests.iter().filter_map(|head| head.split(' ').nth(1)).collect();
    assert_eq!(asked, ["/model.gguf", "/tokenizer.json", "/tokenizer.json"]);
}

#[test]
fn a_cut_connection_is_resumed_and_no_byte_comes_twice() {
    let setup = Setup::new(3_000_000);
    setup.server.state().faults = [Fault::Cut(700_000), Fault::Cut(1_000_001), Fault::Cut(0)].into();
    setup.download().unwrap();
    setup.check_installed();
    let state = setup.server.state();
    assert_eq!(state.served, 3_000_000);
    let requests: Vec<_> = state.requests.iter().map(|head| head.to_lowercase()).collect();
    assert!(!requests[0].contains("range"));
    assert!(requests[1].contains("range: bytes=700000-") && requests[1].contains("if-range: \"one\""));
    assert!(requests[3].contains("range: bytes=1700001-"));
}

#[test]
fn a_server_that_always_cuts_is_given_up_and_what_came_is_kept() {
    let setup = Setup::new(2_000_000);
    setup.server.state().faults = std::iter::repeat_n(Fault::Cut(50_000), 6).collect();
    let error = setup.failure();
    assert_eq!(error.code(), "cut");
    assert!(matches!(error, DownloadError::Fetch { kept: 300_000, .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "the connection to 127.0.0.1 was cut; what was downloaded is kept; check the network and try again"
    );
    setup.download().unwrap();
    setup.check_installed();
    assert_eq!(setup.server.state().served, 2_000_000);
}

#[test]
fn a_server_that_falls_silent_is_given_up_and_asked_again() {
    let mut setup = Setup::new(1_000_000);
    setup.silence = Duration::from_secs(1);
    setup.server.state().faults = [Fault::Stall(300_000)].into();
    let begun = Instant::now();
    setup.download().unwrap();
    assert!(begun.elapsed() < SILENCE, "{:?}", begun.elapsed());
    setup.check_installed();
    assert!(setup.server.state().served <= 1_000_000 + MEGABYTE);
}

#[test]
fn a_file_that_has_changed_is_fetched_from_its_beginning() {
    for ignores in [false, true] {
        let setup = Setup::new(1_000_000);
        {
            let mut state = setup.server.state();
            state.body.reverse();
            state.faults = std::iter::repeat_n(Fault::Cut(40_000), 6).collect();
        }
        assert_eq!(setup.failure().code(), "cut");
        assert_eq!(setup.partial(), Some(240_000));
        {
            let mut state = setup.server.state();
            state.body.reverse();
            state.etag = "\"two\"".into();
            state.served = 0;
            if ignores {
                state.faults.push_back(Fault::IgnoresIfRange);
            }
        }
        setup.download().unwrap();
        setup.check_installed();
        assert!(setup.server.state().served <= 1_000_000 + MEGABYTE);
    }
}

#[test]
fn a_server_without_ranges_sends_the_whole_file_again() {
    let setup = Setup::new(1_000_000);
    setup.server.state().faults = [Fault::Cut(400_000), Fault::NoRanges].into();
    setup.download().unwrap();
    setup.check_installed();
    assert_eq!(setup.server.state().served, 1_400_000);
}

#[test]
fn another_part_than_the_one_asked_for_is_refused() {
    let setup = Setup::new(1_000_000);
    setup.server.state().faults = [Fault::Cut(400_000), Fault::WrongRange].into();
    assert_eq!(setup.failure().code(), "range");
    assert_eq!(setup.partial(), Some(400_000), "what was right is kept");
    setup.download().unwrap();
    setup.check_installed();
}

#[test]
fn a_file_of_another_length_is_refused_before_a_byte_is_used() {
    for length in [999_999, 1_000_001] {
        let setup = Setup::new(1_000_000);
        setup.server.state().faults = [Fault::Length(length)].into();
        assert_eq!(setup.failure().code(), "length");
        assert_eq!(setup.partial(), Some(0));
        // The same with a request for the rest.
        setup.server.state().faults = [Fault::Cut(400_000), Fault::Length(length)].into();
        assert_eq!(setup.failure().code(), "length");
        assert_eq!(setup.partial(), Some(400_000));
    }
}

#[test]
fn more_bytes_than_the_file_has_are_refused() {
    let setup = Setup::new(1_000_000);
    setup.server.state().faults = [Fault::TooMuch].into();
    assert_eq!(setup.failure().code(), "length");
    setup.download().unwrap();
    setup.check_installed();
}

#[test]
fn where_no_length_is_named_the_bytes_are_counted() {
    let setup = Setup::new(1_000_000);
    setup.server.state().faults = [Fault::NoLength(300_000)].into();
    setup.download().unwrap();
    setup.check_installed();
    let state = setup.server.state();
    assert_eq!((state.served, state.requests.len()), (1_000_000, 2));
}

#[test]
fn a_file_with_another_checksum_is_deleted() {
    let setup = Setup::new(1_000_000);
    setup.server.state().body[500_000] ^= 1;
    let error = setup.failure();
    assert_eq!(error.code(), "mismatch");
    assert_eq!(
        error.to_string(),
        "The download does not match the published file. Oriel deleted it and used none of it. Try again."
    );
    assert_eq!(setup.partial(), None);
    setup.server.state().body[500_000] ^= 1;
    setup.download().unwrap();
    setup.check_installed();
}

#[test]
fn a_server_that_refuses_is_asked_once_and_one_in_trouble_again() {
    for (status, code) in [(401, "denied"), (403, "denied"), (404, "not_found"), (410, "server")] {
        let setup = Setup::new(1_000);
        setup.server.state().faults = [Fault::Status(status)].into();
        let error = setup.failure();
        assert_eq!(error.code(), code);
        assert!(error.to_string().starts_with("127.0.0.1 "), "{error}");
        assert_eq!(setup.server.state().requests.len(), 1);
    }
    let setup = Setup::new(1_000);
    setup.server.state().faults = [Fault::Status(503), Fault::Status(429)].into();
    setup.download().unwrap();
    setup.check_installed();
    let setup = Setup::new(1_000);
    setup.server.state().faults = std::iter::repeat_n(Fault::Status(500), 6).collect();
    assert_eq!(setup.failure().code(), "server");
}

#[test]
fn redirects_are_followed_to_hosts_of_the_server_alone() {
    let setup = Setup::new(10_000);
    let port = setup.server.address.port();
    for to in ["/elsewhere".to_owned(), setup.server.url("elsewhere")] {
        let _ = std::fs::remove_dir_all(&setup.cache);
        setup.server.state().faults = [Fault::Redirect(to)].into();
        setup.download().unwrap();
        setup.check_installed();
        assert!(setup.server.state().requests.last().unwrap().starts_with("GET /elsewhere "));
    }
    let _ = std::fs::remove_dir_all(&setup.cache);
    for (to, code) in [
        // Trusted, but not the requested host.
        (format!("https://localhost:{port}/x"), "redirect"),
        (format!("http://127.0.0.1:{port}/x"), "insecure"),
    ] {
        let before = setup.server.state().requests.len();
        setup.server.state().faults = [Fault::Redirect(to)].into();
        assert_eq!(setup.failure().code(), code);
        assert_eq!(setup.server.state().requests.len(), before + 1, "the other address was asked");
    }
    setup.server.state().faults = std::iter::repeat_n(Fault::Redirect("/again".into()), 20).collect();
    assert_eq!(setup.failure().code(), "redirect");
}

#[test]
fn plain_http_is_not_spoken() {
    let mut setup = Setup::new(10_000);
    setup.files[0].url = setup.files[0].url.replace("https", "http");
    assert_eq!(setup.failure().code(), "insecure");
    assert_eq!(setup.server.state().connections, 0);
}

#[test]
fn a_certificate_that_the_system_does_not_trust_is_refused() {
    let (setup, other) = (Setup::new(10_000), Setup::new(1));
    let never = CancelToken::new();
    let error = setup.download_with(&other.server.remote(&[]), &mut |_| (), &never).unwrap_err();
    assert_eq!(error.code(), "certificate");
    assert!(error.to_string().contains("install its certificate in the system's store"), "{error}");
    assert!(setup.server.state().requests.is_empty());
}

#[test]
fn a_host_that_is_not_there_is_named() {
    let mut setup = Setup::new(10_000);
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    setup.files[0].url = format!("https://{free}/x");
    assert_eq!(setup.failure().code(), "refused");
    setup.files[0].url = "https://no-such-host.invalid/x".into();
    let error = setup.failure();
    assert_eq!(error.code(), "offline");
    assert_eq!(
        error.to_string(),
        "the address of no-such-host.invalid cannot be found; nothing was downloaded yet; check the network and try \
         again"
    );
}

#[test]
fn a_cancelled_download_ends_within_a_second_and_goes_on_later() {
    let setup = Setup::new(4_000_000);
    setup.server.state().pace = Duration::from_millis(20);
    let token = CancelToken::new();
    let mut cancelled = None;
    let mut progress = |step: Progress| {
        if step.done > 1_000_000 && cancelled.is_none() {
            token.cancel();
            cancelled = Some(Instant::now());
        }
    };
    let error = setup.download_with(&setup.server.remote(&[]), &mut progress, &token).unwrap_err();
    assert!(cancelled.unwrap().elapsed() < Duration::from_secs(1));
    assert!(matches!(error, DownloadError::Cancelled(_)));
    assert_eq!(setup.server.programs(), 0, "the program runs on");
    assert!(setup.partial().unwrap() > 1_000_000);
    setup.server.state().pace = Duration::ZERO;
    setup.download().unwrap();
    setup.check_installed();
    assert!(setup.server.state().served <= 4_000_000 + MEGABYTE, "{}", setup.server.state().served);
}

#[test]
fn given_up_while_it_is_installed_a_download_is_still_whole() {
    let setup = Setup::new(1_000_000);
    let token = CancelToken::new();
    let mut progress = |step: Progress| {
        if step.stage == Stage::Installing {
            token.cancel();
        }
    };
    let error = setup.download_with(&setup.server.remote(&[]), &mut progress, &token).unwrap_err();
    assert!(matches!(error, DownloadError::Cancelled(_)));
    assert!(!setup.cache.join("m").exists());
    assert_eq!(setup.partial(), Some(1_000_000));
    setup.download().unwrap();
    setup.check_installed();
    assert_eq!(setup.server.state().requests.len(), 1);
}

#[test]
fn a_silent_server_does_not_delay_a_cancellation() {
    let setup = Setup::new(1_000_000);
    setup.server.state().faults = [Fault::Stall(100_000)].into();
    let token = CancelToken::new();
    let remote = setup.server.remote(&[]);
    std::thread::scope(|scope| {
        let download = scope.spawn(|| setup.download_with(&remote, &mut |_| (), &token));
        while setup.partial() != Some(100_000) {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        let begun = Instant::now();
        token.cancel();
        assert!(matches!(download.join().unwrap(), Err(DownloadError::Cancelled(_))));
        assert!(begun.elapsed() < Duration::from_secs(1));
    });
    assert_eq!(setup.partial(), Some(100_000));
}

#[test]
fn a_program_that_is_missing_or_talks_nonsense_is_named() {
    let setup = Setup::new(1_000);
    let never = CancelToken::new();
    let missing = oriel_core::WorkerCommand::new("no-such-program", [""; 0]);
    assert_eq!(setup.download_with(&missing, &mut |_| (), &never).unwrap_err().code(), "no_remote");
    let nonsense = oriel_core::WorkerCommand::new("cat", [""; 0]);
    assert_eq!(setup.download_with(&nonsense, &mut |_| (), &never).unwrap_err().code(), "process");
}
