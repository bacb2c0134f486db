//! Accepts connections, limits them, and ends them cleanly.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{sleep, timeout};

/// Maximum number of connections; further ones wait.
const MAX_CONNECTIONS: usize = 64;
/// How long a client may take to send the head of a request, and how long a connection may be idle.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum bytes of a request's head.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// How long answers may take to be sent when Oriel ends.
const END_TIMEOUT: Duration = Duration::from_secs(1);
/// The pause after accepting a connection failed, for example for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until `closed` receives, and then sends the answers that are nearly complete.
pub(crate) async fn serve(listener: TcpListener, routes: Router, mut closed: oneshot::Receiver<()>) {
    let graceful = GracefulShutdown::new();
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD_BYTES);
    loop {
        let accept = async {
            let permit = Arc::clone(&free).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            _ = &mut closed => break,
            accepted = accept => accepted,
        };
        let Ok((stream, _)) = accepted else {
            sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // Pieces of an answer are short and should not wait for one another.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(routes.clone());
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let _permit = permit;
            // A client that disconnects or does not speak HTTP is not an error of the server.
            let _ = connection.await;
        });
    }
    let _ = timeout(END_TIMEOUT, graceful.shutdown()).await;
}
