//! Downloads through a proxy.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use oriel_core::CancelToken;

use crate::setup::Setup;

/// A proxy that only supports `CONNECT`; with `refuses` it answers with that status instead.
struct Tunnel {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Tunnel {
    fn start(refuses: Option<u16>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&asked);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || tunnel(&client, refuses, &shared));
            }
        });
        Self { address, asked }
    }

    fn variable(&self) -> String {
        format!("HTTPS_PROXY=http://{}", self.address)
    }
}

fn tunnel(client: &TcpStream, refuses: Option<u16>, asked: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(client);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        (reader.read_line(&mut head).ok()? > 0).then_some(())?;
    }
    let target = head.strip_prefix("CONNECT ")?.split(' ').next()?.to_owned();
    asked.lock().unwrap().push(target.clone());
    let mut to_client = client.try_clone().ok()?;
    if let Some(status) = refuses {
        write!(to_client, "HTTP/1.1 {status} Refused\r\nContent-Length: 0\r\n\r\n").ok()?;
        return None;
    }
    let server = TcpStream::connect(target).ok()?;
    write!(to_client, "HTTP/1.1 200 Connected\r\n\r\n").ok()?;
    let mut to_server = server.try_clone().ok()?;
    let upwards = std::thread::spawn({
        let mut client = client.try_clone().ok()?;
        move || {
            let _ = std::io::copy(&mut client, &mut to_server);
            let _ = to_server.shutdown(std::net::Shutdown::Both);
        }
    });
    let _ = std::io::copy(&mut &server, &mut to_client);
    let _ = to_client.shutdown(std::net::Shutdown::Both);
    upwards.join().ok()
}

#[test]
fn the_proxy_of_the_environment_is_used_and_the_encryption_goes_through_it() {
    let (setup, proxy) = (Setup::new(1_000_000), Tunnel::start(None));
    let remote = setup.server.remote(&[&proxy.variable()]);
    setup.download_with(&remote, &mut |_| (), &CancelToken::new()).unwrap();
    setup.check_installed();
    assert_eq!(*proxy.asked.lock().unwrap(), [setup.server.address.to_string()]);
    assert_eq!(setup.server.state().served, 1_000_000);
}

#[test]
fn hosts_that_need_no_proxy_are_reached_directly() {
    let (setup, proxy) = (Setup::new(1_000), Tunnel::start(None));
    let remote = setup.server.remote(&[&proxy.variable(), "NO_PROXY=localhost, 127.0.0.1"]);
    setup.download_with(&remote, &mut |_| (), &CancelToken::new()).unwrap();
    setup.check_installed();
    assert!(proxy.asked.lock().unwrap().is_empty());
}

#[test]
fn a_proxy_that_refuses_or_is_not_there_is_named() {
    let setup = Setup::new(1_000);
    let (refusing, gone) = (Tunnel::start(Some(407)), TcpListener::bind("127.0.0.1:0").unwrap());
    let gone_address = gone.local_addr().unwrap();
    drop(gone);
    for variable in
        [refusing.variable(), format!("ALL_PROXY=http://{gone_address}"), "HTTPS_PROXY=socks5://h:1".into()]
    {
        let remote = setup.server.remote(&[&variable]);
        let error = setup.download_with(&remote, &mut |_| (), &CancelToken::new()).unwrap_err();
        assert_eq!(error.code(), "proxy", "{variable}: {error}");
        assert!(error.to_string().ends_with("check HTTPS_PROXY and ALL_PROXY and try again"), "{error}");
    }
    assert!(setup.server.state().requests.is_empty());
}
